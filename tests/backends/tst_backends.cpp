// SPDX-License-Identifier: GPL-3.0-or-later
// What every back end has to keep to, whatever its target does (engine/backend/backend.h). Large because each of them
// is held to all of it.
#include "tests/backends/clustertarget.h"
#include "tests/backends/faketarget.h"
#include "tests/backends/house.h"
#include "tests/backends/pooltarget.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QJsonArray>
#include <QScopeGuard>
#include <QTest>
#include <QTimer>

#include <sys/mount.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

std::unique_ptr<Target> makeTarget(const QString &name)
{
    if (name == "pool"_L1) {
        return std::make_unique<PoolTarget>();
    }
    if (name == "cluster"_L1) {
        return std::make_unique<ClusterTarget>();
    }
    int manners = FakeTarget::Plain;
    manners |= name.contains("late"_L1) ? int(FakeTarget::Late) : 0;
    manners |= name.contains("twice"_L1) ? int(FakeTarget::Twice) : 0;
    manners |= name.contains("wrong"_L1) ? int(FakeTarget::Wrong) : 0;
    return std::make_unique<FakeTarget>(manners);
}

template <typename Effect> bool isA(const core::Effect &effect) { return std::holds_alternative<Effect>(effect); }

} // namespace

class TstBackends : public QObject
{
    Q_OBJECT

    static void rows()
    {
        QTest::addColumn<QString>("name");
        for (const char *name :
            {"pool", "cluster", "fake", "fake late", "fake twice", "fake wrong", "fake late twice wrong"}) {
            QTest::newRow(name) << QString::fromLatin1(name);
        }
    }

    static const core::Running *waitForTask(House &house, const QString &uuid);
    static QString killedBetweenTwoTries(House &house, ClusterTarget &target, core::PortTable &ports);

private Q_SLOTS:
    void runsOneJob_data() { rows(); }
    void runsOneJob();
    void performedTwiceIsOnce_data() { rows(); }
    void performedTwiceIsOnce();
    void goesOnAfterACut_data();
    void goesOnAfterACut();
    void restartWhileItRuns_data() { rows(); }
    void restartWhileItRuns();
    void endsWhileNobodyLooks_data() { rows(); }
    void endsWhileNobodyLooks();
    void stoppedBeforeItIsAccepted_data() { rows(); }
    void stoppedBeforeItIsAccepted();
    void lostIsNoSuccess_data() { rows(); }
    void lostIsNoSuccess();
    void silentAccountsAreNoEnd();
    void anUnreadableRecordIsNoEnd();
    void aFullDiskIsWaitedFor();
    void whatWritesIsNotGone();
    void anUnreadableAllocationIsNoEnd_data();
    void anUnreadableAllocationIsNoEnd();
    void accountsThatNeverAnswer();
    void aStopThatNobodyHeard();
    void aTryOfALeadIsFoundAgain();
    void aTryOfALeadIsNotLeftRunning_data();
    void aTryOfALeadIsNotLeftRunning();
    void aLateStopLeavesTheGracePeriod();
    void aStopBeforeTheLeadStartsNothing();
    void itIsHandedOverWithItsNumber();
    void aPauseIsHeardLater();
    void aPauseIsToldToTheLeadThatCountsTheTime();
    void whatIsSuspendedThereIsNamed_data();
    void whatIsSuspendedThereIsNamed();
    void failedTasksOfAClusterAreKept();
    void aCancelledComponentEndsTheJob();
    void theClusterHasItTwice();
    void aNumberMayBecomeAnotherJobs_data();
    void aNumberMayBecomeAnotherJobs();
    void aCommentMayBeMissing();
    void logOfARunningTask_data() { rows(); }
    void logOfARunningTask();
    void eachJobReachesItsOwn_data();
    void eachJobReachesItsOwn();
    void unknownTargetsAreRefused();
    void waitsForATargetThatIsGone();
    void runsOnATargetThatIsGone();
};

void TstBackends::runsOneJob()
{
    QFETCH(QString, name);
    const std::unique_ptr<Target> target = makeTarget(name);
    House house(*target);
    QVERIFY(house.open());
    const QString good = house.submit(oneTask());
    QVERIFY(house.waitForState(good, State::Running));
    QCOMPARE(target->running(), 1);
    target->endAll(0);
    QVERIFY(house.waitForState(good, State::Succeeded));
    const QString bad = house.submit(oneTask());
    QVERIFY(house.waitForState(bad, State::Running));
    target->endAll(1);
    QVERIFY(house.waitForState(bad, State::Failed));
    QCOMPARE(target->starts(), 2);
}

