// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/jobstate.h"

#include <vector>

namespace trainyard::core
{

// Of a job that is over: the tasks whose work is not done, for one more attempt of only these. In a job that succeeded
// that is no task that its completion policy ended: a parameter server is over when its workers are.
std::vector<TaskRef> tasksNotDone(const JobState &job);

} // namespace trainyard::core
