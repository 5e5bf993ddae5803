// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/health/finding.h"

#include <vector>

namespace trainyard::health
{

// Memory that grows as steadily as a line, for long. What a program takes at its beginning, and growth that becomes
// slower, does not count.
class MemoryGrowth
{
public:
    void add(std::int64_t at, double mebibytes);

    struct Creep {
        double nowMiB = 0, perHourMiB = 0;
        std::int64_t since = 0, fullAt = 0; // when the limit is reached
    };
    // Returns nothing if it does not grow, or if the limit is more than a day away.
    std::optional<Creep> creep(double limitMiB) const;

private:
    struct Mean {
        std::int64_t at = 0;
        double mebibytes = 0;
        int count = 0;
    };
    std::vector<Mean> m_means; // of the whole run, at most so many
    int m_size = 1; // values of a mean
};

} // namespace trainyard::health
