// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/comparedjobs.h"

#include "app/cli/console.h"
#include "app/cli/watch.h"
#include "engine/client/capturedfile.h"
#include "engine/client/logmetrics.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int groupPage = 1000;
// Beyond these, neither texts nor surroundings are read: the parameters say in what the runs of a large sweep differ.
constexpr qsizetype mostTexts = 200;

Result<QList<JobSummary>> jobsOfGroup(Session &session, const QString &group)
{
    QList<JobSummary> all;
    qint64 before = 0;
    for (;;) {
        const Result<QList<JobSummary>> page
            = session.call<api::ListJobs>({{}, before, groupPage}, tr("Reading the jobs ..."));
        if (!page) {
            return page;
        }
        for (const JobSummary &job : *page) {
            if (job.group == group) {
                all.prepend(job);
            }
        }
        if (page->size() < groupPage) {
            return all;
        }
        before = page->constLast().id;
    }
}

QJsonObject environmentOf(Session &session, const JobSummary &job)
{
    const Result<QList<TaskInfo>> tasks = session.someTasks(job.uuid, -1, 0, 1);
    return tasks && !tasks->isEmpty() ? capturedEnvironmentIn(tasks->constFirst().logFolder) : QJsonObject();
}

} // namespace

int comparedRuns(Session &session, const QStringList &words, const QString &group, QList<CompareRun> &runs)
{
    QList<JobSummary> jobs;
    const auto add = [&jobs](const JobSummary &job) {
        if (std::none_of(
                jobs.cbegin(), jobs.cend(), [&job](const JobSummary &each) { return each.uuid == job.uuid; })) {
            jobs.append(job);
        }
    };
    for (const QString &word : words) {
        const Result<JobSummary> job = session.findJob(word);
        if (!job) {
            return report(job.error());
        }
        add(*job);
    }
    if (!group.isEmpty()) {
        const Result<QList<JobSummary>> ofGroup = jobsOfGroup(session, group);
        if (!ofGroup) {
            return report(ofGroup.error());
        }
        if (ofGroup->isEmpty()) {
            errorLine(tr("There is no job of the group '%1'.").arg(group));
            return exitUnusable;
        }
        for (const JobSummary &job : *ofGroup) {
            add(job);
        }
    }
    for (const JobSummary &job : std::as_const(jobs)) {
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

QMap<QString, double> valuesAtStep(Session &session, const JobSummary &job, double step)
{
    QMap<QString, double> all;
    const Result<QList<TaskInfo>> tasks = session.allTasks(job.uuid);
    for (const TaskInfo &task : tasks.value_or(QList<TaskInfo>())) {
        QMap<QString, double> ofTask;
        if (task.logFolder.isEmpty()) {
            continue; // it has not started
        }
        LogMetrics log(task.logFolder);
        for (bool more = true; more;) {
            more = log.readMore();
            for (const LogMetrics::TimedPoint &timed : log.takePoints()) {
                const std::optional<double> at = timed.point.step ? timed.point.step : timed.point.epoch;
                if (at && *at <= step && std::isfinite(timed.point.value)) {
                    ofTask.insert(QString::fromStdString(timed.point.name), timed.point.value);
                }
            }
        }
        for (auto it = ofTask.cbegin(); it != ofTask.cend(); ++it) {
            if (!all.contains(it.key())) {
                all.insert(it.key(), it.value());
            }
        }
    }
    return all;
}

} // namespace trainyard::cli
