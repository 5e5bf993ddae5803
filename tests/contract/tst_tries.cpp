// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QScopeGuard>
#include <QTcpServer>
#include <QTest>

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

using namespace trainyard::contract;

// How a try begins, and that neither the death of the agent nor of a keeper loses or doubles anything.
class TstTries : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_fixture.begin()); }
    void cleanup() { m_fixture.end(); }

    void launchTwice();
    void launchAfterTheEnd();
    void nothingIsKnownOfWhatIsAway();
    void portBusy();
    void gpuLock();
    void gpuLockOfAStranger_data();
    void gpuLockOfAStranger();
    void gpuShared();
    void agentKilled();
    void keeperKilled();
    void keeperKilledUnseen();
    void keeperKilledWithoutItsFolder();
    void keeperKilledWithoutRoomForAProcess();
    void agentKilledBeforeTheTaskBegan();
    void aLaunchAfterItsStop();
    void aStopOfWhatIsGoneMakesNoFolder();
    void unreadableIsNotAbsent();
    void unreadableRecordsAreNotAbsent();
    void aTaskWithPipesForItsRecords();
    void startedByWhoIgnoresSignals();

private:
    AgentFixture m_fixture;
};
TRAINYARD_TEST(TstTries)

void TstTries::launchTwice()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("twice", "echo began; read < fifo; echo went on");
    QVERIFY(makeFifo(launch));
    // Both before the first is answered.
    const std::int64_t first = m_fixture.agent->send(launch);
    const std::int64_t second = m_fixture.agent->send(launch);
    const auto one = m_fixture.agent->answer<Launched>(first);
    const auto two = m_fixture.agent->answer<Launched>(second);
    QVERIFY(one && two);
    QCOMPARE(one->state, std::string("launched"));
    QCOMPARE(two->state, std::string("adopted"));
    QVERIFY(one->started == two->started);
    // And by another agent at the same time.
    const std::unique_ptr<AgentDriver> other = m_fixture.newAgent();
    QVERIFY(other->start());
    const auto three = other->ask<Launched>(launch);
    QVERIFY(three && three->state == "adopted" && three->started == one->started);
    QVERIFY(writeToFifo(launch));
    QVERIFY(m_fixture.agent->exited(launch.dir));
    const auto seen = other->exited(launch.dir);
    QVERIFY(seen && seen->exit.value == 0);
    QCOMPARE(outputOf(launch.dir), QByteArray("began\nwent on\n"));
}

void TstTries::launchAfterTheEnd()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("again", "echo once; exit 4");
    const auto exited = m_fixture.runToEnd(launch);
    QVERIFY(exited);
    const auto again = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(again);
    QCOMPARE(again->state, std::string("ended"));
    QVERIFY(again->exit == exited->exit);
    QCOMPARE(again->tryUuid, launch.plan.tryUuid);
    QCOMPARE(outputOf(launch.dir), QByteArray("once\n"));
    const auto observed = m_fixture.agent->ask<Observed>(Observe{launch.dir});
    QVERIFY(observed && observed->state == "ended" && observed->exit == exited->exit && observed->outputBytes == 5);
    const auto absent = m_fixture.agent->ask<Observed>(Observe{m_fixture.folder("nothing")});
    QVERIFY(absent && absent->state == "absent");
}

// The home folder, with all that an engine has here, is not mounted: that nothing is seen says nothing of a try.
void TstTries::nothingIsKnownOfWhatIsAway()
{
    QVERIFY(m_fixture.agent->start());
    const QString engine = m_fixture.home->filePath(QStringLiteral("state/trainyard/remote/epoch"));
    const std::string dir = engine.toStdString() + "/runs/job/0/main-0/0";
    const auto away = m_fixture.agent->ask<Failure>(Observe{dir});
    QVERIFY(away && away->code == "observe.away" && away->systemError == ENOENT);
    const auto log = m_fixture.agent->ask<Failure>(Follow{dir, 0, 0, 0, 0, false});
    QVERIFY(log && log->code == "follow.away");
    // It is there, and has no such try.
    QVERIFY(QDir().mkpath(engine));
    const auto absent = m_fixture.agent->ask<Observed>(Observe{dir});
    QVERIFY(absent && absent->state == "absent");
    const auto unknown = m_fixture.agent->ask<Failure>(Follow{dir, 0, 0, 0, 0, false});
    QVERIFY(unknown && unknown->code == "follow.unknown");
}

