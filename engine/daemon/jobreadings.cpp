// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/jobreadings.h"

#include "engine/api/health.h"
#include "engine/api/jobfacts.h"
#include "engine/api/reasons.h"
#include "engine/api/tasklabel.h"
#include "engine/backend/clock.h"
#include "engine/results/jobprogress.h"
#include "engine/results/outputresults.h"

#include <algorithm>
#include <limits>
#include <variant>

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

TaskProgress::State standOf(const core::TaskState &state)
{
    if (const auto *ended = std::get_if<core::Ended>(&state)) {
        return ended->result.code == 0 ? TaskProgress::State::Succeeded : TaskProgress::State::Failed;
    }
    const bool runs = std::holds_alternative<core::Running>(state) || std::holds_alternative<core::Stopping>(state);
    return runs ? TaskProgress::State::Runs : TaskProgress::State::Waits;
}

// The conditions by which Machine::evaluate() ends an attempt, without failures, because an attempt that succeeds is
// not expected to have any.
std::vector<EndRule> endRulesOf(const core::JobPolicy &policy)
{
    int all = 0;
    std::vector<EndRule> rules;
    for (std::size_t i = 0; i < policy.roles.size(); ++i) {
        const core::RolePolicy &role = policy.roles[i];
        all += role.instances;
        if (role.minSucceeded >= 1 && role.minSucceeded <= role.instances) {
            rules.push_back({int(role.minSucceeded), role.instances, int(i), true});
        }
    }
    if (policy.completedLimit > 0 && policy.completedLimit < all) {
        rules.push_back({policy.completedLimit, all});
    }
    rules.push_back({all, all});
    return rules;
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

// The values of a former try stay until the next one prints some.
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
    if (isOfFormer) {
        return std::nullopt;
    }
    for (const auto &[ref, task] : tasks) {
        if (const auto value = rule ? valueAtStep(task.reading.results, *rule) : std::nullopt) {
            return value;
        }
    }
    return std::nullopt;
}

QList<HealthMark> JobReadings::Job::health() const
{
    if (isOfFormer) {
        return {}; // it was reported when that ran
    }
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

bool JobReadings::isCaughtUp(const QString &uuid) const
{
    const auto found = jobs.find(uuid);
    return found != jobs.end() && !found->second.tasks.empty() && found->second.isCaughtUp();
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
    for (const auto &[ref, task] : job.tasks) {
        const std::optional<qint64> upTo = isFinal(summary.state) || job.isOfFormer ? std::nullopt : task.reading.upTo;
        if (upTo && *upTo < summary.resultsUpTo.value_or(std::numeric_limits<qint64>::max())) {
            summary.resultsUpTo = upTo;
        }
    }
    summary.health = job.health();
    silence(summary.health);
    takeOutPauses(summary);
}

void JobReadings::fillProgress(const core::JobState &state, JobSummary &summary) const
{
    const auto found = jobs.find(summary.uuid);
    if (found == jobs.end() || summary.state != State::Running) {
        return;
    }
    const std::vector<ProgressRate::Halt> halts = haltsOf(summary.pauses);
    const std::size_t count = std::min(state.tasks.size(), mostTasksRead);
    std::vector<TaskProgress> tasks;
    for (std::size_t i = 0; i < count; ++i) {
        const core::TaskRef ref = state.refAt(i);
        const auto task = found->second.tasks.find(ref);
        const OutputReading *reading = task == found->second.tasks.end() ? nullptr : &task->second.reading;
        TaskProgress &each = tasks.emplace_back(TaskProgress{ref.role, standOf(state.task(ref).state)});
        if (each.state == TaskProgress::State::Runs && reading) {
            each.fraction = reading->progress.fraction();
            // A paused task comes no nearer to its end, and for one that is out of reach this is not known.
            each.endExpected = summary.paused || isWithoutContact(summary)
                ? std::nullopt
                : reading->progress.endExpected(nowMs(), halts);
        }
    }
    const JobProgress progress = progressOfJob(endRulesOf(state.policy), tasks, state.policy.gang);
    summary.progress = progress.fraction;
    summary.endExpected = progress.endExpected;
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
