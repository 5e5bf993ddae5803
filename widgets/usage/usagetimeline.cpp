// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/usage/usagetimeline.h"

#include "engine/api/tasklabel.h"
#include "widgets/common/labels.h"
#include "widgets/common/stylepaint.h"
#include "widgets/common/tokens.h"
#include "widgets/text/formats.h"
#include "widgets/text/hosttexts.h"

#include <QDateTime>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace trainyard
{
namespace
{

constexpr int labelWidth = 176, axisHeight = 26, laneHeight = 24, barMargin = 3, rightEdge = 12;
constexpr int leastForText = 34;
constexpr int leastForEdge = 3;
constexpr double wheelStep = 1.25;
constexpr qint64 minuteMs = 60'000, hourMs = 60 * minuteMs, dayMs = 24 * hourMs;
constexpr qint64 leastSpanMs = 10 * minuteMs;
constexpr int coloursOfSeries = 8;
constexpr int leastTick = 84; // pixels between two
constexpr int tickGap = 4; // before its text

} // namespace

UsageTimeline::UsageTimeline(QWidget *parent) : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("GPUs over time"));
}

void UsageTimeline::setUsage(const QList<UsageSpan> &spans, qint64 from, qint64 to)
{
    const bool showedAll = m_from == m_first && m_to == m_last;
    const qint64 lengthBefore = m_last - m_first;
    m_spans = spans;
    m_first = from;
    m_last = std::max(to, from + leastSpanMs);
    m_lanes = usageLanes(m_spans, m_first, m_last);
    m_rows = usageRows(m_lanes, m_unfolded);
    if (showedAll || m_last - m_first != lengthBefore) { // other days are chosen
        m_from = m_first;
        m_to = m_last;
    } else {
        show(m_from, m_to); // as far as it is still there
    }
    setBy(m_by);
    updateGeometry();
}

void UsageTimeline::setBy(UsageBy by)
{
    m_by = by;
    m_placeOfKey.clear();
    for (const UsageTotal &total : usageTotals(m_spans, by, m_first, m_last)) {
        m_placeOfKey.insert(total.key, m_placeOfKey.size());
    }
    update();
}

void UsageTimeline::setHostLabels(const QHash<QString, QString> &labels)
{
    m_hostLabels = labels;
    update();
}

int UsageTimeline::colourOf(const QString &key) const { return int(m_placeOfKey.value(key) % coloursOfSeries); }

QString UsageTimeline::keyOf(const UsageSpan &span) const
{
    switch (m_by) {
    case UsageBy::User:
        return span.user;
    case UsageBy::Group:
        return span.group;
    case UsageBy::Name:
        return span.name;
    case UsageBy::Host:
        break;
    }
    return span.host;
}

QSize UsageTimeline::sizeHint() const { return {800, axisHeight + int(m_rows.size()) * laneHeight + 4}; }

int UsageTimeline::bodyWidth() const { return std::max(1, width() - labelWidth - rightEdge); }

double UsageTimeline::xOf(qint64 time) const
{
    return labelWidth + double(time - m_from) * bodyWidth() / double(std::max<qint64>(1, m_to - m_from));
}

qint64 UsageTimeline::timeAt(double x) const
{
    return m_from + qint64((x - labelWidth) * double(m_to - m_from) / bodyWidth());
}