void TstTries::portBusy()
{
    QVERIFY(m_fixture.agent->start());
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::AnyIPv4));
    Launch launch = m_fixture.launchOf("port", "true");
    launch.checkPorts = {server.serverPort()};
    const auto refused = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(refused && refused->exit);
    QCOMPARE(refused->exit->reason, "launch.port-busy " + std::to_string(server.serverPort()));
    server.close();
    Launch second = m_fixture.launchOf("port2", "true");
    second.checkPorts = launch.checkPorts;
    QVERIFY(m_fixture.runToEnd(second));
}

void TstTries::gpuLock()
{
    QVERIFY(m_fixture.agent->start());
    Launch first = m_fixture.launchOf("gpu1", "read < fifo");
    first.gpuLocks = {"GPU-0", "GPU-1"};
    first.gpuLockFolder = m_fixture.home->filePath(QStringLiteral("locks")).toStdString();
    // As a keeper that was killed right after it had made the folder has left it: others need it as well.
    QCOMPARE(::mkdir(first.gpuLockFolder.c_str(), 0755), 0);
    QVERIFY(makeFifo(first));
    QVERIFY(m_fixture.agent->ask<Launched>(first));
    struct stat folder {
    };
    QCOMPARE(::lstat(first.gpuLockFolder.c_str(), &folder), 0);
    QCOMPARE(folder.st_mode & 07777, mode_t(01777));
    Launch second = m_fixture.launchOf("gpu2", "true");
    second.gpuLocks = {"GPU-1"};
    second.gpuLockFolder = first.gpuLockFolder;
    const auto refused = m_fixture.agent->ask<Launched>(second);
    QVERIFY(refused && refused->exit);
    QCOMPARE(refused->exit->reason, std::string("launch.gpu-busy GPU-1"));
    Stop stop;
    stop.dir = first.dir;
    QVERIFY(m_fixture.agent->ask<Observed>(stop));
    QVERIFY(m_fixture.agent->exited(first.dir));
    Launch third = m_fixture.launchOf("gpu3", "true");
    third.gpuLocks = {"GPU-1"};
    third.gpuLockFolder = first.gpuLockFolder;
    const auto keeper = readKeeperRecord(first.dir);
    QTRY_VERIFY(!isAlive(keeper->process));
    QVERIFY(m_fixture.runToEnd(third));
}

void TstTries::gpuLockOfAStranger_data()
{
    QTest::addColumn<QString>("what");
    for (const char *what : {"pipe", "link", "second name", "folder", "link for the folder"}) {
        QTest::newRow(what) << QString::fromLatin1(what);
    }
}

// Everybody may write to the folder: what lies there neither holds a keeper up nor leads it elsewhere.
void TstTries::gpuLockOfAStranger()
{
    QFETCH(QString, what);
    const QString folder = m_fixture.home->filePath(QStringLiteral("locks"));
    const QByteArray lock = QFile::encodeName(folder + QStringLiteral("/GPU-0.lock"));
    QFile mine(m_fixture.home->filePath(QStringLiteral("mine")));
    QVERIFY(mine.open(QIODevice::WriteOnly) && mine.write("dear") == 4);
    mine.close();
    const QByteArray minePath = QFile::encodeName(mine.fileName());
    if (what == QLatin1StringView("link for the folder")) {
        QVERIFY(QDir().mkdir(m_fixture.home->filePath(QStringLiteral("elsewhere"))));
        QVERIFY(QFile::link(QStringLiteral("elsewhere"), folder));
    } else {
        QVERIFY(QDir().mkdir(folder));
    }
    if (what == QLatin1StringView("pipe")) {
        QCOMPARE(::mkfifo(lock.constData(), 0444), 0);
    } else if (what == QLatin1StringView("link")) {
        QCOMPARE(::symlink(minePath.constData(), lock.constData()), 0);
    } else if (what == QLatin1StringView("second name")) {
        QCOMPARE(::link(minePath.constData(), lock.constData()), 0);
    } else if (what == QLatin1StringView("folder")) {
        QCOMPARE(::mkdir(lock.constData(), 0777), 0);
    }
    QVERIFY(m_fixture.agent->start());
    Launch launch = m_fixture.launchOf("gpu", "true");
    launch.gpuLocks = {"GPU-0"};
    launch.gpuLockFolder = folder.toStdString();
    const auto refused = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(refused && refused->exit);
    QCOMPARE(refused->exit->reason, std::string("launch.gpu-lock-failed GPU-0"));
    QVERIFY(mine.open(QIODevice::ReadOnly));
    QCOMPARE(mine.readAll(), QByteArray("dear"));
    QVERIFY(QDir(m_fixture.home->filePath(QStringLiteral("elsewhere"))).isEmpty());
}

