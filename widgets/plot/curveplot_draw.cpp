// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/smoothing.h"
#include "engine/series/view.h"
#include "widgets/common/tokens.h"
#include "widgets/plot/axisticks.h"
#include "widgets/plot/curvepicture.h"
#include "widgets/plot/curveplot.h"
#include "widgets/plot/lineslices.h"
#include "widgets/plot/slicedgraph.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

// Hands the library what is in sight: at most two points for each column of pixels and line.

namespace trainyard
{
namespace
{

constexpr double rawOpacity = 0.3; // of the line that is smoothed
constexpr double lineWidth = 1.5, rawWidth = SlicedGraph::fastWidth; // pixels
constexpr double dashScale = 2; // so that noise leaves the gaps open
constexpr double discRadius = SlicedGraph::discRadius + 1.5; // pixels, with its edge
constexpr double gapMark = 7; // pixels, of the cross of a value that is not a number
constexpr double pictureLine = 1.5;

} // namespace

bool CurvePlot::isShownOn(double value, bool isLog) { return std::isfinite(value) && (!isLog || value > 0); }

// A line of a picture grows with it.
QPen CurvePlot::linePen(const QColor &colour, int look, double width) const
{
    QPen pen(colour, m_picture ? std::max(width, pictureLine) : width);
    pen.setCosmetic(!m_picture && width <= rawWidth); // the fast one, of a device pixel
    if (QList<qreal> dash = lookDash(look); !dash.isEmpty()) {
        for (qreal &part : dash) {
            part *= dashScale;
        }
        pen.setCapStyle(Qt::FlatCap); // others reach into the gaps
        pen.setDashPattern(dash);
    }
    return pen;
}

void CurvePlot::draw()
{
    m_isStale = m_plot->visibleRegion().isEmpty(); // it covers this one
    if (!m_isStale) {
        drawNow();
    }
}

void CurvePlot::drawNow()
{
    m_isStale = false;
    auto [from, to] = shownRange();
    if (!(to > from)) {
        from -= 0.5;
        to = from + 1;
    }
    m_plot->xAxis->setRange(from, to);
    if (m_look.along == CurveAlong::Time) {
        applyTicks(); // hours are shown if there are any
    } else {
        lookForParts();
    }
    const auto columns = static_cast<std::size_t>(
        m_picture ? m_picture->width() * CurvePicture::scale : std::max(16, m_plot->axisRect()->width()));
    const bool alongTime = m_look.along == CurveAlong::Time;
    series::Extent seen;
    const qsizetype count = m_lines.size();
    QList<QVector<double>> gaps(count);
    for (qsizetype i = 0; i < count; ++i) {
        const CurveLine &line = m_lines.at(i);
        const double start = double(line.start.value_or(m_look.start));
        const auto edgeOf = [&](double place) { return alongTime ? place * 1000 + start : place; };
        const auto placeAt = [&](double x) { return alongTime ? (x - start) / 1000 : x; };
        const std::vector<double> edges = series::evenEdges(edgeOf(from), edgeOf(to), columns);
        drawBand(i, edges, seen);
        QCPGraph *raw = m_graphs.at(i), *smooth = m_graphs.at(count + i);
        const QColor full = colour(lookColour(line.look), this);
        const bool smooths = m_look.smoothing > 0;
        QVector<double> xs, ys;
        series::View view;
        if (line.series && !line.series->isEmpty()) {
            view = series::viewOf(*line.series, edges, alongTime ? series::Along::Time : series::Along::X);
            const auto add = [&](const series::Point &point) {
                xs.append(placeOf(line, point, m_look));
                ys.append(isShownOn(point.value, m_look.isLog) ? point.value : qQNaN());
            };
            if (view.before) {
                add(*view.before);
            }
            for (const series::Vertex &vertex : series::lineOf(view)) {
                xs.append(placeAt(vertex.x));
                ys.append(isShownOn(vertex.y, m_look.isLog) ? vertex.y : qQNaN());
                if (isShownOn(vertex.y, m_look.isLog)) {
                    seen.add(vertex.y);
                }
            }
            if (view.after) {
                add(*view.after);
            }
            for (const series::Column &column : view.columns) {
                if (column.count() > 0 && column.extent.hasGap) {
                    gaps[i].append(placeAt(column.firstX));
                }
            }
        }
        raw->setPen(
            smooths ? linePen(withAlpha(full, rawOpacity), line.look, rawWidth) : linePen(full, line.look, lineWidth));
        raw->setData(xs, ys, true);
        QVector<double> smoothXs, smoothYs;
        if (smooths && line.series) {
            for (const series::Smoothed &each : series::smoothedView(*line.series, view, m_look.smoothing)) {
                smoothXs.append(placeAt(each.x));
                smoothYs.append(isShownOn(each.value, m_look.isLog) ? each.value : qQNaN());
            }
        }
        smooth->setPen(linePen(full, line.look, lineWidth));
        smooth->setData(smoothXs, smoothYs, true);
    }
    double low = seen.min, high = seen.max;
    if (!seen.hasFinite()) {
        low = m_look.isLog ? 0.1 : 0;
        high = 1;
    }
    // A disc at an end of the axis is not cut in half.
    const double margin = (to - from) * discRadius / std::max(16, m_plot->axisRect()->width());
    const bool hasDisc = std::any_of(
        m_graphs.cbegin(), m_graphs.cbegin() + count, [&, first = from, last = to](const QCPGraph *graph) {
            QList<QPointF> points;
            for (auto each = graph->data()->constBegin(); each != graph->data()->constEnd(); ++each) {
                points.append({each->key, each->value});
            }
            const QList<QPointF> lone = lonePoints(points);
            return std::any_of(lone.cbegin(), lone.cend(), [&](const QPointF &point) {
                return std::abs(point.x() - first) < margin || std::abs(point.x() - last) < margin;
            });
        });
    if (hasDisc) {
        m_plot->xAxis->setRange(from - margin, to + margin);
    }
    const auto [lower, upper] = valueRange(low, high, m_look.isLog);
    m_plot->yAxis->setRange(lower, upper);
    // Values that are not numbers have no height: their marks stand at the lower edge.
    const double bottom = m_plot->yAxis->range().lower
        + (m_look.isLog ? 0 : (m_plot->yAxis->range().upper - m_plot->yAxis->range().lower) * 0.03);
    const QCPRange shown = m_plot->xAxis->range();
    const double half = shown.size() * (gapMark / 2 + 1) / double(std::max(16, m_plot->axisRect()->width()));
    for (qsizetype i = 0; i < count; ++i) {
        QCPGraph *marks = m_graphs.at(2 * count + i);
        const QPen pen(colour(Colour::Failed, this), 1.5);
        marks->setLineStyle(QCPGraph::lsNone);
        marks->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCross, pen, Qt::NoBrush, gapMark));
        for (double &place : gaps[i]) { // whole also at an end of the axis
            place = std::clamp(place, shown.lower + half, shown.upper - half);
        }
        marks->setData(gaps.at(i), QVector<double>(gaps.at(i).size(), bottom), true);
    }
    drawMarks();
    describe();
    showMoment();
    showChosen();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

