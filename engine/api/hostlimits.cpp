// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/hostlimits.h"

#include "engine/api/hostmemory.h"
#include "engine/api/slurmpartitions.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

void keepMost(std::optional<qint64> &most, qint64 figure) { most = std::max(most.value_or(0), figure); }

// The names on all hosts; nothing while one of them has not been reached yet, as it may have any.
std::optional<QStringList> gpuNamesOf(const QList<HostInfo> &hosts)
{
    QStringList names;
    for (const HostInfo &host : hosts) {
        if (host.memoryMiB <= 0) {
            return std::nullopt;
        }
        for (const GpuInfo &gpu : host.gpus) {
            names.append(gpu.name);
        }
    }
    return hosts.isEmpty() ? std::nullopt : std::optional(names);
}

} // namespace

HostLimits hostLimits(const QList<HostInfo> &hosts, qint64 memoryReserveMiB)
{
    HostLimits limits;
    limits.gpuNames = gpuNamesOf(hosts);
    QList<HostWords> words;
    for (const HostInfo &host : hosts) {
        words.append({host.id, host.labels});
        if (host.state != HostState::Online) {
            continue;
        }
        keepMost(limits.gpus, host.gpus.size());
        if (host.cpus > 0) {
            keepMost(limits.cpus, host.cpus);
        }
        if (host.memoryMiB > 0) {
            keepMost(limits.memoryMiB, usableMemoryMiB(host.memoryMiB, memoryReserveMiB));
        }
    }
    if (!words.isEmpty()) {
        limits.hosts = words;
    }
    return limits;
}

HostLimits nodeLimits(const ClusterInfo &cluster)
{
    HostLimits limits;
    limits.cluster = cluster.id;
    for (const ClusterStep &step : cluster.steps) {
        const QJsonArray partitions = step.args.value("partitions"_L1).toArray();
        if (step.id != "answers"_L1 || !step.isGood) {
            continue;
        }
        const QJsonObject most = slurm::largestOf(slurm::partitionsOf(partitions, cluster.options.split(u' ')));
        const qint64 cpus = most.value("cpus"_L1).toInteger(), memoryMiB = most.value("memoryMiB"_L1).toInteger();
        if (cpus > 0) { // one of them has a node
            limits.cpus = cpus;
            limits.gpus = most.value("gpus"_L1).toInteger();
        }
        if (memoryMiB > 1) { // as which it is counted where a site does not say it
            limits.memoryMiB = memoryMiB;
        }
    }
    return limits;
}

QStringList storageNames(const QJsonObject &settings)
{
    constexpr QLatin1StringView prefix("storages.");
    QStringList names;
    for (auto it = settings.constBegin(); it != settings.constEnd(); ++it) {
        if (it.key().startsWith(prefix) && !it.value().toString().isEmpty()) {
            names.append(it.key().mid(prefix.size()));
        }
    }
    return names;
}

qint64 memoryReserveOf(const QJsonObject &settings) { return settings.value("memory.reserveMiB"_L1).toInteger(); }

} // namespace trainyard
