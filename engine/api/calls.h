// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/approvals.h"
#include "engine/api/clusters.h"
#include "engine/api/codesync.h"
#include "engine/api/fields.h"
#include "engine/api/hostenvironments.h"
#include "engine/api/hostfiles.h"
#include "engine/api/hosthistory.h"
#include "engine/api/pendingfiles.h"
#include "engine/api/taskfiles.h"
#include "engine/api/taskoutline.h"
#include "engine/api/taskports.h"
#include "engine/api/values.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>

// The calls of the RPC (docs/rpc.md), each written once: its name, what it is asked with and what it is answered with.
// The client sends call<api::Stop>({uuid}, ...), and the daemon has a row for each (engine/daemon/rpccalls.cpp).
namespace trainyard::api
{

template <std::size_t n> struct CallName {
    consteval CallName(const char (&name)[n]) { std::copy_n(name, n, text); }
    char text[n];
};

template <CallName callName, typename RequestType, typename ReplyType> struct Call {
    using Request = RequestType;
    using Reply = ReplyType;
    static constexpr QLatin1StringView name{callName.text, sizeof callName.text - 1};
    static constexpr bool isBeforeGreeting = false; // may come before `hello`
    static constexpr bool isSubmission = false; // without an answer it is not known whether it was accepted
    static constexpr bool isReading = false; // changes nothing, so that it can be asked again
    static constexpr bool isForAssistants = false; // also for a client that only reads, when it speaks for an assistant
};
template <CallName callName, typename RequestType, typename ReplyType>
struct ReadCall : Call<callName, RequestType, ReplyType> {
    static constexpr bool isReading = true;
};
template <CallName callName, typename RequestType, typename ReplyType>
struct AssistantCall : Call<callName, RequestType, ReplyType> {
    static constexpr bool isForAssistants = true;
};

// ---- what calls are asked with, beside the requests of values.h ----

struct Nothing {
};
template <typename Io> void fields(Io &, Of<Io, Nothing> &) { }

struct Id { // of a job (its UUID) or a host
    QString id;
};
template <typename Io> void fields(Io &io, Of<Io, Id> &m) { members(io, "id", m.id); }

struct EndOfJob {
    QString id; // UUID
    bool now = false; // without a grace period, also of a stop that was requested before
    // Ends the job here while a host or cluster does not answer, although it may still run there.
    bool giveUp = false;
};
template <typename Io> void fields(Io &io, Of<Io, EndOfJob> &m)
{
    members(io, "id", m.id, "now", m.now, "giveUp", m.giveUp);
}

struct Switch {
    QString id;
    bool on = true;
};
template <typename Io> void fields(Io &io, Of<Io, Switch> &m) { members(io, "id", m.id, "on", m.on); }

struct Greeting {
    QList<int> protocol; // least, most
    QString build;
    QJsonObject env; // variables of the client's session
    bool answers = false; // it can ask a person
    bool reads = false; // it only reads: nothing that changes something is done for it
    // The client speaks for an assistant of this name. Apart from proposing, it only reads. The session is a word that
    // cannot be guessed: proposals with the same session belong together.
    QString assistant = {}, session = {};
};
template <typename Io> void fields(Io &io, Of<Io, Greeting> &m)
{
    members(io, "protocol", m.protocol, "build", m.build, "env", m.env, "answers", m.answers, "reads", m.reads,
        "assistant", m.assistant, "session", m.session);
}

struct Greeted {
    int protocol = 0;
    QString build;
    qint64 pid = 0;
};
template <typename Io> void fields(Io &io, Of<Io, Greeted> &m)
{
    members(io, "protocol", m.protocol, "build", m.build, "pid", m.pid);
}

struct Subscription {
    std::optional<QJsonArray> since; // serial of the last event that the client has
};
template <typename Io> void fields(Io &io, Of<Io, Subscription> &m) { members(io, "since", m.since); }

struct Subscribed {
    QJsonArray serial;
    bool replayed = false; // what was missed comes, instead of a snapshot
};
template <typename Io> void fields(Io &io, Of<Io, Subscribed> &m)
{
    members(io, "serial", m.serial, "replayed", m.replayed);
}

struct JobPage {
    QString filter; // as Engine::jobs()
    qint64 before = 0; // a number; 0: from the newest
    int limit = 0; // 0: as many as one message has room for
};
template <typename Io> void fields(Io &io, Of<Io, JobPage> &m)
{
    members(io, "filter", m.filter, "before", m.before, "limit", m.limit);
}

struct Word { // a word that a user types for a job
    QString word;
};
template <typename Io> void fields(Io &io, Of<Io, Word> &m) { members(io, "word", m.word); }

struct TaskPage {
    QString id;
    int attempt = -1; // -1: the newest; newestThatRan
    int from = 0; // counts over all roles
    int limit = 0;
};
template <typename Io> void fields(Io &io, Of<Io, TaskPage> &m)
{
    members(io, "id", m.id, "attempt", m.attempt, "from", m.from, "limit", m.limit);
}

struct OutlineOf {
    QString id;
    int attempt = -1;
    int limit = 0; // tasks of each role and state
};
template <typename Io> void fields(Io &io, Of<Io, OutlineOf> &m)
{
    members(io, "id", m.id, "attempt", m.attempt, "limit", m.limit);
}

struct TaskOfAttempt {
    QString id, role;
    int index = 0;
    int attempt = newestThatRan;
};
template <typename Io> void fields(Io &io, Of<Io, TaskOfAttempt> &m)
{
    members(io, "id", m.id, "role", m.role, "index", m.index, "attempt", m.attempt);
}

struct TryOf {
    QString id, role;
    int index = 0;
    int attempt = -1, taskTry = -1; // -1: the newest
};
template <typename Io> void fields(Io &io, Of<Io, TryOf> &m)
{
    members(io, "id", m.id, "role", m.role, "index", m.index, "attempt", m.attempt, "try", m.taskTry);
}

struct QueuePosition {
    QString id;
    QString before; // empty: the end of the queue
};
template <typename Io> void fields(Io &io, Of<Io, QueuePosition> &m) { members(io, "id", m.id, "before", m.before); }

struct TasksOf {
    QString id;
    QStringList tasks; // "role/index"; empty: all
};
template <typename Io> void fields(Io &io, Of<Io, TasksOf> &m) { members(io, "id", m.id, "tasks", m.tasks); }

struct NewPriority {
    QString id;
    int value = 0;
};
template <typename Io> void fields(Io &io, Of<Io, NewPriority> &m)
{
    io(QStringLiteral("id"), m.id);
    io.required(QStringLiteral("value"), m.value);
}

struct LabelChange { // of several jobs at once; what is not named stays
    QStringList ids; // UUIDs
    QStringList addTags, removeTags;
    std::optional<QString> note;
    std::optional<bool> starred, archived;
};
template <typename Io> void fields(Io &io, Of<Io, LabelChange> &m)
{
    members(io, "ids", m.ids, "addTags", m.addTags, "removeTags", m.removeTags, "note", m.note, "starred", m.starred,
        "archived", m.archived);
}

struct AnswerText {
    QString id; // of the question
    std::optional<QString> text; // nothing: the question is refused, and not asked again until the host is checked
};
template <typename Io> void fields(Io &io, Of<Io, AnswerText> &m) { members(io, "id", m.id, "text", m.text); }

struct NewSetting {
    QString key;
    QJsonValue value; // null: the default
};
template <typename Io> void fields(Io &io, Of<Io, NewSetting> &m) { members(io, "key", m.key, "value", m.value); }

struct NewHost {
    QString target; // as ssh has it
    QString name; // empty: made from the target
};
template <typename Io> void fields(Io &io, Of<Io, NewHost> &m) { members(io, "target", m.target, "name", m.name); }

struct NewAddress {
    QString id;
    QString target;
};
template <typename Io> void fields(Io &io, Of<Io, NewAddress> &m) { members(io, "id", m.id, "target", m.target); }

struct HostChange { // what its user says of its use; what is not named stays
    QString id;
    QStringList addLabels, removeLabels;
    std::optional<bool> drained;
    std::optional<QString> hours; // empty: none
    std::optional<QString> address = {}; // for tasks on other hosts, or the name of an interface; empty: chosen
};
template <typename Io> void fields(Io &io, Of<Io, HostChange> &m)
{
    members(io, "id", m.id, "addLabels", m.addLabels, "removeLabels", m.removeLabels, "drained", m.drained, "hours",
        m.hours, "address", m.address);
}

struct HostToRelease { // from quarantine
    QString id;
    int gpu = -1; // its index; -1: the host and all GPUs of it
};
template <typename Io> void fields(Io &io, Of<Io, HostToRelease> &m) { members(io, "id", m.id, "gpu", m.gpu); }

struct HostToRemove {
    QString id;
    bool force = false; // also with output there that has not come here yet
};
template <typename Io> void fields(Io &io, Of<Io, HostToRemove> &m) { members(io, "id", m.id, "force", m.force); }

struct TokenOfTarget { // on no disk, and in no messages but these two
    QString id; // "openpai:lab"
    QString token; // empty: it is forgotten
};
template <typename Io> void fields(Io &io, Of<Io, TokenOfTarget> &m) { members(io, "id", m.id, "token", m.token); }

struct PasswordOfTarget { // on no disk, in no message but this one, and kept by nothing
    QString id; // "openpai:lab"
    QString password;
};
template <typename Io> void fields(Io &io, Of<Io, PasswordOfTarget> &m)
{
    members(io, "id", m.id, "password", m.password);
}

struct JobOfTarget { // that the cluster has
    QString id; // of the target
    QString name; // there
};
template <typename Io> void fields(Io &io, Of<Io, JobOfTarget> &m) { members(io, "id", m.id, "name", m.name); }

struct EndOfEngine {
    bool jobs = false; // stop them, too
};
template <typename Io> void fields(Io &io, Of<Io, EndOfEngine> &m) { members(io, "jobs", m.jobs); }

// ---- the calls ----

struct Hello : Call<"hello", Greeting, Greeted> {
    static constexpr bool isBeforeGreeting = true;
};
using Ping = ReadCall<"ping", Nothing, bool>;
using Subscribe = ReadCall<"subscribe", Subscription, Subscribed>;

struct Submit : Call<"submit", SubmitRequest, SubmitReply> {
    static constexpr bool isSubmission = true;
};
using Plan = Call<"plan", SubmitRequest, PlanReply>;
using ListJobs = ReadCall<"jobs", JobPage, QList<JobSummary>>;
using GetJob = ReadCall<"job", Id, JobDetail>;
using FindJob = ReadCall<"find", Word, JobSummary>; // job.unknown, job.ambiguous
using ListTasks = ReadCall<"tasks", TaskPage, QList<TaskInfo>>;
using ListTries = ReadCall<"tries", TaskPage, QList<TaskInfo>>; // that were not the last of their task
using GetOutline = ReadCall<"outline", OutlineOf, TaskOutline>;
using ListAttempts = ReadCall<"attempts", Id, QList<AttemptInfo>>;
using GetLogPath = ReadCall<"logPath", TryOf, QString>;
using GetTaskFolder = ReadCall<"taskFolder", TaskOfAttempt, TaskFolder>;
using ListTaskFiles = Call<"files.list", FilesWanted, TaskFileList>;
using ReadTaskFile = Call<"files.read", PieceWanted, FilePiece>;
// Of the jobs that are named; those to whose results nothing is to be added are left out.
using ListPendingFiles = ReadCall<"files.pending", JobIds, QList<PendingFiles>>;
using Watch = ReadCall<"watch", Switch, bool>; // of events for this client

// The results of calls about a job are true when there was something to do.
using Stop = Call<"stop", EndOfJob, bool>;
using Retry = Call<"retry", RetryRequest, bool>;
using Move = Call<"move", QueuePosition, bool>;
using Pause = Call<"pause", Switch, bool>;
using Release = Call<"release", TasksOf, bool>;
using SetPriority = Call<"priority", NewPriority, bool>;
using Remove = Call<"remove", Id, bool>;
using GetRemovals = Call<"removals", Nothing, RemovalOutlook>; // of the jobs that are due, once that is known
using SetLabels = Call<"labels", LabelChange, bool>; // also of jobs that have ended; all or none

using Answer = Call<"answer", AnswerText, bool>;
using GetSettings = ReadCall<"settings.get", Nothing, QJsonObject>; // every key with its effective value
using SetSetting = Call<"settings.set", NewSetting, bool>;

using ListHosts = ReadCall<"hosts.list", Nothing, QList<HostInfo>>;
using AddHost = Call<"hosts.add", NewHost, HostInfo>;
using CheckHost = Call<"hosts.check", Id, HostInfo>;
using SetHost = Call<"hosts.set", NewAddress, HostInfo>;
using ChangeHost = Call<"hosts.change", HostChange, HostInfo>;
using ReleaseHost = Call<"hosts.release", HostToRelease, HostInfo>;
using RemoveHost = Call<"hosts.remove", HostToRemove, bool>;
using GetHostHistory = ReadCall<"hosts.history", Id, HostHistory>;
using GetHostEnvironments = Call<"hosts.environments", Id, HostEnvironments>;
using GetHostFiles = Call<"hosts.files", Id, HostFiles>;
using CleanHost = Call<"hosts.clean", HostToClean, HostFiles>; // what is there then

using ListTargets = ReadCall<"targets.list", Nothing, QList<ClusterInfo>>; // the clusters of the settings
using CheckTarget = Call<"targets.check", Id, ClusterInfo>; // with its steps, when all have been made
using ListClusterJobs = Call<"targets.jobs", Id, ClusterJobs>; // of its user there
using GetClusterDocument = Call<"targets.document", JobOfTarget, ClusterDocument>;
using ChangeClusterTags = Call<"targets.tags", TagChange, ClusterTags>; // of a job there
using ListContexts = Call<"targets.contexts", Nothing, QStringList>; // of kubectl on this computer
using SetTargetToken = Call<"targets.token", TokenOfTarget, bool>; // false: the cluster needs none
using LogInToTarget = Call<"targets.login", PasswordOfTarget, TokenOfTarget>; // which the engine has then

using ListPorts = Call<"ports.list", PortsOf, QList<TaskPort>>; // of running tasks
using ForwardPort = Call<"ports.forward", PortToForward, TaskPort>;
using StopForward = Call<"ports.unforward", ForwardToStop, bool>;

using SyncCode = Call<"code.sync", FolderToSync, FolderSynced>; // answered at its end; it ends with the connection
using GetSyncProgress = Call<"code.progress", Id, SyncProgress>;
using AnswerCopy = Call<"code.answer", CopyAnswer, bool>;

// For assistants: proposing, asking for the state of a proposal, and submitting it once a person has approved it.
using ProposeJob = AssistantCall<"assistant.propose", SubmitRequest, Proposal>;
using ProposeStop = AssistantCall<"assistant.stop", ProposedStop, Proposal>;
using GetProposal = AssistantCall<"assistant.proposal", Id, Proposal>;
using SubmitProposal = AssistantCall<"assistant.submit", ApprovedPlan, SubmitReply>;
// For people.
using ListProposals = Call<"approvals.list", Nothing, QList<Proposal>>; // the newest first
using ApproveProposal = Call<"approvals.approve", Approval, Proposal>;
using RefuseProposal = Call<"approvals.refuse", ApprovalRefused, Proposal>;

using GetStatus = ReadCall<"engine.status", Nothing, EngineStatus>;
using StopEngine = Call<"engine.stop", EndOfEngine, bool>;
struct HandOver : Call<"engine.handover", Nothing, bool> {
    static constexpr bool isBeforeGreeting = true; // a newer client can always ask for it
};

} // namespace trainyard::api
