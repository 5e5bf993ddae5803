// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/backends/faketarget.h"
#include "tests/backends/house.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What is written of a tick (engine/daemon/tick.h).
class TstTick : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void anAttemptThatIsReplacedAtOnce();

private:
    static void changeStore(const House &house, const QString &sql)
    {
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"change"_s);
            database.setDatabaseName(house.path(u"state/store.db"_s));
            QVERIFY(database.open());
            QVERIFY(QSqlQuery(database).exec(sql));
        }
        QSqlDatabase::removeDatabase(u"change"_s);
    }
};

// Its tasks end and the next attempt begins in one tick, which cannot be written at first: how they ended is not lost.
void TstTick::anAttemptThatIsReplacedAtOnce()
{
    FakeTarget target(FakeTarget::Plain);
    House house(target);
    QVERIFY(house.open());
    const QString again = house.submit(
        EngineFixture::document("again", EngineFixture::role("worker", 2, {"true"}), "jobRetryCount: 1\n"));
    const QString other = house.submit(oneTask());
    QVERIFY(house.waitForState(again, State::Running) && house.waitForState(other, State::Running));
    QTRY_COMPARE(target.running(), 3);
    QTRY_COMPARE(house.job(again)->state.counts.running, 2);
    // The end of the other one has somebody stop it.
    connect(&house.tick(), &Tick::jobEnding, this, [&](ActiveJob *job) {
        if (job->uuid() == other) {
            house.tick().post(*house.job(again), core::event::StopRequested{});
        }
    });
    changeStore(house, u"CREATE TRIGGER refusing BEFORE UPDATE ON job BEGIN SELECT RAISE(ABORT, 'no room'); END"_s);
    target.endAll(7);
    QTRY_VERIFY(house.tick().isBlocked());
    QCOMPARE(house.job(again)->state.attempt(), 1);
    changeStore(house, u"DROP TRIGGER refusing"_s);
    QVERIFY(house.waitFor(again, [](const JobSummary &job) { return isFinal(job.state); }));
    QTRY_VERIFY(!house.job(again)); // from here on the store answers
    const Result<QList<TaskInfo>> tasks = house.queries().tasks(again, 0, 0, 0);
    QVERIFY(tasks);
    QCOMPARE(tasks->size(), 2);
    for (const TaskInfo &task : *tasks) {
        QVERIFY(isFinal(task.state) && task.completed);
    }
    QCOMPARE(tasks->first().exitCode.value_or(0), 7);
}

TRAINYARD_TEST(TstTick)
#include "tst_tick.moc"
