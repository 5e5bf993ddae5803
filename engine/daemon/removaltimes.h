// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/duejobs.h"

namespace trainyard
{

// When ended jobs are looked at and removed (dueremovals.h). Tests have shorter ones; no setting changes them.
struct RemovalTimes {
    qint64 firstLookMs = 3 * 60'000; // from the start; before, nothing is removed
    qint64 everyMs = 3'600'000;
    qint64 graceMs = core::dayMs;
    qint64 youngMs = core::dayMs;
};

} // namespace trainyard
