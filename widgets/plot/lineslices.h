// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPointF>

namespace trainyard
{

// A piece of a line that is drawn separately. The time for a wide line that is drawn in one piece grows with the square
// of its self-intersections, which a noisy curve has in every column of pixels.
struct LineSlice {
    qsizetype first = 0, count = 0; // points; a piece begins where the one before it ends
    // How many pixels the line goes here for each pixel that it gets on: noise makes dashes no shorter.
    double stretch = 1;
    double along = 0; // how far the line had got where it begins, pixels
};
// Where a point is not a number, the line has a gap.
QList<LineSlice> lineSlices(const QList<QPointF> &points);
// The points with a gap, or nothing, on both sides: no line goes through them.
QList<QPointF> lonePoints(const QList<QPointF> &points);

} // namespace trainyard
