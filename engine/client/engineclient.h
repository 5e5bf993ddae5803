// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/calls.h"
#include "engine/api/events.h"
#include "model/base/result.h"

#include <QObject>

#include <chrono>
#include <functional>
#include <memory>

namespace trainyard
{

class RpcConnection; // a duplex of lines: local socket or in memory
struct PendingRequest;

// A client of the engine: requests, and a mirror of its state kept by events. It lives on one thread, that of its
// creator, and nothing blocks. Signals may come at any time after start(). When the connection is lost, it reconnects
// (starting the daemon unless disabled) and refreshes the mirror; callbacks of lost requests get Error "engine.gone",
// that of api::Submit "engine.submit-unknown". An engine that does not greet, or later misses its heartbeat, is
// "engine.not-answering" {pid} (Failed) until it answers; its open requests get that code, api::Submit
// "engine.submit-unanswered" {pid}. How long an answer takes does not matter while the engine lives.
class EngineClient : public QObject
{
    Q_OBJECT
public:
    enum class Status { Offline, Connecting, Ready, Failed };
    Q_ENUM(Status)
    enum class Start { Never, IfNeeded };
    // How often a client that asks again after a loss may lose the engine before it gives up: a request that ends the
    // engine each time must not do so forever.
    static constexpr int mostLosses = 6;
    // The best number of tasks to ask for: one message has room for this many, whatever their data are.
    static constexpr int tasksAtOnce = 2000;

    explicit EngineClient(QObject *parent = nullptr);
    ~EngineClient() override;

    void start(Start mode); // over the local socket
    void startWith(std::unique_ptr<RpcConnection> connection); // in-process engine, tests
    Status status() const;
    Error lastError() const; // why Failed

    // Before start(): how long the engine may take to greet, and to answer a heartbeat (10 s).
    void setPatience(std::chrono::milliseconds patience);

    // Before start(): whether this client passes questions of ssh to its user. Questions arrive as question().
    void setAnswersQuestions(bool on);
    // Before start(): the engine refuses everything that changes something ("rpc.reads-only").
    void setReadsOnly(bool on);
    // Before start(): the client speaks for an assistant of this name (docs/rpc.md), and otherwise only reads.
    void setAssistant(const QString &name, const QString &session);

    template <typename T> using Reply = std::function<void(const Result<T> &)>;
    // One of the calls of engine/api/calls.h: call<api::Stop>({uuid}, this, ...). `context` guards the callback: none
    // comes after it is gone. Compiled in enginecalls.cpp for each call, not again wherever it is used.
    template <typename Call>
    void call(const typename Call::Request &request, QObject *context, Reply<typename Call::Reply> reply);

    // The mirror: valid while Ready, kept (stale) while not. Newest first. Holds all active jobs and the newest ones.
    static constexpr qsizetype newestHeld = 500;
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
    void resultsMoved(const QString &uuid); // JobDetail::brought of a watched job is another one
    void hostChanged(const trainyard::HostInfo &host);
    void hostRemoved(const QString &id);
    void question(const trainyard::Question &question);
    void questionGone(const QString &id); // answered by a client, or no longer asked
    void settingsChanged(); // of the engine: read them again
    void approvalsChanged(int open); // so many proposals of assistants wait for a person

private:
    void send(const PendingRequest &request, const QJsonObject &params);

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace trainyard
