// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/sweeproom.h"

#include "engine/api/clusters.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace trainyard
{
namespace
{

// Variables that have another value in each job.
constexpr QLatin1StringView ofOneJob[] = {QLatin1StringView("TRAINYARD_JOB_ID"),
    QLatin1StringView("TRAINYARD_JOB_NAME"), QLatin1StringView("TRAINYARD_CHECKPOINT_DIR"),
    QLatin1StringView("TRAINYARD_TASK_FOLDER"), QLatin1StringView("TRAINYARD_TRY"), QLatin1StringView("PAI_JOB_NAME"),
    QLatin1StringView("FRAMEWORK_NAME"), QLatin1StringView("PAI_CONTAINER_ID"), QLatin1StringView("APP_ID")};

bool namesOneJob(const QString &command)
{
    return std::any_of(std::begin(ofOneJob), std::end(ofOneJob),
        [&command](QLatin1StringView name) { return command.contains(name); });
}

} // namespace

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

bool sweepSharesFolder(const JobSpec &job, const QString &file, const QString &work, const QString &target)
{
    const QString &own = job.trainyard.work; // a relative one is beside the file
    const bool hasFolder = !file.isEmpty() || !work.isEmpty() || own.startsWith(QLatin1Char('/'))
        || own.startsWith(QLatin1StringView("~/"));
    const bool isHere = target.isEmpty() || target == QLatin1StringView("any") || target == QLatin1StringView("local");
    return hasFolder && isHere && std::none_of(job.taskRoles.cbegin(), job.taskRoles.cend(), [](const TaskRole &role) {
        return std::any_of(role.commands.cbegin(), role.commands.cend(), namesOneJob);
    });
}

} // namespace trainyard
