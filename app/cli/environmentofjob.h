// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

namespace trainyard::cli
{

// Prints what the tasks found when they started, tasks with the same findings together; as JSON, one object with all of
// it. Returns an exit status.
int printEnvironmentOfTasks(const JobSummary &job, const QList<TaskInfo> &tasks, bool asJson);

} // namespace trainyard::cli
