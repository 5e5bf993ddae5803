// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/jobstate.h"

#include <vector>

namespace trainyard::core
{

// The tasks of a finished job whose work is not done, for an attempt of only these. In a job that succeeded, tasks that
// its completion policy ended are done: a parameter server is done when its workers are.
std::vector<TaskRef> tasksNotDone(const JobState &job);

} // namespace trainyard::core
