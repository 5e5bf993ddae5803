// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/containertask.h"
#include "engine/agent/keeper.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace trainyard::contract;

// What a keeper and an agent do about a container, with a container program that does as it is told by files. (The real
// one is in the tests of the daemon.)
class TstContainerTask : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup() { m_fixture.end(); }

    void pauseWithAWarning();
    void stoppedBeforeItsShellReads();
    void stoppedWhileTheServiceHangs();
    void removedWhileTheServiceHangs();
    void keeperKilledBeforeTheStart_data();
    void keeperKilledBeforeTheStart();
    void serviceIsAway_data();
    void serviceIsAway();
    void forgedRecord_data();
    void forgedRecord();
    void keyOfADeadTask_data();
    void keyOfADeadTask();
    void wordsOfAPullAreMasked();
    void monitorKilled_data();
    void monitorKilled();
    void recoveredByWhoCouldNotRead();
    void unreadableContainerRecord();

private:
    AgentFixture m_fixture;

    QString path(const char *name) const { return m_fixture.home->filePath(QLatin1String(name)); }
    bool isThere(const char *name) const { return QFile::exists(path(name)); }
    bool make(const char *name) const { return QFile(path(name)).open(QIODevice::WriteOnly); }
    Launch containerLaunch(const char *name) const;
};
TRAINYARD_TEST(TstContainerTask)

// "x-asked" says that the program was asked for x, "x-go" lets it do that, "x-away" makes its service be away,
// "x-hangs" has the seconds for which it does not answer, "rm-starves" makes whoever asks for a removal unable to open
// files, once, and "image-missing" is for itself.
void TstContainerTask::init()
{
    QVERIFY(m_fixture.begin());
    QCOMPARE(makeFolders(path("bin").toStdString()), 0);
    QFile program(path("bin/podman"));
    QVERIFY(program.open(QIODevice::WriteOnly));
    program.write("#!/bin/bash\ncd \"${0%/*}/..\"\n: > \"$1-asked\"\n"
                  "if [ -e \"$1-away\" ]; then\n"
                  "  echo 'Cannot connect to the Docker daemon at unix:///x. Is the docker daemon running?' >&2\n"
                  "  echo\n"
                  "  exit 1\n"
                  "fi\n"
                  "if [ $1 = image ] && [ -e image-missing ]; then exit 1; fi\n"
                  "if [ -e \"$1-hangs\" ]; then exec sleep \"$(cat \"$1-hangs\")\"; fi\n"
                  "if [ -e \"$1-says\" ]; then cat \"$1-says\" >&2; exit 1; fi\n"
                  "if [ $1 = run ] && [ -e run-starts ]; then\n"
                  "  sleep $(cat run-starts) </dev/null >/dev/null 2>&1 &\n  echo $! > main\nfi\n"
                  "main=0; if [ -e main ]; then main=$(cat main); fi\n"
                  "if [ $1 = rm ] && [ -e rm-starves ]; then rm rm-starves; prlimit --pid $PPID --nofile=5:; fi\n"
                  "case $1 in\n"
                  "  run | exec | wait) until [ -e \"$1-go\" ]; do sleep 0.02; done;;\n"
                  "esac\n"
                  "case $1 in\n"
                  "  exec) echo 'a warning' >&2; : > paused;;\n"
                  "  wait) echo 0;;\n"
                  "  inspect) echo '0 false running '$main' \"2024-01-01T00:00:00Z\" ';;\n"
                  "esac\n");
    program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    m_fixture.agent->environment.insert(QStringLiteral("PATH"), path("bin") + QStringLiteral(":/usr/bin:/bin"));
}

Launch TstContainerTask::containerLaunch(const char *name) const
{
    Launch launch = m_fixture.launchOf(name, "true");
    launch.plan.container.runtime = "podman";
    launch.plan.container.image = "image";
    launch.plan.container.name = "trainyard-" + launch.plan.tryUuid;
    launch.plan.container.run = {"podman", "run", "-d", "image"};
    return launch;
}

