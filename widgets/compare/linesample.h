// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

class QPainter;
class QPalette;

namespace trainyard
{

// How a run's line looks in the plots, as a short piece of it; and the colour alone.
void paintLineSample(QPainter *painter, const QRectF &rect, int look, const QPalette &palette);
QColor lookColour(int look, const QPalette &palette); // below 0: of runs that are not drawn

} // namespace trainyard
