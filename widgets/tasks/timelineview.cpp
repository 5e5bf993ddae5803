// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/timelineview.h"

#include "engine/api/tasklabel.h"
#include "widgets/common/clocktext.h"
#include "widgets/common/labels.h"
#include "widgets/common/stylepaint.h"
#include "widgets/tasks/timelinepicture.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/texts.h"

#include <QHash>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace trainyard
{
namespace
{

constexpr int widestLabels = 180;
constexpr int endSpace = 26; // for the mark of how the last try ended
constexpr double timelineZoomStep = 1.25;
constexpr int keyPixels = 60;
constexpr int dragFrom = 4; // pixels

// How much of a bar the pauses that lie over it take.
qint64 pausedMs(const TimelineRow &row, const TimelineBar &bar)
{
    qint64 all = 0;
    for (const TimelineBar &each : row.bars) {
        if (each.kind == TimelineBar::Kind::Paused && each.of == bar.of) {
            all += std::max<qint64>(0, std::min(bar.to, each.to) - std::max(bar.from, each.from));
        }
    }
    return all;
}

} // namespace

TimelineView::TimelineView(QWidget *parent) : QAbstractScrollArea(parent)
{
    setObjectName(QStringLiteral("runTimeline"));
    setAccessibleName(tr("Timeline"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setBackgroundRole(QPalette::NoRole);
}

void TimelineView::setStory(const RunStory &story, qint64 now)
{
    m_story = story;
    rebuild(now);
}

void TimelineView::tick(qint64 now)
{
    const bool grows = std::any_of(m_timeline.attempts.cbegin(), m_timeline.attempts.cend(),
        [](const TimelineAttempt &attempt) { return attempt.isOpen; });
    if (grows && isVisible()) {
        rebuild(now);
    }
}

void TimelineView::rebuild(qint64 now)
{
    m_timeline = timelineOf(m_story, now);
    // The highest number of a role is the widest label; there may be thousands of tasks. It is measured as the picture
    // draws it, and a part of a pixel counts: a label that lacks one would be elided.
    QHash<QString, int> highest;
    for (const TimelineRow &row : std::as_const(m_timeline.rows)) {
        int &index = highest[row.role];
        index = std::max(index, row.index);
    }
    const QFontMetricsF letters(fonts::ui(), this);
    double exact = QFontMetricsF(fonts::semibold(), this).horizontalAdvance(tr("Job"));
    for (auto role = highest.cbegin(); role != highest.cend(); ++role) {
        exact = std::max(exact, letters.horizontalAdvance(taskLabel(role.key(), role.value())));
    }
    const int widest = int(std::ceil(exact)) + 1;
    m_labels = std::min(widest, widestLabels) + 2 * TimelinePicture::labelSpace;
    fit();
    Q_EMIT barsChanged();
}

QList<TimelineLegend::Look> TimelineView::looks() const
{
    QList<TimelineLegend::Look> looks;
    for (const TimelineRow &row : m_timeline.rows) {
        for (const TimelineBar &bar : row.bars) {
            const TimelineLegend::Look look(bar.kind, shapeOf(m_story.tries.at(bar.of).state));
            if (!looks.contains(look)) {
                looks.append(look);
            }
        }
    }
    return looks;
}

void TimelineView::fit()
{
    const int rows = int(m_timeline.rows.size());
    const int room = std::max(0, viewport()->height() - TimelinePicture::rowsTop);
    verticalScrollBar()->setPageStep(std::max(1, room / TimelinePicture::rowHeight));
    verticalScrollBar()->setRange(0, std::max(0, rows - room / TimelinePicture::rowHeight));
    TimeScale scale = m_scale;
    scale.left = m_labels;
    scale.right = std::max(m_labels + 1, viewport()->width() - endSpace);
    scale.gaps = m_timeline.gaps;
    if (m_isWhole || scale.to <= scale.from) {
        scale.from = m_timeline.from;
        scale.to = std::max(m_timeline.to, m_timeline.from + 1);
    }
    m_scale = scale;
    viewport()->update();
    tellRowsInSight();
}

void TimelineView::setScale(const TimeScale &scale)
{
    m_isWhole = scale.from <= m_timeline.from && scale.to >= m_timeline.to;
    m_scale = scale;
    viewport()->update();
}

void TimelineView::zoom(double factor, double x)
{
    setScale(m_scale.zoomed(factor, std::clamp(x, m_scale.left, m_scale.right), m_timeline.from, m_timeline.to));
}

int TimelineView::firstRow() const { return verticalScrollBar()->value(); }

qsizetype TimelineView::rowAt(int y) const
{
    const int from = TimelinePicture::rowsTop;
    const qsizetype row = y < from ? -1 : firstRow() + (y - from) / TimelinePicture::rowHeight;
    return row < m_timeline.rows.size() ? row : -1;
}

QRect TimelineView::rectOf(qsizetype row, qsizetype bar) const
{
    const TimelineBar &one = m_timeline.rows.at(row).bars.at(bar);
    const double left = m_scale.x(one.from), right = m_scale.x(one.to);
    return QRectF(left, rowTop(row) + (TimelinePicture::rowHeight - TimelinePicture::barHeight) / 2.0, right - left,
        TimelinePicture::barHeight)
        .toAlignedRect();
}

void TimelineView::tellRowsInSight()
{
    if (!isVisible()) {
        return;
    }
    QStringList folders;
    for (qsizetype row = firstRow(); row < m_timeline.rows.size() && rowTop(row) < viewport()->height(); ++row) {
        for (const TimelineBar &bar : m_timeline.rows.at(row).bars) {
            const QString &folder = m_story.tries.at(bar.of).logFolder;
            if (bar.kind == TimelineBar::Kind::Runs && !folder.isEmpty()) {
                folders.append(folder);
            }
        }
    }
    Q_EMIT rowsInSightChanged(folders);
}

void TimelineView::setCurrent(int attempt, const QString &role, int index, int number)
{
    const bool isOther = role != m_current.role || index != m_current.index;
    m_current = {attempt, index, number, role};
    if (isOther) {
        for (qsizetype row = 0; row < m_timeline.rows.size(); ++row) {
            if (m_timeline.rows.at(row).role == role && m_timeline.rows.at(row).index == index) {
                const int last = firstRow() + verticalScrollBar()->pageStep() - 1;
                if (row < firstRow()) {
                    verticalScrollBar()->setValue(int(row));
                } else if (row > last) {
                    verticalScrollBar()->setValue(int(row) - verticalScrollBar()->pageStep() + 1);
                }
                break;
            }
        }
    }
    viewport()->update();
}

void TimelineView::chooseRow(qsizetype row, qsizetype bar)
{
    const TimelineRow &chosen = m_timeline.rows.at(row);
    if (chosen.bars.isEmpty()) {
        return;
    }
    const TaskInfo &task = m_story.tries.at(chosen.bars.at(bar < 0 ? chosen.bars.size() - 1 : bar).of);
    setCurrent(task.attempt, task.role, task.index, task.tries);
    Q_EMIT tryChosen(task.attempt, task.role, task.index, task.tries);
}

void TimelineView::chooseAt(const QPoint &at)
{
    const qsizetype row = rowAt(at.y());
    if (row >= 0) {
        chooseRow(row, barAt(m_timeline.rows.at(row), m_scale, at.x()));
        return;
    }
    if (at.y() >= TimelinePicture::rulerHeight && at.y() < TimelinePicture::rowsTop) {
        for (const TimelineAttempt &attempt : std::as_const(m_timeline.attempts)) {
            if (at.x() >= m_scale.x(attempt.from) && at.x() <= m_scale.x(attempt.to)) {
                Q_EMIT attemptChosen(attempt.number);
                return;
            }
        }
    }
}

QString TimelineView::tipAt(const QPoint &at) const
{
    const qsizetype row = rowAt(at.y());
    const qsizetype place = row < 0 ? -1 : barAt(m_timeline.rows.at(row), m_scale, at.x());
    if (place < 0) {
        const TimeGap *gap = at.x() < m_labels ? nullptr : gapAt(m_scale, at.x());
        return gap ? plainTip(tr("Nothing happened for %1. This time is drawn shorter than it was.")
                                  .arg(clockText(gap->to - gap->from)))
                   : QString();
    }
    const TimelineBar &bar = m_timeline.rows.at(row).bars.at(place);
    const TaskInfo &task = m_story.tries.at(bar.of);
    QStringList lines{task.tries > 0 || m_timeline.attempts.size() > 1
            ? tr("%1, attempt %2, try %3")
                  .arg(taskLabel(task), QString::number(task.attempt + 1), QString::number(task.tries + 1))
            : taskLabel(task)};
    const bool isRun = bar.kind == TimelineBar::Kind::Runs || bar.kind == TimelineBar::Kind::Prepares;
    const qint64 paused = isRun ? pausedMs(m_timeline.rows.at(row), bar) : 0;
    const QString took = clockText(bar.to - bar.from - paused); // as all clocks of the page have it
    if (bar.kind == TimelineBar::Kind::Waits) {
        lines.append(bar.isOpen ? tr("Waits for %1 so far").arg(took) : tr("Waited %1").arg(took));
    } else if (bar.kind == TimelineBar::Kind::Paused) {
        lines.append(
            bar.isOpen ? tr("The job is paused, for %1 so far").arg(took) : tr("The job was paused for %1").arg(took));
    } else if (bar.kind == TimelineBar::Kind::Prepares) {
        lines.append(tr("Its prerequisites took %1").arg(took));
    } else {
        lines.append(tr("%1, %2").arg(stateText(task.state), took));
        if (task.exitCode && task.state != State::Succeeded) {
            lines.append(exitWords(*task.exitCode, task.rawExit));
        }
    }
    if (paused > 0) {
        lines.append(tr("Without pauses of the job: %1").arg(clockText(paused)));
    }
    if (!task.host.isEmpty() && bar.kind != TimelineBar::Kind::Waits) {
        lines.append(hostLabel(task.host, m_story.hostLabels));
    }
    lines.append(tr("From %1").arg(formatTime(bar.from, m_timeline.to)));
    return plainTip(lines.join(QLatin1Char('\n')));
}

bool TimelineView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Show) {
        fit();
    } else if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        QToolTip::showText(help->globalPos(), tipAt(help->pos()), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    fit();
}

void TimelineView::scrollContentsBy(int, int)
{
    viewport()->update();
    tellRowsInSight();
}

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton) {
        m_pressed = event->pos();
        m_dragged = 0;
        m_isDragging = false;
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_pressed) {
        return;
    }
    const int moved = event->pos().x() - m_pressed->x();
    if (!m_isDragging && std::abs(moved) < dragFrom) {
        return;
    }
    m_isDragging = true;
    viewport()->setCursor(Qt::ClosedHandCursor);
    setScale(m_scale.moved(m_dragged - moved, m_timeline.from, m_timeline.to));
    m_dragged = moved;
}