void UsageTimeline::paintAxis(QPainter &painter) const
{
    static constexpr qint64 steps[] = {minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 3 * hourMs, 6 * hourMs,
        12 * hourMs, dayMs, 2 * dayMs, 7 * dayMs, 28 * dayMs};
    const double perPixel = double(m_to - m_from) / bodyWidth();
    const auto found = std::find_if(
        std::begin(steps), std::end(steps), [perPixel](qint64 step) { return double(step) / perPixel >= leastTick; });
    const qint64 step = found == std::end(steps) ? steps[std::size(steps) - 1] : *found;
    // Ticks stand at local hours and midnights.
    const qint64 offset = qint64(QDateTime::fromMSecsSinceEpoch(m_from).offsetFromUtc()) * 1000;
    painter.setFont(fonts::tiny());
    const QLocale locale;
    for (qint64 tick = ((m_from + offset) / step + 1) * step - offset; tick < m_to; tick += step) {
        const int x = int(xOf(tick));
        const QDateTime time = QDateTime::fromMSecsSinceEpoch(tick);
        const bool isMidnight = time.time().hour() == 0 && time.time().minute() == 0;
        const QString text = isMidnight || step >= dayMs ? locale.toString(time.date(), QStringLiteral("ddd d MMM"))
                                                         : locale.toString(time.time(), QStringLiteral("HH:mm"));
        painter.setPen(colour(Colour::Border, this));
        painter.drawLine(x, axisHeight - 4, x, height());
        if (x + tickGap + painter.fontMetrics().horizontalAdvance(text) > width()) {
            continue; // a part of a day reads as another one
        }
        painter.setPen(colour(isMidnight ? Colour::Text : Colour::Muted, this));
        painter.drawText(QRect(x + tickGap, 0, leastTick, axisHeight), Qt::AlignVCenter | Qt::AlignLeft, text);
    }
}

QString UsageTimeline::labelOf(qsizetype lane) const
{
    const UsageLane &one = m_lanes.at(lane);
    const QString host = hostLabel(one.host, m_hostLabels);
    if (one.gpu >= 0) {
        return tr("%1 GPU %2").arg(host, QString::number(one.gpu));
    }
    const bool isFirst = lane == 0 || m_lanes.at(lane - 1).host != one.host;
    return isFirst ? tr("%1, no GPU").arg(host) : QString();
}

void UsageTimeline::paintLane(QPainter &painter, qsizetype place, const QRect &row) const
{
    const UsageLane &lane = m_lanes.at(place);
    painter.setFont(fonts::small());
    const QString name = labelOf(place);
    // Without a GPU there is nothing that was given to a task.
    const QString share
        = lane.gpu < 0 ? QString() : tr("%1 %").arg(qRound(100.0 * double(lane.busyMs) / double(m_last - m_first)));
    const int shareWidth = painter.fontMetrics().horizontalAdvance(share) + metrics::space2;
    const QRect label(metrics::space3, row.top(), labelWidth - metrics::space3 - metrics::space2, row.height());
    painter.setPen(colour(Colour::Text, this));
    painter.drawText(label.adjusted(0, 0, -shareWidth, 0), Qt::AlignVCenter,
        painter.fontMetrics().elidedText(name, Qt::ElideMiddle, label.width() - shareWidth));
    painter.setPen(colour(Colour::Muted, this));
    painter.drawText(label, Qt::AlignVCenter | Qt::AlignRight, share);
    const QRectF body(labelWidth, row.top() + barMargin, bodyWidth(), row.height() - 2 * barMargin);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour(Colour::Track, this));
    painter.drawRect(body);
    painter.setClipRect(body);
    double until = -1; // what is drawn; many in one pixel are one
    for (const qsizetype each : lane.spans) {
        const UsageSpan &span = m_spans.at(each);
        const double left = xOf(span.from), right = std::max(xOf(span.to.value_or(m_last)), left + 1);
        if (right < body.left() || left > body.right() || right <= until) {
            continue;
        }
        until = right;
        const QColor full = colour(Colour(int(Colour::Series1) + colourOf(keyOf(span))), this);
        const QRectF bar(left, body.top(), right - left, body.height());
        painter.fillRect(bar, mixed(full, colour(Colour::Surface, this), 0.55));
        if (bar.width() >= leastForEdge) { // a short one would be nothing but its edge
            painter.fillRect(QRectF(left, body.top(), 1, body.height()), colour(Colour::Surface, this));
        }
        const QRectF seen = bar.intersected(body).adjusted(metrics::space1 + 1, 0, -metrics::space1, 0);
        if (seen.width() >= leastForText) {
            painter.setPen(colour(Colour::Text, this));
            painter.drawText(seen, Qt::AlignVCenter | Qt::AlignLeft,
                painter.fontMetrics().elidedText(
                    tr("%1 #%2").arg(span.name, QString::number(span.job)), Qt::ElideRight, int(seen.width())));
            painter.setPen(Qt::NoPen);
        }
    }
    painter.setClipping(false);
}

