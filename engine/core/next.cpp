// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/next.h"

#include "engine/core/retry.h"
#include "model/base/result.h"

#include <algorithm>
#include <functional>
#include <map>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

// Applies one event. Saves and acts are collected apart, so that what is done comes after what is written down.
class Machine
{
public:
    Machine(JobState &job, qint64 now) : m_job(job), m_now(now) { }

    std::vector<Effect> takeEffects()
    {
        m_saves.insert(m_saves.end(), std::make_move_iterator(m_acts.begin()), std::make_move_iterator(m_acts.end()));
        return std::move(m_saves);
    }

    void on(const event::Submitted &)
    {
        if (m_job.attempts.empty() && !m_job.isFinished()) {
            openAttempt(true);
        }
    }

    void on(const event::PlacementGranted &granted)
    {
        effect::DrawPorts draw{m_job.attempt(), {}};
        for (const event::Grant &grant : granted.grants) {
            if (!isCurrent(grant.task, grant.tryUuid)) {
                act(effect::ReleaseTry{grant.task, grant.tryUuid});
                continue;
            }
            const TaskState &state = m_job.task(grant.task).state;
            if (isActive() && std::holds_alternative<Waiting>(state)) {
                setState(grant.task, Placed{.place = grant.place});
                draw.tasks.push_back(grant.task);
            } else if (std::holds_alternative<Waiting>(state) || std::holds_alternative<Ended>(state)) {
                act(effect::ReleaseTry{grant.task, grant.tryUuid});
            }
        }
        if (!draw.tasks.empty()) {
            act(std::move(draw));
        }
    }

    void on(const event::PortsDrawn &drawn)
    {
        if (!isActive()) {
            return;
        }
        std::vector<TaskRef> ready;
        for (const event::DrawnPorts &ports : drawn.tasks) {
            if (!isCurrent(ports.task, ports.tryUuid)) {
                continue;
            }
            const auto *placed = std::get_if<Placed>(&m_job.task(ports.task).state);
            if (!placed || placed->portsDrawn) {
                continue;
            }
            Placed with = *placed;
            with.place.ports = ports.ports;
            with.portsDrawn = true;
            setState(ports.task, std::move(with));
            ready.push_back(ports.task);
        }
        if (!m_job.policy.gang) {
            launch(ready);
        } else if (m_job.unreadyTasks == 0 && !ready.empty()) {
            // A gang needs every address and port before its first task starts.
            std::vector<TaskRef> all;
            all.reserve(m_job.tasks.size());
            forEachTask([&](TaskRef ref, const Task &task) {
                if (std::holds_alternative<Placed>(task.state)) {
                    all.push_back(ref);
                }
            });
            launch(all);
        }
    }

    void on(const event::PlacementFailed &failed)
    {
        if (!isActive() || failed.attempt != m_job.attempt()) {
            return;
        }
        if (m_job.policy.gang) {
            AttemptResult result;
            result.code = failed.result.code;
            result.reason = failed.result.reason;
            result.reasonArgs = failed.result.reasonArgs;
            endAttempt(std::move(result));
            return;
        }
        for (TaskRef ref : failed.tasks) {
            if (!isActive() || !m_job.contains(ref)) {
                continue;
            }
            const TaskState &state = m_job.task(ref).state;
            if (std::holds_alternative<Waiting>(state) || std::holds_alternative<Placed>(state)) {
                endTry(ref, failed.result, 0, m_now, false);
            }
        }
    }

    void on(const event::TryStarted &started)
    {
        if (!isCurrent(started.task, started.tryUuid)) {
            return;
        }
        Task &task = m_job.task(started.task);
        if (auto *stopping = std::get_if<Stopping>(&task.state)) {
            // Asked to end before it was known to run: keep whom to end.
            if (!stopping->process) {
                stopping->process = started.process;
                stopping->began = started.began ? started.began : m_now;
                save(effect::SaveTask{started.task});
            }
            return;
        }
        auto *launching = std::get_if<Launching>(&task.state);
        if (!launching) {
            return;
        }
        const qint64 began = started.began ? started.began : m_now;
        Running running{.place = std::move(launching->place), .process = started.process, .began = began};
        setState(started.task, std::move(running));
        markLaunched(task, began);
        save(effect::SaveTask{started.task});
    }

