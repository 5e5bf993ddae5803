// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/reasons.h"
#include "engine/core/apart.h"
#include "engine/core/backfill.h"
#include "engine/core/placing.h"
#include "engine/core/scheduler.h"

#include <climits>
#include <deque>
#include <set>

namespace trainyard::core
{

// The data of the scheduler. Only its own files use it.

// The capacity that counts as available: all of a host instead of the free part, hosts that are away, hosts on which
// nothing new starts, and GPUs that are kept for their hours, lost or in quarantine.
struct CapacityFilter {
    bool everything = false, evenAway = false, evenHeld = false, evenKept = false;
};

// The tasks on a GPU: one, or several that share it.
struct GpuUse {
    QList<qint64> jobs; // one for each task, in the order in which they came
    qint64 promisedMiB = 0; // 0: not shared
};

struct HostData {
    HostCapacity capacity;
    QHash<int, GpuUse> gpuUse; // by index
    QMap<int, qint64> portUse; // number and job: those that jobs fix, and drawn ones that a job needed
    qint64 usedMemoryMiB = 0;
    qint64 usedCpu = 0;
    int tasks = 0;
    bool isKnown = false; // else it was removed, or only tries are known there

    qint64 usableMemoryMiB() const { return std::max<qint64>(0, capacity.memoryMiB - capacity.reserveMiB); }
    bool isFree(const GpuSlot &gpu) const { return isOpen(gpu) && gpu.othersMiB == 0 && !gpuUse.contains(gpu.index); }
    // Not available now; it comes back at its hour or at an unknown time.
    static bool isAway(const GpuSlot &gpu) { return gpu.lost || gpu.quarantined || !gpu.keptUntil.isEmpty(); }
    // Whether it would be available without the tasks of this engine.
    static bool isOpen(const GpuSlot &gpu) { return !gpu.foreign && !gpu.held && !gpu.excluded && !isAway(gpu); }
    // The GPUs on which a task could be placed.
    std::vector<GpuRoom> gpuRooms(const CapacityFilter &look, bool wholeOnly) const
    {
        std::vector<GpuRoom> rooms;
        for (const GpuSlot &gpu : capacity.gpus) {
            GpuRoom room{gpu.index, gpu.rank, gpu.memoryMiB, gpu.memoryMiB, true, gpu.name, 0, gpu.instance};
            if (gpu.instance && wholeOnly) {
                continue;
            }
            if (look.everything) {
                if (gpu.excluded || (!look.evenKept && isAway(gpu))) {
                    continue;
                }
            } else if (!isOpen(gpu)) {
                continue;
            } else if (!isFree(gpu)) {
                const auto use = gpuUse.constFind(gpu.index);
                const bool isOurs = use != gpuUse.cend();
                if ((isOurs && use->promisedMiB <= 0) || !capacity.sharing || gpu.memoryMiB <= 0) {
                    continue;
                }
                room.whole = false;
                room.freeMiB -= gpu.othersMiB + (isOurs ? use->promisedMiB : 0);
            }
            rooms.push_back(room);
        }
        std::sort(rooms.begin(), rooms.end(), [](const GpuRoom &a, const GpuRoom &b) { return a.index < b.index; });
        return rooms;
    }
    // Names of the GPUs that jobs can have at some time, or, without those that are kept for their hours, now.
    QStringList gpusForJobs(bool evenKept, bool wholeOnly) const
    {
        QStringList names;
        for (const GpuSlot &gpu : capacity.gpus) {
            if (!gpu.excluded && (evenKept || !isAway(gpu)) && !(gpu.instance && wholeOnly)) {
                names.append(gpu.name);
            }
        }
        return names;
    }
};

struct Reservation {
    QUuid job;
    qint64 jobId = 0;
    QString host;
    QList<int> gpus;
    qint64 memoryMiB = 0;
    int cpu = 0;
    qint64 gpuShareMiB = 0;
    QList<int> ports; // of HostData::portUse
    QString group; // of the job
    int role = 0;
};

struct QueueKey {
    qint64 minusPriority = 0; // of the least priority, too
    double order = 0;
    qint64 jobId = 0;
    friend auto operator<=>(const QueueKey &, const QueueKey &) = default;
};

struct Waiter {
    PlacementRequest asked; // without its tasks
    std::vector<std::deque<PlacementRequest::Wanted>> waiting; // by role
    QSet<QUuid> known;

