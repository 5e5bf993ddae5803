// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/programsfixture.h"

#include "engine/client/paths.h"
#include "tests/helpers/fullform.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSet>

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

// A process descriptor becomes readable when the process has ended, also when it waits for its parent.
void killAndWait(pid_t pid)
{
    const int fd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
    ::kill(pid, SIGKILL);
    if (fd >= 0) {
        pollfd ended{fd, POLLIN, 0};
        ::poll(&ended, 1, 1000);
        ::close(fd);
    }
}

} // namespace

ProgramsFixture::ProgramsFixture()
{
    const QMap<QByteArray, QString> variables{{"HOME", u"home"_s}, {"XDG_CONFIG_HOME", u"config"_s},
        {"XDG_STATE_HOME", u"state"_s}, {"XDG_CACHE_HOME", u"cache"_s}, {"XDG_RUNTIME_DIR", u"run"_s}};
    for (auto it = variables.cbegin(); it != variables.cend(); ++it) {
        m_before.insert(it.key(), qgetenv(it.key().constData()));
        QDir(path({})).mkdir(it.value(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv(it.key().constData(), QFile::encodeName(path(it.value())));
    }
    QDir().mkpath(path(u"config/trainyard"_s));
    QDir().mkpath(path(u"work"_s));
    m_before.insert("ASAN_OPTIONS", qgetenv("ASAN_OPTIONS"));
    spareLeakChecks();
    setSettings({{u"stop.graceSeconds"_s, 2}, {u"environment.mode"_s, u"clean"_s}, {u"retry.pauseSeconds"_s, 0},
        {u"engine.idleSeconds"_s, 30}});
}

ProgramsFixture::~ProgramsFixture()
{
    // A process may start another while we look, so until none is left.
    for (int round = 0; round < 100; ++round) {
        const QList<qint64> pids = allPids();
        for (const qint64 pid : pids) {
            killAndWait(static_cast<pid_t>(pid));
        }
        if (pids.isEmpty()) {
            break;
        }
    }
    for (auto it = m_before.cbegin(); it != m_before.cend(); ++it) {
        if (it.value().isNull()) {
            qunsetenv(it.key().constData());
        } else {
            qputenv(it.key().constData(), it.value());
        }
    }
}

QString ProgramsFixture::program(const QString &name) const
{
    return qEnvironmentVariable("TRAINYARD_BIN") + u'/' + name;
}

QProcessEnvironment ProgramsFixture::environment() const
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"TERM"_s, u"xterm"_s); // whatever the terminal is, if any, that the tests run on
    return environment;
}

QString ProgramsFixture::stateFolder() const { return paths::stateFolder(); }

QString ProgramsFixture::socketPath() const
{
    return paths::engineSocket(paths::runtimeFolder(), stateFolder()).value_or(QString());
}

void ProgramsFixture::setSettings(const QJsonObject &settings) const
{
    // Tests of anything else must not wait for room on the disk of whoever runs them.
    QJsonObject all{{u"hosts.quarantineAfter"_s, 0}, {u"disk.holdMiB"_s, 0}, {u"disk.warnMiB"_s, 0}};
    for (auto it = settings.begin(); it != settings.end(); ++it) {
        all.insert(it.key(), it.value());
    }
    write(u"config/trainyard/engine.json"_s, QJsonDocument(all).toJson());
}

QString ProgramsFixture::write(const QString &name, const QByteArray &bytes) const
{
    QFile file(path(name));
    QDir().mkpath(QFileInfo(file).path());
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
        qWarning("cannot write %s", qPrintable(file.fileName()));
    }
    return file.fileName();
}

std::unique_ptr<QProcess> ProgramsFixture::startCtl(const QStringList &arguments) const
{
    auto process = std::make_unique<QProcess>();
    process->setProgram(program(u"trainyardctl"_s));
    process->setArguments(arguments);
    process->setWorkingDirectory(path(u"work"_s));
    process->start();
    return process;
}

ProgramsFixture::Output ProgramsFixture::ctl(const QStringList &arguments, const QByteArray &input, int ms) const
{
    const std::unique_ptr<QProcess> process = startCtl(arguments);
    process->write(input);
    process->closeWriteChannel();
    if (!process->waitForFinished(ms)) {
        qWarning() << "did not end:" << arguments;
        process->kill();
        process->waitForFinished();
        return {-1, process->readAllStandardOutput(), process->readAllStandardError()};
    }
    return {process->exitStatus() == QProcess::NormalExit ? process->exitCode() : -1, process->readAllStandardOutput(),
        process->readAllStandardError()};
}

// All of ours carry the temporary folder in their environment.
QList<qint64> ProgramsFixture::allPids() const
{
    const QByteArray mark = QFile::encodeName(m_folder.path());
    QList<qint64> pids;
    const QStringList entries = QDir(u"/proc"_s).entryList(QDir::Dirs);
    for (const QString &entry : entries) {
        const qint64 pid = entry.toLongLong();
        QFile variables(u"/proc/"_s + entry + u"/environ"_s);
        if (pid > 1 && pid != QCoreApplication::applicationPid() && variables.open(QIODevice::ReadOnly)
            && variables.readAll().contains(mark)) {
            pids.append(pid);
        }
    }
    return pids;
}

static QByteArray textInProc(qint64 pid, const QString &name)
{
    QFile file(u"/proc/%1/%2"_s.arg(pid).arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

static qint64 parentInProc(qint64 pid)
{
    const QByteArray text = textInProc(pid, u"stat"_s);
    return text.mid(text.lastIndexOf(')') + 2).split(' ').value(1).toLongLong();
}

// Only root can look into agents and keepers: others know them by the daemon that started them, or by their tasks.
QList<qint64> ProgramsFixture::pidsOf(const QString &name) const
{
    QList<qint64> pids;
    const QList<qint64> all = allPids();
    QSet<qint64> parents;
    for (const qint64 pid : all) {
        parents.insert(parentInProc(pid));
        if (QFileInfo(QFile::symLinkTarget(u"/proc/%1/exe"_s.arg(pid))).fileName() == name) {
            pids.append(pid);
        }
    }
    const QStringList entries = QDir(u"/proc"_s).entryList(QDir::Dirs);
    for (const QString &entry : entries) {
        const qint64 pid = entry.toLongLong();
        const bool isPrivate = pid > 1 && name == "trainyard-agent"_L1 && !all.contains(pid)
            && textInProc(pid, u"comm"_s).trimmed() == "trainyard-agent";
        if (isPrivate && (parents.contains(pid) || all.contains(parentInProc(pid)))) {
            pids.append(pid);
        }
    }
    return pids;
}

QList<qint64> ProgramsFixture::agentPids() const
{
    const qint64 daemon = daemonPid();
    QList<qint64> agents = pidsOf(u"trainyard-agent"_s);
    agents.removeIf([daemon](qint64 pid) { return parentInProc(pid) != daemon; });
    return agents;
}

bool ProgramsFixture::waitForNoDaemon(int ms) const
{
    return QTest::qWaitFor([this] { return pidsOf(u"trainyardd"_s).isEmpty(); }, ms);
}
