// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/report.h"

#include "engine/api/jobfacts.h"
#include "engine/api/reasons.h"
#include "engine/core/retry.h"

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
        return reason::JobMinFailed::code;
    case TriggerRule::StartFailed:
        return u"job.startFailed"_s;
    case TriggerRule::CompletedTasks:
        return result.code != 0 ? QString(reason::JobCompletedTasks::code) : QString();
    default:
        return {};
    }
}

// The arguments of an attempt's reason, and the task that reached a limit.
reason::Trigger triggerOf(const JobState &job, const AttemptResult &result)
{
    reason::Trigger trigger{.exit = result.code};
    if (result.trigger.role >= 0 && std::size_t(result.trigger.role) < job.policy.roles.size()) {
        trigger.role = job.roleName(result.trigger);
        trigger.index = result.trigger.index;
        trigger.count = result.count;
        trigger.limit = result.limit;
    }
    return trigger;
}

std::optional<reason::Why> whyOf(const QString &code, const QJsonObject &args)
{
    return code.isEmpty() ? std::nullopt : std::optional(reason::Why{code, args});
}

// Why the attempt ended, as far as there is more to say than its code.
Error outcomeOf(const JobState &job, const AttemptResult &result)
{
    const auto [code, args] = reasonOf(job, result);
    Error why{code.isEmpty() ? messageOf(result) : code, {}};
    if (!why.code.isEmpty()) {
        why.args = valuejson::objectOf(triggerOf(job, result));
        for (auto it = args.begin(); it != args.end(); ++it) {
            why.args.insert(it.key(), it.value());
        }
    }
    return why;
}

reason::WaitRetry retryOf(const JobState &job, const Backoff &backoff)
{
    const AttemptResult &result = *job.attempts.back().result;
    const auto [code, args] = reasonOf(job, result);
    const int limit = int(backoff.charged ? job.policy.jobRetry : freeRetriesOf(job.policy.guards, code));
    reason::WaitRetry retry{.due = backoff.due,
        .number = backoff.charged ? job.chargedRetries + 1 : job.consecutiveFreeRetries,
        .limit = std::max(0, limit),
        .exit = result.code,
        .status = result.rawExit,
        .why = whyOf(code, args),
        .since = job.attempts.back().completed};
    if (job.contains(result.trigger)) {
        retry.role = job.roleName(result.trigger);
        retry.index = result.trigger.index;
    }
    if (!backoff.charged) {
        retry.free = true;
    }
    return retry;
}

// The same for a task that waits for its next try.
reason::WaitRetry retryOf(const JobState &job, TaskRef ref, const Waiting &waiting)
{
    const Task &task = job.task(ref);
    const qint64 budget = job.policy.roles[std::size_t(ref.role)].taskRetry;
    const TryResult previous = task.previous.value_or(TryResult());
    const int limit = waiting.charged ? int(budget) : freeRetriesOf(job.policy.guards, previous.reason);
    return {.due = waiting.notBefore,
        .number = waiting.charged ? task.chargedRetries : task.consecutiveFreeRetries,
        .limit = std::max(0, limit),
        .exit = previous.code,
        .status = previous.rawExit,
        .role = job.roleName(ref),
        .index = ref.index,
        .why = whyOf(previous.reason, previous.reasonArgs),
        .since = waiting.since > 0 ? std::optional(waiting.since) : std::nullopt,
        .free = waiting.charged ? std::nullopt : std::optional(true)};
}

// A summary or a task says why.
void tell(auto &of, const Error &why)
{
    of.reason = why.code;
    of.reasonArgs = why.args;
}

// Whether no task of a job without gang allocation runs now, although some did.
bool onlyWaits(const JobState &job)
{
    return std::holds_alternative<Active>(job.phase) && !job.attempts.empty() && job.attempts.back().launched
        && job.allocatedTasks == 0 && job.counts.waiting > 0 && !job.stopRequested;
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

// When the last of the tasks that wait for a retry ended.
std::optional<qint64> lastEnd(const JobState &job)
{
    qint64 last = 0;
    for (const Task &task : job.tasks) {
        if (const auto *waiting = std::get_if<Waiting>(&task.state)) {
            last = std::max(last, waiting->since);
        }
    }
    return last > 0 ? std::optional(last) : std::nullopt;
}

} // namespace

