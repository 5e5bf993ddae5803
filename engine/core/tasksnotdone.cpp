// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/tasksnotdone.h"

#include "engine/core/retry.h"

namespace trainyard::core
{

std::vector<TaskRef> tasksNotDone(const JobState &job)
{
    const bool succeeded = job.isFinished() && jobCode(job) == 0;
    std::vector<TaskRef> refs;
    for (std::size_t i = 0; i < job.tasks.size(); ++i) {
        const TaskRef ref = job.refAt(i);
        const std::optional<int> code = taskCode(job.task(ref).state);
        if (code != 0 && !(succeeded && code == codeAttemptEnded)) {
            refs.push_back(ref);
        }
    }
    return refs;
}

} // namespace trainyard::core
