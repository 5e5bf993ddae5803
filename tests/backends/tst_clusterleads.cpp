// SPDX-License-Identifier: GPL-3.0-or-later
// What the lead of a cluster's job does with its tasks: tries, stops, pauses, suspensions, and what it keeps.
#include "tests/backends/clustertarget.h"
#include "tests/backends/house.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstClusterLeads : public QObject
{
    Q_OBJECT

    static const core::Running *waitForTask(House &house, const QString &uuid);
    static QString killedBetweenTwoTries(House &house, ClusterTarget &target, core::PortTable &ports);

private Q_SLOTS:
    void aStopThatNobodyHeard();
    void aTryOfALeadIsFoundAgain();
    void aTryOfALeadIsNotLeftRunning_data();
    void aTryOfALeadIsNotLeftRunning();
    void aLateStopLeavesTheGracePeriod();
    void aStopBeforeTheLeadStartsNothing();
    void aPauseIsHeardLater();
    void aPauseIsToldToTheLeadThatCountsTheTime();
    void whatIsSuspendedThereIsNamed_data();
    void whatIsSuspendedThereIsNamed();
    void aCancelledComponentEndsTheJob();
    void failedTasksOfAClusterAreKept();
};

// The task ends by itself while the cluster cannot be asked to end it: its lead would try it again, unseen.
void TstClusterLeads::aStopThatNobodyHeard()
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
const core::Running *TstClusterLeads::waitForTask(House &house, const QString &uuid)
{
    const auto running = [&]() -> const core::Running * {
        const ActiveJob *job = house.job(uuid);
        return job ? std::get_if<core::Running>(&job->state.tasks.front().state) : nullptr;
    };
    return QTest::qWaitFor([&] { return running() != nullptr; }, 20'000) ? running() : nullptr;
}

// The engine is killed when the end of a try is written down, and the next one, which its lead has started, is not yet.
QString TstClusterLeads::killedBetweenTwoTries(House &house, ClusterTarget &target, core::PortTable &ports)
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
void TstClusterLeads::aTryOfALeadIsFoundAgain()
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
void TstClusterLeads::aTryOfALeadIsNotLeftRunning_data()
{
    QTest::addColumn<bool>("isStoppedBefore");
    QTest::newRow("the job goes on") << false;
    QTest::newRow("the job is over") << true;
}

void TstClusterLeads::aTryOfALeadIsNotLeftRunning()
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
void TstClusterLeads::aLateStopLeavesTheGracePeriod()
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
void TstClusterLeads::aStopBeforeTheLeadStartsNothing()
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

// The cluster could not be asked when the job was paused, and not when it was resumed; the last word counts.
void TstClusterLeads::aPauseIsHeardLater()
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
void TstClusterLeads::aPauseIsToldToTheLeadThatCountsTheTime()
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

void TstClusterLeads::whatIsSuspendedThereIsNamed_data()
{
    QTest::addColumn<bool>("isEarly");
    QTest::newRow("before its first task") << true;
    QTest::newRow("while it runs") << false;
}

// By hand, or by the cluster: its tasks are there and do nothing.
void TstClusterLeads::whatIsSuspendedThereIsNamed()
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
void TstClusterLeads::aCancelledComponentEndsTheJob()
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
void TstClusterLeads::failedTasksOfAClusterAreKept()
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

TRAINYARD_TEST(TstClusterLeads)
#include "tst_clusterleads.moc"
