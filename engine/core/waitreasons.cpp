// SPDX-License-Identifier: GPL-3.0-or-later
// What cannot run here at all, and why the rest waits.
#include "engine/core/schedulerdata.h"
#include "model/protocol/gpunames.h"

#include <QJsonObject>

#include <limits>
#include <set>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

// Jobs at the front of the queue whose reasons are worked out.
static constexpr int farBack = 10;
static constexpr int mostPortsNamed = 50; // a job may fix hundreds

static bool asksForType(const std::vector<Needs> &needs)
{
    return std::any_of(needs.cbegin(), needs.cend(), [](const Needs &each) { return !each.gpuType.isEmpty(); });
}

static std::vector<Needs> ofAnyType(std::vector<Needs> needs)
{
    for (Needs &each : needs) {
        each.gpuType.clear();
    }
    return needs;
}

// The refusal of a gang that would fit if it could have GPUs of any type.
static std::optional<Error> tooManyOfAType(
    const PlacementRequest &request, const std::vector<int> &counts, const Rooms &rooms)
{
    Rooms trial = rooms;
    if (!asksForType(request.needs) || !placeTogether(ofAnyType(request.needs), counts, trial)) {
        return std::nullopt;
    }
    QJsonObject args;
    for (std::size_t role = 0; role < counts.size(); ++role) {
        const QString &type = request.needs[role].gpuType;
        if (type.isEmpty() || counts[role] == 0) {
            continue;
        }
        qint64 wanted = 0;
        qint64 most = 0;
        for (std::size_t other = 0; other < counts.size(); ++other) {
            wanted += request.needs[other].gpuType == type ? qint64(request.needs[other].gpu) * counts[other] : 0;
        }
        for (const Room &room : rooms) {
            most += room.totalOfType(type);
        }
        if (args.isEmpty() || wanted > most) {
            args = {{u"type"_s, type}, {u"wanted"_s, wanted}, {u"most"_s, most}};
        }
    }
    return Error{u"refuse.gang-type"_s, args};
}

static bool fixesPorts(const std::vector<Needs> &needs)
{
    return std::any_of(needs.cbegin(), needs.cend(), [](const Needs &each) { return !each.firstPorts.isEmpty(); });
}

// The refusal of a gang that would fit if several of its tasks did not want the same port of a host. Names the port
// that most of them want.
static std::optional<Error> tooManyOnAPort(
    const PlacementRequest &request, const std::vector<int> &counts, const Rooms &rooms)
{
    if (!fixesPorts(request.needs)) {
        return std::nullopt;
    }
    std::vector<Needs> without = request.needs;
    for (Needs &needs : without) {
        needs.firstPorts.clear();
    }
    Rooms trial = rooms;
    if (!placeTogether(without, counts, trial)) {
        return std::nullopt;
    }
    struct Wanted {
        int tasks = 0;
        QString role, label;
    };
    QMap<int, Wanted> ports;
    for (std::size_t role = 0; role < counts.size(); ++role) {
        const Needs &needs = request.needs[role];
        for (auto it = needs.firstPorts.cbegin(); counts[role] > 0 && it != needs.firstPorts.cend(); ++it) {
            Needs one = needs;
            one.firstPorts.clear();
            one.firstPorts.insert(it.key(), it.value());
            for (const int port : fixedPorts(one)) {
                Wanted &wanted = ports[port];
                wanted.tasks += counts[role];
                if (wanted.label.isEmpty()) {
                    wanted.role = request.roleNames.value(qsizetype(role));
                    wanted.label = it.key();
                }
            }
        }
    }
    const auto worst = std::max_element(
        ports.cbegin(), ports.cend(), [](const Wanted &a, const Wanted &b) { return a.tasks < b.tasks; });
    if (worst == ports.cend()) {
        return std::nullopt;
    }
    return Error{u"refuse.ports"_s,
        QJsonObject{{u"role"_s, worst->role}, {u"label"_s, worst->label}, {u"port"_s, worst.key()},
            {u"wanted"_s, worst->tasks}, {u"most"_s, qint64(rooms.size())}}};
}

std::optional<Error> Scheduler::impossible(const PlacementRequest &request) const { return d->impossible(request); }

