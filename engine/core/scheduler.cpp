// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/schedulerdata.h"

#include <algorithm>
#include <iterator>

namespace trainyard::core
{

// Jobs behind a blocked head that are looked at for back-fill in one round.
constexpr int backfillDepth = 1000;

QString NodeSelector::runtimeOn(const HostCapacity &host) const
{
    const QString runtime = runIn.isEmpty() && hasImage ? host.runIn : runIn;
    return runtime == QLatin1StringView("host") ? QString() : runtime;
}

bool NodeSelector::canRunOn(const HostCapacity &host) const
{
    const QString runtime = runtimeOn(host);
    return runtime.isEmpty() || host.memoryMiB <= 0 || (host.runtimes.contains(runtime) && !isSilentOn(host));
}

bool NodeSelector::isSilentOn(const HostCapacity &host) const
{
    const QString runtime = runtimeOn(host);
    return !runtime.isEmpty() && host.silentRuntimes.contains(runtime);
}

// Gang: all or nothing. Else as many as there is room for, roles in order; a role without room does not hold up the
// next.
void Scheduler::Private::place(Waiter &waiter, FreeCapacities &rooms, JobGrants &grants)
{
    // Rooms outside of what the job may use are hidden from it.
    FreeCapacities hidden;
    FreeCapacities *usable = &rooms;
    const auto mayUse = [&](const FreeCapacity &room) { return this->mayUse(waiter.asked.where, room); };
    if (!std::all_of(rooms.begin(), rooms.end(), mayUse)) {
        std::copy_if(rooms.begin(), rooms.end(), std::back_inserter(hidden), mayUse);
        usable = &hidden;
    }
    if (waiter.asked.gang) {
        if (const std::optional<Shares> shares = placeGang(waiter, *usable)) {
            for (std::size_t role = 0; role < shares->size(); ++role) {
                for (const Share &share : (*shares)[role]) {
                    for (int i = 0; i < share.count; ++i) {
                        const QList<int> gpus = share.gpus.empty() ? QList<int>() : share.gpus[std::size_t(i)];
                        grant(grants, waiter, role, (*usable)[share.room], gpus);
                    }
                }
            }
        }
    } else {
        int left = parallelLeft(waiter);
        for (std::size_t role = 0; role < waiter.asked.needs.size(); ++role) {
            while (left > 0 && !waiter.waiting[role].empty()) {
                const std::optional<std::size_t> room = placeOne(waiter.asked.needs[role], *usable,
                    waiter.waiting[role].front().preferHost, tasksOnHosts(waiter, role));
                if (!room) {
                    break;
                }
                const std::vector<QList<int>> gpus = (*usable)[*room].take(waiter.asked.needs[role], 1);
                grant(grants, waiter, role, (*usable)[*room], gpus.empty() ? QList<int>() : gpus.front());
                --left;
            }
        }
    }
    for (const FreeCapacity &room : hidden) {
        for (FreeCapacity &original : rooms) {
            if (original.host == room.host) {
                original = room;
            }
        }
    }
}

std::optional<Shares> Scheduler::Private::placeGang(const Waiter &waiter, FreeCapacities &rooms) const
{
    const std::vector<int> counts = waiter.counts(INT_MAX);
    return !waiter.asked.talks || apart.empty()
        ? placeTogether(waiter.asked.needs, counts, rooms)
        : placeInReach(waiter.asked.needs, counts, rooms, apart, hostsOf(waiter));
}

QStringList Scheduler::Private::hostsOf(const Waiter &waiter) const
{
    QStringList at;
    for (const Reservation &reservation : reservations) {
        if (reservation.job == waiter.asked.job && !at.contains(reservation.host)) {
            at.append(reservation.host);
        }
    }
    return at;
}

std::map<QString, InUse> Scheduler::Private::inUse() const
{
    std::map<QString, InUse> byHost;
    for (const auto &[id, host] : hosts) {
        for (const GpuSlot &gpu : host.capacity.gpus) {
            byHost[id].otherGpus += !gpu.excluded && !host.gpuUse.contains(gpu.index) ? 1 : 0;
        }
    }
    for (const Reservation &reservation : reservations) {
        byHost[reservation.host].tasks.push_back({reservation.gpus, reservation.memoryMiB, reservation.gpuShareMiB});
    }
    return byHost;
}

Scheduler::Scheduler() : d(std::make_unique<Private>()) { }
Scheduler::~Scheduler() = default;
Scheduler::Scheduler(Scheduler &&) noexcept = default;
Scheduler &Scheduler::operator=(Scheduler &&) noexcept = default;

void Scheduler::expectHost(const QString &id, const QStringList &labels) { d->expected.insert(id, labels); }

bool Scheduler::setConnecting(const QString &id, bool on)
{
    if (d->connecting.contains(id) == on) {
        return false;
    }
    if (on) {
        d->connecting.insert(id);
    } else {
        d->connecting.remove(id);
    }
    return true;
}

void Scheduler::setHost(const HostCapacity &host)
{
    d->expected.remove(host.id);
    HostData &data = d->hosts[host.id];
    data.capacity = host;
    data.isKnown = true;
}

void Scheduler::removeHost(const QString &id)
{
    d->expected.remove(id);
    d->connecting.remove(id);
    const auto it = d->hosts.find(id);
    if (it == d->hosts.end()) {
        return;
    }
    if (it->second.tasks > 0) {
        it->second.isKnown = false; // it goes when the last of its tries is given back
        it->second.capacity.usable = false;
        it->second.capacity.gpus.clear();
    } else {
        d->hosts.erase(it);
    }
}

void Scheduler::request(const PlacementRequest &request)
{
    Waiter &waiter = d->waiters[request.job];
    if (waiter.asked.job.isNull() || waiter.asked.attempt != request.attempt) {
        waiter = {request, {}, {}};
        waiter.asked.tasks.clear();
        waiter.waiting.resize(request.needs.size());
    }
    for (const PlacementRequest::Wanted &wanted : request.tasks) {
        const std::size_t role = std::size_t(wanted.task.role);
        if (role >= waiter.waiting.size() || waiter.known.contains(wanted.tryUuid)
            || d->reservations.contains(wanted.tryUuid)) {
            continue;
        }
        waiter.known.insert(wanted.tryUuid);
        waiter.waiting[role].push_back(wanted);
    }
    if (waiter.isEmpty()) {
        d->drop(request.job);
        return;
    }
    if (!d->keys.contains(request.job)) {
        const auto hand
            = d->moved.value(request.job, {request.priority, request.order.value_or(double(request.submitted))});
        const QueueKey key{-qint64(hand.first), hand.second, request.jobId};
        d->setKey(request.job, key);
    }
}

void Scheduler::cancel(const QUuid &job)
{
    d->drop(job);
    d->blockedJobs.remove(job);
}

void Scheduler::forget(const QUuid &job)
{
    cancel(job);
    d->moved.remove(job);
}

void Scheduler::blockJob(const QUuid &job, const WaitReason &why) { d->blockedJobs.insert(job, why); }

void Scheduler::unblockJob(const QUuid &job) { d->blockedJobs.remove(job); }

void Scheduler::setApart(const PairsApart &pairs) { d->apart = pairs; }

void Scheduler::restoreAllocation(qint64 jobId, const QUuid &job, const QUuid &tryUuid, const Allocation &place,
    const Needs &needs, const QString &group, int role)
{
    d->reserve(job, jobId, tryUuid, place, needs, group, role);
}

void Scheduler::release(const QUuid &tryUuid)
{
    const auto it = d->reservations.constFind(tryUuid);
    if (it == d->reservations.constEnd()) {
        return;
    }
    if (const auto host = d->hosts.find(it->host); host != d->hosts.end()) {
        Private::giveBack(host->second, *it);
        if (host->second.tasks == 0 && !host->second.isKnown) {
            d->hosts.erase(host);
        }
    }
    int &heldByJob = d->held[it->job];
    if (--heldByJob == 0) {
        d->held.remove(it->job);
        if (const auto group = d->active.find(it->group); group != d->active.end()) {
            group->remove(it->job);
            if (group->isEmpty()) {
                d->active.erase(group);
            }
        }
    }
    d->reservations.erase(it);
}

bool Scheduler::holdPort(const QUuid &tryUuid, int port)
{
    const auto it = d->reservations.find(tryUuid);
    if (it == d->reservations.end()) {
        return false;
    }
    // The job that it was promised to gives its allocation back, and must not give back this port with it.
    for (Reservation &other : d->reservations) {
        if (other.host == it->host) {
            other.ports.removeAll(port);
        }
    }
    d->hosts[it->host].portUse.remove(port);
    d->holdPort(*it, port);
    return true;
}

std::vector<JobGrants> Scheduler::schedule()
{
    std::vector<JobGrants> result;
    FreeCapacities rooms = d->freeRooms({}, {});
    bool blocked = false;
    QString headGroup;
    d->head = {};
    int behind = 0;
    // Needs of single tasks that did not fit in this round: room only shrinks, so what needs as much cannot fit either.
    struct Shape {
        int gpu;
        qint64 memoryMiB;
        qint64 gpuMemoryMiB;
    };
    std::vector<Shape> failed;
    std::vector<QUuid> done;
    for (const auto &[key, job] : d->queue) {
        Waiter &waiter = d->waiters[job];
        if (d->blockedJobs.contains(job)) {
            continue; // waits for what no other job can give it
        }
        if (d->isGroupFull(waiter, headGroup)) {
            continue; // waits for its own group, and so delays no job
        }
        if (blocked && ++behind > backfillDepth) {
            break;
        }
        const auto isHopeless = [&](const Needs &needs) {
            return std::any_of(failed.begin(), failed.end(), [&](const Shape &shape) {
                // A GPU of its own and a part of one cannot be compared.
                const bool alike = shape.gpu == 0
                    || ((needs.gpuMemoryMiB > 0) == (shape.gpuMemoryMiB > 0)
                        && needs.gpuMemoryMiB >= shape.gpuMemoryMiB);
                return alike && needs.gpu >= shape.gpu && needs.memoryMiB >= shape.memoryMiB;
            });
        };
        bool hopeless = false;
        if (!failed.empty()) {
            // A gang needs all of its roles, the others one.
            bool any = false;
            bool all = true;
            for (std::size_t role = 0; role < waiter.asked.needs.size(); ++role) {
                if (!waiter.waiting[role].empty()) {
                    const bool no = isHopeless(waiter.asked.needs[role]);
                    any = any || no;
                    all = all && no;
                }
            }
            hopeless = waiter.asked.gang ? any : all;
        }
        JobGrants grants{job, waiter.asked.attempt, {}};
        if (!hopeless) {
            d->place(waiter, rooms, grants);
        }
        if (!grants.grants.empty()) {
            result.push_back(std::move(grants));
        }
        if (waiter.isEmpty()) {
            done.push_back(job);
            continue;
        }
        if (d->parallelLeft(waiter) == 0) {
            continue; // waits for its own tasks, and so delays no job
        }
        const auto mayUse = [&](const FreeCapacity &room) { return d->mayUse(waiter.asked.where, room); };
        if (std::all_of(rooms.begin(), rooms.end(), mayUse)) {
            for (std::size_t role = 0; role < waiter.asked.needs.size(); ++role) {
                const Needs &needs = waiter.asked.needs[role];
                const bool isPlain // else others may fit where it does not
                    = needs.firstPorts.isEmpty() && needs.gpuType.isEmpty() && needs.hosts.isAny();
                if (isPlain && !waiter.waiting[role].empty() && !isHopeless(needs) && !placeOne(needs, rooms)) {
                    failed.push_back({needs.gpu, needs.memoryMiB, needs.gpuMemoryMiB});
                }
            }
        }
        // A job that cannot run on the present hosts reserves nothing, and neither does one that waits for its own
        // tasks.
        if (!blocked && d->fitsBesideItsOwn(waiter)) {
            blocked = true;
            d->head = job;
            headGroup = d->held.contains(job) ? QString() : waiter.asked.group.name; // it counts already
            std::vector<TasksOnHosts> others; // as place() looks at them
            for (std::size_t role = 0; !waiter.asked.gang && role < waiter.asked.needs.size(); ++role) {
                others.push_back(d->tasksOnHosts(waiter, role));
            }
            const std::vector<int> counts = waiter.counts(d->parallelLeft(waiter));
            keepForHead({waiter.asked.needs, counts, waiter.asked.gang, mayUse, others}, rooms, d->inUse());
        }
    }
    for (const QUuid &job : done) {
        d->drop(job);
    }
    return result;
}

std::optional<JobGrants> Scheduler::wouldPlace(const PlacementRequest &request, WaitReason *why) const
{
    Scheduler trial;
    *trial.d = *d;
    trial.request(request);
    for (JobGrants &grants : trial.schedule()) {
        if (grants.job == request.job) {
            return std::move(grants);
        }
    }
    if (why) {
        *why = trial.waitReason(request.job);
    }
    return std::nullopt;
}

qint64 Scheduler::gpuHolder(const QString &host, int gpu) const
{
    const auto it = d->hosts.find(host);
    const auto use = it == d->hosts.end() ? GpuUse() : it->second.gpuUse.value(gpu);
    return use.jobs.value(0);
}

QList<qint64> Scheduler::gpuHolders(const QString &host, int gpu) const
{
    const auto it = d->hosts.find(host);
    QList<qint64> jobs;
    for (const qint64 job : it == d->hosts.end() ? QList<qint64>() : it->second.gpuUse.value(gpu).jobs) {
        if (!jobs.contains(job)) {
            jobs.append(job);
        }
    }
    return jobs;
}

qint64 Scheduler::gpuPromisedMiB(const QString &host, int gpu) const
{
    const auto it = d->hosts.find(host);
    return it == d->hosts.end() ? 0 : it->second.gpuUse.value(gpu).promisedMiB;
}

PlacementRequest placementRequest(const JobState &job, const std::vector<TaskRef> &tasks, const NodeSelector &where)
{
    PlacementRequest request;
    request.job = job.uuid;
    request.jobId = job.meta.id;
    request.attempt = job.attempt();
    request.priority = job.priority;
    request.submitted = job.submitted;
    request.order = job.order;
    request.gang = job.policy.gang;
    request.maxParallel = job.policy.maxParallelTasks;
    request.where = where;
    for (const RolePolicy &role : job.policy.roles) {
        request.roleNames.append(role.name);
        request.needs.push_back(role.needs);
    }
    request.where.wholeGpus
        = std::none_of(request.needs.cbegin(), request.needs.cend(), [](const Needs &needs) { return needs.gpu == 1; });
    request.tasks.reserve(tasks.size());
    for (TaskRef ref : tasks) {
        request.tasks.push_back({ref, tryUuid(job, ref), job.task(ref).lastHost});
    }
    return request;
}

} // namespace trainyard::core
