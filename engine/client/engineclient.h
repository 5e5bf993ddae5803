// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "model/base/result.h"

#include <QObject>

#include <chrono>
#include <functional>
#include <memory>

namespace trainyard
{

class RpcConnection; // a duplex of lines: local socket or in memory

// A client of the engine: requests, and a mirror of its state kept by events. It lives on one thread, that of its
// creator, and nothing blocks. Signals may come at any time after start(). When the connection is lost it reconnects
// (starting the daemon unless told otherwise) and the mirror is refreshed; callbacks of lost requests get Error
// "engine.gone",
// that of submit() "engine.submit-unknown". An engine that does not greet, or later misses its heartbeat, is
// "engine.not-answering" {pid} (Failed) until it answers; its open requests get that code, submit()
// "engine.submit-unanswered" {pid}. How long an answer takes does not matter while the engine lives.
class EngineClient : public QObject
{
    Q_OBJECT
public:
    enum class Status { Offline, Connecting, Ready, Failed };
    Q_ENUM(Status)
    enum class Start { Never, IfNeeded };

    explicit EngineClient(QObject *parent = nullptr);
    ~EngineClient() override;

    void start(Start mode); // over the local socket
    void startWith(std::unique_ptr<RpcConnection> connection); // in-process engine, tests
    Status status() const;
    Error lastError() const; // why Failed

    // Before start(): how long the engine may take to greet, and to answer a heartbeat (10 s).
    void setPatience(std::chrono::milliseconds patience);

    // Before start(): whether this client asks its user what ssh wants to know. Questions come as question().
    void setAnswersQuestions(bool on);

    template <typename T> using Reply = std::function<void(const Result<T> &)>;
    // `context` guards the callback: none comes after it is gone.
    void submit(const SubmitRequest &request, QObject *context, Reply<SubmitReply> reply);
    void plan(const SubmitRequest &request, QObject *context, Reply<PlanReply> reply);
    void jobDetail(const QString &uuid, QObject *context, Reply<JobDetail> reply);
    // Tasks of an attempt (-1: the newest), in role order, `from` counting over all roles.
    void tasks(const QString &uuid, int attempt, int from, int limit, QObject *context, Reply<QList<TaskInfo>> reply);
    // Tries of an attempt that were not a task's last, in the order of roles, tasks and tries.
    void tries(const QString &uuid, int attempt, int from, int limit, QObject *context, Reply<QList<TaskInfo>> reply);
    void stop(const QString &uuid, QObject *context, Reply<bool> reply);
    void remove(const QString &uuid, QObject *context, Reply<bool> reply);
    void retry(const RetryRequest &request, QObject *context, Reply<bool> reply);
    // Pauses or resumes a running or waiting job; the result is false when there was nothing to do.
    void pause(const QString &uuid, bool on, QObject *context, Reply<bool> reply);
    // Releases failed tasks that are kept for inspection ("role/index"; all when none is named).
    void release(const QString &uuid, const QStringList &tasks, QObject *context, Reply<bool> reply);
    void setPriority(const QString &uuid, int priority, QObject *context, Reply<bool> reply); // of a waiting one
    // Moves a waiting job right before another one, or with an empty `before` to the end of the queue.
    void move(const QString &uuid, const QString &before, QObject *context, Reply<bool> reply);
    void settings(QObject *context, Reply<QJsonObject> reply); // every key with its effective value
    void setSetting(const QString &key, const QJsonValue &value, QObject *context, Reply<bool> reply); // null: default
    // Without a text the question is refused, and it is not asked again until the host is checked.
    void answer(const QString &questionId, const std::optional<QString> &text, QObject *context, Reply<bool> reply);
    void addHost(const QString &target, const QString &name, QObject *context, Reply<HostInfo> reply);
    void removeHost(const QString &id, bool force, QObject *context, Reply<bool> reply);
    void listJobs(const QString &filter, qint64 beforeId, int limit, QObject *context, Reply<QList<JobSummary>> reply);
    void engineStatus(QObject *context, Reply<EngineStatus> reply);
    void stopEngine(bool stopJobs, QObject *context, Reply<bool> reply);
    // Finds a job by number, #n, UUID prefix (8 or more) or name (newest). Error "job.unknown".
    void findJob(const QString &word, QObject *context, Reply<JobSummary> reply);
    void call(const QString &method, const QJsonObject &params, QObject *context, Reply<QJsonValue> reply);

    // The mirror: valid while Ready, kept (stale) while not. Newest first. Holds all active and the newest 500 jobs.
    QList<JobSummary> jobs() const;
    std::optional<JobSummary> job(const QString &uuid) const;
    QList<HostInfo> hosts() const;
    // Task events come only for watched jobs (a job of 10,000 tasks is silent unless it is looked at).
    void watchTasks(const QString &uuid, bool on);

Q_SIGNALS:
    void statusChanged(trainyard::EngineClient::Status status);
    void reset(); // the mirror was replaced: read jobs() and hosts() again
    void jobChanged(const trainyard::JobSummary &job); // also for new ones
    void jobRemoved(const QString &uuid);
    void tasksChanged(
        const QString &uuid, const QList<trainyard::TaskInfo> &tasks); // only those that changed, at most 20/s
    void logsGrew(const QString &uuid, const QList<trainyard::LogGrowth> &logs); // of watched jobs
    void hostChanged(const trainyard::HostInfo &host);
    void hostRemoved(const QString &id);
    void question(const trainyard::Question &question);
    void questionGone(const QString &id); // answered by a client, or not asked any more

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace trainyard
