// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/server.h"

#include "engine/api/callcodec.h"
#include "engine/api/rpc.h"
#include "engine/api/valuetext.h"
#include "engine/daemon/engine.h"

#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr int helloPatienceMs = 30000;
constexpr int lastWordsStepMs = 10;
constexpr int lastWordsSteps = 100;
constexpr qsizetype bytesOfMessage = 1 << 20; // of a list that goes in several messages

} // namespace

RpcServer::RpcServer(Engine &engine, const Options &options, QObject *parent)
    : QObject(parent), m_engine(engine), m_options(options),
      m_listener(options.socketPath, [this](std::unique_ptr<RpcConnection> connection) {
          if (m_sessions.size() < m_options.mostClients) {
              addConnection(std::move(connection));
          } else {
              turnAway(std::move(connection));
          }
      })
{
    m_idleTimer.setSingleShot(true);
    connect(&m_idleTimer, &QTimer::timeout, this, &RpcServer::idleOver);
    connect(&m_lastWords, &QTimer::timeout, this, &RpcServer::finishWhenWritten);

    connect(&engine, &Engine::jobChanged, this, [this](const JobSummary &job) { broadcast<api::JobChanged>({job}); });
    connect(&engine, &Engine::jobRemoved, this, [this](const QString &uuid) {
        for (RpcSession *session : std::as_const(m_sessions)) {
            session->forgetWatch(uuid);
        }
        broadcast<api::JobRemoved>({uuid});
    });
    connect(&engine, &Engine::tasksChanged, this, [this](const QString &uuid, const QList<TaskInfo> &tasks) {
        tellWatchers(uuid, api::TasksChanged::name, [&tasks] { return jsonTextParts(tasks, bytesOfMessage); });
    });
    connect(&engine, &Engine::logsGrew, this, [this](const QString &uuid, const QList<LogGrowth> &logs) {
        tellWatchers(uuid, api::LogsGrew::name, [&logs] { return jsonTextParts(logs, bytesOfMessage); });
    });
    connect(&engine, &Engine::resultsMoved, this, [this](const QString &uuid) {
        QJsonObject params = api::encodedEvent<api::ResultsMoved>({uuid});
        params.insert(u"serial"_s, m_events.nextSerial());
        const QByteArray line = rpc::event(api::ResultsMoved::name, params);
        forEachSession([&](RpcSession &session) {
            if (session.watches(uuid)) {
                session.sendEvent(line);
            }
        });
    });
    connect(&engine, &Engine::hostChanged, this, [this](const HostInfo &host) { broadcast<api::HostChanged>({host}); });
    connect(&engine, &Engine::hostRemoved, this, [this](const QString &id) { broadcast<api::HostRemoved>({id}); });
    connect(&engine, &Engine::questionAsked, this,
        [this](const Question &question) { tellQuestion<api::QuestionAsked>({question}); });
    connect(&engine, &Engine::questionGone, this, [this](const QString &id) { tellQuestion<api::QuestionGone>({id}); });
    connect(&engine.approvals(), &Approvals::changed, this,
        [this](int open) { tellQuestion<api::ApprovalsChanged>({open}); });
    connect(&engine, &Engine::settingsChanged, this, [this] {
        const QByteArray line = rpc::event(api::SettingsChanged::name, {{u"serial"_s, m_events.nextSerial()}});
        forEachSession([&line](RpcSession &session) { session.sendEvent(line); });
    });
    connect(&engine, &Engine::idleChanged, this, &RpcServer::checkIdle);
}

// A session may end while it is written to: the list that is walked is a copy.
template <typename Function> void RpcServer::forEachSession(Function function)
{
    QList<QPointer<RpcSession>> all;
    for (RpcSession *session : std::as_const(m_sessions)) {
        all.append(session);
    }
    for (const QPointer<RpcSession> &session : std::as_const(all)) {
        if (session && m_sessions.contains(session)) {
            function(*session);
        }
    }
}

Result<bool> RpcServer::listen()
{
    const Result<bool> bound = m_listener.listen();
    if (bound) {
        checkIdle();
    }
    return bound;
}

void RpcServer::addConnection(std::unique_ptr<RpcConnection> connection)
{
    auto *session = new RpcSession(m_engine, *this, std::move(connection), this);
    m_sessions.append(session);
    m_idleTimer.stop();
    connect(session, &RpcSession::closed, this, [this, session] { sessionClosed(session); });
    connect(session, &RpcSession::greeted, this, &RpcServer::updateEnvironment);
    connect(session, &RpcSession::subscribed, this, &RpcServer::updateCanAsk);
    connect(session, &RpcSession::watchesChanged, this, &RpcServer::updateInSight);
    QTimer::singleShot(helloPatienceMs, session, [session] {
        if (!session->saidHello()) {
            session->close();
        }
    });
}

// A client whose connection is only closed would reconnect repeatedly, without a message for its user.
void RpcServer::turnAway(std::unique_ptr<RpcConnection> connection)
{
    RpcConnection *refused = connection.release();
    refused->setParent(this);
    connect(refused, &RpcConnection::closed, refused, &QObject::deleteLater);
    refused->closeWith(
        rpc::failure(QJsonValue::Null, {u"engine.too-many-clients"_s, {{u"limit"_s, m_options.mostClients}}}));
}

void RpcServer::sessionClosed(RpcSession *session)
{
    m_sessions.removeAll(session);
    session->deleteLater();
    updateEnvironment();
    updateCanAsk();
    updateInSight();
    checkIdle();
}

