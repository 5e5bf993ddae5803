// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/jobstate.h"

namespace trainyard::core
{

// Calls `use(task, state, place)` for each task that has a host and has not ended.
template <class Use> void forEachPlaced(const JobState &job, Use use)
{
    for (std::size_t i = 0; i < job.tasks.size(); ++i) {
        const TaskRef ref = job.refAt(i);
        const TaskState &state = job.task(ref).state;
        const Allocation *place = placeOf(state);
        if (place && !place->host.isEmpty() && !std::holds_alternative<Ended>(state)) {
            use(ref, state, *place);
        }
    }
}

} // namespace trainyard::core
