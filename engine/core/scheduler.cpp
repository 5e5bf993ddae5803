// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/scheduler.h"

#include "engine/core/rooms.h"

#include <QJsonArray>
#include <QJsonObject>

#include <deque>
#include <map>
#include <tuple>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

// Jobs behind a blocked head that are looked at for back-fill in one round.
constexpr int backfillDepth = 1000;

struct HostData {
    HostCapacity capacity;
    QHash<int, qint64> gpuHolders; // index -> job
    qint64 usedMemoryMiB = 0;
    int usedCpu = 0;
    int tasks = 0;

    qint64 usableMemoryMiB() const { return std::max<qint64>(0, capacity.memoryMiB - capacity.reserveMiB); }
    QList<int> freeGpus() const
    {
        QList<int> indexes;
        for (const GpuSlot &gpu : capacity.gpus) {
            if (!gpu.foreign && !gpu.held && !gpuHolders.contains(gpu.index)) {
                indexes.append(gpu.index);
            }
        }
        std::sort(indexes.begin(), indexes.end());
        return indexes;
    }
};

struct Reservation {
    QUuid job;
    QString host;
    QList<int> gpus;
    qint64 memoryMiB = 0;
    int cpu = 0;
};

struct QueueKey {
    int minusPriority = 0;
    double order = 0;
    qint64 jobId = 0;
    friend auto operator<=>(const QueueKey &, const QueueKey &) = default;
};

struct Waiter {
    QUuid job;
    qint64 jobId = 0;
    int attempt = 0;
    bool gang = true;
    int maxParallel = 0;
    QString onlyHost;
    std::vector<Needs> needs;
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

} // namespace

struct Scheduler::Private {
    std::map<QString, HostData> hosts;
    QHash<QUuid, Reservation> reservations; // by try
    QHash<QUuid, int> held; // tries of a job that hold a place
    QHash<QUuid, Waiter> waiters;
    std::map<QueueKey, QUuid> queue;
    QHash<QUuid, QueueKey> keys;
    QHash<QUuid, std::pair<int, double>> moved; // by hand: stays for later attempts

    Rooms freeRooms(const QString &onlyHost, bool everything = false, bool evenUnusable = false) const
    {
        Rooms rooms;
        for (const auto &[id, host] : hosts) {
            if ((!host.capacity.usable && !evenUnusable) || (!onlyHost.isEmpty() && id != onlyHost)) {
                continue;
            }
            Room room;
            room.host = id;
            room.totalGpu = int(host.capacity.gpus.size());
            room.totalMemoryMiB = host.usableMemoryMiB();
            room.memoryKnown = host.capacity.memoryMiB > 0;
            room.cpus = std::max(1, host.capacity.cpus);
            room.gpu = everything ? room.totalGpu : int(host.freeGpus().size());
            room.memoryMiB = room.totalMemoryMiB - (everything ? 0 : host.usedMemoryMiB);
            room.cpuUsed = everything ? 0 : host.usedCpu;
            rooms.push_back(std::move(room));
        }
        return rooms;
    }

    int parallelLeft(const Waiter &waiter) const
    {
        return waiter.maxParallel > 0 ? std::max(0, waiter.maxParallel - held.value(waiter.job)) : INT_MAX;
    }

    void reserve(const QUuid &job, qint64 jobId, const QUuid &tryUuid, const Place &place, const Needs &needs)
    {
        if (reservations.contains(tryUuid)) {
            return;
        }
        HostData &host = hosts[place.host];
        host.capacity.id = place.host;
        for (int gpu : place.gpus) {
            host.gpuHolders.insert(gpu, jobId);
        }
        host.usedMemoryMiB += needs.memoryMiB;
        host.usedCpu += needs.cpu;
        ++host.tasks;
        ++held[job];
        reservations.insert(tryUuid, {job, place.host, place.gpus, needs.memoryMiB, needs.cpu});
    }