    void on(const event::TryEnded &ended)
    {
        if (!isCurrent(ended.task, ended.tryUuid)) {
            return;
        }
        Task &task = m_job.task(ended.task);
        const qint64 at = ended.ended ? ended.ended : m_now;
        if (auto *stopping = std::get_if<Stopping>(&task.state)) {
            // The code was written when the attempt ended; only what the process returned is new.
            Ended over{.place = std::move(stopping->place),
                .began = stopping->began ? stopping->began : ended.began,
                .ended = at,
                .result = std::move(stopping->result)};
            over.result.rawExit = ended.result.rawExit;
            if (over.result.reason.isEmpty() && !ended.started) {
                over.result.reason = ended.result.reason;
                over.result.reasonArgs = ended.result.reasonArgs;
            }
            setState(ended.task, std::move(over));
            save(effect::SaveTask{ended.task});
            act(effect::ReleaseTry{ended.task, ended.tryUuid});
            finishIfGone();
            return;
        }
        if (!isActive()) {
            return;
        }
        if (std::holds_alternative<Launching>(task.state) || std::holds_alternative<Running>(task.state)
            || std::holds_alternative<Placed>(task.state)) {
            endTry(ended.task, ended.result, ended.began, at, ended.started);
        }
    }

    void on(const event::TriesEnded &together)
    {
        for (const event::TryEnded &ended : together.tries) {
            if (isCurrent(ended.task, ended.tryUuid)) {
                m_together.emplace(ended.task, &ended);
            }
        }
        for (const event::TryEnded &ended : together.tries) {
            on(ended);
        }
        m_together.clear();
    }

    void on(const event::StopRequested &)
    {
        if (m_job.isFinished() || m_job.stopRequested) {
            return;
        }
        m_job.stopRequested = true;
        save(effect::SaveJob{.durable = true});
        std::visit(Overloaded{
                       [&](const Active &) {
                           if (m_job.attempts.empty()) {
                               openAttempt(true);
                           } else {
                               endAttempt(stopResult());
                           }
                       },
                       [](const Ending &) {}, // its result stays
                       [&](const Resting &resting) { openNext(resting.charged); },
                       [](const Finished &) {},
                   },
            JobPhase(m_job.phase));
    }

    void on(const event::RetryRequested &wanted)
    {
        if (!m_job.isFinished() || m_job.attempts.empty()) {
            return;
        }
        const std::vector<Task> before = m_job.tasks;
        const int kept = m_job.attempt();
        m_job.stopRequested = false;
        m_job.reason.clear();
        m_job.reasonArgs = {};
        m_job.freeInARow = 0;
        ++m_job.retries;
        openAttempt(true, [&](TaskRef ref, Task &task) {
            const Task &old = before[std::size_t(m_job.roleStart[std::size_t(ref.role)] + ref.index)];
            const bool isKept = !wanted.tasks.empty() && std::holds_alternative<Ended>(old.state)
                && std::find(wanted.tasks.begin(), wanted.tasks.end(), ref) == wanted.tasks.end();
            if (isKept) {
                task.tryIndex = old.tryIndex;
                task.firstLaunched = old.firstLaunched;
                task.keptFrom = old.keptFrom.value_or(kept);
                setState(ref, old.state);
            }
        });
    }

    void on(const event::RetryDue &due)
    {
        if (due.attempt != m_job.attempt()) {
            return;
        }
        if (!due.task) {
            if (const auto *resting = std::get_if<Resting>(&m_job.phase)) {
                openNext(resting->charged);
            }
            return;
        }
        if (!isActive() || !m_job.contains(*due.task)) {
            return;
        }
        const auto *waiting = std::get_if<Waiting>(&m_job.task(*due.task).state);
        if (waiting && waiting->notBefore) {
            setState(*due.task, Waiting{});
            save(effect::SaveTask{*due.task});
            act(effect::RequestPlacement{m_job.attempt(), {*due.task}});
        }
    }

