// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/backends/faketarget.h"
#include "tests/backends/house.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Of which attempt a job has results (engine/daemon/jobresults.h).
class TstJobOutputs : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void noRoomForTheNextAttempt();
    void retriedBeforeAllIsRead();

private:
    static QString folderOf(House &house, const QString &uuid, int index = 0)
    {
        const Result<QList<TaskInfo>> tasks = house.queries().tasks(uuid, -1, index, 1);
        return tasks && !tasks->isEmpty() ? tasks->first().logFolder : QString();
    }
    static double lossOf(House &house, const QString &uuid)
    {
        const JobSummary job = house.queries().summary(uuid).value_or(JobSummary());
        return job.results.value("loss"_L1)["last"_L1].toDouble(-1);
    }
    static void endTask(House &house, const QString &uuid, int index, int code)
    {
        const core::TaskRef ref{0, index};
        static_cast<FakeBackend &>(house.backend()).tellEnded(core::tryUuid(house.job(uuid)->state, ref), code);
    }
    static bool waitForAttempt(House &house, const QString &uuid, int attempt)
    {
        return house.waitFor(
            uuid, [=](const JobSummary &job) { return job.retries == attempt && job.state == State::Running; });
    }
};

// What the former attempt said must not pass for the results of the one that could not be read. Its turn comes.
void TstJobOutputs::noRoomForTheNextAttempt()
{
    FakeTarget target(FakeTarget::Plain);
    House house(target);
    QVERIFY(house.open());
    const auto outputs = house.makeResults(JobReadings::mostTasksRead + 1);
    const QString again = house.submit(
        EngineFixture::document("again", EngineFixture::role("worker", 1, {"true"}), "jobRetryCount: 1\n"));
    QVERIFY(waitForAttempt(house, again, 0));
    WrittenLog first(folderOf(house, again));
    first.write("step 1 loss: 0.5\n");
    QVERIFY(first.end());
    QTRY_COMPARE(lossOf(house, again), 0.5);
    // This one leaves no room for another job.
    const QString other = house.submit(EngineFixture::document("other", EngineFixture::role("worker", 2, {"true"})));
    QVERIFY(waitForAttempt(house, other, 0));
    WrittenLog ofOther(folderOf(house, other)), ofSecond(folderOf(house, other, 1));
    ofOther.write("step 1 loss: 3\n");
    QTRY_COMPARE(lossOf(house, other), 3.0);
    endTask(house, again, 0, 7);
    QVERIFY(waitForAttempt(house, again, 1));
    WrittenLog second(folderOf(house, again));
    QVERIFY(second.folder() != first.folder());
    second.write("step 1 loss: 0.25\n");
    QVERIFY(second.end());
    endTask(house, again, 0, 0);
    QVERIFY(house.waitForState(again, State::Succeeded));
    QCOMPARE(lossOf(house, again), -1.0);
    QVERIFY(ofOther.end() && ofSecond.end());
    endTask(house, other, 0, 0);
    endTask(house, other, 1, 0);
    QVERIFY(house.waitForState(other, State::Succeeded));
    QTRY_COMPARE_WITH_TIMEOUT(lossOf(house, again), 0.25, 20000);
    QCOMPARE(lossOf(house, other), 3.0);
}

// Its output is waited for still when somebody retries it. An attempt that says nothing leaves what the one before
// said.
void TstJobOutputs::retriedBeforeAllIsRead()
{
    FakeTarget target(FakeTarget::Plain);
    House house(target);
    QVERIFY(house.open());
    const auto outputs = house.makeResults(JobResults::mostOutputs);
    connect(&house.service(), &JobService::runsAgain, outputs.get(), &JobResults::forget);
    QStringList stored;
    connect(outputs.get(), &JobResults::stored, this, [&stored](const QString &uuid) { stored.append(uuid); });
    const QString uuid = house.submit(oneTask());
    QVERIFY(waitForAttempt(house, uuid, 0));
    WrittenLog first(folderOf(house, uuid));
    first.write("step 1 loss: 0.5\n");
    QTRY_COMPARE(lossOf(house, uuid), 0.5);
    endTask(house, uuid, 0, 7);
    QVERIFY(house.waitForState(uuid, State::Failed));
    QTRY_VERIFY(!house.job(uuid));
    QCOMPARE(lossOf(house, uuid), 0.5);
    QVERIFY(house.service().retry({uuid, {}, false, {}}).value_or(false));
    QVERIFY(waitForAttempt(house, uuid, 1));
    QTRY_COMPARE(lossOf(house, uuid), -1.0); // until it began, those of the first one counted
    WrittenLog second(folderOf(house, uuid));
    QVERIFY(second.end());
    endTask(house, uuid, 0, 0);
    QTRY_COMPARE_WITH_TIMEOUT(stored, QStringList{uuid}, 20000);
    QCOMPARE(lossOf(house, uuid), 0.5);
}

TRAINYARD_TEST(TstJobOutputs)
#include "tst_joboutputs.moc"
