// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/runfolders.h"
#include "engine/core/scheduler.h"
#include "engine/hosts/agentconnection.h"
#include "engine/hosts/hostsfile.h"
#include "engine/hosts/hoststreams.h"
#include "engine/hosts/logmirrors.h"
#include "engine/launch/launchplan.h"
#include "engine/pool/clockdifference.h"
#include "engine/pool/hostcheck.h"
#include "engine/pool/hosthistory.h"

#include <QHash>
#include <QSet>

#include <memory>
#include <optional>
#include <string>

namespace trainyard
{

struct StoredDocument;

// A host of the pool. HostPool makes it and keeps what is known of the host; each of the other parts keeps its own
// notes about it here.
struct PoolHost {
    QString id, target, label;
    QString runIn; // what its tasks run in, as hosts.json has it; empty: as the settings say
    HostUse use; // as hosts.json has it
    bool isLocal() const { return target.isEmpty(); }
    std::unique_ptr<AgentConnection> agent;
    std::unique_ptr<LogMirrors> mirrors; // of ssh hosts
    std::unique_ptr<HostStreams> streams; // to what its tasks serve, or tasks on the nodes that it reaches
    std::unique_ptr<HostCheck> check; // of ssh hosts: since it was connected, if there was one
    QString address; // by which other hosts reach it
    QString ownAddress; // by which it reaches this computer
    double cpuPercent = -1;
    ClockDifference clock; // how much its clock is ahead of this computer's
    qint64 diskFreeMiB = -1, diskMiB = -1;
    launch::Variables base; // what its tasks' environment begins with
    bool mayAsk = true; // until the user refused to answer, or answered wrongly
    bool isWanted = true; // by its user or a job, since it was online last: ssh asks people only then
    bool couldAsk = false; // the connection that was made last
    bool isAnswered = false; // a person has answered a question

    HostHistory history; // PoolBackend: of the last hour

    core::HostCapacity capacity; // HostFigures: as sent to the scheduler

    std::optional<Error> slurm; // ClusterWatch: what its commands of Slurm have said; nothing: not known

    // GpuWatch
    QHash<int, qint64> leftGpus; // whose memory a stopped task has not given back, and what was used of them before
    QHash<int, qint64> ownGpuUse; // when a task was last seen to have a GPU, or was to start there (steady)
    QSet<QString> lostGpus; // uuids: fell off the bus while a task ran
    std::string lostInBoot;
    QSet<QString> busyGpus; // uuids: another process had them when a task was to start there; until they are seen free

    QSet<QUuid> tries; // TaskRunner: that are there, or are to be
};

// Where another host has the files of jobs, below the state folder of its agent: one folder for each store.
class AgentFolders
{
public:
    AgentFolders(const RunFolders &folders, const QString &epoch) : m_folders(folders), m_epoch(epoch) { }
    const RunFolders &local() const { return m_folders; }
    const QString &epoch() const { return m_epoch; }
    QString belowState(const QString &local) const;
    QString on(const PoolHost &host, const QString &local) const; // this computer's: the same
    // The folder that a job names for its tasks, as the host names it. Empty: each try has its own folder.
    static QString workOn(const PoolHost &host, const StoredDocument &document);

private:
    RunFolders m_folders;
    QString m_epoch;
};

} // namespace trainyard
