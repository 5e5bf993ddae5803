// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/engineclient.h"

#include "engine/api/rpc.h"
#include "engine/client/connector.h"
#include "engine/client/heartbeat.h"
#include "engine/client/paths.h"
#include "engine/client/pendingcall.h"
#include "engine/client/rpcconnection.h"

#include <QElapsedTimer>
#include <QHash>
#include <QJsonArray>
#include <QMap>
#include <QPointer>
#include <QSet>
#include <QVersionNumber>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr int lookAgainMs = 2000; // for a daemon that we may not start ourselves
constexpr std::chrono::milliseconds greetingPatience{10000};
constexpr qsizetype pruneSlack = 100;
// A connection that is lost sooner counts as a loss in a row: the first one is made up for at once, the next ones later
// and later, so that neither a daemon that ends each time nor one that accepts no client is asked without a pause.
constexpr qint64 lastingMs = 5000;
constexpr int firstPauseMs = 50, longestPauseMs = 400;

int pauseAfter(int losses)
{
    return losses <= 1 ? 0 : std::min(longestPauseMs, firstPauseMs << std::min(losses - 2, 8));
}

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

class EngineClient::Private
{
public:
    explicit Private(EngineClient *client)
        : q(client), connector([this](std::unique_ptr<RpcConnection> c) { useConnection(std::move(c)); },
                         [this](const Error &error) { connectFailed(error); }),
          life({[this] { sendOwn<api::Ping>({}); }, [this] { becomeFailed(notAnswering()); },
              [this] { return isAwaited(); }})
    {
        lookAgain.setSingleShot(true);
        helloTimer.setSingleShot(true);
        QObject::connect(&lookAgain, &QTimer::timeout, q, [this] { beginConnecting(true); });
        // The connection stays: an engine that was held up answers on it when it goes on, and one that ends closes it.
        QObject::connect(&helloTimer, &QTimer::timeout, q, [this] { becomeFailed(notAnswering()); });
    }

    struct Queued {
        Pending pending;
        QJsonObject params;
    };

    EngineClient *q;
    Connector connector;
    QTimer lookAgain, helloTimer;
    QElapsedTimer sinceConnected;
    int losses = 0; // in a row
    int vainLosses = 0; // likewise, of connections that were never Ready
    std::optional<Error> refusal; // why the daemon does not take this connection
    std::chrono::milliseconds patience = greetingPatience;
    Heartbeat life;
    bool isGreeted = false; // this connection has been Ready: only a heartbeat is missing
    std::unique_ptr<RpcConnection> connection;
    Status status = Status::Offline;
    Start mode = Start::Never;
    bool overSocket = false;
    bool answersQuestions = false;
    bool readsOnly = false;
    QString assistant, assistantSession;
    bool mayStartNow = false; // not after the user stopped the engine: then only a new request starts it
    bool handedOver = false;
    Error trouble; // why Failed or Offline
    qint64 lastId = 0;
    QHash<qint64, Pending> pending;
    QList<Queued> queue; // until Ready
    QSet<QString> watched;

    QHash<QString, JobSummary> jobs;
    QMap<qint64, QString> order; // number -> uuid
    QList<HostInfo> hosts;
    QList<JobSummary> arriving; // of a snapshot that comes in parts
    std::optional<QJsonArray> lastSerial; // of the last event: where the mirror stands

    void setStatus(Status next)
    {
        if (status != next) {
            status = next;
            Q_EMIT q->statusChanged(next);
        }
    }

    // A search in the background leaves the status alone: Offline stays Offline until a daemon is found.
    void beginConnecting(bool background = false)
    {
        lookAgain.stop();
        const QPointer<EngineClient> guard(q);
        if (!background) {
            setStatus(Status::Connecting);
        }
        if (!guard) {
            return;
        }
        if (!connection) {
            connector.start(mayStartNow);
        } else if (status == Status::Connecting && !helloTimer.isActive()) {
            helloTimer.start(patience); // it has not greeted us so far: once more
        }
    }

    void connectFailed(const Error &why)
    {
        if (why.code != "engine.not-running"_L1) {
            becomeFailed(why);
            return;
        }
        trouble = why;
        lookAgain.start(lookAgainMs);
        failAllAs(Status::Offline, why);
    }

    Error notAnswering() const
    {
        const qint64 pid = connection ? connection->peerPid() : 0;
        return {u"engine.not-answering"_s, {{u"pid"_s, QString::number(pid)}}};
    }

    bool isAwaited() const
    {
        return std::any_of(pending.cbegin(), pending.cend(), [](const Pending &each) { return !each.isOwn; });
    }

    void becomeFailed(const Error &why)
    {
        trouble = why;
        failAllAs(Status::Failed, why);
    }

