// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QScopeGuard>
#include <QTest>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

using namespace trainyard::contract;

// The file system with all that an engine has on the host is not mounted for a while, as a home folder after a restart.
// Nothing starts twice meanwhile, and no folder is made where it is mounted.
class TstOwnFolder : public QObject
{
    Q_OBJECT

    AgentFixture m_fixture;
    std::string m_folder;

    QString folder() const { return QString::fromStdString(m_folder); }
    bool unmount() const { return QDir().rename(folder(), folder() + QStringLiteral("-unmounted")); }
    bool mount() const { return QDir().rename(folder() + QStringLiteral("-unmounted"), folder()); }
    Launch launchOf(const std::string &script) const
    {
        Launch launch = m_fixture.launchOf("unused", script);
        launch.dir = m_folder + "/job/0/main-0/0";
        return launch;
    }
    bool write(const char *name, const QByteArray &text) const
    {
        QFile file(m_fixture.home->filePath(QString::fromLatin1(name)));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size()
            && file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

private Q_SLOTS:
    void init()
    {
        QVERIFY(m_fixture.begin());
        QVERIFY(m_fixture.agent->start());
        m_folder = m_fixture.agent->hello.stateFolder + "/remote/epoch";
        QVERIFY(m_fixture.agent->ask<Done>(OwnFolder{m_folder}));
        QVERIFY(QDir(folder()).exists());
    }
    void cleanup() { m_fixture.end(); }

    // A launch is repeated to another agent, since the answer to the first one was lost.
    void nothingStartsTwice()
    {
        Launch launch = launchOf("echo began; sleep NAP");
        const auto launched = m_fixture.agent->ask<Launched>(launch);
        QVERIFY(launched && launched->started);
        QTRY_VERIFY(outputOf(launch.dir).contains("began")); // the shell has read its script
        m_fixture.agent->kill9();
        QVERIFY(unmount());
        m_fixture.agent = m_fixture.newAgent();
        QVERIFY(m_fixture.agent->start());
        for (const Message &message : {Message(OwnFolder{m_folder, true}), Message(launch)}) {
            const auto failure = m_fixture.agent->ask<Failure>(message);
            QVERIFY(failure);
            QCOMPARE(failure->code, std::string("observe.away"));
        }
        QVERIFY(!QDir(folder()).exists());
        QVERIFY(mount());
        QVERIFY(m_fixture.agent->ask<Done>(OwnFolder{m_folder, true}));
        const auto adopted = m_fixture.agent->ask<Launched>(launch);
        QVERIFY(adopted && adopted->started);
        QVERIFY2(adopted->state == "adopted", adopted->state.c_str());
        QCOMPARE(adopted->started->process.pid, launched->started->process.pid);
        QVERIFY(m_fixture.stop(launch));
        QVERIFY(m_fixture.agent->exited(launch.dir));
    }

    // A task ends while its folder is not to be seen: what its keeper has written there tells how.
    void endsMeanwhile()
    {
        const Launch launch = launchOf("echo began; read < fifo; exit 3");
        QVERIFY(makeFifo(launch));
        const auto launched = m_fixture.agent->ask<Launched>(launch);
        QVERIFY(launched && launched->started);
        QTRY_VERIFY(outputOf(launch.dir).contains("began")); // the shell has read its script
        const std::optional<KeeperRecord> keeper = readKeeperRecord(launch.dir);
        QVERIFY(keeper);
        m_fixture.agent->kill9();
        m_fixture.agent = m_fixture.newAgent();
        QVERIFY(m_fixture.agent->start());
        const auto observed = m_fixture.agent->ask<Observed>(Observe{launch.dir});
        QVERIFY(observed && observed->state == "running");
        const int fifo = ::open(workFile(launch, "fifo").c_str(), O_RDWR | O_CLOEXEC); // it is not to be found later
        const auto close = qScopeGuard([fifo] { ::close(fifo); });
        QVERIFY(fifo >= 0 && unmount());
        QCOMPARE(::write(fifo, "\n", 1), ssize_t(1));
        QTRY_VERIFY(!isAlive(keeper->process));
        // Who is asked twice has also seen the end of the keeper.
        for (int i = 0; i < 2; ++i) {
            const auto known = m_fixture.agent->ask<Observed>(Observe{launch.dir});
            QVERIFY(known);
            QCOMPARE(known->state, std::string("running"));
        }
        QVERIFY(mount());
        const auto exited = m_fixture.agent->exited(launch.dir);
        QVERIFY(exited);
        QVERIFY2(exited->exit.kind == ExitKind::Exited, exited->exit.format().c_str());
        QCOMPARE(exited->exit.value, 3);
    }

    // A launch that waits for the login shell is stopped meanwhile. Nobody can tell whether an earlier one has begun.
    void whatIsStoppedMeanwhileIsNotTakenForStopped()
    {
        m_fixture.agent = m_fixture.newAgent();
        QVERIFY(write("shell", "#!/bin/sh\nuntil [ -e \"$HOME/gate\" ]; do sleep 0.02; done\nexec /bin/bash \"$@\"\n"));
        m_fixture.agent->environment.insert(QStringLiteral("SHELL"), m_fixture.home->filePath(QStringLiteral("shell")));
        QVERIFY(m_fixture.agent->start());
        QVERIFY(m_fixture.agent->ask<Done>(OwnFolder{m_folder, true}));
        Launch launch = launchOf("echo began");
        launch.cleanEnvironment = false;
        const std::int64_t held = m_fixture.agent->send(launch);
        QVERIFY(m_fixture.agent->ask<PortsReply>(Ports{})); // it is held by now
        QVERIFY(unmount());
        Stop stop;
        stop.dir = launch.dir;
        for (const auto &failure : {m_fixture.agent->ask<Failure>(stop), m_fixture.agent->answer<Failure>(held)}) {
            QVERIFY(failure);
            QCOMPARE(failure->code, std::string("observe.away"));
        }
        QVERIFY(write("gate", "x"));
        QVERIFY(!QDir(folder()).exists());
    }

    void noFilesAreWrittenThere()
    {
        QVERIFY(unmount());
        const std::string state = m_fixture.agent->hello.stateFolder;
        for (const std::string &path : {m_folder + "/job/checkpoint/a", state + "/code/contents/aa/a"}) {
            const auto failure
                = m_fixture.agent->answer<Failure>(m_fixture.agent->send(Put{path, 0, 0600, true, true}, "x"));
            QVERIFY(failure);
            QCOMPARE(failure->systemError, ENOENT);
        }
        Code code;
        code.dir = m_folder + "/job/code-a";
        const auto failure = m_fixture.agent->ask<Failure>(code);
        QVERIFY(failure);
        QCOMPARE(failure->code, std::string("observe.away"));
        StorePiece step;
        step.step = "begin";
        step.dir = m_folder + "/job/results";
        step.path = "a.csv";
        const auto stored = m_fixture.agent->ask<Stored>(step);
        QVERIFY(stored);
        QCOMPARE(stored->systemError, ESTALE);
        QVERIFY(!QDir(folder()).exists());
        QVERIFY(!QDir(QString::fromStdString(state + "/code")).exists());
    }

    // One that its engine has had removed is not missed: code goes to the host as before.
    void isNotMissedAfterItsRemoval()
    {
        QVERIFY(unmount());
        const std::string content = m_fixture.agent->hello.stateFolder + "/code/contents/aa/a";
        const auto put = [&] { return m_fixture.agent->send(Put{content, 0, 0600, true, true}, "x"); };
        QVERIFY(m_fixture.agent->ask<Belongings>(LookThrough{"epoch", true, false}));
        QVERIFY(m_fixture.agent->answer<Failure>(put()));
        QVERIFY(m_fixture.agent->ask<Belongings>(LookThrough{"epoch", true, true}));
        QVERIFY(m_fixture.agent->answer<Done>(put()));
    }

    // One that cannot be made is not missed: a launch says why, and does not wait for it to come back.
    void whatCannotBeMadeIsNotAway()
    {
        const QString remote = m_fixture.home->filePath(QStringLiteral("other/remote"));
        QVERIFY(QDir().mkpath(m_fixture.home->filePath(QStringLiteral("other"))));
        QVERIFY(QFile::link(QStringLiteral("/proc/nowhere/remote"), remote));
        const std::string dir = remote.toStdString() + "/epoch";
        Launch launch = launchOf("echo began");
        launch.dir = dir + "/job/0/main-0/0";
        const auto failure = m_fixture.agent->ask<Failure>(OwnFolder{dir});
        QVERIFY(failure);
        QCOMPARE(failure->code, std::string("launch.folder-unwritable"));
        QCOMPARE(failure->systemError, ENOENT);
        const auto launched = m_fixture.agent->ask<Launched>(launch);
        QVERIFY(launched && launched->exit);
        QVERIFY2(launched->exit->reason.starts_with("launch.folder-unwritable"), launched->exit->reason.c_str());
        QCOMPARE(launched->exit->value, ENOENT);
    }

    // One that was removed with everything in it is made anew; and no other folder passes for one.
    void isMadeAnew()
    {
        QVERIFY(unmount());
        QVERIFY(m_fixture.agent->ask<Failure>(OwnFolder{m_folder, true}));
        QVERIFY(m_fixture.agent->ask<Done>(OwnFolder{m_folder}));
        const Launch launch = launchOf("echo began");
        QVERIFY(m_fixture.runToEnd(launch));
        QCOMPARE(outputOf(launch.dir), QByteArray("began\n"));
        for (const std::string &dir : {std::string("remote/epoch"), m_folder + "/job", m_folder + "/../epoch"}) {
            const auto failure = m_fixture.agent->ask<Failure>(OwnFolder{dir});
            QVERIFY(failure);
            QCOMPARE(failure->code, std::string("put.malformed"));
        }
    }
};

TRAINYARD_TEST(TstOwnFolder)
#include "tst_ownfolder.moc"
