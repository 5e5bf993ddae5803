// SPDX-License-Identifier: GPL-3.0-or-later
// The reasons why a job cannot run here at all.
#include "engine/core/schedulerdata.h"
#include "model/protocol/gpunames.h"

#include <iterator>
#include <limits>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

bool asksForType(const std::vector<Needs> &needs)
{
    return std::any_of(needs.cbegin(), needs.cend(), [](const Needs &each) { return !each.gpuType.isEmpty(); });
}

std::vector<Needs> ofAnyType(std::vector<Needs> needs)
{
    for (Needs &each : needs) {
        each.gpuType.clear();
    }
    return needs;
}

// The refusal of a gang that would fit if it could have GPUs of any type.
static std::optional<Error> tooManyOfAType(
    const PlacementRequest &request, const std::vector<int> &counts, const FreeCapacities &rooms)
{
    FreeCapacities trial = rooms;
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
        for (const FreeCapacity &room : rooms) {
            most += room.totalOfType(type);
        }
        if (!refused.type || wanted > most) {
            refused = {.type = type, .wanted = wanted, .most = most};
        }
    }
    return errorOf(refused);
}

bool fixesPorts(const std::vector<Needs> &needs)
{
    return std::any_of(needs.cbegin(), needs.cend(), [](const Needs &each) { return !each.firstPorts.isEmpty(); });
}

// The refusal of a gang that would fit if several of its tasks did not want the same port of a host. Names the port
// that most of them want.
static std::optional<Error> tooManyOnAPort(
    const PlacementRequest &request, const std::vector<int> &counts, const FreeCapacities &rooms)
{
    if (!fixesPorts(request.needs)) {
        return std::nullopt;
    }
    std::vector<Needs> without = request.needs;
    for (Needs &needs : without) {
        needs.firstPorts.clear();
    }
    FreeCapacities trial = rooms;
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

int Scheduler::mostCpus(const NodeSelector &where) const
{
    int most = 0;
    for (const auto &[id, host] : d->hosts) {
        most = where.allows(host.capacity) ? std::max(most, host.capacity.cpus) : most;
    }
    return most;
}

std::optional<Error> Scheduler::Private::impossible(const PlacementRequest &request) const
{
    const NodeSelector &where = request.where;
    if (expected.contains(where.onlyHost)) {
        return std::nullopt;
    }
    if (!where.onlyHost.isEmpty() && !hosts.contains(where.onlyHost)) {
        return errorOf(reason::RefuseHost{where.onlyHost});
    }
    // A runtime that does not answer may answer again.
    if (std::any_of(hosts.cbegin(), hosts.cend(), [&where](const auto &each) {
            return (where.onlyHost.isEmpty() || each.first == where.onlyHost) && where.isSilentOn(each.second.capacity);
        })) {
        return std::nullopt;
    }
    // What a host that was never reached has is not known: only what cannot go there may be impossible.
    PlacementRequest elsewhere = request;
    std::erase_if(elsewhere.tasks, [&](const PlacementRequest::Wanted &wanted) {
        return !expectedFor(where, request.needs[std::size_t(wanted.task.role)].hosts).isEmpty();
    });
    if (elsewhere.tasks.size() != request.tasks.size()) {
        return elsewhere.tasks.empty() ? std::nullopt : impossible(elsewhere);
    }
    constexpr CapacityFilter all{.everything = true, .evenAway = true, .evenHeld = true, .evenKept = true};
    FreeCapacities rooms = freeRooms(where, all);
    if (rooms.empty()) {
        for (const auto &[id, host] : hosts) {
            if ((where.onlyHost.isEmpty() || id == where.onlyHost) && !where.canRunOn(host.capacity)) {
                return errorOf(reason::RefuseRuntime{where.runtimeOn(host.capacity)});
            }
        }
    }
    const bool anyUnknown
        = std::any_of(rooms.begin(), rooms.end(), [](const FreeCapacity &room) { return !room.memoryKnown; });
    const bool anyGpuUnknown
        = std::any_of(rooms.begin(), rooms.end(), [](const FreeCapacity &room) { return !room.gpusKnown; });
    const bool asksForGpu
        = std::any_of(request.needs.begin(), request.needs.end(), [](const Needs &needs) { return needs.gpu > 0; });
    if (rooms.empty() || anyUnknown || (anyGpuUnknown && asksForGpu)) {
        return std::nullopt; // a host that has not said yet what it has
    }
    if (hasHostRules(request)) {
        if (const std::optional<Error> refused = refusedByHosts(request, rooms)) {
            return refused;
        }
    }
    if (asksForType(request.needs)) {
        // A type that none of them has may be on one that is not known yet.
        PlacementRequest known = request;
        for (Needs &needs : known.needs) {
            if (std::none_of(rooms.cbegin(), rooms.cend(),
                    [&needs](const FreeCapacity &room) { return room.totalOfType(needs.gpuType) > 0; })) {
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
    const auto memoryOf = [](const FreeCapacity &room) { return room.memoryMiB; };
    for (std::size_t role = 0; role < counts.size(); ++role) {
        const Needs &needs = request.needs[role];
        if (counts[role] == 0) {
            continue;
        }
        FreeCapacities own; // that it may have
        std::copy_if(rooms.cbegin(), rooms.cend(), std::back_inserter(own),
            [&needs](const FreeCapacity &room) { return room.admits(needs); });
        const auto most = [&own](auto value) {
            return std::max_element(own.cbegin(), own.cend(),
                [&](const FreeCapacity &a, const FreeCapacity &b) { return value(a) < value(b); });
        };
        Needs anyType = needs;
        anyType.gpuType.clear();
        const auto gpuOf = [&anyType](const FreeCapacity &room) { return room.totalFor(anyType); };
        const auto gpuRoom = most(gpuOf);
        if (needs.gpu > gpuOf(*gpuRoom)) {
            reason::RefuseGpu refused{.role = request.roleNames.value(qsizetype(role)),
                .wanted = needs.gpu,
                .most = gpuOf(*gpuRoom),
                .host = gpuRoom->host};
            for (const FreeCapacity &room : own) {
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
        const auto ofType = [&needs](const FreeCapacity &room) { return room.totalFor(needs); };
        if (const auto richest = most(ofType); needs.gpu > ofType(*richest)) {
            return errorOf(reason::RefuseGpuType{.role = request.roleNames.value(qsizetype(role)),
                .type = needs.gpuType,
                .wanted = needs.gpu,
                .most = ofType(*richest),
                .host = richest->host});
        }
        if (needs.gpu > 0 && needs.gpuMemoryMiB > 0) {
            // The memory that so many GPUs of one host have at least.
            const auto widest = [&](const FreeCapacity &room) {
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
    for (const FreeCapacity &room : rooms) {
        mostGpu += room.gpu;
        mostMemory += room.memoryMiB;
    }
    FreeCapacities trial = rooms;
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
    for (const FreeCapacity &room : rooms) {
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

} // namespace trainyard::core