// As many as their memory allows, of whichever engine; nobody beside one that has it for itself.
void TstTries::gpuShared()
{
    QVERIFY(m_fixture.agent->start());
    const auto launchOf = [&](const char *name, std::int64_t share) {
        Launch launch = m_fixture.launchOf(name, "read < fifo");
        launch.gpuLocks = {"GPU-0", "GPU-1"};
        launch.gpuMemoryMiB = {8000, 9000};
        launch.gpuShareMiB = share;
        launch.gpuLockFolder = m_fixture.home->filePath(QStringLiteral("locks")).toStdString();
        [&] { QVERIFY(makeFifo(launch)); }();
        return launch;
    };
    const auto outcome = [&](const Launch &launch) -> std::string {
        const auto launched = m_fixture.agent->ask<Launched>(launch);
        return !launched ? "no answer" : launched->exit ? launched->exit->reason : launched->state;
    };
    const auto end = [&](const Launch &launch) {
        Stop stop;
        stop.dir = launch.dir;
        const auto keeper = readKeeperRecord(launch.dir);
        m_fixture.agent->ask<Observed>(stop);
        return m_fixture.agent->exited(launch.dir) && keeper
            && QTest::qWaitFor([&] { return !isAlive(keeper->process); });
    };
    const Launch first = launchOf("share1", 3000);
    const Launch second = launchOf("share2", 3000);
    QCOMPARE(outcome(first), std::string("launched"));
    QCOMPARE(outcome(second), std::string("launched"));
    QCOMPARE(outcome(launchOf("share3", 2001)), std::string("launch.gpu-busy GPU-0"));
    QCOMPARE(outcome(launchOf("alone1", 0)), std::string("launch.gpu-busy GPU-0"));
    QVERIFY(end(first));
    // The hole that it left and what was free behind the other make one share.
    const Launch fourth = launchOf("share4", 5000);
    QCOMPARE(outcome(fourth), std::string("launched"));
    QCOMPARE(outcome(launchOf("share5", 1)), std::string("launch.gpu-busy GPU-0"));
    QVERIFY(end(second));
    QVERIFY(end(fourth));
    const Launch alone = launchOf("alone2", 0);
    QCOMPARE(outcome(alone), std::string("launched"));
    QCOMPARE(outcome(launchOf("share6", 1)), std::string("launch.gpu-busy GPU-0"));
    // One who has it still, but not for long, is waited for.
    Stop stop;
    stop.dir = alone.dir;
    QVERIFY(m_fixture.agent->ask<Observed>(stop));
    QVERIFY(m_fixture.agent->exited(alone.dir));
    const Launch last = launchOf("share7", 8000);
    QCOMPARE(outcome(last), std::string("launched"));
    QVERIFY(end(last));
}

void TstTries::agentKilled()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("survivor",
        "for ((i = 0; i < 4000; i++)); do echo line $i; done; read < fifo; "
        "for ((; i < 5000; i++)); do echo line $i; done; exit 5");
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_VERIFY(outputOf(launch.dir).contains("line 10\n"));
    m_fixture.agent->kill9();
    m_fixture.agent = m_fixture.newAgent();
    QVERIFY(m_fixture.agent->start());
    const auto observed = m_fixture.agent->ask<Observed>(Observe{launch.dir});
    QVERIFY(observed);
    QCOMPARE(observed->state, std::string("running"));
    QCOMPARE(observed->tryUuid, launch.plan.tryUuid);
    QVERIFY(writeToFifo(launch));
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited);
    QCOMPARE(exited->exit.value, 5);
    QByteArray expected;
    for (int i = 0; i < 5000; ++i) {
        expected += "line " + QByteArray::number(i) + '\n';
    }
    QVERIFY(outputOf(launch.dir) == expected);
    QVERIFY(indexIsWhole(launch.dir, quint64(expected.size())));
}

