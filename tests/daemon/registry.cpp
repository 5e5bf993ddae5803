// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/registry.h"

#include "tests/daemon/podman.h"

#include <QFile>
#include <QStandardPaths>
#include <QTcpSocket>
#include <QTest>

using namespace Qt::StringLiterals;

namespace
{

// Of the password above; the registry takes bcrypt only.
constexpr const char *passwordHash = "$2y$05$abcdefghijklmnopqrstuun1eQi5F5RKZ0T0UD8OkHzqzzzrXfcxC";

bool writeRegistryText(const QString &name, const QByteArray &text)
{
    QFile file(name);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

} // namespace

Registry::Registry(const Podman &podman) : m_podman(podman)
{
    if (QStandardPaths::findExecutable(u"docker-registry"_s).isEmpty()) {
        m_problem = u"docker-registry is not installed: install the package docker-registry."_s;
        return;
    }
    QObject::connect(&m_door, &QTcpServer::newConnection, &m_door, [this] {
        while (QTcpSocket *client = m_door.nextPendingConnection()) {
            if (m_holds) {
                m_waiting.append(client);
            } else {
                connectThrough(client);
            }
        }
    });
    if (!m_door.listen(QHostAddress::LocalHost) || !start()) {
        m_problem = u"The registry does not start: run it where docker-registry may listen at 127.0.0.1 (%1)."_s.arg(
            QString::fromUtf8(m_server.readAllStandardError().right(300)).simplified());
        return;
    }
    QByteArray registries;
    for (const quint16 port : {m_port, m_door.serverPort()}) {
        registries += "[[registry]]\nlocation = \"127.0.0.1:" + QByteArray::number(port) + "\"\ninsecure = true\n";
    }
    writeRegistryText(m_folder.filePath(u"registries.conf"_s), registries);
    qputenv("CONTAINERS_REGISTRIES_CONF", QFile::encodeName(m_folder.filePath(u"registries.conf"_s)));
}

Registry::~Registry()
{
    qunsetenv("CONTAINERS_REGISTRIES_CONF");
    m_server.kill();
    m_server.waitForFinished(5000);
}

bool Registry::start()
{
    {
        QTcpServer free; // a number that nobody has
        free.listen(QHostAddress::LocalHost);
        m_port = free.serverPort();
    }
    const QByteArray folder = QFile::encodeName(m_folder.path());
    const QString configuration = m_folder.filePath(u"config.yml"_s);
    writeRegistryText(m_folder.filePath(u"htpasswd"_s), user() + ':' + passwordHash + '\n');
    writeRegistryText(configuration,
        "version: 0.1\nlog: {level: error}\nstorage: {filesystem: {rootdirectory: " + folder
            + "/data}}\nhttp: {addr: \"127.0.0.1:" + QByteArray::number(m_port)
            + "\"}\nauth: {htpasswd: {realm: test, path: " + folder + "/htpasswd}}\n");
    m_server.start(u"docker-registry"_s, {u"serve"_s, configuration});
    return QTest::qWaitFor(
        [this] {
            QTcpSocket probe;
            probe.connectToHost(QHostAddress(QHostAddress::LocalHost), m_port);
            return m_server.state() != QProcess::NotRunning && probe.waitForConnected(500);
        },
        10000);
}

QString Registry::name() const { return u"127.0.0.1:"_s + QString::number(m_door.serverPort()); }

bool Registry::push(const QString &image, const QString &as) const
{
    return m_podman.run({u"push"_s, u"-q"_s, u"--creds"_s, QString::fromLatin1(QByteArray(user() + ':' + password())),
               image, u"127.0.0.1:"_s + QString::number(m_port) + u'/' + as})
        == 0;
}

void Registry::hold() { m_holds = true; }

void Registry::letIn()
{
    m_holds = false;
    for (QTcpSocket *client : std::exchange(m_waiting, {})) {
        connectThrough(client);
    }
}

void Registry::connectThrough(QTcpSocket *client)
{
    auto *server = new QTcpSocket(client);
    QObject::connect(server, &QTcpSocket::connected, client, [client, server] { server->write(client->readAll()); });
    QObject::connect(client, &QTcpSocket::readyRead, server, [client, server] {
        if (server->state() == QAbstractSocket::ConnectedState) {
            server->write(client->readAll());
        }
    });
    QObject::connect(server, &QTcpSocket::readyRead, client, [client, server] { client->write(server->readAll()); });
    QObject::connect(server, &QTcpSocket::disconnected, client, &QTcpSocket::disconnectFromHost);
    QObject::connect(client, &QTcpSocket::disconnected, client, &QObject::deleteLater);
    server->connectToHost(QHostAddress(QHostAddress::LocalHost), m_port);
}
