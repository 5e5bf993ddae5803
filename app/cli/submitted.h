// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/submission.h"

namespace trainyard::cli
{

// Submits a job that was read, and prints the messages about it. Returns 0, or the exit status after reporting the
// error. Without a key in the request it gets one, so that there is one job also when the engine is lost meanwhile; not
// where `needsKey` is false, since no engine outlives the command. `keyOption`: the option for the key when the user
// repeats the command; empty: there is none.
int submitJob(
    Session &session, Submission &job, SubmitReply &submitted, const QString &keyOption = {}, bool needsKey = true);

// The actions of a command once its job is submitted.
struct AfterSubmission {
    bool wait = false;
    bool follow = false; // waits, too, and prints the output of all tasks
    bool foreground = false; // the engine is in this command, and is waited for
    bool json = false;
};
// Prints its number, or waits for its end and says how it ended. Returns the exit status of the command.
int watchSubmitted(Session &session, const SubmitReply &submitted, const AfterSubmission &after);

} // namespace trainyard::cli
