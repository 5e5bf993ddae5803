// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/judgement.h"

namespace trainyard::metrics
{

// Whether a value under the name of a metric is of something else, where no step stands on its line: what results are
// compared with, the figures of a device or of data, a header of a mail, or a setting.
bool isOfSomethingElse(const Record &record, const Pair &pair, const Place &place, const Surroundings &around);

// "val score", "mean absolute error": whether a name has nothing beside a metric but what it is of and how it is taken.
// "spam score" has.
bool namesOnlyMetric(std::string_view name);

// Settings are round: 0.5, 1e-4. A value such as 5.325431 was measured.
bool wasMeasured(const Pair &pair);

} // namespace trainyard::metrics
