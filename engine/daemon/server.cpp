// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/server.h"

#include "engine/api/rpc.h"
#include "engine/api/valuetext.h"
#include "engine/client/paths.h"
#include "engine/daemon/engine.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QUuid>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr int socketCheckMs = 1000;
constexpr int acceptPauseMs = 200;
constexpr int helloPatienceMs = 30000;
constexpr int lastWordsStepMs = 10;
constexpr int lastWordsSteps = 100;
constexpr qsizetype mostSessions = 256;
constexpr qsizetype bytesOfPart = 1 << 20; // of a list that goes in several messages
constexpr qint64 mostKeptBytes = 4 << 20; // of events, for those who come back
constexpr qint64 keepForNobodyMs = 60000;

Error socketError(const QString &path)
{
    return {
        u"socket.cannot-listen"_s, {{u"path"_s, path}, {u"message"_s, QString::fromLocal8Bit(std::strerror(errno))}}};
}

bool isOwnUser(int fd)
{
    ucred peer{};
    socklen_t length = sizeof peer;
    return ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == ::getuid();
}

} // namespace

RpcServer::RpcServer(Engine &engine, const Options &options, QObject *parent)
    : QObject(parent), m_engine(engine), m_options(options), m_epoch(QUuid::createUuid().toString(QUuid::WithoutBraces))
{
    m_idleTimer.setSingleShot(true);
    m_acceptPause.setSingleShot(true);
    connect(&m_idleTimer, &QTimer::timeout, this, &RpcServer::idleOver);
    connect(&m_socketTimer, &QTimer::timeout, this, &RpcServer::checkSocket);
    connect(&m_acceptPause, &QTimer::timeout, this, [this] {
        if (m_notifier) {
            m_notifier->setEnabled(true);
        }
    });
    connect(&m_lastWords, &QTimer::timeout, this, &RpcServer::finishWhenWritten);

    connect(&engine, &Engine::jobChanged, this, [this](const JobSummary &job) {
        broadcast(u"job"_s, {{u"job"_s, job.toJson()}});
    });
    connect(&engine, &Engine::jobRemoved, this, [this](const QString &uuid) {
        for (RpcSession *session : std::as_const(m_sessions)) {
            session->forgetWatch(uuid);
        }
        broadcast(u"jobRemoved"_s, {{u"id"_s, uuid}});
    });
    connect(&engine, &Engine::tasksChanged, this, [this](const QString &uuid, const QList<TaskInfo> &tasks) {
        tellWatchers(uuid, u"tasks"_s, [&tasks] { return jsonTextParts(tasks, bytesOfPart); });
    });
    connect(&engine, &Engine::logsGrew, this, [this](const QString &uuid, const QList<LogGrowth> &logs) {
        tellWatchers(uuid, u"grew"_s, [&logs] { return jsonTextParts(logs, bytesOfPart); });
    });
    connect(&engine, &Engine::hostChanged, this, [this](const HostInfo &host) {
        broadcast(u"host"_s, {{u"host"_s, host.toJson()}});
    });
    connect(&engine, &Engine::hostRemoved, this, [this](const QString &id) {
        broadcast(u"hostRemoved"_s, {{u"id"_s, id}});
    });
    connect(&engine, &Engine::questionAsked, this, [this](const Question &question) {
        tellQuestion(u"question"_s, {{u"question"_s, question.toJson()}});
    });
    connect(&engine, &Engine::questionGone, this, [this](const QString &id) {
        tellQuestion(u"questionGone"_s, {{u"id"_s, id}});
    });
    connect(&engine, &Engine::idleChanged, this, &RpcServer::checkIdle);
}

RpcServer::~RpcServer() { closeSocket(); }

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
    const Result<bool> bound = bindSocket();
    if (bound) {
        m_socketTimer.start(socketCheckMs);
        checkIdle();
    }
    return bound;
}

Result<bool> RpcServer::bindSocket()
{
    const QString &path = m_options.socketPath;
    const QByteArray encoded = QFile::encodeName(path);
    sockaddr_un address{};
    if (encoded.size() >= qsizetype(sizeof address.sun_path)) {
        return fail(u"socket.path-too-long"_s,
            {{u"path"_s, path}, {u"bytes"_s, encoded.size()}, {u"limit"_s, qint64(sizeof address.sun_path) - 1}});
    }
    const Result<QString> folder = paths::ensurePrivateFolder(QFileInfo(path).path());
    if (!folder) {
        return tl::unexpected(folder.error());
    }
    closeSocket();
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        return tl::unexpected(socketError(path));
    }
    // Not QLocalServer: with access options it binds under a longer temporary name and moves that, which a path near
    // the limit does not bear.
    ::unlink(encoded.constData());
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, encoded.constData(), static_cast<std::size_t>(encoded.size()));
    const mode_t oldMask = ::umask(0177);
    const int bound = ::bind(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address);
    ::umask(oldMask);
    struct stat info {
    };
    if (bound != 0 || ::listen(fd, 64) != 0 || ::stat(encoded.constData(), &info) != 0) {
        const Error error = socketError(path);
        ::close(fd);
        return tl::unexpected(error);
    }
    m_socket = fd;
    m_socketInode = info.st_ino;
    m_notifier = std::make_unique<QSocketNotifier>(fd, QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &RpcServer::acceptAll);
    return true;
}

void RpcServer::closeSocket()
{
    if (m_socket < 0) {
        return;
    }
    m_notifier.reset();
    const QByteArray path = QFile::encodeName(m_options.socketPath);
    struct stat info {
    };
    if (::stat(path.constData(), &info) == 0 && info.st_ino == m_socketInode) {
        ::unlink(path.constData());
    }
    ::close(m_socket);
    m_socket = -1;
}

