// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/fields.h"
#include "engine/api/taskoutline.h"
#include "engine/api/values.h"

#include <QJsonArray>
#include <QJsonObject>

// The calls of the RPC (docs/rpc.md), each written once: its name, what it is asked with and what it is answered with.
// The client sends call<api::Stop>({uuid}, ...), and the daemon has a row for each (engine/daemon/rpccalls.cpp).
namespace trainyard::api
{

template <typename RequestType, typename ReplyType> struct Call {
    using Request = RequestType;
    using Reply = ReplyType;
    static constexpr bool isBeforeGreeting = false; // may come before `hello`
    static constexpr bool isSubmission = false; // without an answer it is not known whether it was accepted
};

// ---- what calls are asked with, beside the requests of values.h ----

struct Nothing {
};
template <typename Io> void fields(Io &, Of<Io, Nothing> &) { }

struct Id { // of a job (its UUID) or a host
    QString id;
};
template <typename Io> void fields(Io &io, Of<Io, Id> &m) { io(QStringLiteral("id"), m.id); }

struct Switch {
    QString id;
    bool on = true;
};
template <typename Io> void fields(Io &io, Of<Io, Switch> &m)
{
    io(QStringLiteral("id"), m.id);
    io(QStringLiteral("on"), m.on);
}

struct Greeting {
    QList<int> protocol; // least, most
    QString build;
    QJsonObject env; // variables of the client's session
    bool answers = false; // it can ask a person
};
template <typename Io> void fields(Io &io, Of<Io, Greeting> &m)
{
    io(QStringLiteral("protocol"), m.protocol);
    io(QStringLiteral("build"), m.build);
    io(QStringLiteral("env"), m.env);
    io(QStringLiteral("answers"), m.answers);
}

struct Greeted {
    int protocol = 0;
    QString build;
    qint64 pid = 0;
};
template <typename Io> void fields(Io &io, Of<Io, Greeted> &m)
{
    io(QStringLiteral("protocol"), m.protocol);
    io(QStringLiteral("build"), m.build);
    io(QStringLiteral("pid"), m.pid);
}

struct Subscription {
    std::optional<QJsonArray> since; // serial of the last event that the client has
};
template <typename Io> void fields(Io &io, Of<Io, Subscription> &m) { io(QStringLiteral("since"), m.since); }

struct Subscribed {
    QJsonArray serial;
    bool replayed = false; // what was missed comes, instead of a snapshot
};
template <typename Io> void fields(Io &io, Of<Io, Subscribed> &m)
{
    io(QStringLiteral("serial"), m.serial);
    io(QStringLiteral("replayed"), m.replayed);
}

struct JobPage {
    QString filter; // as Engine::jobs()
    qint64 before = 0; // a number; 0: from the newest
    int limit = 0; // 0: as many as one message has room for
};
template <typename Io> void fields(Io &io, Of<Io, JobPage> &m)
{
    io(QStringLiteral("filter"), m.filter);
    io(QStringLiteral("before"), m.before);
    io(QStringLiteral("limit"), m.limit);
}

struct Word { // what people type for a job
    QString word;
};
template <typename Io> void fields(Io &io, Of<Io, Word> &m) { io(QStringLiteral("word"), m.word); }

struct TaskPage {
    QString id;
    int attempt = -1; // -1: the newest
    int from = 0; // counts over all roles
    int limit = 0;
};
template <typename Io> void fields(Io &io, Of<Io, TaskPage> &m)
{
    io(QStringLiteral("id"), m.id);
    io(QStringLiteral("attempt"), m.attempt);
    io(QStringLiteral("from"), m.from);
    io(QStringLiteral("limit"), m.limit);
}

struct OutlineOf {
    QString id;
    int attempt = -1;
    int limit = 0; // tasks of each role and state
};
template <typename Io> void fields(Io &io, Of<Io, OutlineOf> &m)
{
    io(QStringLiteral("id"), m.id);
    io(QStringLiteral("attempt"), m.attempt);
    io(QStringLiteral("limit"), m.limit);
}

struct TaskOf {
    QString id, role;
    int index = 0;
};
template <typename Io> void fields(Io &io, Of<Io, TaskOf> &m)
{
    io(QStringLiteral("id"), m.id);
    io(QStringLiteral("role"), m.role);
    io(QStringLiteral("index"), m.index);
}

struct TryOf {
    QString id, role;
    int index = 0;
    int attempt = -1, taskTry = -1; // -1: the newest
};
template <typename Io> void fields(Io &io, Of<Io, TryOf> &m)
{
    io(QStringLiteral("id"), m.id);
    io(QStringLiteral("role"), m.role);
    io(QStringLiteral("index"), m.index);
    io(QStringLiteral("attempt"), m.attempt);
    io(QStringLiteral("try"), m.taskTry);
}

struct QueuePosition {
    QString id;
    QString before; // empty: the end of the queue
};
template <typename Io> void fields(Io &io, Of<Io, QueuePosition> &m)
{
    io(QStringLiteral("id"), m.id);
    io(QStringLiteral("before"), m.before);
}

struct TasksOf {
    QString id;
    QStringList tasks; // "role/index"; empty: all
};
template <typename Io> void fields(Io &io, Of<Io, TasksOf> &m)
{
    io(QStringLiteral("id"), m.id);
    io(QStringLiteral("tasks"), m.tasks);
}

struct NewPriority {
    QString id;
    int value = 0;
};
template <typename Io> void fields(Io &io, Of<Io, NewPriority> &m)
{
    io(QStringLiteral("id"), m.id);
    io.required(QStringLiteral("value"), m.value);
}

struct AnswerText {
    QString id; // of the question
    std::optional<QString> text; // nothing: the question is refused, and not asked again until the host is checked
};
template <typename Io> void fields(Io &io, Of<Io, AnswerText> &m)
{
    io(QStringLiteral("id"), m.id);
    io(QStringLiteral("text"), m.text);
}

struct NewSetting {
    QString key;
    QJsonValue value; // null: the default
};
template <typename Io> void fields(Io &io, Of<Io, NewSetting> &m)
{
    io(QStringLiteral("key"), m.key);
    io(QStringLiteral("value"), m.value);
}

struct NewHost {
    QString target; // as ssh has it
    QString name; // empty: made from the target
};
template <typename Io> void fields(Io &io, Of<Io, NewHost> &m)
{
    io(QStringLiteral("target"), m.target);
    io(QStringLiteral("name"), m.name);
}

struct NewAddress {
    QString id;
    QString target;
};
template <typename Io> void fields(Io &io, Of<Io, NewAddress> &m)
{
    io(QStringLiteral("id"), m.id);
    io(QStringLiteral("target"), m.target);
}

struct HostToRemove {
    QString id;
    bool force = false; // also with output there that has not come here yet
};
template <typename Io> void fields(Io &io, Of<Io, HostToRemove> &m)
{
    io(QStringLiteral("id"), m.id);
    io(QStringLiteral("force"), m.force);
}

struct EndOfEngine {
    bool jobs = false; // stop them, too
};
template <typename Io> void fields(Io &io, Of<Io, EndOfEngine> &m) { io(QStringLiteral("jobs"), m.jobs); }

// ---- the calls ----

struct Hello : Call<Greeting, Greeted> {
    static constexpr QLatin1StringView name{"hello"};
    static constexpr bool isBeforeGreeting = true;
};
struct Ping : Call<Nothing, bool> {
    static constexpr QLatin1StringView name{"ping"};
};
struct Subscribe : Call<Subscription, Subscribed> {
    static constexpr QLatin1StringView name{"subscribe"};
};

struct Submit : Call<SubmitRequest, SubmitReply> {
    static constexpr QLatin1StringView name{"submit"};
    static constexpr bool isSubmission = true;
};
struct Plan : Call<SubmitRequest, PlanReply> {
    static constexpr QLatin1StringView name{"plan"};
};
struct ListJobs : Call<JobPage, QList<JobSummary>> {
    static constexpr QLatin1StringView name{"jobs"};
};
struct GetJob : Call<Id, JobDetail> {
    static constexpr QLatin1StringView name{"job"};
};
struct FindJob : Call<Word, JobSummary> { // job.unknown, job.ambiguous
    static constexpr QLatin1StringView name{"find"};
};
struct ListTasks : Call<TaskPage, QList<TaskInfo>> {
    static constexpr QLatin1StringView name{"tasks"};
};
struct ListTries : Call<TaskPage, QList<TaskInfo>> { // that were not the last of their task
    static constexpr QLatin1StringView name{"tries"};
};
struct GetOutline : Call<OutlineOf, TaskOutline> {
    static constexpr QLatin1StringView name{"outline"};
};
struct ListAttempts : Call<Id, QList<AttemptInfo>> {
    static constexpr QLatin1StringView name{"attempts"};
};
struct GetLogPath : Call<TryOf, QString> {
    static constexpr QLatin1StringView name{"logPath"};
};
struct GetTaskFolder : Call<TaskOf, TaskFolder> {
    static constexpr QLatin1StringView name{"taskFolder"};
};
struct Watch : Call<Switch, bool> {
    static constexpr QLatin1StringView name{"watch"};
};

// Those about a job are true when there was something to do.
struct Stop : Call<Id, bool> {
    static constexpr QLatin1StringView name{"stop"};
};
struct Retry : Call<RetryRequest, bool> {
    static constexpr QLatin1StringView name{"retry"};
};
struct Move : Call<QueuePosition, bool> {
    static constexpr QLatin1StringView name{"move"};
};
struct Pause : Call<Switch, bool> {
    static constexpr QLatin1StringView name{"pause"};
};
struct Release : Call<TasksOf, bool> {
    static constexpr QLatin1StringView name{"release"};
};
struct SetPriority : Call<NewPriority, bool> {
    static constexpr QLatin1StringView name{"priority"};
};
struct Remove : Call<Id, bool> {
    static constexpr QLatin1StringView name{"remove"};
};

struct Answer : Call<AnswerText, bool> {
    static constexpr QLatin1StringView name{"answer"};
};
struct GetSettings : Call<Nothing, QJsonObject> { // every key with its effective value
    static constexpr QLatin1StringView name{"settings.get"};
};
struct SetSetting : Call<NewSetting, bool> {
    static constexpr QLatin1StringView name{"settings.set"};
};

struct ListHosts : Call<Nothing, QList<HostInfo>> {
    static constexpr QLatin1StringView name{"hosts.list"};
};
struct AddHost : Call<NewHost, HostInfo> {
    static constexpr QLatin1StringView name{"hosts.add"};
};
struct CheckHost : Call<Id, HostInfo> {
    static constexpr QLatin1StringView name{"hosts.check"};
};
struct SetHost : Call<NewAddress, HostInfo> {
    static constexpr QLatin1StringView name{"hosts.set"};
};
struct RemoveHost : Call<HostToRemove, bool> {
    static constexpr QLatin1StringView name{"hosts.remove"};
};

struct GetStatus : Call<Nothing, EngineStatus> {
    static constexpr QLatin1StringView name{"engine.status"};
};
struct StopEngine : Call<EndOfEngine, bool> {
    static constexpr QLatin1StringView name{"engine.stop"};
};
struct HandOver : Call<Nothing, bool> {
    static constexpr QLatin1StringView name{"engine.handover"};
    static constexpr bool isBeforeGreeting = true; // a newer client can always ask for it
};

} // namespace trainyard::api
