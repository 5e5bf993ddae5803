// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/jobreadings.h"

#include "engine/api/health.h"
#include "engine/api/reasons.h"
#include "engine/api/tasklabel.h"
#include "engine/backend/clock.h"
#include "engine/results/outputresults.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr qsizetype mostMarks = 20; // of a job: every row of a list has them

// A task that stands still is silent for a good reason.
void takeOutPauses(JobSummary &summary)
{
    summary.health.removeIf([&](const HealthMark &mark) {
        return mark.code == "health.silent"_L1
            && (summary.paused || nowMs() - mark.at - summary.pausedMs < mark.args.value("limitMs"_L1).toInteger());
    });
}

std::vector<ProgressRate::Halt> haltsOf(const QList<PauseSpan> &pauses)
{
    std::vector<ProgressRate::Halt> halts;
    for (const PauseSpan &pause : pauses) {
        halts.push_back({pause.from, pause.until});
    }
    return halts;
}

} // namespace

bool JobReadings::Job::isOver() const
{
    return std::all_of(tasks.begin(), tasks.end(), [](const auto &each) { return each.second.reading.isOver; });
}

bool JobReadings::Job::isCaughtUp() const
{
    return std::all_of(tasks.begin(), tasks.end(), [](const auto &each) { return each.second.reading.isCaughtUp; });
}

// What a task said in a former try stands until the next one says something.
void JobReadings::Job::mergeResults()
{
    QList<QJsonObject> ofTasks;
    for (const auto &[ref, task] : tasks) {
        ofTasks.append(task.reading.results);
        for (const QString &name : tasks.size() > 1 ? ofTasks.last().keys() : QStringList()) {
            QJsonObject one = ofTasks.last().value(name).toObject();
            one.insert(u"task"_s, taskLabel(task.role, int(ref.index)));
            ofTasks.last().insert(name, one);
        }
    }
    const QJsonObject merged = mergedResults(ofTasks);
    if (!merged.isEmpty()) {
        results = merged;
    }
    noteUnreached();
}

void JobReadings::Job::noteUnreached()
{
    if (!rule || !hasSucceeded || waitsUntil == 0 || !isOver() || !results.contains(rule->metric) || valueOfRule()) {
        return;
    }
    QJsonObject one = results.value(rule->metric).toObject();
    one.insert(u"at"_s, QJsonObject{{u"step"_s, rule->step}, {u"reached"_s, false}});
    results.insert(rule->metric, one);
}

std::optional<ValueAtStep> JobReadings::Job::valueOfRule() const
{
    for (const auto &[ref, task] : tasks) {
        if (const auto value = rule ? valueAtStep(task.reading.results, *rule) : std::nullopt) {
            return value;
        }
    }
    return std::nullopt;
}

QList<HealthMark> JobReadings::Job::health() const
{
    QList<HealthMark> marks;
    for (const auto &[ref, task] : tasks) {
        for (const HealthMark &mark : task.reading.health) {
            if (!silenced.contains(healthKind(mark.code))) {
                marks.append(mark);
                marks.last().role = task.role;
                marks.last().index = ref.index;
            }
        }
    }
    std::stable_sort(marks.begin(), marks.end(), [](const HealthMark &a, const HealthMark &b) { return a.at < b.at; });
    return marks.size() > mostMarks ? marks.last(mostMarks) : marks;
}

void JobReadings::silence(QList<HealthMark> &marks) const
{
    marks.removeIf([this](const HealthMark &mark) { return silenced.contains(healthKind(mark.code)); });
}

QList<HealthMark> JobReadings::healthOf(const QString &uuid) const
{
    const auto found = jobs.find(uuid);
    QList<HealthMark> marks = found != jobs.end() ? found->second.health() : QList<HealthMark>();
    silence(marks);
    return marks;
}

void JobReadings::fill(const QString &uuid, JobSummary &summary) const
{
    const auto found = jobs.find(uuid);
    if (found == jobs.end()) {
        return;
    }
    const Job &job = found->second;
    if (!job.results.isEmpty()) {
        summary.results = job.results;
    }
    summary.resultsPending = isFinal(summary.state) && job.waitsUntil != 0 && !job.isOver();
    summary.health = job.health();
    silence(summary.health);
    takeOutPauses(summary);
    if (summary.state != State::Running) {
        return;
    }
    // All of its tasks have to end; one that says nothing is taken for one that goes along with the others.
    const std::vector<ProgressRate::Halt> halts = haltsOf(summary.pauses);
    double sum = 0;
    int count = 0;
    for (const auto &[ref, task] : job.tasks) {
        if (const std::optional<double> fraction = task.reading.progress.fraction()) {
            sum += task.reading.isOver ? 1 : *fraction;
            ++count;
        }
        if (!task.reading.isOver && !summary.paused) {
            if (const std::optional<qint64> end = task.reading.progress.endExpected(nowMs(), halts)) {
                summary.endExpected = std::max(summary.endExpected.value_or(0), *end);
            }
        }
    }
    if (count > 0) {
        summary.progress = sum / count;
    }
}

void JobReadings::fill(const QString &uuid, core::TaskRef ref, const QList<PauseSpan> &pauses, TaskInfo &info) const
{
    const auto job = jobs.find(uuid);
    if (job == jobs.end() || info.state != State::Running) {
        return;
    }
    const auto task = job->second.tasks.find(ref);
    if (task != job->second.tasks.end() && task->second.folder == info.logFolder) {
        info.progress = task->second.reading.progress.fraction();
        if (info.reason != reason::JobPaused::code) { // one that is halted comes no nearer to its end
            info.endExpected = task->second.reading.progress.endExpected(nowMs(), haltsOf(pauses));
        }
    }
}

} // namespace trainyard