// The program may complain before it does what it is told: somebody has to listen.
void TstContainerTask::pauseWithAWarning()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = containerLaunch("paused");
    QVERIFY(make("run-go"));
    const auto launched = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(launched);
    QVERIFY2(launched->state == "launched", launched->exit ? launched->exit->format().c_str() : "");
    QVERIFY(m_fixture.agent->ask<Done>(Pause{launch.dir, true}));
    QVERIFY(make("exec-go"));
    QTRY_VERIFY(isThere("paused"));
    QVERIFY(make("wait-go"));
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited && exited->exit.kind == ExitKind::Exited && exited->exit.value == 0);
}

// The commands are longer than what a pipe takes, and nobody in the container takes them.
void TstContainerTask::stoppedBeforeItsShellReads()
{
    QVERIFY(m_fixture.agent->start());
    Launch launch = containerLaunch("unread");
    launch.script = std::string(200'000, '#') + '\n';
    QVERIFY(make("run-go"));
    const auto launched = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(launched);
    QVERIFY2(launched->state == "launched", launched->exit ? launched->exit->format().c_str() : "");
    QVERIFY(m_fixture.stop(launch));
    QTRY_VERIFY_WITH_TIMEOUT(isThere("stop-asked"), 15000);
    QVERIFY(make("wait-go"));
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited && exited->stop);
}

// A service that neither answers nor ends keeps nobody from stopping the task.
void TstContainerTask::stoppedWhileTheServiceHangs()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = containerLaunch("hangs");
    QFile hangs(path("image-hangs"));
    QVERIFY(hangs.open(QIODevice::WriteOnly) && hangs.write(m_fixture.nap) > 0);
    hangs.close();
    const std::int64_t id = m_fixture.agent->send(launch);
    QTRY_VERIFY(isThere("image-asked"));
    Stop wish;
    wish.dir = launch.dir;
    wish.graceMs = 1000;
    m_fixture.agent->send(wish);
    const auto launched = m_fixture.agent->answer<Launched>(id);
    QVERIFY(launched && launched->exit);
    QCOMPARE(launched->exit->reason, std::string("launch.stopped"));
    QVERIFY(!isThere("run-asked"));
}

void TstContainerTask::removedWhileTheServiceHangs()
{
    QFile hangs(path("kill-hangs"));
    QVERIFY(hangs.open(QIODevice::WriteOnly) && hangs.write(m_fixture.nap) > 0);
    hangs.close();
    const ContainerRecord record{"podman", "trainyard-x", "image"};
    const std::vector<std::string> environment{"PATH=" + path("bin").toStdString() + ":/usr/bin:/bin"};
    QVERIFY(!trainyard::agent::removeContainer(record, environment, false, 300));
    QVERIFY(isThere("kill-asked"));
    QVERIFY(!isThere("rm-asked"));
}

void TstContainerTask::keeperKilledBeforeTheStart_data()
{
    QTest::addColumn<bool>("withAgent");
    QTest::newRow("the agent sees it") << false;
    QTest::newRow("another agent finds it") << true;
}

