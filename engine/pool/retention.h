// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pool/hostpool.h"
#include "engine/pool/livetry.h"
#include "engine/pool/resultservice.h"

namespace trainyard
{

// Manages what outlives the tasks of jobs: failed tasks that are kept for inspection, and the folders of runs, here and
// on the hosts.
class Retention
{
public:
    Retention(const AgentFolders &folders, const HostPool &hosts, const PoolJobs &jobs, ResultService &results)
        : m_folders(folders), m_hosts(hosts), m_jobs(jobs), m_results(results)
    {
    }
    QList<KeptTask> keptTasks(const ActiveJob &job) const;
    // Releases a try whose host can be asked now; any other ends when its time has passed.
    void release(const LiveTry &entry) const;

    void makeRoom(const QString &job) const; // the few files that hold most of the room, at once
    void remove(const QString &job, const QStringList &hosts) const; // its folder and those of the hosts, aside
    void removeOn(const QString &host, const QString &belowState) const; // a job's folder there, this computer included
    void removeLeftovers() const; // files of removed jobs that an engine which died did not get to

private:
    void removeHere(const QString &job) const;

    AgentFolders m_folders;
    const HostPool &m_hosts;
    const PoolJobs &m_jobs;
    ResultService &m_results;
};

} // namespace trainyard
