// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

namespace trainyard::cli
{

// All jobs that match a filter of `ps`, newest first.
Result<QList<JobSummary>> allJobs(Session &session, const QString &filter);

// "#7, #8, #9"; of many, the first ones.
QString jobNumbers(const QList<JobSummary> &jobs);

// Waits until these jobs have ended, and reports the end of each on stderr; on a terminal a line shows how many run.
// Ctrl+C ends only the waiting; `words` are those that denote the jobs. Returns the greatest of their statuses, except
// those of jobs that the rule of their group has stopped, or that of an error.
int waitForJobs(
    Session &session, QList<JobSummary> &jobs, const QString &title, const QStringList &words, bool quiet = false);

} // namespace trainyard::cli