    void on(const event::Reconcile &)
    {
        if (m_job.isFinished()) {
            return;
        }
        if (m_job.attempts.empty()) {
            openAttempt(true);
            return;
        }
        if (const auto *resting = std::get_if<Resting>(&m_job.phase)) {
            act(effect::StartTimer{resting->due, m_job.attempt(), {}});
            return;
        }
        effect::RequestPlacement place{m_job.attempt(), {}};
        effect::DrawPorts draw{m_job.attempt(), {}};
        forEachTask([&](TaskRef ref, const Task &task) {
            std::visit(Overloaded{
                           [&](const Waiting &waiting) {
                               if (waiting.notBefore) {
                                   act(effect::StartTimer{waiting.notBefore, m_job.attempt(), ref});
                               } else {
                                   place.tasks.push_back(ref);
                               }
                           },
                           [&](const Placed &placed) {
                               if (!placed.portsDrawn) {
                                   draw.tasks.push_back(ref);
                               }
                           },
                           [&](const Launching &) {
                               act(effect::LaunchTry{ref, tryUuid(m_job, ref)});
                           },
                           [&](const Running &) {
                               act(effect::ObserveTry{ref, tryUuid(m_job, ref)});
                           },
                           [&](const Stopping &) {
                               act(effect::StopTry{ref, tryUuid(m_job, ref)});
                           },
                           [](const Ended &) {},
                       },
                task.state);
        });
        if (isActive() && !place.tasks.empty()) {
            act(std::move(place));
        }
        if (!draw.tasks.empty()) {
            act(std::move(draw));
        }
        finishIfGone();
    }

private:
    template <typename E> void save(E effect) { m_saves.emplace_back(std::move(effect)); }
    template <typename E> void act(E effect) { m_acts.emplace_back(std::move(effect)); }

    template <typename F> void forEachTask(F &&f)
    {
        for (std::size_t role = 0; role + 1 < m_job.roleStart.size(); ++role) {
            const int first = m_job.roleStart[role];
            for (int i = first; i < m_job.roleStart[role + 1]; ++i) {
                f(TaskRef{std::int32_t(role), i - first}, m_job.tasks[std::size_t(i)]);
            }
        }
    }

    bool isActive() const { return std::holds_alternative<Active>(m_job.phase) && !m_job.attempts.empty(); }
    bool isCurrent(TaskRef ref, const QUuid &uuid) const { return m_job.contains(ref) && tryUuid(m_job, ref) == uuid; }

    void setState(TaskRef ref, TaskState state)
    {
        Task &task = m_job.task(ref);
        countTask(m_job, ref, task.state, -1);
        task.state = std::move(state);
        countTask(m_job, ref, task.state, 1);
    }

    void markLaunched(Task &task, qint64 at)
    {
        if (!task.firstLaunched) {
            task.firstLaunched = at;
        }
        AttemptRecord &attempt = m_job.attempts.back();
        if (!attempt.launched) {
            attempt.launched = at;
            save(effect::SaveAttempt{attempt.index});
            save(effect::SaveJob{});
        }
    }

    static AttemptResult stopResult()
    {
        AttemptResult result;
        result.code = codeStopJob;
        return result;
    }

    // `prepare` is called for each task as it is laid out.
    void openAttempt(bool durable, const std::function<void(TaskRef, Task &)> &prepare = {})
    {
        AttemptRecord record;
        record.index = m_job.retries;
        record.created = m_now;
        m_job.attempts.push_back(std::move(record));
        m_job.phase = Active{};
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
        effect::RequestPlacement place{m_job.attempt(), {}};
        place.tasks.reserve(m_job.tasks.size());
        forEachTask([&](TaskRef ref, const Task &task) {
            if (std::holds_alternative<Waiting>(task.state)) {
                place.tasks.push_back(ref);
            }
        });
        if (place.tasks.empty()) {
            endAttempt({});
            return;
        }
        act(std::move(place));
    }

    void openNext(bool charged)
    {
        ++m_job.retries;
        m_job.accountable += charged ? 1 : 0;
        openAttempt(false);
    }

    void launch(const std::vector<TaskRef> &tasks)
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

