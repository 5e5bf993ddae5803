// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pool/hostpool.h"
#include "engine/pool/livetry.h"
#include "engine/pool/ownfolders.h"
#include "engine/pool/tryreports.h"

namespace trainyard
{

// Where tries are: on which host and in which folder there.
class TryPlaces
{
public:
    TryPlaces(const AgentFolders &folders, HostPool &hosts, LiveTries &tries, PoolJobs &jobs, TryReports &reports,
        OwnFolders &own);
    // The try, when its host can be spoken to; else it is asked for when that is back.
    LiveTry *live(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid);
    // On its host, where it was launched, also while that is away; empty: it is not known to have been launched.
    QString folderOf(const QUuid &tryUuid, const LiveTry &entry) const;

private:
    AgentFolders m_folders;
    HostPool &m_hosts;
    LiveTries &m_live;
    PoolJobs &m_jobs;
    TryReports &m_reports;
    OwnFolders &m_own;
};

} // namespace trainyard