// An effect names its try: a second time it finds what the first has made.
void TstBackends::performedTwiceIsOnce()
{
    QFETCH(QString, name);
    const std::unique_ptr<Target> target = makeTarget(name);
    House house(*target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running));
    ActiveJob *job = house.job(uuid);
    const core::TaskRef task{0, 0};
    const core::effect::LaunchTry launch{task, core::tryUuid(job->state, task)};
    house.backend().perform({{job, launch}, {job, launch}});
    house.backend().perform({{job, launch}, {job, core::effect::ObserveTry{task, launch.tryUuid}}});
    QVERIFY(house.settle());
    QCOMPARE(house.state(uuid), State::Running);
    QCOMPARE(target->starts(), 1 + 1);
    target->endAll(0);
    QVERIFY(house.waitForState(uuid, State::Succeeded));
}

void TstBackends::goesOnAfterACut_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("before");
    for (const char *name : {"pool", "cluster", "fake", "fake late twice wrong"}) {
        for (const char *before : {"ports", "launch", "stop"}) {
            QTest::addRow("%s, before %s", name, before) << QString::fromLatin1(name) << QString::fromLatin1(before);
        }
    }
}

// The commit was the last thing that the engine did: what it had decided is done by the next one, once.
void TstBackends::goesOnAfterACut()
{
    QFETCH(QString, name);
    QFETCH(QString, before);
    const std::unique_ptr<Target> target = makeTarget(name);
    House house(*target);
    house.cut.at = before == "ports"_L1 ? isA<core::effect::DrawPorts>
        : before == "launch"_L1         ? isA<core::effect::LaunchTry>
                                        : isA<core::effect::StopTry>;
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    const bool isStop = before == "stop"_L1;
    if (isStop) {
        QVERIFY(house.waitForState(uuid, State::Running));
        QVERIFY(house.service().stop(uuid));
    }
    QVERIFY(QTest::qWaitFor([&] { return house.cut.isDone && target->isQuiet(); }));
    QCOMPARE(target->running(), isStop ? 1 : 0);
    house.close();
    QVERIFY(house.open());
    if (isStop) {
        QVERIFY(house.waitForState(uuid, State::Stopped));
        QCOMPARE(target->running(), 0);
    } else {
        QVERIFY(house.waitForState(uuid, State::Running));
        target->endAll(0);
        QVERIFY(house.waitForState(uuid, State::Succeeded));
    }
    QCOMPARE(target->starts(), 1);
}

void TstBackends::restartWhileItRuns()
{
    QFETCH(QString, name);
    const std::unique_ptr<Target> target = makeTarget(name);
    House house(*target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running));
    house.close();
    QVERIFY(house.open());
    QVERIFY(house.settle());
    QCOMPARE(house.state(uuid), State::Running);
    QCOMPARE(target->starts(), 1 + 1);
    target->endAll(0);
    QVERIFY(house.waitForState(uuid, State::Succeeded));
}

void TstBackends::endsWhileNobodyLooks()
{
    QFETCH(QString, name);
    const std::unique_ptr<Target> target = makeTarget(name);
    House house(*target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running));
    house.close();
    target->endAll(3);
    QVERIFY(house.open());
    QVERIFY(house.waitForState(uuid, State::Failed));
    QCOMPARE(target->starts(), 1);
}

void TstBackends::stoppedBeforeItIsAccepted()
{
    QFETCH(QString, name);
    const std::unique_ptr<Target> target = makeTarget(name);
    target->setAnswering(false);
    House house(*target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(QTest::qWaitFor([&] { return target->isAsked(); }));
    QVERIFY(house.service().stop(uuid));
    QVERIFY(QTest::qWaitFor([&] { return target->isAskedToStop(); }));
    target->setAnswering(true);
    QVERIFY(house.waitForState(uuid, State::Stopped));
    QVERIFY(house.settle());
    QCOMPARE(target->running(), 0);
    QCOMPARE(house.state(uuid), State::Stopped);
}

// The target no longer knows the job: what became of it cannot be known.
void TstBackends::lostIsNoSuccess()
{
    QFETCH(QString, name);
    const std::unique_ptr<Target> target = makeTarget(name);
    House house(*target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running));
    house.close();
    target->forgetAll();
    QVERIFY(house.open());
    QVERIFY(house.waitFor(uuid, [&](const JobSummary &job) { return isFinal(job.state) || target->starts() > 1; }));
    QVERIFY(house.state(uuid) != State::Succeeded);
}

// It has left the queue of the cluster without a record, and only the accounts can know how it ended.
void TstBackends::silentAccountsAreNoEnd()
{
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running));
    house.close();
    target.forgetAll();
    target.setAccounts("echo 'sacct: error: Problem talking to the database: Connection refused' >&2\nexit 1\n");
    QVERIFY(house.open());
    // For longer than a cluster that answers may not know it.
    QVERIFY(house.waitFor(uuid, [&](const JobSummary &job) {
        return isFinal(job.state) || target.starts() > 1 || target.accountQuestions() > 3;
    }));
    QCOMPARE(house.state(uuid), State::Running);
    QCOMPARE(target.starts(), 1);
    target.setAccounts("exit 0\n"); // they do not know it, either
    QVERIFY(house.waitFor(uuid, [&](const JobSummary &job) { return isFinal(job.state) || target.starts() > 1; }));
    QVERIFY(house.state(uuid) != State::Succeeded);
}

