// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/sweeproom.h"

#include "engine/api/clusters.h"

#include <algorithm>
#include <limits>

namespace trainyard
{

int sweepJobsAtATime(const JobDemand &job, const QList<HostInfo> &hosts, const QString &target)
{
    if (clusterPlaceOf(target)) {
        return 0;
    }
    JobDemand have;
    const bool hasTarget
        = std::any_of(hosts.cbegin(), hosts.cend(), [&target](const HostInfo &host) { return host.id == target; });
    for (const HostInfo &host : hosts) {
        if (host.state != HostState::Online || (hasTarget && host.id != target)) {
            continue;
        }
        have.gpus += std::count_if(
            host.gpus.cbegin(), host.gpus.cend(), [](const GpuInfo &gpu) { return gpu.kept.isEmpty(); });
        have.cpus += host.cpus;
        have.memoryMiB += host.memoryMiB;
    }
    if (have.cpus == 0) {
        return 0;
    }
    qint64 jobs = job.gpus > 0 ? have.gpus / job.gpus : have.cpus / std::max<qint64>(1, job.cpus);
    if (job.memoryMiB > 0 && have.memoryMiB > 0) {
        jobs = std::min(jobs, have.memoryMiB / job.memoryMiB);
    }
    return int(std::clamp<qint64>(jobs, 1, std::numeric_limits<int>::max()));
}

} // namespace trainyard
