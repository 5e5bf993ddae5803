// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/connector.h"

#include "engine/client/enginesocket.h"
#include "engine/client/paths.h"

#include <QDateTime>
#include <QFile>
#include <QJsonDocument>
#include <QProcess>

#include <unistd.h>

#include <cerrno>
#include <cstring>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr int firstDelayMs = 10;
constexpr int longestDelayMs = 250;
constexpr int connectMs = 3000; // the kernel's queue of a busy daemon may be full
constexpr int patienceMs = 20000; // migrating a large store takes its time
constexpr int spawnAgainMs = 1500; // the one before may have met a daemon that was about to end

} // namespace

QString daemonErrorFile(const QString &stateFolder) { return stateFolder + u"/daemon.error"_s; }

Connector::Connector(Connected connected, Failed failed, QObject *parent)
    : QObject(parent), m_connected(std::move(connected)), m_failed(std::move(failed))
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (m_socket) {
            attemptFailed();
        } else {
            attempt();
        }
    });
}

Connector::~Connector() { stop(); }

void Connector::start(bool mayStartDaemon)
{
    stop();
    m_mayStart = mayStartDaemon;
    m_spawned = false;
    m_delay = firstDelayMs;
    m_sinceStart.start();
    m_timer.start(0);
}

void Connector::stop()
{
    m_timer.stop();
    if (m_socket) {
        m_socket->disconnect(this);
        m_socket->abort();
        // Its own signal may be what brought us here.
        m_socket.release()->deleteLater();
    }
}

void Connector::attempt()
{
    const QString state = paths::stateFolder();
    const QString runtime = paths::runtimeFolder();
    const Result<QString> folder = paths::ensurePrivateFolder(runtime);
    const Result<QString> usual = folder ? paths::engineSocket(runtime, state) : folder;
    m_places = usual ? QStringList{*usual} : QStringList();
    m_noUsualPlace = usual ? std::nullopt : std::optional(usual.error());
    // An engine that was started in another session, or outside of any, has another runtime folder.
    if (const QString noted = notedSocket(state); !noted.isEmpty() && !m_places.contains(noted)) {
        m_places.append(noted);
    }
    if (m_places.isEmpty()) {
        giveUp(*m_noUsualPlace);
    } else {
        tryNextPlace();
    }
}

void Connector::tryNextPlace()
{
    m_socket = std::make_unique<QLocalSocket>();
    connect(m_socket.get(), &QLocalSocket::connected, this, [this] {
        m_timer.stop();
        m_socket->disconnect(this);
        m_connected(std::make_unique<LocalSocketConnection>(std::move(m_socket)));
    });
    connect(
        m_socket.get(), &QLocalSocket::errorOccurred, this,
        [this, tried = QPointer<QLocalSocket>(m_socket.get())] {
            if (tried && tried == m_socket.get()) { // and not an attempt before this one
                attemptFailed();
            }
        },
        Qt::QueuedConnection);
    m_timer.start(connectMs);
    m_socket->connectToServer(m_places.takeFirst());
}

void Connector::attemptFailed()
{
    if (!m_socket) {
        return;
    }
    stop();
    if (!m_places.isEmpty()) {
        tryNextPlace();
        return;
    }
    if (m_noUsualPlace) { // one that is started would have none, either
        giveUp(*m_noUsualPlace);
        return;
    }
    if (!m_mayStart) {
        giveUp({u"engine.not-running"_s, {}});
        return;
    }
    const QString state = paths::stateFolder();
    const bool isLate = m_sinceStart.hasExpired(patienceMs);
    if (m_spawned) {
        // The newest one may still be about to say why; at last the word of an earlier one is better than none.
        const qint64 since = isLate ? m_firstSpawnedAt : m_spawnedAt;
        for (const QString &folder : {state, paths::runtimeFolder()}) {
            QFile file(daemonErrorFile(folder));
            if (!file.open(QIODevice::ReadOnly)) {
                continue;
            }
            const QJsonObject said = QJsonDocument::fromJson(file.read(64 << 10)).object();
            const Error why{said.value("code"_L1).toString(u"engine.not-started"_s), said.value("args"_L1).toObject()};
            // If two were started, the first may take long until it serves, or be about to end.
            const bool isSettled = why.code != "engine.already-running"_L1 || isLate;
            if (said.value("at"_L1).toInteger() >= since && isSettled) {
                giveUp(why);
                return;
            }
        }
    }
    if (isLate) {
        giveUp({u"engine.not-started"_s, {{u"log"_s, QString(state + "/daemon.log"_L1)}}});
        return;
    }
    if ((!m_spawned || m_sinceSpawn.hasExpired(spawnAgainMs)) && !startDaemon()) {
        return;
    }
    m_timer.start(m_delay);
    m_delay = std::min(longestDelayMs, m_delay * 2);
}

bool Connector::startDaemon()
{
    const QString program = paths::program(u"trainyardd"_s);
    if (program.isEmpty()) {
        giveUp({u"engine.no-program"_s, {{u"program"_s, u"trainyardd"_s}}});
        return false;
    }
    // An engine that cannot write there cannot report that either.
    const QString state = paths::stateFolder();
    if (const Result<QString> made = paths::ensurePrivateFolder(state); !made) {
        giveUp(made.error());
        return false;
    }
    if (::access(QFile::encodeName(state).constData(), W_OK | X_OK) != 0) {
        giveUp({u"folder.cannot-write"_s,
            {{u"folder"_s, state}, {u"message"_s, QString::fromLocal8Bit(std::strerror(errno))}}});
        return false;
    }
    m_spawnedAt = QDateTime::currentMSecsSinceEpoch();
    m_firstSpawnedAt = m_spawned ? m_firstSpawnedAt : m_spawnedAt;
    m_sinceSpawn.start();
    m_spawned = true;
    QProcess process;
    process.setProgram(program);
    process.setWorkingDirectory(u"/"_s);
    // The daemon must not inherit our output: the reader of a pipe must see its end when we end.
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(QProcess::nullDevice());
    if (!process.startDetached()) {
        giveUp({u"engine.no-program"_s, {{u"program"_s, program}}});
        return false;
    }
    return true;
}

// By value, because the receiver may delete the connector together with its members.
void Connector::giveUp(Error error) // NOLINT(performance-unnecessary-value-param)
{
    stop();
    m_failed(error);
}

} // namespace trainyard
