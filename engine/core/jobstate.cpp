// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/jobstate.h"

#include "engine/core/retry.h"
#include "model/base/result.h"

#include <array>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr std::array subStateWords{
    "AttemptCreationPending"_L1,
    "AttemptCreationRequested"_L1,
    "AttemptPreparing"_L1,
    "AttemptRunning"_L1,
    "AttemptDeletionPending"_L1,
    "AttemptDeletionRequested"_L1,
    "AttemptDeleting"_L1,
    "AttemptCompleted"_L1,
    "Completed"_L1,
};

} // namespace

QString subStateWord(SubState subState) { return subStateWords.at(std::size_t(subState)); }

PublicState publicState(SubState subState, std::optional<int> code)
{
    const bool stopped = code == codeStopJob || code == codeAttemptEnded;
    const bool succeeded = code == 0;
    switch (subState) {
    case SubState::AttemptCreationPending:
    case SubState::AttemptCreationRequested:
    case SubState::AttemptPreparing:
        return {State::Waiting, State::Waiting};
    case SubState::AttemptRunning:
        return {State::Running, State::Running};
    case SubState::AttemptDeletionPending:
    case SubState::AttemptDeletionRequested:
    case SubState::AttemptDeleting:
        return stopped ? PublicState{State::Stopping, State::Stopping} : PublicState{State::Running, State::Running};
    case SubState::AttemptCompleted:
        return stopped ? PublicState{State::Stopping, State::Stopped}
                       : PublicState{State::Running, succeeded ? State::Succeeded : State::Failed};
    case SubState::Completed: {
        const State state = stopped ? State::Stopped : succeeded ? State::Succeeded : State::Failed;
        return {state, state};
    }
    }
    return {State::Unknown, State::Unknown};
}

SubState taskSubState(const TaskState &state)
{
    return std::visit(Overloaded{
                          [](const Waiting &w) {
                              return w.notBefore ? SubState::AttemptCompleted : SubState::AttemptCreationPending;
                          },
                          [](const Placed &) { return SubState::AttemptCreationRequested; },
                          [](const Launching &) { return SubState::AttemptPreparing; },
                          [](const Running &) { return SubState::AttemptRunning; },
                          [](const Stopping &) { return SubState::AttemptDeletionRequested; },
                          [](const Ended &) { return SubState::Completed; },
                      },
        state);
}

std::optional<int> taskCode(const TaskState &state)
{
    if (const auto *stopping = std::get_if<Stopping>(&state)) {
        return stopping->result.code;
    }
    if (const auto *ended = std::get_if<Ended>(&state)) {
        return ended->result.code;
    }
    return std::nullopt;
}

State taskPublicState(const TaskState &state)
{
    // A pause before a retry has no code: it shows as waiting.
    if (std::holds_alternative<Waiting>(state)) {
        return State::Waiting;
    }
    return publicState(taskSubState(state), taskCode(state)).state;
}

const Allocation *placeOf(const TaskState &state)
{
    return std::visit(
        Overloaded{
            [](const Waiting &) -> const Allocation * { return nullptr; },
            [](const auto &held) -> const Allocation * { return held.place.host.isEmpty() ? nullptr : &held.place; },
        },
        state);
}

QString triggerRuleWord(TriggerRule rule)
{
    switch (rule) {
    case TriggerRule::None:
        return {};
    case TriggerRule::MinFailed:
        return u"minFailed"_s;
    case TriggerRule::MinSucceeded:
        return u"minSucceeded"_s;
    case TriggerRule::AllCompleted:
        return u"allCompleted"_s;
    case TriggerRule::StartFailed:
        return u"startFailed"_s;
    case TriggerRule::CompletedTasks:
        return u"completedTasks"_s;
    }
    return {};
}

std::pair<QString, QJsonObject> reasonOf(const JobState &job, const AttemptResult &result)
{
    if (result.reason.isEmpty() && result.rule == TriggerRule::StartFailed && job.contains(result.trigger)) {
        if (const auto *ended = std::get_if<Ended>(&job.task(result.trigger).state)) {
            return {ended->result.reason, ended->result.reasonArgs};
        }
    }
    return {result.reason, result.reasonArgs};
}

bool JobState::contains(TaskRef ref) const
{
    return ref.role >= 0 && std::size_t(ref.role) + 1 < roleStart.size() && ref.index >= 0
        && ref.index < roleStart[std::size_t(ref.role) + 1] - roleStart[std::size_t(ref.role)];
}

