// SPDX-License-Identifier: GPL-3.0-or-later
// Launching tries, and waiting for folders that their hosts do not have yet.
#include "engine/backend/clock.h"
#include "engine/pool/taskrunner.h"
#include "engine/pool/tryanswers.h"
#include "engine/pool/trymessages.h"

#include <QTimer>

#include <chrono>
#include <utility>

namespace trainyard
{
namespace
{

constexpr qint64 longestAwayMs = 300'000; // what was begun on a file system that is not mounted

} // namespace

void TaskRunner::launch(ActiveJob &job, core::TaskRef ref, const QUuid &tryUuid)
{
    LiveTry *entry = live(job, ref, tryUuid);
    if (!entry || m_sshKeys.isAwaited(job, tryUuid)) {
        return;
    }
    PoolHost &at = *m_hosts.find(entry->host);
    if (!m_own.isThere(at, entry->folder, tryUuid)) {
        return;
    }
    ++entry->launches;
    m_bars.drop(tryUuid); // of an engine that was killed before it had written down that it gives up
    LaunchGate::close(*entry);
    if (const std::optional<LaunchNeeds::Missing> missing = m_needs.missing(job, ref, at, tryUuid)) {
        if (missing->problem) {
            refuse(*entry, tryUuid, *missing->problem, pool::codeNoFolder);
        } else {
            Q_EMIT described(&job, ref);
        }
        return;
    }
    if (!m_gate.pass(tryUuid, *entry)) {
        Q_EMIT described(&job, ref);
        return;
    }
    if (const QSet<QUuid> held = m_gate.takeHeld(job.state.uuid); !held.isEmpty()) {
        QTimer::singleShot(0, this, [this, held] { launchHeld(held); });
    }
    auto made = m_launches.make(job, ref, tryUuid, *entry, at);
    if (!made) {
        refuse(*entry, tryUuid, made.error().why, made.error().code);
        return;
    }
    m_checkpoints.launched(job, ref, at, tryUuid);
    m_reports.noteStart(tryUuid, made->otherEnvironment, m_checkpoints.leftBehind(tryUuid));
    m_gpus.noteStart(tryUuid, at, core::placeOf(job.state.task(ref).state)->gpus);
    const bool isAgain = std::exchange(entry->mayBeThere, true);
    at.agent->request(std::move(made->message), [this, tryUuid, isAgain](const contract::Message &answer) {
        const auto *failure = std::get_if<contract::Failure>(&answer);
        if (const auto *launched = std::get_if<contract::Launched>(&answer)) {
            m_checkpoints.writePlaces();
            m_reports.answered(tryUuid);
            if (launched->started) {
                m_reports.started(tryUuid, *launched->started);
            }
            if (launched->exit) {
                m_reports.ended(tryUuid, *launched->exit);
            }
        } else if (failure && mayHaveBegun(*failure, isAgain)) {
            askAgain(tryUuid, {pool::unreadable, failure->argument, failure->systemError}); // it may run
        } else if (failure && failure->code == pool::notThere) {
            if (const auto it = m_live.find(tryUuid); it != m_live.end()) {
                it->second.mayBeThere = isAgain;
                m_own.hide(*m_hosts.find(it->second.host), it->second.folder);
            }
            waitForFolder(tryUuid, *failure);
        } else if (failure && failure->code != "host.gone") {
            notLaunched(tryUuid, *failure, isAgain);
        }
    });
}

// The host refuses this request. For an earlier one, it has to report that there is nothing.
void TaskRunner::notLaunched(const QUuid &tryUuid, const contract::Failure &why, bool isAgain)
{
    const auto it = m_live.find(tryUuid);
    if (it == m_live.end() || !m_hosts.find(it->second.host)) {
        return;
    }
    const auto end = [this, tryUuid, launches = it->second.launches, record = notStarted(why, nowMs())] {
        if (isStillToLaunch(tryUuid, launches)) {
            m_reports.endedWithoutLog(tryUuid, record);
        }
    };
    if (isAgain) {
        lookFor(it->second, tryUuid, end);
    } else {
        end();
    }
}

// It is still to be launched, and was not launched again since.
bool TaskRunner::isStillToLaunch(const QUuid &tryUuid, int launches) const
{
    const auto it = m_live.find(tryUuid);
    return it != m_live.end() && it->second.launches == launches
        && std::holds_alternative<core::Launching>(it->second.job->state.task(it->second.task).state);
}

// It is to be launched, and what this engine has on its host is not to be seen. If it has been launched before, it may
// run there; if not, it would hide what does. So it waits, for as long as one that is known to have run.
void TaskRunner::waitForFolder(const QUuid &tryUuid, const contract::Failure &why)
{
    const auto it = m_live.find(tryUuid);
    if (it == m_live.end()) {
        return;
    }
    LiveTry &entry = it->second;
    if (!std::holds_alternative<core::Launching>(entry.job->state.task(entry.task).state)
        || entry.away.say(steadyMs(), std::chrono::milliseconds(pool::askAgainAfter).count()) < longestAwayMs) {
        askAgain(tryUuid, why);
        return;
    }
    m_own.forget(entry.host, entry.folder);
    if (entry.mayBeThere) {
        endMissing(tryUuid);
    } else {
        entry.away.reset();
        launch(*entry.job, entry.task, tryUuid);
    }
}

void TaskRunner::endMissing(const QUuid &tryUuid)
{
    contract::ExitRecord record; // what became of it is not known
    record.reason = "run.folder-missing";
    record.ended = nowMs();
    m_reports.endedWithoutLog(tryUuid, record);
}

void TaskRunner::launchAwaited(const QUuid &job, const QSet<QUuid> &tries)
{
    for (const QUuid &tryUuid : tries) {
        const auto entry = m_live.find(tryUuid);
        if (entry == m_live.end() || entry->second.job->state.uuid != job) {
            continue; // stopped meanwhile
        }
        ActiveJob &of = *entry->second.job;
        const core::TaskRef task = entry->second.task;
        if (std::holds_alternative<core::Launching>(of.state.task(task).state)) {
            launch(of, task, tryUuid);
        }
    }
}

// Each is asked for as if it had just become ready, and may lack something again.
void TaskRunner::launchHeld(const QSet<QUuid> &tries)
{
    for (const QUuid &tryUuid : tries) {
        if (const auto entry = m_live.find(tryUuid); entry != m_live.end()) {
            launchAwaited(entry->second.job->state.uuid, {tryUuid});
        }
    }
}

// While the host can be spoken to. A host that was never asked for it may have nothing of this engine at all yet.
bool TaskRunner::isAwayForLong(const QUuid &tryUuid)
{
    const auto it = m_live.find(tryUuid);
    if (it == m_live.end()) {
        return false;
    }
    if (!it->second.mayBeThere) {
        return true;
    }
    return it->second.away.say(steadyMs(), std::chrono::milliseconds(pool::askAgainAfter).count()) >= longestAwayMs;
}

} // namespace trainyard