void UsageTimeline::paintFold(QPainter &painter, const UsageRow &fold, const QRect &row) const
{
    const QRect text = row.adjusted(metrics::space3, 0, -rightEdge, 0);
    painter.setFont(fonts::small());
    painter.setPen(colour(Colour::Accent, this));
    const QString offer = fold.hidden > 0 ? tr("Show %1 more rows").arg(fold.hidden) : tr("Show fewer rows");
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, offer);
    const int offered = painter.fontMetrics().horizontalAdvance(offer) + metrics::space3;
    painter.setPen(colour(Colour::Muted, this));
    painter.drawText(text.adjusted(std::max(offered, labelWidth - metrics::space3), 0, 0, 0),
        Qt::AlignVCenter | Qt::AlignLeft, tr("Up to %1 tasks ran here at once").arg(fold.lanes));
}

void UsageTimeline::paintEvent(QPaintEvent *event)
{
    QPainter painter(this);
    painter.fillRect(rect(), colour(Colour::Surface, this));
    paintAxis(painter);
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        const QRect row(0, axisHeight + int(i) * laneHeight, width(), laneHeight);
        if (!row.intersects(event->rect())) {
            continue;
        }
        const UsageRow &shown = m_rows.at(i);
        if (shown.lane < 0) {
            paintFold(painter, shown, row);
        } else {
            paintLane(painter, shown.lane, row);
        }
    }
    if (hasFocus()) {
        stylepaint::focusRing(&painter, rect(), metrics::smallRadius, colour(Colour::Accent, this));
    }
}

void UsageTimeline::setUnfolded(const QSet<QString> &hosts)
{
    m_unfolded = hosts;
    m_rows = usageRows(m_lanes, m_unfolded);
    updateGeometry();
    update();
}

// With the keys all folds are one.
void UsageTimeline::toggleFolds()
{
    QSet<QString> folded;
    for (const UsageRow &row : std::as_const(m_rows)) {
        if (row.lane < 0 && row.hidden > 0) {
            folded.insert(row.host);
        }
    }
    setUnfolded(folded.isEmpty() ? folded : m_unfolded + folded);
}

const UsageRow *UsageTimeline::rowAt(const QPoint &at) const
{
    const int row = at.y() < axisHeight ? -1 : (at.y() - axisHeight) / laneHeight;
    return row < 0 || row >= m_rows.size() ? nullptr : &m_rows.at(row);
}

const UsageSpan *UsageTimeline::spanAt(const QPoint &at) const
{
    const UsageRow *row = rowAt(at);
    if (!row || row->lane < 0 || at.x() < labelWidth) {
        return nullptr;
    }
    const qint64 early = timeAt(at.x() - 1), late = timeAt(at.x() + 1);
    const QList<qsizetype> &places = m_lanes.at(row->lane).spans;
    const auto found = std::find_if(places.crbegin(), places.crend(), [&](qsizetype place) {
        const UsageSpan &span = m_spans.at(place);
        return span.from <= late && span.to.value_or(m_last) >= early;
    });
    return found == places.crend() ? nullptr : &m_spans.at(*found);
}

