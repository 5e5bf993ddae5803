// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/figuresteps.h"
#include "engine/metrics/curvex.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/plot/axisticks.h"
#include "widgets/plot/epochtrack.h"
#include "widgets/plot/lineslices.h"
#include "widgets/plot/plotgrid.h"

#include <QScrollArea>
#include <QTest>

#include <cmath>
#include <memory>

using namespace trainyard;

// Where the points of curves lie, and how axes and rows of plots are divided.
class TstCurveSteps : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void stepsOfSeries_data();
    void stepsOfSeries();
    void epochsOfBarsHaveTheirLength();
    void epochsOfOneBatchStandApart();
    void stepsTurnOutToBeBatches();
    void epochsAreCounted_data();
    void epochsAreCounted();
    void epochsMoveWhenStepsCome();
    void epochsGoOnBehindTheLastStep();
    void epochsStandBeforeStepsOfTheirMillisecond();
    void epochsStandAtTheirEnds();
    void columnsOfPlots_data();
    void columnsOfPlots();
    void lastRowOfPlotsIsFull();
    void linesAreDrawnInPieces();
    void ticksSayWhereTheyAre_data();
    void ticksSayWhereTheyAre();
    void rangesOfValues();
};

void TstCurveSteps::stepsOfSeries_data()
{
    QTest::addColumn<QList<double>>("steps"); // NaN: none
    QTest::addColumn<bool>("areBatches");
    QTest::addColumn<QList<double>>("wanted");
    QTest::newRow("steps") << QList<double>{10, 20, 30} << false << QList<double>{10, 20, 30};
    QTest::newRow("resumed") << QList<double>{10, 20, 10} << false << QList<double>{10, 20, 10};
    QTest::newRow("batches") << QList<double>{50, 100, 50, 100} << true << QList<double>{50, 100, 150, 200};
    QTest::newRow("batches from 0") << QList<double>{0, 50, 0, 50} << true << QList<double>{0, 50, 100, 150};
    QTest::newRow("none") << QList<double>{qQNaN(), qQNaN()} << false << QList<double>{1, 2};
}

void TstCurveSteps::stepsOfSeries()
{
    QFETCH(QList<double>, steps);
    QFETCH(bool, areBatches);
    QFETCH(QList<double>, wanted);
    metrics::CurveX x;
    QList<double> got;
    for (const double step : steps) {
        metrics::Point point;
        point.axis = areBatches ? metrics::Axis::Batch : metrics::Axis::Step;
        if (!std::isnan(step)) {
            point.step = step;
        }
        got.append(x.next(point));
    }
    QCOMPARE(got, wanted);
    if (!steps.isEmpty() && !std::isnan(steps.constLast())) { // of the whole epoch, behind its steps
        metrics::Point point;
        point.axis = metrics::Axis::Epoch;
        point.step = 1;
        QCOMPARE(x.next(point), wanted.constLast());
    }
}

// A bar goes from 0/20 to 20/20, which are 20 batches; a count from 0 to 20 that names no total is of 21.
void TstCurveSteps::epochsOfBarsHaveTheirLength()
{
    for (const bool hasTotal : {true, false}) {
        metrics::CurveX x;
        for (const double epoch : {0.0, 1.0, 2.0}) {
            for (int batch = 0; batch <= 20; ++batch) {
                metrics::Point point;
                point.axis = metrics::Axis::Batch;
                point.step = batch;
                point.epoch = epoch;
                point.total = hasTotal ? std::optional(20.0) : std::nullopt;
                QCOMPARE(x.next(point), epoch * (hasTotal ? 20 : 21) + batch);
            }
        }
    }
}