// There is one, and it cannot be read for a while: that says nothing.
void TstBackends::anUnreadableRecordIsNoEnd()
{
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask()), other = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running) && house.waitForState(other, State::Running));
    const auto recordOf = [&house](const QString &job) {
        return QString(house.backend().log(job, 0, u"main"_s, 0, 0).folder + u"/exit"_s);
    };
    target.endAll(0);
    const QString record = recordOf(uuid), kept = record + u".kept"_s;
    QVERIFY(QFile::rename(record, kept) && QFile::remove(recordOf(other)));
    // Nobody can read the first byte of its own memory.
    QVERIFY(QFile::link(u"/proc/self/mem"_s, record));
    QVERIFY(house.waitFor(uuid, [](const JobSummary &job) { return job.reason == "slurm.folder-unread"_L1; }));
    // The one without a record is lost, and more looks follow.
    QVERIFY(house.waitFor(other, [&](const JobSummary &job) { return isFinal(job.state) || target.starts() > 2; }));
    QVERIFY(house.waitForState(house.submit(oneTask()), State::Running));
    QCOMPARE(house.state(uuid), State::Running);
    QVERIFY(QFile::remove(record) && QFile::rename(kept, record));
    QVERIFY(house.waitForState(uuid, State::Succeeded));
}

// The disk that the nodes share is full when a job is to be handed over. What failed is written again.
void TstBackends::aFullDiskIsWaitedFor()
{
    QTemporaryDir shared;
    const QByteArray at = QFile::encodeName(shared.path());
    SKIP_UNLESS_MOUNTED(::mount("trainyard-test", at.constData(), "tmpfs", 0, "size=1m,mode=0700"));
    const auto unmount = qScopeGuard([&at] { ::umount2(at.constData(), MNT_DETACH); });
    ClusterTarget target;
    target.setFolder(shared.path());
    House house(target);
    QVERIFY(house.open());
    const QString before = house.submit(oneTask()); // what is there for all jobs is there then
    QVERIFY(house.waitForState(before, State::Running));
    target.endAll(0);
    QVERIFY(house.waitForState(before, State::Succeeded));
    QFile filling(shared.filePath(u"filling"_s));
    QVERIFY(filling.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    while (filling.write(QByteArray(4096, 'x')) == 4096) { }
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitFor(uuid, [](const JobSummary &job) { return job.reason == "wait.slurm-folder"_L1; }));
    QVERIFY(!isFinal(house.state(uuid)));
    QVERIFY(filling.resize(0));
    QVERIFY(house.waitForState(uuid, State::Running));
    QCOMPARE(target.starts(), 1 + 1);
    target.endAll(0);
    QVERIFY(house.waitForState(uuid, State::Succeeded));
}

// The queue answers well and has none of the jobs, for longer than a cluster may not know one.
void TstBackends::whatWritesIsNotGone()
{
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running));
    QTimer printing;
    connect(&printing, &QTimer::timeout, this, [&target] { target.print("step\n"); });
    printing.start(20);
    target.setAccounts("exit 0\n"); // they do not know it, either
    target.hideAll();
    QVERIFY(house.waitFor(uuid, [&](const JobSummary &job) {
        return isFinal(job.state) || target.starts() > 1 || target.accountQuestions() > 4;
    }));
    QCOMPARE(house.state(uuid), State::Running);
    QCOMPARE(target.starts(), 1);
    printing.stop();
    QVERIFY(house.waitFor(uuid, [&](const JobSummary &job) { return isFinal(job.state) || target.starts() > 1; }));
    QVERIFY(house.state(uuid) != State::Succeeded);
}

void TstBackends::anUnreadableAllocationIsNoEnd_data()
{
    QTest::addColumn<bool>("isPlan");
    QTest::newRow("where it is") << false;
    QTest::newRow("what it was to run") << true;
}