    void useConnection(std::unique_ptr<RpcConnection> fresh)
    {
        connection = std::move(fresh);
        sinceConnected.start();
        refusal.reset();
        QObject::connect(connection.get(), &RpcConnection::received, q, [this](const QByteArray &line) { take(line); });
        QObject::connect(connection.get(), &RpcConnection::closed, q, [this] { lost(); });
        helloTimer.start(patience);
        sendOwn<api::Hello>({{rpc::protocolMin, rpc::protocolMax}, rpc::buildVersion(), sessionEnvironment(),
                                answersQuestions, readsOnly, assistant, assistantSession},
            [this](const Result<api::Greeted> &reply) { greeted(reply); });
    }

    void greeted(const Result<api::Greeted> &reply)
    {
        if (!reply) {
            const Error &why = reply.error();
            if (why.code == "rpc.version"_L1 && why.args.value("max"_L1).toInt() < rpc::protocolMin && !handedOver) {
                askToHandOver();
            } else if (why.code == "rpc.version"_L1) {
                dropConnection();
                becomeFailed({u"engine.newer"_s, why.args});
            } else { // "leaving": the loss of the connection brings the next attempt
                refusal = why;
                connection->close();
            }
            return;
        }
        const QVersionNumber theirs = QVersionNumber::fromString(reply->build);
        if (overSocket && mode == Start::IfNeeded && !handedOver
            && theirs < QVersionNumber::fromString(rpc::buildVersion())) {
            askToHandOver();
            return;
        }
        sendOwn<api::Subscribe>({lastSerial}, [this](const Result<api::Subscribed> &answer) {
            if (!answer) {
                connection->close();
            } else if (answer->replayed) {
                becomeReady(); // the mirror is good; what was missed comes now
            }
        });
    }

    // The daemon is older than this program: it writes everything and ends, while its tasks continue, and a new one is
    // started.
    void askToHandOver()
    {
        handedOver = true;
        mayStartNow = true;
        sendOwn<api::HandOver>({});
    }

    void dropConnection()
    {
        helloTimer.stop();
        life.end();
        isGreeted = false;
        arriving.clear();
        pending.removeIf([](const QHash<qint64, Pending>::iterator &it) { return it->isOwn; });
        if (connection) {
            connection->disconnect(q);
            connection->close();
            connection.release()->deleteLater();
        }
    }

    void lost()
    {
        const bool wasReady = isGreeted;
        losses = wasReady && sinceConnected.hasExpired(lastingMs) ? 0 : losses + 1;
        vainLosses = wasReady ? 0 : vainLosses + 1;
        dropConnection();
        const bool goesOn = overSocket && mayStartNow;
        if (goesOn && vainLosses >= EngineClient::mostLosses) {
            losses = vainLosses = 0; // a caller that asks again has as many tries
            becomeFailed(refusal.value_or(
                Error{u"engine.keeps-ending"_s, {{u"log"_s, QString(paths::stateFolder() + "/daemon.log"_L1)}}}));
            return;
        }
        trouble = overSocket && wasReady ? Error() : refusal.value_or(gone());
        const QPointer<EngineClient> guard(q);
        failAllAs(goesOn ? Status::Connecting : Status::Offline, gone());
        if (!guard || !overSocket || connection) {
            return;
        }
        if (const int pause = pauseAfter(losses); goesOn && pause > 0) {
            lookAgain.start(pause);
        } else if (goesOn) {
            beginConnecting();
        } else if (status == Status::Offline) {
            lookAgain.start(lookAgainMs);
        }
    }

    // The status is set before the callbacks run: what they request must already see it.
    void failAllAs(Status next, const Error &why)
    {
        const bool isNew = status != next;
        status = next;
        const QPointer<EngineClient> guard(q);
        failAll(why);
        if (guard && isNew && status == next) {
            Q_EMIT q->statusChanged(next);
        }
    }

    // Every request that waits gets its answer; callbacks may do anything, also delete the client.
    void failAll(const Error &why)
    {
        QList<Pending> all;
        for (auto it = pending.begin(); it != pending.end();) {
            if (it->isOwn) {
                ++it;
                continue;
            }
            all.append(it.value());
            it = pending.erase(it);
        }
        const qsizetype sent = all.size();
        // What was never sent waits for the next connection when there will be one.
        if (why.code != "engine.gone"_L1 || !overSocket) {
            for (const Queued &each : std::as_const(queue)) {
                all.append(each.pending);
            }
            queue.clear();
        }
        const QString ofSent = why.code == "engine.gone"_L1 ? u"engine.submit-unknown"_s
            : why.code == "engine.not-answering"_L1         ? u"engine.submit-unanswered"_s
                                                            : why.code;
        for (qsizetype i = 0; i < all.size(); ++i) {
            const Pending &each = all.at(i);
            if (each.context && each.reply) {
                each.reply(fail(each.isSubmission && i < sent ? ofSent : why.code, why.args));
            }
        }
    }

