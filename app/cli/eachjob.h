// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/actedjobs.h"
#include "app/cli/meantjobs.h"

#include <functional>

namespace trainyard::cli
{

// The jobs among those that a word denotes for which there may be something to do. A job that is named itself gets a
// message of its own instead.
using IsWantedJob = std::function<bool(const JobSummary &job)>;
void leaveOut(MeantJobs &meant, const IsWantedJob &wanted);

// The action cannot be undone, so the jobs that a word denotes are listed before it: "Stopping 3 jobs: #7, #8, #9."
// `sentence` has %1 for their number and %2 for the jobs.
void sayBefore(const MeantJobs &meant, const QString &sentence);

// A summary at the end for jobs that a word denotes: "2 of 3 jobs changed." It is not needed for jobs that were named
// one by one.
void sayHowMany(const MeantJobs &meant, qsizetype changed, qsizetype all);

// Sends the same request for each job and returns the status of the last refusal. `yes` is called for each job where it
// had an effect, `no` where there was nothing to do: they note in `acted` how it went, or leave that to this function.
using RequestOfJob = std::function<Result<bool>(const JobSummary &job, const QString &progress)>;
using SayOfJob = std::function<void(const JobSummary &job)>;
int askForEach(const QList<JobSummary> &jobs, const QString &progress, ActedJobs &acted, const RequestOfJob &request,
    const SayOfJob &yes = {}, const SayOfJob &no = {});

} // namespace trainyard::cli
