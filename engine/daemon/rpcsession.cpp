// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/rpcsession.h"

#include "engine/api/rpc.h"
#include "engine/api/valuejson.h"
#include "engine/api/valuetext.h"
#include "engine/daemon/engine.h"
#include "engine/daemon/rpccalls.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QPointer>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr qint64 mostBacklog = 8 << 20; // of events: then the client starts again from a snapshot
constexpr qint64 mostUnreadAnswers = rpc::maxLine; // of a client that asks and asks and never reads
constexpr int newestJobs = 500;
constexpr int readAgainMs = 500; // what could not be read, and is not damaged
constexpr int mostInSnapshot = 5000;
constexpr qsizetype bytesOfSnapshotPart = 4 << 20; // of a snapshot
constexpr qsizetype mostWatched = 1000;
constexpr qsizetype longestSession = 100;

} // namespace

RpcSession::RpcSession(Engine &engine, RpcSessionHost &host, std::unique_ptr<RpcConnection> connection, QObject *parent)
    : QObject(parent), m_engine(engine), m_host(host), m_connection(std::move(connection))
{
    connect(m_connection.get(), &RpcConnection::received, this, &RpcSession::take);
    connect(m_connection.get(), &RpcConnection::closed, this, &RpcSession::closed);
}

QStringList RpcSession::methodNames() { return rpcRows().keys(); }

void RpcSession::take(const QByteArray &line)
{
    const rpc::Message message = rpc::decode(line);
    switch (message.kind) {
    case rpc::Message::Kind::Invalid:
        write(rpc::failure(message.id, message.error));
        return;
    case rpc::Message::Kind::Event:
    case rpc::Message::Kind::Reply:
    case rpc::Message::Kind::Failure:
        return; // nothing that a client may tell without being answered
    case rpc::Message::Kind::Request:
        break;
    }
    // The answer may come after the client is gone.
    const RpcAnswer answer = [self = QPointer<RpcSession>(this), id = message.id](const Result<api::Payload> &result) {
        if (!self) {
            return;
        }
        QByteArray reply = !result  ? rpc::failure(id, result.error())
            : result->text.isNull() ? rpc::reply(id, result->value)
                                    : rpc::replyText(id, result->text);
        if (reply.size() > rpc::maxLine) {
            reply = rpc::failure(id, {u"rpc.too-long"_s, {}});
        }
        self->write(reply);
    };
    const auto row = rpcRows().constFind(message.method);
    if (row == rpcRows().cend()) {
        answer(fail(u"rpc.no-method"_s, {{u"method"_s, message.method.left(100)}}));
    } else if (!m_hello && !row->isBeforeGreeting) {
        answer(fail(u"rpc.hello-first"_s));
    } else if (row->isForAssistants && m_assistant.session.isEmpty()) {
        answer(fail(u"assistant.not-one"_s));
    } else if (m_readsOnly && !row->isReading && !row->isBeforeGreeting && !row->isForAssistants) {
        answer(fail(u"rpc.reads-only"_s));
    } else {
        row->handle(*this, message.params, answer);
    }
}

void RpcSession::write(const QByteArray &line)
{
    if (m_connection->backlog() > mostUnreadAnswers + m_snapshotBytes) {
        m_connection->close();
        return;
    }
    m_connection->send(line);
}

void RpcSession::sendEvent(const QByteArray &line)
{
    if (!m_subscribed || !m_connection->isOpen()) {
        return;
    }
    if (m_connection->backlog() > mostBacklog + m_snapshotBytes) {
        m_subscribed = false;
        m_connection->closeWith(rpc::event(api::Resync::name, {}));
        return;
    }
    m_connection->send(line);
}

void RpcSession::leave(const QString &reason)
{
    // Not closeWith(): answers that wait must go out first. The client closes, or the process ends.
    m_subscribed = false;
    m_connection->send(rpc::event(api::Leaving::name, api::encodedEvent<api::Leaving>({reason})));
}

