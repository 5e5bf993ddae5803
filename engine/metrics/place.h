// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/point.h"
#include "engine/metrics/record.h"

namespace trainyard::metrics
{

// Where a value belongs on the axis that the output counts.
struct Place {
    Axis axis = Axis::None;
    std::optional<double> step, epoch;
    std::optional<double> inner; // the batch that the output has named last, where the value is taken for the epoch's
    std::optional<double> total = {}; // how far a bar counts that has named the batch
    bool isOwn = false; // named on the same line
    bool isBare = false; // by a number alone
    friend bool operator==(const Place &, const Place &) = default;
};

} // namespace trainyard::metrics
