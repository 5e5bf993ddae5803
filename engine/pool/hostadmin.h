// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/calls.h"
#include "engine/pool/clusterwatch.h"
#include "engine/pool/hostfigures.h"
#include "engine/pool/hostquarantine.h"
#include "engine/pool/ownfolders.h"
#include "engine/pool/peerservice.h"
#include "engine/pool/resultservice.h"

#include <functional>

namespace trainyard
{

// Administers the hosts of the pool: the calls of Engine with these names, with their errors.
class HostAdmin
{
public:
    HostAdmin(HostPool &hosts, HostQuarantine &quarantine, const HostFigures &figures, ClusterWatch &clusters,
        PeerService &peers, core::Scheduler &scheduler, const ActiveJobs &jobs, const LiveTries &tries,
        const ResultService &results, OwnFolders &own)
        : m_hosts(hosts), m_quarantine(quarantine), m_figures(figures), m_clusters(clusters), m_peers(peers),
          m_scheduler(scheduler), m_jobs(jobs), m_live(tries), m_results(results), m_own(own)
    {
    }
    QList<HostInfo> hosts() const;
    Result<HostInfo> addHost(const QString &target, const QString &name);
    Result<HostInfo> checkHost(const QString &id);
    void checkHost(const QString &id, QObject *context, const std::function<void(const Result<HostInfo> &)> &then);
    Result<HostInfo> setHost(const QString &id, const QString &target);
    Result<HostInfo> changeHost(const api::HostChange &change);
    Result<HostInfo> releaseHost(const QString &id, int gpu);
    Result<bool> removeHost(const QString &id, bool force);
    // Whether Trainyard's files there may be removed: nothing of this engine runs there, and either `force` is set or
    // no output and results have yet to come here.
    Result<bool> mayEmpty(const QString &id, bool force) const;

private:
    Result<PoolHost *> changeable(const QString &id, bool alsoNotTarget) const;

    HostPool &m_hosts;
    HostQuarantine &m_quarantine;
    const HostFigures &m_figures;
    ClusterWatch &m_clusters;
    PeerService &m_peers;
    core::Scheduler &m_scheduler;
    const ActiveJobs &m_jobs;
    const LiveTries &m_live;
    const ResultService &m_results;
    OwnFolders &m_own;
};

} // namespace trainyard
