// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/curveplot.h"
#include "widgets/plot/curvesview.h"

#include <algorithm>

// The plots of curves, for the tests of what is done with them.
namespace plottests
{

using namespace trainyard;

// Its axis has the range that is to be shown, by which pixels are told.
inline bool isDrawn(const CurvePlot &plot)
{
    const CurvePlot::Range range = plot.shownRange();
    const int wide = plot.pixelOf(range.second, 1).x() - plot.pixelOf(range.first, 1).x();
    return wide > plot.width() / 2 && wide <= plot.width();
}

inline CurvePlot *plotNamed(const CurvesView &view, const QString &title)
{
    const QList<CurvePlot *> plots = view.plots();
    const auto found = std::find_if(
        plots.cbegin(), plots.cend(), [&title](const CurvePlot *plot) { return plot->title() == title; });
    return found == plots.cend() ? nullptr : *found;
}

} // namespace plottests
