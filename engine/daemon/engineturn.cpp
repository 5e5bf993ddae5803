// SPDX-License-Identifier: GPL-3.0-or-later
// One turn: events go through the pure core, what it saves goes into one transaction, and only after the commit the
// effects are carried out. A crash in between is repaired by doing them again.
#include "engine/core/report.h"
#include "engine/daemon/engineprivate.h"
#include "engine/daemon/sshkeys.h"

#include <QDateTime>

#include <atomic>
#include <chrono>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qint64 tellMs = 50; // 20 messages a second per job

} // namespace

namespace
{
std::atomic<qint64> clockStep{0};
} // namespace

qint64 nowMs() { return QDateTime::currentMSecsSinceEpoch() + clockStep; }

void stepClockForTests(qint64 ms) { clockStep += ms; }

qint64 steadyMs()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

void Engine::Private::post(ActiveJob &job, core::Event event)
{
    m_events.emplace_back(&job, std::move(event));
    wantTurn();
}

void Engine::Private::wantTurn()
{
    if (!m_turnWanted && !m_inTurn) {
        m_turnWanted = true;
        QMetaObject::invokeMethod(
            q,
            [this] {
                m_turnWanted = false;
                turn();
            },
            Qt::QueuedConnection);
    }
}

void Engine::Private::turn()
{
    if (m_inTurn || m_writeFailed) {
        return; // m_rewrite goes on
    }
    m_inTurn = true;
    ++m_turnNumber;
    for (;;) {
        if (!m_events.empty()) {
            // Per job, since the order within a tick is a matter of one job.
            std::vector<std::pair<ActiveJob *, std::vector<core::Event>>> ticks;
            std::unordered_map<ActiveJob *, std::size_t> places;
            for (auto &[job, event] : std::exchange(m_events, {})) {
                const auto [it, isNew] = places.try_emplace(job, ticks.size());
                if (isNew) {
                    ticks.emplace_back(job, std::vector<core::Event>());
                }
                ticks[it->second].second.push_back(std::move(event));
            }
            for (auto &[job, events] : ticks) {
                core::orderTick(events);
                for (const core::Event &event : events) {
                    step(*job, event);
                }
            }
        } else if (m_scheduleWanted) {
            m_scheduleWanted = false;
            grantPlaces();
            noteWaits();
        } else {
            break;
        }
    }
    if (commitTurn()) {
        runOutside();
    }
    m_inTurn = false;
    tell();
    dropFinished();
    if (!m_events.empty() || m_scheduleWanted) {
        wantTurn();
    }
}

void Engine::Private::step(ActiveJob &job, const core::Event &event)
{
    core::Step step = core::next(std::move(job.state), event);
    job.state = std::move(step.job);
    for (const core::Effect &effect : step.effects) {
        apply(job, effect);
    }
}

// What lives in memory only is done at once: a restart builds it anew from the store.
void Engine::Private::apply(ActiveJob &job, const core::Effect &effect)
{
    const auto touch = [&] {
        if (std::find(m_touched.cbegin(), m_touched.cend(), &job) == m_touched.cend()) {
            m_touched.push_back(&job);
        }
    };
    std::visit(
        Overloaded{
            [&](const core::effect::SaveJob &save) {
                job.saveJob = true;
                job.durable = job.durable || save.durable;
                touch();
            },
            [&](const core::effect::SaveAttempt &save) {
                job.saveAttempts.insert(save.attempt);
                touch();
            },
            // Tasks at once: the next event of the same turn may open another attempt, whose tasks take their
            // places in the state.
            [&](const core::effect::SaveTask &save) {
                m_store->saveTask(job.state, save.task);
                job.savedTasks.insert(save.task);
                touch();
            },
            [&](const core::effect::SaveTry &save) {
                m_store->saveTry(job.state, save.task, *save.over);
                job.savedTries.push_back(save);
                touch();
            },
            [&](const core::effect::SaveTasks &) {
                m_store->saveTasks(job.state);
                for (std::size_t at = 0; at < job.state.tasks.size(); ++at) {
                    job.savedTasks.insert(job.state.refAt(at));
                }
                touch();
            },
            [&](const core::effect::RequestPlacement &place) {
                m_scheduler.request(core::placementRequest(
                    job.state, place.tasks, whereOf(job.document, job.spec ? &*job.spec : nullptr)));
                m_scheduleWanted = true;
                touch();
            },
            [&](const core::effect::CancelPlacement &) {
                m_scheduler.cancel(job.state.uuid);
                m_scheduleWanted = true;
            },
            [&](const core::effect::ReleaseTry &release) {
                m_scheduler.release(release.tryUuid);
                m_ports->release(release.tryUuid);
                job.placed.erase(release.task);
                job.inTrouble.remove(release.tryUuid);
                const auto it = m_live.find(release.tryUuid);
                if (it != m_live.end()) {
                    if (EngineHost *at = host(it->second.host)) {
                        at->tries.remove(release.tryUuid);
                    }
                    m_live.erase(it);
                }
                m_scheduleWanted = true;
            },
            [&](const core::effect::StartTimer &timer) {
                later(timer.due, job, core::event::RetryDue{timer.attempt, timer.task});
            },
            [&](const core::effect::StartLimit &limit) { later(limit.due, job, core::event::LimitDue{limit.attempt}); },
            [&](const core::effect::AttemptOpened &) {
                job.programs.clear();
                job.environment.reset();
                job.placed.clear();
            },
            [&](const core::effect::AttemptEnded &) {},
            [&](const core::effect::DrawPorts &draw) { m_outside.emplace_back(&job, draw); },
            [&](const core::effect::LaunchTry &launch) { m_outside.emplace_back(&job, launch); },
            [&](const core::effect::ObserveTry &observe) { m_outside.emplace_back(&job, observe); },
            [&](const core::effect::StopTry &stop) { m_outside.emplace_back(&job, stop); },
            [&](const core::effect::PauseTry &pause) { m_outside.emplace_back(&job, pause); },
            [&](const core::effect::JobEnded &ended) { m_outside.emplace_back(&job, ended); },
        },
        effect);
}

