// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "engine/client/rpcconnection.h"
#include "model/base/result.h"

#include <QHash>
#include <QMap>
#include <QObject>
#include <QSet>

#include <functional>
#include <memory>
#include <optional>

namespace trainyard
{

class Engine;

// What a request is answered with: a value, or one that is JSON text already because it is long.
struct RpcPayload {
    RpcPayload() = default;
    RpcPayload(QJsonValue json) : value(std::move(json)) { }
    explicit RpcPayload(QByteArray json) : text(std::move(json)) { }
    QJsonValue value;
    QByteArray text;
};

// What a session needs from its server besides the engine.
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
    // The events after this serial, as they were sent; nothing when they are not kept any more.
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
    qint64 backlog() const { return m_connection->backlog(); }
    void close() { m_connection->close(); }
    bool saidHello() const { return m_hello; }
    bool isSubscribed() const { return m_subscribed; }
    bool answersQuestions() const { return m_subscribed && m_answers; }
    QMap<QString, QString> environment() const { return m_environment; }

    bool watches(const QString &uuid) const { return m_subscribed && m_watched.contains(uuid); }
    void forgetWatch(const QString &uuid) { m_watched.remove(uuid); }
    void sendEvent(const QByteArray &line); // one of rpc::event(), when subscribed
    // Tells why ("idle", "stopped", "handover") and closes once that is out.
    void leave(const QString &reason);

Q_SIGNALS:
    void greeted();
    void subscribed();
    void closed(); // once; the connection is gone

private:
    using Answer = std::function<void(const Result<RpcPayload> &)>;
    using Method = void (RpcSession::*)(const QJsonObject &params, const Answer &answer);
    static const QHash<QString, Method> &methods();

    void take(const QByteArray &line);
    void write(const QByteArray &line);

    void hello(const QJsonObject &params, const Answer &answer);
    void ping(const QJsonObject &params, const Answer &answer);
    void subscribe(const QJsonObject &params, const Answer &answer);
    void submit(const QJsonObject &params, const Answer &answer);
    void plan(const QJsonObject &params, const Answer &answer);
    void jobs(const QJsonObject &params, const Answer &answer);
    void job(const QJsonObject &params, const Answer &answer);
    void find(const QJsonObject &params, const Answer &answer);
    void tasks(const QJsonObject &params, const Answer &answer);
    void tries(const QJsonObject &params, const Answer &answer);
    void outline(const QJsonObject &params, const Answer &answer);
    void attempts(const QJsonObject &params, const Answer &answer);
    void logPath(const QJsonObject &params, const Answer &answer);
    void taskFolder(const QJsonObject &params, const Answer &answer);
    void watch(const QJsonObject &params, const Answer &answer);
    void stop(const QJsonObject &params, const Answer &answer);
    void retry(const QJsonObject &params, const Answer &answer);
    void move(const QJsonObject &params, const Answer &answer);
    void pause(const QJsonObject &params, const Answer &answer);
    void release(const QJsonObject &params, const Answer &answer);
    void priority(const QJsonObject &params, const Answer &answer);
    void remove(const QJsonObject &params, const Answer &answer);
    void settingsGet(const QJsonObject &params, const Answer &answer);
    void answerQuestion(const QJsonObject &params, const Answer &answer);
    void settingsSet(const QJsonObject &params, const Answer &answer);
    void hostsList(const QJsonObject &params, const Answer &answer);
    void hostsAdd(const QJsonObject &params, const Answer &answer);
    void hostsCheck(const QJsonObject &params, const Answer &answer);
    void hostsSet(const QJsonObject &params, const Answer &answer);
    void hostsRemove(const QJsonObject &params, const Answer &answer);
    void engineStatus(const QJsonObject &params, const Answer &answer);
    void engineStop(const QJsonObject &params, const Answer &answer);
    void engineHandover(const QJsonObject &params, const Answer &answer);
    void sendSnapshot();

    Engine &m_engine;
    RpcSessionHost &m_host;
    std::unique_ptr<RpcConnection> m_connection;
    QMap<QString, QString> m_environment;
    QSet<QString> m_watched;
    bool m_hello = false;
    bool m_subscribed = false;
    bool m_answers = false; // it can ask a person
};

} // namespace trainyard
