// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "tests/helpers/writtensteps.h"
#include "widgets/plot/curvestore.h"
#include "widgets/plot/trainingclock.h"

#include <QSet>
#include <QTest>

using namespace trainyard;

// By which series a task says when it was where.
class TstTrainingClock : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void isMadeOncePerChange();
    void tellsOfWhatIsOnTheAxis();
};

// A list that is made again has other memory: as long as the ones before live, their memory is not used again.
void TstTrainingClock::isMadeOncePerChange()
{
    WrittenLog log;
    writeSteps(log, 0, 50);
    CurveStore store(nullptr);
    TrainingClock clock(&store);
    store.setTasks(QList<CurveStore::Task>{{QStringLiteral("worker/0"), log.folder(), true}});
    store.setWatching(true);
    const auto lengthOf = [&store] {
        const series::Series *loss = store.series(0, QStringLiteral("loss"));
        return loss ? loss->size() : 0;
    };
    QTRY_COMPARE(lengthOf(), std::size_t(50));
    QTRY_VERIFY(!store.isReading());
    QList<stepclock::Series> asked;
    const auto madeFor = [&](int times) {
        QSet<const void *> made;
        for (int i = 0; i < times; ++i) {
            for (const QString &metric : {QStringLiteral("loss"), QStringLiteral("accuracy")}) {
                asked.append(clock.of(0, metric, CurveAlong::Step));
                made.insert(asked.constLast().constData());
            }
        }
        return made.size();
    };
    QCOMPARE(madeFor(100), 1);
    QCOMPARE(asked.constLast().size(), 2);
    const void *before = asked.constLast().constData();
    writeSteps(log, 50, 60);
    QTRY_COMPARE(lengthOf(), std::size_t(60));
    const auto isMadeAgain = [&] {
        madeFor(1);
        return asked.constLast().constData() != before;
    };
    QTRY_VERIFY(isMadeAgain());
    // Of another task, there is nothing left of it.
    WrittenLog other;
    store.setTasks(QList<CurveStore::Task>{{QStringLiteral("worker/1"), other.folder(), true}});
    QVERIFY(clock.of(0, QStringLiteral("loss"), CurveAlong::Step).isEmpty());
    QVERIFY(clock.of(7, QStringLiteral("loss"), CurveAlong::Step).isEmpty());
}

// What is told without steps is counted, and says nothing of when a step was.
void TstTrainingClock::tellsOfWhatIsOnTheAxis()
{
    WrittenLog withSteps, without;
    writeSteps(withSteps, 0, 30);
    for (int i = 0; i < 30; ++i) {
        without.writeAt((WrittenLog::start + i * 1000) * 1'000'000, "loss: 0." + QByteArray::number(10 + i) + '\n');
    }
    CurveStore store(nullptr);
    TrainingClock clock(&store);
    store.setTasks(QList<CurveStore::Task>{
        {QStringLiteral("worker/0"), withSteps.folder(), true}, {QStringLiteral("worker/1"), without.folder(), true}});
    store.setWatching(true);
    const QString loss = QStringLiteral("loss");
    const auto isRead = [&](int task) {
        const series::Series *told = store.series(task, loss);
        return told && told->size() == 30;
    };
    QTRY_VERIFY(isRead(0) && isRead(1) && !store.isReading());
    const auto clockOf = [&](int task) { return clock.of(task, loss, CurveAlong::Step); };
    QTRY_COMPARE(clockOf(0).size(), 2);
    QVERIFY(clockOf(0).contains(store.series(0, loss)));
    QVERIFY(clockOf(1).isEmpty());
}

TRAINYARD_GUI_TEST(TstTrainingClock)

#include "tst_trainingclock.moc"
