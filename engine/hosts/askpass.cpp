// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/askpass.h"

#include <QRandomGenerator>

#include <sys/socket.h>
#include <unistd.h>

namespace trainyard
{

using namespace Qt::StringLiterals;

constexpr qsizetype mostPrompt = 16 << 10;

AskPass::AskPass(const QString &runtimeFolder, QObject *parent)
    : QObject(parent), m_path(runtimeFolder + u"/ask-"_s + QString::number(QRandomGenerator::system()->generate(), 36))
{
    connect(&m_server, &QLocalServer::newConnection, this, &AskPass::accept);
}

// The server closes its connections after the list of them is gone: they must not be heard any more.
AskPass::~AskPass()
{
    const QList<QLocalSocket *> sockets = m_server.findChildren<QLocalSocket *>();
    for (QLocalSocket *socket : sockets) {
        socket->disconnect(this);
    }
}

bool AskPass::listen() { return m_server.isListening() || m_server.listen(m_path); }

void AskPass::accept()
{
    while (QLocalSocket *socket = m_server.nextPendingConnection()) {
        ucred peer{};
        socklen_t length = sizeof peer;
        if (::getsockopt(int(socket->socketDescriptor()), SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0
            || peer.uid != ::getuid()) {
            socket->abort();
            socket->deleteLater();
            continue;
        }
        const int id = ++m_lastId;
        m_askers.insert(id, {socket, {}, false});
        connect(socket, &QLocalSocket::readyRead, this, [this, id] { read(id); });
        connect(socket, &QLocalSocket::disconnected, this, [this, id, socket] {
            socket->deleteLater();
            if (m_askers.take(id).asked) {
                Q_EMIT gone(id);
            }
        });
        read(id);
    }
}

void AskPass::read(int id)
{
    const auto it = m_askers.find(id);
    if (it == m_askers.end() || it->asked) {
        return;
    }
    it->prompt += it->socket->readAll();
    const qsizetype end = it->prompt.indexOf('\0');
    if (end < 0 && it->prompt.size() > mostPrompt) {
        it->socket->abort();
        return;
    }
    if (end >= 0) {
        it->asked = true;
        Q_EMIT asked(id, QString::fromUtf8(it->prompt.left(end)).trimmed());
    }
}

void AskPass::answer(int id, const QString &text)
{
    const Asker asker = m_askers.take(id);
    if (asker.socket) {
        asker.socket->write('+' + text.toUtf8());
        asker.socket->disconnectFromServer();
    }
}

void AskPass::refuse(int id)
{
    const Asker asker = m_askers.take(id);
    if (asker.socket) {
        asker.socket->disconnectFromServer();
    }
}

QString AskPass::kindOf(const QString &prompt)
{
    const QString text = prompt.toLower();
    return text.contains("passphrase"_L1)     ? u"passphrase"_s
        : text.contains("authenticity of"_L1) ? u"hostKey"_s
        : text.contains("password"_L1)        ? u"password"_s
                                              : u"other"_s;
}

} // namespace trainyard
