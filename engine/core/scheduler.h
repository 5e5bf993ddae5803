// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/apart.h"
#include "engine/core/next.h"
#include "model/base/result.h"

#include <QHash>
#include <QSet>

#include <climits>
#include <map>
#include <memory>

namespace trainyard::core
{

struct GpuSlot {
    int index = 0;
    QString uuid, name;
    qint64 memoryMiB = 0;
    bool foreign = false; // a foreign process holds memory and the setting says that this counts
    bool held = false; // locked by another engine, or unusable after a fault
    bool excluded = false; // the settings keep it from jobs, always ...
    QString keptUntil = {}; // ... or until this hour, as GpuKept has it
    int rank = INT_MAX; // smaller goes first
    bool lost = false; // its driver does not list it now: when it comes back is not known
    qint64 othersMiB = 0; // promised to tasks of other engines that share it
    bool bySetting = false; // excluded by the settings, not by a fault
    bool instance = false; // of MIG: CUDA shows one of them to a process, and none beside another GPU
    bool quarantined = false; // tasks failed because of it, and the user has not released it since
    friend bool operator==(const GpuSlot &, const GpuSlot &) = default;
};

// Why a job waits: one of engine/api/reasons.h, what a host is kept free for, or a refusal as of
// Scheduler::impossible() when what the hosts have is less than it was. Empty: it does not wait.
using WaitReason = Error;

// The capacity of a host, as its agent reports it. The reservations of the engine are not part of it; the scheduler
// keeps them.
struct HostCapacity {
    QString id, address;
    bool usable = false; // online, enabled
    int cpus = 1;
    qint64 memoryMiB = 0; // total
    qint64 reserveMiB = 0; // kept for everything else
    std::vector<GpuSlot> gpus;
    WaitReason hold; // why nothing new is placed there though it is online ("wait.disk"), or empty
    QStringList runtimes = {}; // container programs that are there
    QStringList silentRuntimes = {}; // of these, those whose daemon does not answer at the moment
    QString runIn = {}; // the one that tasks with an image run in when their job says nothing; empty: a shell
    bool sharing = false; // tasks that say how much GPU memory they need may share a GPU
    bool gpusUnknown = false; // its driver has not answered yet
    QStringList labels = {}; // words of the user, which jobs may ask for
    friend bool operator==(const HostCapacity &, const HostCapacity &) = default;
};

// Hosts on which a job may run at all.
struct NodeSelector {
    QString onlyHost = {}; // empty: any
    QString runIn = {}; // container program that it needs, or "host"; empty: each host has its own
    bool hasImage = false; // else there is nothing for a container to be made of
    bool wholeGpus = false; // instances of MIG are of no use to any of its tasks
    // The runtime of the job on that host; empty for a shell.
    QString runtimeOn(const HostCapacity &host) const;
    // Whether the host has that runtime, and it answers. A host that has never reported may have it.
    bool canRunOn(const HostCapacity &host) const;
    // Whether it is there and does not answer.
    bool isSilentOn(const HostCapacity &host) const;
    bool allows(const HostCapacity &host) const
    {
        return (onlyHost.isEmpty() || host.id == onlyHost) && canRunOn(host);
    }
};

// The group of a job, of which only a limited number of jobs may have allocations at a time.
struct GroupLimit {
    QString name = {}; // empty: no group
    int most = 0; // 0: any number
};

struct PlacementRequest {
    QUuid job;
    qint64 jobId = 0;
    int attempt = 0;
    int priority = 0; // larger goes first
    qint64 submitted = 0;
    std::optional<double> order; // position among those of the same priority that was given by hand
    bool gang = true;
    int maxParallel = 0; // with gang off; 0: no limit
    GroupLimit group = {};
    NodeSelector where;
    QStringList roleNames; // for what is said to people
    std::vector<Needs> needs; // of each role
    struct Wanted {
        TaskRef task;
        QUuid tryUuid;
        QString preferHost; // of a retry; empty: any
    };
    std::vector<Wanted> tasks; // role and index order
    bool talks = false; // its tasks talk to each other: as a gang it gets no hosts that are apart
};
// The request that the effect RequestPlacement asks for.
PlacementRequest placementRequest(
    const JobState &job, const std::vector<TaskRef> &tasks, const NodeSelector &where = {});

struct JobGrants {
    QUuid job;
    int attempt = 0;
    std::vector<event::Grant> grants; // gang: all of the request; the event PlacementGranted as it is
};

// Decides which job gets which hosts and GPUs, and when. Pure: it uses only its input, and decides the same for the
// same history. Order: priority, then submission, then number; movable by hand. The first job that cannot be placed is
// the head: later ones are placed only if that cannot delay it.
class Scheduler
{
public:
    Scheduler();
    ~Scheduler();
    Scheduler(Scheduler &&) noexcept;
    Scheduler &operator=(Scheduler &&) noexcept;