    std::vector<int> counts(int most) const
    {
        std::vector<int> result;
        for (const auto &role : waiting) {
            result.push_back(int(std::min<std::size_t>(role.size(), std::size_t(most))));
        }
        return result;
    }
    bool isEmpty() const { return known.isEmpty(); }
};

bool hasLabels(const QStringList &labels, const HostRule &rule);
bool hasHostRules(const PlacementRequest &request);
// The refusal of a gang that would fit without the rules for hosts of its roles.
std::optional<Error> tooManyOnTheirHosts(
    const PlacementRequest &request, const std::vector<int> &counts, const FreeCapacities &rooms);
bool asksForType(const std::vector<Needs> &needs); // of GPU
std::vector<Needs> ofAnyType(std::vector<Needs> needs); // the same without
bool fixesPorts(const std::vector<Needs> &needs);
// Each GPU that is not free counts for one reason.
reason::GpusOfHost gpuFigures(const QString &id, const HostData &host, const QString &type);

// The scheduler's data and its only place of computation. Large because each reason for waiting is found by trying the
// same placement under other conditions.
struct Scheduler::Private {
    std::map<QString, HostData> hosts;
    QMap<QString, QStringList> expected; // with their labels; not among the hosts: what they have is not known
    QSet<QString> connecting; // hosts to which a connection is being made for the first time
    QHash<QUuid, Reservation> reservations; // by try
    QHash<QUuid, int> held; // tries of a job that have an allocation
    QHash<QString, QSet<QUuid>> active; // jobs of a group that have an allocation
    QHash<QUuid, Waiter> waiters;
    std::map<QueueKey, QUuid> queue;
    QHash<QUuid, QueueKey> keys;
    QHash<QUuid, std::pair<int, double>> moved; // by hand: stays for later attempts
    QHash<QUuid, WaitReason> blockedJobs;
    PairsApart apart; // hosts
    QUuid head; // the job that delayed others at the last schedule()

    FreeCapacities freeRooms(const NodeSelector &where, CapacityFilter look) const
    {
        FreeCapacities rooms;
        for (const auto &[id, host] : hosts) {
            const bool isThere = (host.capacity.usable || look.evenAway)
                && (host.capacity.hold.code.isEmpty() || look.evenHeld) && where.allows(host.capacity);
            if (!isThere) {
                continue;
            }
            FreeCapacity room;
            room.host = id;
            room.labels = host.capacity.labels;
            room.gpuNames = host.gpusForJobs(look.evenKept, where.wholeGpus);
            room.wholeNames = host.gpusForJobs(look.evenKept, true);
            room.gpusKnown = !host.capacity.gpusUnknown;
            room.totalGpu = int(room.gpuNames.size());
            room.sharing = host.capacity.sharing;
            room.gpus = host.gpuRooms(look, where.wholeGpus);
            room.totalMemoryMiB = host.usableMemoryMiB();
            room.memoryKnown = host.capacity.memoryMiB > 0;
            room.cpus = std::max(1, host.capacity.cpus);
            room.gpu = int(
                std::count_if(room.gpus.cbegin(), room.gpus.cend(), [](const GpuRoom &gpu) { return gpu.whole; }));
            room.memoryMiB = room.totalMemoryMiB - (look.everything ? 0 : host.usedMemoryMiB);
            room.cpuUsed = look.everything ? 0 : double(host.usedCpu);
            if (!look.everything && !host.portUse.isEmpty()) {
                room.takenPorts = QSet<int>(host.portUse.keyBegin(), host.portUse.keyEnd());
            }
            rooms.push_back(std::move(room));
        }
        return rooms;
    }

