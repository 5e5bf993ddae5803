// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/sshhosts.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTest>

#include <pwd.h>
#include <signal.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace
{

bool writeFile(const QString &name, const QByteArray &bytes)
{
    QFile file(name);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

} // namespace

QString SshHosts::space(int index) const { return u"ty%1n%2"_s.arg(::getpid()).arg(index); }
QString SshHosts::device(int index) const { return u"ty%1v%2"_s.arg(::getpid() % 1000000).arg(index); }

bool SshHosts::run(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(10000) || process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0) {
        if (m_problem.isEmpty()) {
            m_problem = u"%1 %2: %3"_s.arg(program, arguments.join(u' '),
                QString::fromLocal8Bit(process.readAllStandardError()).trimmed() + process.errorString());
        }
        return false;
    }
    return true;
}

SshHosts::SshHosts(int count, const QStringList &hidden) : m_first(int(::getpid() % 250))
{
    if (::getuid() != 0) {
        m_problem = u"network namespaces need root"_s;
        return;
    }
    for (const QString &program : {u"/usr/sbin/sshd"_s, u"/usr/bin/ssh-keygen"_s}) {
        if (!QFileInfo(program).isExecutable()) {
            m_problem = program + u" is not installed"_s;
            return;
        }
    }
    QDir().mkpath(u"/run/sshd"_s);
    const QString at = m_folder.path();
    run(u"ssh-keygen"_s, {u"-q"_s, u"-t"_s, u"ed25519"_s, u"-N"_s, {}, u"-f"_s, at + u"/id"_s});
    run(u"ssh-keygen"_s, {u"-q"_s, u"-t"_s, u"ed25519"_s, u"-N"_s, {}, u"-f"_s, at + u"/hostkey"_s});
    QFile::copy(at + u"/id.pub"_s, at + u"/authorized"_s);
    QFile hostKey(at + u"/hostkey.pub"_s);
    const QByteArray key = hostKey.open(QIODevice::ReadOnly) ? hostKey.readAll() : QByteArray();
    QByteArray known, config;
    const QByteArray user = ::getpwuid(::getuid())->pw_name;
    for (int i = 0; i < count && m_problem.isEmpty(); ++i) {
        const QString net = u"10.213.%1"_s.arg(address(i));
        ++m_count;
        run(u"ip"_s, {u"netns"_s, u"add"_s, space(i)});
        run(u"ip"_s,
            {u"link"_s, u"add"_s, device(i), u"type"_s, u"veth"_s, u"peer"_s, u"name"_s, u"eth0"_s, u"netns"_s,
                space(i)});
        run(u"ip"_s, {u"addr"_s, u"add"_s, net + u".1/30"_s, u"dev"_s, device(i)});
        run(u"ip"_s, {u"link"_s, u"set"_s, device(i), u"up"_s});
        run(u"ip"_s, {u"-n"_s, space(i), u"addr"_s, u"add"_s, net + u".2/30"_s, u"dev"_s, u"eth0"_s});
        run(u"ip"_s, {u"-n"_s, space(i), u"link"_s, u"set"_s, u"eth0"_s, u"up"_s});
        run(u"ip"_s, {u"-n"_s, space(i), u"link"_s, u"set"_s, u"lo"_s, u"up"_s});
        // The hosts share this machine's files: each has folders of its own.
        QDir().mkpath(home(i));
        const QByteArray own = home(i).toUtf8();
        QByteArray containers; // of the test's podman, which the hosts share
        for (const char *variable : {"CONTAINERS_CONF", "CONTAINERS_STORAGE_CONF"}) {
            if (const QByteArray value = qgetenv(variable); !value.isEmpty()) {
                containers += QByteArray(" ") + variable + '=' + value;
            }
        }
        const QString server = at + u"/sshd%1"_s.arg(i);
        writeFile(server,
            "Port 22\nListenAddress " + net.toUtf8() + ".2\nHostKey " + at.toUtf8() + "/hostkey\nAuthorizedKeysFile "
                + at.toUtf8() + "/authorized\nPidFile " + server.toUtf8()
                + ".pid\nUsePAM no\nStrictModes no\nPermitRootLogin yes\nPasswordAuthentication no\nSetEnv HOME=" + own
                + " XDG_CACHE_HOME=" + own + "/cache XDG_STATE_HOME=" + own + "/state XDG_RUNTIME_DIR=" + own + "/none"
                + containers + "\n");
        // Not "ip netns exec", which hides the cgroups that containers need.
        QStringList words{QString(u"--net=/run/netns/"_s + space(i))};
        if (!hidden.isEmpty()) {
            words += {u"unshare"_s, u"-m"_s, u"sh"_s, u"-c"_s,
                u"while [ \"$1\" != -- ]; do mount --bind /dev/null \"$1\"; shift; done; shift; exec \"$@\""_s,
                u"sh"_s};
            words += hidden + QStringList{u"--"_s};
        }
        run(u"nsenter"_s,
            words + QStringList{u"/usr/sbin/sshd"_s, u"-f"_s, server, u"-E"_s, QString(server + u".log"_s)});
        known += net.toUtf8() + ".2 " + key;
        config += "Host " + name(i).toUtf8() + "\n  HostName " + net.toUtf8() + ".2\n";
    }
    writeFile(at + u"/known"_s, known);
    writeFile(configFile(),
        config + "Host *\n  User " + user + "\n  IdentityFile " + at.toUtf8()
            + "/id\n  IdentitiesOnly yes\n  UserKnownHostsFile " + at.toUtf8()
            + "/known\n  GlobalKnownHostsFile /dev/null\n  StrictHostKeyChecking yes\n");
    for (int i = 0; i < m_count && m_problem.isEmpty(); ++i) {
        const QString file = at + u"/sshd%1.pid"_s.arg(i);
        qint64 pid = 0;
        const bool came = QTest::qWaitFor(
            [&] {
                QFile record(file);
                pid = record.open(QIODevice::ReadOnly) ? record.readAll().trimmed().toLongLong() : 0;
                return pid > 0;
            },
            5000);
        if (!came) {
            m_problem = u"sshd did not start"_s;
        } else {
            m_servers.append(pid);
        }
    }
}

SshHosts::~SshHosts()
{
    for (int i = 0; i < m_count; ++i) {
        // Everything in the namespace: the server, its sessions and agents.
        QProcess list;
        list.start(u"ip"_s, {u"netns"_s, u"pids"_s, space(i)});
        list.waitForFinished(5000);
        for (const QByteArray &pid : list.readAllStandardOutput().split('\n')) {
            if (pid.toInt() > 1) {
                ::kill(pid.toInt(), SIGKILL);
            }
        }
        QProcess::execute(u"ip"_s, {u"link"_s, u"del"_s, device(i)});
        QProcess::execute(u"ip"_s, {u"netns"_s, u"del"_s, space(i)});
    }
}

void SshHosts::setLink(int index, bool up)
{
    run(u"ip"_s, {u"link"_s, u"set"_s, device(index), up ? u"up"_s : u"down"_s});
}
