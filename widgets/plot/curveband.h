// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/series.h"

namespace trainyard
{

// Several series as one: at each place the mean, the lowest and the highest of those that reach there. Between two
// points of a series a straight line is taken; beyond its ends it takes no part.
struct CurveBand {
    series::Series mean{series::StepBack::Mixed}, low{series::StepBack::Mixed}, high{series::StepBack::Mixed};
};

struct BandMember {
    const series::Series *series = nullptr;
    std::int64_t start = 0; // ms UTC, where its time begins
};

// Along the steps, or along the time since each start; the times of the band then begin at 0. The places are those of
// the member with the most points, at most `most` of them.
CurveBand bandOf(const std::vector<BandMember> &members, bool alongTime, std::size_t most = 2000);

} // namespace trainyard
