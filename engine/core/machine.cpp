// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/machine.h"

#include "engine/core/causeelsewhere.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

void Machine::setState(TaskRef ref, TaskState state)
{
    Task &task = m_job.task(ref);
    countTask(m_job, ref, task.state, -1);
    task.state = std::move(state);
    countTask(m_job, ref, task.state, 1);
}

std::optional<BootTime> Machine::bootTimeOf(qint64 at, const std::optional<ProcessId> &process) const
{
    constexpr qint64 msPerTick = 10; // of /proc/PID/stat
    if (!m_boot) {
        return std::nullopt;
    }
    if (process && process->bootId == m_boot->boot && process->startTime > 0) {
        return BootTime{m_boot->boot, std::min(qint64(process->startTime) * msPerTick, m_boot->ms)};
    }
    return BootTime{m_boot->boot, m_boot->ms - std::max<qint64>(0, m_now - at)};
}

void Machine::markLaunched(Task &task, qint64 at, const std::optional<ProcessId> &process)
{
    if (!task.firstLaunched) {
        task.firstLaunched = at;
    }
    AttemptRecord &attempt = m_job.attempts.back();
    if (!attempt.launched) {
        attempt.launched = at;
        m_job.pausedMs = 0; // what was paused before is not of its time
        attempt.launchedBoot = bootTimeOf(at, process);
        save(effect::SaveAttempt{attempt.index});
        save(effect::SaveJob{});
        startLimit();
    }
}

// Another program took one of its GPUs first. That is not the fault of the task and costs nothing; the engine waits
// until they are free before it places anything there again.
static bool wasTaken(const QString &reason) { return reason == "launch.gpu-busy"_L1; }

static bool wasTaken(const JobState &job, const AttemptResult &result)
{
    const auto *trigger = job.contains(result.trigger) ? std::get_if<Ended>(&job.task(result.trigger).state) : nullptr;
    return wasTaken(result.reason) || (trigger && wasTaken(trigger->result.reason));
}

AttemptResult Machine::stopResult() const
{
    AttemptResult result;
    result.code = codeStopJob;
    result.reason = m_whyStopped.code;
    result.reasonArgs = m_whyStopped.args;
    return result;
}

// `prepare` is called for each task as it is laid out.
void Machine::openAttempt(bool durable, const std::function<void(TaskRef, Task &)> &prepare)
{
    AttemptRecord record;
    record.index = m_job.retries;
    record.created = m_now;
    m_job.attempts.push_back(std::move(record));
    m_job.phase = Active{};
    m_job.pausedMs = 0;
    layOutTasks(m_job, m_now);
    if (prepare) {
        forEachTask(prepare);
    }
    save(effect::SaveJob{.durable = durable});
    save(effect::SaveAttempt{m_job.attempt()});
    if (!m_job.stopRequested) {
        save(effect::SaveTasks{m_job.attempt()});
    }
    act(effect::AttemptOpened{m_job.attempt()});
    if (m_job.stopRequested) {
        endAttempt(stopResult());
        return;
    }
    bool anyWaits = false;
    forEachTask([&](TaskRef, const Task &task) { anyWaits = anyWaits || std::holds_alternative<Waiting>(task.state); });
    if (anyWaits) {
        requestAllPlaces();
    } else {
        endAttempt({});
    }
}

void Machine::openNext(bool charged)
{
    ++m_job.retries;
    m_job.chargedRetries += charged ? 1 : 0;
    openAttempt(false);
}

void Machine::launch(const std::vector<TaskRef> &tasks)
{
    if (tasks.size() == m_job.tasks.size() && tasks.size() > 1) {
        save(effect::SaveTasks{m_job.attempt()});
    }
    for (TaskRef ref : tasks) {
        auto *placed = std::get_if<Placed>(&m_job.task(ref).state);
        setState(ref, Launching{.place = std::move(placed->place)});
        if (tasks.size() != m_job.tasks.size() || tasks.size() == 1) {
            save(effect::SaveTask{ref});
        }
        act(effect::LaunchTry{ref, tryUuid(m_job, ref)});
    }
}