void RpcServer::updateInSight()
{
    QSet<QString> watched;
    for (const RpcSession *session : std::as_const(m_sessions)) {
        watched += session->watched();
    }
    m_engine.setInSight(watched);
}

void RpcServer::updateEnvironment()
{
    for (auto it = m_sessions.crbegin(); it != m_sessions.crend(); ++it) {
        if ((*it)->saidHello() && !(*it)->environment().isEmpty()) {
            if ((*it)->environment() != m_environment) {
                m_environment = (*it)->environment();
                Q_EMIT clientEnvironmentChanged(m_environment);
            }
            return;
        }
    }
    // The last client went: its variables may still be good, and nothing better is known.
}

int RpcServer::clientCount() const
{
    return static_cast<int>(
        std::count_if(m_sessions.cbegin(), m_sessions.cend(), [](const RpcSession *s) { return s->saidHello(); }));
}

bool RpcServer::hasSubscribers() const
{
    return std::any_of(
        m_sessions.cbegin(), m_sessions.cend(), [](const RpcSession *session) { return session->isSubscribed(); });
}

template <typename Event> void RpcServer::broadcast(const typename Event::Params &params)
{
    if (const auto line = m_events.add(Event::name, api::encodedEvent<Event>(params), hasSubscribers())) {
        forEachSession([&](RpcSession &session) { session.sendEvent(*line); });
    }
}

template <typename Event> void RpcServer::tellQuestion(const typename Event::Params &told)
{
    QJsonObject params = api::encodedEvent<Event>(told);
    params.insert(u"serial"_s, m_events.nextSerial());
    const QByteArray line = rpc::event(Event::name, params);
    forEachSession([&](RpcSession &session) {
        if (session.answersQuestions()) {
            session.sendEvent(line);
        }
    });
}

void RpcServer::updateCanAsk()
{
    m_engine.setWatched(hasSubscribers());
    m_engine.setCanAsk(std::any_of(
        m_sessions.cbegin(), m_sessions.cend(), [](const RpcSession *session) { return session->answersQuestions(); }));
}

void RpcServer::tellWatchers(const QString &uuid, const QString &name, const std::function<QByteArrayList()> &parts)
{
    const auto watches = [&uuid](const RpcSession *session) { return session->watches(uuid); };
    if (std::none_of(m_sessions.cbegin(), m_sessions.cend(), watches)) {
        return; // a job of 10,000 tasks that no client shows costs no JSON
    }
    const QByteArrayList lists = parts();
    for (const QByteArray &list : lists) {
        const QByteArray line = rpc::eventText(name,
            "{\"id\":" + jsonText(uuid) + ",\"" + (name == api::LogsGrew::name ? "logs" : "tasks") + "\":" + list
                + ",\"serial\":" + QJsonDocument(m_events.nextSerial()).toJson(QJsonDocument::Compact) + '}');
        forEachSession([&](RpcSession &session) {
            if (session.watches(uuid)) {
                session.sendEvent(line);
            }
        });
    }
}

void RpcServer::checkIdle()
{
    if (m_stopping && !m_leaving && m_engine.isIdle()) {
        leave(u"stopped"_s);
        return;
    }
    if (!m_sessions.isEmpty() || !m_engine.isIdle()) {
        m_idleTimer.stop();
    } else if (m_options.idleSeconds > 0 && m_listener.isListening() && !m_leaving && !m_idleTimer.isActive()) {
        m_idleTimer.start(m_options.idleSeconds * 1000);
    }
}

void RpcServer::setIdleSeconds(int seconds)
{
    if (seconds != m_options.idleSeconds) {
        m_options.idleSeconds = seconds;
        m_idleTimer.stop();
        checkIdle();
    }
}

void RpcServer::idleOver()
{
    m_listener.acceptAll(); // a client may just have come
    if (!m_sessions.isEmpty() || !m_engine.isIdle()) {
        return;
    }
    if (m_engine.isBringing() || m_engine.approvals().isWaiting()) {
        checkIdle(); // looks again after the same time
    } else {
        leave(u"idle"_s);
    }
}

void RpcServer::stopRequested(bool jobsToo, std::function<void()> done)
{
    m_stopAnswers.push_back(std::move(done));
    if (jobsToo && !m_engine.isIdle()) {
        if (!m_stopping) {
            m_stopping = true;
            m_engine.stopAll();
            checkIdle();
        }
        return; // idleChanged() goes on
    }
    leave(u"stopped"_s);
}

void RpcServer::handoverRequested(std::function<void()> done)
{
    // Everything is written down at every moment; ending is all there is to do.
    m_stopAnswers.push_back(std::move(done));
    leave(u"handover"_s);
}

void RpcServer::leave(const QString &reason)
{
    for (const std::function<void()> &done : std::exchange(m_stopAnswers, {})) {
        done();
    }
    if (m_leaving) {
        return;
    }
    m_leaving = true;
    m_leavingReason = reason;
    m_idleTimer.stop();
    m_listener.close(); // those in the kernel's queue get the answer, too
    forEachSession([&](RpcSession &session) { session.leave(reason); });
    m_lastWordsLeft = lastWordsSteps;
    m_lastWords.start(lastWordsStepMs);
}

void RpcServer::finishWhenWritten()
{
    bool waiting = false;
    for (const RpcSession *session : std::as_const(m_sessions)) {
        waiting = waiting || session->backlog() > 0;
    }
    if (waiting && --m_lastWordsLeft > 0) {
        return;
    }
    m_lastWords.stop();
    forEachSession([](RpcSession &session) { session.close(); });
    Q_EMIT finished(m_leavingReason);
}

} // namespace trainyard
