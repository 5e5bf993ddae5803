// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/submission.h"
#include "app/cli/sweepline.h"
#include "app/cli/sweepoutput.h"

namespace trainyard::cli
{

// Reads the job and the values of its parameters: `sweep` gets its points and all but its room, `job` what all of its
// jobs are submitted with. Returns 0, or the exit status after saying what is wrong.
int readSweep(const SweepValues &values, Submission &job, Sweep &sweep);

} // namespace trainyard::cli
