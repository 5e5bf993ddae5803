// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

namespace trainyard
{

// Whether failed tasks can be run again while others keep their results. A task that the completion policy stopped did
// not fail, and a job that succeeded has nothing to do again.
inline bool canRerunFailed(const JobSummary &job)
{
    return isFinal(job.state) && job.state != State::Succeeded && job.counts.succeeded > 0 && job.counts.failed > 0;
}

} // namespace trainyard
