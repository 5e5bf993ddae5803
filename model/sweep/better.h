// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

// What the name of a metric says about its values. Pure; for any thread.
namespace trainyard
{

enum class Better { Lower, Higher };

// Lower for a loss, an error, a distance, a time and the like. Higher for anything else: what is measured to be small
// has one of few names, what is measured to be great has any.
Better betterByName(const QString &metric);

// How much the metric tells about a model. Smaller tells more: 0 for a quality of data that the model has not seen, 1
// for a loss of such data, 2 and 3 for the same of other data, 4 for anything else.
int tellingRank(const QString &metric);

} // namespace trainyard
