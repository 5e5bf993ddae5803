// SPDX-License-Identifier: GPL-3.0-or-later
// What cannot run here at all, and why the rest waits.
#include "engine/core/schedulerdata.h"
#include "model/protocol/gpunames.h"

#include <iterator>
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
    reason::RefuseGangType refused;
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
        if (!refused.type || wanted > most) {
            refused = {.type = type, .wanted = wanted, .most = most};
        }
    }
    return errorOf(refused);
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
    return errorOf(reason::RefusePorts{.role = worst->role,
        .label = worst->label,
        .port = worst.key(),
        .wanted = worst->tasks,
        .most = qint64(rooms.size())});
}

std::optional<Error> Scheduler::impossible(const PlacementRequest &request) const { return d->impossible(request); }

int Scheduler::mostCpus(const Where &where) const
{
    int most = 0;
    for (const auto &[id, host] : d->hosts) {
        most = where.allows(host.capacity) ? std::max(most, host.capacity.cpus) : most;
    }
    return most;
}

std::optional<Error> Scheduler::Private::impossible(const PlacementRequest &request) const
{
    const Where &where = request.where;
    if (expected.contains(where.onlyHost)) {
        return std::nullopt;
    }
    if (!where.onlyHost.isEmpty() && !hosts.contains(where.onlyHost)) {
        return errorOf(reason::RefuseHost{where.onlyHost});
    }
    constexpr Look all{.everything = true, .evenAway = true, .evenHeld = true, .evenKept = true};
    Rooms rooms = freeRooms(where, all);
    if (rooms.empty()) {
        for (const auto &[id, host] : hosts) {
            if ((where.onlyHost.isEmpty() || id == where.onlyHost) && !where.canRunOn(host.capacity)) {
                return errorOf(reason::RefuseRuntime{where.runtimeOn(host.capacity)});
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
    if (hasHostRules(request)) {
        if (mayBeOnExpected(request)) {
            return std::nullopt;
        }
        if (const std::optional<Error> refused = refusedByHosts(request, rooms)) {
            return refused;
        }
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
    const auto memoryOf = [](const Room &room) { return room.memoryMiB; };
    for (std::size_t role = 0; role < counts.size(); ++role) {
        const Needs &needs = request.needs[role];
        if (counts[role] == 0) {
            continue;
        }
        Rooms own; // that it may have
        std::copy_if(rooms.cbegin(), rooms.cend(), std::back_inserter(own),
            [&needs](const Room &room) { return room.admits(needs); });
        const auto most = [&own](auto value) {
            return std::max_element(
                own.cbegin(), own.cend(), [&](const Room &a, const Room &b) { return value(a) < value(b); });
        };
        Needs anyType = needs;
        anyType.gpuType.clear();
        const auto gpuOf = [&anyType](const Room &room) { return room.totalFor(anyType); };
        const auto gpuRoom = most(gpuOf);
        if (needs.gpu > gpuOf(*gpuRoom)) {
            reason::RefuseGpu refused{.role = request.roleNames.value(qsizetype(role)),
                .wanted = needs.gpu,
                .most = gpuOf(*gpuRoom),
                .host = gpuRoom->host};
            for (const Room &room : own) {
                const std::vector<GpuSlot> &gpus = hosts.at(room.host).capacity.gpus;
                const auto kept = std::count_if(
                    gpus.cbegin(), gpus.cend(), [](const GpuSlot &gpu) { return gpu.excluded && gpu.bySetting; });
                if (kept > 0 && gpuOf(room) + kept >= needs.gpu) {
                    refused.excluded = kept;
                    refused.excludedHost = room.host;
                    break;
                }
            }
            return errorOf(refused);
        }
        const auto ofType = [&needs](const Room &room) { return room.totalFor(needs); };
        if (const auto richest = most(ofType); needs.gpu > ofType(*richest)) {
            return errorOf(reason::RefuseGpuType{.role = request.roleNames.value(qsizetype(role)),
                .type = needs.gpuType,
                .wanted = needs.gpu,
                .most = ofType(*richest),
                .host = richest->host});
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
                return errorOf(reason::RefuseGpuMemory{.role = request.roleNames.value(qsizetype(role)),
                    .wanted = needs.gpu,
                    .wantedMiB = needs.gpuMemoryMiB,
                    .mostMiB = widest(*wide),
                    .host = wide->host});
            }
        }
        const auto memoryRoom = most(memoryOf);
        if (needs.memoryMiB > memoryRoom->memoryMiB) {
            return errorOf(reason::RefuseMemory{.role = request.roleNames.value(qsizetype(role)),
                .wantedMiB = needs.memoryMiB,
                .mostMiB = memoryRoom->memoryMiB,
                .host = memoryRoom->host,
                .wantedGpu = {}});
        }
        if (!placeOne(needs, rooms)) { // GPUs here, memory there
            return errorOf(reason::RefuseMemory{.role = request.roleNames.value(qsizetype(role)),
                .wantedMiB = needs.memoryMiB,
                .mostMiB = gpuRoom->memoryMiB,
                .host = gpuRoom->host,
                .wantedGpu = needs.gpu});
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
    if (const std::optional<Error> laidOut = tooManyOnTheirHosts(request, counts, rooms)) {
        return laidOut;
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
        return errorOf(reason::RefuseGang{.resource = u"gpuMemoryMiB"_s, .wanted = gpuMemory, .most = mostGpuMemory});
    }
    // Either the sum is too large, or the tasks cannot be cut so that they fit the hosts; name the scarcer resource.
    const bool gpuBound = gpu > mostGpu || (memory <= mostMemory && gpu > 0);
    return errorOf(reason::RefuseGang{.resource = gpuBound ? u"gpu"_s : u"memory"_s,
        .wanted = gpuBound ? gpu : memory,
        .most = gpuBound ? mostGpu : mostMemory});
}

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

// It would have places in these rooms if its hosts did not have to reach each other.
std::optional<reason::WaitPeers> Scheduler::Private::peersReason(
    const Waiter &waiter, Rooms rooms, const QString &what) const
{
    if (!waiter.asked.gang || !waiter.asked.talks || apart.empty()) {
        return std::nullopt;
    }
    const std::optional<Shares> shares = placeTogether(waiter.asked.needs, waiter.counts(INT_MAX), rooms);
    QStringList chosen = hostsOf(waiter);
    for (std::size_t role = 0; shares && role < shares->size(); ++role) {
        for (const Share &share : (*shares)[role]) {
            chosen.append(rooms[share.room].host);
        }
    }
    const NoWay *way = firstApart(apart, chosen);
    return shares && way
        ? std::optional(reason::WaitPeers{way->from, way->to, way->address, way->how, what, way->minutes})
        : std::nullopt;
}

// Hosts would have room for it, and what it runs in is on none of them.
std::optional<reason::WaitRuntime> Scheduler::Private::runtimeReason(const Waiter &waiter) const
{
    if (!couldFit(waiter, {.onlyHost = waiter.asked.where.onlyHost}, {.evenKept = true})) {
        return std::nullopt;
    }
    reason::WaitRuntime lacks;
    for (const auto &[id, host] : hosts) {
        const bool isMeant = waiter.asked.where.onlyHost.isEmpty() || id == waiter.asked.where.onlyHost;
        const QString runtime = waiter.asked.where.runtimeOn(host.capacity);
        if (!isMeant || runtime.isEmpty()) {
            continue;
        }
        const bool has = waiter.asked.where.canRunOn(host.capacity);
        lacks.runIn = lacks.runIn.isEmpty() || !has ? runtime : lacks.runIn;
        lacks.hosts.append({.host = id, .has = has, .away = !host.capacity.usable});
    }
    return lacks;
}

// It could start if it could have GPUs of any type: now, or with such a look when nothing else runs.
std::optional<reason::Any> Scheduler::Private::typeReason(const Waiter &waiter, const Rooms &rooms, Look look) const
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
    std::optional<reason::Any> rare;
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
            return reason::WaitGpuTypeAway{type};
        }
        if (!rare || wanted > isFree) {
            rare = reason::WaitGpuType{.type = type,
                .wanted = wanted,
                .free = isFree,
                .total = total,
                .host = best->host,
                .hosts = gpusOfHosts(waiter, type),
                .unblock = {}};
        }
        if (wanted > isFree) {
            break;
        }
    }
    return rare;
}

// It would start now if other tasks did not use ports that it fixes.
std::optional<reason::WaitPort> Scheduler::Private::portReason(const Waiter &waiter, const Rooms &rooms) const
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
    reason::WaitPort taken;
    for (const Room &room : rooms) {
        const QMap<int, qint64> &use = hosts.at(room.host).portUse;
        for (auto it = use.cbegin(); it != use.cend(); ++it) {
            if (wanted.contains(it.key()) && taken.hosts.size() >= mostPortsNamed) {
                taken.more = taken.more.value_or(0) + 1;
            } else if (wanted.contains(it.key())) {
                taken.hosts.append({.host = room.host, .port = it.key(), .job = it.value()});
            }
        }
    }
    if (taken.hosts.isEmpty()) {
        return std::nullopt;
    }
    taken.first = taken.hosts.first();
    return taken;
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

// Where a job that is for one host only could start now if it were for any. Nothing where that helps it nowhere.
std::optional<QStringList> Scheduler::Private::roomElsewhere(const Waiter &waiter) const
{
    constexpr qsizetype mostNamed = 3;
    const QString &only = waiter.asked.where.onlyHost;
    if (only.isEmpty() || hosts.size() < 2) {
        return std::nullopt;
    }
    Waiter other = waiter;
    other.asked.where.onlyHost.clear();
    QStringList with;
    for (const Room &room : freeRooms(other.asked.where, {})) {
        if (room.host != only && with.size() < mostNamed && fitsNow(other, Rooms{room})) {
            with.append(room.host);
        }
    }
    return with.isEmpty() ? std::nullopt : std::optional(with);
}

WaitReason Scheduler::Private::reasonOf(const Waiter &waiter) const
{
    if (!waiter.asked.gang && parallelLeft(waiter) == 0) {
        return errorOf(reason::WaitParallel{waiter.asked.maxParallel});
    }
    if (isGroupFull(waiter)) {
        return errorOf(reason::WaitGroup{waiter.asked.group.name, waiter.asked.group.most});
    }
    // Jobs far back get no more details: with a long queue the figures of every job would change in every tick.
    int ahead = 0;
    for (auto it = queue.begin(); it != queue.end() && it->second != waiter.asked.job; ++it) {
        if (++ahead > farBack) {
            return errorOf(reason::WaitQueueFar{farBack});
        }
    }
    // A GPU that is kept for its hours comes back by itself; a host that is held may need its user.
    const Look some{.evenKept = true};
    Rooms rooms = freeRooms(waiter.asked.where, some);
    std::erase_if(rooms, [&](const Room &room) { return !isOfUse(waiter, hosts.at(room.host).capacity); });
    if (rooms.empty() || !couldFit(waiter, some)) {
        constexpr Look all{.everything = true, .evenKept = true};
        if (const auto peers = peersReason(waiter, freeRooms(waiter.asked.where, all), u"alone"_s)) {
            return errorOf(*peers);
        }
        if (couldFit(waiter, {.evenHeld = true, .evenKept = true})) {
            for (const auto &[id, host] : hosts) {
                const bool isMeant = isOfUse(waiter, host.capacity);
                if (host.capacity.usable && !host.capacity.hold.code.isEmpty() && isMeant) {
                    return host.capacity.hold;
                }
            }
        }
        if (const auto rare = typeReason(waiter, rooms, {.everything = true, .evenKept = true})) {
            return errorOf(*rare);
        }
        if (const std::optional<reason::WaitRuntime> lacks = runtimeReason(waiter)) {
            return errorOf(*lacks);
        }
        for (const auto &[id, host] : hosts) {
            const bool isMeant = host.capacity.usable && waiter.asked.where.allows(host.capacity);
            const auto &needs = waiter.asked.needs;
            if (isMeant && host.capacity.gpusUnknown
                && std::any_of(needs.begin(), needs.end(), [](const Needs &each) { return each.gpu > 0; })) {
                return errorOf(reason::WaitGpuUnknown{id});
            }
        }
        // What the hosts have can change while a job waits: no host that comes back would help it then.
        if (const std::optional<Error> never = impossible(requestOf(waiter))) {
            return *never;
        }
        if (const std::optional<reason::WaitHosts> choice
            = hostsReason(waiter, {.everything = true, .evenKept = true})) {
            return errorOf(*choice);
        }
        reason::WaitHost away{.host = waiter.asked.where.onlyHost, .hosts = {}, .connecting = {}};
        if (expected.contains(waiter.asked.where.onlyHost)) {
            away.hosts.append(waiter.asked.where.onlyHost);
        }
        for (const auto &[id, host] : hosts) {
            if (!host.capacity.usable && waiter.asked.where.allows(host.capacity)) {
                away.hosts.append(id);
            }
        }
        const auto isConnecting = [this](const QString &id) { return connecting.contains(id); };
        const bool mayBeExpected = away.host.isEmpty()
            && std::any_of(expected.keyBegin(), expected.keyEnd(), isConnecting); // what it has is not known
        if (mayBeExpected || std::any_of(away.hosts.cbegin(), away.hosts.cend(), isConnecting)) {
            away.connecting = true;
        }
        return errorOf(away);
    }
    const auto withWays = [&](reason::Any why) {
        reason::Unblock unblock = waysToStart(waiter, some);
        unblock.elsewhere = roomElsewhere(waiter);
        std::visit(
            [&unblock](auto &reason) {
                if constexpr (requires { reason.unblock; }) {
                    reason.unblock = unblock;
                }
            },
            why);
        return errorOf(why);
    };
    if (fitsNow(waiter, rooms)) {
        // Those before the head cannot run on what is there, and delay no job.
        auto first = queue.begin();
        while (first->second != head && first->second != waiter.asked.job) {
            ++first;
        }
        first = first->second == waiter.asked.job ? queue.begin() : first;
        ahead -= int(std::distance(queue.begin(), first));
        return withWays(reason::WaitQueue{.ahead = ahead, .job = ahead > 0 ? first->first.jobId : 0, .unblock = {}});
    }
    if (const std::optional<reason::WaitPeers> peers = peersReason(waiter, rooms, u"others-busy"_s)) {
        return errorOf(*peers);
    }
    if (const std::optional<reason::Any> rare = typeReason(waiter, rooms, {})) {
        return withWays(*rare);
    }
    if (const std::optional<reason::WaitPort> port = portReason(waiter, rooms)) {
        return withWays(*port);
    }
    if (const std::optional<reason::WaitHosts> choice = hostsReason(waiter, some)) {
        return withWays(*choice);
    }
    return withWays(scarceReason(waiter, rooms));
}

// The GPUs or the memory that other jobs have.
reason::Any Scheduler::Private::scarceReason(const Waiter &waiter, const Rooms &rooms) const
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

WaitReason Scheduler::waitReason(const QUuid &job) const
{
    const auto it = d->waiters.constFind(job);
    if (it == d->waiters.constEnd()) {
        return {};
    }
    const auto held = d->heldBack.constFind(job);
    return held == d->heldBack.cend() ? d->reasonOf(*it) : *held;
}

} // namespace trainyard::core
