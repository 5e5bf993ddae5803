// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QList>
#include <QRectF>

class QPainter;
class QPalette;

namespace trainyard
{

// A pattern of dashes and gaps, which takes turns: stretched or pressed a little, so that a line of this length ends
// with a whole dash. What is left of one that is cut off looks like something else. Lengths are in pixels.
QList<qreal> fittedDash(QList<qreal> dash, qreal length);

// How the line of a run or task looks in the plots, as a short piece of it; and the colour alone.
void paintLineSample(QPainter *painter, const QRectF &rect, int look, const QPalette &palette);
QColor lookColour(int look, const QPalette &palette); // below 0: of runs that are not drawn

} // namespace trainyard
