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
    constexpr qint64 mostStartMs = 5000; // from the process to what it runs
    if (!m_boot) {
        return std::nullopt;
    }
    const qint64 told = m_boot->ms - std::max<qint64>(0, m_now - at);
    if (process && process->bootId == m_boot->boot && process->startTime > 0) {
        // The process is there a moment before `at`, from which the time counts that is shown, unless the clock was
        // set.
        const qint64 since = std::min(qint64(process->startTime) * msPerTick, m_boot->ms);
        return BootTime{m_boot->boot, told >= since && told - since <= mostStartMs ? told : since};
    }
    return BootTime{m_boot->boot, told};
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
        if (isActive()) {
            startLimit();
        }
    }
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
    // Earlier failures precede any success of this attempt.
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

} // namespace trainyard::core
