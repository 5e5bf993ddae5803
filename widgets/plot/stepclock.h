// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/series.h"

#include <QList>

#include <optional>

namespace trainyard::stepclock
{

// When a training was where, by all series that tell of it, along one axis of steps or epochs: one that is told rarely
// says little of the time between its points.
using Series = QList<const series::Series *>;

// Between the nearest points on both sides; before all of them the first one, and behind them the last one.
std::optional<qint64> timeAt(const Series &told, double place);
// Where the point stands that was told last by then; before all of them, the first one.
std::optional<double> placeAt(const Series &told, qint64 time);

} // namespace trainyard::stepclock
