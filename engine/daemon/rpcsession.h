// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/calls.h"
#include "engine/client/rpcconnection.h"
#include "engine/daemon/approvals.h"
#include "model/base/result.h"

#include <QMap>
#include <QObject>
#include <QSet>

#include <functional>
#include <memory>
#include <optional>

namespace trainyard
{

class Engine;

// The functions that a session needs from its server in addition to the engine.
class RpcSessionHost
{
public:
    virtual ~RpcSessionHost() = default;
    virtual QString version() const = 0;
    virtual int clientCount() const = 0;
    virtual bool isLeaving() const = 0; // no new clients
    virtual bool isStopping() const = 0; // no new jobs
    // `done` comes when it is time to answer; the server leaves afterwards.
    virtual void stopRequested(bool jobsToo, std::function<void()> done) = 0;
    virtual void handoverRequested(std::function<void()> done) = 0;
    virtual QJsonArray nextSerial() = 0;
    // The events after this serial, as they were sent, or nothing if they are no longer kept.
    virtual std::optional<QByteArrayList> eventsSince(const QJsonArray &serial) const = 0;
};

// One client of the daemon: reads its requests, answers them, and sends it the events that it subscribed to. Whatever
// arrives, the answer is a result or an error with a code; nothing a client sends can end the daemon.
class RpcSession : public QObject
{
    Q_OBJECT
public:
    RpcSession(Engine &engine, RpcSessionHost &host, std::unique_ptr<RpcConnection> connection, QObject *parent);

    static QStringList methodNames(); // all that a client may ask for
    Engine &engine() { return m_engine; }
    RpcSessionHost &host() { return m_host; }

    // The calls that are about the session itself; rpccalls.cpp has all.
    Result<api::Greeted> greet(const api::Greeting &greeting);
    void subscribe(const api::Subscription &wanted, const std::function<void(const Result<api::Subscribed> &)> &answer);
    Result<bool> watch(const api::Switch &wanted);

    qint64 backlog() const { return m_connection->backlog(); }
    void close() { m_connection->close(); }
    bool saidHello() const { return m_hello; }
    bool isSubscribed() const { return m_subscribed; }
    bool answersQuestions() const { return m_subscribed && m_answers; }
    QMap<QString, QString> environment() const { return m_environment; }
    const Assistant &assistant() const { return m_assistant; } // that it speaks for

    bool watches(const QString &uuid) const { return m_subscribed && m_watched.contains(uuid); }
    const QSet<QString> &watched() const { return m_watched; }
    void forgetWatch(const QString &uuid) { m_watched.remove(uuid); }
    void sendEvent(const QByteArray &line); // one of rpc::event(), when subscribed
    // Tells why ("idle", "stopped", "handover") and closes once that is out.
    void leave(const QString &reason);

Q_SIGNALS:
    void greeted();
    void subscribed();
    void watchesChanged();
    void closed(); // once; the connection is gone

private:
    void take(const QByteArray &line);
    void write(const QByteArray &line);
    void sendSnapshot(QList<JobSummary> list); // of the newest jobs

    Engine &m_engine;
    RpcSessionHost &m_host;
    std::unique_ptr<RpcConnection> m_connection;
    QMap<QString, QString> m_environment;
    QSet<QString> m_watched;
    qint64 m_snapshotBytes = 0; // of the newest one, which may wait in addition to the other messages
    bool m_hello = false;
    bool m_subscribed = false;
    bool m_answers = false; // it can ask a person
    bool m_readsOnly = false;
    Assistant m_assistant;
};

} // namespace trainyard