    int parallelLeft(const Waiter &waiter) const
    {
        return waiter.asked.maxParallel > 0 ? std::max(0, waiter.asked.maxParallel - held.value(waiter.asked.job))
                                            : INT_MAX;
    }

    // The group has reached its limit of jobs with allocations, so this job, which has none, has to wait. The head of
    // the queue, if it is of the same group, keeps one for itself.
    bool isGroupFull(const Waiter &waiter, const QString &headGroup = {}) const
    {
        const GroupLimit &group = waiter.asked.group;
        if (group.most <= 0 || held.contains(waiter.asked.job)) {
            return false;
        }
        return active.value(group.name).size() + (headGroup == group.name ? 1 : 0) >= group.most;
    }

    void reserve(const QUuid &job, qint64 jobId, const QUuid &tryUuid, const Allocation &place, const Needs &needs,
        const QString &group, int role)
    {
        if (reservations.contains(tryUuid)) {
            return;
        }
        HostData &host = hosts[place.host];
        host.capacity.id = place.host;
        for (int gpu : place.gpus) {
            GpuUse &use = host.gpuUse[gpu];
            use.jobs.append(jobId);
            use.promisedMiB += place.gpuShareMiB;
        }
        host.usedMemoryMiB += needs.memoryMiB;
        host.usedCpu += needs.cpu;
        ++host.tasks;
        ++held[job];
        if (!group.isEmpty()) {
            active[group].insert(job);
        }
        Reservation &kept = reservations[tryUuid];
        kept = {job, jobId, place.host, place.gpus, needs.memoryMiB, needs.cpu, place.gpuShareMiB, {}, group, role};
        for (const int port : fixedPorts(needs)) {
            holdPort(kept, port);
        }
    }

    static void giveBack(HostData &host, const Reservation &reservation)
    {
        for (const int gpu : reservation.gpus) {
            const auto use = host.gpuUse.find(gpu);
            if (use == host.gpuUse.end()) {
                continue;
            }
            use->jobs.removeOne(reservation.jobId);
            use->promisedMiB -= reservation.gpuShareMiB;
            if (use->jobs.isEmpty()) {
                host.gpuUse.erase(use);
            }
        }
        for (const int port : reservation.ports) {
            host.portUse.remove(port);
        }
        host.usedMemoryMiB -= reservation.memoryMiB;
        host.usedCpu -= reservation.cpu;
        --host.tasks;
    }

    void holdPort(Reservation &reservation, int port)
    {
        QMap<int, qint64> &use = hosts[reservation.host].portUse;
        if (!use.contains(port)) {
            use.insert(port, reservation.jobId);
            reservation.ports.append(port);
        }
    }

    void grant(JobGrants &grants, Waiter &waiter, std::size_t role, const FreeCapacity &room, const QList<int> &gpus)
    {
        const PlacementRequest::Wanted wanted = waiter.waiting[role].front();
        waiter.waiting[role].pop_front();
        waiter.known.remove(wanted.tryUuid);
        const Needs &needs = waiter.asked.needs[role];
        Allocation place;
        place.host = room.host;
        place.address = hosts[room.host].capacity.address;
        place.gpus = gpus;
        place.gpuShareMiB = room.shares(needs) ? needs.gpuMemoryMiB : 0;
        reserve(waiter.asked.job, waiter.asked.jobId, wanted.tryUuid, place, needs, waiter.asked.group.name, int(role));
        grants.grants.push_back({wanted.task, wanted.tryUuid, std::move(place)});
    }

    void setKey(const QUuid &job, const QueueKey &key)
    {
        keys.insert(job, key);
        queue.emplace(key, job);
    }

    void drop(const QUuid &job)
    {
        waiters.remove(job);
        const auto key = keys.constFind(job);
        if (key != keys.constEnd()) {
            queue.erase(*key);
            keys.erase(key);
        }
    }

