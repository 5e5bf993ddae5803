// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/plottools.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "tests/helpers/writtensteps.h"
#include "widgets/plot/curvestore.h"
#include "widgets/plot/trainingclock.h"

#include <QApplication>
#include <QMouseEvent>
#include <QSet>
#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <optional>
#include <vector>

using namespace trainyard;
using namespace plottests;

// By which series a task says when it was where.
class TstTrainingClock : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void isMadeOncePerChange();
    void tellsOfWhatIsOnTheAxis();
    void clockOfManySeries_data();
    void clockOfManySeries();
    void rareValuesHaveTheTimesOfAll();
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

// Points as place, and the time at which they were told.
using ToldPoints = QList<QList<QPair<double, qint64>>>;

void TstTrainingClock::clockOfManySeries_data()
{
    using Told = ToldPoints;
    QTest::addColumn<Told>("told");
    QTest::addColumn<double>("place");
    QTest::addColumn<qint64>("time"); // at the place
    QTest::addColumn<double>("back"); // the place at that time
    const Told rareAndDense{{{0, 0}, {60, 600}}, {{0, 0}, {5, 50}, {10, 100}, {60, 600}}};
    QTest::newRow("a point") << rareAndDense << 5.0 << qint64(50) << 5.0;
    QTest::newRow("between two of the dense one") << rareAndDense << 7.0 << qint64(70) << 5.0;
    QTest::newRow("between points of both")
        << Told{{{0, 0}, {8, 80}}, {{5, 50}, {10, 100}}} << 6.0 << qint64(60) << 5.0;
    QTest::newRow("before all") << rareAndDense << -3.0 << qint64(0) << 0.0;
    QTest::newRow("behind all") << rareAndDense << 99.0 << qint64(600) << 60.0;
    QTest::newRow("two at one place") << Told{{{5, 52}}, {{5, 50}}} << 5.0 << qint64(50) << 5.0;
    // The first one has not been told since the program went back to 40.
    QTest::newRow("gone back") << Told{{{59, 590}}, {{40, 700}, {45, 750}}} << 45.0 << qint64(750) << 45.0;
}

void TstTrainingClock::clockOfManySeries()
{
    QFETCH(ToldPoints, told);
    QFETCH(double, place);
    std::vector<series::Series> all(std::size_t(told.size()));
    stepclock::Series clock;
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (const auto &[x, time] : told.at(qsizetype(i))) {
            all[i].append({x, time, 0.5});
        }
        clock.append(&all[i]);
    }
    const std::optional<qint64> time = stepclock::timeAt(clock, place);
    QVERIFY(time);
    QTEST(*time, "time");
    QTEST(stepclock::placeAt(clock, *time).value_or(-1), "back");
    QVERIFY(!stepclock::timeAt({}, place) && !stepclock::placeAt({}, *time));
}

// A metric that is told rarely says little of the time between its values: what is chosen or marked there goes by all.
void TstTrainingClock::rareValuesHaveTheTimesOfAll()
{
    WrittenLog log;
    for (int step = 0; step <= 240; step += 5) {
        const QByteArray number = QByteArray::number(step);
        QByteArray line = "step " + number + " loss: 0.5\n";
        if (step % 60 == 0) {
            line += "step " + number + " accuracy: 0.25\n";
        }
        log.writeAt((WrittenLog::start + step * 1000) * 1'000'000, line);
    }
    CurvesView view;
    view.resize(900, 400);
    view.setTasks({taskOf(log)});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_COMPARE(view.plots().size(), 2);
    CurvePlot *rare = plotNamed(view, QStringLiteral("accuracy"));
    QVERIFY(rare);
    QTRY_COMPARE(rare->shownRange().second, 240.0);
    QTRY_COMPARE(rare->lines().constFirst().series->size(), std::size_t(5));
    QTRY_VERIFY(isDrawn(*rare));
    auto *inside = rare->findChild<QWidget *>();
    QSignalSpy chosen(&view, &CurvesView::timesChosen);
    const QPoint from(rare->pixelOf(69, 1).x(), 40), to(rare->pixelOf(87, 1).x(), 40);
    QTest::mousePress(inside, Qt::LeftButton, Qt::ShiftModifier, from);
    QMouseEvent move(QEvent::MouseMove, to, inside->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::ShiftModifier);
    QApplication::sendEvent(inside, &move);
    QTest::mouseRelease(inside, Qt::LeftButton, Qt::ShiftModifier, to);
    QCOMPARE(chosen.size(), 1);
    const auto seconds
        = [&](int at) { return double(chosen.constFirst().at(at).toLongLong() - WrittenLog::start) / 1000; };
    QVERIFY2(std::abs(seconds(0) - 69) < 2 && std::abs(seconds(1) - 87) < 2,
        qPrintable(QStringLiteral("%1 to %2").arg(seconds(0)).arg(seconds(1))));
    // A time is at one place in all plots.
    const CurvePlot::Times times{WrittenLog::start + 70'000, WrittenLog::start + 220'000};
    for (CurvePlot *plot : view.plots()) {
        plot->setChosen(times);
        QCOMPARE(plot->chosenRange(), std::optional(CurvePlot::Range(70, 220)));
    }
}

TRAINYARD_GUI_TEST(TstTrainingClock)

#include "tst_trainingclock.moc"
