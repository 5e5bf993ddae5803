// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

#include <utility>

// The ticks of the axes of plots, so that each label says exactly where its tick is. Pure.
namespace trainyard
{

enum class AxisNumbers {
    Any,
    Whole, // steps: there is nothing between them
    WholeFromAfar, // epochs: parts of one show only when no more than two are in sight
    Log // of values above zero
};

// Rising, all within the range; about `count` of them, fewer or more where round numbers want it. Over decades these
// are powers of ten, over less than that 1, 2 and 5 of each, and over a part of one they are evenly spaced.
QList<double> axisTicks(double low, double high, int count, AxisNumbers numbers);

// The fewest digits that show the position of the tick, whose next neighbour is `step` away.
QString axisLabel(double tick, double step);

// The range of an axis on which these values are the extremes: with a margin, and around a constant, which has no
// extent of its own, ten per cent of it, or one where it is zero.
std::pair<double, double> valueRange(double low, double high, bool isLog);

} // namespace trainyard