// It has not begun, and leaves no container that waits for ever for what it is to do.
void TstContainerTask::keeperKilledBeforeTheStart()
{
    QFETCH(bool, withAgent);
    QVERIFY(m_fixture.agent->start());
    const Launch launch = containerLaunch("orphan");
    const std::int64_t id = m_fixture.agent->send(launch);
    QTRY_VERIFY(isThere("run-asked"));
    const auto keeper = readKeeperRecord(launch.dir);
    QVERIFY(keeper && readContainerRecord(launch.dir));
    if (withAgent) {
        m_fixture.agent->kill9();
    }
    ::kill(static_cast<pid_t>(keeper->process.pid), SIGKILL);
    std::optional<ExitRecord> exit;
    if (withAgent) {
        QTRY_VERIFY(!isAlive(keeper->process));
        m_fixture.agent = m_fixture.newAgent();
        m_fixture.agent->environment.insert(QStringLiteral("PATH"), path("bin") + QStringLiteral(":/usr/bin:/bin"));
        QVERIFY(m_fixture.agent->start());
        const auto observed = m_fixture.agent->ask<Observed>(Observe{launch.dir});
        QVERIFY(observed);
        QCOMPARE(observed->state, std::string("ended"));
        QCOMPARE(observed->tryUuid, launch.plan.tryUuid);
        exit = observed->exit;
    } else {
        const auto launched = m_fixture.agent->answer<Launched>(id);
        QVERIFY(launched);
        QCOMPARE(launched->state, std::string("ended"));
        QCOMPARE(launched->tryUuid, launch.plan.tryUuid);
        exit = launched->exit;
    }
    QVERIFY(exit && exit->kind == ExitKind::StartFailed);
    QCOMPARE(exit->reason, std::string("launch.keeper-died"));
    QTRY_VERIFY(isThere("rm-asked"));
    QTRY_VERIFY(!readContainerRecord(launch.dir));
    QVERIFY(readExitRecord(launch.dir) == exit);
}

void TstContainerTask::serviceIsAway_data()
{
    QTest::addColumn<QByteArray>("at");
    QTest::newRow("when the image is looked for") << QByteArray("image");
    QTest::newRow("when it is fetched") << QByteArray("pull");
    QTest::newRow("when the container is made") << QByteArray("run");
}

// It says nothing about the image, which may be there.
void TstContainerTask::serviceIsAway()
{
    QFETCH(QByteArray, at);
    QVERIFY(m_fixture.agent->start());
    Launch launch = containerLaunch("away");
    launch.plan.container.pullImage = "docker.io/image";
    const QByteArray away = at + "-away";
    QVERIFY(make(away.constData()));
    QVERIFY(at != "pull" || make("image-missing"));
    const auto launched = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(launched);
    QCOMPARE(launched->state, std::string("ended"));
    QVERIFY(launched->exit && launched->exit->kind == ExitKind::StartFailed);
    QCOMPARE(launched->exit->reason,
        std::string("launch.container-service Cannot connect to the Docker daemon at unix:///x. Is the docker daemon "
                    "running?"));
}

void TstContainerTask::forgedRecord_data()
{
    QTest::addColumn<bool>("beside");
    QTest::newRow("in the folder, which a container can write to") << false;
    QTest::newRow("beside it") << true;
}

// What is run after the keeper is killed is not what somebody has written down.
void TstContainerTask::forgedRecord()
{
    QFETCH(bool, beside);
    QVERIFY(m_fixture.agent->start());
    const Launch launch = containerLaunch("forged");
    const std::int64_t id = m_fixture.agent->send(launch);
    QTRY_VERIFY(isThere("run-asked"));
    const auto keeper = readKeeperRecord(launch.dir);
    QVERIFY(keeper);
    QFile evil(path("evil"));
    QVERIFY(evil.open(QIODevice::WriteOnly));
    evil.write("#!/bin/sh\n: > '" + QFile::encodeName(path("evil-ran")) + "'\n");
    evil.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    evil.close();
    const ContainerRecord record{path("evil").toStdString(), launch.plan.container.name, "image"};
    const std::string where = beside ? containerRecordPath(launch.dir) : launch.dir + "/container";
    QCOMPARE(writeAtomically(where, record.format(), false), 0);
    ::kill(static_cast<pid_t>(keeper->process.pid), SIGKILL);
    const auto launched = m_fixture.agent->answer<Launched>(id);
    QVERIFY(launched && launched->exit);
    QCOMPARE(launched->exit->reason, std::string("launch.keeper-died"));
    QVERIFY(beside || isThere("rm-asked"));
    QVERIFY(!isThere("evil-ran"));
}

