// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/askpass.h"

#include <QRandomGenerator>
#include <QRegularExpression>

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
    it->said += it->socket->readAll();
    if (it->said.count('\0') < 2) {
        if (it->said.size() > mostPrompt) {
            it->socket->abort();
        }
        return;
    }
    it->asked = true;
    const QByteArrayList parts = it->said.split('\0');
    const QString prompt = QString::fromUtf8(parts.at(0)).trimmed();
    Q_EMIT asked(id, prompt, kindOf(prompt, QString::fromUtf8(parts.at(1))));
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

QString AskPass::kindOf(const QString &prompt, const QString &hint)
{
    // A server's question comes with "(user@host) " in front, which may have any words in it.
    static const QRegularExpression address(u"^\\([^)]*\\) "_s);
    static const QRegularExpression once(u"\\b(one[- ]time|otp|totp|code|passcode|token)\\b"_s);
    static const QRegularExpression pin(u"\\bpin\\b"_s);
    QString text = prompt.toLower();
    text.remove(address);
    return hint == "none"_L1                                                                         ? u"touch"_s
        : text.contains("authenticity of"_L1)                                                        ? u"hostKey"_s
        : text.contains("passphrase"_L1)                                                             ? u"passphrase"_s
        : text.endsWith("'s password:"_L1) || (text.contains("password"_L1) && !text.contains(once)) ? u"password"_s
        : text.startsWith("enter pin for"_L1) || (text.contains(pin) && !text.contains(once))        ? u"pin"_s
                                                                                                     : u"other"_s;
}

bool AskPass::isLasting(const QString &kind) { return kind != "other"_L1 && kind != "touch"_L1; }

} // namespace trainyard
