// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/identity.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTest>

#include <signal.h>

#include <memory>

using namespace trainyard::contract;

// How a keeper ends its task: who hears the signal, who is left in peace, and what is ended with the main program.
class TstStop : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_fixture.begin()); }
    void cleanup() { m_fixture.end(); }

    void stopIgnoringTerm();
    void stopReachesEveryone();
    void stopAtOnce();
    void stopWhileForking();
    void stopReachesWhoSwallowedIt();
    void stopReachesWhoCameTooLate();
    void stopLeavesHelpersOfHandlers();
    void stopOnlyMain();
    void stopAgainIsQuicker();
    void leftoversEnd();
    void pauseKeepsNobodyWaiting();
    void taskStopsItsKeeper();
    void whatIsAwayIsNotStopped();

private:
    AgentFixture m_fixture;
};
TRAINYARD_TEST(TstStop)

void TstStop::stopIgnoringTerm()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch
        = m_fixture.launchOf("stubborn", "trap 'echo heard' TERM; echo ready; while :; do sleep 1000; done");
    QVERIFY(m_fixture.runUntil(launch, "ready\n"));
    QElapsedTimer clock;
    clock.start();
    const auto observed = m_fixture.stop(launch, 700);
    QVERIFY(observed && observed->state == "running" && observed->stop && observed->stop->graceMs == 700);
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited);
    QVERIFY(clock.elapsed() >= 690);
    QVERIFY(exited->exit.kind == ExitKind::Signaled);
    QCOMPARE(exited->exit.value, SIGKILL);
    QVERIFY(exited->stop && exited->stop->signal == SIGTERM);
    QVERIFY(outputOf(launch.dir).contains("heard\n"));
    QVERIFY(processesWith(QByteArray::fromStdString(launch.plan.tryUuid)).isEmpty());
}

void TstStop::stopReachesEveryone()
{
    QVERIFY(m_fixture.agent->start());
    // Children in sessions of their own, one without our mark, one stopped.
    const Launch launch = m_fixture.launchOf("tree",
        "setsid bash -c 'trap \"echo one; exit\" TERM; echo up; while :; do sleep 0.02; done' &\n"
        "setsid env -i /bin/bash -c 'trap \"echo two; exit\" TERM; echo up; while :; do sleep 0.02; done' &\n"
        "bash -c 'trap \"echo three; exit\" TERM; echo up; kill -STOP $$' &\n"
        "trap 'echo main; wait; exit 3' TERM\nwait; wait");
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_COMPARE(outputOf(launch.dir).count("up\n"), 3);
    QVERIFY(m_fixture.stop(launch));
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited);
    const QByteArray output = outputOf(launch.dir);
    for (const char *word : {"one\n", "two\n", "three\n", "main\n"}) {
        QVERIFY2(output.contains(word), output.constData());
    }
    QCOMPARE(exited->exit.value, 3);
}

void TstStop::stopAtOnce()
{
    QVERIFY(m_fixture.agent->start());
    // The signal may find the program before its first instruction: it must not be lost.
    for (int i = 0; i < 60; ++i) {
        const Launch launch = m_fixture.launchOf(QByteArray::number(i).constData(), "sleep NAP");
        const std::int64_t id = m_fixture.agent->send(launch);
        Stop stop;
        stop.dir = launch.dir;
        stop.graceMs = 60000;
        if (i % 2 == 0) {
            QVERIFY(m_fixture.agent->answer<Launched>(id));
        }
        const std::int64_t stopped = m_fixture.agent->send(stop);
        if (i % 2 == 1) {
            QVERIFY(m_fixture.agent->answer<Launched>(id));
        }
        QVERIFY(m_fixture.agent->answer<Observed>(stopped));
        const auto exited = m_fixture.agent->exited(launch.dir);
        QVERIFY2(exited, qPrintable(QString::number(i)));
        QVERIFY2(exited->exit.kind == ExitKind::Signaled && exited->exit.value == SIGTERM,
            (exited->exit.format() + std::to_string(i)).c_str());
    }
    QVERIFY(processesWith(m_fixture.nap).isEmpty());
}

void TstStop::stopWhileForking()
{
    QVERIFY(m_fixture.agent->start());
    // A child that is forked just now hears it too: the grace is much longer than the wait for the end.
    for (int i = 0; i < 10; ++i) {
        const Launch launch
            = m_fixture.launchOf(QByteArray::number(i).constData(), "echo up\nwhile :; do sleep NAP & done");
        QVERIFY(m_fixture.runUntil(launch, "up\n"));
        QVERIFY(m_fixture.stop(launch));
        const auto exited = m_fixture.agent->exited(launch.dir);
        QVERIFY(exited && exited->exit.kind == ExitKind::Signaled && exited->exit.value == SIGTERM);
    }
    QVERIFY(processesWith(m_fixture.nap).isEmpty());
}