void TstContainerTask::keyOfADeadTask_data()
{
    QTest::addColumn<QByteArray>("folder");
    QTest::newRow("in a container") << QByteArray("inside");
    QTest::newRow("in a shell, or in a container of an earlier version") << QByteArray();
}

// Also of a try that an earlier version has started.
void TstContainerTask::keyOfADeadTask()
{
    QFETCH(QByteArray, folder);
    QVERIFY(m_fixture.agent->start());
    const Launch launch = containerLaunch("key");
    const std::int64_t id = m_fixture.agent->send(launch);
    QTRY_VERIFY(isThere("run-asked"));
    const auto keeper = readKeeperRecord(launch.dir);
    QVERIFY(keeper);
    const std::string ssh = launch.dir + '/' + folder.toStdString() + "/ssh";
    QCOMPARE(makeFolders(ssh), 0);
    QCOMPARE(writeAtomically(ssh + "/key", "k", false), 0);
    QCOMPARE(writeAtomically(ssh + "/config", "c", false), 0);
    if (folder.isEmpty()) { // the only one that it has
        QVERIFY(QDir(QString::fromStdString(launch.dir + '/' + file::inside)).removeRecursively());
    }
    ::kill(static_cast<pid_t>(keeper->process.pid), SIGKILL);
    const auto launched = m_fixture.agent->answer<Launched>(id);
    QVERIFY(launched && launched->exit);
    QCOMPARE(launched->exit->reason, std::string("launch.keeper-died"));
    QVERIFY(!readWhole(ssh + "/key"));
    QVERIFY(readWhole(ssh + "/config"));
}

// A registry, or an address with a password, may be repeated by the program that fetches.
void TstContainerTask::wordsOfAPullAreMasked()
{
    QVERIFY(m_fixture.agent->start());
    Launch launch = containerLaunch("masked");
    launch.plan.container.pullImage = "docker.io/image";
    launch.maskValues = {"s3cr3t-word"};
    QVERIFY(make("image-missing"));
    QFile says(path("pull-says"));
    QVERIFY(says.open(QIODevice::WriteOnly));
    says.write("Error: cannot talk to https://me:s3cr3t-word@registry/ at all\n");
    says.close();
    const auto launched = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(launched && launched->exit);
    QCOMPARE(launched->exit->reason,
        std::string("launch.image-failed Error: cannot talk to https://me:******@registry/ at all"));
    QVERIFY(!fileText(launch.dir, file::runtime).contains("s3cr3t"));
    QVERIFY(!fileText(launch.dir, file::exit).contains("s3cr3t"));
}

void TstContainerTask::monitorKilled_data()
{
    QTest::addColumn<bool>("inherited");
    QTest::newRow("the keeper inherits the container") << true;
    QTest::newRow("somebody else does") << false;
}

// The container has ended, and the program that would say so never does: the monitor that knew was killed.
void TstContainerTask::monitorKilled()
{
    QFETCH(bool, inherited);
    QVERIFY(m_fixture.agent->start());
    const Launch launch = containerLaunch("unwatched");
    QProcess stranger;
    if (inherited) {
        QFile starts(path("run-starts"));
        QVERIFY(starts.open(QIODevice::WriteOnly) && starts.write(m_fixture.nap) > 0);
    } else {
        stranger.start(QStringLiteral("sleep"), {QString::fromLatin1(m_fixture.nap)});
        QVERIFY(stranger.waitForStarted());
        QFile main(path("main"));
        QVERIFY(main.open(QIODevice::WriteOnly) && main.write(QByteArray::number(stranger.processId())) > 0);
    }
    QVERIFY(make("run-go"));
    const auto launched = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(launched && launched->started);
    QVERIFY(launched->started->process.pid > 0);
    QTRY_VERIFY(isThere("wait-asked"));
    ::kill(static_cast<pid_t>(launched->started->process.pid), SIGKILL);
    if (!inherited) {
        QVERIFY(stranger.waitForFinished());
    }
    const auto exited = m_fixture.agent->exited(launch.dir, 40000);
    QVERIFY(exited);
    if (inherited) {
        QVERIFY(exited->exit.kind == ExitKind::Exited);
        QCOMPARE(exited->exit.value, 128 + SIGKILL);
    } else {
        QVERIFY(exited->exit.kind == ExitKind::Lost);
        QCOMPARE(exited->exit.reason, "container.monitor-died " + launch.plan.container.name);
    }
    QTRY_VERIFY(isThere("rm-asked"));
    QTRY_VERIFY(!readContainerRecord(launch.dir));
}

