// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/enginelink.h"

#include "engine/api/events.h"
#include "engine/api/rpc.h"
#include "engine/client/paths.h"
#include "engine/client/pendingcall.h"
#include "engine/client/rpcconnection.h"

#include <QPointer>
#include <QVersionNumber>

#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr int lookAgainMs = 2000; // for a daemon that we may not start ourselves

QJsonObject sessionEnvironment()
{
    QJsonObject environment;
    for (const char *name :
        {"SSH_AUTH_SOCK", "DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XAUTHORITY", "KRB5CCNAME"}) {
        if (qEnvironmentVariableIsSet(name)) {
            environment.insert(QString::fromLatin1(name), qEnvironmentVariable(name));
        }
    }
    return environment;
}

Error gone() { return {u"engine.gone"_s, {}}; }

} // namespace

EngineLink::EngineLink()
    : m_connector([this](std::unique_ptr<RpcConnection> c) { useConnection(std::move(c)); },
        [this](const Error &error) { connectFailed(error); }),
      m_life({[this] { sendOwn<api::Ping>({}); }, [this] { becomeFailed(notAnswering()); },
          [this] { return m_requests.isAnyAwaited(); }})
{
    m_lookAgain.setSingleShot(true);
    m_helloTimer.setSingleShot(true);
    connect(&m_lookAgain, &QTimer::timeout, this, [this] { beginConnecting(true); });
    // The connection stays: an engine that was held up answers on it when it goes on, and one that ends closes it.
    connect(&m_helloTimer, &QTimer::timeout, this, [this] { becomeFailed(notAnswering()); });
}

EngineLink::~EngineLink()
{
    m_requests.clear();
    dropConnection();
}

void EngineLink::start(Start mode)
{
    m_mode = mode;
    m_isOverSocket = true;
    m_mayStartNow = mode == Start::IfNeeded;
    m_isHandedOver = false;
    if (!m_connection || m_status == Status::Failed) {
        beginConnecting();
    }
}

void EngineLink::startWith(std::unique_ptr<RpcConnection> connection)
{
    m_connector.stop();
    m_lookAgain.stop();
    dropConnection();
    m_isOverSocket = false;
    m_lastSerial.reset();
    m_mode = Start::Never;
    setStatus(Status::Connecting);
    useConnection(std::move(connection));
}

void EngineLink::watch(const QString &uuid, bool on)
{
    if (on == m_watched.contains(uuid)) {
        return;
    }
    if (on) {
        m_watched.insert(uuid);
    } else {
        m_watched.remove(uuid);
    }
    if (m_status == Status::Ready) {
        sendOwn<api::Watch>({uuid, on});
    }
}

// Messages that belong to the connection and not to a request.
template <typename Call>
void EngineLink::sendOwn(const typename Call::Request &request, EngineClient::Reply<typename Call::Reply> reply)
{
    PendingRequest who = pendingFor<Call>(this, std::move(reply));
    who.isOwn = true;
    send(who, api::encodedRequest<Call>(request));
}

void EngineLink::setStatus(Status next)
{
    if (m_status != next) {
        m_status = next;
        Q_EMIT statusChanged(next);
    }
}

// A search in the background leaves the status alone: Offline stays Offline until a daemon is found.
void EngineLink::beginConnecting(bool background)
{
    m_lookAgain.stop();
    const QPointer guard(this);
    if (!background) {
        setStatus(Status::Connecting);
    }
    if (!guard) {
        return;
    }
    if (!m_connection) {
        m_connector.start(m_mayStartNow);
    } else if (m_status == Status::Connecting && !m_helloTimer.isActive()) {
        m_helloTimer.start(m_patience); // it has not sent its greeting yet: try again
    }
}

void EngineLink::connectFailed(const Error &why)
{
    if (why.code != "engine.not-running"_L1) {
        becomeFailed(why);
        return;
    }
    m_trouble = why;
    m_lookAgain.start(lookAgainMs);
    failAllAs(Status::Offline, why);
}

Error EngineLink::notAnswering() const
{
    const qint64 pid = m_connection ? m_connection->peerPid() : 0;
    return {u"engine.not-answering"_s, {{u"pid"_s, QString::number(pid)}}};
}