// Handles a try that ended by itself: the task is retried, or completes and goes to the completion policy.
void Machine::endTry(TaskRef ref, TryResult result, qint64 began, qint64 ended, bool started)
{
    Task &task = m_job.task(ref);
    const QUuid uuid = tryUuid(m_job, ref);
    const bool held = !std::holds_alternative<Waiting>(task.state);
    const auto *running = std::get_if<Running>(&task.state);
    if (running && !began) {
        began = running->began;
    }
    const bool neverRan = !running && !started;
    if (!running && started) {
        markLaunched(task, began ? began : ended); // its start was never reported
    }
    if (held) {
        act(effect::ReleaseTry{ref, uuid});
    }
    if (!m_job.policy.gang && retryTask(ref, result, began, ended, neverRan)) {
        return;
    }
    const ExitClass exitClass = exitClassOf(m_rules, result.code);
    Allocation place;
    if (const Allocation *known = placeOf(task.state)) {
        place = *known;
    }
    const int code = result.code;
    setState(ref, Ended{.place = std::move(place), .began = began, .ended = ended, .result = std::move(result)});
    save(effect::SaveTask{ref});
    const bool transient = exitClass == ExitClass::Transient || exitClass == ExitClass::TransientConflict;
    if (m_job.policy.gang && neverRan && transient && m_job.tasks.size() > 1) {
        // The other tasks were told about a peer that never came and must not wait for it.
        AttemptResult start;
        start.code = code;
        start.rule = TriggerRule::StartFailed;
        start.trigger = ref;
        endAttempt(std::move(start));
        return;
    }
    evaluate(ref, code);
}

// From now on the record of the task is that of the next try.
void Machine::keepTry(TaskRef ref, TryResult result, qint64 began, qint64 ended, bool neverRan)
{
    const Task &task = m_job.task(ref);
    auto over = std::make_shared<Task>();
    const Allocation *place = placeOf(task.state);
    over->state
        = Ended{.place = place ? *place : Allocation{}, .began = began, .ended = ended, .result = std::move(result)};
    over->tryIndex = task.tryIndex;
    over->chargedRetries = task.chargedRetries;
    over->created = task.tryIndex == 0 ? task.created : 0;
    if (!neverRan) {
        over->firstLaunched = began ? began : ended;
        over->usage = task.usage;
    }
    save(effect::SaveTry{ref, std::move(over)});
}

bool Machine::retryTask(TaskRef ref, TryResult &result, qint64 began, qint64 ended, bool neverRan)
{
    const qint64 ranMs = began ? ended - began : 0;
    Task &task = m_job.task(ref);
    const RolePolicy &role = m_job.policy.roles[std::size_t(ref.role)];
    const RetryLimits &guards = m_job.policy.guards;
    const RetryDecision decision = decideRetry(m_rules, true, role.taskRetry, task.chargedRetries, result.code);
    if (!decision.retry) {
        return false;
    }
    if (ranMs >= guards.steadyMs) {
        task.consecutiveFreeRetries = 0;
    }
    qint64 pause = 0;
    if (!decision.charged && !wasTaken(result.reason)) {
        if (const int most = freeRetriesOf(guards, result.reason); most >= 0 && task.consecutiveFreeRetries >= most) {
            noteCap(result.reason, result.reasonArgs, task.consecutiveFreeRetries);
            return false;
        }
        pause = retryPauseMs(guards, task.consecutiveFreeRetries++);
    } else if (decision.charged && role.taskRetry < 0 && ranMs < guards.steadyMs) {
        pause = retryPauseMs(guards, task.chargedRetries);
    }
    keepTry(ref, result, began, ended, neverRan);
    if (const Allocation *place = placeOf(task.state)) {
        task.lastHost = place->host;
    }
    task.previous = std::move(result);
    ++task.tryIndex;
    task.chargedRetries += decision.charged ? 1 : 0;
    setState(ref,
        pause ? Waiting{.notBefore = m_now + pause, .charged = decision.charged, .since = ended > 0 ? ended : m_now}
              : Waiting());
    save(effect::SaveTask{ref});
    if (pause) {
        act(effect::StartTimer{m_now + pause, m_job.attempt(), ref});
    } else {
        requestPlaces({ref});
    }
    return true;
}

void Machine::noteCap(QString &reason, QJsonObject &args, int retries)
{
    if (reason.isEmpty()) {
        reason = u"retry.cap"_s;
        args = QJsonObject{{u"retries"_s, retries}};
    }
}

