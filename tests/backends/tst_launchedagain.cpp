// SPDX-License-Identifier: GPL-3.0-or-later
// Tries of the pool that were launched by an agent which is no longer there: they are asked for once more.
#include "engine/pool/trymessages.h"
#include "tests/backends/house.h"
#include "tests/backends/pooltarget.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QTest>

#include <cerrno>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstLaunchedAgain : public QObject
{
    Q_OBJECT

    static QByteArray withSecret()
    {
        return EngineFixture::document("secret", EngineFixture::role("main", 1, {"echo <% $secrets.token %>"}),
            "secrets: {token: tok-en-value}\n");
    }
    // As when the computer restarts.
    static void closeWithoutSecrets(House &house, const QString &job)
    {
        house.close();
        SecretKeeper().forget(QUuid::fromString(job)); // which may be in a file in memory
    }
    static JobSummary summary(House &house, const QString &job)
    {
        return house.queries().summary(job).value_or(JobSummary());
    }

private Q_SLOTS:
    // It cannot be launched any more. What the first launch has started is found, and goes on.
    void whatRunsIsFound()
    {
        PoolTarget target;
        target.loseAnswers(true);
        House house(target);
        QVERIFY(house.open());
        const QString job = house.submit(withSecret());
        QVERIFY(QTest::qWaitFor([&] { return target.running() == 1; }));
        QCOMPARE(house.state(job), State::Waiting);
        closeWithoutSecrets(house, job);
        target.loseAnswers(false);
        QVERIFY(house.open());
        QVERIFY(house.waitForState(job, State::Running));
        QCOMPARE(target.starts(), 1);
        QCOMPARE(target.running(), 1);
        target.endAll(0);
        QVERIFY(house.waitForState(job, State::Succeeded));
    }

    // The same, when it has ended meanwhile: its result counts.
    void whatHasEndedIsFound()
    {
        PoolTarget target;
        target.loseAnswers(true);
        House house(target);
        QVERIFY(house.open());
        const QString job = house.submit(withSecret());
        QVERIFY(QTest::qWaitFor([&] { return target.running() == 1; }));
        closeWithoutSecrets(house, job);
        target.endAll(0);
        target.loseAnswers(false);
        QVERIFY(house.open());
        QVERIFY(house.waitForState(job, State::Succeeded));
        QCOMPARE(target.starts(), 1);
    }

    // There is nothing to be found, so it fails by what keeps it from being launched.
    void whatNeverBeganFails()
    {
        PoolTarget target;
        House house(target);
        house.cut.at = isA<core::effect::LaunchTry>;
        QVERIFY(house.open());
        const QString job = house.submit(withSecret());
        QVERIFY(QTest::qWaitFor([&] { return house.cut.isDone; }));
        closeWithoutSecrets(house, job);
        QVERIFY(house.open());
        QVERIFY(house.waitForState(job, State::Failed));
        QCOMPARE(summary(house, job).reason, u"job.secrets-missing"_s);
        QTRY_VERIFY(target.isAskedToStop()); // by which a launch that comes late finds an end
        QCOMPARE(target.starts(), 0);
    }

    // The bar cannot be taken back, so an engine that is killed in between must not find that the task may start.
    void isWrittenDownBeforeItIsBarred()
    {
        PoolTarget target;
        House house(target);
        house.cut.at = isA<core::effect::LaunchTry>;
        QVERIFY(house.open());
        const QString job = house.submit(withSecret());
        QVERIFY(QTest::qWaitFor([&] { return house.cut.isDone; }));
        closeWithoutSecrets(house, job);
        house.cut.at = isA<core::effect::ReleaseTry>;
        QVERIFY(house.open());
        QVERIFY(QTest::qWaitFor([&] { return house.cut.isDone; }));
        QVERIFY(!target.isAskedToStop());
        house.close();
        QVERIFY(house.open());
        QCOMPARE(house.state(job), State::Failed);
        QCOMPARE(summary(house, job).reason, u"job.secrets-missing"_s);
        QCOMPARE(target.starts(), 0);
        QTRY_VERIFY(target.isAskedToStop()); // the next engine does it
        QTRY_VERIFY(QDir(house.path(u"state/bars"_s)).isEmpty(QDir::Files));
    }

    // It is stopped by an agent that has not launched it, and what it still writes is masked by that one.
    void secretsAreToldBeforeAStop()
    {
        PoolTarget target;
        House house(target);
        QVERIFY(house.open());
        const QString job = house.submit(withSecret());
        QVERIFY(house.waitForState(job, State::Running));
        target.cut(u"local"_s);
        QVERIFY(house.service().stop(job));
        QVERIFY(!target.isAskedToStop());
        QVERIFY(house.waitForState(job, State::Stopped));
        QVERIFY(target.isAskedToStop());
        QVERIFY(target.knowsSecretsOfStopped());
    }

    // The host has a folder of the try and cannot look into it: nobody knows what runs there before it can.
    void whatCannotBeSeenIsAskedForAgain()
    {
        PoolTarget target;
        target.breakHost(u"local"_s, "observe.unreadable");
        House house(target);
        QVERIFY(house.open());
        const QString job = house.submit(oneTask());
        QVERIFY(house.waitFor(job, [](const JobSummary &now) { return now.reason == u"observe.unreadable"_s; }));
        target.breakHost(u"local"_s, {});
        QVERIFY(house.waitForState(job, State::Running));
        QCOMPARE(summary(house, job).reason, QString());
        QCOMPARE(target.starts(), 1);
    }

    // It has begun, and the answer was lost. Why it cannot be looked at says nothing of it, nor does what another
    // launch cannot do.
    void whatHasBegunIsNoFailedLaunch_data()
    {
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("records") << QByteArray("launch.unseen");
        QTest::newRow("processes") << QByteArray("agent.processes");
        QTest::newRow("message") << QByteArray("launch.malformed");
    }
    void whatHasBegunIsNoFailedLaunch()
    {
        QFETCH(QByteArray, code);
        PoolTarget target;
        House house(target);
        QVERIFY(house.open());
        target.loseAnswers(true);
        const QString job = house.submit(oneTask());
        QVERIFY(QTest::qWaitFor([&] { return target.starts() == 1; }));
        target.loseAnswers(false);
        target.breakHost(u"local"_s, code.toStdString());
        target.cut(u"local"_s);
        QVERIFY(house.waitFor(job, [&](const JobSummary &now) {
            return now.state == State::Running || now.reason == u"observe.unreadable"_s;
        }));
        target.breakHost(u"local"_s, {});
        QVERIFY(house.waitForState(job, State::Running));
        QCOMPARE(target.starts(), 1);
        target.endAll(0);
        QVERIFY(house.waitForState(job, State::Succeeded));
    }

    // A host that cannot look at what it was never asked for has not begun it.
    void whatIsNewHasNotBegun()
    {
        const trainyard::contract::Failure unseen{"launch.unseen", "/runs/a", EIO};
        QVERIFY(mayHaveBegun(unseen, true) && !mayHaveBegun(unseen, false));
        QVERIFY(mayHaveBegun({"agent.processes", {}, EAGAIN}, false));
        QVERIFY(mayHaveBegun({"observe.unreadable", {}, EIO}, false));
        QVERIFY(!mayHaveBegun({"launch.malformed", {}, 0}, true)); // it has looked
        QCOMPARE(notStarted(unseen, 5).reason, std::string("launch.folder-unwritable /runs/a"));
    }

    // A host that was never asked for anything has nothing of this engine: what it is not asked for now fails at once.
    void whatWasNeverAskedForIsNotSought()
    {
        PoolTarget target;
        target.setMounted(false);
        House house(target);
        house.cut.at = isA<core::effect::DrawPorts>;
        QVERIFY(house.open());
        const QString job = house.submit(withSecret());
        QVERIFY(QTest::qWaitFor([&] { return house.cut.isDone; }));
        closeWithoutSecrets(house, job);
        QVERIFY(house.open());
        QVERIFY(house.waitForState(job, State::Failed));
        QCOMPARE(summary(house, job).reason, u"job.secrets-missing"_s);
        QCOMPARE(target.starts(), 0);
    }

    // The file system with its folder is not mounted yet, as after a restart of its host.
    void whatIsNotMountedIsNotLost()
    {
        PoolTarget target;
        House house(target);
        QVERIFY(house.open());
        const QString job = house.submit(oneTask());
        QVERIFY(house.waitForState(job, State::Running));
        target.setMounted(false);
        target.cut(u"local"_s);
        QVERIFY(house.waitFor(job, [](const JobSummary &now) { return now.reason == u"observe.away"_s; }));
        QCOMPARE(house.state(job), State::Running);
        target.setMounted(true);
        QVERIFY(house.waitFor(job, [](const JobSummary &now) { return now.reason.isEmpty(); }));
        QCOMPARE(house.state(job), State::Running);
        target.endAll(0);
        QVERIFY(house.waitForState(job, State::Succeeded));
        QCOMPARE(target.starts(), 1);
    }

    // A stop waits for it: nobody knows of the task there meanwhile, and it may run.
    void whatIsNotMountedIsNotStopped()
    {
        PoolTarget target;
        House house(target);
        QVERIFY(house.open());
        const QString job = house.submit(oneTask());
        QVERIFY(house.waitForState(job, State::Running));
        target.setMounted(false);
        QVERIFY(house.service().stop(job));
        QVERIFY(house.waitFor(job, [](const JobSummary &now) { return now.reason == u"observe.away"_s; }));
        QCOMPARE(house.state(job), State::Stopping);
        QCOMPARE(target.running(), 1);
        target.setMounted(true);
        QVERIFY(house.waitForState(job, State::Stopped));
        QCOMPARE(target.running(), 0);
    }

    // Nor can it be paused meanwhile. The last word counts when it is there again.
    void whatIsNotMountedIsPausedLater()
    {
        PoolTarget target;
        House house(target);
        QVERIFY(house.open());
        const QString job = house.submit(oneTask());
        QVERIFY(house.waitForState(job, State::Running));
        target.setMounted(false);
        QVERIFY(house.blocking().pause(job, true).value_or(false));
        const auto reason = [&] { // of the task: the job says that it is paused
            const Result<QList<TaskInfo>> tasks = house.queries().tasks(job, -1, 0, 1);
            return tasks && tasks->size() == 1 ? tasks->first().reason : u"no task"_s;
        };
        QTRY_COMPARE(reason(), u"observe.away"_s);
        QVERIFY(!target.isPaused());
        target.setMounted(true);
        QTRY_VERIFY_WITH_TIMEOUT(target.isPaused(), 20000);
        QTRY_COMPARE(reason(), u"job.paused"_s);
        QVERIFY(house.blocking().pause(job, false).value_or(false));
        QTRY_VERIFY(!target.isPaused());
        target.endAll(0);
        QVERIFY(house.waitForState(job, State::Succeeded));
    }
};

TRAINYARD_TEST(TstLaunchedAgain)
#include "tst_launchedagain.moc"
