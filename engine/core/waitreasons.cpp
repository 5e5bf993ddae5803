// SPDX-License-Identifier: GPL-3.0-or-later
// Why what can run here waits.
#include "engine/core/schedulerdata.h"
#include "model/protocol/gpunames.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

// Jobs at the front of the queue whose reasons are worked out.
static constexpr int farBack = 10;
static constexpr int mostPortsNamed = 50; // a job may fix hundreds

// It would have places in these rooms if its hosts did not have to reach each other.
std::optional<reason::WaitPeers> Scheduler::Private::peersReason(
    const Waiter &waiter, FreeCapacities rooms, const QString &what) const
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
        const bool isSilent = waiter.asked.where.isSilentOn(host.capacity);
        lacks.hosts.append({.host = id,
            .has = has,
            .away = !host.capacity.usable,
            .unknown = {},
            .silent = isSilent ? std::optional(true) : std::nullopt});
    }
    QStringList unknown;
    for (std::size_t role = 0; role < waiter.waiting.size(); ++role) {
        unknown += waiter.waiting[role].empty() ? QStringList()
                                                : expectedFor(waiter.asked.where, waiter.asked.needs[role].hosts);
    }
    unknown.removeDuplicates();
    for (const QString &id : std::as_const(unknown)) {
        lacks.hosts.append({.host = id, .away = true, .unknown = true, .silent = {}});
    }
    return lacks;
}

// It could start if it could have GPUs of any type: now, or with such a look when nothing else runs.
std::optional<reason::Any> Scheduler::Private::typeReason(
    const Waiter &waiter, const FreeCapacities &rooms, CapacityFilter look) const
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
        const FreeCapacity *best = nullptr;
        qint64 most = 0, isFree = 0, total = 0;
        for (const FreeCapacity &room : rooms) {
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
std::optional<reason::WaitPort> Scheduler::Private::portReason(const Waiter &waiter, const FreeCapacities &rooms) const
{
    if (!fixesPorts(waiter.asked.needs)) {
        return std::nullopt;
    }
    FreeCapacities allFree = rooms;
    for (FreeCapacity &room : allFree) {
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
    for (const FreeCapacity &room : rooms) {
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
    for (const FreeCapacity &room : freeRooms(other.asked.where, {})) {
        if (room.host != only && with.size() < mostNamed && fitsNow(other, FreeCapacities{room})) {
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
        ahead += blockedJobs.contains(it->second) ? 0 : 1; // no job waits for those
        if (ahead > farBack) {
            return errorOf(reason::WaitQueueFar{farBack});
        }
    }
    // A GPU that is kept for its hours comes back by itself; a host that is held may need its user.
    const CapacityFilter some{.evenKept = true};
    FreeCapacities rooms = freeRooms(waiter.asked.where, some);
    std::erase_if(rooms, [&](const FreeCapacity &room) { return !isOfUse(waiter, hosts.at(room.host).capacity); });
    if (rooms.empty() || !couldFit(waiter, some)) {
        constexpr CapacityFilter all{.everything = true, .evenKept = true};
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
        // The resources of hosts can change while a job waits: no host that returns would help it then.
        if (const std::optional<Error> never = impossible(requestOf(waiter))) {
            return *never;
        }
        if (const std::optional<reason::WaitHosts> choice
            = hostsReason(waiter, {.everything = true, .evenKept = true})) {
            return errorOf(*choice);
        }
        reason::WaitHost away{.host = waiter.asked.where.onlyHost, .hosts = awayFor(waiter), .connecting = {}};
        if (std::any_of(away.hosts.cbegin(), away.hosts.cend(),
                [this](const QString &id) { return connecting.contains(id); })) {
            away.connecting = true;
        }
        return errorOf(away);
    }
    const auto withWays = [&](reason::Any why) {
        reason::Unblock unblock = unblockOf(waiter, some);
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
        // Jobs before the head cannot run on the present hosts, and delay no job.
        auto first = queue.begin();
        while (first->second != head && first->second != waiter.asked.job) {
            ++first;
        }
        const auto waits = [this](const auto &each) { return !blockedJobs.contains(each.second); };
        first = first->second == waiter.asked.job ? std::find_if(queue.begin(), first, waits) : first;
        ahead -= int(std::count_if(queue.begin(), first, waits));
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

WaitReason Scheduler::waitReason(const QUuid &job) const
{
    const auto it = d->waiters.constFind(job);
    if (it == d->waiters.constEnd()) {
        return {};
    }
    const auto held = d->blockedJobs.constFind(job);
    return held == d->blockedJobs.cend() ? d->reasonOf(*it) : *held;
}

} // namespace trainyard::core
