// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/gitserver.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTcpSocket>

using namespace Qt::StringLiterals;

GitServer::GitServer(const QString &user, const QString &token) : m_user(user), m_token(token)
{
    makeRepositories();
    if (m_problem.isEmpty() && !m_server.listen(QHostAddress::LocalHost)) {
        m_problem = m_server.errorString();
    }
    QObject::connect(&m_server, &QTcpServer::newConnection, &m_server, [this] {
        QTcpSocket *socket = m_server.nextPendingConnection();
        QObject::connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
        QObject::connect(socket, &QTcpSocket::readyRead, socket, [this, socket] {
            const QByteArray request = socket->peek(64 << 10);
            if (!request.contains("\r\n\r\n")) {
                return;
            }
            socket->readAll();
            if (onRequest) {
                onRequest();
            }
            socket->write(answerTo(request));
            socket->disconnectFromHost();
        });
    });
}

QString GitServer::address() const { return u"127.0.0.1:"_s + QString::number(m_server.serverPort()); }

QString GitServer::oddToken() { return u"a/b@c:d%zz#4711?odd"_s; }

void GitServer::makeRepositories()
{
    const auto git = [this](const QString &folder, const QStringList &arguments) {
        QProcess process;
        process.setWorkingDirectory(folder);
        process.start(u"git"_s,
            QStringList{u"-c"_s, u"user.name=t"_s, u"-c"_s, u"user.email=t@example.org"_s, u"-c"_s,
                u"init.defaultBranch=main"_s, u"-c"_s, u"protocol.file.allow=always"_s}
                + arguments);
        if (!process.waitForFinished(20000) || process.exitCode() != 0) {
            m_problem += u"git "_s + arguments.join(u' ') + u": "_s + QString::fromUtf8(process.readAllStandardError());
        }
    };
    const QDir root(m_folder.path());
    const QString code = root.filePath(u"work/code"_s);
    const QString outer = root.filePath(u"work/outer"_s);
    root.mkpath(code);
    root.mkpath(outer);
    root.mkpath(u"served"_s);
    QFile file(code + u"/file"_s);
    if (!file.open(QIODevice::WriteOnly) || file.write("the file\n") < 0) {
        m_problem = file.errorString();
        return;
    }
    file.close();
    git(code, {u"init"_s, u"-q"_s});
    git(code, {u"add"_s, u"."_s});
    git(code, {u"commit"_s, u"-q"_s, u"-m"_s, u"x"_s});
    git(code, {u"tag"_s, u"one"_s});
    git(outer, {u"init"_s, u"-q"_s});
    git(outer, {u"submodule"_s, u"--quiet"_s, u"add"_s, code, u"inner"_s});
    git(outer, {u"config"_s, u"-f"_s, u".gitmodules"_s, u"submodule.inner.url"_s, u"../code.git"_s});
    git(outer, {u"add"_s, u"."_s});
    git(outer, {u"commit"_s, u"-q"_s, u"-m"_s, u"x"_s});
    const QString served = root.filePath(u"served"_s);
    for (const QString &name : {u"code"_s, u"outer"_s}) {
        git(served, {u"clone"_s, u"-q"_s, u"--bare"_s, root.filePath(u"work/"_s + name), QString(name + u".git"_s)});
        git(served + u'/' + name + u".git"_s, {u"repack"_s, u"-a"_s, u"-d"_s, u"-q"_s});
        git(served + u'/' + name + u".git"_s, {u"update-server-info"_s});
    }
}

QByteArray GitServer::answerTo(const QByteArray &request) const
{
    const auto reply = [](const QByteArray &head, const QByteArray &body) -> QByteArray {
        return "HTTP/1.1 " + head + "\r\nContent-Length: " + QByteArray::number(body.size())
            + "\r\nConnection: close\r\n\r\n" + body;
    };
    QByteArray path = request.split(' ').value(1);
    path.truncate(path.indexOf('?') < 0 ? path.size() : path.indexOf('?'));
    QString login = m_user + u':' + m_token;
    if (path.startsWith("/bytoken/")) {
        login = m_token + u':';
        path.remove(0, 8);
    } else if (path.startsWith("/odd/")) {
        login = m_user + u':' + oddToken();
        path.remove(0, 4);
    }
    if (!request.contains(QByteArray("Authorization: Basic " + login.toUtf8().toBase64() + "\r\n"))) {
        return reply("401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"code\"", {});
    }
    QFile file(m_folder.path() + u"/served"_s + QString::fromUtf8(path));
    if (path.contains("..") || !QFileInfo(file).isFile() || !file.open(QIODevice::ReadOnly)) {
        return reply("404 Not Found", {});
    }
    return reply("200 OK\r\nContent-Type: text/plain", file.readAll());
}
