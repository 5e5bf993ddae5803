// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/rpcsession.h"

#include "engine/api/rpc.h"
#include "engine/api/valuetext.h"
#include "engine/daemon/engine.h"
#include "engine/daemon/lingering.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QPointer>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr qint64 mostBacklog = 8 << 20; // of events: then the client starts again from a snapshot
constexpr qint64 mostUnreadAnswers = rpc::maxLine; // of a client that asks and asks and never reads
constexpr int newestJobs = 500;
constexpr int mostTasks = 5000; // in one answer
constexpr int mostJobs = 5000;
constexpr qsizetype mostPlanBytes = 4 << 20;
constexpr qsizetype mostWatched = 1000;

template <typename T> QJsonArray toArray(const QList<T> &list)
{
    QJsonArray array;
    for (const T &item : list) {
        array.append(item.toJson());
    }
    return array;
}

template <typename T> Result<QJsonValue> toJson(const Result<T> &result)
{
    if (!result) {
        return tl::unexpected(result.error());
    }
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, QString>) {
        return QJsonValue(*result);
    } else {
        return QJsonValue(result->toJson());
    }
}

Result<QJsonValue> error(const QString &code, const QJsonObject &args = {}) { return fail(code, args); }

// A limit as a client gives it, inside what one message can bear.
int limitFrom(const QJsonObject &params, int most)
{
    const int limit = params.value("limit"_L1).toInt();
    return limit <= 0 ? most : std::min(limit, most);
}

} // namespace

RpcSession::RpcSession(Engine &engine, RpcSessionHost &host, std::unique_ptr<RpcConnection> connection, QObject *parent)
    : QObject(parent), m_engine(engine), m_host(host), m_connection(std::move(connection))
{
    connect(m_connection.get(), &RpcConnection::received, this, &RpcSession::take);
    connect(m_connection.get(), &RpcConnection::closed, this, &RpcSession::closed);
}

const QHash<QString, RpcSession::Method> &RpcSession::methods()
{
    static const QHash<QString, Method> table{
        {u"hello"_s, &RpcSession::hello},
        {u"ping"_s, &RpcSession::ping},
        {u"subscribe"_s, &RpcSession::subscribe},
        {u"submit"_s, &RpcSession::submit},
        {u"plan"_s, &RpcSession::plan},
        {u"jobs"_s, &RpcSession::jobs},
        {u"job"_s, &RpcSession::job},
        {u"find"_s, &RpcSession::find},
        {u"tasks"_s, &RpcSession::tasks},
        {u"tries"_s, &RpcSession::tries},
        {u"outline"_s, &RpcSession::outline},
        {u"attempts"_s, &RpcSession::attempts},
        {u"logPath"_s, &RpcSession::logPath},
        {u"taskFolder"_s, &RpcSession::taskFolder},
        {u"watch"_s, &RpcSession::watch},
        {u"stop"_s, &RpcSession::stop},
        {u"retry"_s, &RpcSession::retry},
        {u"move"_s, &RpcSession::move},
        {u"pause"_s, &RpcSession::pause},
        {u"release"_s, &RpcSession::release},
        {u"priority"_s, &RpcSession::priority},
        {u"remove"_s, &RpcSession::remove},
        {u"answer"_s, &RpcSession::answerQuestion},
        {u"settings.get"_s, &RpcSession::settingsGet},
        {u"settings.set"_s, &RpcSession::settingsSet},
        {u"hosts.list"_s, &RpcSession::hostsList},
        {u"hosts.add"_s, &RpcSession::hostsAdd},
        {u"hosts.check"_s, &RpcSession::hostsCheck},
        {u"hosts.set"_s, &RpcSession::hostsSet},
        {u"hosts.remove"_s, &RpcSession::hostsRemove},
        {u"engine.status"_s, &RpcSession::engineStatus},
        {u"engine.stop"_s, &RpcSession::engineStop},
        {u"engine.handover"_s, &RpcSession::engineHandover},
    };
    return table;
}

QStringList RpcSession::methodNames() { return methods().keys(); }

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
    const Answer answer = [self = QPointer<RpcSession>(this), id = message.id](const Result<RpcPayload> &result) {
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
    const Method method = methods().value(message.method, nullptr);
    if (!method) {
        answer(error(u"rpc.no-method"_s, {{u"method"_s, message.method.left(100)}}));
        return;
    }
    // A client of another version must be able to ask for the handover.
    if (!m_hello && method != &RpcSession::hello && method != &RpcSession::engineHandover) {
        answer(error(u"rpc.hello-first"_s));
        return;
    }
    (this->*method)(message.params, answer);
}

