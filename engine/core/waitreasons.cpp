// SPDX-License-Identifier: GPL-3.0-or-later
// What cannot run here at all, and why the rest waits.
#include "engine/core/schedulerdata.h"

#include <QJsonObject>

#include <limits>
#include <set>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

// Jobs at the front of the queue whose reasons are worked out.
static constexpr int farBack = 10;

std::optional<Error> Scheduler::impossible(const PlacementRequest &request) const
{
    const Where &where = request.where;
    if (!where.onlyHost.isEmpty() && !d->hosts.contains(where.onlyHost)) {
        return Error{u"refuse.host"_s, QJsonObject{{u"host"_s, where.onlyHost}}};
    }
    constexpr Look all{.everything = true, .evenAway = true, .evenHeld = true, .evenKept = true};
    Rooms rooms = d->freeRooms(where, all);
    if (rooms.empty()) {
        for (const auto &[id, host] : d->hosts) {
            if ((where.onlyHost.isEmpty() || id == where.onlyHost) && !where.canRunOn(host.capacity)) {
                return Error{u"refuse.runtime"_s, QJsonObject{{u"runIn"_s, where.runtimeOn(host.capacity)}}};
            }
        }
    }
    const bool anyUnknown = std::any_of(rooms.begin(), rooms.end(), [](const Room &room) { return !room.memoryKnown; });
    if (rooms.empty() || anyUnknown) {
        return std::nullopt; // a host that has not said yet what it has
    }
    std::vector<int> counts(request.needs.size(), 0);
    for (const PlacementRequest::Wanted &wanted : request.tasks) {
        ++counts[std::size_t(wanted.task.role)];
    }
    const auto most = [&](auto value) {
        return std::max_element(
            rooms.begin(), rooms.end(), [&](const Room &a, const Room &b) { return value(a) < value(b); });
    };
    const auto gpuOf = [](const Room &room) { return room.gpu; };
    const auto memoryOf = [](const Room &room) { return room.memoryMiB; };
    for (std::size_t role = 0; role < counts.size(); ++role) {
        const Needs &needs = request.needs[role];
        if (counts[role] == 0) {
            continue;
        }
        const auto gpuRoom = most(gpuOf);
        if (needs.gpu > gpuRoom->gpu) {
            return Error{u"refuse.gpu"_s,
                QJsonObject{{u"role"_s, request.roleNames.value(qsizetype(role))}, {u"wanted"_s, needs.gpu},
                    {u"most"_s, gpuRoom->gpu}, {u"host"_s, gpuRoom->host}}};
        }
        if (needs.gpu > 0 && needs.gpuMemoryMiB > 0) {
            // The memory that so many GPUs of one host have at least.
            const auto widest = [&](const Room &room) {
                std::vector<qint64> sizes;
                for (const GpuRoom &gpu : room.gpus) {
                    sizes.push_back(gpu.totalMiB > 0 ? gpu.totalMiB : std::numeric_limits<qint64>::max());
                }
                std::sort(sizes.rbegin(), sizes.rend());
                return std::size_t(needs.gpu) <= sizes.size() ? sizes[std::size_t(needs.gpu) - 1] : 0;
            };
            const auto wide = most(widest);
            if (needs.gpuMemoryMiB > widest(*wide)) {
                return Error{u"refuse.gpu-memory"_s,
                    QJsonObject{{u"role"_s, request.roleNames.value(qsizetype(role))}, {u"wanted"_s, needs.gpu},
                        {u"wantedMiB"_s, needs.gpuMemoryMiB}, {u"mostMiB"_s, widest(*wide)}, {u"host"_s, wide->host}}};
            }
        }
        const auto memoryRoom = most(memoryOf);
        if (needs.memoryMiB > memoryRoom->memoryMiB) {
            return Error{u"refuse.memory"_s,
                QJsonObject{{u"role"_s, request.roleNames.value(qsizetype(role))}, {u"wantedMiB"_s, needs.memoryMiB},
                    {u"mostMiB"_s, memoryRoom->memoryMiB}, {u"host"_s, memoryRoom->host}}};
        }
        if (!placeOne(needs, rooms)) { // GPUs here, memory there
            return Error{u"refuse.memory"_s,
                QJsonObject{{u"role"_s, request.roleNames.value(qsizetype(role))}, {u"wantedMiB"_s, needs.memoryMiB},
                    {u"mostMiB"_s, gpuRoom->memoryMiB}, {u"host"_s, gpuRoom->host}, {u"wantedGpu"_s, needs.gpu}}};
        }
    }
    if (!request.gang) {
        return std::nullopt;
    }
    qint64 gpu = 0;
    qint64 memory = 0;
    qint64 mostGpu = 0;
    qint64 mostMemory = 0;
    for (std::size_t role = 0; role < counts.size(); ++role) {
        gpu += qint64(request.needs[role].gpu) * counts[role];
        memory += request.needs[role].memoryMiB * counts[role];
    }
    for (const Room &room : rooms) {
        mostGpu += room.gpu;
        mostMemory += room.memoryMiB;
    }
    Rooms trial = rooms;
    if (placeTogether(request.needs, counts, trial)) {
        return std::nullopt;
    }
    qint64 gpuMemory = 0;
    qint64 mostGpuMemory = 0;
    bool allShare = gpu > 0;
    for (std::size_t role = 0; role < counts.size(); ++role) {
        const Needs &needs = request.needs[role];
        gpuMemory += needs.gpuMemoryMiB * needs.gpu * counts[role];
        allShare = allShare && (counts[role] == 0 || needs.gpu == 0 || needs.gpuMemoryMiB > 0);
    }
    for (const Room &room : rooms) {
        allShare = allShare && (room.sharing || room.gpus.empty());
        for (const GpuRoom &one : room.gpus) {
            mostGpuMemory += one.totalMiB;
        }
    }
    if (allShare && memory <= mostMemory) {
        return Error{u"refuse.gang"_s,
            QJsonObject{{u"resource"_s, u"gpuMemoryMiB"_s}, {u"wanted"_s, gpuMemory}, {u"most"_s, mostGpuMemory}}};
    }
    // Either the sum is too large, or the tasks cannot be cut so that they fit the hosts; name the scarcer resource.
    const bool gpuBound = gpu > mostGpu || (memory <= mostMemory && gpu > 0);
    return Error{u"refuse.gang"_s,
        QJsonObject{{u"resource"_s, gpuBound ? u"gpu"_s : u"memory"_s}, {u"wanted"_s, gpuBound ? gpu : memory},
            {u"most"_s, gpuBound ? mostGpu : mostMemory}}};
}

