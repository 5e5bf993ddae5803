// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "model/runtime/rehearsal.h"

namespace trainyard
{

// In what a rehearsal differs from the job that it tries out: "worker: 1 instance instead of 4".
QString rehearsalChangeText(const RehearsalChange &change);

// The reference of a job to another one: "#41 train-rehearsal, Succeeded 14:05". Times are local; `now` decides how
// they are written.
QString otherJobText(const OtherJob &job, qint64 now);

// One line for a page that shows a rehearsal, or what was submitted after one; nothing for any other job.
QString rehearsalLine(
    const std::optional<OtherJob> &rehearsal, const std::optional<OtherJob> &promoted, bool isRehearsal, qint64 now);

// The warning about a rehearsal before its original is submitted: that it has not ended, failed, or was stopped. Empty
// if it succeeded.
QString rehearsalDoubt(const JobSummary &rehearsal);

// Why the engine refuses a rehearsal. If fewer GPUs of the rehearsal are sufficient, its text leaves out the advice to
// change the job, which is to run elsewhere as it is: whoever shows it offers these GPUs (gpusThatFit()).
Error refusedRehearsal(Error refusal);

} // namespace trainyard
