// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/stuckfolder.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

using namespace trainyard::contract;

// Processes that a signal does not end, or that do not look as if they lived.
class TstNotEnded : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_fixture.begin()); }
    void cleanup() { m_fixture.end(); }

    void whoIsLeftIsNamed();
    void firstThreadEnded();
    void tracedOneIsNotWaitedForForever();

private:
    AgentFixture m_fixture;
};
TRAINYARD_TEST(TstNotEnded)

// A process that no signal ends, as one that waits for a dead disk.
void TstNotEnded::whoIsLeftIsNamed()
{
    StuckFolder disk(m_fixture.home->filePath(QStringLiteral("dead")));
    SKIP_UNLESS_THERE(disk);
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("stuck",
        "setsid cat '" + m_fixture.home->filePath(QStringLiteral("dead/file")).toStdString() + "' &\necho $!\nwait");
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_VERIFY(outputOf(launch.dir).endsWith('\n'));
    const QByteArray pid = outputOf(launch.dir).trimmed();
    QTRY_COMPARE(disk.waiting(), 1);
    QVERIFY(m_fixture.stop(launch, 100));
    const auto exited = m_fixture.agent->exited(launch.dir, 30000);
    QVERIFY(exited);
    QCOMPARE(exited->exit.left, pid.toStdString() + " cat");
    QVERIFY(exited->exit.kind == ExitKind::Signaled); // the main one has heard it
    QVERIFY(readExitRecord(launch.dir) == exited->exit);
    QVERIFY(fileText(launch.dir, file::runtime).contains("could not be ended"));
}

// A process lives as long as one of its threads does; its first one is a zombie until then.
void TstNotEnded::firstThreadEnded()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("threads",
        "/usr/bin/python3 -c 'import ctypes, threading, time\n"
        "threading.Thread(target=time.sleep, args=(1000,)).start()\n"
        "ctypes.CDLL(None).pthread_exit(None)' &\necho $!\nwait");
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_VERIFY(outputOf(launch.dir).endsWith('\n'));
    const std::string process = "/proc/" + outputOf(launch.dir).trimmed().toStdString();
    QTRY_VERIFY(fileText(process, "status").contains("State:\tZ"));
    QVERIFY(fileText(process, "status").contains("Threads:\t2\n"));
    const auto pid = outputOf(launch.dir).trimmed().toLongLong();
    const bool isSeen = identityOf(pid).has_value();
    QVERIFY(m_fixture.stop(launch));
    const auto exited = m_fixture.agent->exited(launch.dir);
    if (!exited) {
        ::kill(static_cast<pid_t>(pid), SIGKILL);
    }
    QVERIFY(exited);
    QVERIFY(exited->exit.left.empty());
    QVERIFY(isSeen);
}

// Who is traced from outside has not ended before the tracer says so, and nobody can see it any more.
void TstNotEnded::tracedOneIsNotWaitedForForever()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("traced", "sleep NAP &\necho $!\nwait");
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_VERIFY(outputOf(launch.dir).endsWith('\n'));
    const pid_t pid = static_cast<pid_t>(outputOf(launch.dir).trimmed().toLongLong());
    if (::ptrace(PTRACE_SEIZE, pid, nullptr, nullptr) != 0) {
        const int why = errno;
        QVERIFY2(why == EPERM || why == EACCES || why == ENOSYS, std::strerror(why));
        QSKIP("No process may be traced here: run it as root, where ptrace is allowed.");
    }
    QVERIFY(m_fixture.stop(launch, 100));
    const auto exited = m_fixture.agent->exited(launch.dir, 30000);
    int status = 0;
    while (::waitpid(pid, &status, __WALL) == pid && !WIFEXITED(status) && !WIFSIGNALED(status)) {
        ::kill(pid, SIGKILL);
    }
    QVERIFY(exited);
    QCOMPARE(exited->exit.left, std::string("?"));
    QVERIFY(exited->exit.kind == ExitKind::Signaled); // the main one has heard it
}

#include "tst_notended.moc"