void Engine::Private::applyWritten(ActiveJob &job, const std::vector<core::Effect> &effects)
{
    for (const core::Effect &effect : effects) {
        const bool isSaved = std::holds_alternative<core::effect::SaveJob>(effect)
            || std::holds_alternative<core::effect::SaveAttempt>(effect)
            || std::holds_alternative<core::effect::SaveTask>(effect)
            || std::holds_alternative<core::effect::SaveTasks>(effect);
        if (!isSaved) {
            apply(job, effect);
        }
    }
    job.changed = true;
    m_untold.insert(&job);
}

void Engine::Private::grantPlaces()
{
    const std::vector<core::JobGrants> grants = m_scheduler.schedule();
    for (const core::JobGrants &granted : grants) {
        ActiveJob *job = find(granted.job.toString(QUuid::WithoutBraces));
        if (!job) {
            continue;
        }
        // Tasks on several hosts must reach the ones here too: by the address that the ssh connection uses.
        QString ownAddress;
        for (const core::event::Grant &grant : granted.grants) {
            const EngineHost *at = host(grant.place.host);
            if (job->state.policy.gang && at && !at->isLocal() && ownAddress.isEmpty()) {
                ownAddress = at->ownAddress;
            }
        }
        core::event::PlacementGranted placement{granted.grants};
        for (core::event::Grant &grant : placement.grants) {
            EngineHost *at = host(grant.place.host);
            if (at && at->isLocal() && !ownAddress.isEmpty()) {
                grant.place.address = ownAddress;
            }
            LiveTry &entry = m_live[grant.tryUuid];
            entry.job = job;
            entry.task = grant.task;
            entry.host = grant.place.host;
            if (at) {
                at->tries.insert(grant.tryUuid);
            }
            job->placed.insert(grant.task);
        }
        m_events.emplace_back(job, core::Event{nowMs(), std::move(placement)});
    }
}

// Why each waiting job waits, where that has changed.
void Engine::Private::noteWaits()
{
    const QList<QUuid> queue = m_scheduler.queue();
    QSet<ActiveJob *> waiting;
    for (const QUuid &uuid : queue) {
        ActiveJob *job = find(uuid.toString(QUuid::WithoutBraces));
        if (!job) {
            continue;
        }
        waiting.insert(job);
        const core::WaitReason reason = m_scheduler.waitReason(uuid);
        if (reason != job->waits) {
            job->waits = reason;
            m_store->saveReason(job->state.meta.id, reason.code, reason.args);
            job->changed = true;
            m_untold.insert(job);
        }
    }
    for (const auto &[uuid, job] : m_jobs) {
        if (!job->waits.code.isEmpty() && !waiting.contains(job.get())) {
            job->waits = {};
            m_store->saveReason(job->state.meta.id, {}, {});
            job->changed = true;
            m_untold.insert(job.get());
        }
    }
}

void Engine::Private::save(ActiveJob &job)
{
    if (job.saveJob) {
        m_store->saveJob(job.state);
    }
    for (const int attempt : job.saveAttempts) {
        m_store->saveAttempt(job.state, attempt);
    }
}

bool Engine::Private::commitTurn()
{
    bool durable = false;
    for (ActiveJob *job : m_touched) {
        save(*job);
        durable = durable || job->durable;
    }
    if (m_store->inTransaction()) {
        if (const Result<void> written = m_store->commit(durable); !written) {
            // Nothing that is not written down may happen. All is tried again until there is room on the disk.
            m_writeFailed = true;
            m_writeError = written.error();
            m_rewrite.start();
            return false;
        }
    }
    for (ActiveJob *job : m_touched) {
        job->changedTasks.merge(job->savedTasks);
        job->savedTasks.clear();
        job->savedTries.clear();
        job->saveAttempts.clear();
        job->saveJob = job->durable = false;
        job->changed = true;
        m_untold.insert(job);
    }
    m_touched.clear();
    return true;
}

