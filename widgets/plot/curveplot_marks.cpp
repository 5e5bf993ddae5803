// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/view.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/plot/curveplot.h"
#include "widgets/plot/trybegins.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

// The marks in a plot: positions, the pointer, a moment, and their points.
namespace trainyard
{
namespace
{
constexpr int markSize = 8;

// Over the whole height, from one place along the axis to another.
void placeBand(QCPItemRect *band, double from, double to)
{
    for (QCPItemPosition *corner : {band->topLeft, band->bottomRight}) {
        corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    band->topLeft->setCoords(from, 0);
    band->bottomRight->setCoords(to, 1);
}
} // namespace

void CurvePlot::setMarks(const QList<CurveMark> &marks)
{
    if (marks != m_marks) {
        m_marks = marks;
        draw();
    }
}

double CurvePlot::placeOfMark(const CurveMark &mark) const
{
    if (m_look.along == CurveAlong::Step) {
        return mark.step.value_or(qQNaN());
    }
    return placeOfTime(mark.time).value_or(qQNaN());
}

QList<QPair<double, QString>> CurvePlot::placesOfTries() const
{
    QList<QPair<double, QString>> places;
    for (const CurveLine &line : m_lines) {
        const QList<CurveMark> marks = tryMarks(line, m_lines.size() > 1);
        for (const CurveMark &mark : marks) {
            if (const std::optional<double> place = placeOfTry(line, mark.time, m_look)) {
                places.append({*place, mark.text});
            }
        }
    }
    return places;
}

// At the upper edge, where no line hides them. That a try began is nothing to worry about: its mark is pale and empty.
void CurvePlot::drawMarks()
{
    if (!m_marksGraph) {
        return;
    }
    const QCPRange values = m_plot->yAxis->range();
    const double top = m_look.isLog ? values.upper / std::pow(values.upper / values.lower, 0.04)
                                    : values.upper - values.size() * 0.04;
    QVector<double> xs;
    for (const CurveMark &mark : std::as_const(m_marks)) {
        if (const double place = placeOfMark(mark); std::isfinite(place)) {
            xs.append(place);
        }
    }
    const QColor ink = colour(Colour::Waiting, this);
    m_marksGraph->setLineStyle(QCPGraph::lsNone);
    m_marksGraph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssTriangleInverted, QPen(ink, 1), ink, markSize));
    m_marksGraph->setData(xs, QVector<double>(xs.size(), top));
    xs.clear();
    for (const auto &[place, text] : placesOfTries()) {
        xs.append(place);
    }
    const QPen pale(colour(Colour::Muted, this), 1);
    m_triesGraph->setLineStyle(QCPGraph::lsNone);
    m_triesGraph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssTriangleInverted, pale, Qt::NoBrush, markSize));
    m_triesGraph->setData(xs, QVector<double>(xs.size(), top));
}

QString CurvePlot::markAt(const QPoint &at) const
{
    QStringList texts;
    const QRect inside = m_plot->axisRect()->rect();
    const auto isAt = [&](double place) {
        return std::isfinite(place) && at.y() < inside.top() + 3 * markSize
            && std::abs(m_plot->xAxis->coordToPixel(place) - at.x()) <= markSize;
    };
    for (const CurveMark &mark : m_marks) {
        if (isAt(placeOfMark(mark))) {
            texts.append(mark.text);
        }
    }
    for (const auto &[place, text] : placesOfTries()) {
        if (isAt(place)) {
            texts.append(text);
        }
    }
    return texts.join(QLatin1Char('\n'));
}

