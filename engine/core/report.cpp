// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/report.h"

#include "model/base/result.h"

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

std::optional<qint64> positive(qint64 at) { return at > 0 ? std::optional(at) : std::nullopt; }

QString messageOf(const AttemptResult &result)
{
    switch (result.rule) {
    case TriggerRule::MinFailed:
        return u"job.minFailed"_s;
    case TriggerRule::StartFailed:
        return u"job.startFailed"_s;
    case TriggerRule::CompletedTasks:
        return result.code != 0 ? u"job.completedTasks"_s : QString();
    default:
        return {};
    }
}

// {role, index, count, limit, code} of the sentence about the task that tipped the limit.
QJsonObject triggerArgs(const JobState &job, const AttemptResult &result)
{
    QJsonObject args{{u"code"_s, result.code}};
    if (result.trigger.role >= 0 && std::size_t(result.trigger.role) < job.policy.roles.size()) {
        args.insert(u"role"_s, job.roleName(result.trigger));
        args.insert(u"index"_s, result.trigger.index);
        args.insert(u"count"_s, result.count);
        args.insert(u"limit"_s, result.limit);
    }
    return args;
}

// The arguments of "wait.retry": {due, number, limit, code, role, index, why}. The next retry is `number` of `limit`
// (0: without end); `role` and `index` name the task that made it necessary, if one did; `why` is {code, args} of its
// reason.
QJsonObject retryArgs(qint64 due, int number, int limit, int code, const QString &reason, const QJsonObject &reasonArgs)
{
    QJsonObject args{{u"due"_s, due}, {u"number"_s, number}, {u"limit"_s, limit}, {u"code"_s, code}};
    if (!reason.isEmpty()) {
        args.insert(u"why"_s, QJsonObject{{u"code"_s, reason}, {u"args"_s, reasonArgs}});
    }
    return args;
}

QJsonObject retryArgs(const JobState &job, const Resting &resting)
{
    const AttemptResult &result = *job.attempts.back().result;
    const int number = resting.charged ? job.accountable + 1 : job.freeInARow;
    const int limit = int(resting.charged ? job.policy.jobRetry : job.policy.guards.freeRetryCap);
    QJsonObject args
        = retryArgs(resting.due, number, std::max(0, limit), result.code, result.reason, result.reasonArgs);
    if (job.contains(result.trigger)) {
        args.insert(u"role"_s, job.roleName(result.trigger));
        args.insert(u"index"_s, result.trigger.index);
    }
    return args;
}

// The same for a task that waits for its next try.
QJsonObject retryArgs(const JobState &job, TaskRef ref, const Waiting &waiting)
{
    const Task &task = job.task(ref);
    const qint64 budget = job.policy.roles[std::size_t(ref.role)].taskRetry;
    const TryResult previous = task.previous.value_or(TryResult());
    const int number = waiting.charged ? task.accountable : task.freeInARow;
    const int limit = waiting.charged ? int(budget) : job.policy.guards.freeRetryCap;
    QJsonObject args
        = retryArgs(waiting.notBefore, number, std::max(0, limit), previous.code, previous.reason, previous.reasonArgs);
    args.insert(u"role"_s, job.roleName(ref));
    args.insert(u"index"_s, ref.index);
    return args;
}

// Whether no task of a job without gang allocation runs now, although some did.
bool onlyWaits(const JobState &job)
{
    return std::holds_alternative<Active>(job.phase) && !job.attempts.empty() && job.attempts.back().launched
        && job.heldTasks == 0 && job.counts.waiting > 0 && !job.stopRequested;
}

// The task that is tried again next, when none waits for a place.
std::optional<std::pair<TaskRef, Waiting>> nextToRetry(const JobState &job)
{
    std::optional<std::pair<TaskRef, Waiting>> next;
    for (std::size_t at = 0; at < job.tasks.size(); ++at) {
        const auto *waiting = std::get_if<Waiting>(&job.tasks[at].state);
        if (waiting && waiting->notBefore == 0) {
            return std::nullopt;
        }
        if (waiting && (!next || waiting->notBefore < next->second.notBefore)) {
            next = {job.refAt(at), *waiting};
        }
    }
    return next;
}

} // namespace

