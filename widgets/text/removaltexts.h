// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/removals.h"

namespace trainyard
{

// Texts about ended jobs that are removed by age and size. Times are local; `now` decides how they are written.

// "after Friday 14:00 (jobs.keepDays); mark it with a star to keep it"
QString removalText(const PlannedRemoval &removal, qint64 now);
// "4 ended jobs (12.1 GiB) are removed from Friday 14:00 on, because of the setting jobs.keepDays." Nothing for no
// jobs.
QString removalText(const RemovalOutlook &outlook, qint64 now);
// The time of a removal, which is mostly a few days off at most: "today 14:00", "Friday 14:00", "3 Mar 14:00".
QString removalTime(qint64 utcMilliseconds, qint64 now);

} // namespace trainyard