// Of each epoch, as little as its last batch, or its first one.
void TstCurveSteps::epochsOfOneBatchStandApart()
{
    const auto xs = [](const QList<QPair<double, double>> &told) { // the batch and its epoch; NaN: it is not known
        metrics::CurveX x;
        QList<double> got;
        for (const auto &[batch, epoch] : told) {
            metrics::Point point;
            point.axis = metrics::Axis::Batch;
            point.step = batch;
            if (!std::isnan(epoch)) {
                point.epoch = epoch;
            }
            got.append(x.next(point));
        }
        return got;
    };
    QCOMPARE(xs({{5, 1}, {5, 2}, {5, 3}}), (QList<double>{5, 10, 15}));
    QCOMPARE(xs({{4, 1}, {5, 1}, {5, 2}, {4, 3}, {5, 3}}), (QList<double>{4, 5, 10, 14, 15}));
    QCOMPARE(xs({{0, 0}, {0, 1}, {0, 2}}), (QList<double>{0, 1, 2}));
    QCOMPARE(xs({{5, 1}, {5, 1}}), (QList<double>{5, 5})); // drawn again
    QCOMPARE(xs({{5, qQNaN()}, {5, qQNaN()}}), (QList<double>{5, 5}));
    QCOMPARE(xs({{5, 2}, {5, 1}}), (QList<double>{5, 5})); // it was resumed
}

// That steps count inside of their epochs shows when the second one begins.
void TstCurveSteps::stepsTurnOutToBeBatches()
{
    metrics::CurveX x;
    QList<double> got;
    for (const auto axis : {metrics::Axis::Step, metrics::Axis::Batch}) {
        for (const double step : {20.0, 40.0}) {
            metrics::Point point;
            point.axis = axis;
            point.step = step;
            got.append(x.next(point));
        }
    }
    QCOMPARE(got, (QList<double>{20, 40, 60, 80}));
}

// Each point: epoch, how far inside (NaN: it is over), seconds. Wanted: epochs that are over, at each time.
void TstCurveSteps::epochsAreCounted_data()
{
    using Told = QList<QList<double>>;
    const double over = qQNaN();
    QTest::addColumn<Told>("told");
    QTest::addColumn<bool>("hasWhole");
    QTest::addColumn<Told>("wanted");
    QTest::newRow("ends, counted from one") << Told{{1, over, 10}, {2, over, 20}} << true << Told{{1, 10}, {2, 20}};
    QTest::newRow("ends, counted from zero") << Told{{0, over, 10}, {1, over, 20}} << true << Told{{1, 10}, {2, 20}};
    QTest::newRow("parts") << Told{{0.5, over, 10}, {1.0, over, 20}, {1.5, over, 30}} << true
                           << Told{{0.5, 10}, {1, 20}, {1.5, 30}};
    QTest::newRow("the first one runs") << Told{{1, 10, 10}, {1, 20, 20}} << false << Told{{0, 10}};
    QTest::newRow("batches") << Told{{1, 0, 0}, {1, 10, 10}, {1, over, 12}, {2, 0, 13}, {2, 5, 18}, {2, 10, 23}} << true
                             << Told{{0, 0}, {1, 12}, {1, 13}, {1.5, 18}, {2, 23}};
    QTest::newRow("steps that count on") << Told{{0, 0, 0}, {0, 100, 10}, {1, 100, 11}, {1, 150, 16}} << true
                                         << Told{{0, 0}, {1, 11}, {1.5, 16}};
    QTest::newRow("an evaluation inside") << Told{{1, 0, 0}, {1, 9, 9}, {2, 0, 10}, {2, 6, 16}, {2, 1, 17}, {2, 7, 18}}
                                          << true << Told{{0, 0}, {1, 10}, {1 + 6.0 / 9, 16}, {1 + 7.0 / 9, 18}};
    QTest::newRow("an evaluation after it")
        << Told{{1, 0, 0}, {1, over, 9}, {1, 3, 10}, {2, 0, 11}} << true << Told{{0, 0}, {1, 9}, {1, 11}};
    QTest::newRow("resumed") << Told{{1, over, 10}, {2, over, 20}, {3, over, 30}, {2, over, 40}, {3, over, 50}} << true
                             << Told{{1, 10}, {2, 40}, {3, 50}};
    QTest::newRow("begins later") << Told{{7, over, 10}, {8, over, 20}} << true << Told{{7, 10}, {8, 20}};
    QTest::newRow("nonsense") << Told{{-1, over, 10}, {qInf(), over, 20}} << false << Told{};
}

