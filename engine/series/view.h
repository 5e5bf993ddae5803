// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/series.h"

#include <optional>
#include <span>
#include <vector>

namespace trainyard::series
{

// The part of a series that one column of pixels shows: exactly its points, however many there are.
struct Column {
    std::size_t from = 0, to = 0; // indexes in the series; none where they are the same
    double firstX = 0, lastX = 0;
    double first = 0, last = 0; // may be NaN or infinite
    Extent extent;

    std::size_t count() const { return to - from; }
};

struct View {
    std::vector<Column> columns; // one for each two neighbours of the edges, empty ones included
    std::optional<Point> before, after; // the points beside the range, to which the line continues
};

enum class Along : std::uint8_t { X, Time };

// The edges of `count` columns from `from` to `to`. For a logarithmic axis a caller makes its own.
std::vector<double> evenEdges(double from, double to, std::size_t count);

// Column i has the points with edges[i] <= x < edges[i + 1], and the last one those on its upper edge, too. The edges
// do not fall. Takes O(columns * log(points)).
View viewOf(const Series &series, std::span<const double> edges, Along along = Along::X);

// At most two points for each column, of which a line is drawn: the only points of a column where there are one or two,
// else its extremes, at the x of its first and its last point, in the order in which the line gets shorter. A column
// without any finite value is a point of NaN: the line is interrupted.
struct Vertex {
    double x = 0, y = 0;
};
std::vector<Vertex> lineOf(const View &view);

} // namespace trainyard::series