Result<api::Greeted> RpcSession::greet(const api::Greeting &greeting)
{
    if (m_host.isLeaving()) {
        return fail(u"engine.leaving"_s);
    }
    const int least = greeting.protocol.value(0);
    const int most = greeting.protocol.value(1);
    if (least > rpc::protocolMax || most < rpc::protocolMin) {
        return fail(u"rpc.version"_s,
            {{u"min"_s, rpc::protocolMin}, {u"max"_s, rpc::protocolMax}, {u"build"_s, m_host.version()}});
    }
    // A second greeting gives back nothing that the first one gave up.
    if (!m_hello && !greeting.session.isEmpty()) {
        m_assistant = {Approvals::shownName(greeting.assistant), greeting.session.left(longestSession)};
    }
    m_readsOnly = m_readsOnly || greeting.reads || !greeting.session.isEmpty();
    m_environment.clear();
    // Only the names that mean a session: a client does not get to set the daemon's PATH.
    for (const QString &name : {u"SSH_AUTH_SOCK"_s, u"DISPLAY"_s, u"WAYLAND_DISPLAY"_s, u"DBUS_SESSION_BUS_ADDRESS"_s,
             u"XAUTHORITY"_s, u"KRB5CCNAME"_s}) {
        if (!m_readsOnly && greeting.env.value(name).isString()) {
            m_environment.insert(name, greeting.env.value(name).toString());
        }
    }
    m_answers = greeting.answers && !m_readsOnly;
    m_hello = true;
    Q_EMIT greeted();
    return api::Greeted{std::min(most, rpc::protocolMax), m_host.version(), QCoreApplication::applicationPid()};
}

void RpcSession::subscribe(
    const api::Subscription &wanted, const std::function<void(const Result<api::Subscribed> &)> &answer)
{
    const std::optional<QByteArrayList> missed = m_host.eventsSince(wanted.since.value_or(QJsonArray()));
    const Result<QList<JobSummary>> newest = missed ? QList<JobSummary>() : m_engine.jobs({}, 0, newestJobs);
    if (!newest) {
        // Without the jobs that have ended a snapshot would look whole, and a client that heard events before it would
        // take it that nothing else was missed.
        QTimer::singleShot(readAgainMs, this, [this, wanted, answer] {
            if (m_connection->isOpen()) {
                subscribe(wanted, answer);
            }
        });
        return;
    }
    m_subscribed = true;
    answer(api::Subscribed{m_host.nextSerial(), missed.has_value()});
    if (!missed) {
        sendSnapshot(*newest);
    }
    for (const QByteArray &line : missed.value_or(QByteArrayList())) {
        sendEvent(line);
    }
    const QList<Question> open = m_answers ? m_engine.questions() : QList<Question>();
    for (const Question &question : open) {
        QJsonObject params = api::encodedEvent<api::QuestionAsked>({question});
        params.insert(u"serial"_s, m_host.nextSerial());
        sendEvent(rpc::event(api::QuestionAsked::name, params));
    }
    Q_EMIT subscribed();
}

void RpcSession::sendSnapshot(QList<JobSummary> list)
{
    QSet<QString> known;
    for (const JobSummary &job : std::as_const(list)) {
        known.insert(job.uuid);
    }
    const QList<JobSummary> active = m_engine.activeJobs();
    for (const JobSummary &job : active) {
        if (!known.contains(job.uuid) && list.size() < mostInSnapshot) {
            list.append(job);
        }
    }
    const auto text = [](const QJsonArray &array) { return QJsonDocument(array).toJson(QJsonDocument::Compact); };
    QByteArrayList parts = jsonTextParts(list, bytesOfSnapshotPart);
    if (parts.isEmpty()) {
        parts.append("[]");
    }
    m_snapshotBytes = 0;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        // A part has no serial: a client that has only some of them keeps its former position.
        const bool isLast = i + 1 == parts.size();
        const QByteArray more = isLast ? QByteArray(",\"hosts\":" + text(valuejson::toValue(m_engine.hosts()).toArray())
                                    + ",\"serial\":" + text(m_host.nextSerial()))
                                       : QByteArray(",\"isPart\":true");
        const QByteArray line = rpc::eventText(api::SnapshotTaken::name, "{\"jobs\":" + parts.at(i) + more + '}');
        m_snapshotBytes += line.size();
        m_connection->send(line); // however long all of it is, a client that reads it is not too slow
    }
}

Result<bool> RpcSession::watch(const api::Switch &wanted)
{
    if (!wanted.on) {
        m_watched.remove(wanted.id);
        Q_EMIT watchesChanged();
        return true;
    }
    if (const Result<JobSummary> known = m_engine.summary(wanted.id); !known) {
        return tl::unexpected(known.error());
    }
    if (m_watched.size() >= mostWatched) {
        return fail(u"rpc.params"_s);
    }
    m_watched.insert(wanted.id);
    Q_EMIT watchesChanged();
    return true;
}

} // namespace trainyard