// A child that was between fork and exec: the signal went to a handler that is gone now. Who catches it hears it once.
void TstStop::stopReachesWhoSwallowedIt()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("swallowed",
        "bash -c 'trap \"echo swallowed; exec sleep NAP\" TERM; echo up; while :; do sleep 0.02; done' &\n"
        "bash -c 'trap \"echo saving\" TERM; echo up; while [ ! -e saved ]; do sleep 0.02; done; echo saved' &\n"
        "echo up\nwait");
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_COMPARE(outputOf(launch.dir).count("up\n"), 3);
    QVERIFY(m_fixture.stop(launch));
    QTRY_VERIFY(outputOf(launch.dir).contains("swallowed"));
    QTRY_VERIFY_WITH_TIMEOUT(processesWith(m_fixture.nap).isEmpty(), 20000);
    QVERIFY(makeWorkFile(launch, "saved"));
    QVERIFY(m_fixture.agent->exited(launch.dir));
    QCOMPARE(outputOf(launch.dir).count("saving"), 1);
    QVERIFY(outputOf(launch.dir).contains("saved\n")); // it had the grace, though the main program was gone
}

// A shell that forks while the signal waits for it ends by it, and its child was not there yet when it was sent.
void TstStop::stopReachesWhoCameTooLate()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("late",
        "exec perl -MPOSIX -e '\n"
        "$| = 1; my $term = POSIX::SigSet->new(SIGTERM); my $waiting = POSIX::SigSet->new;\n"
        "sigprocmask(SIG_BLOCK, $term); print \"up\\n\";\n"
        "do { select undef, undef, undef, 0.002; sigpending($waiting); } until $waiting->ismember(SIGTERM);\n"
        "my $child = fork; sigprocmask(SIG_UNBLOCK, $term) if !$child; exec qw(sleep NAP) if !$child;\n"
        "sigprocmask(SIG_UNBLOCK, $term); sleep 60'");
    QVERIFY(m_fixture.runUntil(launch, "up\n"));
    QVERIFY(m_fixture.stop(launch));
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY2(exited, outputOf(launch.dir).constData());
    QVERIFY(exited->exit.kind == ExitKind::Signaled && exited->exit.value == SIGTERM);
    QVERIFY(processesWith(m_fixture.nap).isEmpty());
}

// A handler saves with the help of programs that came after the signal: it is not for them, however long they take and
// however often the end is asked for. An engine that comes back in the grace asks again.
void TstStop::stopLeavesHelpersOfHandlers()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("saver",
        "trap 'echo heard; sleep 2.5 && echo saved; exit 0' TERM\n(while :; do sleep 0.02; done) &\necho ready\n"
        "while :; do wait; done");
    QVERIFY(m_fixture.runUntil(launch, "ready\n"));
    QVERIFY(m_fixture.stop(launch));
    QTRY_COMPARE(outputOf(launch.dir), QByteArray("ready\nheard\n"));
    QVERIFY(m_fixture.stop(launch));
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited && exited->exit.kind == ExitKind::Exited);
    QCOMPARE(outputOf(launch.dir), QByteArray("ready\nheard\nsaved\n"));
    QCOMPARE(exited->exit.value, 0);
}

void TstStop::stopOnlyMain()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("onlymain",
        "bash -c 'trap \"echo child heard\" USR1; echo up; while :; do sleep 0.02; done' &\n"
        "trap 'echo saved; kill -9 $!; exit 0' USR1\necho up\nwhile :; do sleep 0.02; done");
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_COMPARE(outputOf(launch.dir).count("up\n"), 2);
    Stop stop;
    stop.dir = launch.dir;
    stop.signal = SIGUSR1;
    stop.onlyMain = true;
    QVERIFY(m_fixture.agent->ask<Observed>(stop));
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited && exited->exit.kind == ExitKind::Exited && exited->exit.value == 0);
    QVERIFY(outputOf(launch.dir).contains("saved"));
    QVERIFY(!outputOf(launch.dir).contains("child heard"));
}

void TstStop::stopAgainIsQuicker()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("impatient", "trap '' TERM; echo ready; while :; do sleep 1000; done");
    QVERIFY(m_fixture.runUntil(launch, "ready\n"));
    QVERIFY(m_fixture.stop(launch));
    QVERIFY(m_fixture.stop(launch, 0));
    QVERIFY(m_fixture.agent->exited(launch.dir, 5000));
}

