// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/jobstate.h"
#include "model/base/result.h"

namespace trainyard::core
{

// Gives the states in the words of the RPC. The `reason` of a job is its own, or why its newest attempt ended; why it
// waits for an allocation is known to the scheduler, and the caller adds it. A job that waits for its next attempt, and
// a task that waits for its next try, give reason::WaitRetry; a running task of a paused job gives reason::JobPaused.
JobSummary summaryOf(const JobState &job);
TaskInfo taskInfoOf(const JobState &job, TaskRef ref); // without logFolder
// The same from its parts.
TaskInfo taskInfoOf(const Task &task, const QString &role, int index, int attempt);
// Why a job waits for these others, of which there is at least one.
Error dependencyReason(const std::vector<Dependency> &after);
AttemptInfo attemptInfoOf(const JobState &job, int attempt);

} // namespace trainyard::core
