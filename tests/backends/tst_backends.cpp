// SPDX-License-Identifier: GPL-3.0-or-later
// What every back end has to keep to, whatever its target does (engine/backend/backend.h).
#include "tests/backends/clustertarget.h"
#include "tests/backends/faketarget.h"
#include "tests/backends/house.h"
#include "tests/backends/pooltarget.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>
#include <QTest>

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
