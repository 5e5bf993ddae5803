// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/jobwatcher.h"
#include "app/cli/session.h"

namespace trainyard::cli
{

struct WatchOptions {
    bool follow = false; // logs of all tasks on stdout, as they come
    bool table = false; // a table of the tasks that redraws itself, on a terminal
    bool isBeingStopped = false; // somebody asked for it: a line says so meanwhile, and Ctrl+C changes nothing
    bool stopOnInterrupt = false; // Ctrl+C stops the job (the engine is ours); otherwise it goes on without us
};

struct Watched {
    int status = 0;
    JobSummary job;
    QList<TaskInfo> tasks; // none when neither their logs nor their table were wanted, nor the killing of them
    bool over = false; // the job is final; false: interrupted or the engine is gone
};

// Waits for the end of a job. Says at the end what became of it, on stderr.
Watched watchJob(Session &session, const QString &uuid, const WatchOptions &options);

// 0 SUCCEEDED; FAILED: the code if it is 1 to 125, else 1; STOPPED: 130.
int statusOf(const JobSummary &job);
// "#41 resnet succeeded after 12 min 05 s."
QString endSentence(const JobSummary &job, bool withWhereToRead = true);
QString jobTitle(const JobSummary &job); // "#41 resnet"

} // namespace trainyard::cli
