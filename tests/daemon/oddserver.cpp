// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/oddserver.h"

#include "tests/helpers/enginefixture.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTcpServer>

#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <string_view>

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

// A root folder with BusyBox, devices, processes and a home folder. sshd wants all folders above it to be root's alone,
// which /tmp is not.
QByteArray busyBoxRoot(const QByteArray &root, const QByteArray &home)
{
    return "[ -d /mnt/lost ] || { mount -t tmpfs -o mode=755 tmpfs /mnt; mkdir /mnt/lost; }\nfor d in bin dev proc '"
        + home + "'; do mkdir -p '" + root + "'/$d; done\nmkdir -p " + root + "/tmp\nchmod 1777 " + root
        + "/tmp\ncp /bin/busybox " + root + "/bin\nchroot " + root
        + " /bin/busybox --install -s /bin\nmount --rbind /proc " + root + "/proc\nmount --bind '" + home + "' '" + root
        + home + "'\nfor f in null urandom; do touch " + root + "/dev/$f; mount --bind /dev/$f " + root
        + "/dev/$f; done\n";
}

// A user namespace in which every user is itself: what is registered to run programs of another processor counts only
// there. Its map is written from outside.
void enterOwnUsers()
{
    int ready[2];
    if (::pipe(ready) != 0) {
        ::_exit(127);
    }
    const std::string folder = "/proc/" + std::to_string(::getpid()) + '/';
    const pid_t helper = ::fork();
    if (helper == 0) {
        ::close(ready[1]);
        char byte = 0;
        bool isDone = ::read(ready[0], &byte, 1) == 1;
        for (const char *name : {"uid_map", "gid_map"}) {
            constexpr std::string_view all = "0 0 1000000\n";
            const int file = ::open((folder + name).c_str(), O_WRONLY | O_CLOEXEC);
            isDone = isDone && file >= 0 && ::write(file, all.data(), all.size()) == ssize_t(all.size());
        }
        ::_exit(isDone ? 0 : 1);
    }
    int status = 1;
    const bool isAlone = ::unshare(CLONE_NEWUSER) == 0 && ::write(ready[1], "x", 1) == 1;
    ::close(ready[1]);
    if (::waitpid(helper, &status, 0) != helper || !isAlone || status != 0) {
        ::_exit(127);
    }
}

} // namespace

OddServer::OddServer(const QList<OddAccount> &accounts, const OddSystem &system)
{
    if (::getuid() != 0) {
        m_problem = u"The odd servers of the tests need mounts, which only root can make: run it as root."_s;
        return;
    }
    for (const QString &program : {u"/usr/sbin/sshd"_s, u"/usr/bin/ssh-keygen"_s, u"/usr/bin/unshare"_s}) {
        if (!QFileInfo(program).isExecutable()) {
            m_problem
                = program + u" is not installed: install the packages openssh-server, openssh-client and util-linux."_s;
            return;
        }
    }
    if (QProcess::execute(u"unshare"_s, {u"-m"_s, u"mount"_s, u"-t"_s, u"tmpfs"_s, u"tmpfs"_s, u"/mnt"_s}) != 0) {
        m_problem = u"Nothing can be mounted here: run it as root, where mounts are allowed."_s;
        return;
    }
    if (!start(accounts, system) && m_problem.isEmpty()) {
        m_problem = u"The sshd of an odd server does not start: run it where root may start /usr/sbin/sshd (%1)."_s.arg(
            QString::fromUtf8(m_server.readAllStandardError()).simplified());
    }
}

