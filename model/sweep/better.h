// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

// Derives the meaning of a metric's values from its name. Pure; for any thread.
namespace trainyard
{

enum class Better { Lower, Higher };

// Lower for losses, errors, distances, times and similar measures, higher for all others: measures that should be small
// have one of a few names, and those that should be large can have any name.
Better betterByName(const QString &metric);

// How informative the metric is about a model. Smaller is more informative: 0 for a quality of data that the model has
// not seen, 1 for a loss of such data, 2 and 3 for the same on other data, 4 for anything else.
int tellingRank(const QString &metric);

} // namespace trainyard
