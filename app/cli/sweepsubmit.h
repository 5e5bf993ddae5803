// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "app/cli/submission.h"
#include "app/cli/sweepoutput.h"

namespace trainyard::cli
{

struct SubmittedSweep {
    QList<SubmitReply> replies;
    qsizetype known = 0; // that were there already
};

// Submits its jobs one after the other and says what there is to say of them. Returns 0, or the exit status after
// saying why not, and how many there are by then.
// Each job has a key that follows from its group and its place: what is submitted again is not doubled.
int submitSweep(Session &session, const Sweep &sweep, Submission &job, SubmittedSweep &done);

// How many jobs the group has now, and how they are going to run.
void saySweepSubmitted(Session &session, const Sweep &sweep, const SubmitRequest &request, const SubmittedSweep &done);

} // namespace trainyard::cli