    void send(const Pending &who, const QJsonObject &params)
    {
        const qint64 id = ++lastId;
        const QByteArray line = rpc::request(id, who.method, params);
        if (line.size() > rpc::maxLine) {
            failLater(who, {u"rpc.too-long"_s, {}});
            return;
        }
        pending.insert(id, who);
        connection->send(line);
        if (!who.isOwn) {
            life.awaited();
        }
    }

    // Messages that belong to the connection and not to a request.
    template <typename Call> void sendOwn(const typename Call::Request &request, Reply<typename Call::Reply> reply = {})
    {
        Pending who = pendingFor<Call>(q, std::move(reply));
        who.isOwn = true;
        send(who, api::encodedRequest<Call>(request));
    }

    void failLater(const Pending &who, const Error &why)
    {
        QMetaObject::invokeMethod(
            q,
            [who, why] {
                if (who.context && who.reply) {
                    who.reply(fail(why.code, why.args));
                }
            },
            Qt::QueuedConnection);
    }

    void sendWhenReady(const Pending &who, const QJsonObject &params)
    {
        switch (status) {
        case Status::Ready:
            send(who, params);
            return;
        case Status::Connecting:
            queue.append({who, params});
            return;
        case Status::Offline:
        case Status::Failed:
            break;
        }
        if (!overSocket || mode == Start::Never) {
            failLater(who, trouble.code.isEmpty() ? Error{u"engine.not-running"_s, {}} : trouble);
            return;
        }
        queue.append({who, params});
        mayStartNow = true;
        beginConnecting();
    }