void TstTries::keeperKilled()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch
        = m_fixture.launchOf("orphaned", "setsid sleep NAP & setsid env -i sleep NAP & echo up; sleep NAP");
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_COMPARE(outputOf(launch.dir), QByteArray("up\n"));
    QTRY_COMPARE(processesWith(m_fixture.nap).size(), 3);
    const auto keeper = readKeeperRecord(launch.dir);
    QVERIFY(keeper);
    ::kill(static_cast<pid_t>(keeper->process.pid), SIGKILL);
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited);
    QVERIFY(exited->exit.kind == ExitKind::Lost);
    QCOMPARE(exited->exit.reason, std::string("keeper.died"));
    QCOMPARE(exited->exit.bytes, std::uint64_t(3));
    QVERIFY(readExitRecord(launch.dir) == exited->exit);
    QVERIFY(processesWith(m_fixture.nap).isEmpty());
}

void TstTries::keeperKilledUnseen()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("unseen", "echo up; sleep NAP");
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_COMPARE(outputOf(launch.dir), QByteArray("up\n"));
    const auto keeper = readKeeperRecord(launch.dir);
    m_fixture.agent->kill9();
    ::kill(static_cast<pid_t>(keeper->process.pid), SIGKILL);
    QTRY_VERIFY(!isAlive(keeper->process));
    m_fixture.agent = m_fixture.newAgent();
    QVERIFY(m_fixture.agent->start());
    // Launching it again finds the truth and never runs it twice.
    const auto again = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(again && again->state == "ended" && again->exit && again->exit->kind == ExitKind::Lost);
    QVERIFY(processesWith(m_fixture.nap).isEmpty());
    const auto observed = m_fixture.agent->ask<Observed>(Observe{launch.dir});
    QVERIFY(observed && observed->state == "ended" && observed->exit->kind == ExitKind::Lost);
    QCOMPARE(outputOf(launch.dir), QByteArray("up\n"));
}

// Somebody has taken the folder away. It ran all the same: that it was never started would count against the host, and
// it would be started again.
void TstTries::keeperKilledWithoutItsFolder()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("taken", "echo up; sleep NAP");
    QVERIFY(m_fixture.runUntil(launch, "up\n"));
    const auto keeper = readKeeperRecord(launch.dir);
    const auto started = readStartedRecord(launch.dir);
    QVERIFY(keeper && started);
    const auto endTask = qScopeGuard([this] {
        const QList<qint64> left = processesWith(m_fixture.nap);
        for (const qint64 pid : left) {
            ::kill(static_cast<pid_t>(pid), SIGKILL);
        }
    });
    QVERIFY(QFile::rename(QString::fromStdString(launch.dir), m_fixture.home->filePath(QStringLiteral("taken"))));
    ::kill(static_cast<pid_t>(keeper->process.pid), SIGKILL);
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited);
    QVERIFY2(exited->exit.kind == ExitKind::Lost, exited->exit.format().c_str());
    QCOMPARE(exited->exit.reason, std::string("keeper.died"));
}

// The agent has a descriptor for the lock of the try, and none for the pipe of a process that would end what is left:
// it does not forget the try.
void TstTries::keeperKilledWithoutRoomForAProcess()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("roomless", "echo up; sleep NAP");
    QVERIFY(m_fixture.runUntil(launch, "up\n"));
    const auto keeper = readKeeperRecord(launch.dir);
    QVERIFY(keeper);
    const auto agent = static_cast<pid_t>(m_fixture.agent->pid());
    const auto openNow = [agent] {
        return QDir(QStringLiteral("/proc/%1/fd").arg(agent))
            .entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot);
    };
    const QStringList open = openNow();
    int last = 0;
    for (const QString &each : open) {
        last = std::max(last, each.toInt());
    }
    // With what the pipe of the keeper had, two are free: one for the lock, and one of two for a pipe.
    const int most = last + (open.size() > last ? 2 : 1);
    rlimit usual{};
    QCOMPARE(::prlimit(agent, RLIMIT_NOFILE, nullptr, &usual), 0);
    const auto giveBack = qScopeGuard([&] { ::prlimit(agent, RLIMIT_NOFILE, &usual, nullptr); });
    const rlimit few{static_cast<rlim_t>(most), usual.rlim_max};
    QCOMPARE(::prlimit(agent, RLIMIT_NOFILE, &few, nullptr), 0);
    ::kill(static_cast<pid_t>(keeper->process.pid), SIGKILL);
    QTRY_VERIFY(openNow().size() < open.size()); // it has seen the end, and has closed the pipe
    QCOMPARE(::prlimit(agent, RLIMIT_NOFILE, &usual, nullptr), 0);
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited);
    QVERIFY2(exited->exit.kind == ExitKind::Lost, exited->exit.format().c_str());
    QTRY_VERIFY(processesWith(m_fixture.nap).isEmpty());
}

