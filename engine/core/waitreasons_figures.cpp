// SPDX-License-Identifier: GPL-3.0-or-later
// The GPUs and the memory of hosts, where jobs wait for them.
#include "engine/core/schedulerdata.h"
#include "model/protocol/gpunames.h"

#include <algorithm>
#include <set>

namespace trainyard::core
{

static std::optional<reason::Why> holdOf(const HostCapacity &host)
{
    const WaitReason &hold = host.hold;
    return hold.code.isEmpty() ? std::nullopt : std::optional(reason::Why{hold.code, hold.args});
}

reason::GpusOfHost gpuFigures(const QString &id, const HostData &host, const QString &type)
{
    reason::GpusOfHost figures{.host = id};
    figures.hold = holdOf(host.capacity);
    int shared = 0;
    qint64 most = 0;
    std::set<qint64> jobs;
    QList<int> lost, quarantined;
    for (const GpuSlot &slot : host.capacity.gpus) {
        if (!isGpuOfType(slot.name, type)) {
            continue;
        }
        ++figures.total;
        figures.free += host.isFree(slot) ? 1 : 0;
        const GpuUse use = host.gpuUse.value(slot.index);
        if (!use.jobs.isEmpty()) {
            jobs.insert(use.jobs.cbegin(), use.jobs.cend());
            shared += use.promisedMiB > 0 ? 1 : 0;
            most = std::max(most, use.promisedMiB > 0 ? slot.memoryMiB - use.promisedMiB - slot.othersMiB : 0);
        } else if (slot.lost) {
            lost.append(slot.index);
        } else if (slot.quarantined) {
            quarantined.append(slot.index);
        } else if (slot.excluded) {
            ++figures.excluded;
        } else if (!slot.keptUntil.isEmpty()) {
            ++figures.hours;
            figures.until = std::min(figures.until.value_or(slot.keptUntil), slot.keptUntil);
        } else if (slot.foreign) {
            ++figures.foreign;
        } else if (slot.held) {
            ++figures.held;
        } else if (slot.othersMiB > 0) {
            ++shared;
            most = std::max(most, slot.memoryMiB - slot.othersMiB);
        }
    }
    figures.jobs = QList<qint64>(jobs.cbegin(), jobs.cend());
    if (shared > 0) {
        figures.shared = shared;
        figures.roomMiB = most;
    }
    if (!lost.isEmpty()) {
        figures.lost = lost;
    }
    if (!quarantined.isEmpty()) {
        figures.quarantined = quarantined;
    }
    return figures;
}

QList<reason::GpusOfHost> Scheduler::Private::gpusOfHosts(const Waiter &waiter, const QString &type) const
{
    QList<reason::GpusOfHost> figures;
    for (const auto &[id, host] : hosts) {
        if (host.capacity.usable && isOfUse(waiter, host.capacity)) {
            figures.append(gpuFigures(id, host, type));
        }
    }
    return figures;
}

QList<reason::MemoryOfHost> Scheduler::Private::memoryOfHosts(const Waiter &waiter) const
{
    std::map<QString, std::set<qint64>> holders;
    for (const Reservation &reservation : reservations) {
        if (reservation.memoryMiB > 0) {
            holders[reservation.host].insert(reservation.jobId);
        }
    }
    QList<reason::MemoryOfHost> figures;
    for (const auto &[id, host] : hosts) {
        if (host.capacity.usable && isOfUse(waiter, host.capacity)) {
            const std::set<qint64> &jobs = holders[id];
            figures.append({.host = id,
                .freeMiB = host.usableMemoryMiB() - host.usedMemoryMiB,
                .totalMiB = host.usableMemoryMiB(),
                .jobs = QList<qint64>(jobs.cbegin(), jobs.cend()),
                .hold = holdOf(host.capacity)});
        }
    }
    return figures;
}

// The GPUs or the memory that other jobs have.
reason::Any Scheduler::Private::scarceReason(const Waiter &waiter, const FreeCapacities &rooms) const
{
    // Ports that it fixes may be taken as well; they are not what GPUs or memory are about.
    FreeCapacities withMemory = rooms;
    for (FreeCapacity &room : withMemory) {
        room.memoryKnown = false;
        room.takenPorts.clear();
    }
    const bool gpuBound = !fitsNow(waiter, withMemory);
    qint64 wanted = 0;
    qint64 freeSum = 0;
    qint64 totalSum = 0;
    for (std::size_t role = 0; role < waiter.asked.needs.size(); ++role) {
        const qint64 each = gpuBound ? waiter.asked.needs[role].gpu : waiter.asked.needs[role].memoryMiB;
        const qint64 count = qint64(waiter.waiting[role].size());
        wanted = waiter.asked.gang ? wanted + each * count : std::max(wanted, count ? each : 0);
    }
    const FreeCapacity *best = nullptr;
    for (const FreeCapacity &room : rooms) {
        const auto figure = [&](const FreeCapacity &r) { return gpuBound ? qint64(r.gpu) : r.memoryMiB; };
        best = !best || figure(room) > figure(*best) ? &room : best;
        freeSum += figure(room);
        totalSum += gpuBound ? qint64(room.totalGpu) : room.totalMemoryMiB;
    }
    qint64 wantedOfOne = 0;
    bool mayShare = false;
    for (std::size_t role = 0; role < waiter.asked.needs.size(); ++role) {
        const Needs &needs = waiter.asked.needs[role];
        const bool waits = !waiter.waiting[role].empty();
        wantedOfOne = std::max(wantedOfOne, waits && needs.gpu > 0 ? needs.gpuMemoryMiB : 0);
        mayShare = mayShare || (waits && std::any_of(rooms.cbegin(), rooms.cend(), [&](const FreeCapacity &r) {
            return r.shares(needs);
        }));
    }
    if (gpuBound && mayShare) {
        // On how many GPUs of a host at once, and how many of one host have it.
        int gpus = 1;
        for (std::size_t role = 0; role < waiter.asked.needs.size(); ++role) {
            const Needs &needs = waiter.asked.needs[role];
            gpus
                = !waiter.waiting[role].empty() && needs.gpuMemoryMiB == wantedOfOne ? std::max(gpus, needs.gpu) : gpus;
        }
        qint64 have = 0;
        for (const FreeCapacity &room : rooms) {
            have = std::max<qint64>(have, std::count_if(room.gpus.cbegin(), room.gpus.cend(), [&](const GpuRoom &gpu) {
                return gpu.freeMiB >= wantedOfOne;
            }));
        }
        const GpuRoom *widest = nullptr;
        const FreeCapacity *its = &rooms.front();
        for (const FreeCapacity &room : rooms) {
            for (const GpuRoom &gpu : room.gpus) {
                if (!widest || gpu.freeMiB > widest->freeMiB) {
                    widest = &gpu;
                    its = &room;
                }
            }
        }
        return reason::WaitGpuMemory{.wantedMiB = wantedOfOne,
            .freeMiB = widest ? widest->freeMiB : 0,
            .wanted = gpus,
            .have = have,
            .host = its->host,
            .hosts = gpusOfHosts(waiter, {}),
            .unblock = {}};
    }
    if (gpuBound) {
        return reason::WaitGpu{.wanted = wanted,
            .free = freeSum,
            .total = totalSum,
            .host = best->host,
            .hosts = gpusOfHosts(waiter, {}),
            .unblock = {}};
    }
    return reason::WaitMemory{.wantedMiB = wanted,
        .freeMiB = freeSum,
        .totalMiB = totalSum,
        .host = best->host,
        .hosts = memoryOfHosts(waiter),
        .unblock = {}};
}

} // namespace trainyard::core
