// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/calls.h"

// The events that the daemon sends to its subscribers (docs/rpc.md). Each is defined once, by its name and its members.
// Its line also has a `serial`.
namespace trainyard::api
{

template <CallName eventName, typename ParamsType> struct Event {
    using Params = ParamsType;
    static constexpr QLatin1StringView name{eventName.text, sizeof eventName.text - 1};
};

struct Snapshot { // replaces everything that was sent before
    QList<JobSummary> jobs;
    QList<HostInfo> hosts;
    bool isPart = false; // the next snapshot has more of it, and the last one the hosts
};
template <typename Io> void fields(Io &io, Of<Io, Snapshot> &m)
{
    members(io, "jobs", m.jobs, "hosts", m.hosts, "isPart", m.isPart);
}

struct ToldJob {
    JobSummary job;
};
template <typename Io> void fields(Io &io, Of<Io, ToldJob> &m) { members(io, "job", m.job); }

struct ToldTasks {
    QString id;
    QList<TaskInfo> tasks;
};
template <typename Io> void fields(Io &io, Of<Io, ToldTasks> &m) { members(io, "id", m.id, "tasks", m.tasks); }

struct ToldLogs {
    QString id;
    QList<LogGrowth> logs;
};
template <typename Io> void fields(Io &io, Of<Io, ToldLogs> &m) { members(io, "id", m.id, "logs", m.logs); }

struct ToldHost {
    HostInfo host;
};
template <typename Io> void fields(Io &io, Of<Io, ToldHost> &m) { members(io, "host", m.host); }

struct ToldQuestion {
    Question question;
};
template <typename Io> void fields(Io &io, Of<Io, ToldQuestion> &m) { members(io, "question", m.question); }

struct Farewell {
    QString reason; // stopped, idle, handover
};
template <typename Io> void fields(Io &io, Of<Io, Farewell> &m) { members(io, "reason", m.reason); }

using SnapshotTaken = Event<"snapshot", Snapshot>;
using JobChanged = Event<"job", ToldJob>;
using JobRemoved = Event<"jobRemoved", Id>;
using TasksChanged = Event<"tasks", ToldTasks>;
using LogsGrew = Event<"grew", ToldLogs>;
using ResultsMoved = Event<"results", Id>; // of a watched job: `brought` of jobs.get is another one
using HostChanged = Event<"host", ToldHost>;
using HostRemoved = Event<"hostRemoved", Id>;
using QuestionAsked = Event<"question", ToldQuestion>;
using QuestionGone = Event<"questionGone", Id>;
using ApprovalsChanged = Event<"approvals", ToldApprovals>;
using SettingsChanged = Event<"settings", Nothing>; // without them: not every client shows them
using Leaving = Event<"leaving", Farewell>; // the engine ends
using Resync = Event<"resync", Nothing>; // this client was too slow: the connection ends, and the next has a snapshot

} // namespace trainyard::api
