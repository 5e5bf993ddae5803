// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pool/barteller.h"
#include "engine/pool/launchgate.h"
#include "engine/pool/launchmaker.h"
#include "engine/pool/launchneeds.h"
#include "engine/pool/ownfolders.h"
#include "engine/pool/portservice.h"
#include "engine/pool/stopdeadlines.h"
#include "engine/pool/tryplaces.h"
#include "engine/pool/tryreports.h"

#include <functional>
#include <map>

namespace trainyard
{

// Launches, observes, pauses and stops tries on hosts, and repeats the requests whenever their host comes back, as
// their state then requires. An agent forgets, the task folders do not. Their reports go to TryReports.
// Large because each request has an answer, a refusal and a way to be repeated.
class TaskRunner : public QObject
{
    Q_OBJECT
public:
    TaskRunner(const AgentFolders &folders, const Settings &settings, HostPool &hosts, LiveTries &tries, PoolJobs &jobs,
        PortService &ports, LaunchMaker &launches, JobSshKeys &sshKeys, CodeService &code,
        CheckpointService &checkpoints, DataService &data, GpuWatch &gpus, TryReports &reports, OwnFolders &own);

    void launch(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid);
    void observe(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid);
    void stop(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid);
    void pause(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid, bool on);
    void bar(const QUuid &tryUuid); // it is over, and this is written down: nothing of it may start any longer
    void stopUnwritten(ActiveJob &job);
    bool giveUp(ActiveJob &job); // tasks that are being stopped on hosts that are away; false: there are none
    // The try, when its host can be spoken to; else it is asked for when that is back.
    LiveTry *live(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid);
    void hostChanged(PoolHost &host); // it is online, or no longer
    // The task that a try waits for although nothing is missing to itself, as they start together.
    std::optional<core::TaskRef> awaitedBy(const QUuid &tryUuid) const { return m_gate.awaitedBy(tryUuid); }

Q_SIGNALS:
    void described(trainyard::ActiveJob *job, std::optional<trainyard::core::TaskRef> task);

private:
    void resumeTries(PoolHost &at);
    void tellOf(const QSet<QUuid> &tries);
    void notLaunched(const QUuid &tryUuid, const contract::Failure &why, bool isAgain);
    bool isStillToLaunch(const QUuid &tryUuid, int launches) const;
    void barGivenUp(const QUuid &tryUuid);
    void refuse(const LiveTry &entry, const QUuid &tryUuid, const Error &why, int code);
    void lookFor(const LiveTry &entry, const QUuid &tryUuid, const std::function<void()> &absent);
    bool isAwayForLong(const QUuid &tryUuid);
    void pauseAgain(const QUuid &tryUuid, const std::string &why);
    void waitForFolder(const QUuid &tryUuid, const contract::Failure &why);
    void endMissing(const QUuid &tryUuid);
    void launchAwaited(const QUuid &job, const QSet<QUuid> &tries);
    void launchHeld(const QSet<QUuid> &tries);
    void askAgain(const QUuid &tryUuid, const contract::Failure &why);

    const Settings &m_settings;
    HostPool &m_hosts;
    LiveTries &m_live;
    PortService &m_ports;
    LaunchMaker &m_launches;
    JobSshKeys &m_sshKeys;
    CheckpointService &m_checkpoints;
    GpuWatch &m_gpus;
    TryReports &m_reports;
    OwnFolders &m_own;
    TryPlaces m_places;
    LaunchNeeds m_needs;
    LaunchGate m_gate;
    StopDeadlines m_deadlines;
    BarTeller m_bars;
};

} // namespace trainyard