// A logout removes the runtime folder, a cleaner old files in /tmp: without its file nobody finds the socket any more.
void RpcServer::checkSocket()
{
    if (m_leaving) {
        return;
    }
    struct stat info {
    };
    const bool there = m_socket >= 0 && ::stat(QFile::encodeName(m_options.socketPath).constData(), &info) == 0
        && info.st_ino == m_socketInode;
    if (!there) {
        const Result<bool> bound = bindSocket();
        if (!bound) {
            qWarning("The socket is gone and cannot be made again (%s); trying on.", qPrintable(bound.error().code));
        }
    }
}

void RpcServer::acceptAll()
{
    while (m_socket >= 0) {
        const int fd = ::accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0) {
            if (errno == EINTR || errno == ECONNABORTED) {
                continue;
            }
            if (errno != EAGAIN && m_notifier) {
                // No descriptors left: the waiting client would wake us again and again.
                m_notifier->setEnabled(false);
                m_acceptPause.start(acceptPauseMs);
            }
            return;
        }
        if (!isOwnUser(fd) || m_sessions.size() >= mostSessions) {
            ::close(fd);
            continue;
        }
        auto socket = std::make_unique<QLocalSocket>();
        if (!socket->setSocketDescriptor(fd)) {
            ::close(fd);
            continue;
        }
        addConnection(std::make_unique<LocalSocketConnection>(std::move(socket)));
    }
}

void RpcServer::addConnection(std::unique_ptr<RpcConnection> connection)
{
    auto *session = new RpcSession(m_engine, *this, std::move(connection), this);
    m_sessions.append(session);
    m_idleTimer.stop();
    connect(session, &RpcSession::closed, this, [this, session] { sessionClosed(session); });
    connect(session, &RpcSession::greeted, this, &RpcServer::updateEnvironment);
    connect(session, &RpcSession::subscribed, this, &RpcServer::updateCanAsk);
    QTimer::singleShot(helloPatienceMs, session, [session] {
        if (!session->saidHello()) {
            session->close();
        }
    });
}

void RpcServer::sessionClosed(RpcSession *session)
{
    m_sessions.removeAll(session);
    session->deleteLater();
    updateEnvironment();
    updateCanAsk();
    checkIdle();
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

QJsonArray RpcServer::nextSerial() { return {m_epoch, ++m_serial}; }

bool RpcServer::hasSubscribers() const
{
    return std::any_of(
        m_sessions.cbegin(), m_sessions.cend(), [](const RpcSession *session) { return session->isSubscribed(); });
}

void RpcServer::broadcast(const QString &name, QJsonObject params)
{
    if (hasSubscribers()) {
        m_sinceSubscribers.invalidate();
    } else if (!m_sinceSubscribers.isValid()) {
        m_sinceSubscribers.start();
    } else if (m_sinceSubscribers.hasExpired(keepForNobodyMs)) {
        // Nobody has been there for long: who comes gets a snapshot.
        m_kept.clear();
        m_keptBytes = 0;
        m_keptFrom = std::numeric_limits<qint64>::max();
        return;
    }
    const QJsonArray serial = nextSerial();
    params.insert(u"serial"_s, serial);
    const QByteArray line = rpc::event(name, params);
    if (m_kept.empty()) {
        m_keptFrom = m_serial - 1;
    }
    m_kept.push_back({m_serial, line});
    m_keptBytes += line.size();
    while (m_keptBytes > mostKeptBytes) {
        m_keptBytes -= m_kept.front().line.size();
        m_keptFrom = m_kept.front().serial;
        m_kept.pop_front();
    }
    forEachSession([&](RpcSession &session) { session.sendEvent(line); });
}

void RpcServer::tellQuestion(const QString &name, QJsonObject params)
{
    params.insert(u"serial"_s, nextSerial());
    const QByteArray line = rpc::event(name, params);
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
        return; // a job of 10,000 tasks at which nobody looks costs no JSON
    }
    const QByteArrayList lists = parts();
    for (const QByteArray &list : lists) {
        const QByteArray line = rpc::eventText(name,
            "{\"id\":" + jsonText(uuid) + ",\"" + (name == "grew"_L1 ? "logs" : "tasks") + "\":" + list
                + ",\"serial\":" + QJsonDocument(nextSerial()).toJson(QJsonDocument::Compact) + '}');
        forEachSession([&](RpcSession &session) {
            if (session.watches(uuid)) {
                session.sendEvent(line);
            }
        });
    }
}

std::optional<QByteArrayList> RpcServer::eventsSince(const QJsonArray &serial) const
{
    const qint64 since = serial.at(1).toInteger(-1);
    if (serial.at(0).toString() != m_epoch || m_kept.empty() || since <= 0 || since < m_keptFrom || since > m_serial) {
        return std::nullopt;
    }
    QByteArrayList lines;
    for (const KeptEvent &event : m_kept) {
        if (event.serial > since) {
            lines.append(event.line);
        }
    }
    return lines;
}

void RpcServer::checkIdle()
{
    if (m_stopping && !m_leaving && m_engine.isIdle()) {
        leave(u"stopped"_s);
        return;
    }
    if (!m_sessions.isEmpty() || !m_engine.isIdle()) {
        m_idleTimer.stop();
    } else if (m_options.idleSeconds > 0 && m_socket >= 0 && !m_leaving && !m_idleTimer.isActive()) {
        m_idleTimer.start(m_options.idleSeconds * 1000);
    }
}

void RpcServer::idleOver()
{
    acceptAll(); // somebody may just have come
    if (m_sessions.isEmpty() && m_engine.isIdle()) {
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
    m_socketTimer.stop();
    acceptAll(); // those in the kernel's queue are told, too
    closeSocket();
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