// Between its edges, in the colour of the line.
void CurvePlot::drawBand(qsizetype index, const std::vector<double> &edges, series::Extent &seen)
{
    if (m_bands.isEmpty()) {
        return;
    }
    const CurveLine &line = m_lines.at(index);
    const bool alongTime = m_look.along == CurveAlong::Time;
    const double start = double(line.start.value_or(m_look.start));
    QCPGraph *const graphs[] = {m_bands.at(2 * index), m_bands.at(2 * index + 1)};
    const series::Series *const both[] = {line.low, line.high};
    for (int side = 0; side < 2; ++side) {
        QVector<double> xs, ys;
        if (line.low && line.high) {
            const series::View view
                = series::viewOf(*both[side], edges, alongTime ? series::Along::Time : series::Along::X);
            // The outermost value of each column: an edge that went up and down within one would leave the band pale.
            for (const series::Column &column : view.columns) {
                if (column.count() == 0) {
                    continue;
                }
                const double y = side == 0 ? column.extent.min : column.extent.max;
                const bool isShown = column.extent.hasFinite() && isShownOn(y, m_look.isLog);
                for (const double x : {column.firstX, column.lastX}) {
                    xs.append(alongTime ? (x - start) / 1000 : x);
                    ys.append(isShown ? y : qQNaN());
                }
                if (isShown) {
                    seen.add(y);
                }
            }
        }
        graphs[side]->setData(xs, ys, true);
    }
    constexpr double spreadOpacity = 0.16;
    graphs[1]->setBrush(withAlpha(colour(lookColour(line.look), this), spreadOpacity));
    graphs[1]->setChannelFillGraph(graphs[0]);
}

} // namespace trainyard
