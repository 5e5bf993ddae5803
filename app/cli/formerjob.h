// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/submission.h"

namespace trainyard::cli
{

// For --again JOB, before readSubmission(): the job as it ran. Its text has neither the overrides of its submission nor
// its target, so these are added. How images are entered on a cluster is decided by that cluster, though. Values that
// `words` already have are kept. Returns 0, or the exit status after reporting what is wrong.
int readFormer(const QString &again, SubmissionWords &words, SubmitRequest &request);

// After that: the engine keeps no values of secrets, and the file of the job may have them.
void takeSecretsOfFormer(SubmitRequest &request);

} // namespace trainyard::cli
