// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/eachjob.h"

#include "app/cli/groupjobs.h"

#include <algorithm>

namespace trainyard::cli
{

void leaveOut(const QStringList &words, QList<JobSummary> &jobs, const IsWantedJob &wanted)
{
    if (std::all_of(words.cbegin(), words.cend(), isGroupWord)) {
        jobs.removeIf([&](const JobSummary &job) { return !wanted(job); });
    }
}

int askForEach(const QList<JobSummary> &jobs, const QString &progress, const RequestOfJob &request, const SayOfJob &yes,
    const SayOfJob &no)
{
    int status = exitOk;
    for (const JobSummary &job : jobs) {
        const Result<bool> done = request(job, progress);
        if (!done) {
            status = report(done.error());
        } else if (const SayOfJob &said = *done ? yes : no) {
            said(job);
        }
    }
    return status;
}

} // namespace trainyard::cli
