// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/slurmcluster.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTest>

#include <signal.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace
{

constexpr int nodes = 3;

// Free ones, different from each other.
QList<quint16> freePorts(int count)
{
    std::vector<std::unique_ptr<QTcpServer>> servers;
    QList<quint16> ports;
    while (ports.size() < count) {
        servers.push_back(std::make_unique<QTcpServer>());
        servers.back()->listen(QHostAddress::LocalHost);
        ports.append(servers.back()->serverPort());
    }
    return ports;
}

} // namespace

SlurmCluster::SlurmCluster(Options options) : m_options(std::move(options))
{
    for (const QString &program : {u"munged"_s, u"slurmctld"_s, u"slurmd"_s, u"sbatch"_s, u"srun"_s, u"scontrol"_s}) {
        const QStringList places{u"/usr/sbin"_s, u"/usr/bin"_s, u"/sbin"_s};
        if (QStandardPaths::findExecutable(program, places).isEmpty()) {
            m_problem = program + u" is not installed: install the packages slurm-wlm and munge."_s;
            return;
        }
    }
    if (m_options.accounts) {
        m_problem = SlurmAccounts::missing();
        if (!m_problem.isEmpty()) {
            return;
        }
    }
    if (::geteuid() != 0) {
        m_problem = u"The daemons of Slurm need root: run it as root."_s;
        return;
    }
    ::chmod(QFile::encodeName(folder()).constData(), 0755); // munged trusts no folder that others can change
    if (!writeConfiguration()) {
        m_problem = u"The configuration of Slurm cannot be written: make room in "_s + folder() + u'.';
        return;
    }
    const QString at = folder();
    bool isStarted = start(u"munged"_s,
        {u"--foreground"_s, u"--force"_s, u"--socket="_s + at + u"/munge/socket"_s,
            u"--key-file="_s + at + u"/munge.key"_s, u"--pid-file="_s + at + u"/munge/pid"_s,
            u"--log-file="_s + at + u"/log/munged"_s, u"--seed-file="_s + at + u"/munge/seed"_s});
    isStarted = isStarted && QTest::qWaitFor([&] { return QFile::exists(at + u"/munge/socket"_s); }, 20'000);
    if (isStarted && m_accounts && !startAccounts()) {
        m_problem = u"The accounts of Slurm do not come up: run it where slurmdbd and mariadbd may start and listen."_s;
        return;
    }
    isStarted = isStarted && start(u"slurmctld"_s, {u"-D"_s});
    for (int i = 1; i <= nodes; ++i) {
        isStarted = isStarted && start(u"slurmd"_s, {u"-D"_s, u"-N"_s, u"n"_s + QString::number(i)});
    }
    const auto areIdle = [this] {
        return run(u"sinfo"_s, {u"-h"_s, u"-N"_s, u"-p"_s, u"main"_s, u"-o"_s, u"%t"_s}).out == "idle\nidle\nidle\n";
    };
    if (!isStarted || !QTest::qWaitFor(areIdle, 60'000)) {
        m_problem = u"Slurm does not come up: run it where its daemons may start and listen (%1)."_s.arg(
            QString::fromUtf8(run(u"sinfo"_s, {}).err).simplified());
    }
}

SlurmCluster::~SlurmCluster()
{
    if (m_problem.isEmpty()) {
        run(u"scancel"_s, {u"--user=root"_s}); // what still runs would outlive its daemons
        (void)QTest::qWaitFor([this] { return run(u"squeue"_s, {u"-h"_s}).out.isEmpty(); }, 20'000);
    }
    for (auto daemon = m_daemons.rbegin(); daemon != m_daemons.rend(); ++daemon) {
        (*daemon)->terminate();
    }
    for (auto &daemon : m_daemons) {
        if (!daemon->waitForFinished(10'000)) {
            daemon->kill();
            daemon->waitForFinished();
        }
    }
}

// Before the controller, which asks them who may submit.
bool SlurmCluster::startAccounts()
{
    return m_accounts->start() && m_accounts->manage({u"add"_s, u"cluster"_s, u"trainyard"_s})
        && m_accounts->manage({u"add"_s, u"account"_s, u"lab"_s})
        && m_accounts->manage({u"add"_s, u"user"_s, u"root"_s, u"account=lab"_s})
        && std::all_of(m_options.accounts->cbegin(), m_options.accounts->cend(),
            [this](const QStringList &each) { return m_accounts->manage(each); });
}

bool SlurmCluster::writeConfiguration()
{
    for (const char *name : {"/munge", "/log", "/state", "/spool", "/dev"}) {
        if (::mkdir(QByteArray(QFile::encodeName(folder()) + name).constData(), 0755) != 0) {
            return false;
        }
    }
    for (int i = 0; i < 4; ++i) { // what they stand for does not matter: nothing opens them
        const QByteArray device = QFile::encodeName(folder()) + "/dev/nvidia" + QByteArray::number(i);
        if (::mknod(device.constData(), S_IFCHR | 0666, ::makedev(1, 3)) != 0) {
            return false;
        }
    }
    QFile random(u"/dev/urandom"_s);
    if (!random.open(QIODevice::ReadOnly)) {
        return false;
    }
    write(u"munge.key"_s, random.read(1024));
    ::chmod(QByteArray(QFile::encodeName(folder()) + "/munge.key").constData(), 0400);
    const QByteArray at = QFile::encodeName(folder()), host = QSysInfo::machineHostName().section(u'.', 0, 0).toUtf8();
    const QList<quint16> ports = freePorts(1 + nodes + 1);
    if (m_options.accounts) {
        m_accounts = std::make_unique<SlurmAccounts>(folder(), environment(), ports.last());
    }
    QByteArray text = "ClusterName=trainyard\nSlurmctldHost=" + host + "(127.0.0.1)\nSlurmUser=root\nSlurmdUser=root\n"
        + "AuthType=auth/munge\nCryptoType=crypto/munge\nAuthInfo=socket=" + at + "/munge/socket\n"
        + "StateSaveLocation=" + at + "/state\nSlurmdSpoolDir=" + at + "/spool/%n\nSlurmctldPidFile=" + at
        + "/ctld.pid\nSlurmdPidFile=" + at + "/%n.pid\nSlurmctldLogFile=" + at + "/log/ctld\nSlurmdLogFile=" + at
        + "/log/%n\nSlurmctldPort=" + QByteArray::number(ports.first())
        + "\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nJobAcctGatherType=jobacct_gather/linux\n"
          "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nDefMemPerCPU=64\n"
          "SlurmdParameters=config_overrides\nReturnToService=2\n"
          "PropagateResourceLimits=NONE\nMpiDefault=none\nSwitchType=switch/none\nGresTypes=gpu\n"
          "SchedulerParameters=bf_interval=1,sched_interval=2,sched_min_interval=0\nKillWait="
        + QByteArray::number(m_options.killWait) + '\n'
        + (m_accounts ? m_accounts->settings() : "AccountingStorageType=accounting_storage/none\n")
        + m_options.settings;
    for (int i = 1; i <= nodes; ++i) {
        text += "NodeName=n" + QByteArray::number(i) + " NodeHostname=" + host + " NodeAddr=127.0.0.1 Port="
            + QByteArray::number(ports.at(i)) + " CPUs=4 RealMemory=4000" + (i < nodes ? " Gres=gpu:2" : "") + '\n';
    }
    write(u"slurm.conf"_s,
        text + "PartitionName=main Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP\n" + m_options.partitions);
    write(u"gres.conf"_s,
        "NodeName=n1 Name=gpu File=" + at + "/dev/nvidia[0-1]\nNodeName=n2 Name=gpu File=" + at + "/dev/nvidia[2-3]\n");
    write(u"cgroup.conf"_s, "CgroupAutomount=no\n");
    return QFile::exists(folder() + u"/cgroup.conf"_s) && writeUsers();
}

// A job that takes no environment along begins with a login shell of its user. What that of the user of this computer
// does, and how long, is none of the cluster's: some wait for a lock that a killed shell has left.
bool SlurmCluster::writeUsers()
{
    QFile users(u"/etc/passwd"_s);
    if (!users.open(QIODevice::ReadOnly) || !QDir().mkpath(folder() + u"/home"_s)) {
        return false;
    }
    QByteArray text;
    for (const QByteArray &line : users.readAll().split('\n')) {
        QByteArrayList fields = line.split(':');
        if (fields.size() == 7 && fields.at(2) == "0") {
            fields[5] = QFile::encodeName(folder()) + "/home";
        }
        text += line.isEmpty() ? QByteArray() : fields.join(':') + '\n';
    }
    write(u"passwd"_s, text);
    return QFile::exists(folder() + u"/passwd"_s);
}

void SlurmCluster::write(const QString &name, const QByteArray &bytes)
{
    QFile file(folder() + u'/' + name);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
        qWarning("cannot write %s", qPrintable(file.fileName()));
    }
}

QProcessEnvironment SlurmCluster::environment() const
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"SLURM_CONF"_s, folder() + u"/slurm.conf"_s);
    environment.insert(u"PATH"_s, environment.value(u"PATH"_s) + u":/usr/sbin:/sbin"_s);
    return environment;
}

bool SlurmCluster::start(const QString &program, const QStringList &arguments)
{
    auto daemon = std::make_unique<QProcess>();
    daemon->setProcessEnvironment(environment());
    daemon->setStandardOutputFile(QProcess::nullDevice());
    daemon->setStandardErrorFile(folder() + u"/log/"_s + program + u".err"_s, QIODevice::Append);
    const QString found = QStandardPaths::findExecutable(program, {u"/usr/sbin"_s, u"/usr/bin"_s});
    if (program == u"slurmd"_s) {
        daemon->start(u"unshare"_s,
            QStringList{u"--mount"_s, u"sh"_s, u"-c"_s, u"mount --bind \"$0\" /etc/passwd && exec \"$@\""_s,
                QString(folder() + u"/passwd"_s), found}
                + arguments);
    } else {
        daemon->start(found, arguments);
    }
    m_daemons.push_back(std::move(daemon));
    return m_daemons.back()->waitForStarted(10'000);
}

SlurmCluster::Output SlurmCluster::run(const QString &program, const QStringList &arguments, int ms) const
{
    QProcess process;
    process.setProcessEnvironment(environment());
    process.setWorkingDirectory(folder());
    process.start(program, arguments);
    if (!process.waitForFinished(ms)) {
        process.kill();
        process.waitForFinished();
        return {-1, process.readAllStandardOutput(), process.readAllStandardError()};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

bool SlurmCluster::stopController()
{
    QProcess &controller = *m_daemons.at(1);
    controller.terminate();
    return controller.waitForFinished(20'000);
}

bool SlurmCluster::startController()
{
    m_daemons.at(1).reset();
    if (!start(u"slurmctld"_s, {u"-D"_s})) {
        return false;
    }
    std::swap(m_daemons.at(1), m_daemons.back());
    m_daemons.pop_back();
    return QTest::qWaitFor([this] { return run(u"sinfo"_s, {u"-h"_s}).status == 0; }, 30'000);
}

// A process that the daemon of the node has started, or that one of these has started.
bool SlurmCluster::isOnNode(const QString &process, const QByteArray &node) const
{
    const auto contents = [&process](const char *name) {
        QFile file(u"/proc/"_s + process + QLatin1StringView(name));
        return file.open(QIODevice::ReadOnly) ? '\0' + file.readAll() : QByteArray();
    };
    const QByteArray environment = contents("/environ");
    const QByteArray ours = QByteArray("\0SLURM_CONF=", 12) + QFile::encodeName(folder()) + "/slurm.conf";
    const QByteArray there = QByteArray("\0SLURMD_NODENAME=", 17) + node + '\0';
    if (!environment.contains(ours)) {
        return false;
    }
    return environment.contains(there) || contents("/cmdline").startsWith(QByteArray("\0slurmstepd:", 12));
}

bool SlurmCluster::loseNode(int number)
{
    const QByteArray node = "n" + QByteArray::number(number);
    QProcess &daemon = *m_daemons.at(std::size_t(1 + number));
    daemon.kill();
    if (!daemon.waitForFinished(10'000)) {
        return false;
    }
    // All are halted before the first one dies: none may write down what becomes of another one.
    const auto isEmpty = [&] {
        std::vector<pid_t> there;
        const QStringList processes = QDir(u"/proc"_s).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        for (const QString &process : processes) {
            if (process.toInt() > 0 && isOnNode(process, node)) {
                there.push_back(pid_t(process.toInt()));
            }
        }
        for (const int signal : {SIGSTOP, SIGKILL}) {
            for (const pid_t process : there) {
                ::kill(process, signal);
            }
        }
        return there.empty();
    };
    if (!QTest::qWaitFor(isEmpty, 20'000)) {
        return false;
    }
    const Output told = run(
        u"scontrol"_s, {u"update"_s, u"nodename="_s + QString::fromUtf8(node), u"state=down"_s, u"reason=power"_s});
    return told.status == 0;
}

bool SlurmCluster::startNode(int number)
{
    const QString node = u"n"_s + QString::number(number);
    const std::size_t at = std::size_t(1 + number);
    m_daemons.at(at).reset();
    if (!start(u"slurmd"_s, {u"-D"_s, u"-N"_s, node})) {
        return false;
    }
    std::swap(m_daemons.at(at), m_daemons.back());
    m_daemons.pop_back();
    return QTest::qWaitFor(
        [&] {
            const QByteArray state
                = run(u"sinfo"_s, {u"-h"_s, u"-N"_s, u"-p"_s, u"main"_s, u"-n"_s, node, u"-o"_s, u"%t"_s}).out;
            if (state.startsWith("down")) { // its first words may come before the controller knows that it was down
                run(u"scontrol"_s, {u"update"_s, u"nodename="_s + node, u"state=resume"_s});
            }
            return state == "idle\n" || state == "mix\n" || state == "alloc\n";
        },
        30'000);
}
