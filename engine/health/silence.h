// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/health/finding.h"

namespace trainyard::health
{

// How an output came so far.
struct Rhythm {
    std::int64_t last = 0; // when the newest of it was written; 0: nothing was
    std::int64_t longestGapMs = 0;
    int gaps = 0; // of a second and more
    int tellings = 0; // how many times it printed values of metrics
};

// The task has printed nothing for the time that the settings allow, and for several times as long as ever before.
// `alive` is the newest time at which the task was seen at work: without it, a silent program looks like a host that is
// away.
std::optional<Finding> silence(const Rhythm &rhythm, std::int64_t now, std::int64_t alive, std::int64_t allowedMs);

} // namespace trainyard::health