// /etc, the temporary folders, another uname and the emulator.
QByteArray OddServer::systemScript(const OddSystem &system) const
{
    const QByteArray at = QFile::encodeName(m_folder.path());
    // The whole of /etc: a mount on the file of users alone goes when a program out there replaces that file.
    QByteArray script = "mount -t tmpfs -o mode=755 tmpfs /mnt\ncp -a /etc/. /mnt\ncp '" + at + "/users' /mnt/passwd\n";
    for (auto it = system.etc.cbegin(); it != system.etc.cend(); ++it) {
        write(path(u"etc/"_s + it.key()), it.value());
        script += "cp '" + at + "/etc/" + it.key().toUtf8() + "' /mnt/" + it.key().toUtf8() + '\n';
    }
    script += "mount --move /mnt /etc\nmount -t tmpfs -o " + system.temporary + " tmpfs /var/tmp\nmount -t tmpfs -o "
        + system.temporary + " tmpfs /dev/shm\n";
    if (!system.processor.isEmpty()) {
        write(path(u"uname"_s),
            "#!/bin/sh\ncase \"$1\" in -m) echo " + system.processor + ";; *) echo Linux " + system.processor
                + ";; esac\n");
        QFile::setPermissions(path(u"uname"_s), forAll);
        script += "mount --bind '" + at + "/uname' /usr/bin/uname\n";
    }
    if (!system.emulator.isEmpty()) {
        // ELF of 64 bits for aarch64; \x3a would be a colon, which ends a field.
        script
            += "mount -t binfmt_misc none /proc/sys/fs/binfmt_misc\n"
               "printf %s ':trainyard-test:M::\\x7fELF\\x02\\x01\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02"
               "\\x00\\xb7\\x00:\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x00\\xff\\xff\\xff\\xff\\xff\\xff\\xff"
               "\\xff\\xfe\\xff\\xff\\xff:"
            + system.emulator + ":F' > /proc/sys/fs/binfmt_misc/register\n";
    }
    return script;
}

bool OddServer::start(const QList<OddAccount> &accounts, const OddSystem &system)
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
    QByteArray script = "set -e\n" + systemScript(system);
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
        if (one.onlyBusyBox) {
            script += busyBoxRoot("/mnt/" + name, folder);
            matches += "ChrootDirectory /mnt/" + name + "\n";
        }
    }
    const QByteArray server = at + "/sshd_config";
    script += "exec /usr/sbin/sshd -D -f '" + server + "' -E '" + at + "/sshd.log'\n";
    write(path(u"users"_s), users);
    write(path(u"script"_s), script);
    write(path(u"banner"_s), "Authorised use only.\n");
    const bool hasV6 = QFileInfo::exists(u"/proc/net/if_inet6"_s);
    write(path(u"sshd_config"_s),
        system.settings + "Port " + port + "\nListenAddress 127.0.0.1\n" + (hasV6 ? "ListenAddress ::1\n" : "")
            + "HostKey " + at + "/hostkey\nAuthorizedKeysFile " + at + "/id.pub\nPidFile " + at + "/pid\nBanner " + at
            + "/banner\nUsePAM no\nStrictModes no\nPasswordAuthentication no\nMaxStartups 500\nMaxSessions 1\n"
              "PermitTTY no\nAllowTcpForwarding no\n"
            + matches);
    write(configFile(),
        config + "Host *\n  Port " + port + "\n  IdentityFile " + at
            + "/id\n  IdentitiesOnly yes\n  UserKnownHostsFile /dev/null\n  GlobalKnownHostsFile /dev/null\n"
              "  StrictHostKeyChecking no\n");
    QFile::setPermissions(path(u"id.pub"_s), forAll);
    if (!system.emulator.isEmpty()) {
        m_server.setChildProcessModifier(enterOwnUsers);
    }
    m_server.start(u"unshare"_s,
        {u"-m"_s, u"-p"_s, u"--fork"_s, u"--kill-child"_s, u"--mount-proc"_s, u"sh"_s, path(u"script"_s)});
    return QTest::qWaitFor(
               [this] { return QFileInfo(path(u"pid"_s)).size() > 0 || m_server.state() == QProcess::NotRunning; },
               10000)
        && m_server.state() != QProcess::NotRunning;
}

QString OddServer::agentProgram()
{
    const QString plain = qEnvironmentVariable("TRAINYARD_BIN") + u"/trainyard-agent"_s;
    const QString fixed = plain + u"-static"_s;
    return QFileInfo::exists(fixed) ? fixed : plain;
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