    // Whether it fits when nothing else runs.
    bool couldFit(const Waiter &waiter, CapacityFilter look = {}) const
    {
        return couldFit(waiter, waiter.asked.where, look);
    }
    bool couldFit(const Waiter &waiter, const NodeSelector &where, CapacityFilter look) const
    {
        look.everything = true;
        FreeCapacities rooms = freeRooms(where, look);
        if (waiter.asked.gang) {
            return placeGang(waiter, rooms).has_value();
        }
        for (std::size_t role = 0; role < waiter.asked.needs.size(); ++role) {
            if (!waiter.waiting[role].empty() && !placeOne(waiter.asked.needs[role], rooms)) {
                return false;
            }
        }
        return true;
    }

    // All of its tasks that wait, on hosts that reach each other if they talk.
    std::optional<Shares> placeGang(const Waiter &waiter, FreeCapacities &rooms) const;
    QStringList hostsOf(const Waiter &waiter) const; // where it has allocations

    // Tasks of a role that have allocations, where this matters to the others.
    TasksOnHosts tasksOnHosts(const Waiter &waiter, std::size_t role) const;

    // Whether some of its tasks could start with what is free if it were alone in the queue.
    bool fitsNow(const Waiter &waiter, FreeCapacities rooms) const
    {
        if (waiter.asked.gang) {
            return placeGang(waiter, rooms).has_value();
        }
        for (std::size_t role = 0; role < waiter.asked.needs.size(); ++role) {
            if (!waiter.waiting[role].empty()
                && placeOne(waiter.asked.needs[role], rooms, {}, tasksOnHosts(waiter, role))) {
                return true;
            }
        }
        return false;
    }

    // Whether some of its tasks could start beside its own ones that run if nothing else did.
    bool fitsBesideItsOwn(const Waiter &waiter) const;

    bool mayUse(const NodeSelector &where, const FreeCapacity &room) const
    {
        const auto it = hosts.find(room.host);
        return it != hosts.end() && where.allows(it->second.capacity);
    }

    std::map<QString, InUse> inUse() const;
    void place(Waiter &waiter, FreeCapacities &rooms, JobGrants &grants);
    std::optional<Error> impossible(const PlacementRequest &request) const;
    // Whether one of its waiting tasks may run there, by where the job may and by the rules of its roles.
    bool isOfUse(const Waiter &waiter, const HostCapacity &host) const;
    QList<reason::GpusOfHost> gpusOfHosts(const Waiter &waiter, const QString &type) const;
    QList<reason::MemoryOfHost> memoryOfHosts(const Waiter &waiter) const;
    // For rules about hosts (hostchoice.cpp).
    QStringList expectedFor(const NodeSelector &where, const HostRule &rule) const; // that a role with it may have
    QStringList awayFor(const Waiter &waiter) const; // out of reach, and one of its waiting tasks may have room there
    std::optional<Error> refusedByHosts(const PlacementRequest &request, const FreeCapacities &rooms) const;
    std::optional<reason::WaitHosts> hostsReason(const Waiter &waiter, CapacityFilter look) const;
    std::optional<reason::WaitPeers> peersReason(const Waiter &waiter, FreeCapacities rooms, const QString &what) const;
    std::optional<reason::WaitRuntime> runtimeReason(const Waiter &waiter) const;
    std::optional<reason::Any> typeReason(const Waiter &waiter, const FreeCapacities &rooms, CapacityFilter look) const;
    std::optional<reason::WaitPort> portReason(const Waiter &waiter, const FreeCapacities &rooms) const;
    WaitReason reasonOf(const Waiter &waiter) const;
    reason::Any scarceReason(const Waiter &waiter, const FreeCapacities &rooms) const;
    struct Outside;
    class UnblockAnalysis;
    Outside outsideOf(const Waiter &waiter) const;
    reason::Unblock unblockOf(const Waiter &waiter, CapacityFilter look) const;
    std::optional<QStringList> roomElsewhere(const Waiter &waiter) const;
};

} // namespace trainyard::core
