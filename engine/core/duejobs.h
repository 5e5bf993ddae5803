// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/removals.h"

#include <optional>
#include <vector>

namespace trainyard::core
{

inline constexpr qint64 dayMs = 24 * 3'600'000;

// How long ended jobs are kept.
struct KeepLimits {
    qint64 ageMs = 0; // since their end; 0: forever
    qint64 bytes = 0; // of all together; 0: no limit
    qint64 graceMs = dayMs; // between the announcement and the removal
    qint64 youngMs = dayMs; // jobs that ended within this time stay, whatever the limits are
    friend bool operator==(const KeepLimits &, const KeepLimits &) = default;
};

// The values that decide whether an ended job is removed.
struct EndedJob {
    qint64 id = 0;
    QString uuid;
    qint64 ended = 0;
    qint64 bytes = 0;
    bool isStarred = false;
    std::optional<PlannedRemoval> removal; // as announced so far
};

struct DueJobs {
    std::vector<EndedJob> announce; // newly, or with another setting since the same time: `removal` is what to write
    std::vector<EndedJob> withdraw; // they are no longer due
    std::vector<EndedJob> remove; // announced long enough ago, and still due
};

// Starred jobs stay and do not count for the size. The oldest go first: all that are too old, and then as many as have
// to go until the others are within the size. A job that is due by both counts as due by its age.
DueJobs whatIsDue(std::vector<EndedJob> jobs, const KeepLimits &limits, qint64 now);

} // namespace trainyard::core
