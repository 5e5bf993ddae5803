// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/timelinepicture.h"

#include "engine/api/tasklabel.h"
#include "widgets/common/clocktext.h"
#include "widgets/common/statepainter.h"
#include "widgets/common/stylepaint.h"
#include "widgets/tasks/timelinepaint.h"
#include "widgets/tasks/timelineview.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/texts.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard
{
namespace
{

constexpr double tickPixels = 84;
constexpr int stateMark = 11;
constexpr int wordsGap = 4; // on each side of words in the ruler

} // namespace

QString TimelinePicture::gapWords(const TimeGap &gap)
{
    return TimelineView::tr("%1 later").arg(clockText(gap.to - gap.from));
}

std::optional<std::pair<double, double>> TimelinePicture::edgesOf(const TimeGap &gap) const
{
    const double left = std::round(m_scale.x(gap.from)) + 0.5, right = std::round(m_scale.x(gap.to)) + 0.5;
    return right < m_labels || left > m_widget->width() ? std::nullopt : std::optional(std::pair(left, right));
}

QList<TimelinePicture::GapMark> TimelinePicture::gapMarks() const
{
    QList<TimeGap> gaps = m_scale.gaps;
    std::stable_sort(
        gaps.begin(), gaps.end(), [](const TimeGap &a, const TimeGap &b) { return a.to - a.from > b.to - b.from; });
    const double least = m_labels, most = m_widget->width();
    const QFontMetrics letters(fonts::small(), m_widget);
    QList<GapMark> marks;
    for (const TimeGap &gap : std::as_const(gaps)) {
        const auto edges = edgesOf(gap);
        if (!edges) {
            continue;
        }
        const QString words = gapWords(gap);
        const double width = letters.horizontalAdvance(words) + 2 * wordsGap;
        const double begin = std::clamp(
            (edges->first + edges->second - width) / 2, least, std::max(least, most - width)); // it may be narrower
        const QRectF place(begin, 0, width, rulerHeight);
        if (std::none_of(
                marks.cbegin(), marks.cend(), [&place](const GapMark &each) { return each.place.intersects(place); })) {
            marks.append({place, words});
        }
    }
    std::sort(
        marks.begin(), marks.end(), [](const GapMark &a, const GapMark &b) { return a.place.left() < b.place.left(); });
    return marks;
}

// Below all else. Returns where their words are.
QList<QRectF> TimelinePicture::paintGaps(QPainter *painter) const
{
    const double least = m_labels, most = m_widget->width();
    for (const TimeGap &gap : m_scale.gaps) {
        const auto edges = edgesOf(gap);
        if (!edges) {
            continue;
        }
        const auto [left, right] = *edges;
        const QRectF ground(
            QPointF(std::max(left, least), rulerHeight), QPointF(std::min(right, most), m_widget->height()));
        painter->fillRect(ground, colour(Colour::Window, m_widget));
        painter->setPen(QPen(colour(Colour::Border, m_widget), 1, Qt::DashLine));
        for (const double x : {left, right}) {
            if (x >= least && x <= most) {
                painter->drawLine(QPointF(x, rulerHeight), QPointF(x, m_widget->height()));
            }
        }
    }
    QList<QRectF> taken;
    painter->setFont(fonts::small());
    painter->setPen(colour(Colour::Text, m_widget));
    const QList<GapMark> marks = gapMarks();
    for (const GapMark &mark : marks) {
        painter->drawText(mark.place, Qt::AlignCenter, mark.words);
        taken.append(mark.place);
    }
    return taken;
}

// `taken`: where no words of the ruler have room.
void TimelinePicture::paintRuler(QPainter *painter, QList<QRectF> taken) const
{
    const qint64 step = tickStep(m_scale, tickPixels);
    // The marks count from the beginning, as the clock of the job does.
    const qint64 origin = m_timeline.from;
    painter->setFont(fonts::small());
    const QList<qint64> ticks = ticksOf(m_scale, origin, step);
    for (const qint64 tick : ticks) {
        const double x = std::round(m_scale.x(tick)) + 0.5;
        painter->setPen(colour(Colour::Border, m_widget));
        painter->drawLine(QPointF(x, rulerHeight), QPointF(x, m_widget->height()));
        const QString text = tickText(tick - origin, step);
        const double width = painter->fontMetrics().horizontalAdvance(text) + 2 * wordsGap;
        const QRectF words(x - width / 2, 0, width, rulerHeight);
        if (std::none_of(
                taken.cbegin(), taken.cend(), [&words](const QRectF &each) { return each.intersects(words); })) {
            painter->setPen(colour(Colour::Muted, m_widget));
            painter->drawText(words, Qt::AlignCenter, text);
            taken.append(words);
        }
    }
}

QString TimelinePicture::attemptWords(const TimelineAttempt &attempt)
{
    const QString end = attempt.exitCode && *attempt.exitCode != 0 ? exitBrief(*attempt.exitCode, attempt.rawExit)
        : attempt.isPaused                                         ? stateLabel(StateShape::Paused)
                                                                   : stateText(attempt.state);
    return TimelineView::tr("Attempt %1").arg(attempt.number + 1) + QStringLiteral("  ") + end;
}

void TimelinePicture::paintAttempts(QPainter *painter) const
{
    painter->setFont(fonts::semibold());
    painter->setPen(colour(Colour::Text, m_widget));
    painter->drawText(QRectF(0, rulerHeight, m_labels - labelSpace, attemptHeight), Qt::AlignVCenter | Qt::AlignRight,
        TimelineView::tr("Job"));
    painter->setFont(fonts::small());
    const QFontMetrics letters(painter->font());
    painter->setClipRect(QRectF(m_labels, 0, m_widget->width() - m_labels, m_widget->height()));
    for (const TimelineAttempt &attempt : m_timeline.attempts) {
        const double left = m_scale.x(attempt.from), right = m_scale.x(attempt.to);
        const double y = rulerHeight + 8.5, foot = y + 11;
        const QColor ink = colour(colourOf(shapeOf(attempt.state)), m_widget);
        painter->setPen(QPen(ink, 1.5));
        painter->drawLine(QPointF(left, foot), QPointF(left, y));
        painter->drawLine(QPointF(left, y), QPointF(right, y));
        if (!attempt.isOpen) {
            painter->drawLine(QPointF(right, y), QPointF(right, foot));
        }
        const QString words = attemptWords(attempt);
        const double begin = std::max(left, double(m_labels)) + 10;
        const QString shown = letters.elidedText(words, Qt::ElideRight, int(std::max(0.0, right - begin - 10)));
        if (shown.size() > 2) {
            const double width = letters.horizontalAdvance(shown) + 8;
            painter->fillRect(QRectF(begin - 4, y - 8, width, 16), colour(Colour::Surface, m_widget));
            painter->setPen(colour(Colour::Text, m_widget));
            painter->drawText(QRectF(begin, y - 9, width, 18), Qt::AlignVCenter | Qt::AlignLeft, shown);
        }
    }
    painter->setClipping(false);
}

void TimelinePicture::paintRow(QPainter *painter, qsizetype row) const
{
    const TimelineRow &one = m_timeline.rows.at(row);
    const int top = rowTop(row);
    const bool isCurrent = one.role == m_current.role && one.index == m_current.index;
    if (isCurrent) {
        stylepaint::rowGround(
            painter, QRect(0, top, m_widget->width(), rowHeight), m_widget->palette(), true, false, true);
    }
    painter->setFont(fonts::ui());
    painter->setPen(colour(Colour::Text, m_widget));
    const QRect label(labelSpace, top, m_labels - 2 * labelSpace, rowHeight);
    painter->drawText(label, Qt::AlignVCenter | Qt::AlignRight,
        painter->fontMetrics().elidedText(taskLabel(one.role, one.index), Qt::ElideMiddle, label.width()));
    painter->setClipRect(QRect(m_labels, top, m_widget->width() - m_labels, rowHeight));
    QString namedHost; // once, until it is another one
    for (qsizetype i = 0; i < one.bars.size(); ++i) {
        const TimelineBar &bar = one.bars.at(i);
        const TaskInfo &task = m_story.tries.at(bar.of);
        const double left = m_scale.x(bar.from), right = m_scale.x(bar.to);
        if (right < m_labels || left > m_widget->width()) {
            continue;
        }
        // Parts far out of sight are not hatched.
        const QRectF rect(QPointF(std::max(left, m_labels - 20.0), top + (rowHeight - barHeight) / 2.0),
            QPointF(std::min(right, m_widget->width() + 20.0), top + (rowHeight + barHeight) / 2.0));
        paintTimelineBar(painter, rect, bar.kind, shapeOf(task.state), m_widget->palette());
        if (bar.kind == TimelineBar::Kind::Paused) {
            paintPause(painter, rect);
            continue;
        }
        const auto next = std::find_if(one.bars.cbegin() + i + 1, one.bars.cend(),
            [](const TimelineBar &each) { return each.kind != TimelineBar::Kind::Paused; });
        const bool isRoom = next == one.bars.cend() || m_scale.x(next->from) > right + stateMark + 6;
        if (bar.kind == TimelineBar::Kind::Runs) {
            namedHost = paintRun(painter, bar, rect, isRoom, namedHost);
        }
    }
    painter->setClipping(false);
}

void TimelinePicture::paintPause(QPainter *painter, const QRectF &rect) const
{
    painter->setFont(fonts::tiny());
    const QString words = stateLabel(StateShape::Paused);
    const double width = painter->fontMetrics().horizontalAdvance(words) + 6;
    const double left = std::max(rect.left(), double(m_labels)),
                 right = std::min<double>(rect.right(), m_widget->width());
    if (right - left > width + 4) {
        const QRectF room((left + right - width) / 2, rect.top() + 1, width, rect.height() - 2);
        painter->fillRect(room, colour(Colour::Surface, m_widget));
        painter->setPen(colour(Colour::Muted, m_widget));
        painter->drawText(room, Qt::AlignCenter | Qt::TextDontClip, words);
    }
}

// The texts on and after the bar of a run: where it was, and how it ended.
QString TimelinePicture::paintRun(
    QPainter *painter, const TimelineBar &bar, const QRectF &rect, bool hasRoomForEnd, const QString &namedHost) const
{
    const TaskInfo &task = m_story.tries.at(bar.of);
    const StateShape shape = shapeOf(task.state);
    if (task.role == m_current.role && task.index == m_current.index && task.attempt == m_current.attempt
        && task.tries == m_current.number) {
        painter->setPen(QPen(colour(colourOf(shape), m_widget), 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(rect.adjusted(1, 1, -1, -1), 2, 2);
    }
    painter->setFont(fonts::tiny());
    const QString host = hostLabel(task.host, m_story.hostLabels);
    const double width = painter->fontMetrics().horizontalAdvance(host) + 6;
    const double left = std::max(rect.left(), double(m_labels));
    const bool isNamed = !host.isEmpty() && host != namedHost && rect.right() - left > width + 12;
    if (isNamed) {
        const QRectF words(left + 6, rect.top() + 1, width, rect.height() - 2);
        painter->fillRect(words, withAlpha(colour(Colour::Surface, m_widget), 0.85));
        painter->setPen(colour(Colour::Text, m_widget));
        painter->drawText(words, Qt::AlignCenter | Qt::TextDontClip, host);
    }
    if (!bar.isOpen && hasRoomForEnd) {
        paintState(painter, shape, QRectF(rect.right() + 4, rect.center().y() - stateMark / 2.0, stateMark, stateMark),
            m_widget->palette());
    }
    return isNamed ? host : namedHost;
}

void TimelinePicture::paint(QPainter *painter) const
{
    paintRuler(painter, paintGaps(painter));
    for (qsizetype row = m_firstRow; row < m_timeline.rows.size() && rowTop(row) < m_widget->height(); ++row) {
        paintRow(painter, row);
    }
    paintAttempts(painter);
}

} // namespace trainyard
