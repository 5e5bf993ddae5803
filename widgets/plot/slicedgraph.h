// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace trainyard
{

// A line wider than a pixel in pieces, with dashes that go on from one to the next. A value that no line goes through
// is a disc.
class SlicedGraph final : public QCPGraph
{
public:
    explicit SlicedGraph(QCustomPlot *plot) : QCPGraph(plot->xAxis, plot->yAxis) { }
    static constexpr double fastWidth = 1; // pixels: a line of this width, or less, needs no pieces
    static constexpr double discRadius = 2.5; // pixels, without its edge

protected:
    void drawLinePlot(QCPPainter *painter, const QVector<QPointF> &lines) const override;
};

} // namespace trainyard