    void take(const QByteArray &line)
    {
        life.heard();
        if (isGreeted && status != Status::Ready) {
            const QPointer<EngineClient> guard(q);
            becomeReady(); // it was held up, and goes on: what it says now follows what it said before
            if (!guard || !isGreeted) {
                return;
            }
        }
        if (const std::optional<rpc::TextReply> text = rpc::textReply(line)) {
            const auto found = pending.constFind(text->id);
            if (found != pending.cend() && found->readText) {
                if (const std::function<void()> handOver = found->readText(text->result)) {
                    if (pending.take(text->id).context) {
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
            if (message.id.isNull() && !isGreeted) {
                refusal = message.error; // of the connection, and not of a request
            }
            const Pending who = pending.take(message.id.toInteger(-1));
            if (who.context && who.reply) {
                who.reply(message.kind == rpc::Message::Kind::Reply
                        ? Result<QJsonValue>(message.result)
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

    void takeEvent(const QString &name, const QJsonObject &params)
    {
        if (const QJsonArray serial = params.value("serial"_L1).toArray(); !serial.isEmpty()) {
            lastSerial = serial;
        }
        if (const auto all = api::decodedEvent<api::SnapshotTaken>(name, params)) {
            takeSnapshot(*all);
        } else if (const auto changed = api::decodedEvent<api::JobChanged>(name, params)) {
            put(changed->job);
            Q_EMIT q->jobChanged(changed->job);
        } else if (const auto dropped = api::decodedEvent<api::JobRemoved>(name, params)) {
            const JobSummary old = jobs.take(dropped->id);
            order.remove(old.id);
            watched.remove(dropped->id);
            Q_EMIT q->jobRemoved(dropped->id);
        } else if (const auto of = api::decodedEvent<api::TasksChanged>(name, params)) {
            Q_EMIT q->tasksChanged(of->id, of->tasks);
        } else if (const auto grown = api::decodedEvent<api::LogsGrew>(name, params)) {
            Q_EMIT q->logsGrew(grown->id, grown->logs);
        } else if (const auto told = api::decodedEvent<api::HostChanged>(name, params)) {
            putHost(told->host);
            Q_EMIT q->hostChanged(told->host);
        } else if (const auto removed = api::decodedEvent<api::HostRemoved>(name, params)) {
            hosts.removeIf([&](const HostInfo &host) { return host.id == removed->id; });
            Q_EMIT q->hostRemoved(removed->id);
        } else if (const auto asked = api::decodedEvent<api::QuestionAsked>(name, params)) {
            Q_EMIT q->question(asked->question);
        } else if (const auto answered = api::decodedEvent<api::QuestionGone>(name, params)) {
            Q_EMIT q->questionGone(answered->id);
        } else if (const auto approvals = api::decodedEvent<api::ApprovalsChanged>(name, params)) {
            Q_EMIT q->approvalsChanged(approvals->open);
        } else if (name == api::SettingsChanged::name) {
            Q_EMIT q->settingsChanged();
        } else if (const auto leaving = api::decodedEvent<api::Leaving>(name, params)) {
            // The user ended the engine: it stays ended until something is requested again. Who has only just come has
            // requested something.
            mayStartNow = mode == Start::IfNeeded && (leaving->reason != "stopped"_L1 || (!isGreeted && mayStartNow));
        }
        // "resync": this client was too slow and the connection ends now; the next one brings a snapshot.
    }

    void takeSnapshot(const api::Snapshot &all)
    {
        if (all.isPart) {
            arriving += all.jobs;
            return;
        }
        const QList<JobSummary> before = std::exchange(arriving, {});
        jobs.clear();
        order.clear();
        hosts = all.hosts;
        for (const QList<JobSummary> &part : {before, all.jobs}) {
            for (const JobSummary &job : part) {
                jobs.insert(job.uuid, job);
                order.insert(job.id, job.uuid);
            }
        }
        becomeReady();
    }

    // The mirror is what the engine has. What was watched meanwhile is not known: reset() tells to ask again.
    void becomeReady()
    {
        helloTimer.stop();
        isGreeted = true;
        if (overSocket) {
            life.begin(patience);
        }
        trouble = {};
        mayStartNow = mode == Start::IfNeeded;
        for (const QString &uuid : std::as_const(watched)) {
            sendOwn<api::Watch>({uuid, true});
        }
        const QPointer<EngineClient> guard(q);
        setStatus(Status::Ready);
        if (guard) {
            Q_EMIT q->reset();
        }
        while (guard && status == Status::Ready && !queue.isEmpty()) {
            const Queued next = queue.takeFirst();
            if (next.pending.context) {
                send(next.pending, next.params);
            }
        }
    }

    void put(const JobSummary &job)
    {
        jobs.insert(job.uuid, job);
        order.insert(job.id, job.uuid);
        if (order.size() <= EngineClient::newestHeld + pruneSlack) {
            return;
        }
        qsizetype finals = 0;
        for (const JobSummary &each : std::as_const(jobs)) {
            finals += isFinal(each.state) ? 1 : 0;
        }
        for (auto it = order.begin(); it != order.end() && finals > EngineClient::newestHeld + pruneSlack;) {
            if (isFinal(jobs.value(it.value()).state)) {
                jobs.remove(it.value());
                it = order.erase(it);
                --finals;
            } else {
                ++it;
            }
        }
    }

    void putHost(const HostInfo &host)
    {
        for (HostInfo &each : hosts) {
            if (each.id == host.id) {
                each = host;
                return;
            }
        }
        hosts.append(host);
    }
};

EngineClient::EngineClient(QObject *parent) : QObject(parent), d(std::make_unique<Private>(this)) { }

EngineClient::~EngineClient()
{
    d->pending.clear();
    d->queue.clear();
    d->dropConnection();
}

void EngineClient::start(Start mode)
{
    d->mode = mode;
    d->overSocket = true;
    d->mayStartNow = mode == Start::IfNeeded;
    d->handedOver = false;
    if (!d->connection || d->status == Status::Failed) {
        d->beginConnecting();
    }
}

void EngineClient::startWith(std::unique_ptr<RpcConnection> connection)
{
    d->connector.stop();
    d->lookAgain.stop();
    d->dropConnection();
    d->overSocket = false;
    d->lastSerial.reset();
    d->mode = Start::Never;
    d->setStatus(Status::Connecting);
    d->useConnection(std::move(connection));
}

void EngineClient::setPatience(std::chrono::milliseconds patience) { d->patience = patience; }

EngineClient::Status EngineClient::status() const { return d->status; }

Error EngineClient::lastError() const { return d->trouble; }

void EngineClient::setAnswersQuestions(bool on) { d->answersQuestions = on; }

void EngineClient::setReadsOnly(bool on) { d->readsOnly = on; }

void EngineClient::setAssistant(const QString &name, const QString &session)
{
    d->assistant = name;
    d->assistantSession = session;
}

void EngineClient::send(const Pending &pending, const QJsonObject &params) { d->sendWhenReady(pending, params); }

QList<JobSummary> EngineClient::jobs() const
{
    QList<JobSummary> list;
    list.reserve(d->order.size());
    for (auto it = d->order.constEnd(); it != d->order.constBegin();) {
        --it;
        list.append(d->jobs.value(it.value()));
    }
    return list;
}

std::optional<JobSummary> EngineClient::job(const QString &uuid) const
{
    const auto it = d->jobs.constFind(uuid);
    return it == d->jobs.constEnd() ? std::nullopt : std::optional<JobSummary>(*it);
}

QList<HostInfo> EngineClient::hosts() const { return d->hosts; }

void EngineClient::watchTasks(const QString &uuid, bool on)
{
    if (on == d->watched.contains(uuid)) {
        return;
    }
    if (on) {
        d->watched.insert(uuid);
    } else {
        d->watched.remove(uuid);
    }
    if (d->status == Status::Ready) {
        d->sendOwn<api::Watch>({uuid, on});
    }
}

} // namespace trainyard