// Another engine cannot read what a task has noted, as without a ticket for the file server: the task may run.
void TstBackends::anUnreadableAllocationIsNoEnd()
{
    QFETCH(bool, isPlan);
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running));
    const QString folder = house.backend().log(uuid, 0, u"main"_s, 0, 0).folder;
    const std::optional<SlurmAllocation::Link> link = SlurmAllocation::linkOf(folder);
    QVERIFY(link);
    house.close();
    const QString file = isPlan ? link->folder + u"/plan.json"_s : folder + u"/allocation"_s, kept = file + u".kept"_s;
    QVERIFY(QFile::rename(file, kept));
    // Nobody can read the first byte of its own memory.
    QVERIFY(QFile::link(u"/proc/self/mem"_s, file));
    QVERIFY(house.open());
    QVERIFY(house.settle());
    QCOMPARE(house.state(uuid), State::Running);
    QVERIFY(house.waitFor(uuid, [](const JobSummary &job) { return job.reason == "slurm.folder-unread"_L1; }));
    QCOMPARE(target.starts(), 1 + 1);
    QVERIFY(QFile::remove(file) && QFile::rename(kept, file));
    target.endAll(0);
    QVERIFY(house.waitForState(uuid, State::Succeeded));
    QCOMPARE(target.starts(), 1 + 1);
}

// What is known is told, and some day nobody waits any more.
void TstBackends::accountsThatNeverAnswer()
{
    ClusterTarget target;
    target.setUnaccountedMs(4000);
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running));
    house.close();
    target.forgetAll();
    target.setAccounts("echo 'sacct: error: Problem talking to the database: Connection refused' >&2\nexit 1\n");
    QVERIFY(house.open());
    QVERIFY(house.waitFor(uuid, [](const JobSummary &job) { return job.reason == "job.slurm-unaccounted"_L1; }));
    QCOMPARE(target.starts(), 1);
    QVERIFY(house.waitFor(uuid, [&](const JobSummary &job) { return isFinal(job.state) || target.starts() > 1; }));
    QVERIFY(house.state(uuid) != State::Succeeded);
}