JobSummary summaryOf(const JobState &job)
{
    JobSummary summary;
    summary.id = job.meta.id;
    summary.uuid = job.uuid.toString(QUuid::WithoutBraces);
    summary.name = job.meta.name;
    summary.user = job.meta.user;
    summary.file = job.meta.file;
    summary.virtualCluster = job.meta.virtualCluster;
    summary.target = job.meta.target;
    summary.priorityClass = job.policy.priorityClass;
    const SubState subState = jobSubState(job);
    const std::optional<int> code = jobCode(job);
    summary.state = publicState(subState, code).state;
    summary.subState = subStateWord(subState);
    summary.stopRequested = job.stopRequested;
    summary.retries = job.retries;
    summary.userRetries = job.accountable;
    summary.platformRetries = job.retries - job.accountable;
    summary.submitted = job.submitted;
    summary.exitCode = code;
    summary.totalGpu = job.policy.totalGpu();
    summary.totalTasks = job.policy.totalTasks();
    summary.totalRoles = int(job.policy.roles.size());
    summary.counts = job.counts;
    for (const AttemptRecord &attempt : job.attempts) {
        if (attempt.launched) {
            summary.launched = attempt.launched;
            break;
        }
    }
    summary.began = job.submitted;
    if (!job.attempts.empty()) {
        const AttemptRecord &newest = job.attempts.back();
        const qint64 created = newest.index > 0 && newest.created > 0 ? newest.created : job.submitted;
        summary.began = newest.launched.value_or(created);
    }
    QJsonObject retry;
    if (const auto *resting = std::get_if<Resting>(&job.phase)) {
        const std::optional<qint64> ended = job.attempts.back().completed;
        summary.began = ended ? ended : summary.began; // it waits for the next one
        summary.retryDelaySec = std::max<qint64>(0, (resting->due - ended.value_or(resting->due)) / 1000);
        // Nothing runs meanwhile. A retry without a pause starts in the next tick.
        if (*summary.retryDelaySec > 0 && summary.state == State::Running && job.attempts.back().result) {
            summary.state = State::Waiting;
            retry = retryArgs(job, *resting);
        }
    } else if (onlyWaits(job)) {
        summary.state = State::Waiting;
        if (const auto next = nextToRetry(job)) {
            retry = retryArgs(job, next->first, next->second);
        }
    }
    if (const auto *finished = std::get_if<Finished>(&job.phase)) {
        summary.completed = finished->at;
        if (!summary.launched) {
            summary.launched = finished->at; // never ran
        }
    }
    QSet<QString> hosts;
    for (const Task &task : job.tasks) {
        const Place *place = placeOf(task.state);
        if (place && !hosts.contains(place->host)) {
            hosts.insert(place->host);
            summary.hosts.append(place->host);
        }
    }
    summary.priority = job.priority;
    summary.order = job.order.value_or(double(job.submitted));
    summary.paused = job.pausedAt && !job.isFinished();
    if (summary.paused) {
        summary.reason = job.heldTasks > 0 ? u"job.paused"_s : u"wait.paused"_s;
        summary.reasonArgs = {{u"since"_s, *job.pausedAt}};
    } else if (!job.after.empty() && std::holds_alternative<Active>(job.phase)) {
        const Dependency &first = job.after.front();
        summary.reason = first.whenEnded ? u"wait.after-end"_s : u"wait.after"_s;
        summary.reasonArgs = {{u"job"_s, first.id}, {u"name"_s, first.name}, {u"more"_s, qint64(job.after.size()) - 1}};
    } else if (!retry.isEmpty()) {
        summary.reason = u"wait.retry"_s;
        summary.reasonArgs = retry;
    } else if (!job.reason.isEmpty()) {
        summary.reason = job.reason;
        summary.reasonArgs = job.reasonArgs;
    } else if (!job.attempts.empty() && job.attempts.back().result) {
        const AttemptResult &result = *job.attempts.back().result;
        summary.reason = result.reason.isEmpty() ? messageOf(result) : result.reason;
        if (!summary.reason.isEmpty()) {
            summary.reasonArgs = triggerArgs(job, result);
            for (auto it = result.reasonArgs.begin(); it != result.reasonArgs.end(); ++it) {
                summary.reasonArgs.insert(it.key(), it.value());
            }
        }
    }
    return summary;
}

