// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace trainyard::contract;

// An agent that was told not to run the login shell, as where environment.mode is "clean", and is then asked for what
// needs its environment all the same.
class TstHeldLaunches : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        QVERIFY(m_fixture.begin());
        QVERIFY(write(".bash_profile", "export FROM_PROFILE=yes PATH=$HOME/tools:$PATH\n"));
    }
    void cleanup() { m_fixture.end(); }

    void aLaunchHasTheShellAsked();
    void aCommandOfAClusterHasTheShellAsked();
    void aStopEndsTheWait();
    void aStopFindsWhatRunsAlready();
    void whoAsksWaitsForTheLaunch();

private:
    bool write(const char *name, const QByteArray &text, bool isProgram = false) const
    {
        QFile file(m_fixture.home->filePath(QString::fromLatin1(name)));
        return QDir(m_fixture.home->path()).mkpath(QStringLiteral("tools")) && file.open(QIODevice::WriteOnly)
            && file.write(text) == text.size()
            && (!isProgram || file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }
    // The agent's login shell says nothing before open().
    bool startWithAGate()
    {
        const QByteArray wait = "#!/bin/sh\nuntil [ -e \"$HOME/gate\" ]; do sleep 0.02; done\nexec /bin/bash \"$@\"\n";
        m_fixture.agent->environment.insert(
            QStringLiteral("SHELL"), m_fixture.home->filePath(QStringLiteral("tools/shell")));
        return write("tools/shell", wait, true) && m_fixture.agent->start();
    }
    bool open() const { return write("gate", "x"); }
    Launch loginLaunch(const char *name, const std::string &script) const
    {
        Launch launch = m_fixture.launchOf(name, script);
        launch.cleanEnvironment = false;
        return launch;
    }
    AgentFixture m_fixture;
};
TRAINYARD_TEST(TstHeldLaunches)

void TstHeldLaunches::aLaunchHasTheShellAsked()
{
    QVERIFY(m_fixture.agent->start());
    QCOMPARE(m_fixture.agent->hello.environmentFrom, std::string("agent"));
    const Launch clean = m_fixture.launchOf("clean", "echo ${FROM_PROFILE-none}");
    QVERIFY(m_fixture.runToEnd(clean));
    QCOMPARE(outputOf(clean.dir), QByteArray("none\n"));
    const Launch launch = loginLaunch("login", "echo ${FROM_PROFILE-none}");
    QVERIFY(m_fixture.runToEnd(launch));
    QCOMPARE(outputOf(launch.dir), QByteArray("yes\n"));
}

void TstHeldLaunches::aCommandOfAClusterHasTheShellAsked()
{
    QVERIFY(write("tools/sinfo", "#!/bin/sh\necho here\n", true));
    QVERIFY(m_fixture.agent->start());
    RunProgram program;
    program.program = "sinfo";
    const auto said = m_fixture.agent->ask<ProgramSaid>(program);
    QVERIFY(said);
    QCOMPARE(said->state, std::string("done"));
    QCOMPARE(said->out, std::string("here\n"));
}

void TstHeldLaunches::aStopEndsTheWait()
{
    QVERIFY(startWithAGate());
    const Launch stopped = loginLaunch("stopped", "echo began");
    const Launch other = loginLaunch("other", "echo ${FROM_PROFILE-none}");
    const std::int64_t first = m_fixture.agent->send(stopped);
    const std::int64_t second = m_fixture.agent->send(other);
    Stop stop;
    stop.dir = stopped.dir;
    const auto observed = m_fixture.agent->ask<Observed>(stop);
    QVERIFY(observed);
    QCOMPARE(observed->state, std::string("absent"));
    const auto dropped = m_fixture.agent->answer<Launched>(first);
    QVERIFY(dropped && dropped->exit);
    QCOMPARE(dropped->state, std::string("ended"));
    QVERIFY(dropped->exit->kind == ExitKind::StartFailed);
    QCOMPARE(dropped->exit->reason, "launch.stopped " + stopped.dir);
    // The one behind it goes on, and it never does.
    QVERIFY(open());
    const auto launched = m_fixture.agent->answer<Launched>(second);
    QVERIFY(launched);
    QCOMPARE(launched->state, std::string("launched"));
    QVERIFY(m_fixture.agent->exited(other.dir));
    QVERIFY(!readStartedRecord(stopped.dir) && !readKeeperRecord(stopped.dir));
}

// An earlier agent has started it, and the engine does not know.
void TstHeldLaunches::aStopFindsWhatRunsAlready()
{
    QVERIFY(m_fixture.agent->start());
    Launch launch = m_fixture.launchOf("running", "read < fifo");
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    m_fixture.agent->kill9();
    m_fixture.agent = m_fixture.newAgent();
    QVERIFY(startWithAGate());
    launch.cleanEnvironment = false;
    const std::int64_t again = m_fixture.agent->send(launch);
    const auto observed = m_fixture.stop(launch);
    QVERIFY(observed);
    QCOMPARE(observed->state, std::string("running"));
    const auto adopted = m_fixture.agent->answer<Launched>(again);
    QVERIFY(adopted);
    QCOMPARE(adopted->state, std::string("adopted"));
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited && exited->stop);
    QVERIFY(open());
}

void TstHeldLaunches::whoAsksWaitsForTheLaunch()
{
    QVERIFY(startWithAGate());
    const Launch launch = loginLaunch("asked", "read < fifo");
    QVERIFY(makeFifo(launch));
    const std::int64_t first = m_fixture.agent->send(launch);
    const std::int64_t second = m_fixture.agent->send(Observe{launch.dir});
    QVERIFY(open());
    const auto observed = m_fixture.agent->answer<Observed>(second);
    QVERIFY(observed);
    QCOMPARE(observed->state, std::string("running"));
    const auto launched = m_fixture.agent->answer<Launched>(first);
    QVERIFY(launched);
    QCOMPARE(launched->state, std::string("launched"));
    QVERIFY(writeToFifo(launch));
    QVERIFY(m_fixture.agent->exited(launch.dir));
}

#include "tst_heldlaunches.moc"