// Once more what a turn could not write. The store has rolled back; whole jobs are written, not only what the turn had
// changed.
void Engine::Private::rewrite()
{
    m_writeFailed = false;
    for (ActiveJob *job : m_touched) {
        job->saveJob = true;
        for (const core::AttemptRecord &attempt : job->state.attempts) {
            job->saveAttempts.insert(attempt.index);
        }
        m_store->saveTasks(job->state);
        for (const core::effect::SaveTry &save : job->savedTries) {
            m_store->saveTry(job->state, save.task, *save.over);
        }
    }
    if (commitTurn()) {
        m_rewrite.stop();
        runOutside();
        wantTurn();
    }
}

void Engine::Private::runOutside()
{
    std::vector<std::pair<ActiveJob *, core::Effect>> outside = std::exchange(m_outside, {});
    drawPorts(outside);
    for (auto &[owner, effect] : outside) {
        ActiveJob &job = *owner;
        std::visit(Overloaded{
                       [&](const core::effect::LaunchTry &launch) { launchTry(job, launch.task, launch.tryUuid); },
                       [&](const core::effect::ObserveTry &observe) { observeTry(job, observe.task, observe.tryUuid); },
                       [&](const core::effect::StopTry &stop) { stopTry(job, stop.task, stop.tryUuid); },
                       [&](const core::effect::PauseTry &pause) { pauseTry(job, pause.task, pause.tryUuid, pause.on); },
                       [&](const core::effect::JobEnded &) {
                           tellDependents(job.state);
                           m_secrets.forget(job.state.uuid);
                           m_secrets.forget(sshKeyId(job.state.uuid));
                           m_anyFinished = true;
                       },
                       [](const auto &) {},
                   },
            effect);
    }
}

void Engine::Private::tell()
{
    // Who hears it may call back, so nothing is iterated meanwhile.
    const qint64 now = steadyMs();
    std::vector<QString> due;
    for (auto it = m_untold.begin(); it != m_untold.end();) {
        ActiveJob &job = **it;
        if (now - job.toldAt < tellMs && !job.state.isFinished()) {
            ++it;
            continue;
        }
        job.toldAt = now;
        due.push_back(job.state.uuid.toString(QUuid::WithoutBraces));
        it = m_untold.erase(it);
    }
    if (!m_untold.empty() && !m_tellTimer.isActive()) {
        m_tellTimer.start(int(tellMs));
    }
    for (const QString &uuid : due) {
        if (ActiveJob *job = find(uuid)) {
            tellJob(*job);
        }
    }
}

void Engine::Private::tellJob(ActiveJob &job)
{
    const QString uuid = job.state.uuid.toString(QUuid::WithoutBraces);
    const std::set<core::TaskRef> changedTasks = std::exchange(job.changedTasks, {});
    const bool changed = std::exchange(job.changed, false);
    const JobSummary summary = summaryOf(job); // before anyone hears anything: the job may be gone afterwards
    if (!changedTasks.empty()) {
        QList<TaskInfo> tasks;
        tasks.reserve(qsizetype(changedTasks.size()));
        for (const core::TaskRef task : changedTasks) {
            if (job.state.contains(task)) {
                tasks.append(taskInfoOf(job, task));
            }
        }
        Q_EMIT q->tasksChanged(uuid, tasks);
    }
    if (changed) {
        Q_EMIT q->jobChanged(summary);
    }
}

void Engine::Private::dropFinished()
{
    if (!m_anyFinished || m_writeFailed) {
        return;
    }
    m_anyFinished = false;
    std::vector<std::unique_ptr<ActiveJob>> finished;
    for (auto it = m_jobs.begin(); it != m_jobs.end();) {
        if (!it->second->state.isFinished()) {
            ++it;
            continue;
        }
        finished.push_back(std::move(it->second));
        it = m_jobs.erase(it);
    }
    std::vector<ActiveJob *> untold;
    for (const auto &job : finished) {
        if (m_untold.erase(job.get())) {
            untold.push_back(job.get());
        }
        std::erase_if(m_events, [&](const auto &entry) { return entry.first == job.get(); });
        std::erase_if(m_live, [&](const auto &entry) { return entry.second.job == job.get(); });
    }
    for (ActiveJob *job : untold) {
        tellJob(*job);
    }
    noteIdle();
}

void Engine::Private::noteIdle()
{
    if (m_jobs.empty() != m_wasIdle) {
        m_wasIdle = m_jobs.empty();
        Q_EMIT q->idleChanged(m_wasIdle);
    }
}

void Engine::Private::startTimer()
{
    if (m_due.empty()) {
        m_timer.stop();
        return;
    }
    const qint64 wait = m_due.begin()->first - steadyMs();
    m_timer.start(int(std::clamp<qint64>(wait, 0, 60 * 60 * 1000)));
}

} // namespace trainyard
