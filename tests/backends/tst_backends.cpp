// SPDX-License-Identifier: GPL-3.0-or-later
// What every back end has to keep to, whatever its target does (engine/backend/backend.h).
#include "tests/backends/faketarget.h"
#include "tests/backends/house.h"
#include "tests/backends/pooltarget.h"
#include "tests/daemon/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
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
        for (const char *name : {"pool", "fake", "fake late", "fake twice", "fake wrong", "fake late twice wrong"}) {
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
    for (const char *name : {"pool", "fake", "fake late twice wrong"}) {
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

TRAINYARD_TEST(TstBackends)
#include "tst_backends.moc"
