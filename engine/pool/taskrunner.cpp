// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/taskrunner.h"

#include "engine/pool/tryanswers.h"
#include "engine/pool/trymessages.h"

#include <QTimer>

#include <csignal>
#include <utility>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

} // namespace

TaskRunner::TaskRunner(const AgentFolders &folders, const Settings &settings, HostPool &hosts, LiveTries &tries,
    PoolJobs &jobs, PortService &ports, LaunchMaker &launches, JobSshKeys &sshKeys, CodeService &code,
    CheckpointService &checkpoints, DataService &data, GpuWatch &gpus, TryReports &reports, OwnFolders &own)
    : m_settings(settings), m_hosts(hosts), m_live(tries), m_ports(ports), m_launches(launches), m_sshKeys(sshKeys),
      m_checkpoints(checkpoints), m_gpus(gpus), m_reports(reports), m_own(own),
      m_places(folders, hosts, tries, jobs, reports, own), m_needs(code, checkpoints, data), m_gate(tries),
      m_deadlines(settings, hosts, tries, reports), m_bars(folders.local().state() + u"/bars"_s, hosts, tries)
{
    connect(&m_own, &OwnFolders::shown, this, [this](const QSet<QUuid> &waiting) {
        for (const QUuid &tryUuid : waiting) {
            if (const auto it = m_live.find(tryUuid); it != m_live.end()) {
                it->second.away.reset();
                launchAwaited(it->second.job->state.uuid, {tryUuid});
            }
        }
    });
    connect(&m_own, &OwnFolders::away, this, [this](const QSet<QUuid> &waiting, const contract::Failure &why) {
        for (const QUuid &tryUuid : waiting) {
            waitForFolder(tryUuid, why);
        }
    });
    connect(&m_needs, &LaunchNeeds::ready, this, &TaskRunner::launchAwaited);
    connect(&m_needs, &LaunchNeeds::described, this, &TaskRunner::tellOf);
    connect(&m_deadlines, &StopDeadlines::described, this, &TaskRunner::described);
    connect(&m_deadlines, &StopDeadlines::givesUp, this, &TaskRunner::barGivenUp);
    connect(&m_ports, &PortService::refused, this, &TaskRunner::askAgain);
    connect(&m_sshKeys, &JobSshKeys::made, this, &TaskRunner::launchAwaited);
}

void TaskRunner::tellOf(const QSet<QUuid> &tries)
{
    for (const QUuid &uuid : tries) {
        if (const auto it = m_live.find(uuid); it != m_live.end()) {
            Q_EMIT described(it->second.job, it->second.task);
        }
    }
}

LiveTry *TaskRunner::live(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid)
{
    return m_places.live(job, task, tryUuid);
}

void TaskRunner::bar(const QUuid &tryUuid)
{
    m_bars.bar(tryUuid);
    if (!m_gate.isEmpty()) { // others may have waited for it
        QTimer::singleShot(0, this, [this] { launchHeld(m_gate.takeHeld()); });
    }
}

bool TaskRunner::giveUp(ActiveJob &job) { return m_deadlines.giveUp(job); }

// It may run on unseen: it is stopped when its host answers again, by the next engine, too.
void TaskRunner::barGivenUp(const QUuid &tryUuid)
{
    const auto it = m_live.find(tryUuid);
    const QString folder = it == m_live.end() ? QString() : m_places.folderOf(tryUuid, it->second);
    if (!folder.isEmpty()) {
        m_bars.add(tryUuid, it->second.host,
            stopOf(*it->second.job, folder.toStdString(), m_settings.integer(u"stop.graceSeconds"_s)));
    }
}

// ---- what is asked of agents ----

void TaskRunner::observe(ActiveJob &job, core::TaskRef ref, const QUuid &tryUuid)
{
    const LiveTry *entry = live(job, ref, tryUuid);
    if (!entry) {
        return;
    }
    lookFor(*entry, tryUuid, [this, tryUuid] { endMissing(tryUuid); });
}

// It cannot be launched, now. When that could be done, an agent may have been asked for it, and the answer may have
// been lost: what was started then goes on, and nothing else would end it. Only where there is nothing has it failed.
void TaskRunner::refuse(const LiveTry &entry, const QUuid &tryUuid, const Error &why, int code)
{
    lookFor(entry, tryUuid, [this, tryUuid, why, code, launches = entry.launches] {
        if (isStillToLaunch(tryUuid, launches)) { // else what was asked for since tells
            const LiveTry &refused = m_live.at(tryUuid);
            m_bars.add(tryUuid, refused.host, {refused.folder.toStdString(), SIGTERM, 0});
            m_reports.fail(tryUuid, why, code, false);
        }
    });
}