// Each GPU that is not free counts for one reason.
static QJsonObject gpuFigures(const HostData &host)
{
    int foreign = 0, lockedByOthers = 0, excluded = 0, hours = 0, shared = 0;
    qint64 most = 0;
    QString until;
    std::set<qint64> jobs;
    for (const GpuSlot &slot : host.capacity.gpus) {
        const GpuUse use = host.gpuUse.value(slot.index);
        if (!use.jobs.isEmpty()) {
            jobs.insert(use.jobs.cbegin(), use.jobs.cend());
            shared += use.promisedMiB > 0 ? 1 : 0;
            most = std::max(most, use.promisedMiB > 0 ? slot.memoryMiB - use.promisedMiB : 0);
        } else if (slot.excluded) {
            ++excluded;
        } else if (!slot.keptUntil.isEmpty()) {
            ++hours;
            until = until.isEmpty() || slot.keptUntil < until ? slot.keptUntil : until;
        } else if (slot.foreign) {
            ++foreign;
        } else if (slot.held) {
            ++lockedByOthers;
        }
    }
    QJsonObject figures{{u"free"_s, host.freeGpus().size()}, {u"total"_s, qint64(host.capacity.gpus.size())},
        {u"foreign"_s, foreign}, {u"held"_s, lockedByOthers}, {u"excluded"_s, excluded}, {u"hours"_s, hours}};
    if (hours > 0) {
        figures.insert(u"until"_s, until);
    }
    QJsonArray numbers;
    for (const qint64 job : jobs) {
        numbers.append(job);
    }
    figures.insert(u"jobs"_s, numbers);
    if (shared > 0) {
        figures.insert(u"shared"_s, shared);
        figures.insert(u"roomMiB"_s, most);
    }
    return figures;
}