std::optional<TaskRef> JobState::find(const QString &role, int index) const
{
    for (std::size_t i = 0; i < policy.roles.size(); ++i) {
        if (policy.roles[i].name == role) {
            const TaskRef ref{std::int32_t(i), index};
            return contains(ref) ? std::optional(ref) : std::nullopt;
        }
    }
    return std::nullopt;
}

TaskRef JobState::refAt(std::size_t position) const
{
    const auto next = std::upper_bound(roleStart.begin(), roleStart.end(), int(position));
    const auto role = std::distance(roleStart.begin(), next) - 1;
    return {std::int32_t(role), std::int32_t(int(position) - roleStart[std::size_t(role)])};
}

JobState newJob(const QUuid &uuid, const JobMeta &meta, JobPolicy policy, qint64 submitted, int priority)
{
    JobState job;
    job.uuid = uuid;
    job.meta = meta;
    job.policy = std::move(policy);
    job.submitted = submitted;
    job.priority = priority;
    layOutTasks(job, submitted);
    return job;
}

void layOutTasks(JobState &job, qint64 created)
{
    job.roleStart.clear();
    int position = 0;
    for (const RolePolicy &role : job.policy.roles) {
        job.roleStart.push_back(position);
        position += role.instances;
    }
    job.roleStart.push_back(position);
    Task task;
    task.created = created;
    job.tasks.assign(std::size_t(position), task);
    recount(job);
}

void countTask(JobState &job, TaskRef ref, const TaskState &state, int by)
{
    switch (taskPublicState(state)) {
    case State::Waiting:
        job.counts.waiting += by;
        break;
    case State::Succeeded:
        job.counts.succeeded += by;
        break;
    case State::Failed:
        job.counts.failed += by;
        break;
    case State::Stopped:
        job.counts.stopped += by;
        break;
    default:
        job.counts.running += by;
        break;
    }
    const auto *placed = std::get_if<Placed>(&state);
    if (const auto *ended = std::get_if<Ended>(&state)) {
        RoleCounters &counters = job.counters[std::size_t(ref.role)];
        job.endedTasks += by;
        counters.ended += by;
        counters.succeeded += ended->result.code == 0 ? by : 0;
        counters.failed += ended->result.code != 0 && !isStopCode(ended->result.code) ? by : 0;
    } else if (!std::holds_alternative<Waiting>(state)) {
        job.allocatedTasks += by;
    }
    if (std::holds_alternative<Waiting>(state) || (placed && !placed->portsDrawn)) {
        job.unreadyTasks += by;
    }
}

void recount(JobState &job)
{
    job.counters.assign(job.policy.roles.size(), {});
    job.counts = {};
    job.endedTasks = job.allocatedTasks = job.unreadyTasks = 0;
    for (std::size_t role = 0; role + 1 < job.roleStart.size(); ++role) {
        for (int i = job.roleStart[role]; i < job.roleStart[role + 1]; ++i) {
            countTask(job, {std::int32_t(role), i - job.roleStart[role]}, job.tasks[std::size_t(i)].state, 1);
        }
    }
}

QUuid tryUuid(const QUuid &job, int attempt, const QString &role, int index, int tryIndex)
{
    const QString name = QString::number(attempt) % '/'_L1 % role % '/'_L1 % QString::number(index) % '/'_L1
        % QString::number(tryIndex);
    return QUuid::createUuidV5(job, name);
}

QUuid tryUuid(const JobState &job, TaskRef ref)
{
    return tryUuid(job.uuid, job.attempt(), job.roleName(ref), ref.index, job.task(ref).tryIndex);
}

SubState jobSubState(const JobState &job)
{
    return std::visit(Overloaded{
                          [&](const Active &) {
                              if (!job.attempts.empty() && job.attempts.back().launched) {
                                  return SubState::AttemptRunning;
                              }
                              return job.allocatedTasks ? SubState::AttemptPreparing : SubState::AttemptCreationPending;
                          },
                          [](const Ending &) { return SubState::AttemptDeleting; },
                          [](const Backoff &) { return SubState::AttemptCompleted; },
                          [](const Finished &) { return SubState::Completed; },
                      },
        job.phase);
}

std::optional<int> jobCode(const JobState &job)
{
    if (job.attempts.empty() || !job.attempts.back().result) {
        return std::nullopt;
    }
    return job.attempts.back().result->code;
}

} // namespace trainyard::core
