// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenu;
class QPoint;

namespace trainyard
{

class CurvePlot;

// The entries of a plot's context menu that change the range that is shown, with their keys. `at`: of the pointer, in
// the coordinates of the screen. The menu must not outlive the plot.
void addZoomEntries(QMenu *menu, CurvePlot *plot, const QPoint &at);

} // namespace trainyard