TaskInfo taskInfoOf(const JobState &job, TaskRef ref)
{
    TaskInfo info = taskInfoOf(job.task(ref), job.roleName(ref), ref.index, job.attempt());
    const auto *waiting = std::get_if<Waiting>(&job.task(ref).state);
    if (waiting && waiting->notBefore > 0) {
        info.reason = u"wait.retry"_s;
        info.reasonArgs = retryArgs(job, ref, *waiting);
    } else if (job.pausedAt && std::holds_alternative<Running>(job.task(ref).state)) {
        info.reason = u"job.paused"_s;
        info.reasonArgs = {{u"since"_s, *job.pausedAt}};
    }
    return info;
}

TaskInfo taskInfoOf(const Task &task, const QString &role, int index, int attempt)
{
    TaskInfo info;
    info.role = role;
    info.index = index;
    info.attempt = attempt;
    info.tries = task.tryIndex;
    info.accountable = task.accountable;
    info.state = taskPublicState(task.state);
    info.subState = subStateWord(taskSubState(task.state));
    info.exitCode = taskCode(task.state);
    info.created = positive(task.created);
    info.keptFrom = task.keptFrom;
    info.usage = task.usage;
    info.launched = task.firstLaunched;
    if (const Place *place = placeOf(task.state)) {
        info.host = place->host;
        info.address = place->address;
        info.gpus = place->gpus;
        info.ports = place->ports;
    }
    const auto takeResult = [&](const TryResult &result) {
        info.rawExit = result.rawExit;
        info.reason = result.reason;
        info.reasonArgs = result.reasonArgs;
    };
    std::visit(Overloaded{
                   [&](const Running &running) {
                       info.pid = running.process.pid;
                       info.tryLaunched = positive(running.began);
                   },
                   [&](const Stopping &stopping) {
                       info.pid = stopping.process ? stopping.process->pid : 0;
                       info.tryLaunched = positive(stopping.began);
                       takeResult(stopping.result);
                   },
                   [&](const Ended &ended) {
                       info.tryLaunched = positive(ended.began);
                       info.completed = positive(ended.ended);
                       takeResult(ended.result);
                   },
                   [](const auto &) {},
               },
        task.state);
    return info;
}

AttemptInfo attemptInfoOf(const JobState &job, int attempt)
{
    AttemptInfo info;
    info.index = attempt;
    const AttemptRecord &record = job.attempts.at(std::size_t(attempt));
    info.started = record.launched ? record.launched : positive(record.created);
    info.created = positive(record.created);
    info.launched = record.launched;
    info.completed = record.completed;
    if (record.result) {
        info.exitCode = record.result->code;
        info.triggerRule = triggerRuleWord(record.result->rule);
        const TaskRef trigger = record.result->trigger;
        if (record.result->rule != TriggerRule::None && trigger.role >= 0
            && std::size_t(trigger.role) < job.policy.roles.size()) {
            info.triggerRole = job.roleName(trigger);
            info.triggerIndex = trigger.index;
            info.triggerCount = record.result->count;
            info.triggerLimit = record.result->limit;
            info.triggerRawExit = record.result->rawExit;
        }
    }
    const bool newest = std::size_t(attempt) + 1 == job.attempts.size();
    const SubState subState = newest ? jobSubState(job) : SubState::Completed;
    info.state = publicState(subState, info.exitCode).attemptState;
    return info;
}

} // namespace trainyard::core
