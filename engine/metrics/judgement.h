// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/place.h"

#include <cstdint>

namespace trainyard::metrics
{

// What stands around a line.
struct Surroundings {
    std::uint64_t line = 0;
    std::uint64_t stepLine = 0; // that has named a step last
    bool isBelowHeader = false; // that line had a step and nothing else
    int settings = 0; // lines with settings right above, one after the other
    std::uint64_t metricLine = 0; // the last one below each other that each had one certain metric and no step
};

// Whether a value is a metric. `hasMetric` says that another one of the line certainly is, and `isKnown` that the name
// was taken before.
bool isMetric(const Record &record, const Pair &pair, const Place &place, const Surroundings &around, bool hasMetric,
    bool isKnown);

// Whether nothing on the line counts: it is about one class of many, about the best so far, or a list of settings.
bool isOfNoSeries(const Record &record, const Place &own, const Place &place, const Surroundings &around);

// "    rpn_cls: 0.5123, rpn_box: 0.0312" right below the line of their step, and further in: whether it goes on there.
inline constexpr std::uint64_t linesBelowStep = 3;
bool goesOnBelowStep(const Record &record, const Place &place, const Surroundings &around);

// Whether a value is a reward: short names of steps beside it are episodes.
bool isReward(std::string_view name);

} // namespace trainyard::metrics
