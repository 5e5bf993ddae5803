// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/submission.h"

namespace trainyard::cli
{

// For --again JOB, before readSubmission(): the job as it ran. What its submission has overridden is not in its text,
// nor where it ran. How images are entered at a cluster is a matter of that cluster, though. What `words` say already
// stays. Returns 0, or the exit status after reporting what is wrong.
int readFormer(const QString &again, SubmissionWords &words, SubmitRequest &request);

// After that: the engine keeps no values of secrets, and the file of the job may have them.
void takeSecretsOfFormer(SubmitRequest &request);

} // namespace trainyard::cli
