// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/lineslices.h"

#include <algorithm>
#include <cmath>

namespace trainyard
{
namespace
{
constexpr qsizetype mostPoints = 16;
constexpr double mostStretch = 100;

double pixelsBetween(const QPointF &from, const QPointF &to)
{
    return std::hypot(to.x() - from.x(), to.y() - from.y());
}

bool isOnPlot(const QPointF &point) { return std::isfinite(point.x()) && std::isfinite(point.y()); }
} // namespace

QList<LineSlice> lineSlices(const QList<QPointF> &points)
{
    QList<LineSlice> slices;
    double along = 0;
    for (qsizetype first = 0; first < points.size();) {
        if (!isOnPlot(points.at(first))) {
            ++first;
            continue;
        }
        double way = 0;
        qsizetype last = first;
        while (last + 1 < points.size() && last + 1 - first < mostPoints && isOnPlot(points.at(last + 1))) {
            way += pixelsBetween(points.at(last), points.at(last + 1));
            ++last;
        }
        if (last == first) { // the last one, or one between gaps
            ++first;
            continue;
        }
        const double got = pixelsBetween(points.at(first), points.at(last));
        const double stretch = got > 0 ? std::clamp(way / got, 1.0, mostStretch) : 1;
        slices.append({first, last - first + 1, stretch, along});
        along += got;
        first = last;
    }
    return slices;
}

QList<QPointF> lonePoints(const QList<QPointF> &points)
{
    const auto isOn = [&points](qsizetype i) { return i >= 0 && i < points.size() && isOnPlot(points.at(i)); };
    QList<QPointF> lone;
    for (qsizetype i = 0; i < points.size(); ++i) {
        if (isOn(i) && !isOn(i - 1) && !isOn(i + 1)) {
            lone.append(points.at(i));
        }
    }
    return lone;
}

} // namespace trainyard