    // A try is over by itself: retried, or completed and looked at by the completion policy.
    void endTry(TaskRef ref, TryResult result, qint64 began, qint64 ended, bool started)
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
        if (!m_job.policy.gang && retryTask(ref, result, began ? ended - began : 0)) {
            return;
        }
        const ExitClass exitClass = exitClassOf(result.code);
        Place place;
        if (const Place *known = placeOf(task.state)) {
            place = *known;
        }
        const int code = result.code;
        setState(ref, Ended{.place = std::move(place), .began = began, .ended = ended, .result = std::move(result)});
        save(effect::SaveTask{ref});
        const bool transient = exitClass == ExitClass::Transient || exitClass == ExitClass::TransientConflict;
        if (m_job.policy.gang && neverRan && transient && m_job.tasks.size() > 1) {
            // The others were told of a peer that never came: do not let them wait for it.
            AttemptResult start;
            start.code = code;
            start.rule = TriggerRule::StartFailed;
            start.trigger = ref;
            endAttempt(std::move(start));
            return;
        }
        evaluate(ref, code);
    }

    bool retryTask(TaskRef ref, TryResult &result, qint64 ranMs)
    {
        Task &task = m_job.task(ref);
        const RolePolicy &role = m_job.policy.roles[std::size_t(ref.role)];
        const GuardRails &guards = m_job.policy.guards;
        const RetryDecision decision = decideRetry(true, role.taskRetry, task.accountable, result.code);
        if (!decision.retry) {
            return false;
        }
        if (ranMs >= guards.steadyMs) {
            task.freeInARow = 0;
        }
        qint64 pause = 0;
        if (!decision.charged) {
            if (guards.freeRetryCap >= 0 && task.freeInARow >= guards.freeRetryCap) {
                noteCap(result.reason, result.reasonArgs, task.freeInARow);
                return false;
            }
            pause = retryPauseMs(guards, task.freeInARow++);
        } else if (role.taskRetry < 0 && ranMs < guards.steadyMs) {
            pause = retryPauseMs(guards, task.accountable);
        }
        if (const Place *place = placeOf(task.state)) {
            task.lastHost = place->host;
        }
        task.previous = std::move(result);
        ++task.tryIndex;
        task.accountable += decision.charged ? 1 : 0;
        setState(ref, Waiting{.notBefore = pause ? m_now + pause : 0});
        save(effect::SaveTask{ref});
        if (pause) {
            act(effect::StartTimer{m_now + pause, m_job.attempt(), ref});
        } else {
            act(effect::RequestPlacement{m_job.attempt(), {ref}});
        }
        return true;
    }

    static void noteCap(QString &reason, QJsonObject &args, int retries)
    {
        if (reason.isEmpty()) {
            reason = u"retry.cap"_s;
            args = QJsonObject{{u"retries"_s, retries}};
        }
    }

    // The completion policy, for the task that has just completed.
    void evaluate(TaskRef ref, int code)
    {
        const RolePolicy &role = m_job.policy.roles[std::size_t(ref.role)];
        const RoleCounters &counters = m_job.counters[std::size_t(ref.role)];
        AttemptResult result;
        result.trigger = ref;
        if (code != 0 && role.minFailed >= 1 && counters.failed >= role.minFailed) {
            const TryResult &own = std::get<Ended>(m_job.task(ref).state).result;
            result.code = code;
            result.rule = TriggerRule::MinFailed;
            result.count = counters.failed;
            result.limit = int(role.minFailed);
            result.reason = own.reason;
            result.reasonArgs = own.reasonArgs;
        } else if (code == 0 && role.minSucceeded >= 1 && counters.succeeded >= role.minSucceeded) {
            result.rule = TriggerRule::MinSucceeded;
            result.count = counters.succeeded;
            result.limit = int(role.minSucceeded);
        } else if (std::size_t(m_job.endedTasks) == m_job.tasks.size()) {
            result.rule = TriggerRule::AllCompleted;
            result.count = m_job.endedTasks;
            result.limit = m_job.endedTasks;
        } else {
            return;
        }
        endAttempt(std::move(result));
    }

    // Fixes the result, marks what has not ended, and has it torn down.
    void endAttempt(AttemptResult result)
    {
        m_job.attempts.back().result = std::move(result);
        m_job.phase = Ending{};
        bool waited = false;
        bool changed = false;
        for (const auto &[ref, ended] : m_together) {
            changed = keepOwnResult(ref, *ended) || changed;
        }
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
                        Place place = std::move(placed.place);
                        setState(ref, Ended{.place = std::move(place), .began = 0, .ended = m_now, .result = killed});
                    },
                    [&](Launching &launching) {
                        changed = true;
                        act(effect::StopTry{ref, uuid});
                        Place place = std::move(launching.place);
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
        if (m_job.heldTasks > 0) {
            save(effect::SaveJob{});
        }
        finishIfGone();
    }

    // It had ended by itself when the attempt was ended.
    bool keepOwnResult(TaskRef ref, const event::TryEnded &ended)
    {
        const TaskState &state = m_job.task(ref).state;
        const auto *running = std::get_if<Running>(&state);
        if (!running && !std::holds_alternative<Launching>(state)) {
            return false;
        }
        act(effect::ReleaseTry{ref, ended.tryUuid});
        const qint64 began = ended.began ? ended.began : running ? running->began : 0;
        Place place = *placeOf(state);
        setState(ref,
            Ended{.place = std::move(place),
                .began = began,
                .ended = ended.ended ? ended.ended : m_now,
                .result = ended.result});
        return true;
    }

    // Everything of the attempt is gone: retry or finish.
    void finishIfGone()
    {
        if (!std::holds_alternative<Ending>(m_job.phase) || m_job.heldTasks > 0) {
            return;
        }
        AttemptRecord &record = m_job.attempts.back();
        const int code = record.result->code;
        const GuardRails &guards = m_job.policy.guards;
        record.completed = m_now;
        save(effect::SaveAttempt{record.index});

        RetryDecision decision
            = decideRetry(m_job.policy.jobRetry != -2, m_job.policy.jobRetry, m_job.accountable, code);
        const qint64 ran = record.launched ? m_now - *record.launched : 0;
        if (ran >= guards.steadyMs) {
            m_job.freeInARow = 0;
        }
        const bool capped = decision.retry && !decision.charged && !m_job.stopRequested && guards.freeRetryCap >= 0
            && m_job.freeInARow >= guards.freeRetryCap;
        if (capped) {
            noteCap(m_job.reason, m_job.reasonArgs, m_job.freeInARow);
            decision = {};
        }
        act(effect::AttemptEnded{record.index, code, decision.retry});
        if (decision.retry) {
            rest(decision, ran);
        } else {
            m_job.phase = Finished{m_now};
            save(effect::SaveJob{.durable = true});
            act(effect::JobEnded{code, publicState(SubState::Completed, code).state});
        }
    }

    void rest(const RetryDecision &decision, qint64 ran)
    {
        const GuardRails &guards = m_job.policy.guards;
        qint64 delay = 0;
        if (m_job.stopRequested) {
            delay = 0; // the next attempt is empty
        } else if (decision.delayed) {
            delay = conflictDelaySec() * 1000;
            ++m_job.freeInARow;
        } else if (!decision.charged) {
            delay = retryPauseMs(guards, m_job.freeInARow++);
        } else if (m_job.policy.jobRetry < 0 && ran < guards.steadyMs) {
            delay = retryPauseMs(guards, m_job.accountable);
        }
        m_job.phase = Resting{.due = m_now + delay, .conflict = decision.delayed, .charged = decision.charged};
        save(effect::SaveJob{});
        act(effect::StartTimer{m_now + delay, m_job.attempt(), {}});
    }

    // Different for every retry, yet the same whenever it is computed.
    qint64 conflictDelaySec() const
    {
        const GuardRails &guards = m_job.policy.guards;
        const qint64 width = std::max<qint64>(0, guards.conflictMaxSec - guards.conflictMinSec) + 1;
        const QUuid draw = QUuid::createUuidV5(m_job.uuid, u"delay/%1"_s.arg(m_job.attempt()));
        return guards.conflictMinSec + qint64(draw.data1) % width;
    }

    JobState &m_job;
    qint64 m_now;
    std::vector<Effect> m_saves, m_acts;
    std::map<TaskRef, const event::TryEnded *> m_together; // of one TriesEnded
};

} // namespace

