// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/point.h"

#include <cstdint>

namespace trainyard::health
{

// One value of a metric with the time at which its line was written.
struct Sample {
    double value = 0; // may be NaN or infinite
    std::int64_t at = 0;
    std::optional<double> step; // what the curve is drawn over: a step, or else an epoch
    std::optional<double> epoch; // around a batch
    std::uint64_t line = 0;
    bool isBatch = false; // it counts inside an epoch
    bool isEpoch = false; // the step is one
};

inline Sample sampleOf(const metrics::Point &point, std::int64_t at)
{
    return {point.value, at, point.step ? point.step : point.epoch, point.epoch, point.line,
        point.axis == metrics::Axis::Batch, point.step ? point.axis == metrics::Axis::Epoch : point.epoch.has_value()};
}

} // namespace trainyard::health