void CurvePlot::setCursor(std::optional<double> at)
{
    m_cursorLine->setVisible(at.has_value());
    if (!at) {
        m_keyPlace.reset();
    }
    if (at) {
        m_cursorLine->point1->setCoords(*at, 0);
        m_cursorLine->point2->setCoords(*at, 1);
        m_cursorLine->point1->setTypeY(QCPItemPosition::ptAxisRectRatio);
        m_cursorLine->point2->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    m_plot->layer(QStringLiteral("cursor"))->replot();
}

void CurvePlot::setMoment(std::optional<qint64> time)
{
    m_moment = time;
    showMoment();
    m_plot->layer(QStringLiteral("cursor"))->replot();
}

void CurvePlot::showMoment()
{
    const std::optional<double> place = m_moment ? placeOfTime(*m_moment) : std::nullopt;
    m_momentLine->setVisible(place.has_value());
    if (place) {
        m_momentLine->point1->setTypeY(QCPItemPosition::ptAxisRectRatio);
        m_momentLine->point2->setTypeY(QCPItemPosition::ptAxisRectRatio);
        m_momentLine->point1->setCoords(*place, 0);
        m_momentLine->point2->setCoords(*place, 1);
    }
}

// On the axis of steps or epochs, what the clock says, or the time of the point that is nearest.
std::optional<qint64> CurvePlot::timeAt(double place) const
{
    if (m_look.along == CurveAlong::Time) {
        return m_look.start + qRound64(place * 1000);
    }
    if (const auto time = stepclock::timeAt(m_clock ? m_clock() : stepclock::Series(), place)) {
        return time;
    }
    for (const CurveLine &line : m_lines) {
        if (const auto point = line.series ? line.series->nearest(place) : std::nullopt) {
            return point->time;
        }
    }
    return std::nullopt;
}

// On the axis of steps or epochs, what the clock says, or the last point that was written by then.
std::optional<double> CurvePlot::placeOfTime(qint64 time) const
{
    if (m_look.along == CurveAlong::Time) {
        return double(time - m_look.start) / 1000;
    }
    if (const auto place = stepclock::placeAt(m_clock ? m_clock() : stepclock::Series(), time)) {
        return place;
    }
    for (const CurveLine &line : m_lines) {
        if (line.series && !line.series->isEmpty()) {
            return stepclock::placeAt({line.series}, time);
        }
    }
    return std::nullopt;
}

void CurvePlot::setChosen(const std::optional<Times> &times, const std::optional<Range> &places)
{
    m_times = times;
    m_chosen = places;
    showChosen();
    m_plot->layer(QStringLiteral("cursor"))->replot();
}

std::optional<CurvePlot::Range> CurvePlot::chosenRange() const
{
    if (m_chosen || !m_times) {
        return m_chosen;
    }
    const auto from = placeOfTime(m_times->first), to = placeOfTime(m_times->second);
    return from && to ? std::optional(Range{std::min(*from, *to), std::max(*from, *to)}) : std::nullopt;
}

void CurvePlot::showChosen()
{
    const std::optional<Range> range = chosenRange();
    m_chosenBand->setVisible(range.has_value());
    if (range) {
        placeBand(m_chosenBand, range->first, range->second);
    }
}

void CurvePlot::showBand(std::optional<int> to)
{
    m_band->setVisible(to && m_pressed);
    if (to && m_pressed) {
        const auto [left, right] = std::minmax({m_pressed->x(), *to}); // of a list, as of two it has references
        placeBand(m_band, m_plot->xAxis->pixelToCoord(left), m_plot->xAxis->pixelToCoord(right));
    }
    m_plot->layer(QStringLiteral("cursor"))->replot();
}

QList<QPair<CurveLine, series::Point>> CurvePlot::pointsAt(double place) const
{
    QList<QPair<CurveLine, series::Point>> points;
    for (const CurveLine &line : m_lines) {
        if (!line.series || line.series->isEmpty()) {
            continue;
        }
        if (m_look.along != CurveAlong::Time) {
            if (const auto point = line.series->nearest(place)) {
                points.append({line, *point});
            }
            continue;
        }
        const series::RisingColumn &times = line.series->risingTimes();
        const double time = place * 1000 + double(line.start.value_or(m_look.start));
        std::size_t i = times.lowerBound(time);
        if (i == times.size() || (i > 0 && time - times[i - 1] <= times[i] - time)) {
            --i;
        }
        points.append({line, line.series->at(i)});
    }
    return points;
}

QPoint CurvePlot::pixelOf(double place, double value) const
{
    const QRect inside = m_plot->axisRect()->rect();
    const double y = isShownOn(value, m_look.isLog) ? m_plot->yAxis->coordToPixel(value) : inside.center().y();
    return QPoint(qRound(m_plot->xAxis->coordToPixel(place)), qRound(y));
}

QList<QPoint> CurvePlot::drawnPoints() const
{
    constexpr double every = 8; // pixels, so that long straight pieces count too
    QList<QPoint> points;
    for (const QCPGraph *graph : m_graphs) {
        std::optional<QPointF> before;
        for (const QCPGraphData &each : *graph->data()) {
            if (!std::isfinite(each.value)) {
                before.reset();
                continue;
            }
            const QPointF now(m_plot->xAxis->coordToPixel(each.key), m_plot->yAxis->coordToPixel(each.value));
            const QPointF from = before.value_or(now), way = now - from;
            const int pieces = std::clamp(int(std::hypot(way.x(), way.y()) / every), 1, 200);
            for (int i = 1; i <= pieces; ++i) {
                points.append((from + way * i / pieces).toPoint());
            }
            before = now;
        }
    }
    return points;
}

} // namespace trainyard