// Who finishes what a keeper has left cannot read the records, and a moment later the agent can: that is no end of a
// try whose processes run.
void TstContainerTask::recoveredByWhoCouldNotRead()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = containerLaunch("starved");
    QVERIFY(make("run-go"));
    const auto launched = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(launched && launched->started);
    QProcess left;
    left.start(QStringLiteral("env"),
        {QStringLiteral("TRAINYARD_TRY=") + QString::fromStdString(launch.plan.tryUuid), QStringLiteral("sleep"),
            QString::fromLatin1(m_fixture.nap)});
    QVERIFY(left.waitForStarted());
    const auto keeper = readKeeperRecord(launch.dir);
    QVERIFY(keeper && make("rm-starves"));
    ::kill(static_cast<pid_t>(keeper->process.pid), SIGKILL);
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited);
    QVERIFY(!isThere("rm-starves"));
    QVERIFY2(exited->exit.kind == ExitKind::Lost, exited->exit.format().c_str());
    QCOMPARE(exited->tryUuid, launch.plan.tryUuid);
    QVERIFY(readExitRecord(launch.dir) == exited->exit);
    QVERIFY(left.state() == QProcess::NotRunning || left.waitForFinished());
    QCOMPARE(left.exitStatus(), QProcess::CrashExit);
}

// Whether there is a container is not known then: neither its processes nor the try are ended.
void TstContainerTask::unreadableContainerRecord()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = containerLaunch("unseen");
    QVERIFY(make("run-go"));
    const auto launched = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(launched && launched->started);
    const auto keeper = readKeeperRecord(launch.dir);
    QVERIFY(keeper);
    m_fixture.agent->kill9();
    ::kill(static_cast<pid_t>(keeper->process.pid), SIGKILL);
    QTRY_VERIFY(!isAlive(keeper->process));
    const auto recoverNow = [&] {
        trainyard::agent::KeeperTask task;
        task.launch.dir = launch.dir;
        task.launch.plan.tryUuid = launch.plan.tryUuid;
        task.bootId = currentBootId();
        task.clientEnvironment = {"PATH=" + path("bin").toStdString() + ":/usr/bin:/bin"};
        task.lock = ::open((launch.dir + '/' + file::lock).c_str(), O_RDWR | O_CLOEXEC);
        task.notes = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
        const pid_t pid = ::flock(task.lock, LOCK_EX | LOCK_NB) == 0 ? trainyard::agent::forkRecovery(task) : -1;
        ::close(task.lock);
        ::close(task.notes);
        return pid > 0 && ::waitpid(pid, nullptr, 0) == pid;
    };
    const QString record = QString::fromStdString(containerRecordPath(launch.dir)), kept = path("kept");
    QVERIFY(QFile::rename(record, kept));
    // Nobody can read the first byte of its own memory.
    QCOMPARE(::symlink("/proc/self/mem", QFile::encodeName(record).constData()), 0);
    QVERIFY(recoverNow());
    QVERIFY(!readExitRecord(launch.dir));
    QVERIFY(!isThere("rm-asked"));
    QVERIFY(QFile::remove(record) && QFile::rename(kept, record));
    QVERIFY(recoverNow());
    const auto exit = readExitRecord(launch.dir);
    QVERIFY(exit && exit->kind == ExitKind::Lost);
    QVERIFY(isThere("rm-asked"));
    QVERIFY(!readContainerRecord(launch.dir));
}

#include "tst_containertask.moc"
