// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/metricsofjob.h"

#include "app/cli/console.h"
#include "app/cli/jobtries.h"
#include "app/cli/meantjobs.h"
#include "app/cli/metricpatterns.h"
#include "app/cli/remotelogs.h"
#include "app/cli/resultorder.h"
#include "app/cli/session.h"
#include "app/cli/taskmetrics.h"
#include "app/cli/watch.h"
#include "app/cli/words.h"
#include "engine/api/tasklabel.h"
#include "widgets/text/resulttexts.h"
#include "widgets/text/texts.h"

#include <algorithm>
#include <iterator>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

int tasksOfJob(Session &session, const JobSummary &job, const QString &wanted, QList<TaskInfo> &tasks, int attempt)
{
    const Result<QList<TaskInfo>> all = session.allTasks(job.uuid, attempt);
    if (!all) {
        return report(all.error());
    }
    QStringList known;
    for (const TaskInfo &task : *all) {
        const QString label = taskLabel(task);
        known.append(label);
        if (wanted.isEmpty() || wanted == label || wanted == task.role) {
            tasks.append(task);
        }
    }
    if (tasks.isEmpty() && !wanted.isEmpty()) {
        errorLine(tr("%1 has no task %2.").arg(jobTitle(job), wanted) + didYouMean(wanted, known));
        return exitUnusable;
    }
    return exitOk;
}

namespace
{

// Where the output is gone, what was read of it before is still known.
void sayKeptMetrics(const MetricsOfJob &wanted, const JobSummary &job)
{
    errorLine(tr("The output of %1 no longer exists, because its folder was removed.").arg(jobTitle(job)));
    if (wanted.json || wanted.csv) {
        return; // they print each value
    }
    const QList<ResultLine> results = inOrderOfInterest(resultLines(job.results));
    for (const ResultLine &result : results) {
        if (isWantedName(wanted.names, result.name.toStdString())) {
            outLine(result.name + u": "_s + result.text);
        }
    }
}

// The outputs of the tasks that are wanted of one attempt; of the newest one (below zero) with those of the attempts
// before it.
int addOutputs(Session &session, const MetricsOfJob &wanted, const JobDetail &detail, int attempt,
    const MetricPatterns &patterns, QList<TaskOutputs> &all)
{
    QList<TaskInfo> tasks;
    if (const int status = tasksOfJob(session, detail.summary, wanted.task, tasks, attempt); status != exitOk) {
        return status;
    }
    const auto tries = triesOfTasks(session, detail.summary.uuid, std::max(attempt, 0), tasks);
    if (!tries) {
        return report(tries.error());
    }
    for (const TaskInfo &task : std::as_const(tasks)) {
        const TaskOutputs outputs{detail.summary.id, taskLabel(task), tries->value(taskLabel(task)), patterns};
        if (!outputs.tries.isEmpty()) { // else it has not begun
            all.append(outputs);
        }
    }
    return exitOk;
}

int addJob(Session &session, const MetricsOfJob &wanted, const JobSummary &job, QList<TaskOutputs> &all,
    QList<JobSummary> &read)
{
    const Result<JobDetail> detail = session.detail(job.uuid);
    if (!detail) {
        return report(detail.error());
    }
    const int attempts = int(detail->attempts.size());
    if (wanted.attempt && *wanted.attempt >= attempts) {
        errorLine(noSuchAttempt(job, attempts));
        return exitUnusable;
    }
    const Result<MetricPatterns> patterns = usedPatterns(wanted.patterns, MetricPatterns::ofJob(detail->yaml));
    if (!patterns) {
        errorLine(errorText(patterns.error()));
        return exitUnusable;
    }
    if (isOutputGone(*detail)) {
        sayKeptMetrics(wanted, detail->summary);
        return exitOk;
    }
    read.append(detail->summary);
    if (!wanted.allAttempts) {
        return addOutputs(session, wanted, *detail, wanted.attempt.value_or(newestThatRan), *patterns, all);
    }
    for (int attempt = 0; attempt < attempts; ++attempt) {
        if (const int status = addOutputs(session, wanted, *detail, attempt, *patterns, all); status != exitOk) {
            return status;
        }
    }
    return exitOk;
}

// Whether the second of two words is a task of the first job; else it may be another job.
bool namesTask(Session &session, const JobSummary &job, const QString &word)
{
    const Result<QList<TaskInfo>> tasks = session.allTasks(job.uuid);
    const bool isOfJob = !tasks || std::any_of(tasks->cbegin(), tasks->cend(), [&word](const TaskInfo &task) {
        return word == task.role || word == taskLabel(task);
    });
    return isOfJob || word.contains(u'/') || isNoJob(session, word);
}

// The jobs that the words mean; the second of two may be a task of the first.
int jobsAndTask(Session &session, const QStringList &words, MeantJobs &meant, QString &task)
{
    const QStringList first = words.size() == 2 ? words.first(1) : words;
    if (const int status = session.connectFor(first, meant); status != exitOk || words.size() != 2) {
        return status;
    }
    if (meant.jobs.size() == 1 && namesTask(session, meant.jobs.constFirst(), words.at(1))) {
        task = words.at(1);
        return exitOk;
    }
    const Result<MeantJobs> others = jobsOfWord(session, words.at(1));
    if (!others) {
        return report(others.error());
    }
    meant.add(*others);
    return exitOk;
}

} // namespace

int printMetricsOfJobs(const MetricsOfJob &asked)
{
    Session session;
    MeantJobs meant;
    MetricsOfJob wanted = asked;
    if (const int status = jobsAndTask(session, asked.words, meant, wanted.task); status != exitOk) {
        return status;
    }
    QList<TaskOutputs> all;
    QList<JobSummary> read; // whose output is there
    for (const JobSummary &job : std::as_const(meant.jobs)) {
        if (const int status = addJob(session, wanted, job, all, read); status != exitOk) {
            return status;
        }
    }
    const bool isOne = !meant.areSeveral && (meant.jobs.size() == 1 || !wanted.task.isEmpty());
    TaskMetricsPrinter printer(
        session, {wanted.names, wanted.json, wanted.csv, !isOne, wanted.attempt || wanted.allAttempts}, all);
    for (const TaskOutputs &outputs : std::as_const(all)) {
        printer.print(outputs);
    }
    printer.endProgress();
    if (wanted.json || wanted.csv) {
        return exitOk;
    }
    if (!printer.table().isEmpty()) {
        printer.table().print();
        return exitOk;
    }
    for (const JobSummary &job : std::as_const(read)) {
        outLine(wanted.names.isEmpty()
                ? tr("The output and the files of %1 have no metrics.").arg(jobTitle(job))
                : tr("The output and the files of %1 have no metrics of that name.").arg(jobTitle(job)));
    }
    return exitOk;
}

} // namespace trainyard::cli