// Applies the completion policy to the task that has just completed.
void Machine::evaluate(TaskRef ref, int code)
{
    const RolePolicy &role = m_job.policy.roles[std::size_t(ref.role)];
    const RoleCounters &counters = m_job.counters[std::size_t(ref.role)];
    AttemptResult result;
    result.trigger = ref;
    const auto takeOwn = [&result](const TryResult &own) {
        result.code = own.code;
        result.rawExit = own.rawExit;
        result.reason = own.reason;
        result.reasonArgs = own.reasonArgs;
    };
    if (code != 0 && role.minFailed >= 1 && counters.failed >= role.minFailed) {
        takeOwn(std::get<Ended>(m_job.task(ref).state).result);
        result.rule = TriggerRule::MinFailed;
        result.count = counters.failed;
        result.limit = int(role.minFailed);
    } else if (code == 0 && role.minSucceeded >= 1 && counters.succeeded >= role.minSucceeded) {
        result.rule = TriggerRule::MinSucceeded;
        result.count = counters.succeeded;
        result.limit = int(role.minSucceeded);
    } else if (m_job.policy.completedLimit > 0 && m_job.endedTasks >= m_job.policy.completedLimit) {
        // The result is that of the task that reached the limit.
        takeOwn(std::get<Ended>(m_job.task(ref).state).result);
        result.rule = TriggerRule::CompletedTasks;
        result.count = m_job.endedTasks;
        result.limit = m_job.policy.completedLimit;
    } else if (std::size_t(m_job.endedTasks) != m_job.tasks.size()) {
        return;
    } else {
        result.rule = TriggerRule::AllCompleted;
        result.count = m_job.endedTasks;
        result.limit = m_job.endedTasks;
    }
    // What has failed before came before any success of this attempt.
    if (const std::optional<TaskRef> former = result.code == 0 ? keptFailure() : std::nullopt) {
        takeOwn(std::get<Ended>(m_job.task(*former).state).result);
        result.trigger = *former;
        result.rule = TriggerRule::MinFailed;
        result.count = m_job.counters[std::size_t(former->role)].failed;
        result.limit = int(m_job.policy.roles[std::size_t(former->role)].minFailed);
    }
    endAttempt(std::move(result));
}

// A task that failed in a former attempt and does not run again, where so many failures are too many for its role.
std::optional<TaskRef> Machine::keptFailure()
{
    std::optional<TaskRef> found;
    forEachTask([&](TaskRef ref, const Task &task) {
        const RolePolicy &role = m_job.policy.roles[std::size_t(ref.role)];
        const bool areTooMany = role.minFailed >= 1 && m_job.counters[std::size_t(ref.role)].failed >= role.minFailed;
        const auto *ended = std::get_if<Ended>(&task.state);
        if (!found && areTooMany && task.keptFrom && ended && ended->result.code != 0
            && !isStopCode(ended->result.code)) {
            found = ref;
        }
    });
    return found;
}

// Fixes the result of the attempt, marks the tasks that have not ended, and stops them.
void Machine::endAttempt(AttemptResult result)
{
    m_job.attempts.back().result = std::move(result);
    m_job.phase = Ending{};
    bool waited = false;
    bool changed = false;
    for (const auto &[ref, ended] : m_together) {
        changed = keepOwnResult(ref, *ended) || changed;
    }
    forEachTask([&](TaskRef ref, const Task &task) {
        if (const auto *ended = std::get_if<Ended>(&task.state); ended && !task.keptFrom) {
            noteCause(ref, ended->result);
        }
    });
    const TryResult killed{.code = codeAttemptEnded, .rawExit = {}, .reason = {}, .reasonArgs = {}};
    forEachTask([&](TaskRef ref, Task &task) {
        const QUuid uuid = std::holds_alternative<Ended>(task.state) ? QUuid() : tryUuid(m_job, ref);
        std::visit(
            Overloaded{
                [&](Waiting &) {
                    waited = changed = true;
                    setState(ref, Ended{.place = {}, .began = 0, .ended = m_now, .result = killed});
                },
                [&](Placed &placed) {
                    changed = true;
                    act(effect::ReleaseTry{ref, uuid});
                    Allocation place = std::move(placed.place);
                    setState(ref, Ended{.place = std::move(place), .began = 0, .ended = m_now, .result = killed});
                },
                [&](Launching &launching) {
                    changed = true;
                    act(effect::StopTry{ref, uuid});
                    Allocation place = std::move(launching.place);
                    setState(ref, Stopping{.place = std::move(place), .process = {}, .began = 0, .result = killed});
                },
                [&](Running &running) {
                    changed = true;
                    act(effect::StopTry{ref, uuid});
                    Running was = std::move(running);
                    setState(ref,
                        Stopping{.place = std::move(was.place),
                            .process = std::move(was.process),
                            .began = was.began,
                            .result = killed});
                },
                [](Stopping &) {},
                [](Ended &) {},
            },
            task.state);
    });
    save(effect::SaveAttempt{m_job.attempt()});
    if (changed) {
        save(effect::SaveTasks{m_job.attempt()});
    }
    if (waited) {
        act(effect::CancelPlacement{m_job.attempt()});
    }
    if (m_job.allocatedTasks > 0) {
        save(effect::SaveJob{});
    }
    finishIfGone();
}

void Machine::noteCause(TaskRef ref, const TryResult &own)
{
    std::optional<AttemptResult> &result = m_job.attempts.back().result;
    if (result && result->code != 0 && result->trigger.role >= 0 && !(result->trigger == ref)
        && takeCauseOf(u"%1/%2"_s.arg(m_job.roleName(ref)).arg(ref.index), own.reasonArgs, &result->reasonArgs)) {
        save(effect::SaveAttempt{m_job.attempt()});
    }
}