QJsonArray Scheduler::Private::hostFigures(const Where &where, bool gpu) const
{
    std::map<QString, std::set<qint64>> memoryHolders;
    for (const Reservation &reservation : reservations) {
        if (!gpu && reservation.memoryMiB > 0) {
            memoryHolders[reservation.host].insert(reservation.jobId);
        }
    }
    QJsonArray array;
    for (const auto &[id, host] : hosts) {
        if (!host.capacity.usable || !where.allows(host.capacity)) {
            continue;
        }
        QJsonObject figures{{u"host"_s, id}};
        if (gpu) {
            figures = gpuFigures(host);
            figures.insert(u"host"_s, id);
        } else {
            QJsonArray numbers;
            for (const qint64 job : memoryHolders[id]) {
                numbers.append(job);
            }
            figures.insert(u"jobs"_s, numbers);
            figures.insert(u"freeMiB"_s, host.usableMemoryMiB() - host.usedMemoryMiB);
            figures.insert(u"totalMiB"_s, host.usableMemoryMiB());
        }
        array.append(figures);
    }
    return array;
}

// Hosts would have room for it, and what it runs in is on none of them.
std::optional<WaitReason> Scheduler::Private::runtimeReason(const Waiter &waiter) const
{
    if (!couldFit(waiter, {.onlyHost = waiter.where.onlyHost}, {.evenKept = true})) {
        return std::nullopt;
    }
    QString wanted;
    QJsonArray figures;
    for (const auto &[id, host] : hosts) {
        const bool isMeant = waiter.where.onlyHost.isEmpty() || id == waiter.where.onlyHost;
        const QString runtime = waiter.where.runtimeOn(host.capacity);
        if (!isMeant || runtime.isEmpty()) {
            continue;
        }
        const bool has = waiter.where.canRunOn(host.capacity);
        wanted = wanted.isEmpty() || !has ? runtime : wanted;
        figures.append(QJsonObject{{u"host"_s, id}, {u"has"_s, has}, {u"away"_s, !host.capacity.usable}});
    }
    return WaitReason{u"wait.runtime"_s, QJsonObject{{u"runIn"_s, wanted}, {u"hosts"_s, figures}}};
}

