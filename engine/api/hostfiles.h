// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/fields.h"
#include "model/base/result.h"

#include <QString>
#include <QStringList>

namespace trainyard::api
{

// What Trainyard has put on a host that is reached by ssh. Sizes are in bytes, as the file system there counts them.
struct HostFiles {
    QString host; // id
    QString programFolder, jobsFolder; // on the host
    int jobs = 0; // folders of jobs that are in the list of this engine ...
    qint64 jobBytes = 0;
    int leftJobs = 0; // ... of jobs of this engine that no longer exist ...
    qint64 leftBytes = 0;
    int otherJobs = 0; // ... and of other engines that use the host
    qint64 otherBytes = 0;
    qint64 codeBytes = 0; // contents of work folders that were copied, kept for the next job
    qint64 dataBytes = 0; // copies of data that jobs name, kept for the next job
    int programs = 0; // helpers, of all versions
    qint64 programBytes = 0;
    int processes = 0; // that run a helper, also those of other engines
    qint64 processBytes = 0; // their memory
    bool isWhole = true; // false: there was no time to see all of it, so that there is more
    qint64 sharedCodeBytes = 0, sharedDataBytes = 0; // of the copies those that other engines have used: they stay
    QString clusterFolder; // on a login node: runs, data and helpers of Slurm clusters, of all engines; they stay
    qint64 clusterBytes = 0;
};
template <typename Io> void fields(Io &io, Of<Io, HostFiles> &m)
{
    members(io, "host", m.host, "programFolder", m.programFolder, "jobsFolder", m.jobsFolder, "jobs", m.jobs,
        "jobBytes", m.jobBytes, "leftJobs", m.leftJobs, "leftBytes", m.leftBytes);
    members(io, "otherJobs", m.otherJobs, "otherBytes", m.otherBytes, "codeBytes", m.codeBytes, "dataBytes",
        m.dataBytes, "programs", m.programs, "programBytes", m.programBytes, "processes", m.processes, "processBytes",
        m.processBytes, "isWhole", m.isWhole, "sharedCodeBytes", m.sharedCodeBytes);
    members(io, "sharedDataBytes", m.sharedDataBytes, "clusterFolder", m.clusterFolder, "clusterBytes", m.clusterBytes);
}

// Clusters that are reached by way of a host would be without their commands if it were removed.
inline Error isLoginNode(const QString &host, const QStringList &targets)
{
    return {QStringLiteral("host.login-node"),
        {{QStringLiteral("host"), host}, {QStringLiteral("targets"), targets.join(QStringLiteral(", "))}}};
}

// Whether a host is left unchanged because of something that a person may give up: what has not arrived here yet, or
// the way to a cluster.
inline bool mayBeForced(const Error &why)
{
    return why.code == QLatin1StringView("host.logs-pending") || why.code == QLatin1StringView("host.results-pending")
        || why.code == QLatin1StringView("host.login-node");
}

struct HostToClean {
    QString id;
    // Whether to remove the folders of ended jobs as well, with everything that the jobs wrote there, and the helper.
    bool everything = false;
    bool force = false; // also with output there that has not come here yet
};
template <typename Io> void fields(Io &io, Of<Io, HostToClean> &m)
{
    members(io, "id", m.id, "everything", m.everything, "force", m.force);
}

} // namespace trainyard::api
