// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/sshhosts.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTest>
#include <QUuid>

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
            const QString said = QString::fromLocal8Bit(process.readAllStandardError()) + u' ' + process.errorString();
            const QString command = program + u' ' + arguments.join(u' ');
            m_problem
                = u"No ssh host can be made: run it as root, with the package iproute2, where network namespaces are "
                  "allowed (%1: %2)."_s.arg(command, said.simplified());
        }
        return false;
    }
    return true;
}

SshHosts::SshHosts(int count, const QStringList &hidden, Kind kind)
    : m_net(128 + int(::getpid() / 62 % 120)), m_first(int(::getpid() % 62) * 4 + 1), m_kind(kind)
{
    if (::getuid() != 0) {
        m_problem = u"The ssh hosts of the tests need network namespaces, which only root can make: run it as root."_s;
        return;
    }
    for (const QString &program : {u"/usr/sbin/sshd"_s, u"/usr/bin/ssh-keygen"_s}) {
        if (!QFileInfo(program).isExecutable()) {
            m_problem = program + u" is not installed: install the packages openssh-server and openssh-client."_s;
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
    const bool unlike = kind == Kind::Unlike;
    const QByteArray user = unlike ? SshHosts::user().toUtf8() : QByteArray(::getpwuid(::getuid())->pw_name);
    if (unlike) {
        QFile::setPermissions(at, QFile::permissions(at) | QFile::ExeGroup | QFile::ExeOther);
        QDir().mkpath(at + u"/bin"_s);
        writeFile(at + u"/bin/bash"_s, "#!/bin/sh\necho 'This bash is none.' >&2\nexit 66\n");
        QFile::setPermissions(at + u"/bin/bash"_s,
            QFile::permissions(at + u"/bin/bash"_s) | QFile::ExeOwner | QFile::ReadGroup | QFile::ExeGroup
                | QFile::ReadOther | QFile::ExeOther);
    }
    for (int i = 0; i < count && m_problem.isEmpty(); ++i) {
        const QString net = network(i);
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
        const QByteArray path = unlike ? " PATH=" + at.toUtf8() + "/bin:/usr/local/bin:/usr/bin:/bin" : QByteArray();
        writeFile(server,
            "Port 22\nListenAddress " + net.toUtf8() + ".2\nHostKey " + at.toUtf8() + "/hostkey\nAuthorizedKeysFile "
                + at.toUtf8() + "/authorized\nPidFile " + server.toUtf8()
                + ".pid\nUsePAM no\nStrictModes no\nPermitRootLogin yes\nPasswordAuthentication no\nSetEnv HOME=" + own
                + " XDG_CACHE_HOME=" + own + "/cache XDG_STATE_HOME=" + own + "/state XDG_RUNTIME_DIR=" + own + "/none"
                + containers + path + "\n");
        known += net.toUtf8() + ".2 " + key;
        config += "Host " + name(i).toUtf8() + "\n  HostName " + net.toUtf8() + ".2\n";
        if (unlike) {
            startUnlike(i);
            continue;
        }
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
    }
    writeFile(at + u"/known"_s, known);
    writeFile(configFile(),
        config + "Host *\n  User " + user + "\n  IdentityFile " + at.toUtf8()
            + "/id\n  IdentitiesOnly yes\n  UserKnownHostsFile " + at.toUtf8()
            + "/known\n  GlobalKnownHostsFile /dev/null\n  StrictHostKeyChecking yes\n");
    for (int i = 0; i < m_count && m_problem.isEmpty(); ++i) {
        if (!waitForServer(i)) {
            m_problem
                = u"The sshd of a host of the tests does not start: run it where root may start /usr/sbin/sshd."_s;
        }
    }
}

bool SshHosts::waitForServer(int index)
{
    const QString file = m_folder.filePath(u"sshd%1.pid"_s.arg(index));
    return QTest::qWaitFor([&] { return QFileInfo(file).size() > 0; }, 5000);
}

// sshd reads its file again, and writes its number again as soon as it listens.
bool SshHosts::addToServer(int index, const QByteArray &lines)
{
    const QString server = m_folder.filePath(u"sshd%1"_s.arg(index));
    QFile file(server), number(server + u".pid"_s);
    const int pid = number.open(QIODevice::ReadOnly) ? number.readAll().trimmed().toInt() : 0;
    if (m_kind != Kind::Like || pid <= 1 || !file.open(QIODevice::ReadOnly)
        || !writeFile(server, lines + file.readAll()) || !number.remove()) {
        return false;
    }
    return ::kill(pid, SIGHUP) == 0 && waitForServer(index);
}

// Processes, mounts, a boot and users of its own. Its first process ends all others with it, as the end of a computer
// does.
bool SshHosts::startUnlike(int index)
{
    constexpr int uid = 47110;
    const QString at = m_folder.path();
    const QString server = at + u"/sshd%1"_s.arg(index);
    const QString boot = at + u"/boot%1"_s.arg(index);
    const QString users = at + u"/users%1"_s.arg(index);
    QFile::remove(server + u".pid"_s);
    writeFile(boot, QUuid::createUuid().toByteArray(QUuid::WithoutBraces) + '\n');
    writeFile(users,
        "root:x:0:0:root:/root:/bin/sh\nsshd:x:105:65534::/run/sshd:/usr/sbin/nologin\n" + user().toUtf8() + ":x:"
            + QByteArray::number(uid) + ":" + QByteArray::number(uid) + "::" + home(index).toUtf8() + ":/bin/sh\n");
    if (::chown(QFile::encodeName(home(index)).constData(), uid, uid) != 0) {
        return false;
    }
    QString others; // the homes of the other hosts are on their disks
    for (int i = 0; i < m_count; ++i) {
        QDir().mkpath(home(i));
        others += i == index ? QString() : u"mount -t tmpfs none '%1' && "_s.arg(home(i));
    }
    const QString script = others
        + u"mount --bind '%1' /proc/sys/kernel/random/boot_id && mount --bind '%2' /etc/passwd && "
          "exec /usr/sbin/sshd -D -f '%3' -E '%3.log'"_s.arg(boot, users, server);
    return QProcess::startDetached(u"nsenter"_s,
        {u"--net=/run/netns/"_s + space(index), u"unshare"_s, u"-m"_s, u"-p"_s, u"--fork"_s, u"--kill-child"_s,
            u"--mount-proc"_s, u"sh"_s, u"-c"_s, script});
}

bool SshHosts::reboot(int index)
{
    if (m_kind != Kind::Unlike) {
        return false;
    }
    killAll(index);
    return startUnlike(index) && waitForServer(index);
}

// Everything in the namespace: the server, its sessions and agents.
void SshHosts::killAll(int index)
{
    QByteArray left;
    do {
        QProcess list;
        list.start(u"ip"_s, {u"netns"_s, u"pids"_s, space(index)});
        list.waitForFinished(5000);
        left = list.readAllStandardOutput().trimmed();
        const QByteArrayList pids = left.split('\n');
        for (const QByteArray &pid : pids) {
            if (pid.toInt() > 1) {
                ::kill(pid.toInt(), SIGKILL);
            }
        }
    } while (!left.isEmpty());
}

SshHosts::~SshHosts()
{
    for (int i = 0; i < m_count; ++i) {
        heal(i);
        killAll(i);
        QProcess::execute(u"ip"_s, {u"link"_s, u"del"_s, device(i)});
        QProcess::execute(u"ip"_s, {u"netns"_s, u"del"_s, space(i)});
    }
}

// Lines of their own: whether this computer forwards what is not for it is up to its user.
bool SshHosts::join()
{
    const auto open = [this](int from, int to) {
        const QString line = u"to%1"_s.arg(to);
        return run(u"ip"_s, {u"-n"_s, space(from), u"link"_s, u"set"_s, line, u"up"_s})
            && run(u"ip"_s,
                {u"-n"_s, space(from), u"route"_s, u"add"_s, address(to), u"dev"_s, line, u"src"_s, address(from)});
    };
    for (int from = 0; from < m_count; ++from) {
        for (int to = from + 1; to < m_count; ++to) {
            const bool isMade = run(u"ip"_s,
                {u"link"_s, u"add"_s, u"to%1"_s.arg(to), u"netns"_s, space(from), u"type"_s, u"veth"_s, u"peer"_s,
                    u"name"_s, u"to%1"_s.arg(from), u"netns"_s, space(to)});
            if (!isMade || !open(from, to) || !open(to, from)) {
                return false;
            }
        }
    }
    return true;
}

void SshHosts::setLink(int index, bool up)
{
    run(u"ip"_s, {u"link"_s, u"set"_s, device(index), up ? u"up"_s : u"down"_s});
}

bool SshHosts::cutOneWay(int index, Direction direction)
{
    const bool fromHost = direction == Direction::FromHost;
    const QStringList rule{
        fromHost ? u"INPUT"_s : u"OUTPUT"_s, fromHost ? u"-i"_s : u"-o"_s, device(index), u"-j"_s, u"DROP"_s};
    if (QProcess::execute(u"iptables"_s, QStringList{u"-w"_s, u"-I"_s} + rule) != 0) {
        return false;
    }
    m_rules.append({index, rule});
    return true;
}

bool SshHosts::setRate(int index, const QString &rate)
{
    if (QProcess::execute(u"nsenter"_s,
            {QString(u"--net=/run/netns/"_s + space(index)), u"tc"_s, u"qdisc"_s, u"replace"_s, u"dev"_s, u"eth0"_s,
                u"root"_s, u"tbf"_s, u"rate"_s, rate, u"burst"_s, u"32k"_s, u"latency"_s, u"400ms"_s})
        != 0) {
        return false;
    }
    m_slow.insert(index);
    return true;
}

bool SshHosts::join(int one, int other, const QString &name, const QString &begin)
{
    return run(u"ip"_s,
               {u"-n"_s, space(one), u"link"_s, u"add"_s, name, u"type"_s, u"veth"_s, u"peer"_s, u"name"_s, name,
                   u"netns"_s, space(other)})
        && run(u"ip"_s, {u"-n"_s, space(one), u"addr"_s, u"add"_s, begin + u".1/24"_s, u"dev"_s, name})
        && run(u"ip"_s, {u"-n"_s, space(other), u"addr"_s, u"add"_s, begin + u".2/24"_s, u"dev"_s, name})
        && run(u"ip"_s, {u"-n"_s, space(one), u"link"_s, u"set"_s, name, u"up"_s})
        && run(u"ip"_s, {u"-n"_s, space(other), u"link"_s, u"set"_s, name, u"up"_s});
}

// The other end of the pair has no address, and answers nobody.
bool SshHosts::addDeadEnd(int index, const QString &name, const QString &address)
{
    const QString end = name + u"x"_s;
    return run(u"ip"_s,
               {u"-n"_s, space(index), u"link"_s, u"add"_s, name, u"type"_s, u"veth"_s, u"peer"_s, u"name"_s, end})
        && run(u"ip"_s, {u"-n"_s, space(index), u"addr"_s, u"add"_s, address + u"/24"_s, u"dev"_s, name})
        && run(u"ip"_s, {u"-n"_s, space(index), u"link"_s, u"set"_s, name, u"up"_s})
        && run(u"ip"_s, {u"-n"_s, space(index), u"link"_s, u"set"_s, end, u"up"_s});
}

void SshHosts::heal(int index)
{
    for (const auto &[host, rule] : std::as_const(m_rules)) {
        if (host == index) {
            QProcess::execute(u"iptables"_s, QStringList{u"-w"_s, u"-D"_s} + rule);
        }
    }
    m_rules.removeIf([index](const auto &each) { return each.first == index; });
    if (m_slow.remove(index)) {
        QProcess::execute(u"nsenter"_s,
            {QString(u"--net=/run/netns/"_s + space(index)), u"tc"_s, u"qdisc"_s, u"del"_s, u"dev"_s, u"eth0"_s,
                u"root"_s});
    }
}
