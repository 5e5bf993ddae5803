// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/singleinstance.h"

#include "engine/client/paths.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocalSocket>
#include <QThread>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace trainyard
{
namespace
{
constexpr int aliveLookMs = 100; // between two looks whether the first is still alive
constexpr qint64 messageLimit = 1 << 20;

QString displayName()
{
    QString name = qEnvironmentVariable("WAYLAND_DISPLAY");
    if (name.isEmpty()) {
        name = qEnvironmentVariable("DISPLAY", QStringLiteral("none"));
    }
    for (QChar &c : name) {
        if (!c.isLetterOrNumber()) {
            c = QLatin1Char('_');
        }
    }
    return name;
}

QByteArray requestToOpen(const QStringList &files)
{
    const QJsonObject request{{QStringLiteral("open"),
        QJsonObject{
            {QStringLiteral("files"), QJsonArray::fromStringList(files)},
            {QStringLiteral("cwd"), QDir::currentPath()},
            {QStringLiteral("activationToken"), qEnvironmentVariable("XDG_ACTIVATION_TOKEN")},
        }}};
    return QJsonDocument(request).toJson(QJsonDocument::Compact) + '\n';
}
} // namespace

SingleInstance::SingleInstance(QObject *parent) : QObject(parent)
{
    if (const auto folder = paths::ensurePrivateFolder(paths::runtimeFolder())) {
        m_socketPath = *folder + QStringLiteral("/gui-") + displayName() + QStringLiteral(".sock");
    }
    connect(&m_server, &QLocalServer::newConnection, this, &SingleInstance::accept);
}

SingleInstance::~SingleInstance()
{
    m_server.close();
    if (m_lock >= 0) {
        ::close(m_lock); // lets the lock go
    }
}

SingleInstance::Lock SingleInstance::takeLock()
{
    if (m_lock < 0) {
        const QByteArray lockPath = QFile::encodeName(m_socketPath + QStringLiteral(".lock"));
        m_lock = ::open(lockPath.constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    }
    if (m_lock < 0) {
        return Lock::Unusable;
    }
    if (::flock(m_lock, LOCK_EX | LOCK_NB) == 0) {
        return Lock::Ours;
    }
    return errno == EWOULDBLOCK || errno == EINTR ? Lock::Theirs : Lock::Unusable;
}

bool SingleInstance::handOver(const QStringList &files, const Patience &patience)
{
    if (m_socketPath.isEmpty()) {
        return false;
    }
    const QByteArray request = requestToOpen(files);
    const QDeadlineTimer untilTold(patience.untilTold);
    const QDeadlineTimer limit(patience.limit);
    bool isTold = false;
    bool isSent = false;
    QLocalSocket socket;
    // The request is sent once for each connection, and a connection ends only with the first: no file is opened twice.
    while (takeLock() == Lock::Theirs) {
        if (socket.state() == QLocalSocket::UnconnectedState) {
            isSent = false;
            socket.connectToServer(m_socketPath);
        }
        if (!isSent && socket.waitForConnected(aliveLookMs)) {
            socket.write(request);
            isSent = true;
        }
        if (isSent && (socket.canReadLine() || socket.waitForReadyRead(aliveLookMs)) && socket.canReadLine()) {
            return QJsonDocument::fromJson(socket.readLine()).object().value(QStringLiteral("ok")).toBool();
        }
        if (limit.hasExpired()) {
            Q_EMIT gaveUp();
            return false;
        }
        if (!isTold && untilTold.hasExpired()) {
            isTold = true;
            Q_EMIT waiting();
        }
        if (socket.state() == QLocalSocket::UnconnectedState) {
            QThread::msleep(aliveLookMs); // it has not come so far as to listen, or it is ending
        }
    }
    return false;
}

bool SingleInstance::listen()
{
    if (m_socketPath.isEmpty() || takeLock() != Lock::Ours) {
        return false;
    }
    QLocalServer::removeServer(m_socketPath); // ours to remove: we hold the lock
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    return m_server.listen(m_socketPath);
}

void SingleInstance::accept()
{
    while (QLocalSocket *socket = m_server.nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        connect(socket, &QLocalSocket::readyRead, this, [this, socket] {
            if (!socket->canReadLine()) {
                if (socket->bytesAvailable() > messageLimit) {
                    socket->abort();
                }
                return;
            }
            const QJsonObject open
                = QJsonDocument::fromJson(socket->readLine()).object().value(QStringLiteral("open")).toObject();
            const QDir folder(open.value(QStringLiteral("cwd")).toString());
            QStringList files;
            const QJsonArray names = open.value(QStringLiteral("files")).toArray();
            for (const QJsonValue &name : names) {
                files.append(folder.absoluteFilePath(name.toString()));
            }
            socket->write("{\"ok\":true}\n");
            socket->disconnectFromServer();
            Q_EMIT openRequested(files);
        });
    }
}

} // namespace trainyard