void TimelineView::mouseReleaseEvent(QMouseEvent *event)
{
    viewport()->unsetCursor();
    if (m_pressed && !m_isDragging && event->button() == Qt::LeftButton) {
        chooseAt(event->pos());
    }
    m_pressed.reset();
    m_isDragging = false;
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent *)
{
    m_isWhole = true;
    fit();
}

void TimelineView::wheelEvent(QWheelEvent *event)
{
    const int across = event->angleDelta().x();
    if (across != 0 && event->angleDelta().y() == 0) {
        setScale(m_scale.moved(-across / 2.0, m_timeline.from, m_timeline.to));
        event->accept();
        return;
    }
    const bool scrolls = verticalScrollBar()->maximum() > 0 && !event->modifiers().testFlag(Qt::ControlModifier);
    if (scrolls) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    zoom(std::pow(timelineZoomStep, -event->angleDelta().y() / double(QWheelEvent::DefaultDeltasPerStep)),
        event->position().x());
    event->accept();
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    const double middle = (m_scale.left + m_scale.right) / 2;
    qsizetype row = -1;
    for (qsizetype i = 0; i < m_timeline.rows.size() && row < 0; ++i) {
        row = m_timeline.rows.at(i).role == m_current.role && m_timeline.rows.at(i).index == m_current.index ? i : -1;
    }
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(1 / timelineZoomStep, middle);
        return;
    case Qt::Key_Minus:
        zoom(timelineZoomStep, middle);
        return;
    case Qt::Key_0:
        mouseDoubleClickEvent(nullptr);
        return;
    case Qt::Key_Left:
    case Qt::Key_Right:
        setScale(m_scale.moved(event->key() == Qt::Key_Left ? -keyPixels : keyPixels, m_timeline.from, m_timeline.to));
        return;
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const qsizetype next = row + (event->key() == Qt::Key_Up ? -1 : 1);
        if (next >= 0 && next < m_timeline.rows.size()) {
            chooseRow(next, -1);
        }
        return;
    }
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void TimelineView::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), colour(Colour::Surface, this));
    if (m_timeline.isEmpty()) {
        return;
    }
    TimelinePicture(m_story, m_timeline, m_scale, m_current, m_labels, firstRow(), viewport()).paint(&painter);
    if (hasFocus()) {
        stylepaint::focusRing(&painter, viewport()->rect(), metrics::smallRadius, colour(Colour::Accent, this));
    }
}

} // namespace trainyard