void EngineLink::becomeFailed(const Error &why)
{
    m_trouble = why;
    failAllAs(Status::Failed, why);
}

void EngineLink::useConnection(std::unique_ptr<RpcConnection> fresh)
{
    m_connection = std::move(fresh);
    m_sinceConnected.start();
    m_refusal.reset();
    connect(m_connection.get(), &RpcConnection::received, this, [this](const QByteArray &line) { take(line); });
    connect(m_connection.get(), &RpcConnection::closed, this, [this] { lost(); });
    m_helloTimer.start(m_patience);
    sendOwn<api::Hello>(
        {{rpc::protocolMin, rpc::protocolMax}, rpc::buildVersion(), sessionEnvironment(), m_greeting.answersQuestions,
            m_greeting.readsOnly, m_greeting.assistant, m_greeting.assistantSession},
        [this](const Result<api::Greeted> &reply) { greeted(reply); });
}

void EngineLink::greeted(const Result<api::Greeted> &reply)
{
    if (!reply) {
        const Error &why = reply.error();
        if (why.code == "rpc.version"_L1 && why.args.value("max"_L1).toInt() < rpc::protocolMin && !m_isHandedOver) {
            askToHandOver();
        } else if (why.code == "rpc.version"_L1) {
            dropConnection();
            becomeFailed({u"engine.newer"_s, why.args});
        } else { // "leaving": the loss of the connection brings the next attempt
            m_refusal = why;
            m_connection->close();
        }
        return;
    }
    const QVersionNumber theirs = QVersionNumber::fromString(reply->build);
    if (m_isOverSocket && m_mode == Start::IfNeeded && !m_isHandedOver
        && theirs < QVersionNumber::fromString(rpc::buildVersion())) {
        askToHandOver();
        return;
    }
    sendOwn<api::Subscribe>({m_lastSerial}, [this](const Result<api::Subscribed> &answer) {
        if (!answer) {
            m_connection->close();
        } else if (answer->replayed) {
            becomeReady(); // the mirror is good; what was missed comes now
        }
    });
}

// The daemon is older than this program: it writes everything and ends, while its tasks continue, and a new one is
// started.
void EngineLink::askToHandOver()
{
    m_isHandedOver = true;
    m_mayStartNow = true;
    sendOwn<api::HandOver>({});
}

void EngineLink::dropConnection()
{
    m_helloTimer.stop();
    m_life.end();
    m_isGreeted = false;
    m_requests.dropOwn();
    Q_EMIT dropped();
    if (m_connection) {
        m_connection->disconnect(this);
        m_connection->close();
        m_connection.release()->deleteLater();
    }
}

void EngineLink::lost()
{
    const bool wasReady = m_isGreeted;
    m_losses.count(wasReady, m_sinceConnected.hasExpired(ConnectionLosses::lastingMs));
    dropConnection();
    const bool goesOn = m_isOverSocket && m_mayStartNow;
    if (goesOn && m_losses.inVain() >= EngineClient::mostLosses) {
        m_losses.forget(); // a new request has as many tries
        becomeFailed(m_refusal.value_or(
            Error{u"engine.keeps-ending"_s, {{u"log"_s, QString(paths::stateFolder() + "/daemon.log"_L1)}}}));
        return;
    }
    m_trouble = m_isOverSocket && wasReady ? Error() : m_refusal.value_or(gone());
    const QPointer guard(this);
    failAllAs(goesOn ? Status::Connecting : Status::Offline, gone());
    if (!guard || !m_isOverSocket || m_connection) {
        return;
    }
    if (const int pause = m_losses.pauseMs(); goesOn && pause > 0) {
        m_lookAgain.start(pause);
    } else if (goesOn) {
        beginConnecting();
    } else if (m_status == Status::Offline) {
        m_lookAgain.start(lookAgainMs);
    }
}

// The status is set before the callbacks run: what they request must already see it.
void EngineLink::failAllAs(Status next, const Error &why)
{
    const bool isNew = m_status != next;
    m_status = next;
    const QPointer guard(this);
    m_requests.failAll(why, m_isOverSocket);
    if (guard && isNew && m_status == next) {
        Q_EMIT statusChanged(next);
    }
}

