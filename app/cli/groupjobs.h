// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

namespace trainyard::cli
{

// All jobs that match a filter of `ps`, newest first.
Result<QList<JobSummary>> allJobs(Session &session, const QString &filter);

// The jobs that a word of the command line means, oldest first: those of a group for "group:NAME", else one job.
// Errors: group.unknown {group}, and those of api::FindJob.
Result<QList<JobSummary>> jobsOfWord(Session &session, const QString &word);
// For what is done with active jobs: of several jobs of one name the active one is meant, also where a newer one has
// ended. Error besides: job.several-active {job, jobs}.
Result<QList<JobSummary>> activeJobsOfWord(Session &session, const QString &word);
// For what is done with one job that may be any: says on stderr which one is meant where several of the active and of
// the newest jobs have this name.
void sayWhichOfSeveral(Session &session, const QString &word, const JobSummary &job);
QString whichOfSeveral(
    const QString &word, const JobSummary &job, QList<JobSummary> all); // or empty: it is the only one
bool isGroupWord(const QString &word);
// "#7, #8, #9"; of many, the first ones.
QString jobNumbers(const QList<JobSummary> &jobs);

// Waits until these jobs have ended, and says of each on stderr how it did; on a terminal a line tells how many run.
// Ctrl+C ends only the waiting. Returns the greatest of their statuses, without those that the rule of their group has
// stopped, or that of what went wrong.
int waitForJobs(Session &session, QList<JobSummary> &jobs, const QString &title, bool quiet = false);

} // namespace trainyard::cli
