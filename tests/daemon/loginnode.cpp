// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/loginnode.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <pwd.h>
#include <signal.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace
{

void writeLoginFile(const QString &name, const QByteArray &bytes)
{
    QFile file(name);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
        qWarning("cannot write %s", qPrintable(name));
    }
}

QByteArray readLoginFile(const QString &name)
{
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Servers of connections below this one: "sshd", or "sshd-session" of newer versions.
QList<qint64> serversBelow(qint64 parent)
{
    QList<qint64> found;
    const QStringList names = QDir(u"/proc"_s).entryList(QDir::Dirs);
    for (const QString &name : names) {
        const QByteArray stat = readLoginFile(u"/proc/"_s + name + u"/stat"_s); // pid (comm) state ppid
        const qsizetype end = stat.lastIndexOf(')');
        const bool isServer = stat.contains("(sshd") && end > 0;
        if (isServer && stat.mid(end + 2).split(' ').value(1).toLongLong() == parent) {
            found.append(name.toLongLong());
            found += serversBelow(name.toLongLong());
        }
    }
    return found;
}

} // namespace

LoginNode::LoginNode(const QString &slurmConfiguration)
{
    if (::getuid() != 0) {
        m_problem = u"The login node of the tests needs an sshd of root: run it as root."_s;
        return;
    }
    for (const QString &program : {u"/usr/sbin/sshd"_s, u"/usr/bin/ssh-keygen"_s}) {
        if (!QFileInfo(program).isExecutable()) {
            m_problem = program + u" is not installed: install the packages openssh-server and openssh-client."_s;
            return;
        }
    }
    QDir().mkpath(u"/run/sshd"_s);
    QDir().mkpath(home());
    quint16 port = 0;
    {
        QTcpServer free;
        free.listen(QHostAddress::LocalHost);
        port = free.serverPort();
    }
    const QString at = m_folder.path();
    run(u"ssh-keygen"_s, {u"-q"_s, u"-t"_s, u"ed25519"_s, u"-N"_s, {}, u"-f"_s, at + u"/id"_s});
    run(u"ssh-keygen"_s, {u"-q"_s, u"-t"_s, u"ed25519"_s, u"-N"_s, {}, u"-f"_s, at + u"/hostkey"_s});
    QFile::copy(at + u"/id.pub"_s, at + u"/authorized"_s);
    const QByteArray folder = QFile::encodeName(at), own = QFile::encodeName(home()), number = QByteArray::number(port);
    writeLoginFile(at + u"/sshd_config"_s,
        "Port " + number + "\nListenAddress 127.0.0.1\nHostKey " + folder + "/hostkey\nAuthorizedKeysFile " + folder
            + "/authorized\nPidFile " + folder
            + "/sshd.pid\nUsePAM no\nStrictModes no\nPermitRootLogin yes\nPasswordAuthentication no\nSetEnv HOME=" + own
            + " XDG_CACHE_HOME=" + own + "/cache XDG_STATE_HOME=" + own + "/state XDG_RUNTIME_DIR=" + own
            + "/none SLURM_CONF=" + QFile::encodeName(slurmConfiguration) + '\n');
    writeLoginFile(at + u"/known"_s, "[127.0.0.1]:" + number + ' ' + readLoginFile(at + u"/hostkey.pub"_s));
    writeLoginFile(configFile(),
        "Host " + name().toUtf8() + "\n  HostName 127.0.0.1\n  Port " + number + "\n  User "
            + QByteArray(::getpwuid(::getuid())->pw_name) + "\n  IdentityFile " + folder
            + "/id\n  IdentitiesOnly yes\n  UserKnownHostsFile " + folder
            + "/known\n  GlobalKnownHostsFile /dev/null\n  StrictHostKeyChecking yes\n");
    if (m_problem.isEmpty() && !mend()) {
        m_problem = u"The sshd of the login node does not start: run it where root may start /usr/sbin/sshd."_s;
    }
}

LoginNode::~LoginNode() { cut(); }

bool LoginNode::run(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(10'000) || process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0) {
        m_problem = m_problem.isEmpty()
            ? u"The login node of the tests cannot be made: install the package openssh-client (%1: %2)."_s.arg(program,
                QString(QString::fromLocal8Bit(process.readAllStandardError()) + u' ' + process.errorString())
                    .simplified())
            : m_problem;
        return false;
    }
    return true;
}

qint64 LoginNode::serverPid() const { return readLoginFile(m_folder.filePath(u"sshd.pid"_s)).trimmed().toLongLong(); }

void LoginNode::cut()
{
    const qint64 server = serverPid();
    if (server <= 1) {
        return;
    }
    const QList<qint64> all = QList<qint64>{server} + serversBelow(server);
    for (const qint64 pid : all) {
        ::kill(pid_t(pid), SIGKILL);
    }
    QFile::remove(m_folder.filePath(u"sshd.pid"_s));
}

bool LoginNode::mend()
{
    const QString at = m_folder.path();
    return run(u"/usr/sbin/sshd"_s, {u"-f"_s, at + u"/sshd_config"_s, u"-E"_s, at + u"/sshd.log"_s})
        && QTest::qWaitFor([this] { return serverPid() > 1; }, 10'000);
}