    // There is such a host, but what it has is not known yet: a job that only it may be able to run waits for it.
    void expectHost(const QString &id, const QStringList &labels = {}); // again: with other labels
    // Whether a connection to it is being made for the first time, so that it is not known whether there is a way.
    // False: it was known.
    bool setConnecting(const QString &id, bool on);
    void setHost(const HostCapacity &host); // new or changed; reservations stay
    void removeHost(const QString &id);

    // Can never run on what is known now: "refuse.gpu" {role, wanted, most, host, excluded, excludedHost} (the last two
    // when settings keep GPUs there that would do), "refuse.gpu-memory" {role, wanted, wantedMiB, mostMiB, host},
    // "refuse.gpu-type" {role, type, wanted, most, host}, "refuse.gang-type" {type, wanted, most}, "refuse.memory"
    // {role, wantedMiB, mostMiB, host}, "refuse.gang" {resource: gpu|memory|gpuMemoryMiB, wanted, most}, "refuse.ports"
    // {role, label, port, wanted, most} of ports that the job fixes, "refuse.host" {host}, "refuse.runtime" {runIn},
    // and of the rules for hosts of its roles "refuse.hosts", "refuse.same-host", "refuse.different-hosts" and
    // "refuse.hosts-together" (engine/api/reasons.h).
    // Counts hosts that are known, online or not; nothing that could go to one that is expected is impossible.
    std::optional<Error> impossible(const PlacementRequest &request) const;
    int mostCpus(const NodeSelector &where) const; // of one host; 0 when none is known

    void request(const PlacementRequest &request); // adds to what the job already waits for; twice is once
    void cancel(const QUuid &job); // drops what it waits for; what it has stays
    // Nothing of the job is placed until unblockJob() or cancel(), and waitReason() says why; others do not wait for
    // it.
    void blockJob(const QUuid &job, const WaitReason &why);
    void unblockJob(const QUuid &job);
    void setApart(const PairsApart &pairs); // all of them
    // Adds a try that has its allocation already, after a restart. Safe to repeat.
    void restoreAllocation(qint64 jobId, const QUuid &job, const QUuid &tryUuid, const Allocation &place,
        const Needs &needs, const QString &group = {}, int role = 0);
    void release(const QUuid &tryUuid); // twice is once
    // Marks a drawn port that another job fixes as used by the try until release(). Returns false when the try has no
    // allocation. A try has the ports that its own job fixes without this.
    bool holdPort(const QUuid &tryUuid, int port);
    bool move(const QUuid &job, const QUuid &before); // by hand; a null `before` moves it to the end
    // For a waiting job; a position that the user has set is dropped.
    bool setPriority(const QUuid &job, int priority);
    void setPlace(const QUuid &job, int priority, double order); // by hand, of one that waits; others are passed over
    // The order of the queue, to restore it when a change cannot be written. No other call of the scheduler may come in
    // between.
    struct Order;
    std::shared_ptr<const Order> order() const;
    void restore(const Order &order);
    // Where the user moved the job: {priority, order}, for the next request after a restart; nothing when it was not
    // moved.
    std::optional<std::pair<int, double>> placeByHand(const QUuid &job) const;
    void forget(const QUuid &job); // it is over; a job that runs again names its position itself

    // Places what can be placed now. The allocations are reserved until release().
    std::vector<JobGrants> schedule();
    // The same without effect, as if the request were the last in the queue. Returns nothing when it would wait.
    std::optional<JobGrants> wouldPlace(const PlacementRequest &request, WaitReason *why = nullptr) const;

    WaitReason waitReason(const QUuid &job) const; // of the last schedule()
    QList<QUuid> queue() const; // waiting jobs, in order
    qint64 gpuHolder(const QString &host, int gpu) const; // job id, 0: none; the first of those that share it
    QList<qint64> gpuHolders(const QString &host, int gpu) const; // job ids, each once
    qint64 gpuPromisedMiB(const QString &host, int gpu) const; // to those that share it

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace trainyard::core