// Its first process tells an agent that is not there any more that it has begun. That does it no harm.
void TstTries::agentKilledBeforeTheTaskBegan()
{
    QVERIFY(m_fixture.agent->start());
    Launch launch = m_fixture.launchOf("alone", "echo up; exit 7");
    launch.gpuLocks = {"GPU-0"};
    launch.gpuLockFolder = m_fixture.home->filePath(QStringLiteral("locks")).toStdString();
    QCOMPARE(makeFolders(launch.gpuLockFolder), 0);
    const int lock = ::open((launch.gpuLockFolder + "/GPU-0.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    const auto letGo = qScopeGuard([lock] { ::close(lock); });
    QCOMPARE(::flock(lock, LOCK_EX), 0);
    m_fixture.agent->send(launch);
    QTRY_VERIFY(readKeeperRecord(launch.dir)); // which waits for the GPU now
    m_fixture.agent->kill9();
    QCOMPARE(::flock(lock, LOCK_UN), 0);
    m_fixture.agent = m_fixture.newAgent();
    QVERIFY(m_fixture.agent->start());
    const auto observed = m_fixture.agent->ask<Observed>(Observe{launch.dir});
    QVERIFY(observed);
    QTRY_VERIFY_WITH_TIMEOUT(readExitRecord(launch.dir), 15000);
    const auto exit = readExitRecord(launch.dir);
    QVERIFY2(exit->kind == ExitKind::Exited && exit->value == 7, exit->format().c_str());
    QCOMPARE(outputOf(launch.dir), QByteArray("up\n"));
}

// The launch was sent over a connection that was cut, and comes late, to the agent of then: its stop has been answered.
void TstTries::aLaunchAfterItsStop()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("late", "echo ghost");
    const std::unique_ptr<AgentDriver> other = m_fixture.newAgent();
    QVERIFY(other->start());
    Stop stop;
    stop.dir = launch.dir;
    const auto observed = other->ask<Observed>(stop);
    QVERIFY(observed);
    QCOMPARE(observed->state, std::string("absent"));
    const auto late = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(late);
    QCOMPARE(late->state, std::string("ended"));
    QVERIFY(late->exit && late->exit->kind == ExitKind::StartFailed);
    QCOMPARE(late->exit->reason, "launch.stopped " + launch.dir);
    QVERIFY(!readStartedRecord(launch.dir));
}

// Its job was removed meanwhile, with its folder: nothing would ever remove another one.
void TstTries::aStopOfWhatIsGoneMakesNoFolder()
{
    QVERIFY(m_fixture.agent->start());
    Stop stop;
    stop.dir = m_fixture.folder("gone");
    stop.hasBegun = true;
    const auto observed = m_fixture.agent->ask<Observed>(stop);
    QVERIFY(observed);
    QCOMPARE(observed->state, std::string("absent"));
    QVERIFY(!QFile::exists(QString::fromStdString(stop.dir)));
}

// An agent without a free descriptor cannot look into a folder, as where a file server is away: it does not know the
// try, and does not say that there is none or that it is lost.
void TstTries::unreadableIsNotAbsent()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("unreadable", "read < fifo; exit 3");
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    const auto keeper = readKeeperRecord(launch.dir);
    QVERIFY(keeper);
    m_fixture.agent->kill9();
    m_fixture.agent = m_fixture.newAgent();
    QVERIFY(m_fixture.agent->start());
    rlimit usual{};
    const auto agent = static_cast<pid_t>(m_fixture.agent->pid());
    QCOMPARE(::prlimit(agent, RLIMIT_NOFILE, nullptr, &usual), 0);
    const rlimit none{0, usual.rlim_max};
    const auto giveBack = qScopeGuard([&] { ::prlimit(agent, RLIMIT_NOFILE, &usual, nullptr); });
    QCOMPARE(::prlimit(agent, RLIMIT_NOFILE, &none, nullptr), 0);
    for (const Message &message : {Message(Observe{launch.dir}), Message(launch)}) {
        const auto failure = m_fixture.agent->ask<Failure>(message);
        QVERIFY(failure);
        QCOMPARE(failure->code, std::string("observe.unreadable"));
        QCOMPARE(failure->systemError, EMFILE);
    }
    QCOMPARE(::prlimit(agent, RLIMIT_NOFILE, &usual, nullptr), 0);
    const auto observed = m_fixture.agent->ask<Observed>(Observe{launch.dir});
    QVERIFY(observed);
    QCOMPARE(observed->state, std::string("running"));
    // It ends while its folder cannot be looked into. Who is asked twice has also seen the end of the keeper.
    QCOMPARE(::prlimit(agent, RLIMIT_NOFILE, &none, nullptr), 0);
    QVERIFY(writeToFifo(launch));
    QTRY_VERIFY(readExitRecord(launch.dir) && !isAlive(keeper->process));
    for (int i = 0; i < 2; ++i) {
        const auto known = m_fixture.agent->ask<Observed>(Observe{launch.dir});
        QVERIFY(known);
        QCOMPARE(known->state, std::string("running"));
    }
    QCOMPARE(::prlimit(agent, RLIMIT_NOFILE, &usual, nullptr), 0);
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited);
    QVERIFY2(exited->exit.kind == ExitKind::Exited, exited->exit.format().c_str());
    QCOMPARE(exited->exit.value, 3);
}