// The task ends by itself while the cluster cannot be asked to end it: its lead would try it again, unseen.
void TstBackends::aStopThatNobodyHeard()
{
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(EngineFixture::document("tried",
        EngineFixture::role("main", 1, {"false"}, "    taskRetryCount: 3\n"), "extras: {gangAllocation: false}\n"));
    QVERIFY(house.waitForState(uuid, State::Running));
    target.setHearing(false);
    QVERIFY(house.service().stop(uuid));
    QVERIFY(QTest::qWaitFor([&] { return target.isAskedToStop(); }));
    target.endTries(1);
    QVERIFY(house.waitForState(uuid, State::Stopped));
    QVERIFY(!target.isAskedToCancel());
    target.setHearing(true);
    QTRY_VERIFY_WITH_TIMEOUT(target.isAskedToCancel(), 60'000);
}

// The first task, when it runs.
const core::Running *TstBackends::waitForTask(House &house, const QString &uuid)
{
    const auto running = [&]() -> const core::Running * {
        const ActiveJob *job = house.job(uuid);
        return job ? std::get_if<core::Running>(&job->state.tasks.front().state) : nullptr;
    };
    return QTest::qWaitFor([&] { return running() != nullptr; }, 20'000) ? running() : nullptr;
}

// The engine is killed when the end of a try is written down, and the next one, which its lead has started, is not yet.
QString TstBackends::killedBetweenTwoTries(House &house, ClusterTarget &target, core::PortTable &ports)
{
    const QString uuid = house.submit(EngineFixture::document("led",
        EngineFixture::role(
            "main", 1, {"false"}, "    taskRetryCount: 3\n", "{cpu: 1, memoryMB: 16, gpu: 0, ports: {web: 2, aux: 1}}"),
        "extras: {gangAllocation: false}\n"));
    const auto *first = waitForTask(house, uuid);
    if (!first) {
        return {};
    }
    ports = first->place.ports;
    house.cut.at = isA<core::effect::DrawPorts>;
    target.tryAgain(1);
    return QTest::qWaitFor([&] { return house.cut.isDone; }, 20'000) ? uuid : QString();
}

// It is found again, with the ports that it was started with.
void TstBackends::aTryOfALeadIsFoundAgain()
{
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    core::PortTable ports;
    const QString uuid = killedBetweenTwoTries(house, target, ports);
    QVERIFY(!uuid.isEmpty());
    QVERIFY(!ports.isEmpty());
    house.close();
    QVERIFY(house.open());
    const core::Running *second = waitForTask(house, uuid);
    QVERIFY(second);
    QCOMPARE(second->place.ports, ports);
    QCOMPARE(house.job(uuid)->state.tasks.front().tryIndex, 1);
    QVERIFY(house.settle());
    QVERIFY(!target.isAskedToCancel(1));
    target.endAll(0);
    QVERIFY(house.waitForState(uuid, State::Succeeded));
    QCOMPARE(target.starts(), 2 + 1); // the other one is that of settle()
}

// The job is stopped right after the restart, or it was before it, when the cluster did not hear.
void TstBackends::aTryOfALeadIsNotLeftRunning_data()
{
    QTest::addColumn<bool>("isStoppedBefore");
    QTest::newRow("the job goes on") << false;
    QTest::newRow("the job is over") << true;
}

void TstBackends::aTryOfALeadIsNotLeftRunning()
{
    QFETCH(bool, isStoppedBefore);
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    core::PortTable ports;
    const QString uuid = killedBetweenTwoTries(house, target, ports);
    QVERIFY(!uuid.isEmpty());
    target.setHearing(!isStoppedBefore);
    if (isStoppedBefore) {
        QVERIFY(house.service().stop(uuid));
        QVERIFY(house.waitForState(uuid, State::Stopped));
        QTRY_VERIFY_WITH_TIMEOUT(target.unheard() >= 1, 20'000);
    }
    QVERIFY(!target.isAskedToCancel(1));
    house.close();
    target.setHearing(true);
    QVERIFY(house.open());
    if (!isStoppedBefore) {
        QVERIFY(house.service().stop(uuid));
    }
    QTRY_VERIFY_WITH_TIMEOUT(target.isAskedToCancel(1), 30'000);
    QVERIFY(house.waitForState(uuid, State::Stopped));
    QTRY_COMPARE_WITH_TIMEOUT(target.running(), 0, 10'000);
    // What has been heard is not said again by the next start.
    QVERIFY(house.settle());
    const qsizetype said = target.signalsOf(1).size();
    house.close();
    QVERIFY(house.open());
    QVERIFY(house.settle());
    QCOMPARE(target.signalsOf(1).size(), said);
}

// That it took long until the cluster could be asked is no reason to kill.
void TstBackends::aLateStopLeavesTheGracePeriod()
{
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(EngineFixture::document(
        "late", EngineFixture::role("main", 1, {"true"}), "extras: {trainyard: {stop: {graceSeconds: 0}}}\n"));
    QVERIFY(house.waitForState(uuid, State::Running));
    target.setHearing(false);
    QVERIFY(house.service().stop(uuid));
    // In the first words, and in those that come when it should have ended.
    QTRY_VERIFY_WITH_TIMEOUT(target.unheard() >= 4, 30'000);
    QVERIFY(!target.isAskedToCancel());
    target.setHearing(true);
    QTRY_VERIFY_WITH_TIMEOUT(target.isAskedToCancel(), 30'000);
    QCOMPARE(target.signalsOf(1).constFirst(), QByteArray("TERM"));
    QVERIFY(house.waitForState(uuid, State::Stopped));
}

// The cluster has started the job, and the request to end it reaches nothing that could heed it.
void TstBackends::aStopBeforeTheLeadStartsNothing()
{
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    target.setLaunching(false);
    const QString uuid = house.submit(oneTask());
    QVERIFY(QTest::qWaitFor([&] { return target.isPreparing(); }, 20'000));
    QVERIFY(house.service().stop(uuid));
    // Again soon, and without killing anything.
    QTRY_VERIFY_WITH_TIMEOUT(target.signalsOf(1).count("TERM") >= 3, 20'000);
    QVERIFY(!target.signalsOf(1).contains("USR2"));
    target.setLaunching(true);
    QVERIFY(house.waitForState(uuid, State::Stopped));
    QCOMPARE(target.starts(), 0);
}

// Until sbatch has answered, nothing says that the cluster has the job.
void TstBackends::itIsHandedOverWithItsNumber()
{
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    target.setAnswering(false);
    const QString uuid = house.submit(oneTask());
    QVERIFY(QTest::qWaitFor([&] { return target.isAsked(); }, 20'000));
    QCOMPARE(house.backend().waitReason(*house.job(uuid)).code, u"wait.slurm-submitting"_s);
    target.setAnswering(true);
    QVERIFY(house.waitForState(uuid, State::Running));
    target.endAll(0);
    QVERIFY(house.waitForState(uuid, State::Succeeded));
}

// The cluster could not be asked when the job was paused, and not when it was resumed; the last word counts.
void TstBackends::aPauseIsHeardLater()
{
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running));
    target.setHearing(false);
    QVERIFY(house.blocking().pause(uuid, true).value_or(false));
    QTRY_VERIFY_WITH_TIMEOUT(target.unheard() >= 1, 20'000);
    target.setHearing(true);
    QTRY_COMPARE_WITH_TIMEOUT(target.halts(), QByteArrayList{"STOP"}, 30'000);
    target.setHearing(false);
    const int before = target.unheard();
    QVERIFY(house.blocking().pause(uuid, false).value_or(false));
    QTRY_VERIFY_WITH_TIMEOUT(target.unheard() > before, 20'000);
    target.setHearing(true);
    QTRY_COMPARE_WITH_TIMEOUT(target.halts(), (QByteArrayList{"STOP", "CONT"}), 30'000);
    target.endAll(0);
    QVERIFY(house.waitForState(uuid, State::Succeeded));
}

// It would end the tasks at the time limit, in the middle of a pause.
void TstBackends::aPauseIsToldToTheLeadThatCountsTheTime()
{
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(EngineFixture::document(
        "one", EngineFixture::role("main", 1, {"true"}), "extras: {trainyard: {limits: {timeSeconds: 3600}}}\n"));
    QVERIFY(house.waitForState(uuid, State::Running));
    QVERIFY(house.blocking().pause(uuid, true).value_or(false));
    QTRY_COMPARE_WITH_TIMEOUT(target.halts(), (QByteArrayList{"STOP", "batch-URG"}), 30'000);
    QCOMPARE(house.queries().summary(uuid).value_or(JobSummary()).reason, u"job.slurm-paused"_s);
    QVERIFY(house.blocking().pause(uuid, false).value_or(false));
    QTRY_COMPARE_WITH_TIMEOUT(target.halts(), (QByteArrayList{"STOP", "batch-URG", "CONT", "batch-CONT"}), 30'000);
    target.endAll(0);
    QVERIFY(house.waitForState(uuid, State::Succeeded));
}

void TstBackends::whatIsSuspendedThereIsNamed_data()
{
    QTest::addColumn<bool>("isEarly");
    QTest::newRow("before its first task") << true;
    QTest::newRow("while it runs") << false;
}

// By hand, or by the cluster: its tasks are there and do nothing.
void TstBackends::whatIsSuspendedThereIsNamed()
{
    QFETCH(const bool, isEarly);
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    target.setLaunching(!isEarly);
    const QString uuid = house.submit(oneTask());
    if (isEarly) {
        QTRY_VERIFY_WITH_TIMEOUT(target.isPreparing(), 20'000);
    } else {
        QVERIFY(house.waitForState(uuid, State::Running));
    }
    target.setSuspended(true);
    const auto reason = [&] { return house.queries().summary(uuid).value_or(JobSummary()).reason; };
    QTRY_COMPARE_WITH_TIMEOUT(reason(), u"job.slurm-suspended"_s, 60'000);
    if (!isEarly) {
        const Result<QList<TaskInfo>> tasks = house.queries().tasks(uuid, -1, 0, 1);
        QVERIFY(tasks && !tasks->isEmpty());
        QCOMPARE(tasks->constFirst().reason, u"job.slurm-suspended"_s);
    }
    target.setSuspended(false);
    target.setLaunching(true);
    QTRY_VERIFY_WITH_TIMEOUT(house.state(uuid) == State::Running && reason().isEmpty(), 60'000);
    target.endAll(0);
    QVERIFY(house.waitForState(uuid, State::Succeeded));
}

// Somebody has ended a part of it there, and does not want it tried again.
void TstBackends::aCancelledComponentEndsTheJob()
{
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(EngineFixture::document("two",
        EngineFixture::role("ps", 1, {"true"}, {}, "{cpu: 1, memoryMB: 16, gpu: 0}")
            + EngineFixture::role("worker", 1, {"true"}, {}, "{cpu: 2, memoryMB: 16, gpu: 0}"),
        "jobRetryCount: 2\n"));
    QVERIFY2(!uuid.isEmpty(), "it was refused");
    QVERIFY(house.waitForState(uuid, State::Running));
    QTRY_COMPARE_WITH_TIMEOUT(target.running(), 2, 20'000);
    const int starts = target.starts();
    target.cancelSecondComponent();
    QTRY_COMPARE_WITH_TIMEOUT(house.state(uuid), State::Stopped, 60'000);
    QCOMPARE(house.queries().summary(uuid).value_or(JobSummary()).reason, u"slurm.cancelled"_s);
    QCOMPARE(target.starts(), starts);
}

// A task that is kept for inspection is found by what it wrote, and is released by a file in its folder.
void TstBackends::failedTasksOfAClusterAreKept()
{
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(EngineFixture::document(
        "one", EngineFixture::role("main", 1, {"false"}), "extras: {trainyard: {holdAfterFailureMinutes: 2}}\n"));
    QVERIFY(house.waitForState(uuid, State::Running));
    QVERIFY(house.backend().keptTasks(*house.job(uuid)).isEmpty());
    QVERIFY(!house.backend().release(*house.job(uuid), {}));
    target.report("[2026-01-02 03:04:05.000] [trainyard] [INFO] HELD OPEN 4 1800000000\n");
    QVERIFY(house.waitFor(uuid, [](const JobSummary &job) { return job.reason == "task.kept"_L1; }));
    const QList<KeptTask> kept = house.backend().keptTasks(*house.job(uuid));
    QCOMPARE(kept, (QList<KeptTask>{{u"main"_s, kept.value(0).host, 0, 4, 1'800'000'000'000}}));
    QVERIFY(kept.constFirst().host.endsWith("/n1"_L1));
    const Result<QList<TaskInfo>> tasks = house.queries().tasks(uuid, -1, 0, 1);
    QVERIFY(tasks && !tasks->isEmpty());
    QCOMPARE(tasks->constFirst().reason, u"task.kept"_s);
    QVERIFY(!house.backend().release(*house.job(uuid), {u"main/1"_s}));
    QVERIFY(house.backend().release(*house.job(uuid), {u"main/0"_s}));
    QVERIFY(QFile::exists(target.foldersOfTries().constFirst() + u"/release"_s));
    target.endAll(4);
    QVERIFY(house.waitForState(uuid, State::Failed));
}

// Of two jobs of the cluster with the same tasks the one counts whose lead has begun with them.
void TstBackends::theClusterHasItTwice()
{
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running));
    house.close();
    target.takeTwice();
    QVERIFY(house.open());
    QTRY_VERIFY_WITH_TIMEOUT(target.isAskedToCancel(1000), 20'000);
    QVERIFY(house.settle());
    QCOMPARE(house.state(uuid), State::Running);
    target.endAll(0);
    QVERIFY(house.waitForState(uuid, State::Succeeded));
    QCOMPARE(target.starts(), 1 + 1); // the other one is that of settle()
}

void TstBackends::aNumberMayBecomeAnotherJobs_data()
{
    QTest::addColumn<bool>("isStopped");
    QTest::addColumn<bool>("isNow");
    QTest::newRow("it goes on") << false << false;
    QTest::newRow("it is stopped") << true << false;
    QTest::newRow("it is killed") << true << true;
}

// A cluster that has lost its state counts again from the beginning. The other job is neither ours nor to be ended.
void TstBackends::aNumberMayBecomeAnotherJobs()
{
    QFETCH(bool, isStopped);
    QFETCH(bool, isNow);
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running));
    target.giveNumberAway();
    if (isStopped) {
        QVERIFY(house.service().stop(uuid, isNow));
    }
    QVERIFY(house.waitFor(uuid, [&](const JobSummary &job) { return isFinal(job.state) || target.starts() > 1; }));
    QVERIFY(house.state(uuid) != State::Succeeded);
    QVERIFY(!isStopped || house.state(uuid) == State::Stopped);
    QVERIFY(!target.isAskedToCancel(1));
}

// Of a site that puts its own comments in the place of those of users: the job is known by its name.
void TstBackends::aCommentMayBeMissing()
{
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running));
    target.setComment("project 12");
    QVERIFY(house.settle());
    QCOMPARE(house.state(uuid), State::Running);
    QVERIFY(house.service().stop(uuid));
    QTRY_VERIFY_WITH_TIMEOUT(target.isAskedToCancel(1), 20'000);
    QVERIFY(house.waitForState(uuid, State::Stopped));
}

void TstBackends::logOfARunningTask()
{
    QFETCH(QString, name);
    const std::unique_ptr<Target> target = makeTarget(name);
    House house(*target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running));
    target->print("hello\n");
    const Result<QString> folder = house.queries().logFolder(uuid, u"main"_s, 0, -1, -1);
    QVERIFY(folder.has_value());
    QCOMPARE(house.backend().log(uuid, 0, u"main"_s, 0, 0).folder, *folder);
    QCOMPARE(EngineFixture::contents(*folder + u"/output.log"_s), QByteArray("hello\n"));
}

void TstBackends::eachJobReachesItsOwn_data()
{
    QTest::addColumn<QString>("pool");
    QTest::addColumn<QString>("other");
    QTest::newRow("pool and fake") << u"pool"_s << u"fake"_s;
    QTest::newRow("pool and cluster") << u"pool"_s << u"cluster"_s;
    QTest::newRow("cluster and fake") << u"cluster"_s << u"fake"_s;
    QTest::newRow("two fakes") << u"fake"_s << u"fake late twice wrong"_s;
}

// Two back ends in one engine: each has its own jobs, also after a restart.
void TstBackends::eachJobReachesItsOwn()
{
    QFETCH(QString, pool);
    QFETCH(QString, other);
    const std::unique_ptr<Target> here = makeTarget(pool);
    const std::unique_ptr<Target> there = makeTarget(other);
    House house(*here);
    house.add(u"fake:lab"_s, *there);
    QVERIFY(house.open());
    const QString first = house.submit(oneTask());
    const QString second = house.submit(oneTask(), u"fake:lab"_s);
    const QString third = house.submit(oneTask(), u"pool"_s);
    for (const QString &uuid : {first, second, third}) {
        QVERIFY(house.waitForState(uuid, State::Running));
    }
    QCOMPARE(here->running(), 2);
    QCOMPARE(there->running(), 1);
    QCOMPARE(house.queries().summary(second)->target, u"fake:lab"_s);
    QCOMPARE(house.queries().summary(third)->target, u"pool"_s);
    house.close();
    QVERIFY(house.open());
    QCOMPARE(house.queries().summary(second)->target, u"fake:lab"_s);
    there->endAll(0);
    QVERIFY(house.waitForState(second, State::Succeeded));
    QCOMPARE(house.state(first), State::Running);
    QVERIFY(house.service().stop(first));
    QVERIFY(house.waitForState(first, State::Stopped));
    here->endAll(1);
    QVERIFY(house.waitForState(third, State::Failed));
    QCOMPARE(here->starts(), 2);
    QCOMPARE(there->starts(), 1);
    // Also a final job is its target's.
    RetryRequest again;
    again.uuid = second;
    QVERIFY(house.service().retry(again));
    QVERIFY(house.waitForState(second, State::Running));
    QCOMPARE(there->starts(), 2);
    QCOMPARE(here->starts(), 2);
    QVERIFY(house.service().stop(second));
    QVERIFY(house.waitForState(second, State::Stopped));
}

void TstBackends::unknownTargetsAreRefused()
{
    FakeTarget pool(FakeTarget::Plain);
    FakeTarget lab(FakeTarget::Plain);
    House house(pool);
    house.add(u"fake:lab"_s, lab);
    QVERIFY(house.open());
    SubmitRequest request;
    request.yaml = oneTask();
    request.target = u"slurm:lab"_s;
    const Result<SubmitReply> reply = house.service().submit(request);
    QVERIFY(!reply);
    QCOMPARE(reply.error().code, u"target.unknown"_s);
    QCOMPARE(reply.error().args,
        (QJsonObject{{u"target"_s, u"slurm:lab"_s}, {u"known"_s, QJsonArray{u"fake:lab"_s, u"pool"_s}}}));
    QVERIFY(!house.service().plan(request));
    QCOMPARE(pool.starts() + lab.starts(), 0);
}

// A version of Trainyard that does not know the target has the job, and does nothing to it.
void TstBackends::waitsForATargetThatIsGone()
{
    FakeTarget pool(FakeTarget::Plain);
    FakeTarget lab(FakeTarget::Plain);
    House house(pool);
    house.add(u"fake:lab"_s, lab);
    house.cut.at = isA<core::effect::DrawPorts>;
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask(), u"fake:lab"_s);
    QVERIFY(QTest::qWaitFor([&] { return house.cut.isDone; }));
    house.close();
    house.take(u"fake:lab"_s);
    QVERIFY(house.open());
    QVERIFY(house.waitFor(uuid, [](const JobSummary &job) {
        return job.state == State::Waiting && job.reason == u"wait.target"_s
            && job.reasonArgs == QJsonObject{{u"target"_s, u"fake:lab"_s}};
    }));
    // Others are not held up.
    const QString other = house.submit(oneTask());
    QVERIFY(house.waitForState(other, State::Running));
    pool.endAll(0);
    QVERIFY(house.waitForState(other, State::Succeeded));
    QCOMPARE(house.state(uuid), State::Waiting);
    house.close();
    house.add(u"fake:lab"_s, lab);
    QVERIFY(house.open());
    QVERIFY(house.waitForState(uuid, State::Running));
    QCOMPARE(lab.starts(), 1);
    lab.endAll(0);
    QVERIFY(house.waitForState(uuid, State::Succeeded));
    QCOMPARE(pool.starts(), 1);
}

void TstBackends::runsOnATargetThatIsGone()
{
    FakeTarget pool(FakeTarget::Plain);
    FakeTarget lab(FakeTarget::Plain);
    House house(pool);
    house.add(u"fake:lab"_s, lab);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask(), u"fake:lab"_s);
    QVERIFY(house.waitForState(uuid, State::Running));
    house.close();
    house.take(u"fake:lab"_s);
    QVERIFY(house.open());
    QVERIFY(house.waitFor(uuid,
        [](const JobSummary &job) { return job.state == State::Running && job.reason == u"job.target-absent"_s; }));
    QVERIFY(house.service().stop(uuid));
    QCOMPARE(house.state(uuid), State::Stopping); // nobody can say that it is over
    house.close();
    QCOMPARE(lab.running(), 1);
    house.add(u"fake:lab"_s, lab);
    QVERIFY(house.open());
    QVERIFY(house.waitForState(uuid, State::Stopped));
    QCOMPARE(lab.running(), 0);
    // A job that is over is kept, and is not run again where there is no target.
    house.close();
    house.take(u"fake:lab"_s);
    QVERIFY(house.open());
    RetryRequest again;
    again.uuid = uuid;
    const Result<bool> retried = house.service().retry(again);
    QVERIFY(!retried);
    QCOMPARE(retried.error().code, u"target.absent"_s);
    QCOMPARE(house.state(uuid), State::Stopped);
    QVERIFY(house.service().remove(uuid));
}

TRAINYARD_TEST(TstBackends)
#include "tst_backends.moc"
