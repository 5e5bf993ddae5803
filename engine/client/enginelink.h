// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/connectionlosses.h"
#include "engine/client/connector.h"
#include "engine/client/engineclient.h"
#include "engine/client/heartbeat.h"
#include "engine/client/pendingrequests.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QSet>
#include <QTimer>

#include <chrono>
#include <memory>
#include <optional>

namespace trainyard
{

// The link of a client to the engine: a connection that is made again when it is lost and is watched for heartbeats,
// and the requests that go over it. It implements the part of EngineClient's contract about these. A slot that gets a
// signal may delete it.
class EngineLink : public QObject
{
    Q_OBJECT
public:
    using Status = EngineClient::Status;
    using Start = EngineClient::Start;
    struct Greeting { // what its client is
        bool answersQuestions = false;
        bool readsOnly = false;
        QString assistant, assistantSession;
    };

    EngineLink();
    ~EngineLink() override;

    Greeting &greeting() { return m_greeting; } // before it starts
    void setPatience(std::chrono::milliseconds patience) { m_patience = patience; }
    void start(Start mode);
    void startWith(std::unique_ptr<RpcConnection> connection);
    Status status() const { return m_status; }
    const Error &trouble() const { return m_trouble; } // why Failed or Offline

    void sendWhenReady(const PendingRequest &who, const QJsonObject &params);
    void watch(const QString &uuid, bool on); // on each connection
    void forgetWatched(const QString &uuid) { m_watched.remove(uuid); }
    void becomeReady(); // the mirror is what the engine has

Q_SIGNALS:
    void statusChanged(trainyard::EngineClient::Status status);
    void ready(); // events that the engine sent to other clients meanwhile are not known
    void dropped(); // the rest of a snapshot that has come in part does not come
    void told(const QString &name, const QJsonObject &params); // an event

private:
    void setStatus(Status next);
    void beginConnecting(bool background = false);
    void connectFailed(const Error &why);
    Error notAnswering() const;
    void becomeFailed(const Error &why);
    void useConnection(std::unique_ptr<RpcConnection> fresh);
    void greeted(const Result<api::Greeted> &reply);
    void askToHandOver();
    void dropConnection();
    void lost();
    void failAllAs(Status next, const Error &why);
    void send(const PendingRequest &who, const QJsonObject &params);
    template <typename Call>
    void sendOwn(const typename Call::Request &request, EngineClient::Reply<typename Call::Reply> reply = {});
    void failLater(const PendingRequest &who, const Error &why);
    void take(const QByteArray &line);
    void takeEvent(const QString &name, const QJsonObject &params);

    Greeting m_greeting;
    Connector m_connector;
    QTimer m_lookAgain, m_helloTimer;
    QElapsedTimer m_sinceConnected;
    ConnectionLosses m_losses;
    std::optional<Error> m_refusal; // why the daemon does not take this connection
    std::chrono::milliseconds m_patience{10000};
    Heartbeat m_life;
    bool m_isGreeted = false; // this connection has been Ready: only a heartbeat is missing
    std::unique_ptr<RpcConnection> m_connection;
    Status m_status = Status::Offline;
    Start m_mode = Start::Never;
    bool m_isOverSocket = false;
    bool m_mayStartNow = false; // not after the user stopped the engine: then only a new request starts it
    bool m_isHandedOver = false;
    Error m_trouble;
    qint64 m_lastId = 0;
    PendingRequests m_requests; // those that were not sent wait until Ready
    QSet<QString> m_watched;
    std::optional<QJsonArray> m_lastSerial; // of the last event: the state of the mirror
};

} // namespace trainyard