Error dependencyReason(const std::vector<Dependency> &after)
{
    const Dependency &first = after.front();
    const reason::OtherJob other{first.id, first.name, qint64(after.size()) - 1};
    return first.whenEnded ? errorOf(reason::WaitAfterEnd{other}) : errorOf(reason::WaitAfter{other});
}

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
    summary.assistant = job.meta.assistant;
    summary.priorityClass = job.policy.priorityClass;
    const SubState subState = jobSubState(job);
    const std::optional<int> code = jobCode(job);
    summary.state = publicState(subState, code).state;
    summary.subState = subStateWord(subState);
    summary.stopRequested = job.stopRequested;
    summary.retries = job.retries;
    summary.userRetries = job.chargedRetries;
    summary.platformRetries = job.retries - job.chargedRetries;
    summary.submitted = job.submitted;
    summary.exitCode = code;
    if (code && !job.attempts.empty() && job.attempts.back().result) {
        summary.rawExit = job.attempts.back().result->rawExit;
    }
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
        summary.pausedMs = job.pausedMs;
        summary.pauses = job.pauses;
        for (const AttemptRecord &attempt : job.attempts) {
            if (attempt.index != newest.index && attempt.launched && attempt.completed) {
                summary.formerMs += ranMsIn(job.pauses, *attempt.launched, *attempt.completed);
            }
        }
    }
    std::optional<reason::WaitRetry> retry;
    if (const auto *backoff = std::get_if<Backoff>(&job.phase)) {
        const std::optional<qint64> ended = job.attempts.back().completed;
        summary.retryDelaySec = std::max<qint64>(0, (backoff->due - ended.value_or(backoff->due)) / 1000);
        // Nothing runs meanwhile. A retry without a pause starts in the next tick.
        if (*summary.retryDelaySec > 0 && summary.state == State::Running && job.attempts.back().result) {
            summary.state = State::Waiting;
            retry = retryOf(job, *backoff);
        }
        // The time of the attempt that has ended stays as it is; of what only waits it counts from there.
        if (ended && (!retry || job.pausedAt)) {
            const std::optional<qint64> launched = job.attempts.back().launched;
            summary.formerMs += launched ? ranMsIn(job.pauses, *launched, *ended) : 0;
            summary.began = ended;
            summary.pausedMs = 0;
        }
    } else if (onlyWaits(job)) {
        summary.state = State::Waiting;
        if (const auto next = nextToRetry(job)) {
            retry = retryOf(job, next->first, next->second);
            retry->since = lastEnd(job);
        }
    }
    if (const auto *finished = std::get_if<Finished>(&job.phase)) {
        summary.completed = finished->at;
        if (job.attempts.empty() || !job.attempts.back().launched) {
            summary.began = finished->at; // waits of a never started newest attempt do not count
            summary.pausedMs = 0;
        }
    }
    QSet<QString> hosts;
    for (const Task &task : job.tasks) {
        const Allocation *place = placeOf(task.state);
        if (place && !hosts.contains(place->host)) {
            hosts.insert(place->host);
            summary.hosts.append(place->host);
        }
    }
    summary.priority = job.priority;
    summary.order = job.order.value_or(double(job.submitted));
    summary.paused = job.pausedAt && !job.isFinished();
    if (summary.paused) {
        tell(summary,
            job.allocatedTasks > 0 ? errorOf(reason::JobPaused{*job.pausedAt})
                                   : errorOf(reason::WaitPaused{*job.pausedAt}));
    } else if (!job.after.empty() && std::holds_alternative<Active>(job.phase)) {
        tell(summary, dependencyReason(job.after));
    } else if (retry) {
        tell(summary, errorOf(*retry));
    } else if (!job.reason.isEmpty()) {
        summary.reason = job.reason;
        summary.reasonArgs = job.reasonArgs;
    } else if (!job.attempts.empty() && job.attempts.back().result) {
        tell(summary, outcomeOf(job, *job.attempts.back().result));
    }
    return summary;
}

TaskInfo taskInfoOf(const JobState &job, TaskRef ref)
{
    TaskInfo info = taskInfoOf(job.task(ref), job.roleName(ref), ref.index, job.attempt());
    const auto *waiting = std::get_if<Waiting>(&job.task(ref).state);
    if (waiting && waiting->notBefore > 0) {
        tell(info, errorOf(retryOf(job, ref, *waiting)));
    } else if (job.pausedAt && std::holds_alternative<Running>(job.task(ref).state)) {
        tell(info, errorOf(reason::JobPaused{*job.pausedAt}));
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
    info.chargedRetries = task.chargedRetries;
    info.state = taskPublicState(task.state);
    info.subState = subStateWord(taskSubState(task.state));
    info.exitCode = taskCode(task.state);
    info.created = positive(task.created);
    info.keptFrom = task.keptFrom;
    info.usage = task.usage;
    info.launched = task.firstLaunched;
    if (const Allocation *place = placeOf(task.state)) {
        info.host = place->host;
        info.address = place->address;
        info.gpus = place->gpus;
        info.gpuCount = place->gpuCount;
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
        tell(info, outcomeOf(job, *record.result));
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