void EngineLink::send(const PendingRequest &who, const QJsonObject &params)
{
    const qint64 id = ++m_lastId;
    const QByteArray line = rpc::request(id, who.method, params);
    if (line.size() > rpc::maxLine) {
        failLater(who, {u"rpc.too-long"_s, {}});
        return;
    }
    m_requests.add(id, who);
    m_connection->send(line);
    if (!who.isOwn) {
        m_life.awaited();
    }
}

void EngineLink::failLater(const PendingRequest &who, const Error &why)
{
    QMetaObject::invokeMethod(
        this,
        [who, why] {
            if (who.context && who.reply) {
                who.reply(fail(why.code, why.args));
            }
        },
        Qt::QueuedConnection);
}

void EngineLink::sendWhenReady(const PendingRequest &who, const QJsonObject &params)
{
    switch (m_status) {
    case Status::Ready:
        send(who, params);
        return;
    case Status::Connecting:
        m_requests.queue(who, params);
        return;
    case Status::Offline:
    case Status::Failed:
        break;
    }
    if (!m_isOverSocket || m_mode == Start::Never) {
        failLater(who, m_trouble.code.isEmpty() ? Error{u"engine.not-running"_s, {}} : m_trouble);
        return;
    }
    m_requests.queue(who, params);
    m_mayStartNow = true;
    beginConnecting();
}

void EngineLink::take(const QByteArray &line)
{
    m_life.heard();
    if (m_isGreeted && m_status != Status::Ready) {
        const QPointer guard(this);
        becomeReady(); // it was held up, and goes on: what it says now follows what it said before
        if (!guard || !m_isGreeted) {
            return;
        }
    }
    if (const std::optional<rpc::TextReply> text = rpc::textReply(line)) {
        const PendingRequest *found = m_requests.find(text->id);
        if (found && found->readText) {
            if (const std::function<void()> handOver = found->readText(text->result)) {
                if (m_requests.take(text->id).context) {
                    handOver();
                }
                return;
            }
        }
    }
    const rpc::Message message = rpc::decode(line);
    switch (message.kind) {
    case rpc::Message::Kind::Reply:
    case rpc::Message::Kind::Failure: {
        if (message.id.isNull() && !m_isGreeted) {
            m_refusal = message.error; // of the connection, and not of a request
        }
        const PendingRequest who = m_requests.take(message.id.toInteger(-1));
        if (who.context && who.reply) {
            who.reply(message.kind == rpc::Message::Kind::Reply ? Result<QJsonValue>(message.result)
                                                                : Result<QJsonValue>(tl::unexpected(message.error)));
        }
        return;
    }
    case rpc::Message::Kind::Event:
        takeEvent(message.method, message.params);
        return;
    case rpc::Message::Kind::Request:
    case rpc::Message::Kind::Invalid:
        return;
    }
}

void EngineLink::takeEvent(const QString &name, const QJsonObject &params)
{
    if (const QJsonArray serial = params.value("serial"_L1).toArray(); !serial.isEmpty()) {
        m_lastSerial = serial;
    }
    if (const auto leaving = api::decodedEvent<api::Leaving>(name, params)) {
        // The user ended the engine: it stays ended until something is requested again. A client that has just started
        // has requested something.
        m_mayStartNow
            = m_mode == Start::IfNeeded && (leaving->reason != "stopped"_L1 || (!m_isGreeted && m_mayStartNow));
    } else {
        Q_EMIT told(name, params);
    }
}

// The mirror equals the engine's state. Watched events in the meantime are not known, so ready() makes the client ask
// again.
void EngineLink::becomeReady()
{
    m_helloTimer.stop();
    m_isGreeted = true;
    if (m_isOverSocket) {
        m_life.begin(m_patience);
    }
    m_trouble = {};
    m_mayStartNow = m_mode == Start::IfNeeded;
    for (const QString &uuid : std::as_const(m_watched)) {
        sendOwn<api::Watch>({uuid, true});
    }
    const QPointer guard(this);
    setStatus(Status::Ready);
    if (guard) {
        Q_EMIT ready();
    }
    while (guard && m_status == Status::Ready && m_requests.isAnyQueued()) {
        const PendingRequests::Queued next = m_requests.takeQueued();
        if (next.who.context) {
            send(next.who, next.params);
        }
    }
}

} // namespace trainyard
