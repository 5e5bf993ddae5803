// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/singleinstance.h"

#include "engine/client/paths.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocalSocket>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace trainyard
{
namespace
{
constexpr int answerMs = 2000;
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

bool SingleInstance::handOver(const QStringList &files)
{
    if (m_socketPath.isEmpty() || !QFile::exists(m_socketPath)) {
        return false;
    }
    QLocalSocket socket;
    socket.connectToServer(m_socketPath);
    if (!socket.waitForConnected(answerMs)) {
        return false;
    }
    const QJsonObject request{{QStringLiteral("open"),
        QJsonObject{
            {QStringLiteral("files"), QJsonArray::fromStringList(files)},
            {QStringLiteral("cwd"), QDir::currentPath()},
            {QStringLiteral("activationToken"), qEnvironmentVariable("XDG_ACTIVATION_TOKEN")},
        }}};
    socket.write(QJsonDocument(request).toJson(QJsonDocument::Compact) + '\n');
    if (!socket.waitForReadyRead(answerMs)) {
        return false;
    }
    return QJsonDocument::fromJson(socket.readLine()).object().value(QStringLiteral("ok")).toBool();
}

bool SingleInstance::listen()
{
    if (m_socketPath.isEmpty()) {
        return false;
    }
    const QByteArray lockPath = QFile::encodeName(m_socketPath + QStringLiteral(".lock"));
    m_lock = ::open(lockPath.constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (m_lock < 0 || ::flock(m_lock, LOCK_EX | LOCK_NB) != 0) {
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