void TstCurveSteps::epochsAreCounted()
{
    QFETCH(QList<QList<double>>, told);
    QFETCH(bool, hasWhole);
    QFETCH(QList<QList<double>>, wanted);
    EpochTrack track;
    for (const QList<double> &one : told) {
        const bool isOver = std::isnan(one.at(1));
        track.add(one.at(0), isOver ? std::nullopt : std::optional(one.at(1)), qint64(one.at(2)));
    }
    QCOMPARE(track.hasWhole(), hasWhole);
    QList<QList<double>> got;
    for (std::size_t i = 0; i < track.places().size(); ++i) {
        const series::Point point = track.places().at(i);
        got.append({point.x, double(point.time)});
    }
    QCOMPARE(got, wanted);
}

// What is told of an epoch stands at the last step until more steps come, in a curve that is looked at while it grows
// as in one that is opened later.
void TstCurveSteps::epochsMoveWhenStepsCome()
{
    constexpr auto behind = FigureSteps::Behind::AtTheLast;
    series::Series steps, epochs;
    FigureSteps live;
    for (const int step : {1, 6, 11, 16}) {
        steps.append({double(step), step * 1000, 0.5});
    }
    epochs.append({1, 20'100, 0.4});
    QCOMPARE(live.update(epochs, steps, behind).at(0).x, 16.0);
    steps.append({21, 21'000, 0.5});
    QCOMPARE(live.update(epochs, steps, behind).at(0).x, 20.0);
    epochs.append({2, 21'000, 0.3}); // written at once with the step
    QCOMPARE(live.update(epochs, steps, behind).at(1).x, 21.0);
    steps.append({26, 26'000, 0.5});
    FigureSteps later;
    for (FigureSteps *each : {&live, &later}) {
        const series::Series &placed = each->update(epochs, steps, behind);
        QCOMPARE(placed.size(), std::size_t(2));
        QCOMPARE(placed.at(0).x, 20.0);
        QCOMPARE(placed.at(1).x, 21.0);
    }
    // A figure of a host waits for its step instead.
    FigureSteps figure;
    epochs.append({3, 30'000, 0.2});
    QCOMPARE(figure.update(epochs, steps).size(), std::size_t(2));
}

// A program that tells every fifth step does not tell the one at which its last epoch ends.
void TstCurveSteps::epochsGoOnBehindTheLastStep()
{
    constexpr auto behind = FigureSteps::Behind::AtTheLast;
    series::Series steps, epochs;
    FigureSteps live;
    for (int epoch = 0; epoch < 4; ++epoch) {
        steps.append({epoch * 5.0, epoch * 5000, 0.5});
        epochs.append({double(epoch), epoch * 5000 + 4000, 0.4});
        live.update(epochs, steps, behind);
    }
    FigureSteps later;
    for (FigureSteps *each : {&live, &later}) {
        const series::Series &placed = each->update(epochs, steps, behind);
        QCOMPARE(placed.size(), std::size_t(4));
        for (std::size_t i = 0; i < placed.size(); ++i) {
            QCOMPARE(placed.at(i).x, double(i) * 5 + 4);
        }
    }
    epochs.append({4, 30'000, 0.3}); // the steps have ended
    QCOMPARE(live.update(epochs, steps, behind).at(4).x, 19.0);
}

// The output has the lines of one millisecond in their order.
void TstCurveSteps::epochsStandBeforeStepsOfTheirMillisecond()
{
    constexpr auto behind = FigureSteps::Behind::AtTheLast;
    series::Series steps, epochs;
    FigureSteps live;
    steps.append({10, 10'000, 0.5});
    epochs.append({1, 11'000, 0.4});
    steps.append({11, 11'000, 0.5});
    const FigureSteps::StepsBefore before{{1, 10}, {2, 20}};
    QCOMPARE(live.update(epochs, steps, behind, before).at(0).x, 10.0);
    for (const int step : {12, 20, 21}) { // all at once
        steps.append({double(step), 12'000, 0.5});
    }
    epochs.append({2, 12'000, 0.3});
    FigureSteps later;
    for (FigureSteps *each : {&live, &later}) {
        const series::Series &placed = each->update(epochs, steps, behind, before);
        QCOMPARE(placed.size(), std::size_t(2));
        QCOMPARE(placed.at(0).x, 10.0);
        QCOMPARE(placed.at(1).x, 20.0);
    }
    steps.append({30, 13'000, 0.5});
    QCOMPARE(live.update(epochs, steps, behind, before).at(1).x, 20.0);
}

// However soon the next epoch tells its first step, and however far that is.
void TstCurveSteps::epochsStandAtTheirEnds()
{
    constexpr auto behind = FigureSteps::Behind::AtTheLast;
    series::Series steps, epochs;
    steps.append({20, 10'000, 0.5});
    steps.append({40, 11'000, 0.5});
    epochs.append({1, 12'000, 0.4});
    steps.append({42, 12'000, 0.5});
    const FigureSteps::StepsBefore before{{1, 40}};
    FigureSteps without, with;
    QCOMPARE(without.update(epochs, steps, behind, before).at(0).x, 41.0);
    QCOMPARE(with.update(epochs, steps, behind, before, {{1, 40}}).at(0).x, 40.0);
}

void TstCurveSteps::columnsOfPlots_data()
{
    QTest::addColumn<int>("plots");
    QTest::addColumn<QSize>("room");
    QTest::addColumn<int>("wanted");
    QTest::newRow("one") << 1 << QSize(2000, 200) << 1;
    QTest::newRow("below each other while there is room") << 3 << QSize(1500, 450) << 1;
    QTest::newRow("beside each other in a low pane") << 3 << QSize(1500, 200) << 3;
    QTest::newRow("as few as show all") << 4 << QSize(1500, 320) << 2;
    QTest::newRow("never too narrow") << 6 << QSize(700, 200) << 2;
    QTest::newRow("narrower than one") << 6 << QSize(100, 100) << 1;
    QTest::newRow("none") << 0 << QSize(1500, 200) << 1;
}

void TstCurveSteps::columnsOfPlots()
{
    QFETCH(int, plots);
    QFETCH(QSize, room);
    QTEST(plotColumns(plots, room, {340, 150}), "wanted");
}

// Three in two columns leave no quarter of the pane empty.
void TstCurveSteps::lastRowOfPlotsIsFull()
{
    auto *grid = new PlotGrid;
    const std::unique_ptr<QScrollArea> area(grid->area()); // which has the grid
    QList<QWidget *> plots;
    for (int i = 0; i < 3; ++i) {
        plots.append(new QWidget);
    }
    grid->setPlots(plots);
    area->resize(1000, 340);
    area->show();
    QTRY_COMPARE(grid->columns(), 2);
    QTRY_VERIFY(plots.at(2)->y() > plots.at(0)->y());
    QTRY_COMPARE(plots.at(2)->geometry().right(), plots.at(1)->geometry().right());
    QCOMPARE(plots.at(2)->x(), plots.at(0)->x());
    QVERIFY(std::abs(plots.at(0)->width() - plots.at(1)->width()) <= 1);
    grid->setPlots(plots.first(2));
    plots.at(2)->hide();
    QTRY_COMPARE(grid->columns(), 1);
    QTRY_VERIFY(plots.at(0)->width() > 900);
}

// Each piece begins where the one before it ends, and noise is not taken for a way that the line gets on.
void TstCurveSteps::linesAreDrawnInPieces()
{
    QList<QPointF> straight, noisy;
    for (int i = 0; i < 100; ++i) {
        straight.append(QPointF(3 * i, 4 * i));
        noisy.append(QPointF(i, i % 2 == 0 ? 0 : 10));
    }
    const QList<LineSlice> pieces = lineSlices(straight);
    QVERIFY(pieces.size() > 3);
    QCOMPARE(pieces.constFirst().first, 0);
    QCOMPARE(pieces.constLast().first + pieces.constLast().count, straight.size());
    for (qsizetype i = 0; i < pieces.size(); ++i) {
        QVERIFY(std::abs(pieces.at(i).stretch - 1) < 1e-9);
        QVERIFY(std::abs(pieces.at(i).along - 5.0 * double(pieces.at(i).first)) < 1e-6);
        QVERIFY(i == 0 || pieces.at(i).first == pieces.at(i - 1).first + pieces.at(i - 1).count - 1);
    }
    QVERIFY(lineSlices(noisy).constFirst().stretch > 5);
    // A value that is no number is a gap; what stands alone between two of them is no line.
    straight[10].setY(qQNaN());
    straight[12].setY(qQNaN());
    const QList<LineSlice> apart = lineSlices(straight);
    QCOMPARE(apart.at(0).first + apart.at(0).count, 10);
    QCOMPARE(apart.at(1).first, 13);
    QVERIFY(lineSlices({}).isEmpty() && lineSlices({QPointF(1, 1)}).isEmpty());
    QCOMPARE(lonePoints(straight), QList<QPointF>{straight.at(11)});
    QCOMPARE(lonePoints({QPointF(1, 1)}), QList<QPointF>{QPointF(1, 1)});
    QVERIFY(lonePoints({}).isEmpty() && lonePoints({QPointF(1, 1), QPointF(2, 2)}).isEmpty());
}

void TstCurveSteps::ticksSayWhereTheyAre_data()
{
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<int>("numbers");
    QTest::addColumn<QStringList>("labels");
    const auto row = [](const char *name, double low, double high, AxisNumbers numbers, const char *labels) {
        QTest::newRow(name) << low << high << int(numbers) << QString::fromLatin1(labels).split(QLatin1Char(' '));
    };
    row("ten steps", 1, 10, AxisNumbers::Whole, "2 4 6 8 10");
    row("three steps", 1, 3, AxisNumbers::Whole, "1 2 3");
    row("one step", 0.5, 1.5, AxisNumbers::Whole, "1");
    row("thousand steps", 0, 1000, AxisNumbers::Whole, "0 200 400 600 800 1000");
    row("many steps", 0, 4e6, AxisNumbers::Whole, "0 1000000 2000000 3000000 4000000");
    row("twelve epochs", 0, 12, AxisNumbers::WholeFromAfar, "0 2 4 6 8 10 12");
    row("within an epoch", 1, 2, AxisNumbers::WholeFromAfar, "1 1.2 1.4 1.6 1.8 2");
    row("values", 0.03, 1.1, AxisNumbers::Any, "0.25 0.5 0.75 1");
    row("close values", 1.00001, 1.00009, AxisNumbers::Any, "1.00002 1.00004 1.00006 1.00008");
    row("around zero", -0.5, 0.5, AxisNumbers::Any, "-0.5 -0.25 0 0.25 0.5");
    row("decades", 1e-5, 10, AxisNumbers::Log, "1e-05 0.0001 0.001 0.01 0.1 1 10");
    row("many decades", 1e-12, 1, AxisNumbers::Log, "1e-12 1e-10 1e-08 1e-06 0.0001 0.01 1");
    row("two decades", 0.05, 2, AxisNumbers::Log, "0.05 0.1 0.2 0.5 1 2");
    row("less than a decade", 0.45, 1, AxisNumbers::Log, "0.5 0.6 0.7 0.8 0.9 1");
    row("a constant on a log scale", 0.95, 1.05, AxisNumbers::Log, "0.95 0.975 1 1.025 1.05");
}

void TstCurveSteps::ticksSayWhereTheyAre()
{
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(int, numbers);
    QFETCH(QStringList, labels);
    const QList<double> ticks = axisTicks(low, high,
        AxisNumbers(numbers) == AxisNumbers::Any || AxisNumbers(numbers) == AxisNumbers::Log ? 4 : 5,
        AxisNumbers(numbers));
    double step = qInf();
    for (qsizetype i = 1; i < ticks.size(); ++i) {
        step = std::min(step, ticks.at(i) - ticks.at(i - 1));
    }
    QStringList got;
    for (const double tick : ticks) {
        got.append(axisLabel(tick, step));
        QVERIFY(std::abs(got.constLast().toDouble() - tick) <= std::min(step, high - low) * 1e-3);
    }
    QCOMPARE(got, labels);
}

void TstCurveSteps::rangesOfValues()
{
    QCOMPARE(valueRange(0, 0, false), (std::pair<double, double>{-1, 1}));
    QCOMPARE(valueRange(50, 50, false), (std::pair<double, double>{45, 55}));
    const auto [low, high] = valueRange(1, 1, true);
    QVERIFY(low > 0.9 && low < 0.95 && high > 1.05 && high <= 1.1);
    const auto [below, above] = valueRange(1, 2, false);
    QVERIFY(below < 1 && below > 0.9 && above > 2 && above < 2.1);
}

TRAINYARD_GUI_TEST(TstCurveSteps)
#include "tst_curvesteps.moc"
