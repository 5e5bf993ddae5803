// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/timelinepaint.h"

#include <QPainter>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr double barRadius = 2.5;
constexpr double narrowest = 1.5; // a bar of no length is seen, too
constexpr double groundAlpha = 0.16, hatchAlpha = 0.62, pausedAlpha = 0.8;
constexpr int swatchWidth = 18, swatchHeight = 8, swatchGap = 5, entryGap = 14;

Qt::BrushStyle hatchOf(StateShape shape)
{
    switch (shape) {
    case StateShape::Failed:
        return Qt::BDiagPattern;
    case StateShape::Stopped:
    case StateShape::Stopping:
        return Qt::FDiagPattern;
    case StateShape::Lost:
        return Qt::VerPattern;
    default:
        return Qt::NoBrush;
    }
}

struct LegendEntry {
    TimelineBar::Kind kind;
    StateShape shape;
    QString text;
};
QList<LegendEntry> legendEntries()
{
    using Kind = TimelineBar::Kind;
    return {{Kind::Waits, StateShape::Waiting, TimelineLegend::tr("waits")},
        {Kind::Prepares, StateShape::Running, TimelineLegend::tr("prepares")},
        {Kind::Runs, StateShape::Running, TimelineLegend::tr("runs")},
        {Kind::Paused, StateShape::Paused, TimelineLegend::tr("paused")},
        {Kind::Runs, StateShape::Succeeded, TimelineLegend::tr("succeeded")},
        {Kind::Runs, StateShape::Stopped, TimelineLegend::tr("stopped")},
        {Kind::Runs, StateShape::Failed, TimelineLegend::tr("failed")},
        {Kind::Runs, StateShape::Lost, TimelineLegend::tr("lost")}};
}

} // namespace

void paintTimelineBar(
    QPainter *painter, const QRectF &rect, TimelineBar::Kind kind, StateShape shape, const QPalette &palette)
{
    QRectF bar = rect;
    bar.setWidth(std::max(narrowest, bar.width()));
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (kind == TimelineBar::Kind::Waits) {
        bar.adjust(0, bar.height() / 4, 0, -bar.height() / 4);
        QPen pen(colour(Colour::Waiting, palette), 1);
        pen.setDashPattern({3, 2});
        painter->setPen(pen);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
        painter->restore();
        return;
    }
    if (kind == TimelineBar::Kind::Paused) { // pale, and the hatch is crossed: nothing happens below it
        const QRectF over = bar.adjusted(0.5, 0.5, -0.5, -0.5);
        painter->setPen(QPen(colour(Colour::Muted, palette), 1));
        painter->setBrush(withAlpha(colour(Colour::Surface, palette), pausedAlpha));
        painter->drawRect(over);
        painter->setBrush(
            QBrush(withAlpha(colour(Colour::Muted, palette), groundAlpha + groundAlpha), Qt::DiagCrossPattern));
        painter->drawRect(over);
        painter->restore();
        return;
    }
    const QColor ink = colour(kind == TimelineBar::Kind::Prepares ? Colour::Running : colourOf(shape), palette);
    const QRectF inner = bar.adjusted(0.5, 0.5, -0.5, -0.5);
    painter->setPen(Qt::NoPen);
    painter->setBrush(withAlpha(ink, groundAlpha));
    painter->drawRoundedRect(inner, barRadius, barRadius);
    const Qt::BrushStyle hatch = kind == TimelineBar::Kind::Prepares ? Qt::HorPattern : hatchOf(shape);
    if (hatch != Qt::NoBrush) {
        painter->setBrush(QBrush(withAlpha(ink, hatchAlpha), hatch));
        painter->drawRoundedRect(inner, barRadius, barRadius);
    }
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(ink, 1));
    painter->drawRoundedRect(inner, barRadius, barRadius);
    painter->restore();
}

TimelineLegend::TimelineLegend(QWidget *parent) : QWidget(parent)
{
    setFont(fonts::small());
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    QStringList words;
    const QList<LegendEntry> entries = legendEntries();
    for (const LegendEntry &entry : entries) {
        words.append(entry.text);
    }
    setAccessibleName(tr("Bars: %1").arg(words.join(QStringLiteral(", "))));
}

QSize TimelineLegend::sizeHint() const
{
    int width = 0;
    const QList<LegendEntry> entries = legendEntries();
    for (const LegendEntry &entry : entries) {
        width += swatchWidth + swatchGap + fontMetrics().horizontalAdvance(entry.text) + entryGap;
    }
    return {width, fontMetrics().height() + 2};
}

// From the right: where there is little room, what everybody knows by its colour goes first.
void TimelineLegend::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QList<LegendEntry> entries = legendEntries();
    int right = width();
    for (auto entry = entries.crbegin(); entry != entries.crend(); ++entry) {
        const int text = fontMetrics().horizontalAdvance(entry->text);
        const int left = right - text - swatchGap - swatchWidth;
        if (left < 0) {
            return;
        }
        paintTimelineBar(&painter, QRectF(left, (height() - swatchHeight) / 2.0, swatchWidth, swatchHeight),
            entry->kind, entry->shape, palette());
        painter.setPen(colour(Colour::Muted, this));
        painter.drawText(QRect(right - text, 0, text + 2, height()), Qt::AlignVCenter | Qt::AlignLeft, entry->text);
        right = left - entryGap;
    }
}

} // namespace trainyard