    void grant(JobGrants &grants, Waiter &waiter, std::size_t role, const QString &hostId)
    {
        const PlacementRequest::Wanted wanted = waiter.waiting[role].front();
        waiter.waiting[role].pop_front();
        waiter.known.remove(wanted.tryUuid);
        const HostData &host = hosts[hostId];
        Place place;
        place.host = hostId;
        place.address = host.capacity.address;
        place.gpus = pickGpus(host.freeGpus(), waiter.needs[role].gpu);
        reserve(waiter.job, waiter.jobId, wanted.tryUuid, place, waiter.needs[role]);
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

    bool couldEverFit(const Waiter &waiter, bool evenUnusable) const
    {
        Rooms rooms = freeRooms(waiter.onlyHost, true, evenUnusable);
        if (waiter.gang) {
            return placeTogether(waiter.needs, waiter.counts(INT_MAX), rooms).has_value();
        }
        for (std::size_t role = 0; role < waiter.needs.size(); ++role) {
            if (!waiter.waiting[role].empty() && !placeOne(waiter.needs[role], rooms)) {
                return false;
            }
        }
        return true;
    }

    // Whether some of it could start with what is free, were it alone in the queue.
    bool fitsNow(const Waiter &waiter, Rooms rooms) const
    {
        if (waiter.gang) {
            return placeTogether(waiter.needs, waiter.counts(INT_MAX), rooms).has_value();
        }
        for (std::size_t role = 0; role < waiter.needs.size(); ++role) {
            if (!waiter.waiting[role].empty() && placeOne(waiter.needs[role], rooms)) {
                return true;
            }
        }
        return false;
    }

    void place(Waiter &waiter, Rooms &rooms, JobGrants &grants);
    QJsonArray hostFigures(const QString &onlyHost, bool gpu) const;
    WaitReason reasonOf(const Waiter &waiter) const;
};

// Gang: all or nothing. Else as many as there is room for, roles in order; a role without room does not hold up the
// next.
void Scheduler::Private::place(Waiter &waiter, Rooms &rooms, JobGrants &grants)
{
    // Rooms outside of what the job may use are hidden from it.
    Rooms hidden;
    Rooms *usable = &rooms;
    if (!waiter.onlyHost.isEmpty()) {
        for (const Room &room : rooms) {
            if (room.host == waiter.onlyHost) {
                hidden.push_back(room);
            }
        }
        usable = &hidden;
    }
    if (waiter.gang) {
        if (const std::optional<Shares> shares = placeTogether(waiter.needs, waiter.counts(INT_MAX), *usable)) {
            for (std::size_t role = 0; role < shares->size(); ++role) {
                for (const Share &share : (*shares)[role]) {
                    for (int i = 0; i < share.count; ++i) {
                        grant(grants, waiter, role, (*usable)[share.room].host);
                    }
                }
            }
        }
    } else {
        int left = parallelLeft(waiter);
        for (std::size_t role = 0; role < waiter.needs.size(); ++role) {
            while (left > 0 && !waiter.waiting[role].empty()) {
                const std::optional<std::size_t> room
                    = placeOne(waiter.needs[role], *usable, waiter.waiting[role].front().preferHost);
                if (!room) {
                    break;
                }
                (*usable)[*room].take(waiter.needs[role], 1);
                grant(grants, waiter, role, (*usable)[*room].host);
                --left;
            }
        }
    }
    for (const Room &room : hidden) {
        for (Room &original : rooms) {
            if (original.host == room.host) {
                original = room;
            }
        }
    }
}

Scheduler::Scheduler() : d(std::make_unique<Private>()) { }
Scheduler::~Scheduler() = default;
Scheduler::Scheduler(Scheduler &&) noexcept = default;
Scheduler &Scheduler::operator=(Scheduler &&) noexcept = default;

void Scheduler::setHost(const HostCapacity &host) { d->hosts[host.id].capacity = host; }

void Scheduler::removeHost(const QString &id)
{
    const auto it = d->hosts.find(id);
    if (it == d->hosts.end()) {
        return;
    }
    if (it->second.tasks > 0) {
        it->second.capacity.usable = false; // until the last of its tries is given back
        it->second.capacity.gpus.clear();
    } else {
        d->hosts.erase(it);
    }
}

QStringList Scheduler::hosts() const
{
    QStringList ids;
    for (const auto &[id, host] : d->hosts) {
        ids.append(id);
    }
    return ids;
}

std::optional<Error> Scheduler::impossible(const PlacementRequest &request) const
{
    if (!request.onlyHost.isEmpty() && !d->hosts.contains(request.onlyHost)) {
        return Error{u"refuse.host"_s, QJsonObject{{u"host"_s, request.onlyHost}}};
    }
    Rooms rooms = d->freeRooms(request.onlyHost, true, true);
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
    // Either the sum is too large, or the tasks cannot be cut so that they fit the hosts; name the scarcer resource.
    const bool gpuBound = gpu > mostGpu || (memory <= mostMemory && gpu > 0);
    return Error{u"refuse.gang"_s,
        QJsonObject{{u"resource"_s, gpuBound ? u"gpu"_s : u"memory"_s}, {u"wanted"_s, gpuBound ? gpu : memory},
            {u"most"_s, gpuBound ? mostGpu : mostMemory}}};
}

void Scheduler::request(const PlacementRequest &request)
{
    Waiter &waiter = d->waiters[request.job];
    if (waiter.job.isNull() || waiter.attempt != request.attempt) {
        waiter = Waiter{};
        waiter.job = request.job;
        waiter.jobId = request.jobId;
        waiter.attempt = request.attempt;
        waiter.gang = request.gang;
        waiter.maxParallel = request.maxParallel;
        waiter.onlyHost = request.onlyHost;
        waiter.needs = request.needs;
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
        const auto hand = d->moved.value(request.job, {request.priority, double(request.submitted)});
        const QueueKey key{-hand.first, hand.second, request.jobId};
        d->setKey(request.job, key);
    }
}

void Scheduler::cancel(const QUuid &job) { d->drop(job); }

void Scheduler::adopt(qint64 jobId, const QUuid &job, const QUuid &tryUuid, const Place &place, const Needs &needs)
{
    d->reserve(job, jobId, tryUuid, place, needs);
}

void Scheduler::release(const QUuid &tryUuid)
{
    const auto it = d->reservations.constFind(tryUuid);
    if (it == d->reservations.constEnd()) {
        return;
    }
    HostData &host = d->hosts[it->host];
    for (int gpu : it->gpus) {
        host.gpuHolders.remove(gpu);
    }
    host.usedMemoryMiB -= it->memoryMiB;
    host.usedCpu -= it->cpu;
    --host.tasks;
    int &heldByJob = d->held[it->job];
    if (--heldByJob == 0) {
        d->held.remove(it->job);
    }
    d->reservations.erase(it);
}

bool Scheduler::move(const QUuid &job, const QUuid &before)
{
    const auto own = d->keys.constFind(job);
    if (own == d->keys.constEnd() || job == before || (!before.isNull() && !d->keys.contains(before))) {
        return false;
    }
    QueueKey key = *own;
    d->queue.erase(key);
    d->keys.remove(job);
    if (d->queue.empty()) {
        d->setKey(job, key);
        return true;
    }
    // It takes the class of what it stands before, or of the last one.
    const auto place = before.isNull() ? d->queue.end() : d->queue.find(d->keys.value(before));
    key.minusPriority = (before.isNull() ? d->queue.rbegin()->first : place->first).minusPriority;
    std::vector<std::pair<QueueKey, QUuid>> behind{{key, job}};
    double previous = 0;
    bool isFirst = true;
    for (auto it = d->queue.begin(); it != place; ++it) {
        if (it->first.minusPriority == key.minusPriority) {
            previous = it->first.order;
            isFirst = false;
        }
    }
    for (auto it = place; it != d->queue.end() && it->first.minusPriority == key.minusPriority; ++it) {
        behind.emplace_back(*it);
    }
    // Right behind the one before it; those after it make room where there is none.
    constexpr double gap = 0.001;
    behind.front().first.order = isFirst ? behind[1].first.order - 1 : previous + gap;
    for (std::size_t i = 0; i < behind.size(); ++i) {
        auto &[moved, uuid] = behind[i];
        if (i > 0 && moved.order >= behind[i - 1].first.order + gap / 2) {
            break;
        }
        if (i > 0) {
            d->queue.erase(moved);
            moved.order = behind[i - 1].first.order + gap;
        }
        d->moved.insert(uuid, {-moved.minusPriority, moved.order});
        d->setKey(uuid, moved);
    }
    return true;
}

std::vector<JobGrants> Scheduler::schedule()
{
    std::vector<JobGrants> result;
    Rooms rooms = d->freeRooms({});
    bool blocked = false;
    int behind = 0;
    // Needs of single tasks that did not fit in this round: room only shrinks, so what needs as much cannot fit either.
    struct Shape {
        int gpu;
        qint64 memoryMiB;
    };
    std::vector<Shape> failed;
    std::vector<QUuid> done;
    for (const auto &[key, job] : d->queue) {
        if (blocked && ++behind > backfillDepth) {
            break;
        }
        Waiter &waiter = d->waiters[job];
        const auto isHopeless = [&](const Needs &needs) {
            return std::any_of(failed.begin(), failed.end(),
                [&](const Shape &shape) { return needs.gpu >= shape.gpu && needs.memoryMiB >= shape.memoryMiB; });
        };
        bool hopeless = false;
        if (!failed.empty()) {
            // A gang needs all of its roles, the others one.
            bool any = false;
            bool all = true;
            for (std::size_t role = 0; role < waiter.needs.size(); ++role) {
                if (!waiter.waiting[role].empty()) {
                    const bool no = isHopeless(waiter.needs[role]);
                    any = any || no;
                    all = all && no;
                }
            }
            hopeless = waiter.gang ? any : all;
        }
        JobGrants grants{job, waiter.attempt, {}};
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
            continue; // waits for its own tasks, and so holds up nobody
        }
        if (waiter.onlyHost.isEmpty()) {
            for (std::size_t role = 0; role < waiter.needs.size(); ++role) {
                const Needs &needs = waiter.needs[role];
                if (!waiter.waiting[role].empty() && !isHopeless(needs) && !placeOne(needs, rooms)) {
                    failed.push_back({needs.gpu, needs.memoryMiB});
                }
            }
        }
        // What cannot run on the hosts that are there keeps nothing for itself.
        if (!blocked && d->couldEverFit(waiter, false)) {
            blocked = true;
            keepForHead(waiter.needs, waiter.counts(d->parallelLeft(waiter)), rooms, waiter.onlyHost);
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

QJsonArray Scheduler::Private::hostFigures(const QString &onlyHost, bool gpu) const
{
    QJsonArray array;
    for (const auto &[id, host] : hosts) {
        if (!host.capacity.usable || (!onlyHost.isEmpty() && id != onlyHost)) {
            continue;
        }
        QJsonObject figures{{u"host"_s, id}};
        if (gpu) {
            int foreign = 0;
            int lockedByOthers = 0;
            for (const GpuSlot &slot : host.capacity.gpus) {
                foreign += slot.foreign ? 1 : 0;
                lockedByOthers += slot.held && !slot.foreign ? 1 : 0;
            }
            figures.insert(u"free"_s, host.freeGpus().size());
            figures.insert(u"total"_s, qint64(host.capacity.gpus.size()));
            figures.insert(u"foreign"_s, foreign);
            figures.insert(u"held"_s, lockedByOthers);
        } else {
            figures.insert(u"freeMiB"_s, host.usableMemoryMiB() - host.usedMemoryMiB);
            figures.insert(u"totalMiB"_s, host.usableMemoryMiB());
        }
        array.append(figures);
    }
    return array;
}

WaitReason Scheduler::Private::reasonOf(const Waiter &waiter) const
{
    const Rooms rooms = freeRooms(waiter.onlyHost);
    if (rooms.empty() || !couldEverFit(waiter, false)) {
        QJsonArray away;
        for (const auto &[id, host] : hosts) {
            if (!host.capacity.usable && (waiter.onlyHost.isEmpty() || id == waiter.onlyHost)) {
                away.append(id);
            }
        }
        return {u"wait.host"_s, QJsonObject{{u"host"_s, waiter.onlyHost}, {u"hosts"_s, away}}};
    }
    if (!waiter.gang && parallelLeft(waiter) == 0) {
        return {u"wait.parallel"_s, QJsonObject{{u"limit"_s, waiter.maxParallel}}};
    }
    if (fitsNow(waiter, rooms)) {
        int ahead = 0;
        qint64 head = 0;
        for (const auto &[key, job] : queue) {
            if (job == waiter.job) {
                break;
            }
            head = head ? head : key.jobId;
            ++ahead;
        }
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
    const QLatin1StringView unit = gpuBound ? ""_L1 : "MiB"_L1;
    return {gpuBound ? u"wait.gpu"_s : u"wait.memory"_s,
        QJsonObject{{QString("wanted"_L1 % unit), wanted}, {QString("free"_L1 % unit), freeSum},
            {QString("total"_L1 % unit), totalSum}, {u"host"_s, best->host},
            {u"hosts"_s, hostFigures(waiter.onlyHost, gpuBound)}}};
}

WaitReason Scheduler::waitReason(const QUuid &job) const
{
    const auto it = d->waiters.constFind(job);
    return it == d->waiters.constEnd() ? WaitReason{} : d->reasonOf(*it);
}

QList<QUuid> Scheduler::queue() const
{
    QList<QUuid> jobs;
    for (const auto &[key, job] : d->queue) {
        jobs.append(job);
    }
    return jobs;
}

qint64 Scheduler::gpuHolder(const QString &host, int gpu) const
{
    const auto it = d->hosts.find(host);
    return it == d->hosts.end() ? 0 : it->second.gpuHolders.value(gpu);
}

int Scheduler::tasksOn(const QString &host) const
{
    const auto it = d->hosts.find(host);
    return it == d->hosts.end() ? 0 : it->second.tasks;
}

PlacementRequest placementRequest(const JobState &job, const std::vector<TaskRef> &tasks, const QString &onlyHost)
{
    PlacementRequest request;
    request.job = job.uuid;
    request.jobId = job.meta.id;
    request.attempt = job.attempt();
    request.priority = job.priority;
    request.submitted = job.submitted;
    request.gang = job.policy.gang;
    request.maxParallel = job.policy.maxParallelTasks;
    request.onlyHost = onlyHost;
    for (const RolePolicy &role : job.policy.roles) {
        request.roleNames.append(role.name);
        request.needs.push_back(role.needs);
    }
    request.tasks.reserve(tasks.size());
    for (TaskRef ref : tasks) {
        request.tasks.push_back({ref, tryUuid(job, ref), job.task(ref).lastHost});
    }
    return request;
}

} // namespace trainyard::core