// Nor does it when it can look into the folder and cannot read what is written there, as from a broken disk. An end
// that is written there stays.
void TstTries::unreadableRecordsAreNotAbsent()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("records", "exit 3");
    QVERIFY(m_fixture.runToEnd(launch));
    const auto keeper = readKeeperRecord(launch.dir);
    QVERIFY(keeper);
    QTRY_VERIFY(!isAlive(keeper->process));
    m_fixture.agent->kill9();
    m_fixture.agent = m_fixture.newAgent();
    QVERIFY(m_fixture.agent->start());
    const QString exit = QString::fromStdString(launch.dir + '/' + file::exit), kept = exit + QStringLiteral(".kept");
    QVERIFY(QFile::rename(exit, kept));
    // Nobody can read the first byte of its own memory.
    QCOMPARE(::symlink("/proc/self/mem", QFile::encodeName(exit).constData()), 0);
    for (const auto &[message, code] : {std::pair(Message(Observe{launch.dir}), std::string("observe.unreadable")),
             std::pair(Message(launch), std::string("launch.unseen"))}) {
        const auto failure = m_fixture.agent->ask<Failure>(message);
        QVERIFY(failure);
        QCOMPARE(failure->code, code);
        QVERIFY(failure->systemError != 0);
    }
    QVERIFY(QFile::remove(exit) && QFile::rename(kept, exit));
    const auto observed = m_fixture.agent->ask<Observed>(Observe{launch.dir});
    QVERIFY(observed && observed->exit);
    QVERIFY2(observed->exit->kind == ExitKind::Exited, observed->exit->format().c_str());
    QCOMPARE(observed->exit->value, 3);
}

// What a program ignores, those that it starts ignore too, unless somebody thinks of it.
void TstTries::startedByWhoIgnoresSignals()
{
    m_fixture.agent->inChild = [] {
        for (const int signal : {SIGCHLD, SIGUSR1, SIGUSR2, SIGXFSZ, SIGALRM}) {
            ::signal(signal, SIG_IGN);
        }
    };
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf(
        "ignored", "for s in USR1 USR2 XFSZ ALRM; do bash -c \"kill -$s \\$\\$\"; echo $?; done 2> /dev/null; exit 5");
    const auto exited = m_fixture.runToEnd(launch);
    QVERIFY(exited && exited->exit.kind == ExitKind::Exited);
    QCOMPARE(exited->exit.value, 5);
    QCOMPARE(outputOf(launch.dir), QByteArray("138\n140\n153\n142\n"));
}

// Who would wait for them: its agent, and with it all other tasks of the host, and its keeper, who has something to say
// of what the task leaves behind.
void TstTries::aTaskWithPipesForItsRecords()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("pipes",
        "cd ..; rm -f runtime.log environment.json; mkfifo exit runtime.log environment.json; cd work; "
        "sleep NAP & echo up; read < fifo");
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.runUntil(launch, "up\n"));
    m_fixture.agent->send(Follow{launch.dir});
    const std::unique_ptr<AgentDriver> other = m_fixture.newAgent();
    QVERIFY(other->start());
    const auto observed = other->ask<Observed>(Observe{launch.dir});
    QVERIFY(observed && observed->state == "running");
    QVERIFY(m_fixture.agent->ask<PortsReply>(Ports{}));
    QVERIFY(writeToFifo(launch));
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited && exited->exit.kind == ExitKind::Exited && exited->exit.value == 0);
    QVERIFY(readExitRecord(launch.dir) == exited->exit);
}

#include "tst_tries.moc"
