// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/comparedjobs.h"

#include "app/cli/console.h"
#include "app/cli/meantjobs.h"
#include "app/cli/watch.h"
#include "engine/api/jobfilter.h"
#include "engine/client/capturedfile.h"
#include "engine/client/filemetrics.h"
#include "engine/client/logmetrics.h"
#include "engine/metrics/steptrack.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// Beyond these, neither texts nor surroundings are read: the parameters say in what the runs of a large sweep differ.
constexpr qsizetype mostTexts = 200;

QJsonObject environmentOf(Session &session, const JobSummary &job)
{
    const Result<QList<TaskInfo>> tasks = session.someTasks(job.uuid, -1, 0, 1);
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

namespace
{

// Of the metrics in its files.
void addFileValues(const QString &folder, double step, QMap<QString, double> &values)
{
    FileMetrics files(folder);
    for (const FileMetrics::Grown &grown : files.takeNew()) {
        const bool hasSteps = grown.axis == series::Axis::Step || grown.axis == series::Axis::Epoch;
        if (!hasSteps || values.contains(grown.name)) {
            continue;
        }
        for (const series::Point &point : grown.points) { // in the order of the steps
            if (point.x <= step && std::isfinite(point.value)) {
                values.insert(grown.name, point.value);
            }
        }
    }
}

} // namespace

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
        metrics::StepTrack track;
        for (bool more = true; more;) {
            more = log.readMore();
            for (const LogMetrics::TimedPoint &timed : log.takePoints()) {
                track.add(timed.point, timed.time);
            }
            if (!more) {
                track.finish();
            }
            for (const metrics::StepTrack::Placed &placed : track.take()) {
                const metrics::Point &point = placed.point;
                const std::optional<double> at = point.step ? point.step : point.epoch;
                if (at && *at <= step && std::isfinite(point.value)) {
                    ofTask.insert(QString::fromStdString(point.name), point.value);
                }
            }
        }
        addFileValues(task.logFolder, step, ofTask);
        for (auto it = ofTask.cbegin(); it != ofTask.cend(); ++it) {
            if (!all.contains(it.key())) {
                all.insert(it.key(), it.value());
            }
        }
    }
    return all;
}

} // namespace trainyard::cli
