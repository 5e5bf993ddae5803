// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/series.h"

#include <QList>

#include <optional>

namespace trainyard::stepclock
{

// The times of a training's progress along one axis of steps or epochs, from all series: a series with few points says
// little about the time between them.
using Series = QList<const series::Series *>;

// Between the nearest points on both sides; before all of them the first one, and behind them the last one.
std::optional<qint64> timeAt(const Series &told, double place);
// The position of the last point at that time; before all of them, the first one.
std::optional<double> placeAt(const Series &told, qint64 time);

} // namespace trainyard::stepclock
