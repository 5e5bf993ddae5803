// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/tryplaces.h"

#include "engine/pool/tryanswers.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

TryPlaces::TryPlaces(const AgentFolders &folders, HostPool &hosts, LiveTries &tries, PoolJobs &jobs,
    TryReports &reports, OwnFolders &own)
    : m_folders(folders), m_hosts(hosts), m_live(tries), m_jobs(jobs), m_reports(reports), m_own(own)
{
}

LiveTry *TryPlaces::live(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid)
{
    LiveTry &entry = m_live[tryUuid];
    const core::Allocation *place = core::placeOf(job.state.task(task).state);
    if (!place) {
        m_live.erase(tryUuid);
        return nullptr;
    }
    entry.job = &job;
    entry.task = task;
    entry.host = place->host;
    m_jobs.of(job).placed.insert(task);
    if (entry.localFolder.isEmpty()) {
        entry.localFolder = m_folders.local().ofTry(
            job.uuid(), job.state.attempt(), job.state.roleName(task), task.index, job.state.task(task).tryIndex);
    }
    PoolHost *at = m_hosts.find(entry.host);
    if (!at) {
        m_reports.fail(tryUuid, {u"host.removed"_s, {{u"host"_s, entry.host}}}, pool::codeLost, true);
        return nullptr;
    }
    at->tries.insert(tryUuid);
    if (!at->agent->isOnline()) {
        return nullptr; // it is asked for when the host is back
    }
    entry.folder = folderOf(tryUuid, entry);
    if (entry.folder.isEmpty()) {
        entry.folder = m_folders.on(*at, entry.localFolder);
    }
    return &entry;
}

// A helper may choose another state folder than the one before it, as where the home folder cannot be written for a
// while. A launched try stays where it was: in another folder it would look lost, or be launched again.
QString TryPlaces::folderOf(const QUuid &tryUuid, const LiveTry &entry) const
{
    const PoolHost *at = m_hosts.find(entry.host);
    QString folder = entry.folder;
    if (folder.isEmpty() && at && at->mirrors) {
        folder = at->mirrors->remoteOf(tryUuid);
    }
    if (const QString own = m_own.lastOn(entry.host); folder.isEmpty() && entry.mayBeThere && !own.isEmpty()) {
        folder = own + m_folders.local().belowRuns(entry.localFolder);
    }
    return folder;
}

} // namespace trainyard