// Whether the task had ended by itself when the attempt was ended; it then keeps its own result.
bool Machine::keepOwnResult(TaskRef ref, const event::TryEnded &ended)
{
    const TaskState &state = m_job.task(ref).state;
    const auto *running = std::get_if<Running>(&state);
    if (!running && !std::holds_alternative<Launching>(state)) {
        return false;
    }
    act(effect::ReleaseTry{ref, ended.tryUuid});
    const qint64 began = ended.began ? ended.began : running ? running->began : 0;
    m_job.task(ref).usage = ended.usage;
    Allocation place = *placeOf(state);
    setState(ref,
        Ended{.place = std::move(place),
            .began = began,
            .ended = ended.ended ? ended.ended : m_now,
            .result = ended.result});
    return true;
}

// When the last of its tasks ended, which may be long before the engine could look: it was not running, or the host was
// out of reach.
qint64 Machine::goneAt() const
{
    qint64 last = 0;
    for (const Task &task : m_job.tasks) {
        const auto *ended = std::get_if<Ended>(&task.state);
        last = std::max(last, ended && !task.keptFrom ? ended->ended : 0);
    }
    const AttemptRecord &record = m_job.attempts.back();
    return last ? std::min(std::max(last, record.launched.value_or(record.created)), m_now) : m_now;
}

// Retries or finishes the job when nothing of the attempt is left.
void Machine::finishIfGone()
{
    if (!std::holds_alternative<Ending>(m_job.phase) || m_job.allocatedTasks > 0) {
        return;
    }
    AttemptRecord &record = m_job.attempts.back();
    const int code = record.result->code;
    const RetryLimits &guards = m_job.policy.guards;
    const qint64 at = goneAt();
    record.completed = at;
    save(effect::SaveAttempt{record.index});

    RetryDecision decision
        = decideRetry(m_rules, m_job.policy.jobRetry != -2, m_job.policy.jobRetry, m_job.chargedRetries, code);
    const qint64 ran = record.launched ? at - *record.launched : 0;
    if (ran >= guards.steadyMs) {
        m_job.consecutiveFreeRetries = 0;
    }
    if (m_job.contains(record.result->trigger) && m_job.task(record.result->trigger).keptFrom) {
        decision = {}; // nobody wants that task to run again
    }
    const bool taken = wasTaken(m_job, *record.result);
    const int most = freeRetriesOf(guards, reasonOf(m_job, *record.result).first);
    const bool capped = decision.retry && !decision.charged && !taken && !m_job.stopRequested && most >= 0
        && m_job.consecutiveFreeRetries >= most;
    if (capped) {
        // What could not be had ("that port is in use") says more than how often it was tried.
        if (!record.result || reasonOf(m_job, *record.result).first.isEmpty()) {
            noteCap(m_job.reason, m_job.reasonArgs, m_job.consecutiveFreeRetries);
        }
        decision = {};
    }
    act(effect::AttemptEnded{record.index, code, decision.retry});
    if (decision.retry) {
        rest(decision, ran, taken);
    } else {
        endPause(at, true); // what was halted may end all the same: it is killed, or its host goes down
        m_job.phase = Finished{at};
        save(effect::SaveJob{.durable = true});
        act(effect::JobEnded{code, publicState(SubState::Completed, code).state});
    }
}

void Machine::rest(const RetryDecision &decision, qint64 ran, bool taken)
{
    const RetryLimits &guards = m_job.policy.guards;
    qint64 delay = 0;
    if (m_job.stopRequested || taken) {
        delay = 0; // the next attempt is empty, or waits for other GPUs
    } else if (decision.delayed) {
        delay = conflictDelaySec() * 1000;
        ++m_job.consecutiveFreeRetries;
    } else if (!decision.charged) {
        delay = retryPauseMs(guards, m_job.consecutiveFreeRetries++);
    } else if (m_job.policy.jobRetry < 0 && ran < guards.steadyMs) {
        delay = retryPauseMs(guards, m_job.chargedRetries);
    }
    m_job.phase = Backoff{.due = m_now + delay, .conflict = decision.delayed, .charged = decision.charged};
    save(effect::SaveJob{});
    act(effect::StartTimer{m_now + delay, m_job.attempt(), {}});
}

// The pause after a conflict: different for every retry, but the same whenever it is computed.
qint64 Machine::conflictDelaySec() const
{
    const RetryLimits &guards = m_job.policy.guards;
    const qint64 width = std::max<qint64>(0, guards.conflictMaxSec - guards.conflictMinSec) + 1;
    const QUuid draw = QUuid::createUuidV5(m_job.uuid, u"delay/%1"_s.arg(m_job.attempt()));
    return guards.conflictMinSec + qint64(draw.data1) % width;
}

} // namespace trainyard::core
