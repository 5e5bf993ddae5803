// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/oddserver.h"

#include "tests/daemon/enginefixture.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTcpServer>

#include <unistd.h>

using namespace Qt::StringLiterals;

namespace
{

constexpr QFile::Permissions forAll = QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ReadGroup
    | QFile::ExeGroup | QFile::ReadOther | QFile::ExeOther;

bool write(const QString &name, const QByteArray &bytes)
{
    QDir().mkpath(QFileInfo(name).path());
    QFile file(name);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

int freePort()
{
    QTcpServer server;
    return server.listen(QHostAddress::LocalHost) ? server.serverPort() : 0;
}

} // namespace

OddServer::OddServer(const QList<OddAccount> &accounts, const QByteArray &temporary)
{
    if (::getuid() != 0) {
        m_problem = u"mounts need root"_s;
        return;
    }
    for (const QString &program : {u"/usr/sbin/sshd"_s, u"/usr/bin/ssh-keygen"_s, u"/usr/bin/unshare"_s}) {
        if (!QFileInfo(program).isExecutable()) {
            m_problem = program + u" is not installed"_s;
            return;
        }
    }
    if (QProcess::execute(u"unshare"_s, {u"-m"_s, u"mount"_s, u"-t"_s, u"tmpfs"_s, u"tmpfs"_s, u"/mnt"_s}) != 0) {
        m_problem = u"mounts are not allowed here"_s;
        return;
    }
    if (!start(accounts, temporary) && m_problem.isEmpty()) {
        m_problem = u"sshd did not start: "_s + QString::fromUtf8(m_server.readAllStandardError());
    }
}

bool OddServer::start(const QList<OddAccount> &accounts, const QByteArray &temporary)
{
    const QByteArray at = QFile::encodeName(m_folder.path());
    QFile::setPermissions(m_folder.path(), forAll);
    QDir().mkpath(u"/run/sshd"_s);
    for (const QString &key : {u"id"_s, u"hostkey"_s}) {
        if (QProcess::execute(u"ssh-keygen"_s, {u"-q"_s, u"-t"_s, u"ed25519"_s, u"-N"_s, {}, u"-f"_s, path(key)})
            != 0) {
            return false;
        }
    }
    const QByteArray port = QByteArray::number(freePort());
    QByteArray users = "root:x:0:0:root:/root:/bin/sh\nsshd:x:105:65534::/run/sshd:/usr/sbin/nologin\n";
    // The whole of /etc: a mount on the file of users alone goes when a program out there replaces that file.
    QByteArray script = "set -e\nmount -t tmpfs -o mode=755 tmpfs /mnt\ncp -a /etc/. /mnt\ncp '" + at
        + "/users' /mnt/passwd\nmount --move /mnt /etc\nmount -t tmpfs -o " + temporary
        + " tmpfs /var/tmp\nmount -t tmpfs -o " + temporary + " tmpfs /dev/shm\n";
    // A login shell is a file without arguments.
    script += "printf '#!/bin/sh\\nexec /bin/busybox sh \"$@\"\\n' > /var/tmp/ash\nchmod 755 /var/tmp/ash\n";
    QByteArray matches, config;
    for (int i = 0; i < accounts.size(); ++i) {
        const OddAccount &one = accounts.at(i);
        const QByteArray name = one.name.toUtf8();
        const QByteArray uid = QByteArray::number(uidOf(i));
        const QByteArray folder = QFile::encodeName(home(one.name));
        users += name + ":x:" + uid + ':' + uid + "::" + folder + ':' + one.shell.toUtf8() + '\n';
        matches += "Match User " + name + "\n" + one.match + "\n";
        config += "Host " + name + "\n  HostName 127.0.0.1\n  User " + name + "\n";
        if (one.mount == "none"_L1) {
            continue;
        }
        QDir().mkpath(home(one.name));
        for (auto it = one.files.cbegin(); it != one.files.cend(); ++it) {
            const QString file = home(one.name) + u'/' + it.key();
            write(file, it.value());
            if (it.key().startsWith("bin/"_L1)) {
                QFile::setPermissions(file, forAll);
            }
        }
        if (one.mount.isEmpty()) {
            script += "chown -R " + uid + ':' + uid + " '" + folder + "'\n";
        } else {
            script += "mount -t tmpfs -o uid=" + uid + ",gid=" + uid + ',' + one.mount.toUtf8() + " tmpfs '" + folder
                + "'\n";
        }
    }
    const QByteArray server = at + "/sshd_config";
    script += "exec /usr/sbin/sshd -D -f '" + server + "' -E '" + at + "/sshd.log'\n";
    write(path(u"users"_s), users);
    write(path(u"script"_s), script);
    write(path(u"banner"_s), "Authorised use only.\n");
    const bool hasV6 = QFileInfo::exists(u"/proc/net/if_inet6"_s);
    write(path(u"sshd_config"_s),
        "Port " + port + "\nListenAddress 127.0.0.1\n" + (hasV6 ? "ListenAddress ::1\n" : "") + "HostKey " + at
            + "/hostkey\nAuthorizedKeysFile " + at + "/id.pub\nPidFile " + at + "/pid\nBanner " + at
            + "/banner\nUsePAM no\nStrictModes no\nPasswordAuthentication no\nMaxStartups 500\nMaxSessions 1\n"
              "PermitTTY no\nAllowTcpForwarding no\n"
            + matches);
    write(configFile(),
        config + "Host *\n  Port " + port + "\n  IdentityFile " + at
            + "/id\n  IdentitiesOnly yes\n  UserKnownHostsFile /dev/null\n  GlobalKnownHostsFile /dev/null\n"
              "  StrictHostKeyChecking no\n");
    QFile::setPermissions(path(u"id.pub"_s), forAll);
    m_server.start(u"unshare"_s,
        {u"-m"_s, u"-p"_s, u"--fork"_s, u"--kill-child"_s, u"--mount-proc"_s, u"sh"_s, path(u"script"_s)});
    return QTest::qWaitFor(
               [this] { return QFileInfo(path(u"pid"_s)).size() > 0 || m_server.state() == QProcess::NotRunning; },
               10000)
        && m_server.state() != QProcess::NotRunning;
}

void OddServer::addToConfig(const QByteArray &lines) const
{
    write(configFile(), lines + EngineFixture::contents(configFile()));
}

OddServer::~OddServer()
{
    m_server.kill(); // unshare heeds no other signal; everything that it has started ends with it
    m_server.waitForFinished(5000);
}
