// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

namespace trainyard::agent
{

// The peak memory of a task. What the kernel tells of its first process includes what the process had before it became
// the task's shell: the memory of the keeper, which is a copy of its agent's, and that may have just copied a lot.
struct PeakMemory {
    std::int64_t inheritedKiB = 0; // the keeper's peak when the first process began
    std::int64_t firstKiB = 0; // of the first process and those that it waited for
    std::int64_t othersKiB = 0; // of the largest other process
    std::int64_t sumKiB = 0; // the largest sum over all processes of those that were sampled
    int looks = 0; // how often it was sampled

    std::int64_t peakKiB() const
    {
        // Fewer samples miss more than the kernel adds. Its counters are exact to some pages for each processor only.
        constexpr int enoughLooks = 4;
        constexpr std::int64_t slackKiB = 2048;
        const bool isInherited = firstKiB <= inheritedKiB + slackKiB;
        return std::max({isInherited && looks >= enoughLooks ? 0 : firstKiB, othersKiB, sumKiB});
    }
};

} // namespace trainyard::agent