// Asks for a try on a host that is online, whatever is known of it. `absent`: there is none.
void TaskRunner::lookFor(const LiveTry &entry, const QUuid &tryUuid, const std::function<void()> &absent)
{
    AgentConnection &agent = *m_hosts.find(entry.host)->agent;
    agent.request(observeOf(entry), [this, tryUuid, absent](const contract::Message &answer) {
        const auto *observed = std::get_if<contract::Observed>(&answer);
        if (!observed) {
            if (const auto *failure = std::get_if<contract::Failure>(&answer)) {
                if (failure->code == pool::notThere && isAwayForLong(tryUuid)) {
                    absent();
                } else {
                    askAgain(tryUuid, *failure);
                }
            }
            return;
        }
        if (const auto it = m_live.find(tryUuid); it != m_live.end()) {
            it->second.away.reset();
        }
        m_reports.answered(tryUuid);
        if (observed->exit) {
            m_reports.ended(tryUuid, *observed->exit);
        } else if (observed->state == "absent") {
            absent();
        } else if (observed->started) {
            m_reports.started(tryUuid, *observed->started);
        }
    });
}

void TaskRunner::pause(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid, bool on)
{
    Q_EMIT described(&job, task);
    const LiveTry *entry = live(job, task, tryUuid);
    if (entry) { // otherwise when its host is back
        m_hosts.find(entry->host)
            ->agent->request(
                contract::Pause{entry->folder.toStdString(), on}, [this, tryUuid](const contract::Message &answer) {
                    const auto *failure = std::get_if<contract::Failure>(&answer);
                    if (failure && pool::isUnseen(failure->code)) {
                        pauseAgain(tryUuid, failure->code);
                    } else if (const auto it = m_live.find(tryUuid);
                               !failure && it != m_live.end() && pool::isUnseen(it->second.refused.toStdString())) {
                        m_reports.answered(tryUuid);
                    }
                });
    }
}

// Its processes are found by its folder, which cannot be seen now: this is tried again later, according to the state of
// the job then.
void TaskRunner::pauseAgain(const QUuid &tryUuid, const std::string &why)
{
    const auto entry = m_live.find(tryUuid);
    if (entry == m_live.end()) {
        return;
    }
    m_reports.refused(tryUuid, QString::fromStdString(why));
    if (std::exchange(entry->second.isPausedAgain, true)) {
        return;
    }
    QTimer::singleShot(pool::askAgainAfter, this, [this, tryUuid] {
        const auto it = m_live.find(tryUuid);
        if (it == m_live.end()) {
            return;
        }
        it->second.isPausedAgain = false;
        ActiveJob &job = *it->second.job;
        const core::TaskRef task = it->second.task;
        if (!it->second.exitKnown && std::holds_alternative<core::Running>(job.state.task(task).state)) {
            pause(job, task, tryUuid, job.state.pausedAt.has_value());
        }
    });
}

void TaskRunner::stop(ActiveJob &job, core::TaskRef ref, const QUuid &tryUuid)
{
    if (m_reports.endNow(tryUuid)) {
        return; // its result is fixed, and what its log says no longer counts
    }
    const LiveTry *entry = live(job, ref, tryUuid);
    if (!entry) {
        m_deadlines.begin(tryUuid);
        return;
    }
    PoolHost &at = *m_hosts.find(entry->host);
    const std::string folder = entry->folder.toStdString();
    if (job.state.pausedAt || job.state.pausedMs > 0) {
        at.agent->request(contract::Pause{folder, false}); // also what only watches it, as of containers
    }
    if (contract::Observe observe = observeOf(*entry); !observe.maskValues.empty()) {
        at.agent->request(observe); // an agent that has not launched it learns what to hide until it has ended
    }
    const contract::Stop stop = stopOf(job, folder, m_settings.integer(u"stop.graceSeconds"_s));
    at.agent->request(stop, [this, tryUuid](const contract::Message &answer) {
        const auto *observed = std::get_if<contract::Observed>(&answer);
        if (observed && observed->exit) {
            m_reports.ended(tryUuid, *observed->exit);
        } else if (observed && observed->state == "absent") {
            m_reports.fail(tryUuid, {}, pool::codeLost, false); // it had never been started
        } else if (const auto *failure = std::get_if<contract::Failure>(&answer)) {
            const auto it = m_live.find(tryUuid);
            if (failure->code == pool::notThere && isAwayForLong(tryUuid)) {
                const bool mayRun = it != m_live.end() && it->second.mayBeThere;
                if (mayRun) {
                    barGivenUp(tryUuid);
                }
                m_reports.fail(tryUuid,
                    mayRun ? Error{u"stop.host-unreachable"_s, {{u"host"_s, it->second.host}}} : Error(),
                    pool::codeLost, false);
                return;
            }
            if (pool::isUnseen(failure->code)) {
                m_deadlines.begin(tryUuid);
            }
            askAgain(tryUuid, *failure);
        }
        if (observed) {
            m_reports.answered(tryUuid);
            if (const auto it = m_live.find(tryUuid); it != m_live.end()) {
                it->second.givenUpAt = 0;
                it->second.away.reset();
            }
        }
    });
}

