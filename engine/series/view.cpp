// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/view.h"

#include <cmath>

namespace trainyard::series
{

std::vector<double> evenEdges(double from, double to, std::size_t count)
{
    std::vector<double> edges;
    edges.reserve(count + 1);
    for (std::size_t i = 0; i < count; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(count);
        edges.push_back(from * (1 - share) + to * share); // of which neither product overflows
    }
    edges.push_back(to);
    for (std::size_t i = 1; i < edges.size(); ++i) {
        edges[i] = std::max(edges[i - 1], edges[i]); // rounding
    }
    return edges;
}

View viewOf(const Series &series, std::span<const double> edges, Along along)
{
    View view;
    if (edges.size() < 2) {
        return view;
    }
    const RisingColumn &xs = along == Along::X ? series.xs() : series.risingTimes();
    view.columns.reserve(edges.size() - 1);
    std::size_t from = xs.lowerBound(edges.front());
    if (from > 0) {
        view.before = series.at(from - 1);
    }
    for (std::size_t i = 1; i < edges.size(); ++i) {
        const bool isLast = i + 1 == edges.size();
        const std::size_t to = isLast ? xs.upperBound(edges[i], from) : xs.lowerBound(edges[i], from);
        Column column;
        column.from = from;
        column.to = to;
        if (from < to) {
            column.firstX = xs[from];
            column.lastX = xs[to - 1];
            column.first = series.values()[from];
            column.last = series.values()[to - 1];
            column.extent = series.values().extent(from, to);
        }
        view.columns.push_back(column);
        from = to;
    }
    if (from < series.size()) {
        view.after = series.at(from);
    }
    return view;
}

std::vector<Vertex> lineOf(const View &view)
{
    std::vector<Vertex> line;
    line.reserve(view.columns.size() * 2);
    for (const Column &column : view.columns) {
        if (column.count() == 0) {
            continue;
        }
        const Extent &extent = column.extent;
        if (column.count() <= 2) {
            line.push_back({column.firstX, column.first});
            if (column.count() == 2) {
                line.push_back({column.lastX, column.last});
            }
        } else if (!extent.hasFinite()) {
            line.push_back({column.firstX, std::nan("")});
        } else {
            const bool isUpwards = std::isfinite(column.first)
                ? column.first - extent.min <= extent.max - column.first
                : !(std::isfinite(column.last) && column.last - extent.min < extent.max - column.last);
            line.push_back({column.firstX, isUpwards ? extent.min : extent.max});
            line.push_back({column.lastX, isUpwards ? extent.max : extent.min});
        }
    }
    return line;
}

} // namespace trainyard::series