Step next(JobState job, const Event &event)
{
    Step step{std::move(job), {}};
    Machine machine(step.job, event.at);
    std::visit([&](const auto &what) { machine.on(what); }, event.what);
    step.effects = machine.takeEffects();
    return step;
}

void orderTick(std::vector<Event> &events)
{
    const auto isStop = [](const Event &event) { return std::holds_alternative<event::StopRequested>(event.what); };
    const auto isExit = [](const Event &event) { return std::holds_alternative<event::TryEnded>(event.what); };
    std::stable_partition(events.begin(), events.end(), isStop);
    const auto exits = std::stable_partition(events.begin(), events.end(), [&](const Event &e) { return !isExit(e); });
    if (std::distance(exits, events.end()) < 2) {
        return;
    }
    std::stable_sort(exits, events.end(), [](const Event &a, const Event &b) {
        const TaskRef taskA = std::get<event::TryEnded>(a.what).task;
        const TaskRef taskB = std::get<event::TryEnded>(b.what).task;
        return std::tie(a.at, taskA) < std::tie(b.at, taskB);
    });
    event::TriesEnded together;
    for (auto it = exits; it != events.end(); ++it) {
        together.tries.push_back(std::move(std::get<event::TryEnded>(it->what)));
    }
    const qint64 at = events.back().at;
    events.erase(exits, events.end());
    events.push_back({at, std::move(together)});
}

} // namespace trainyard::core