// Their folders know that it was asked for; the record follows when there is room.
void TaskRunner::stopUnwritten(ActiveJob &job)
{
    std::vector<std::pair<core::TaskRef, QUuid>> running;
    for (const auto &[uuid, entry] : m_live) {
        const bool began = entry.job == &job && !entry.exitKnown
            && (std::holds_alternative<core::Running>(job.state.task(entry.task).state)
                || std::holds_alternative<core::Stopping>(job.state.task(entry.task).state));
        if (began) {
            running.emplace_back(entry.task, uuid);
        }
    }
    for (const auto &[task, uuid] : running) {
        stop(job, task, uuid);
    }
}

// Its agent could not do it, for example because a folder is not writable: this is tried again later, according to its
// state then.
void TaskRunner::askAgain(const QUuid &tryUuid, const contract::Failure &why)
{
    if (!m_live.contains(tryUuid) || why.code == "host.gone") {
        return; // resumeTries() does it
    }
    m_reports.refused(tryUuid, QString::fromStdString(why.code));
    QTimer::singleShot(pool::askAgainAfter, this, [this, tryUuid] {
        const auto it = m_live.find(tryUuid);
        if (it == m_live.end() || it->second.exitKnown) {
            return;
        }
        ActiveJob &job = *it->second.job;
        const core::TaskRef task = it->second.task;
        const auto *placed = std::get_if<core::Placed>(&job.state.task(task).state);
        if (placed && !placed->portsDrawn) {
            m_ports.draw({{&job, {job.state.attempt(), {task}}}});
        } else if (std::holds_alternative<core::Launching>(job.state.task(task).state)) {
            launch(job, task, tryUuid);
        } else if (std::holds_alternative<core::Running>(job.state.task(task).state)) {
            observe(job, task, tryUuid);
        } else if (std::holds_alternative<core::Stopping>(job.state.task(task).state)) {
            stop(job, task, tryUuid);
        }
    });
}

// ---- hosts come and go ----

void TaskRunner::hostChanged(PoolHost &of)
{
    m_own.hostChanged(of);
    m_launches.hostChanged(of);
    m_needs.hostChanged(of);
    if (of.agent->isOnline()) {
        for (auto &[uuid, entry] : m_live) {
            if (entry.host == of.id) {
                of.tries.insert(uuid);
            }
        }
        resumeTries(of);
        m_bars.hostIsBack(of.id);
        if (of.mirrors) {
            of.mirrors->resumeAll();
        }
    }
    for (const QUuid &uuid : std::as_const(of.tries)) {
        const auto it = m_live.find(uuid);
        if (it == m_live.end()) {
            continue;
        }
        ActiveJob &job = *it->second.job;
        Q_EMIT described(&job, std::nullopt); // where its tasks are is out of reach, or back
        if (!of.agent->isOnline()) {
            LaunchGate::close(it->second);
        }
        if (!of.agent->isOnline() && std::holds_alternative<core::Stopping>(job.state.task(it->second.task).state)) {
            m_deadlines.begin(uuid);
        }
    }
}

// The host is online again: each of its tries is queried according to its state.
void TaskRunner::resumeTries(PoolHost &at)
{
    std::vector<PortService::Wanted> draws;
    const QSet<QUuid> tries = at.tries;
    for (const QUuid &uuid : tries) {
        const auto it = m_live.find(uuid);
        if (it == m_live.end()) {
            at.tries.remove(uuid);
            continue;
        }
        if (it->second.exitKnown) {
            if (!it->second.folder.isEmpty()) { // another agent reads what is left of its metrics, and hides this
                at.agent->request(observeOf(it->second));
            }
            continue;
        }
        ActiveJob &job = *it->second.job;
        const core::TaskRef ref = it->second.task;
        std::visit(Overloaded{
                       [&](const core::Placed &placed) {
                           if (!placed.portsDrawn) {
                               draws.push_back({&job, {job.state.attempt(), {ref}}});
                           }
                       },
                       [&](const core::Launching &) { launch(job, ref, uuid); },
                       [&](const core::Running &) {
                           observe(job, ref, uuid);
                           if (job.state.pausedAt || job.state.pausedMs > 0) {
                               pause(job, ref, uuid, job.state.pausedAt.has_value());
                           }
                       },
                       [&](const core::Stopping &) { stop(job, ref, uuid); },
                       [](const auto &) {},
                   },
            job.state.task(ref).state);
    }
    m_ports.draw(draws);
}

} // namespace trainyard
