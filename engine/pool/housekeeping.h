// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/hostfiles.h"
#include "engine/pool/hostpool.h"
#include "engine/pool/livetry.h"
#include "engine/pool/ownfolders.h"

#include <functional>

namespace trainyard
{

// Lists and removes what Trainyard has put on the hosts that ssh reaches. The hosts do the work, and nothing here waits
// for them.
class Housekeeping
{
public:
    using Answer = std::function<void(const Result<api::HostFiles> &)>; // not called when its context is gone
    using IsListed = std::function<bool(const QString &job)>; // by its UUID

    Housekeeping(const AgentFolders &folders, const HostPool &hosts, const ActiveJobs &jobs, OwnFolders &own)
        : m_folders(folders), m_hosts(hosts), m_jobs(jobs), m_own(own)
    {
    }
    // host.unknown, host.only-ssh, host.not-connected {host}, host.gone; files.failed {host, message}.
    void look(const QString &id, const IsListed &isListed, QObject *context, const Answer &answer) const;
    // Removes what no job of the list needs, and says what is there then. `everything`: also the folders of jobs that
    // have ended, the helper and the empty folders.
    void clean(
        const QString &id, bool everything, const IsListed &isListed, QObject *context, const Answer &answer) const;

private:
    using Found = std::function<void(const Result<contract::Belongings> &)>;
    Result<PoolHost *> reachable(const QString &id) const;
    void ask(const QString &id, bool tidies, bool leaves, QObject *context, const Found &then) const;
    api::HostFiles told(const QString &id, const contract::Belongings &found, const IsListed &isListed) const;

    AgentFolders m_folders;
    const HostPool &m_hosts;
    const ActiveJobs &m_jobs;
    OwnFolders &m_own;
};

} // namespace trainyard
