// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/sweeproom.h"

#include "engine/api/clusters.h"
#include "engine/api/hostmemory.h"

#include <algorithm>
#include <iterator>
#include <limits>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr QLatin1StringView thisComputer("local");

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

bool takesJobs(const HostInfo &host) { return host.state == HostState::Online && !host.drained; }

JobDemand amountsOf(const HostInfo &host, qint64 reserveMiB)
{
    const auto gpus
        = std::count_if(host.gpus.cbegin(), host.gpus.cend(), [](const GpuInfo &gpu) { return gpu.kept.isEmpty(); });
    return {gpus, host.cpus, usableMemoryMiB(host.memoryMiB, reserveMiB)};
}

bool fits(const JobDemand &wanted, const JobDemand &have)
{
    return wanted.gpus <= have.gpus && (have.memoryMiB == 0 || wanted.memoryMiB <= have.memoryMiB);
}

// Whether all of its tasks could run there, however long they waited. CPU cores are no limit for a single job.
bool couldRunOn(const JobSpec &job, const HostInfo &host, qint64 reserveMiB)
{
    const JobDemand its = amountsOf(host, reserveMiB);
    for (const TaskRole &role : job.taskRoles) {
        const HostRule rule = job.trainyard.hostRule(role.name);
        const bool isNamed = rule.names.isEmpty() || rule.names.contains(host.id);
        const bool hasLabels = std::all_of(rule.labels.cbegin(), rule.labels.cend(),
            [&host](const QString &label) { return host.labels.contains(label); });
        const bool isSpread = rule.arrange == Arrangement::DifferentHosts && role.instances > 1;
        const JobDemand one{role.resources.gpu, role.resources.cpu, role.resources.memoryMB};
        if (!isNamed || !hasLabels || isSpread || !fits(one, its)) {
            return false;
        }
    }
    return !job.gangAllocation || fits(demandOf(job), its);
}

} // namespace

bool worksHere(const JobSpec &job, const QString &work, const QString &file)
{
    const QString &named = work.isEmpty() ? job.trainyard.work : work;
    const bool isOfEachHost = named.startsWith("~/"_L1);
    // One that is not absolute begins in the folder of the file.
    return !isOfEachHost && (named.startsWith(u'/') || !file.isEmpty());
}

SweepRoom sweepRoom(const JobSpec &job, const QList<HostInfo> &hosts, const SweepTarget &target)
{
    if (clusterPlaceOf(target.chosen)) {
        return {};
    }
    const auto byId = [&hosts](const QString &id) {
        return std::find_if(hosts.cbegin(), hosts.cend(), [&id](const HostInfo &host) { return host.id == id; });
    };
    QString only = byId(target.chosen) == hosts.cend() ? QString() : target.chosen;
    const auto here = byId(thisComputer);
    const bool isChosen = !target.chosen.isEmpty() && target.chosen != "pool"_L1;
    const bool staysHere = !isChosen && target.worksHere && here != hosts.cend()
        && (here->state != HostState::Online || couldRunOn(job, *here, target.memoryReserveMiB));
    only = staysHere ? QString(thisComputer) : only;
    const JobDemand wanted = demandOf(job);
    SweepRoom room;
    JobDemand have;
    for (const HostInfo &host : hosts) {
        if (!takesJobs(host)) {
            continue;
        }
        const JobDemand its = amountsOf(host, target.memoryReserveMiB);
        if (only.isEmpty() || host.id == only) {
            have = {have.gpus + its.gpus, have.cpus + its.cpus, have.memoryMiB + its.memoryMiB};
        } else if (staysHere && couldRunOn(job, host, target.memoryReserveMiB)) {
            room.unused.append(host.id);
        }
    }
    if (have.cpus == 0) {
        return room;
    }
    constexpr qint64 any = std::numeric_limits<int>::max();
    qint64 placed = wanted.gpus > 0 ? have.gpus / wanted.gpus : any;
    if (wanted.memoryMiB > 0 && have.memoryMiB > 0) {
        placed = std::min(placed, have.memoryMiB / wanted.memoryMiB);
    }
    const qint64 jobs = wanted.gpus > 0 ? placed : std::min(placed, have.cpus / std::max<qint64>(1, wanted.cpus));
    room.jobs = int(std::clamp<qint64>(jobs, 1, any));
    room.placed = placed >= any ? 0 : int(std::max<qint64>(1, placed));
    return room;
}

bool sweepSharesFolder(const JobSpec &job, const SweepTarget &target)
{
    const bool isHere = target.chosen.isEmpty() || target.chosen == "any"_L1 || target.chosen == "pool"_L1
        || target.chosen == thisComputer;
    return isHere && target.worksHere
        && std::none_of(job.taskRoles.cbegin(), job.taskRoles.cend(), [](const TaskRole &role) {
               return std::any_of(role.commands.cbegin(), role.commands.cend(), namesOneJob);
           });
}

} // namespace trainyard