std::optional<Error> Scheduler::Private::impossible(const PlacementRequest &request) const
{
    const Where &where = request.where;
    if (expected.contains(where.onlyHost)) {
        return std::nullopt;
    }
    if (!where.onlyHost.isEmpty() && !hosts.contains(where.onlyHost)) {
        return Error{u"refuse.host"_s, QJsonObject{{u"host"_s, where.onlyHost}}};
    }
    constexpr Look all{.everything = true, .evenAway = true, .evenHeld = true, .evenKept = true};
    Rooms rooms = freeRooms(where, all);
    if (rooms.empty()) {
        for (const auto &[id, host] : hosts) {
            if ((where.onlyHost.isEmpty() || id == where.onlyHost) && !where.canRunOn(host.capacity)) {
                return Error{u"refuse.runtime"_s, QJsonObject{{u"runIn"_s, where.runtimeOn(host.capacity)}}};
            }
        }
    }
    const bool anyUnknown = std::any_of(rooms.begin(), rooms.end(), [](const Room &room) { return !room.memoryKnown; });
    const bool anyGpuUnknown
        = std::any_of(rooms.begin(), rooms.end(), [](const Room &room) { return !room.gpusKnown; });
    const bool asksForGpu
        = std::any_of(request.needs.begin(), request.needs.end(), [](const Needs &needs) { return needs.gpu > 0; });
    if (rooms.empty() || anyUnknown || (anyGpuUnknown && asksForGpu)) {
        return std::nullopt; // a host that has not said yet what it has
    }
    if (asksForType(request.needs)) {
        // A type that none of them has may be on one that is not known yet.
        PlacementRequest known = request;
        for (Needs &needs : known.needs) {
            if (std::none_of(rooms.cbegin(), rooms.cend(),
                    [&needs](const Room &room) { return room.totalOfType(needs.gpuType) > 0; })) {
                needs.gpuType.clear();
            }
        }
        if (known.needs != request.needs) {
            return impossible(known);
        }
    }
    std::vector<int> counts(request.needs.size(), 0);
    for (const PlacementRequest::Wanted &wanted : request.tasks) {
        ++counts[std::size_t(wanted.task.role)];
    }
    const auto most = [&](auto value) {
        return std::max_element(
            rooms.begin(), rooms.end(), [&](const Room &a, const Room &b) { return value(a) < value(b); });
    };
    const auto memoryOf = [](const Room &room) { return room.memoryMiB; };
    for (std::size_t role = 0; role < counts.size(); ++role) {
        const Needs &needs = request.needs[role];
        if (counts[role] == 0) {
            continue;
        }
        Needs anyType = needs;
        anyType.gpuType.clear();
        const auto gpuOf = [&anyType](const Room &room) { return room.totalFor(anyType); };
        const auto gpuRoom = most(gpuOf);
        if (needs.gpu > gpuOf(*gpuRoom)) {
            QJsonObject args{{u"role"_s, request.roleNames.value(qsizetype(role))}, {u"wanted"_s, needs.gpu},
                {u"most"_s, gpuOf(*gpuRoom)}, {u"host"_s, gpuRoom->host}};
            for (const Room &room : rooms) {
                const std::vector<GpuSlot> &gpus = hosts.at(room.host).capacity.gpus;
                const auto kept = std::count_if(
                    gpus.cbegin(), gpus.cend(), [](const GpuSlot &gpu) { return gpu.excluded && gpu.bySetting; });
                if (kept > 0 && gpuOf(room) + kept >= needs.gpu) {
                    args.insert(u"excluded"_s, qint64(kept));
                    args.insert(u"excludedHost"_s, room.host);
                    break;
                }
            }
            return Error{u"refuse.gpu"_s, args};
        }
        const auto ofType = [&needs](const Room &room) { return room.totalFor(needs); };
        if (const auto richest = most(ofType); needs.gpu > ofType(*richest)) {
            return Error{u"refuse.gpu-type"_s,
                QJsonObject{{u"role"_s, request.roleNames.value(qsizetype(role))}, {u"type"_s, needs.gpuType},
                    {u"wanted"_s, needs.gpu}, {u"most"_s, ofType(*richest)}, {u"host"_s, richest->host}}};
        }
        if (needs.gpu > 0 && needs.gpuMemoryMiB > 0) {
            // The memory that so many GPUs of one host have at least.
            const auto widest = [&](const Room &room) {
                std::vector<qint64> sizes;
                for (const GpuRoom &gpu : room.gpus) {
                    if (isGpuOfType(gpu.name, needs.gpuType)) {
                        sizes.push_back(gpu.totalMiB > 0 ? gpu.totalMiB : std::numeric_limits<qint64>::max());
                    }
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
    if (const std::optional<Error> rare = tooManyOfAType(request, counts, rooms)) {
        return rare;
    }
    if (const std::optional<Error> crowded = tooManyOnAPort(request, counts, rooms)) {
        return crowded;
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
static QJsonObject gpuFigures(const HostData &host, const QString &type)
{
    int isFree = 0, total = 0, foreign = 0, lockedByOthers = 0, excluded = 0, hours = 0, shared = 0;
    qint64 most = 0;
    QString until;
    std::set<qint64> jobs;
    QJsonArray lost;
    for (const GpuSlot &slot : host.capacity.gpus) {
        if (!isGpuOfType(slot.name, type)) {
            continue;
        }
        ++total;
        isFree += host.isFree(slot) ? 1 : 0;
        const GpuUse use = host.gpuUse.value(slot.index);
        if (!use.jobs.isEmpty()) {
            jobs.insert(use.jobs.cbegin(), use.jobs.cend());
            shared += use.promisedMiB > 0 ? 1 : 0;
            most = std::max(most, use.promisedMiB > 0 ? slot.memoryMiB - use.promisedMiB - slot.othersMiB : 0);
        } else if (slot.lost) {
            lost.append(slot.index);
        } else if (slot.excluded) {
            ++excluded;
        } else if (!slot.keptUntil.isEmpty()) {
            ++hours;
            until = until.isEmpty() || slot.keptUntil < until ? slot.keptUntil : until;
        } else if (slot.foreign) {
            ++foreign;
        } else if (slot.held) {
            ++lockedByOthers;
        } else if (slot.othersMiB > 0) {
            ++shared;
            most = std::max(most, slot.memoryMiB - slot.othersMiB);
        }
    }
    QJsonObject figures{{u"free"_s, isFree}, {u"total"_s, total}, {u"foreign"_s, foreign}, {u"held"_s, lockedByOthers},
        {u"excluded"_s, excluded}, {u"hours"_s, hours}};
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
    if (!lost.isEmpty()) {
        figures.insert(u"lost"_s, lost);
    }
    return figures;
}

QJsonArray Scheduler::Private::hostFigures(const Where &where, bool gpu, const QString &gpuType) const
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
            figures = gpuFigures(host, gpuType);
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
    if (!couldFit(waiter, {.onlyHost = waiter.asked.where.onlyHost}, {.evenKept = true})) {
        return std::nullopt;
    }
    QString wanted;
    QJsonArray figures;
    for (const auto &[id, host] : hosts) {
        const bool isMeant = waiter.asked.where.onlyHost.isEmpty() || id == waiter.asked.where.onlyHost;
        const QString runtime = waiter.asked.where.runtimeOn(host.capacity);
        if (!isMeant || runtime.isEmpty()) {
            continue;
        }
        const bool has = waiter.asked.where.canRunOn(host.capacity);
        wanted = wanted.isEmpty() || !has ? runtime : wanted;
        figures.append(QJsonObject{{u"host"_s, id}, {u"has"_s, has}, {u"away"_s, !host.capacity.usable}});
    }
    return WaitReason{u"wait.runtime"_s, QJsonObject{{u"runIn"_s, wanted}, {u"hosts"_s, figures}}};
}

// It could start if it could have GPUs of any type: now, or with such a look when nothing else runs.
std::optional<WaitReason> Scheduler::Private::typeReason(const Waiter &waiter, const Rooms &rooms, Look look) const
{
    if (!asksForType(waiter.asked.needs)) {
        return std::nullopt;
    }
    Waiter content = waiter;
    content.asked.needs = ofAnyType(waiter.asked.needs);
    if (look.everything ? !couldFit(content, look) : !fitsNow(content, rooms)) {
        return std::nullopt;
    }
    // The first type of which there is not enough.
    std::optional<WaitReason> reason;
    for (std::size_t role = 0; role < waiter.asked.needs.size(); ++role) {
        const QString &type = waiter.asked.needs[role].gpuType;
        if (type.isEmpty() || waiter.waiting[role].empty()) {
            continue;
        }
        qint64 wanted = 0;
        for (std::size_t other = 0; other < waiter.asked.needs.size(); ++other) {
            if (waiter.asked.needs[other].gpuType == type && !waiter.waiting[other].empty()) {
                const qint64 each = waiter.asked.needs[other].gpu;
                wanted
                    = waiter.asked.gang ? wanted + each * qint64(waiter.waiting[other].size()) : std::max(wanted, each);
            }
        }
        const Room *best = nullptr;
        qint64 most = 0, isFree = 0, total = 0;
        for (const Room &room : rooms) {
            const qint64 here = std::count_if(room.gpus.cbegin(), room.gpus.cend(),
                [&](const GpuRoom &gpu) { return gpu.whole && isGpuOfType(gpu.name, type); });
            best = !best || here > most ? &room : best;
            most = std::max(most, here);
            isFree += here;
            total += room.totalOfType(type);
        }
        if (total == 0) {
            return WaitReason{u"wait.gpu-type-away"_s, QJsonObject{{u"type"_s, type}}};
        }
        if (!reason || wanted > isFree) {
            reason = WaitReason{u"wait.gpu-type"_s,
                QJsonObject{{u"type"_s, type}, {u"wanted"_s, wanted}, {u"free"_s, isFree}, {u"total"_s, total},
                    {u"host"_s, best->host}, {u"hosts"_s, hostFigures(waiter.asked.where, true, type)}}};
        }
        if (wanted > isFree) {
            break;
        }
    }
    return reason;
}

// It would start now if other tasks did not use ports that it fixes.
std::optional<WaitReason> Scheduler::Private::portReason(const Waiter &waiter, const Rooms &rooms) const
{
    if (!fixesPorts(waiter.asked.needs)) {
        return std::nullopt;
    }
    Rooms allFree = rooms;
    for (Room &room : allFree) {
        room.takenPorts.clear();
    }
    if (!fitsNow(waiter, allFree)) {
        return std::nullopt;
    }
    QSet<int> wanted;
    for (std::size_t role = 0; role < waiter.asked.needs.size(); ++role) {
        if (!waiter.waiting[role].empty()) {
            const QList<int> ports = fixedPorts(waiter.asked.needs[role]);
            wanted.unite(QSet<int>(ports.cbegin(), ports.cend()));
        }
    }
    QJsonArray holders;
    int more = 0;
    for (const Room &room : rooms) {
        const QMap<int, qint64> &use = hosts.at(room.host).portUse;
        for (auto it = use.cbegin(); it != use.cend(); ++it) {
            if (wanted.contains(it.key()) && holders.size() >= mostPortsNamed) {
                ++more;
            } else if (wanted.contains(it.key())) {
                holders.append(QJsonObject{{u"host"_s, room.host}, {u"port"_s, it.key()}, {u"job"_s, it.value()}});
            }
        }
    }
    if (holders.isEmpty()) {
        return std::nullopt;
    }
    QJsonObject args = holders.first().toObject();
    args.insert(u"hosts"_s, holders);
    if (more > 0) {
        args.insert(u"more"_s, more);
    }
    return WaitReason{u"wait.port"_s, args};
}

// The request for the tasks that are still waiting.
static PlacementRequest requestOf(const Waiter &waiter)
{
    PlacementRequest request = waiter.asked;
    for (const auto &role : waiter.waiting) {
        request.tasks.insert(request.tasks.end(), role.cbegin(), role.cend());
    }
    return request;
}

WaitReason Scheduler::Private::reasonOf(const Waiter &waiter) const
{
    if (!waiter.asked.gang && parallelLeft(waiter) == 0) {
        return {u"wait.parallel"_s, QJsonObject{{u"limit"_s, waiter.asked.maxParallel}}};
    }
    // Jobs far back get no more details: with a long queue the figures of every job would change in every tick.
    int ahead = 0;
    for (auto it = queue.begin(); it != queue.end() && it->second != waiter.asked.job; ++it) {
        if (++ahead > farBack) {
            return {u"wait.queue-far"_s, QJsonObject{{u"ahead"_s, farBack}}};
        }
    }
    // A GPU that is kept for its hours comes back by itself; a host that is held may need its user.
    const Look some{.evenKept = true};
    const Rooms rooms = freeRooms(waiter.asked.where, some);
    if (rooms.empty() || !couldFit(waiter, some)) {
        if (couldFit(waiter, {.evenHeld = true, .evenKept = true})) {
            for (const auto &[id, host] : hosts) {
                const bool isMeant = waiter.asked.where.allows(host.capacity);
                if (host.capacity.usable && !host.capacity.hold.code.isEmpty() && isMeant) {
                    return host.capacity.hold;
                }
            }
        }
        if (const std::optional<WaitReason> rare = typeReason(waiter, rooms, {.everything = true, .evenKept = true})) {
            return *rare;
        }
        if (const std::optional<WaitReason> lacks = runtimeReason(waiter)) {
            return *lacks;
        }
        for (const auto &[id, host] : hosts) {
            const bool isMeant = host.capacity.usable && waiter.asked.where.allows(host.capacity);
            const auto &needs = waiter.asked.needs;
            if (isMeant && host.capacity.gpusUnknown
                && std::any_of(needs.begin(), needs.end(), [](const Needs &each) { return each.gpu > 0; })) {
                return {u"wait.gpu-unknown"_s, QJsonObject{{u"host"_s, id}}};
            }
        }
        // What the hosts have can change while a job waits: no host that comes back would help it then.
        if (const std::optional<Error> never = impossible(requestOf(waiter))) {
            return *never;
        }
        QJsonArray away;
        if (expected.contains(waiter.asked.where.onlyHost)) {
            away.append(waiter.asked.where.onlyHost);
        }
        for (const auto &[id, host] : hosts) {
            if (!host.capacity.usable && waiter.asked.where.allows(host.capacity)) {
                away.append(id);
            }
        }
        return {u"wait.host"_s, QJsonObject{{u"host"_s, waiter.asked.where.onlyHost}, {u"hosts"_s, away}}};
    }
    const auto withWays = [&](WaitReason reason) {
        const QJsonObject ways = waysToStart(waiter, some);
        for (auto it = ways.begin(); it != ways.end(); ++it) {
            reason.args.insert(it.key(), it.value());
        }
        return reason;
    };
    if (fitsNow(waiter, rooms)) {
        // Those before the head cannot run on what is there, and delay no job.
        auto first = queue.begin();
        while (first->second != head && first->second != waiter.asked.job) {
            ++first;
        }
        first = first->second == waiter.asked.job ? queue.begin() : first;
        ahead -= int(std::distance(queue.begin(), first));
        return withWays(
            {u"wait.queue"_s, QJsonObject{{u"ahead"_s, ahead}, {u"job"_s, ahead > 0 ? first->first.jobId : 0}}});
    }
    if (const std::optional<WaitReason> rare = typeReason(waiter, rooms, {})) {
        return withWays(*rare);
    }
    if (const std::optional<WaitReason> port = portReason(waiter, rooms)) {
        return withWays(*port);
    }
    return withWays(scarceReason(waiter, rooms));
}

// The GPUs or the memory that other jobs have.
WaitReason Scheduler::Private::scarceReason(const Waiter &waiter, const Rooms &rooms) const
{
    Rooms withMemory = rooms;
    for (Room &room : withMemory) {
        room.memoryKnown = false;
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
    const Room *best = nullptr;
    for (const Room &room : rooms) {
        const auto figure = [&](const Room &r) { return gpuBound ? qint64(r.gpu) : r.memoryMiB; };
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
        mayShare = mayShare
            || (waits && std::any_of(rooms.cbegin(), rooms.cend(), [&](const Room &r) { return r.shares(needs); }));
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
        for (const Room &room : rooms) {
            have = std::max<qint64>(have, std::count_if(room.gpus.cbegin(), room.gpus.cend(), [&](const GpuRoom &gpu) {
                return gpu.freeMiB >= wantedOfOne;
            }));
        }
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
                {u"wanted"_s, gpus}, {u"have"_s, have}, {u"host"_s, its->host},
                {u"hosts"_s, hostFigures(waiter.asked.where, true)}}};
    }
    const QLatin1StringView unit = gpuBound ? ""_L1 : "MiB"_L1;
    return {gpuBound ? u"wait.gpu"_s : u"wait.memory"_s,
        QJsonObject{{QString("wanted"_L1 % unit), wanted}, {QString("free"_L1 % unit), freeSum},
            {QString("total"_L1 % unit), totalSum}, {u"host"_s, best->host},
            {u"hosts"_s, hostFigures(waiter.asked.where, gpuBound)}}};
}

WaitReason Scheduler::waitReason(const QUuid &job) const
{
    const auto it = d->waiters.constFind(job);
    return it == d->waiters.constEnd() ? WaitReason{} : d->reasonOf(*it);
}

} // namespace trainyard::core
