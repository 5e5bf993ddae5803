// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/comparedjobs.h"

#include "app/cli/console.h"
#include "app/cli/meantjobs.h"
#include "app/cli/watch.h"
#include "engine/api/jobfilter.h"
#include "engine/client/capturedfile.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// Beyond these, neither texts nor surroundings are read: the parameters say in what the runs of a large sweep differ.
constexpr qsizetype mostTexts = 200;

QJsonObject environmentOf(Session &session, const JobSummary &job)
{
    const Result<QList<TaskInfo>> tasks = session.someTasks(job.uuid, newestThatRan, 0, 1);
    return tasks && !tasks->isEmpty() ? capturedEnvironmentIn(tasks->constFirst().logFolder) : QJsonObject();
}

} // namespace

int comparedRuns(Session &session, const QStringList &words, const QString &group, QList<CompareRun> &runs)
{
    MeantJobs meant;
    QStringList all = words;
    if (!group.isEmpty()) {
        all.append(u"group:"_s + filterQuoted(group));
    }
    for (const QString &word : std::as_const(all)) {
        const Result<MeantJobs> some = jobsOfWord(session, word);
        if (!some) {
            return report(some.error());
        }
        meant.add(*some);
    }
    const QList<JobSummary> &jobs = meant.jobs;
    if (jobs.size() == 1 && !meant.areSeveral) {
        errorLine(tr("One job cannot be compared with anything: give a second one."));
        return exitUnusable;
    }
    for (const JobSummary &job : jobs) {
        CompareRun run{job};
        if (jobs.size() <= mostTexts) {
            const Result<JobDetail> detail = session.detail(job.uuid);
            if (!detail) {
                return report(detail.error());
            }
            run.yaml = detail->yaml;
            run.environment = environmentOf(session, job);
        }
        runs.append(run);
    }
    return exitOk;
}

} // namespace trainyard::cli
