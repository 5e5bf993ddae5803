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

TimelineLegend::TimelineLegend(Form form, QWidget *parent) : QWidget(parent), m_form(form)
{
    setFont(fonts::small());
    QSizePolicy policy(form == Form::Line ? QSizePolicy::Maximum : QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(form == Form::Wrapped);
    setSizePolicy(policy);
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
    return {width, lineHeight()};
}

void TimelineLegend::setOccurring(const QList<Look> &looks)
{
    if (m_occurring != looks) {
        m_occurring = looks;
        updateGeometry();
        update();
    }
}

bool TimelineLegend::occurs(qsizetype place) const
{
    const LegendEntry entry = legendEntries().at(place);
    return std::any_of(m_occurring.cbegin(), m_occurring.cend(), [&entry](const Look &look) {
        return look.first == entry.kind && (entry.kind != TimelineBar::Kind::Runs || look.second == entry.shape);
    });
}

QList<qsizetype> TimelineLegend::occurring() const
{
    QList<qsizetype> places;
    for (qsizetype i = 0; i < legendEntries().size(); ++i) {
        if (occurs(i)) {
            places.append(i);
        }
    }
    return places;
}

// Among those that do not occur, what everybody knows by its colour goes last.
QList<qsizetype> TimelineLegend::fitting(int width) const
{
    const QList<LegendEntry> entries = legendEntries();
    QList<qsizetype> order, fit;
    for (const bool wanted : {true, false}) {
        for (qsizetype i = entries.size() - 1; i >= 0; --i) {
            if (occurs(i) == wanted) {
                order.append(i);
            }
        }
    }
    int room = width;
    for (const qsizetype i : std::as_const(order)) {
        const int needed = swatchWidth + swatchGap + fontMetrics().horizontalAdvance(entries.at(i).text);
        if (needed > room) {
            break;
        }
        fit.append(i);
        room -= needed + entryGap;
    }
    std::sort(fit.begin(), fit.end());
    return fit;
}

QList<QPoint> TimelineLegend::wrapped(int width) const
{
    const QList<LegendEntry> entries = legendEntries();
    const QList<qsizetype> places = occurring();
    QList<QPoint> points;
    QPoint at;
    for (const qsizetype i : places) {
        const int needed = swatchWidth + swatchGap + fontMetrics().horizontalAdvance(entries.at(i).text);
        if (at.x() > 0 && at.x() + needed > width) {
            at = {0, at.y() + lineHeight()};
        }
        points.append(at);
        at.rx() += needed + entryGap;
    }
    return points;
}

QStringList TimelineLegend::shown(int width) const
{
    const QList<LegendEntry> entries = legendEntries();
    QStringList texts;
    const QList<qsizetype> places = m_form == Form::Line ? fitting(width) : occurring();
    for (const qsizetype i : places) {
        texts.append(entries.at(i).text);
    }
    return texts;
}

bool TimelineLegend::tellsAllThatOccur(int width) const
{
    const QList<qsizetype> fit = m_form == Form::Line ? fitting(width) : occurring();
    const QList<qsizetype> all = occurring();
    return std::all_of(all.cbegin(), all.cend(), [&fit](qsizetype place) { return fit.contains(place); });
}

int TimelineLegend::heightForWidth(int width) const
{
    const QList<QPoint> points = m_form == Form::Line ? QList<QPoint>() : wrapped(width);
    return lineHeight() + (points.isEmpty() ? 0 : points.constLast().y());
}

void TimelineLegend::paintEntry(QPainter *painter, qsizetype place, int x, int y) const
{
    const LegendEntry entry = legendEntries().at(place);
    paintTimelineBar(painter, QRectF(x, y + (lineHeight() - swatchHeight) / 2.0, swatchWidth, swatchHeight), entry.kind,
        entry.shape, palette());
    painter->setPen(colour(Colour::Muted, this));
    const int text = fontMetrics().horizontalAdvance(entry.text);
    painter->drawText(
        QRect(x + swatchWidth + swatchGap, y, text + 2, lineHeight()), Qt::AlignVCenter | Qt::AlignLeft, entry.text);
}

void TimelineLegend::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    if (m_form == Form::Wrapped) {
        const QList<qsizetype> places = occurring();
        const QList<QPoint> points = wrapped(width());
        for (qsizetype i = 0; i < places.size(); ++i) {
            paintEntry(&painter, places.at(i), points.at(i).x(), points.at(i).y());
        }
        return;
    }
    const QList<LegendEntry> entries = legendEntries();
    const QList<qsizetype> fit = fitting(width());
    int right = width();
    for (auto place = fit.crbegin(); place != fit.crend(); ++place) {
        const int left = right - fontMetrics().horizontalAdvance(entries.at(*place).text) - swatchGap - swatchWidth;
        paintEntry(&painter, *place, left, (height() - lineHeight()) / 2);
        right = left - entryGap;
    }
}

} // namespace trainyard