void TstStop::leftoversEnd()
{
    QVERIFY(m_fixture.agent->start());
    // Orphans in their own sessions, with and without the mark, some of them deaf and forking on.
    const Launch launch = m_fixture.launchOf("leftovers",
        "for i in 1 2 3 4 5 6 7 8 9 10; do\n"
        "  (setsid sleep NAP >/dev/null 2>&1 &)\n"
        "  (setsid env -i /bin/bash -c 'trap \"\" TERM HUP; sleep NAP; sleep NAP' &)\n"
        "  (bash -c 'while :; do (sleep NAP &) ; sleep 0.05; done' &)\n"
        "done\necho done");
    const auto exited = m_fixture.runToEnd(launch);
    QVERIFY(exited && exited->exit.kind == ExitKind::Exited && exited->exit.value == 0);
    QVERIFY(processesWith(m_fixture.nap).isEmpty());
    QVERIFY(processesWith(QByteArray::fromStdString(launch.plan.tryUuid)).isEmpty());
    QCOMPARE(outputOf(launch.dir), QByteArray("done\n"));
    QVERIFY(fileText(launch.dir, file::runtime).contains("left behind"));
}

// One of its processes does not stop, as it waits for its child to become a program: that is waited for by somebody
// else than the agent, which others need.
void TstStop::pauseKeepsNobodyWaiting()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("paused",
        "exec /usr/bin/python3 -c 'import os, time\n"
        "os.posix_spawn(\"/bin/true\", [\"true\"], {}, file_actions=[(os.POSIX_SPAWN_OPEN, 0, \"fifo\", os.O_RDONLY, "
        "0)])\n"
        "time.sleep(1000)'");
    QVERIFY(makeFifo(launch));
    const auto launched = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(launched && launched->started);
    const std::string main = "/proc/" + std::to_string(launched->started->process.pid);
    QTRY_VERIFY(fileText(main, "status").contains("State:\tD"));
    const qint64 before = processorMs(m_fixture.agent->pid());
    QVERIFY(m_fixture.agent->ask<Done>(Pause{launch.dir, true}));
    const qint64 spent = processorMs(m_fixture.agent->pid()) - before;
    QVERIFY2(spent < 100, QByteArray::number(spent).constData()); // a hundred looks at all processes cost more
    QVERIFY(m_fixture.agent->ask<Done>(Pause{launch.dir, false}));
    QVERIFY(writeToFifo(launch));
    QVERIFY(m_fixture.stop(launch));
    QVERIFY(m_fixture.agent->exited(launch.dir));
}

// As `kill -STOP -1` does: who wants the end wakes it up.
void TstStop::taskStopsItsKeeper()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch
        = m_fixture.launchOf("stopskeeper", "until [ -e go ]; do sleep 0.02; done\nkill -STOP $PPID\nsleep NAP");
    const auto launched = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(launched && launched->started);
    QVERIFY(makeWorkFile(launch, "go"));
    const std::string keeper = "/proc/" + std::to_string(launched->started->keeperPid);
    QTRY_VERIFY(fileText(keeper, "status").contains("State:\tT"));
    QVERIFY(m_fixture.stop(launch));
    const auto exited = m_fixture.agent->exited(launch.dir);
    ::kill(static_cast<pid_t>(launched->started->keeperPid), SIGCONT); // also when that went wrong
    QVERIFY(exited && exited->exit.kind == ExitKind::Signaled);
    QCOMPARE(exited->exit.value, SIGTERM);
}

// The file system with all that the engine has on the host is not mounted for a while: what the keeper would read of
// the stop cannot be written, and an end in its place would be one of a task that runs.
void TstStop::whatIsAwayIsNotStopped()
{
    QVERIFY(m_fixture.agent->start());
    const QString engine = m_fixture.home->filePath(QStringLiteral("state/trainyard/remote/epoch"));
    const QString elsewhere = engine + QStringLiteral("-unmounted");
    Launch launch = m_fixture.launchOf("away", "sleep NAP");
    launch.dir = engine.toStdString() + "/runs/job/0/main-0/0";
    const auto launched = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(launched && launched->started);
    const std::unique_ptr<AgentDriver> other = m_fixture.newAgent();
    QVERIFY(other->start());
    QVERIFY(QDir().rename(engine, elsewhere));
    Stop stop;
    stop.dir = launch.dir;
    for (AgentDriver *agent : {m_fixture.agent.get(), other.get()}) { // whether it knows the task or not
        for (const Message &message : {Message(stop), Message(Pause{launch.dir, true})}) {
            const auto failure = agent->ask<Failure>(message);
            QVERIFY(failure);
            QCOMPARE(failure->code, std::string("observe.away"));
        }
    }
    QVERIFY(!QDir(engine).exists()); // nothing was written where it is mounted
    QVERIFY(isAlive(launched->started->process));
    QVERIFY(QDir().rename(elsewhere, engine));
    QVERIFY(m_fixture.agent->ask<Done>(Pause{launch.dir, false}));
    QVERIFY(m_fixture.agent->ask<Observed>(stop));
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited && exited->exit.kind == ExitKind::Signaled);
    QCOMPARE(exited->exit.value, SIGTERM);
}

#include "tst_stop.moc"