QString UsageTimeline::tipAt(const QPoint &at) const
{
    if (const UsageRow *row = rowAt(at); row && row->lane < 0) {
        return row->hidden > 0 ? tr("A click, or the space bar, shows a row for each of them.")
                               : tr("A click, or the space bar, folds these rows.");
    }
    const UsageSpan *span = spanAt(at);
    if (!span) {
        return {};
    }
    QStringList lines{tr("%1 #%2, %3").arg(span->name, QString::number(span->job), taskLabel(span->role, span->index))};
    lines.append(span->to
            ? tr("%1, from %2 to %3")
                  .arg(formatDuration(*span->to - span->from), formatTime(span->from, m_last),
                      formatTime(*span->to, m_last))
            : tr("%1, since %2").arg(formatDuration(m_last - span->from), formatTime(span->from, m_last)));
    lines.append(tr("User %1").arg(span->user));
    if (!span->group.isEmpty()) {
        lines.append(tr("Group %1").arg(span->group));
    }
    return lines.join(QLatin1Char('\n'));
}

void UsageTimeline::show(qint64 from, qint64 to)
{
    const qint64 span = std::clamp(to - from, leastSpanMs, m_last - m_first);
    m_from = std::clamp(from, m_first, m_last - span);
    m_to = m_from + span;
    update();
}

void UsageTimeline::zoom(double factor, qint64 around)
{
    show(around - qint64(double(around - m_from) * factor), around + qint64(double(m_to - around) * factor));
}

void UsageTimeline::wheelEvent(QWheelEvent *event)
{
    if (!(event->modifiers() & Qt::ControlModifier)) {
        event->ignore(); // the page scrolls
        return;
    }
    zoom(std::pow(wheelStep, -event->angleDelta().y() / 120.0), timeAt(event->position().x()));
    event->accept();
}

void UsageTimeline::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton) {
        m_pressed = event->pos();
        m_pressedFrom = m_from;
        m_dragged = false;
    }
}

void UsageTimeline::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_pressed) {
        const UsageRow *row = rowAt(event->pos());
        setCursor((row && row->lane < 0) || spanAt(event->pos()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
        return;
    }
    const int moved = event->pos().x() - m_pressed->x();
    m_dragged = m_dragged || std::abs(moved) >= 4;
    if (m_dragged) {
        const qint64 span = m_to - m_from;
        const qint64 from = m_pressedFrom - qint64(double(moved) * double(span) / bodyWidth());
        show(from, from + span);
    }
}

void UsageTimeline::mouseReleaseEvent(QMouseEvent *event)
{
    const bool isClick = m_pressed && !m_dragged;
    const UsageSpan *span = isClick ? spanAt(event->pos()) : nullptr;
    const UsageRow *row = isClick && event->button() == Qt::LeftButton ? rowAt(event->pos()) : nullptr;
    m_pressed.reset();
    if (row && row->lane < 0) {
        const QSet<QString> host{row->host};
        setUnfolded(row->hidden > 0 ? m_unfolded + host : m_unfolded - host);
        return;
    }
    if (span && event->button() == Qt::LeftButton) {
        Q_EMIT jobRequested(span->uuid);
    }
}

void UsageTimeline::mouseDoubleClickEvent(QMouseEvent *event)
{
    const UsageRow *row = rowAt(event->pos());
    if (row && row->lane < 0) {
        mousePressEvent(event); // two quick clicks on a fold
    } else {
        show(m_first, m_last);
    }
}

void UsageTimeline::keyPressEvent(QKeyEvent *event)
{
    const qint64 span = m_to - m_from, step = span / 8;
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(1 / wheelStep, m_from + span / 2);
        return;
    case Qt::Key_Minus:
        zoom(wheelStep, m_from + span / 2);
        return;
    case Qt::Key_Left:
        show(m_from - step, m_to - step);
        return;
    case Qt::Key_Right:
        show(m_from + step, m_to + step);
        return;
    case Qt::Key_Space:
        toggleFolds();
        return;
    case Qt::Key_0:
        show(m_first, m_last);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

bool UsageTimeline::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        auto *help = static_cast<QHelpEvent *>(event);
        const QString text = tipAt(help->pos());
        if (text.isEmpty()) {
            QToolTip::hideText();
        } else {
            QToolTip::showText(help->globalPos(), plainTip(text), this);
        }
        return true;
    }
    return QWidget::event(event);
}

} // namespace trainyard
