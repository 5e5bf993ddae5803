// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/jobstate.h"

namespace trainyard::core
{

// The states in the words of the RPC. `reason` of a job: its own, or why its newest attempt ended; the reason of
// waiting is the scheduler's and is added by the caller.
JobSummary summaryOf(const JobState &job);
TaskInfo taskInfoOf(const JobState &job, TaskRef ref); // without logFolder
// The same from its parts.
TaskInfo taskInfoOf(const Task &task, const QString &role, int index, int attempt);
AttemptInfo attemptInfoOf(const JobState &job, int attempt);

} // namespace trainyard::core
