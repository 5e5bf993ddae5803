// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/valuejson.h"
#include "model/base/result.h"

#include <variant>

// Why a job waits, is refused or has failed, where more is known than a sentence needs: the engine makes these values,
// and the texts read them. Each has its code and one list of its members, so that no key is spelled in two places.
// They are stored and sent as code and arguments (see ADR 16); a reason that is not listed here has arguments for its
// sentence only. Large because it is one list: as() and any() look a code up among all of them.
namespace trainyard::reason
{

template <typename T>
concept Listed = requires
{
    {
        std::remove_const_t<T>::code
        } -> std::convertible_to<QLatin1StringView>;
};
template <typename T>
concept Part = requires
{
    typename std::remove_const_t<T>::PartOfReason;
};

template <typename Io, typename T>
requires Listed<T> || Part<T>
void fields(Io &io, T &m) { std::remove_const_t<T>::each(io, m); }

// ---- what would let a waiting job start ----

struct LostGpu {
    using PartOfReason = void;
    QString host = {};
    int index = 0;
    static void each(auto &io, auto &m) { members(io, "host", m.host, "index", m.index); }
};

// One way to start the job: all of its parts have to happen.
struct Way {
    using PartOfReason = void;
    std::optional<QList<qint64>> ends = {}; // these jobs are over
    std::optional<bool> any = {}; // one of them is enough
    std::optional<bool> foreign = {}; // other programs leave the GPUs
    std::optional<bool> held = {}; // tasks of other engines end
    std::optional<bool> hours = {}; // an hour of gpu.keepHours comes
    std::optional<QList<LostGpu>> lost = {}; // these are listed by their drivers again
    static void each(auto &io, auto &m)
    {
        members(
            io, "ends", m.ends, "any", m.any, "foreign", m.foreign, "held", m.held, "hours", m.hours, "lost", m.lost);
    }
};

struct Unblock {
    std::optional<QList<Way>> ways = {}; // each is enough
    std::optional<QList<qint64>> before = {}; // jobs that wait, too, and are placed first
    std::optional<QStringList> elsewhere
        = {}; // hosts with room for it now that it may not use: it is for one host only
};

struct Why {
    using PartOfReason = void;
    QString code = {};
    QJsonObject args = {};
    static void each(auto &io, auto &m) { members(io, "code", m.code, "args", m.args); }
};

// ---- waiting ----

struct GpusOfHost {
    using PartOfReason = void;
    QString host = {};
    int free = 0, total = 0;
    int foreign = 0; // used by other programs
    int held = 0; // locked by another engine
    int excluded = 0; // never for jobs
    int hours = 0; // kept for their hours
    std::optional<QString> until = {}; // when the first of these come back
    QList<qint64> jobs = {}; // that use some
    std::optional<int> shared = {}; // used by tasks that share them
    std::optional<qint64> roomMiB = {}; // the most that one of these has left
    std::optional<QList<int>> lost = {}; // indexes
    std::optional<QList<int>> quarantined = {}; // indexes
    std::optional<Why> hold = {}; // why nothing new starts there
    static void each(auto &io, auto &m)
    {
        members(io, "host", m.host, "free", m.free, "total", m.total, "foreign", m.foreign, "held", m.held, "excluded",
            m.excluded, "hours", m.hours, "until", m.until, "jobs", m.jobs, "shared", m.shared, "roomMiB", m.roomMiB,
            "lost", m.lost, "quarantined", m.quarantined, "hold", m.hold);
    }
};

struct MemoryOfHost {
    using PartOfReason = void;
    QString host = {};
    qint64 freeMiB = 0, totalMiB = 0;
    QList<qint64> jobs = {}; // that use some
    std::optional<Why> hold = {}; // why nothing new starts there
    static void each(auto &io, auto &m)
    {
        members(io, "host", m.host, "freeMiB", m.freeMiB, "totalMiB", m.totalMiB, "jobs", m.jobs, "hold", m.hold);
    }
};

struct WaitGpu {
    static constexpr QLatin1StringView code{"wait.gpu"};
    qint64 wanted = 0, free = 0, total = 0;
    QString host = {}; // the one with the most
    QList<GpusOfHost> hosts = {};
    Unblock unblock = {};
    static void each(auto &io, auto &m)
    {
        members(io, "wanted", m.wanted, "free", m.free, "total", m.total, "host", m.host, "hosts", m.hosts, "ways",
            m.unblock.ways, "before", m.unblock.before, "elsewhere", m.unblock.elsewhere);
    }
};

// The GPU memory that tasks which share GPUs wait for.
struct WaitGpuMemory {
    static constexpr QLatin1StringView code{"wait.gpu-memory"};
    qint64 wantedMiB = 0, freeMiB = 0;
    int wanted = 0; // on so many GPUs of a host at once
    qint64 have = 0; // so many of one host have it
    QString host = {};
    QList<GpusOfHost> hosts = {};
    Unblock unblock = {};
    static void each(auto &io, auto &m)
    {
        members(io, "wantedMiB", m.wantedMiB, "freeMiB", m.freeMiB, "wanted", m.wanted, "have", m.have, "host", m.host,
            "hosts", m.hosts, "ways", m.unblock.ways, "before", m.unblock.before, "elsewhere", m.unblock.elsewhere);
    }
};

// Its driver has not answered yet.
struct WaitGpuUnknown {
    static constexpr QLatin1StringView code{"wait.gpu-unknown"};
    QString host = {};
    static void each(auto &io, auto &m) { members(io, "host", m.host); }
};

// Only GPUs of this type are missing.
struct WaitGpuType {
    static constexpr QLatin1StringView code{"wait.gpu-type"};
    QString type = {};
    qint64 wanted = 0, free = 0, total = 0;
    QString host = {}; // the one with the most
    QList<GpusOfHost> hosts = {};
    Unblock unblock = {};
    static void each(auto &io, auto &m)
    {
        members(io, "type", m.type, "wanted", m.wanted, "free", m.free, "total", m.total, "host", m.host, "hosts",
            m.hosts, "ways", m.unblock.ways, "before", m.unblock.before, "elsewhere", m.unblock.elsewhere);
    }
};

// No host that can be reached has one.
struct WaitGpuTypeAway {
    static constexpr QLatin1StringView code{"wait.gpu-type-away"};
    QString type = {};
    static void each(auto &io, auto &m) { members(io, "type", m.type); }
};

struct WaitMemory {
    static constexpr QLatin1StringView code{"wait.memory"};
    qint64 wantedMiB = 0, freeMiB = 0, totalMiB = 0;
    QString host = {}; // the one with the most
    QList<MemoryOfHost> hosts = {};
    Unblock unblock = {};
    static void each(auto &io, auto &m)
    {
        members(io, "wantedMiB", m.wantedMiB, "freeMiB", m.freeMiB, "totalMiB", m.totalMiB, "host", m.host, "hosts",
            m.hosts, "ways", m.unblock.ways, "before", m.unblock.before, "elsewhere", m.unblock.elsewhere);
    }
};

// The disk of the host is nearly full.
struct WaitDisk {
    static constexpr QLatin1StringView code{"wait.disk"};
    QString host = {};
    qint64 wantedMiB = 0;
    static void each(auto &io, auto &m) { members(io, "host", m.host, "wantedMiB", m.wantedMiB); }
};

// Its user has drained the host.
struct WaitDrained {
    static constexpr QLatin1StringView code{"wait.drained"};
    QString host = {};
    static void each(auto &io, auto &m) { members(io, "host", m.host); }
};

// The host is the login node of a cluster.
struct WaitLoginNode {
    static constexpr QLatin1StringView code{"wait.login-node"};
    QString host = {};
    QString target = {}; // "slurm:lab"
    static void each(auto &io, auto &m) { members(io, "host", m.host, "target", m.target); }
};

// Nothing new starts on the host at these hours.
struct WaitClosed {
    static constexpr QLatin1StringView code{"wait.closed"};
    QString host = {};
    QString until = {}; // "18:00", "Mon 07:00"
    QString hours = {}; // as they are set
    static void each(auto &io, auto &m) { members(io, "host", m.host, "until", m.until, "hours", m.hours); }
};

// This many tries in a row failed because of the host, and the user has not released it since.
struct WaitQuarantine {
    static constexpr QLatin1StringView code{"wait.quarantine"};
    QString host = {};
    int failures = 0;
    QString kind = {}; // of their cause
    static void each(auto &io, auto &m) { members(io, "host", m.host, "failures", m.failures, "kind", m.kind); }
};

// Tasks of the job are to run on hosts one of which does not reach another.
struct WaitPeers {
    static constexpr QLatin1StringView code{"wait.peers"};
    QString host = {}, other = {}; // which does not reach which
    QString address = {}; // of the other
    QString how = {}; // "refused", "silent", "unreachable", "another" (something else answers)
    std::optional<QString> what = {}; // "alone": no other hosts fit; "others-busy": those that do have no room now
    std::optional<int> minutes = {}; // after which the way is tried again, counted from the last time
    static void each(auto &io, auto &m)
    {
        members(io, "host", m.host, "other", m.other, "address", m.address, "how", m.how, "what", m.what, "minutes",
            m.minutes);
    }
};
// Its user has named an interface of the host for that, and it has no address now.
struct WaitPeerInterface {
    static constexpr QLatin1StringView code{"wait.peer-interface"};
    QString host = {}, interface = {};
    static void each(auto &io, auto &m) { members(io, "host", m.host, "interface", m.interface); }
};

// There is room, but not on hosts that the rules of a role allow (extras.trainyard.hosts).
struct WaitHosts {
    static constexpr QLatin1StringView code{"wait.hosts"};
    QString role = {};
    QString what = {}; // is in the way: "names", "labels", "same-host", "different-hosts", "away"
    QStringList names = {}, labels = {}; // of the rule
    QStringList away = {}; // hosts that the role may have and that cannot be reached
    std::optional<bool> connecting = {}; // to all of these for the first time, so that they may well be in reach
    int tasks = 0; // of the role that wait
    QList<GpusOfHost> hosts = {}; // that the role may have
    Unblock unblock = {};
    static void each(auto &io, auto &m)
    {
        members(io, "role", m.role, "what", m.what, "names", m.names, "labels", m.labels, "away", m.away, "connecting",
            m.connecting, "tasks", m.tasks, "hosts", m.hosts, "ways", m.unblock.ways, "before", m.unblock.before,
            "elsewhere", m.unblock.elsewhere);
    }
};

struct WaitQueue {
    static constexpr QLatin1StringView code{"wait.queue"};
    int ahead = 0; // jobs
    qint64 job = 0; // the first of them; 0: none
    Unblock unblock = {};
    static void each(auto &io, auto &m)
    {
        members(io, "ahead", m.ahead, "job", m.job, "ways", m.unblock.ways, "before", m.unblock.before, "elsewhere",
            m.unblock.elsewhere);
    }
};

// The job is so far back in the queue that no reasons are computed.
struct WaitQueueFar {
    static constexpr QLatin1StringView code{"wait.queue-far"};
    int ahead = 0;
    static void each(auto &io, auto &m) { members(io, "ahead", m.ahead); }
};

struct WaitHost {
    static constexpr QLatin1StringView code{"wait.host"};
    QString host = {}; // the only one it may run on, or empty
    QStringList hosts = {}; // that cannot be reached
    std::optional<bool> connecting = {}; // to one of them for the first time, so that it may well be in reach
    static void each(auto &io, auto &m) { members(io, "host", m.host, "hosts", m.hosts, "connecting", m.connecting); }
};

struct RuntimeOfHost {
    using PartOfReason = void;
    QString host = {};
    bool has = false, away = false;
    std::optional<bool> unknown = {}; // it was never reached, and may have it
    std::optional<bool> silent = {}; // it is there, and its daemon does not answer
    static void each(auto &io, auto &m)
    {
        members(io, "host", m.host, "has", m.has, "away", m.away, "unknown", m.unknown, "silent", m.silent);
    }
};

// Hosts would have room for it, but its runtime is on none of them.
struct WaitRuntime {
    static constexpr QLatin1StringView code{"wait.runtime"};
    QString runIn = {};
    QList<RuntimeOfHost> hosts = {};
    static void each(auto &io, auto &m) { members(io, "runIn", m.runIn, "hosts", m.hosts); }
};

struct PortOfHost {
    using PartOfReason = void;
    QString host = {};
    int port = 0;
    qint64 job = 0; // that uses it
    static void each(auto &io, auto &m) { members(io, "host", m.host, "port", m.port, "job", m.job); }
};

// Other tasks use ports that the job fixes.
struct WaitPort {
    static constexpr QLatin1StringView code{"wait.port"};
    PortOfHost first = {};
    QList<PortOfHost> hosts = {}; // all, the first included
    std::optional<int> more = {}; // that are not listed
    Unblock unblock = {};
    static void each(auto &io, auto &m)
    {
        PortOfHost::each(io, m.first);
        members(io, "hosts", m.hosts, "more", m.more, "ways", m.unblock.ways, "before", m.unblock.before, "elsewhere",
            m.unblock.elsewhere);
    }
};

// Setting tasks.maxParallel.
struct WaitParallel {
    static constexpr QLatin1StringView code{"wait.parallel"};
    int limit = 0;
    static void each(auto &io, auto &m) { members(io, "limit", m.limit); }
};

// As many jobs of its group run as are allowed at a time.
struct WaitGroup {
    static constexpr QLatin1StringView code{"wait.group"};
    QString group = {};
    int limit = 0;
    static void each(auto &io, auto &m) { members(io, "group", m.group, "limit", m.limit); }
};

// Paused before any of its tasks was started.
struct WaitPaused {
    static constexpr QLatin1StringView code{"wait.paused"};
    qint64 since = 0;
    static void each(auto &io, auto &m) { members(io, "since", m.since); }
};

// Paused: its processes are stopped.
struct JobPaused {
    static constexpr QLatin1StringView code{"job.paused"};
    qint64 since = 0;
    static void each(auto &io, auto &m) { members(io, "since", m.since); }
};

// Its commands have failed, and its shell, GPUs and ports are kept for inspection.
struct TaskKept {
    static constexpr QLatin1StringView code{"task.kept"};
    QString role = {};
    int index = 0;
    int status = 0; // with which the commands ended
    qint64 until = 0;
    static void each(auto &io, auto &m)
    {
        members(io, "role", m.role, "index", m.index, "status", m.status, "until", m.until);
    }
};

struct OtherJob {
    qint64 job = 0;
    QString name = {};
    qint64 more = 0; // jobs that it waits for besides
    static void each(auto &io, auto &m) { members(io, "job", m.job, "name", m.name, "more", m.more); }
};
struct WaitAfter : OtherJob { // has succeeded
    static constexpr QLatin1StringView code{"wait.after"};
};
struct WaitAfterEnd : OtherJob { // has ended
    static constexpr QLatin1StringView code{"wait.after-end"};
};

// The next retry is `number` of `limit`.
struct WaitRetry {
    static constexpr QLatin1StringView code{"wait.retry"};
    qint64 due = 0;
    int number = 0;
    int limit = 0; // 0: without end
    int exit = 0; // how it ended
    std::optional<int> status = {}; // what its program returned
    std::optional<QString> role = {}; // the task that made it necessary, if one did
    std::optional<int> index = {};
    std::optional<Why> why = {};
    std::optional<qint64> since = {}; // when what is tried again ended
    std::optional<bool> free = {}; // does not count as one of the retries that the job asks for
    static void each(auto &io, auto &m)
    {
        members(io, "due", m.due, "number", m.number, "limit", m.limit, "code", m.exit, "status", m.status, "role",
            m.role, "index", m.index, "why", m.why, "since", m.since, "free", m.free);
    }
};

// ---- what can never run on these hosts ----

struct RefuseHost {
    static constexpr QLatin1StringView code{"refuse.host"};
    QString host = {};
    static void each(auto &io, auto &m) { members(io, "host", m.host); }
};

struct RefuseRuntime {
    static constexpr QLatin1StringView code{"refuse.runtime"};
    QString runIn = {};
    static void each(auto &io, auto &m) { members(io, "runIn", m.runIn); }
};

struct RefuseGpu {
    static constexpr QLatin1StringView code{"refuse.gpu"};
    QString role = {};
    int wanted = 0, most = 0;
    QString host = {}; // with the most
    std::optional<qint64> excluded = {}; // GPUs that a setting excludes, with which it would do
    std::optional<QString> excludedHost = {};
    static void each(auto &io, auto &m)
    {
        members(io, "role", m.role, "wanted", m.wanted, "most", m.most, "host", m.host, "excluded", m.excluded,
            "excludedHost", m.excludedHost);
    }
};

struct RefuseGpuType {
    static constexpr QLatin1StringView code{"refuse.gpu-type"};
    QString role = {}, type = {};
    int wanted = 0, most = 0;
    QString host = {};
    static void each(auto &io, auto &m)
    {
        members(io, "role", m.role, "type", m.type, "wanted", m.wanted, "most", m.most, "host", m.host);
    }
};

struct RefuseGpuMemory {
    static constexpr QLatin1StringView code{"refuse.gpu-memory"};
    QString role = {};
    int wanted = 0; // GPUs
    qint64 wantedMiB = 0, mostMiB = 0;
    QString host = {};
    static void each(auto &io, auto &m)
    {
        members(io, "role", m.role, "wanted", m.wanted, "wantedMiB", m.wantedMiB, "mostMiB", m.mostMiB, "host", m.host);
    }
};

struct RefuseMemory {
    static constexpr QLatin1StringView code{"refuse.memory"};
    QString role = {};
    qint64 wantedMiB = 0, mostMiB = 0;
    QString host = {};
    std::optional<int> wantedGpu = {}; // memory enough is on a host with too few of these
    static void each(auto &io, auto &m)
    {
        members(io, "role", m.role, "wantedMiB", m.wantedMiB, "mostMiB", m.mostMiB, "host", m.host, "wantedGpu",
            m.wantedGpu);
    }
};

struct RefusePorts {
    static constexpr QLatin1StringView code{"refuse.ports"};
    QString role = {}, label = {};
    int port = 0;
    int wanted = 0; // tasks
    qint64 most = 0;
    static void each(auto &io, auto &m)
    {
        members(io, "role", m.role, "label", m.label, "port", m.port, "wanted", m.wanted, "most", m.most);
    }
};

// No host fits the rule of a role for its hosts.
struct RefuseHosts {
    static constexpr QLatin1StringView code{"refuse.hosts"};
    QString role = {};
    // "names": there are no such hosts; "labels": none of the hosts has one of them (`missing`); "both": none has all;
    // "target": the job itself was limited to `host`.
    QString what = {};
    QStringList names = {}, labels = {}, missing = {};
    QString host = {};
    static void each(auto &io, auto &m)
    {
        members(io, "role", m.role, "what", m.what, "names", m.names, "labels", m.labels, "missing", m.missing, "host",
            m.host);
    }
};

struct RefuseSameHost {
    static constexpr QLatin1StringView code{"refuse.same-host"};
    QString role = {};
    int tasks = 0, most = 0; // that one host can have
    QString host = {}; // with the most
    static void each(auto &io, auto &m)
    {
        members(io, "role", m.role, "tasks", m.tasks, "most", m.most, "host", m.host);
    }
};

struct RefuseDifferentHosts {
    static constexpr QLatin1StringView code{"refuse.different-hosts"};
    QString role = {};
    int tasks = 0, hosts = 0; // that can have one of them
    static void each(auto &io, auto &m) { members(io, "role", m.role, "tasks", m.tasks, "hosts", m.hosts); }
};

// The hosts that its roles may have are not enough for all tasks at once.
struct RefuseHostsTogether {
    static constexpr QLatin1StringView code{"refuse.hosts-together"};
    QString role = {}; // for whose tasks alone they are not enough; empty: for those of several roles
    static void each(auto &io, auto &m) { members(io, "role", m.role); }
};

struct RefuseGang {
    static constexpr QLatin1StringView code{"refuse.gang"};
    QString resource = {}; // "gpu", "memory", "gpuMemoryMiB"
    qint64 wanted = 0, most = 0;
    static void each(auto &io, auto &m) { members(io, "resource", m.resource, "wanted", m.wanted, "most", m.most); }
};

struct RefuseGangType {
    static constexpr QLatin1StringView code{"refuse.gang-type"};
    std::optional<QString> type = {};
    std::optional<qint64> wanted = {}, most = {};
    static void each(auto &io, auto &m) { members(io, "type", m.type, "wanted", m.wanted, "most", m.most); }
};

// ---- how a job or a task ended ----

// Before the codes of the end of a program: its status is in the arguments (ExitFacts).
inline constexpr QLatin1StringView exits{"exit."};
inline bool isExit(const QString &code) { return code.startsWith(exits); }

// The members that the reason of every ended attempt has, and the task that reached a limit.
struct Trigger {
    using PartOfReason = void;
    int exit = 0;
    std::optional<QString> role = {};
    std::optional<int> index = {};
    std::optional<int> count = {}, limit = {}; // tasks that ended so
    static void each(auto &io, auto &m)
    {
        members(io, "code", m.exit, "role", m.role, "index", m.index, "count", m.count, "limit", m.limit);
    }
};
struct JobMinFailed {
    static constexpr QLatin1StringView code{"job.minFailed"};
    Trigger by = {};
    static void each(auto &io, auto &m) { Trigger::each(io, m.by); }
};
struct JobCompletedTasks {
    static constexpr QLatin1StringView code{"job.completedTasks"};
    Trigger by = {};
    static void each(auto &io, auto &m) { Trigger::each(io, m.by); }
};

// Stopped because it does worse than the other jobs of its group.
struct StopWorse {
    static constexpr QLatin1StringView code{"stop.worse"};
    QString metric = {};
    double step = 0; // at which they are compared
    std::optional<double> best = {}; // of the job up to there; nothing: no value was a number
    double median = 0; // of the others at the step
    qint64 others = 0;
    static void each(auto &io, auto &m)
    {
        members(io, "metric", m.metric, "step", m.step, "best", m.best, "median", m.median, "others", m.others);
    }
};

// A job that this one depends on.
struct EndedJob {
    qint64 job = 0;
    QString name = {};
    QString state = {}; // in the words of the RPC
    static void each(auto &io, auto &m) { members(io, "job", m.job, "name", m.name, "state", m.state); }
};
struct AfterFailed : EndedJob {
    static constexpr QLatin1StringView code{"after.failed"};
};
struct AfterGone : EndedJob { // how it ended is not known
    static constexpr QLatin1StringView code{"after.gone"};
};

// The agent of a host has not answered.
struct HostNotAnswering {
    static constexpr QLatin1StringView code{"host.not-answering"};
    qint64 since = 0;
    static void each(auto &io, auto &m) { members(io, "since", m.since); }
};

// A job was stopped, and a host with tasks of it cannot be reached: whether they have ended is not known.
struct StopHostAway {
    static constexpr QLatin1StringView code{"stop.host-away"};
    QString host = {};
    qint64 until = 0; // ms UTC: then they are given up
    std::optional<bool> connecting = {}; // to it for the first time
    static void each(auto &io, auto &m) { members(io, "host", m.host, "until", m.until, "connecting", m.connecting); }
};

// A port that the job fixes.
struct FixedPort {
    QString host = {}, label = {};
    int port = 0;
    static void each(auto &io, auto &m) { members(io, "host", m.host, "label", m.label, "port", m.port); }
};
struct FixedPortRange : FixedPort { // there is no such number
    static constexpr QLatin1StringView code{"ports.fixed-range"};
};
struct FixedPortBusy : FixedPort { // used by a program
    static constexpr QLatin1StringView code{"ports.fixed-busy"};
};
struct FixedPortHeld : FixedPort { // used by another try
    static constexpr QLatin1StringView code{"ports.fixed-held"};
    QString holder = {}; // its UUID
    static void each(auto &io, auto &m)
    {
        FixedPort::each(io, m);
        members(io, "holder", m.holder);
    }
};
struct FixedPortTwice : FixedPortHeld { // which is one of the same job
    static constexpr QLatin1StringView code{"ports.fixed-twice"};
};

// How a program ended, for the reasons ("exit.*") that have its status, and what its output shows about it.
struct ExitFacts {
    using PartOfReason = void;
    int status = 0;
    std::optional<QString> type = {}, message = {}; // of Python's exception
    std::optional<QString> file = {};
    std::optional<int> line = {};
    std::optional<QString> function = {};
    std::optional<QString> finding = {}; // what is known of such an output, by name
    std::optional<QString> reason = {}, solution = {}; // sentences
    std::optional<QString> evidence = {}; // the line of the output
    static void each(auto &io, auto &m)
    {
        members(io, "status", m.status, "type", m.type, "message", m.message, "file", m.file, "line", m.line,
            "function", m.function, "finding", m.finding, "reason", m.reason, "solution", m.solution, "evidence",
            m.evidence);
    }
};

// ---- all of them ----

struct Other {
    QString code = {};
    QJsonObject args = {};
};

using Any = std::variant<Other, WaitGpu, WaitGpuMemory, WaitGpuUnknown, WaitGpuType, WaitGpuTypeAway, WaitMemory,
    WaitDisk, WaitDrained, WaitLoginNode, WaitClosed, WaitQuarantine, WaitPeers, WaitPeerInterface, WaitHosts,
    WaitQueue, WaitQueueFar, WaitHost, WaitRuntime, WaitPort, WaitParallel, WaitGroup, WaitPaused, JobPaused, TaskKept,
    WaitAfter, WaitAfterEnd, WaitRetry, RefuseHost, RefuseRuntime, RefuseGpu, RefuseGpuType, RefuseGpuMemory,
    RefuseMemory, RefusePorts, RefuseHosts, RefuseSameHost, RefuseDifferentHosts, RefuseHostsTogether, RefuseGang,
    RefuseGangType, JobMinFailed, JobCompletedTasks, StopWorse, AfterFailed, AfterGone, HostNotAnswering, StopHostAway,
    FixedPortRange, FixedPortBusy, FixedPortHeld, FixedPortTwice>;

// As it is stored and sent.
template <Listed R> Error errorOf(const R &reason) { return {R::code, valuejson::objectOf(reason)}; }
Error errorOf(const Any &reason);

// Nothing when it is another reason.
template <Listed R> std::optional<R> as(const QString &code, const QJsonObject &args)
{
    return code == R::code ? std::optional(valuejson::valueFrom<R>(args)) : std::nullopt;
}
template <Listed R> std::optional<R> as(const Error &error) { return as<R>(error.code, error.args); }

// It is `Other` when the reason is not in the list, for example one of a newer engine.
Any any(const QString &code, const QJsonObject &args);

} // namespace trainyard::reason