void RpcSession::write(const QByteArray &line)
{
    if (m_connection->backlog() > mostUnreadAnswers) {
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
    if (m_connection->backlog() > mostBacklog) {
        m_subscribed = false;
        m_connection->closeWith(rpc::event(u"resync"_s, {}));
        return;
    }
    m_connection->send(line);
}

void RpcSession::leave(const QString &reason)
{
    // Not closeWith(): answers that wait must go out first. The client closes, or the process ends.
    m_subscribed = false;
    m_connection->send(rpc::event(u"leaving"_s, {{u"reason"_s, reason}}));
}

void RpcSession::hello(const QJsonObject &params, const Answer &answer)
{
    if (m_host.isLeaving()) {
        answer(error(u"engine.leaving"_s));
        return;
    }
    const QJsonArray range = params.value("protocol"_L1).toArray();
    const int least = range.at(0).toInt();
    const int most = range.at(1).toInt();
    if (least > rpc::protocolMax || most < rpc::protocolMin) {
        answer(error(u"rpc.version"_s,
            {{u"min"_s, rpc::protocolMin}, {u"max"_s, rpc::protocolMax}, {u"build"_s, m_host.version()}}));
        return;
    }
    const QJsonObject env = params.value("env"_L1).toObject();
    m_environment.clear();
    // Only the names that mean a session: a client does not get to set the daemon's PATH.
    for (const QString &name : {u"SSH_AUTH_SOCK"_s, u"DISPLAY"_s, u"WAYLAND_DISPLAY"_s, u"DBUS_SESSION_BUS_ADDRESS"_s,
             u"XAUTHORITY"_s, u"KRB5CCNAME"_s}) {
        if (env.value(name).isString()) {
            m_environment.insert(name, env.value(name).toString());
        }
    }
    m_answers = params.value("answers"_L1).toBool();
    m_hello = true;
    answer(QJsonValue(QJsonObject{
        {u"protocol"_s, std::min(most, rpc::protocolMax)},
        {u"build"_s, m_host.version()},
        {u"pid"_s, QCoreApplication::applicationPid()},
    }));
    Q_EMIT greeted();
}

void RpcSession::ping(const QJsonObject &, const Answer &answer) { answer(QJsonValue(true)); }

void RpcSession::subscribe(const QJsonObject &params, const Answer &answer)
{
    m_subscribed = true;
    const std::optional<QByteArrayList> missed = m_host.eventsSince(params.value("since"_L1).toArray());
    answer(QJsonValue(QJsonObject{{u"serial"_s, m_host.nextSerial()}, {u"replayed"_s, missed.has_value()}}));
    if (!missed) {
        sendSnapshot();
    }
    for (const QByteArray &line : missed.value_or(QByteArrayList())) {
        sendEvent(line);
    }
    const QList<Question> open = m_answers ? m_engine.questions() : QList<Question>();
    for (const Question &question : open) {
        sendEvent(rpc::event(u"question"_s, {{u"question"_s, question.toJson()}, {u"serial"_s, m_host.nextSerial()}}));
    }
    Q_EMIT subscribed();
}

void RpcSession::sendSnapshot()
{
    QList<JobSummary> list = m_engine.jobs({}, 0, newestJobs);
    QSet<QString> known;
    for (const JobSummary &job : std::as_const(list)) {
        known.insert(job.uuid);
    }
    const QList<JobSummary> active = m_engine.activeJobs();
    for (const JobSummary &job : active) {
        if (!known.contains(job.uuid) && list.size() < mostJobs) {
            list.append(job);
        }
    }
    const auto text = [](const QJsonArray &array) { return QJsonDocument(array).toJson(QJsonDocument::Compact); };
    sendEvent(rpc::eventText(u"snapshot"_s,
        "{\"jobs\":" + jsonText(list) + ",\"hosts\":" + text(toArray(m_engine.hosts()))
            + ",\"serial\":" + text(m_host.nextSerial()) + '}'));
}

void RpcSession::submit(const QJsonObject &params, const Answer &answer)
{
    if (m_host.isStopping()) {
        answer(error(u"engine.leaving"_s));
        return;
    }
    // Before the inventory is known nobody can tell what is impossible here.
    m_engine.whenReady(
        this, [this, request = SubmitRequest::fromJson(params), answer] { answer(toJson(m_engine.submit(request))); });
}

void RpcSession::plan(const QJsonObject &params, const Answer &answer)
{
    m_engine.whenReady(this, [this, request = SubmitRequest::fromJson(params), answer] {
        Result<PlanReply> reply = m_engine.plan(request);
        if (!reply) {
            answer(tl::unexpected(reply.error()));
            return;
        }
        // Ten thousand tasks with their scripts do not fit into one message; the first ones tell what is to be seen.
        const qsizetype all = reply->tasks.size();
        qsizetype bytes = 0;
        for (qsizetype i = 0; i < all; ++i) {
            const PlannedTask &task = reply->tasks.at(i);
            bytes += task.script.size() + 200;
            for (const auto &[name, value] : task.environment) {
                bytes += name.size() + value.size() + 8;
            }
            if (bytes > mostPlanBytes && i > 0) {
                reply->tasks.resize(i);
                break;
            }
        }
        QJsonObject json = reply->toJson();
        json.insert(u"omittedTasks"_s, all - reply->tasks.size());
        answer(QJsonValue(json));
    });
}

void RpcSession::jobs(const QJsonObject &params, const Answer &answer)
{
    answer(RpcPayload(jsonText(m_engine.jobs(
        params.value("filter"_L1).toString(), params.value("before"_L1).toInteger(), limitFrom(params, mostJobs)))));
}

void RpcSession::job(const QJsonObject &params, const Answer &answer)
{
    answer(toJson(m_engine.job(params.value("id"_L1).toString())));
}

void RpcSession::find(const QJsonObject &params, const Answer &answer)
{
    answer(toJson(m_engine.findJob(params.value("word"_L1).toString())));
}

void RpcSession::tasks(const QJsonObject &params, const Answer &answer)
{
    const Result<QList<TaskInfo>> list
        = m_engine.tasks(params.value("id"_L1).toString(), params.value("attempt"_L1).toInt(-1),
            std::max(0, params.value("from"_L1).toInt()), limitFrom(params, mostTasks));
    if (list) {
        answer(RpcPayload(jsonText(*list)));
    } else {
        answer(tl::unexpected(list.error()));
    }
}

void RpcSession::tries(const QJsonObject &params, const Answer &answer)
{
    const Result<QList<TaskInfo>> list
        = m_engine.earlierTries(params.value("id"_L1).toString(), params.value("attempt"_L1).toInt(-1),
            std::max(0, params.value("from"_L1).toInt()), limitFrom(params, mostTasks));
    if (list) {
        answer(RpcPayload(jsonText(*list)));
    } else {
        answer(tl::unexpected(list.error()));
    }
}

void RpcSession::outline(const QJsonObject &params, const Answer &answer)
{
    const Result<TaskOutline> outline = m_engine.outline(
        params.value("id"_L1).toString(), params.value("attempt"_L1).toInt(-1), limitFrom(params, 500));
    if (outline) {
        answer(QJsonValue(outline->toJson()));
    } else {
        answer(tl::unexpected(outline.error()));
    }
}

void RpcSession::attempts(const QJsonObject &params, const Answer &answer)
{
    const Result<JobDetail> detail = m_engine.job(params.value("id"_L1).toString());
    if (detail) {
        answer(QJsonValue(toArray(detail->attempts)));
    } else {
        answer(tl::unexpected(detail.error()));
    }
}

void RpcSession::logPath(const QJsonObject &params, const Answer &answer)
{
    answer(toJson(m_engine.logFolder(params.value("id"_L1).toString(), params.value("role"_L1).toString(),
        params.value("index"_L1).toInt(), params.value("attempt"_L1).toInt(-1), params.value("try"_L1).toInt(-1))));
}

void RpcSession::taskFolder(const QJsonObject &params, const Answer &answer)
{
    answer(toJson(m_engine.taskFolder(
        params.value("id"_L1).toString(), params.value("role"_L1).toString(), params.value("index"_L1).toInt())));
}

void RpcSession::watch(const QJsonObject &params, const Answer &answer)
{
    const QString uuid = params.value("id"_L1).toString();
    if (!params.value("on"_L1).toBool(true)) {
        m_watched.remove(uuid);
        answer(QJsonValue(true));
        return;
    }
    const Result<JobSummary> known = m_engine.summary(uuid);
    if (!known) {
        answer(tl::unexpected(known.error()));
        return;
    }
    if (m_watched.size() >= mostWatched) {
        answer(error(u"rpc.params"_s));
        return;
    }
    m_watched.insert(uuid);
    answer(QJsonValue(true));
}

void RpcSession::stop(const QJsonObject &params, const Answer &answer)
{
    answer(toJson(m_engine.stop(params.value("id"_L1).toString())));
}

void RpcSession::retry(const QJsonObject &params, const Answer &answer)
{
    if (m_host.isStopping()) {
        answer(error(u"engine.leaving"_s));
        return;
    }
    m_engine.whenReady(
        this, [this, request = RetryRequest::fromJson(params), answer] { answer(toJson(m_engine.retry(request))); });
}

void RpcSession::move(const QJsonObject &params, const Answer &answer)
{
    answer(toJson(m_engine.move(params.value("id"_L1).toString(), params.value("before"_L1).toString())));
}

void RpcSession::pause(const QJsonObject &params, const Answer &answer)
{
    answer(toJson(m_engine.pause(params.value("id"_L1).toString(), params.value("on"_L1).toBool(true))));
}

void RpcSession::release(const QJsonObject &params, const Answer &answer)
{
    QStringList tasks;
    const QJsonArray named = params.value("tasks"_L1).toArray();
    for (const QJsonValue &task : named) {
        tasks.append(task.toString());
    }
    answer(toJson(m_engine.release(params.value("id"_L1).toString(), tasks)));
}

void RpcSession::priority(const QJsonObject &params, const Answer &answer)
{
    const QJsonValue value = params.value("value"_L1);
    if (!value.isDouble()) {
        answer(error(u"rpc.params"_s));
        return;
    }
    answer(toJson(m_engine.setPriority(params.value("id"_L1).toString(), value.toInt())));
}

void RpcSession::answerQuestion(const QJsonObject &params, const Answer &answer)
{
    const QJsonValue text = params.value("text"_L1);
    answer(toJson(m_engine.answer(
        params.value("id"_L1).toString(), text.isString() ? std::optional(text.toString()) : std::nullopt)));
}

void RpcSession::settingsGet(const QJsonObject &, const Answer &answer) { answer(QJsonValue(m_engine.settings())); }

void RpcSession::settingsSet(const QJsonObject &params, const Answer &answer)
{
    answer(toJson(m_engine.setSetting(params.value("key"_L1).toString(), params.value("value"_L1))));
}

void RpcSession::remove(const QJsonObject &params, const Answer &answer)
{
    answer(toJson(m_engine.remove(params.value("id"_L1).toString())));
}

void RpcSession::hostsList(const QJsonObject &, const Answer &answer) { answer(QJsonValue(toArray(m_engine.hosts()))); }

void RpcSession::hostsAdd(const QJsonObject &params, const Answer &answer)
{
    answer(toJson(m_engine.addHost(params.value("target"_L1).toString(), params.value("name"_L1).toString())));
}

void RpcSession::hostsCheck(const QJsonObject &params, const Answer &answer)
{
    m_engine.checkHost(
        params.value("id"_L1).toString(), this, [answer](const Result<HostInfo> &host) { answer(toJson(host)); });
}

void RpcSession::hostsSet(const QJsonObject &params, const Answer &answer)
{
    answer(toJson(m_engine.setHost(params.value("id"_L1).toString(), params.value("target"_L1).toString())));
}

void RpcSession::hostsRemove(const QJsonObject &params, const Answer &answer)
{
    answer(toJson(m_engine.removeHost(params.value("id"_L1).toString(), params.value("force"_L1).toBool())));
}

void RpcSession::engineStatus(const QJsonObject &, const Answer &answer)
{
    askForLingering(this, [this, answer](std::optional<bool> lingers) {
        EngineStatus status = m_engine.status();
        status.clients = m_host.clientCount();
        status.version = m_host.version();
        status.lingers = lingers;
        answer(QJsonValue(status.toJson()));
    });
}

void RpcSession::engineStop(const QJsonObject &params, const Answer &answer)
{
    m_host.stopRequested(params.value("jobs"_L1).toBool(), [answer] { answer(QJsonValue(true)); });
}

void RpcSession::engineHandover(const QJsonObject &, const Answer &answer)
{
    m_host.handoverRequested([answer] { answer(QJsonValue(true)); });
}

} // namespace trainyard
