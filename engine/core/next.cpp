// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/next.h"

#include "engine/core/causeelsewhere.h"
#include "engine/core/machine.h"

#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

void Machine::on(const event::Submitted &)
{
    if (m_job.attempts.empty() && !m_job.isFinished()) {
        openAttempt(true);
    }
}

void Machine::on(const event::PlacementGranted &granted)
{
    effect::DrawPorts draw{m_job.attempt(), {}};
    for (const event::Grant &grant : granted.grants) {
        if (!isCurrent(grant.task, grant.tryUuid)) {
            act(effect::ReleaseTry{grant.task, grant.tryUuid});
            continue;
        }
        const TaskState &state = m_job.task(grant.task).state;
        if (isActive() && !m_job.isBlocked() && std::holds_alternative<Waiting>(state)) {
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

void Machine::on(const event::PortsDrawn &drawn)
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

void Machine::on(const event::PlacementFailed &failed)
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

void Machine::on(const event::TryStarted &started)
{
    if (!isCurrent(started.task, started.tryUuid)) {
        return;
    }
    Task &task = m_job.task(started.task);
    if (auto *stopping = std::get_if<Stopping>(&task.state)) {
        // A stop was requested before the task was known to run: keeps the process that must be stopped.
        if (!stopping->process) {
            stopping->process = started.process;
            stopping->began = started.began ? started.began : m_now;
            markLaunched(task, stopping->began, started.process);
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
    markLaunched(task, began, started.process);
    save(effect::SaveTask{started.task});
    if (m_job.pausedAt) {
        act(effect::PauseTry{started.task, started.tryUuid, true}); // it was on its way
    }
}

// The first thing of a stopped try that is still there, as a reason.
static TryResult leftOf(const TaskUsage &usage)
{
    TryResult result;
    QStringList names;
    const QJsonArray processes = usage.left.value("processes"_L1).toArray();
    for (const QJsonValue &process : processes) {
        names.append(process.toString());
    }
    const QJsonObject gpu = usage.left.value("gpus"_L1).toArray().at(0).toObject();
    if (!names.isEmpty()) {
        result.reason = u"left.processes"_s;
        result.reasonArgs = {{u"processes"_s, names.join(u", "_s)}};
    } else if (!gpu.isEmpty()) {
        const QJsonArray holders = gpu.value("holders"_L1).toArray();
        for (const QJsonValue &holder : holders) {
            names.append(holder.toString());
        }
        result.reason = names.isEmpty() ? u"left.gpu-unknown"_s : u"left.gpu"_s;
        result.reasonArgs = {{u"gpu"_s, gpu.value("index"_L1)}, {u"memoryMiB"_s, gpu.value("memoryMiB"_L1)},
            {u"processes"_s, names.join(u", "_s)}};
    } else if (const QJsonValue unwritten = usage.left.value("unwrittenBytes"_L1); unwritten.isDouble()) {
        result.reason = u"left.output"_s;
        result.reasonArgs = {{u"bytes"_s, unwritten}};
    }
    return result;
}

void Machine::on(const event::TryEnded &ended)
{
    if (!isCurrent(ended.task, ended.tryUuid)) {
        return;
    }
    Task &task = m_job.task(ended.task);
    const qint64 at = ended.ended ? ended.ended : m_now;
    if (!std::holds_alternative<Waiting>(task.state) && !std::holds_alternative<Ended>(task.state)) {
        task.usage = ended.usage;
    }
    if (auto *stopping = std::get_if<Stopping>(&task.state)) {
        // The code was written when the attempt ended; only what the process returned is new, unless it had ended
        // before.
        Ended over{.place = std::move(stopping->place),
            .began = stopping->began ? stopping->began : ended.began,
            .ended = at,
            .result = std::move(stopping->result)};
        over.result.rawExit = ended.result.rawExit;
        if (ended.isOwn && isStoppedAsAJob()) {
            over.result = ended.result;
        }
        if (ended.started && over.began) {
            markLaunched(task, over.began); // its start was never reported
        }
        if (over.result.reason.isEmpty() && !ended.started) {
            over.result.reason = ended.result.reason;
            over.result.reasonArgs = ended.result.reasonArgs;
        } else if (over.result.reason.isEmpty() && showsCause(ended.result.reasonArgs)) {
            // It had failed before it was stopped, and had not ended yet.
            over.result.reasonArgs = {{failureKey, ended.result.reasonArgs.value(failureKey)}};
            noteCause(ended.task, over.result);
        }
        const bool isGivenUp = over.result.reason.startsWith("stop.given-up"_L1)
            || over.result.reason == "stop.host-unreachable"_L1; // it may run on unseen
        if (m_job.reason.isEmpty() && isGivenUp) {
            m_job.reason = over.result.reason;
            m_job.reasonArgs = over.result.reasonArgs;
            save(effect::SaveJob{});
        }
        if (const TryResult left = leftOf(ended.usage); !left.reason.isEmpty()) {
            over.result.reason = left.reason;
            over.result.reasonArgs = left.reasonArgs;
            if (m_job.reason.isEmpty()) {
                m_job.reason = left.reason;
                m_job.reasonArgs = left.reasonArgs;
                m_job.reasonArgs.insert(u"role"_s, m_job.roleName(ended.task));
                m_job.reasonArgs.insert(u"index"_s, ended.task.index);
                save(effect::SaveJob{});
            }
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

void Machine::on(const event::TriesEnded &together)
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

void Machine::on(const event::StopRequested &wanted)
{
    if (m_job.isFinished() || m_job.stopRequested) {
        return;
    }
    m_job.stopRequested = true;
    m_whyStopped = wanted.why;
    if (m_job.pausedAt) {
        endPause(m_now, true);
        m_job.pausedMs = std::max<qint64>(1, m_job.pausedMs); // what was halted must wake to end
    }
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
                   [&](const Backoff &backoff) { openNext(backoff.charged); },
                   [](const Finished &) {},
               },
        JobPhase(m_job.phase));
}

void Machine::on(const event::RetryRequested &wanted)
{
    if (!m_job.isFinished() || m_job.attempts.empty()) {
        return;
    }
    const std::vector<Task> before = m_job.tasks;
    const int kept = m_job.attempt();
    m_job.stopRequested = false;
    m_job.pausedAt.reset();
    m_job.after.clear();
    m_job.reason.clear();
    m_job.reasonArgs = {};
    m_job.consecutiveFreeRetries = 0;
    ++m_job.retries;
    openAttempt(true, [&](TaskRef ref, Task &task) {
        const Task &old = before[std::size_t(m_job.roleStart[std::size_t(ref.role)] + ref.index)];
        const bool isKept = !wanted.tasks.empty() && std::holds_alternative<Ended>(old.state)
            && std::find(wanted.tasks.begin(), wanted.tasks.end(), ref) == wanted.tasks.end();
        if (isKept) {
            task.tryIndex = old.tryIndex;
            task.created = old.created;
            task.firstLaunched = old.firstLaunched;
            task.usage = old.usage;
            task.keptFrom = old.keptFrom.value_or(kept);
            setState(ref, old.state);
        }
    });
}

void Machine::on(const event::RetryDue &due)
{
    if (due.attempt != m_job.attempt()) {
        return;
    }
    if (!due.task) {
        if (const auto *backoff = std::get_if<Backoff>(&m_job.phase)) {
            openNext(backoff->charged);
        }
        return;
    }
    if (!isActive() || !m_job.contains(*due.task)) {
        return;
    }
    const auto *waiting = std::get_if<Waiting>(&m_job.task(*due.task).state);
    // The timer of a pause that was cut short may fire in the next one.
    if (waiting && waiting->notBefore && (due.due == 0 || due.due == waiting->notBefore)) {
        setState(*due.task, Waiting{});
        save(effect::SaveTask{*due.task});
        requestPlaces({*due.task});
    }
}

void Machine::on(const event::Reconcile &)
{
    if (m_job.isFinished()) {
        return;
    }
    if (m_job.attempts.empty()) {
        openAttempt(true);
        return;
    }
    if (const auto *backoff = std::get_if<Backoff>(&m_job.phase)) {
        act(effect::StartTimer{backoff->due, m_job.attempt(), {}});
        return;
    }
    std::vector<TaskRef> place;
    effect::DrawPorts draw{m_job.attempt(), {}};
    forEachTask([&](TaskRef ref, const Task &task) {
        std::visit(Overloaded{
                       [&](const Waiting &waiting) {
                           if (waiting.notBefore) {
                               act(effect::StartTimer{waiting.notBefore, m_job.attempt(), ref});
                           } else {
                               place.push_back(ref);
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
                           if (m_job.pausedAt || m_job.pausedMs > 0) {
                               act(effect::PauseTry{ref, tryUuid(m_job, ref), m_job.pausedAt.has_value()});
                           }
                       },
                       [&](const Stopping &) {
                           act(effect::StopTry{ref, tryUuid(m_job, ref)});
                       },
                       [](const Ended &) {},
                   },
            task.state);
    });
    if (isActive()) {
        requestPlaces(std::move(place));
        startLimit();
    }
    if (!draw.tasks.empty()) {
        act(std::move(draw));
    }
    finishIfGone();
}

Step next(JobState job, const Event &event, const ExitRules &rules)
{
    Step step{std::move(job), {}};
    Machine machine(step.job, rules, event.at, event.boot);
    std::visit([&](const auto &what) { machine.on(what); }, event.what);
    step.effects = machine.takeEffects();
    return step;
}

Step submitted(
    const QUuid &uuid, const JobMeta &meta, JobPolicy policy, qint64 at, int priority, std::vector<Dependency> after)
{
    JobState job = newJob(uuid, meta, std::move(policy), at, priority);
    job.after = std::move(after);
    return next(std::move(job), {at, event::Submitted{}}, ExitRules::bundled());
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
    // When it ended, as far as that is known: the one that the others followed is the one to be named.
    const auto orderOf = [](const Event &event) {
        const auto &over = std::get<event::TryEnded>(event.what);
        return std::pair(over.ended > 0 ? std::min(over.ended, event.at) : event.at, over.task);
    };
    std::stable_sort(
        exits, events.end(), [&orderOf](const Event &a, const Event &b) { return orderOf(a) < orderOf(b); });
    event::TriesEnded together;
    for (auto it = exits; it != events.end(); ++it) {
        together.tries.push_back(std::move(std::get<event::TryEnded>(it->what)));
    }
    const qint64 at = events.back().at;
    events.erase(exits, events.end());
    events.push_back({at, std::move(together)});
}

} // namespace trainyard::core