WaitReason Scheduler::Private::reasonOf(const Waiter &waiter) const
{
    if (!waiter.gang && parallelLeft(waiter) == 0) {
        return {u"wait.parallel"_s, QJsonObject{{u"limit"_s, waiter.maxParallel}}};
    }
    // Far back nothing more is said: with a long queue the figures of every job would change at every turn.
    int ahead = 0;
    for (auto it = queue.begin(); it != queue.end() && it->second != waiter.job; ++it) {
        if (++ahead > farBack) {
            return {u"wait.queue-far"_s, QJsonObject{{u"ahead"_s, farBack}}};
        }
    }
    // A GPU that is kept for its hours comes back by itself; a host that is held may need somebody.
    const Look some{.evenKept = true};
    const Rooms rooms = freeRooms(waiter.where, some);
    if (rooms.empty() || !couldFit(waiter, some)) {
        if (couldFit(waiter, {.evenHeld = true, .evenKept = true})) {
            for (const auto &[id, host] : hosts) {
                const bool isMeant = waiter.where.allows(host.capacity);
                if (host.capacity.usable && !host.capacity.hold.code.isEmpty() && isMeant) {
                    return host.capacity.hold;
                }
            }
        }
        if (const std::optional<WaitReason> lacks = runtimeReason(waiter)) {
            return *lacks;
        }
        QJsonArray away;
        for (const auto &[id, host] : hosts) {
            if (!host.capacity.usable && waiter.where.allows(host.capacity)) {
                away.append(id);
            }
        }
        return {u"wait.host"_s, QJsonObject{{u"host"_s, waiter.where.onlyHost}, {u"hosts"_s, away}}};
    }
    if (fitsNow(waiter, rooms)) {
        const qint64 head = ahead > 0 ? queue.begin()->first.jobId : 0;
        return {u"wait.queue"_s, QJsonObject{{u"ahead"_s, ahead}, {u"job"_s, head}}};
    }
    Rooms withMemory = rooms;
    for (Room &room : withMemory) {
        room.memoryKnown = false;
    }
    const bool gpuBound = !fitsNow(waiter, withMemory);
    qint64 wanted = 0;
    qint64 freeSum = 0;
    qint64 totalSum = 0;
    for (std::size_t role = 0; role < waiter.needs.size(); ++role) {
        const qint64 each = gpuBound ? waiter.needs[role].gpu : waiter.needs[role].memoryMiB;
        const qint64 count = qint64(waiter.waiting[role].size());
        wanted = waiter.gang ? wanted + each * count : std::max(wanted, count ? each : 0);
    }
    const Room *best = nullptr;
    for (const Room &room : rooms) {
        const auto figure = [&](const Room &r) { return gpuBound ? qint64(r.gpu) : r.memoryMiB; };
        best = !best || figure(room) > figure(*best) ? &room : best;
        freeSum += figure(room);
        totalSum += gpuBound ? qint64(room.totalGpu) : room.totalMemoryMiB;
    }
    qint64 wantedOfOne = 0;
    bool mayShare = false;
    for (std::size_t role = 0; role < waiter.needs.size(); ++role) {
        const Needs &needs = waiter.needs[role];
        const bool waits = !waiter.waiting[role].empty();
        wantedOfOne = std::max(wantedOfOne, waits && needs.gpu > 0 ? needs.gpuMemoryMiB : 0);
        mayShare = mayShare
            || (waits && std::any_of(rooms.cbegin(), rooms.cend(), [&](const Room &r) { return r.shares(needs); }));
    }
    if (gpuBound && mayShare) {
        const GpuRoom *widest = nullptr;
        const Room *its = &rooms.front();
        for (const Room &room : rooms) {
            for (const GpuRoom &gpu : room.gpus) {
                if (!widest || gpu.freeMiB > widest->freeMiB) {
                    widest = &gpu;
                    its = &room;
                }
            }
        }
        return {u"wait.gpu-memory"_s,
            QJsonObject{{u"wantedMiB"_s, wantedOfOne}, {u"freeMiB"_s, widest ? widest->freeMiB : 0},
                {u"host"_s, its->host}, {u"hosts"_s, hostFigures(waiter.where, true)}}};
    }
    const QLatin1StringView unit = gpuBound ? ""_L1 : "MiB"_L1;
    return {gpuBound ? u"wait.gpu"_s : u"wait.memory"_s,
        QJsonObject{{QString("wanted"_L1 % unit), wanted}, {QString("free"_L1 % unit), freeSum},
            {QString("total"_L1 % unit), totalSum}, {u"host"_s, best->host},
            {u"hosts"_s, hostFigures(waiter.where, gpuBound)}}};
}

WaitReason Scheduler::waitReason(const QUuid &job) const
{
    const auto it = d->waiters.constFind(job);
    return it == d->waiters.constEnd() ? WaitReason{} : d->reasonOf(*it);
}

} // namespace trainyard::core
