// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/values.h"
#include "engine/client/taskfigures.h"
#include "engine/metrics/curvex.h"
#include "engine/series/writer.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/common/labels.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/shrinkingrow.h"
#include "widgets/common/tokens.h"
#include "widgets/log/logpane.h"
#include "widgets/log/logview.h"
#include "widgets/plot/axisticks.h"
#include "widgets/plot/curvecontrols.h"
#include "widgets/plot/curvestore.h"
#include "widgets/plot/curvesview.h"
#include "widgets/plot/epochtrack.h"
#include "widgets/plot/figuresteps.h"
#include "widgets/plot/plotgrid.h"
#include "widgets/plot/zoomentries.h"
#include "widgets/tasks/tasklog.h"
#include "widgets/tasks/taskspane.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QFile>
#include <QImage>
#include <QLayout>
#include <QMenu>
#include <QMouseEvent>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include <cmath>

using namespace trainyard;

// The curves of a run: from the bytes of an output to the plots, and out of them again.
namespace
{

TaskInfo taskOf(const WrittenLog &log, int index = 0)
{
    TaskInfo task;
    task.role = QStringLiteral("worker");
    task.index = index;
    task.state = State::Running;
    task.logFolder = log.folder();
    return task;
}

double lossAt(int step) { return 4.0 / (1 + step); }

// A line for each of the steps, a second apart.
void writeSteps(WrittenLog &log, int from, int to)
{
    for (int step = from; step < to; ++step) {
        log.writeAt((WrittenLog::start + step * 1000) * 1'000'000,
            "step " + QByteArray::number(step) + " loss: " + QByteArray::number(lossAt(step), 'g', 6)
                + " accuracy: " + QByteArray::number(1 - lossAt(step) / 10, 'g', 6) + '\n');
    }
}

QStringList titlesOf(const CurvesView &view)
{
    QStringList titles;
    for (const CurvePlot *plot : view.plots()) {
        titles.append(plot->title());
    }
    return titles;
}

} // namespace

class TstCurves : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stepsOfSeries_data();
    void stepsOfSeries();
    void stepsTurnOutToBeBatches();
    void epochsAreCounted_data();
    void epochsAreCounted();
    void epochsMoveWhenStepsCome();
    void columnsOfPlots_data();
    void columnsOfPlots();
    void controlsGiveWay();
    void outputBecomesCurves();
    void curvesByEpoch();
    void stepsAreOfTheRunItself();
    void ticksSayWhereTheyAre_data();
    void ticksSayWhereTheyAre();
    void rangesOfValues();
    void labelsOfAPlot();
    void tasksAsOneLine();
    void figuresWithoutSteps();
    void figuresAloneAreShown();
    void pinnedMetricsComeFirst();
    void restartedOutputIsDrawnOnce();
    void clickChoosesTheMoment();
    void momentKnowsNothingOfLater();
    void lonePointIsWhole();
    void rangeIsOfAllPlots();
    void draggingZoomsIn();
    void menuTellsOfZooming();
    void momentsOfALog();
    void momentIsMarkedInTheLog();
    void wordsWithoutCurves();
    void valuesLeaveTheProgram();
};

void TstCurves::stepsOfSeries_data()
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

void TstCurves::stepsOfSeries()
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

// That steps count inside of their epochs shows when the second one begins.
void TstCurves::stepsTurnOutToBeBatches()
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
void TstCurves::epochsAreCounted_data()
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

void TstCurves::epochsAreCounted()
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
void TstCurves::epochsMoveWhenStepsCome()
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

void TstCurves::columnsOfPlots_data()
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

void TstCurves::columnsOfPlots()
{
    QFETCH(int, plots);
    QFETCH(QSize, room);
    QTEST(plotColumns(plots, room, {340, 150}), "wanted");
}

// What matters least goes first, and comes back.
void TstCurves::controlsGiveWay()
{
    ShrinkingRow row;
    QList<QWidget *> widgets;
    for (const int weight : {1, 0, 2, 0}) {
        widgets.append(new QWidget);
        widgets.constLast()->setFixedSize(50, 20);
        row.add(widgets.constLast(), weight);
    }
    const int gap = row.layout()->spacing();
    QCOMPARE(row.sizeHint().width(), 4 * 50 + 3 * gap);
    QCOMPARE(row.minimumSizeHint().width(), 50);
    row.show();
    const auto shown = [&widgets] {
        QString text;
        for (const QWidget *widget : widgets) {
            text += QLatin1Char(widget->isVisible() ? '1' : '0');
        }
        return text;
    };
    row.resize(4 * 50 + 3 * gap, 20);
    QTRY_COMPARE(shown(), QStringLiteral("1111"));
    row.resize(4 * 50 + 3 * gap - 1, 20);
    QTRY_COMPARE(shown(), QStringLiteral("1010"));
    row.resize(99, 20);
    QTRY_COMPARE(shown(), QStringLiteral("0010"));
    row.resize(4 * 50 + 3 * gap, 20);
    QTRY_COMPARE(shown(), QStringLiteral("1111"));
    row.setWanted(widgets.at(1), false);
    QCOMPARE(shown(), QStringLiteral("1011"));
    QCOMPARE(row.sizeHint().width(), 3 * 50 + 2 * gap);
}

void TstCurves::curvesByEpoch()
{
    WrittenLog log;
    const auto write = [&log](int second, const QByteArray &line) {
        log.writeAt((WrittenLog::start + second * 1000) * 1'000'000, line + '\n');
    };
    for (int epoch = 1; epoch <= 3; ++epoch) {
        for (int batch = 0; batch < 10; ++batch) {
            write((epoch - 1) * 100 + batch * 10,
                "Epoch " + QByteArray::number(epoch) + " batch " + QByteArray::number(batch) + " loss: 0."
                    + QByteArray::number(9 - epoch) + QByteArray::number(batch));
        }
        write(epoch * 100 - 1, "Epoch " + QByteArray::number(epoch) + " val_loss: 0.7" + QByteArray::number(epoch));
    }
    CurvesView view;
    view.resize(900, 400);
    view.setTasks({taskOf(log)});
    view.show();
    QTRY_COMPARE(view.plots().size(), 2);
    // Along the steps it stands at the last batch of its epoch, that of the last epoch as well.
    const series::Series *ofEpochs = view.store()->series(0, QStringLiteral("val_loss"), CurveAlong::Step);
    QTRY_COMPARE(ofEpochs->size(), std::size_t(3));
    const double last = view.store()->series(0, QStringLiteral("loss"), CurveAlong::Step)->last()->x;
    QCOMPARE(ofEpochs->at(2).x, last);
    QVERIFY(ofEpochs->at(0).x >= last / 3 - 1 && ofEpochs->at(0).x <= last / 3 + 1);
    auto *axis = view.controls()->findChild<SegmentedControl *>();
    QTRY_VERIFY(axis->accessibleDescription().contains(QStringLiteral("Epoch")));
    axis->setCurrentIndex(1);
    QTRY_VERIFY(view.plots().constFirst()->shownRange().second > 2.9);
    QVERIFY2(view.plots().constFirst()->shownRange().second <= 3, "three epochs");
    const auto points = view.plots().constLast()->pointsAt(2);
    QCOMPARE(points.size(), 1);
    QCOMPARE(points.constFirst().second.value, 0.72); // of the second one, at its end
    QVERIFY(std::abs(points.constFirst().second.x - 2) < 0.02);
}

// A run that tells only its epochs stands at these, whatever steps another run had at those times.
void TstCurves::stepsAreOfTheRunItself()
{
    WrittenLog ofEpochs, ofSteps;
    for (int epoch = 1; epoch <= 20; ++epoch) {
        ofEpochs.writeAt((WrittenLog::start + epoch * 10'000) * 1'000'000,
            "{\"epoch\": " + QByteArray::number(epoch) + ", \"loss\": " + QByteArray::number(lossAt(epoch)) + "}\n");
    }
    writeSteps(ofSteps, 0, 300);
    CurveStore store(nullptr);
    store.setTasks(QList<CurveStore::Task>{{QStringLiteral("a/0"), ofEpochs.folder(), true, QStringLiteral("a")},
        {QStringLiteral("b/0"), ofSteps.folder(), true, QStringLiteral("b")}});
    store.setWatching(true);
    const auto sizeOf = [&store](int task) {
        const series::Series *series = store.series(task, QStringLiteral("loss"));
        return series ? series->size() : 0;
    };
    QTRY_COMPARE(sizeOf(0), std::size_t(20));
    QTRY_COMPARE(sizeOf(1), std::size_t(300));
    const series::Series *series = store.series(0, QStringLiteral("loss"), CurveAlong::Step);
    QVERIFY(series);
    QCOMPARE(series->size(), std::size_t(20));
    QCOMPARE(series->at(0).x, 1.0);
    QCOMPARE(series->at(19).x, 20.0);
    QVERIFY(!store.series(1, QStringLiteral("loss"), CurveAlong::Epoch)); // it has told of none
}

void TstCurves::ticksSayWhereTheyAre_data()
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

void TstCurves::ticksSayWhereTheyAre()
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

void TstCurves::rangesOfValues()
{
    QCOMPARE(valueRange(0, 0, false), (std::pair<double, double>{-1, 1}));
    QCOMPARE(valueRange(50, 50, false), (std::pair<double, double>{45, 55}));
    const auto [low, high] = valueRange(1, 1, true);
    QVERIFY(low > 0.9 && low < 0.95 && high > 1.05 && high <= 1.1);
    const auto [below, above] = valueRange(1, 2, false);
    QVERIFY(below < 1 && below > 0.9 && above > 2 && above < 2.1);
}

void TstCurves::labelsOfAPlot()
{
    series::Series zeros;
    for (int epoch = 1; epoch <= 10; ++epoch) {
        zeros.append({double(epoch), WrittenLog::start + epoch, 0});
    }
    CurvePlot plot(QStringLiteral("errors"));
    plot.setLines({{QStringLiteral("a"), 0, &zeros}});
    plot.setWhole({1, 10});
    static const QRegularExpression number(QStringLiteral(">\\s*(-?[0-9][0-9.e+-]*)\\s*<"));
    QStringList labels;
    auto found = number.globalMatch(QString::fromUtf8(plot.svg({120, 80})));
    while (found.hasNext()) {
        labels.append(found.next().captured(1));
    }
    for (const char *label : {"2", "4", "6", "8", "10", "0", "0.5", "-0.5"}) {
        QVERIFY2(labels.contains(QLatin1String(label)), qPrintable(labels.join(QLatin1Char(' '))));
    }
    QVERIFY2(!labels.contains(QStringLiteral("3")) && labels.filter(QStringLiteral("e")).isEmpty(),
        qPrintable(labels.join(QLatin1Char(' '))));
}

void TstCurves::tasksAsOneLine()
{
    WrittenLog first, second;
    for (int step = 0; step < 50; ++step) {
        const QByteArray head = "step " + QByteArray::number(step) + " loss: ";
        first.writeAt((WrittenLog::start + step * 1000) * 1'000'000, head + "1.5\n");
        second.writeAt((WrittenLog::start + step * 1000) * 1'000'000, head + "2.5\n");
    }
    CurvesView view;
    view.resize(900, 400);
    view.setTasks({taskOf(first), taskOf(second, 1)});
    view.show();
    QTRY_COMPARE(view.plots().size(), 1);
    const CurvePlot *plot = view.plots().constFirst();
    QTRY_COMPARE(plot->pointsAt(10).size(), 2);
    const QList<QCheckBox *> boxes = view.controls()->findChildren<QCheckBox *>();
    const auto fold = std::find_if(boxes.cbegin(), boxes.cend(),
        [](const QCheckBox *box) { return box->text().contains(QStringLiteral("Mean")); });
    QVERIFY(fold != boxes.cend());
    (*fold)->setChecked(true);
    QTRY_COMPARE(plot->pointsAt(10).size(), 1);
    const auto [line, point] = plot->pointsAt(10).constFirst();
    QCOMPARE(point.value, 2.0);
    QVERIFY(line.low && line.high);
    QCOMPARE(line.low->nearest(10)->value, 1.5);
    QCOMPARE(line.high->nearest(10)->value, 2.5);
    // It grows with its tasks.
    for (WrittenLog *log : {&first, &second}) {
        log->writeAt((WrittenLog::start + 60'000) * 1'000'000, "step 60 loss: 3.0\n");
    }
    QTRY_COMPARE(plot->shownRange().second, 60.0);
    QCOMPARE(plot->pointsAt(60).constFirst().second.value, 3.0);
    (*fold)->setChecked(false);
    QTRY_COMPARE(plot->pointsAt(10).size(), 2);
}

// Figures of a host have no place along the epochs that an output tells; so they are not chosen beside a metric, and
// where one is chosen all the same, its plot says so and is not just empty.
void TstCurves::figuresWithoutSteps()
{
    WrittenLog log;
    for (int epoch = 1; epoch <= 3; ++epoch) {
        log.writeAt((WrittenLog::start + epoch * 10'000) * 1'000'000,
            "{\"epoch\": " + QByteArray::number(epoch) + ", \"loss\": " + QByteArray::number(lossAt(epoch)) + "}\n");
    }
    series::Error error;
    const auto writer = series::Writer::open(figuresFile(log.folder()).toStdString(), error);
    QVERIFY(writer);
    const auto id = writer->define({.name = "cpu"});
    for (int second = 10; second <= 30; second += 10) {
        const qint64 at = WrittenLog::start + second * 1000;
        writer->append(*id, {double(at), at, double(second)});
    }
    writer->flush();
    CurvesView view;
    view.resize(900, 400);
    view.setTasks({taskOf(log)});
    view.show();
    const auto plotOf = [&](const QString &title) -> CurvePlot * {
        const QList<CurvePlot *> plots = view.plots();
        const auto found = std::find_if(
            plots.begin(), plots.end(), [&title](const CurvePlot *plot) { return plot->title() == title; });
        return found == plots.end() ? nullptr : *found;
    };
    QTreeWidget *names = view.findChildren<QTreeWidget *>().constLast();
    const auto cpu = [names] { return names->findItems(QStringLiteral("CPU (%)"), Qt::MatchExactly); };
    QTRY_COMPARE(cpu().size(), 1);
    QTRY_COMPARE(titlesOf(view), QStringList{QStringLiteral("loss")});
    cpu().constFirst()->setCheckState(0, Qt::Checked);
    QTRY_VERIFY(plotOf(QStringLiteral("CPU (%)")));
    const auto said
        = [&] { return plotOf(QStringLiteral("CPU (%)"))->parentWidget()->findChild<ElidedLabel *>()->text(); };
    QTRY_VERIFY2(said().startsWith(QStringLiteral("no place along the steps")), qPrintable(said()));
    view.controls()->findChild<SegmentedControl *>()->setCurrentIndex(2); // the time
    QTRY_COMPARE(plotOf(QStringLiteral("CPU (%)"))->lineCount(), 1);
    QVERIFY2(!said().startsWith(QStringLiteral("no place along the steps")), qPrintable(said()));
}

// Where there is nothing else, what a task uses of its host is shown at once.
void TstCurves::figuresAloneAreShown()
{
    WrittenLog log;
    log.write("nothing to measure\n");
    series::Error error;
    const auto writer = series::Writer::open(figuresFile(log.folder()).toStdString(), error);
    QVERIFY(writer);
    const auto id = writer->define({.name = "cpu"});
    writer->append(*id, {double(WrittenLog::start), WrittenLog::start, 50});
    writer->flush();
    CurvesView view;
    view.setTasks({taskOf(log)});
    view.show();
    QTRY_COMPARE(titlesOf(view), QStringList{QStringLiteral("CPU (%)")});
}

void TstCurves::pinnedMetricsComeFirst()
{
    WrittenLog log;
    log.write("step 1 loss: 0.5 accuracy: 0.5 f1: 0.25 perplexity: 7.5 wer: 0.75\n"
              "step 2 loss: 0.4 accuracy: 0.6 f1: 0.35 perplexity: 6.5 wer: 0.65\n");
    CurvesView view;
    view.resize(900, 600);
    view.setPinned({QStringLiteral("wer"), QStringLiteral("not here")});
    view.setTasks({taskOf(log)});
    view.show();
    QTRY_COMPARE(
        titlesOf(view), (QStringList{QStringLiteral("wer"), QStringLiteral("loss"), QStringLiteral("accuracy")}));
    view.setPinned({});
    QTRY_COMPARE(
        titlesOf(view), (QStringList{QStringLiteral("loss"), QStringLiteral("accuracy"), QStringLiteral("f1")}));
    // What was chosen by hand stays.
    const QList<QTreeWidget *> lists = view.findChildren<QTreeWidget *>();
    QTreeWidget *metrics = lists.constLast();
    const QList<QTreeWidgetItem *> f1 = metrics->findItems(QStringLiteral("f1"), Qt::MatchExactly);
    QCOMPARE(f1.size(), 1);
    f1.constFirst()->setCheckState(0, Qt::Unchecked);
    view.setPinned({QStringLiteral("perplexity")});
    QCOMPARE(titlesOf(view), (QStringList{QStringLiteral("loss"), QStringLiteral("accuracy")}));
    QCOMPARE(metrics->topLevelItem(0)->text(0), QStringLiteral("perplexity"));
    QCOMPARE(metrics->topLevelItem(0)->text(1), QStringLiteral("6.5"));
}

void TstCurves::outputBecomesCurves()
{
    WrittenLog log;
    QVERIFY(log.isOpen());
    writeSteps(log, 0, 200);
    CurvesView view;
    view.resize(900, 500);
    QSignalSpy room(&view, &CurvesView::wantsRoom);
    view.setTasks({taskOf(log)});
    QVERIFY(view.store()->names().isEmpty()); // nobody looks
    view.show();
    QTRY_COMPARE(titlesOf(view), (QStringList{QStringLiteral("loss"), QStringLiteral("accuracy")}));
    QTRY_COMPARE(view.store()->series(0, QStringLiteral("loss"))->size(), std::size_t(200));
    QTRY_COMPARE(room.size(), 1);
    const CurvePlot *loss = view.plots().constFirst();
    QCOMPARE(loss->shownRange(), CurvePlot::Range(0, 199));
    const auto points = loss->pointsAt(120.3);
    QCOMPARE(points.size(), 1);
    QCOMPARE(points.constFirst().second.x, 120.0);
    QVERIFY(std::abs(points.constFirst().second.value - lossAt(120)) < 1e-5);
    QCOMPARE(points.constFirst().second.time, WrittenLog::start + 120'000);
    QTRY_VERIFY(loss->accessibleDescription().contains(QStringLiteral("worker/0")));

    // It grows, and a second task comes, while somebody looks.
    writeSteps(log, 200, 300);
    WrittenLog other;
    QVERIFY(other.isOpen());
    writeSteps(other, 0, 50);
    view.setTasks({taskOf(log), taskOf(other, 1)});
    QTRY_COMPARE(view.store()->series(0, QStringLiteral("loss"))->size(), std::size_t(300));
    QTRY_VERIFY(view.store()->series(1, QStringLiteral("loss")) != nullptr);
    QTRY_COMPARE(view.plots().constFirst()->pointsAt(10).size(), 2);
    QTRY_COMPARE(view.plots().constFirst()->shownRange().second, 299.0);
}

// A job that goes on from a checkpoint says some steps once more; those of before are void.
void TstCurves::restartedOutputIsDrawnOnce()
{
    WrittenLog log;
    writeSteps(log, 0, 100);
    writeSteps(log, 60, 80);
    CurvesView view;
    view.setTasks({taskOf(log)});
    view.show();
    QTRY_VERIFY(view.store()->series(0, QStringLiteral("loss")));
    QTRY_COMPARE(view.store()->series(0, QStringLiteral("loss"))->size(), std::size_t(80));
    QCOMPARE(view.store()->series(0, QStringLiteral("loss"))->voidPoints().size(), std::size_t(40));
}

void TstCurves::clickChoosesTheMoment()
{
    WrittenLog log;
    writeSteps(log, 0, 200);
    CurvesView view;
    view.resize(900, 400);
    view.setTasks({taskOf(log)});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_COMPARE(view.plots().size(), 2);
    QTRY_COMPARE(view.plots().constFirst()->shownRange().second, 199.0);
    QSignalSpy chosen(&view, &CurvesView::momentChosen);
    auto *plot = view.plots().constFirst()->findChild<QWidget *>();
    QVERIFY(plot);
    const auto isChosenByClick = [&] { // as soon as it is laid out and drawn
        QTest::mouseClick(plot, Qt::LeftButton, {}, {plot->width() / 2, plot->height() / 2});
        return !chosen.isEmpty();
    };
    QTRY_VERIFY(isChosenByClick());
    QCOMPARE(chosen.constFirst().at(0).toString(), QStringLiteral("worker/0"));
    const qint64 second = (chosen.constFirst().at(1).toLongLong() - WrittenLog::start) / 1000;
    QVERIFY2(second > 70 && second < 130, qPrintable(QString::number(second)));
}

// What was printed a moment after the chosen value was not known then.
void TstCurves::momentKnowsNothingOfLater()
{
    WrittenLog log;
    constexpr qint64 second = 1'000'000'000;
    const qint64 first = WrittenLog::start * 1'000'000;
    for (int i = 0; i < 100; ++i) {
        log.writeAt(first + i * second, "step " + QByteArray::number(i) + " loss: 0.25\n");
        log.writeAt(first + i * second + second / 5, "acc: " + QByteArray::number(i) + '\n');
    }
    log.writeAt(first + 100 * second, "val_loss: 7\n");
    CurvesView view;
    view.resize(900, 400);
    view.setTasks({taskOf(log)});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const auto isLate = [](const QString &name) { return name.startsWith(QStringLiteral("val")); };
    const auto isRead = [&] {
        const QStringList names = view.store()->names();
        return names.contains(QStringLiteral("acc")) && std::any_of(names.cbegin(), names.cend(), isLate);
    };
    QTRY_VERIFY(isRead());
    QTRY_VERIFY(view.plots().size() >= 2);
    const QList<CurvePlot *> plots = view.plots();
    const auto loss = std::find_if(
        plots.cbegin(), plots.cend(), [](const CurvePlot *plot) { return plot->title() == QStringLiteral("loss"); });
    QVERIFY(loss != plots.cend());
    QTRY_VERIFY((*loss)->shownRange().second >= 99);
    QSignalSpy chosen(&view, &CurvesView::momentChosen);
    auto *inside = (*loss)->findChild<QWidget *>();
    const auto isChosenByClick = [&] { // as soon as it is laid out and drawn
        QTest::mouseClick(inside, Qt::LeftButton, {}, {inside->width() / 2, inside->height() / 2});
        return !chosen.isEmpty();
    };
    QTRY_VERIFY(isChosenByClick());
    const qint64 at = (chosen.constLast().at(1).toLongLong() - WrittenLog::start) / 1000;
    QVERIFY(at > 10 && at < 99);
    const auto *card = view.findChild<QWidget *>(QStringLiteral("momentCard"));
    QVERIFY(card);
    const auto labels = card->findChildren<QLabel *>();
    QString told;
    for (const QLabel *label : labels) {
        QVERIFY2(!isLate(label->text()), "It came after all of that.");
        if (label->text() == QStringLiteral("acc")) {
            told = label->parentWidget()->findChildren<QLabel *>().constLast()->text();
        }
    }
    QCOMPARE(told, QString::number(at - 1));
}

// At the end of the axis too.
void TstCurves::lonePointIsWhole()
{
    series::Series one;
    one.append({20, WrittenLog::start, 1.0});
    CurvePlot plot(QStringLiteral("val loss"));
    plot.resize(400, 200);
    plot.setLines({{QStringLiteral("worker/0"), 0, &one}});
    plot.setWhole({0, 20});
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    const QColor ink = colour(lookColour(0), &plot);
    const auto isWhole = [&] {
        const QImage image = plot.grab().toImage();
        const QPoint at = plot.pixelOf(20, 1.0);
        return image.pixelColor(at - QPoint(1, 0)) == ink && image.pixelColor(at + QPoint(1, 0)) == ink;
    };
    QTRY_VERIFY(isWhole());
}

void TstCurves::rangeIsOfAllPlots()
{
    WrittenLog log;
    writeSteps(log, 0, 200);
    CurvesView view;
    view.resize(900, 400);
    view.setTasks({taskOf(log)});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_COMPARE(view.plots().size(), 2);
    QTRY_COMPARE(view.plots().constFirst()->shownRange().second, 199.0);
    CurvePlot *first = view.plots().constFirst();
    QTest::keyClick(first, Qt::Key_Plus);
    const CurvePlot::Range near = first->shownRange();
    QVERIFY(near.first > 5 && near.second < 195);
    QCOMPARE(view.plots().constLast()->shownRange(), near);
    QTest::keyClick(first, Qt::Key_Right);
    QVERIFY(first->shownRange().first > near.first);
    QTest::keyClick(first, Qt::Key_0);
    QCOMPARE(view.plots().constLast()->shownRange(), CurvePlot::Range(0, 199));
}

namespace
{

// Its axis has the range that is to be shown, by which pixels are told.
bool isDrawn(const CurvePlot &plot)
{
    const CurvePlot::Range range = plot.shownRange();
    const int wide = plot.pixelOf(range.second, 1).x() - plot.pixelOf(range.first, 1).x();
    return wide > plot.width() / 2 && wide <= plot.width();
}

} // namespace

// Of a plot that shows everything; once it is zoomed in, dragging moves along.
void TstCurves::draggingZoomsIn()
{
    WrittenLog log;
    writeSteps(log, 0, 200);
    CurvesView view;
    view.resize(900, 400);
    view.setTasks({taskOf(log)});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_COMPARE(view.plots().size(), 2);
    QTRY_COMPARE(view.plots().constFirst()->shownRange().second, 199.0);
    CurvePlot *first = view.plots().constFirst();
    QTRY_VERIFY(isDrawn(*first));
    auto *inside = first->findChild<QWidget *>();
    QVERIFY(inside);
    QSignalSpy times(first, &CurvePlot::timesChosen);
    const auto drag = [&](double fromStep, double toStep) {
        const QPoint from(first->pixelOf(fromStep, 1).x(), 40), to(first->pixelOf(toStep, 1).x(), 40);
        QTest::mousePress(inside, Qt::LeftButton, {}, from);
        QMouseEvent move(QEvent::MouseMove, to, inside->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(inside, &move);
        QTest::mouseRelease(inside, Qt::LeftButton, {}, to);
    };
    const QPoint begin(first->pixelOf(50, 1).x(), 40), far(first->pixelOf(150, 1).x(), 40);
    QTest::mousePress(inside, Qt::LeftButton, {}, begin);
    for (const QPoint &at : {far, begin + QPoint(1, 0)}) {
        QMouseEvent move(QEvent::MouseMove, at, inside->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(inside, &move);
    }
    QTest::mouseRelease(inside, Qt::LeftButton, {}, begin + QPoint(1, 0));
    QVERIFY(!first->isZoomed()); // there and back
    drag(150, 50); // to the left as well
    const CurvePlot::Range near = first->shownRange();
    QVERIFY2(std::abs(near.first - 50) < 2 && std::abs(near.second - 150) < 2,
        qPrintable(QStringLiteral("%1 to %2").arg(near.first).arg(near.second)));
    QCOMPARE(view.plots().constLast()->shownRange(), near);
    QTRY_VERIFY(isDrawn(*first));
    drag(100, 80);
    const CurvePlot::Range moved = first->shownRange();
    QVERIFY2(std::abs(moved.first - near.first - 20) < 2,
        qPrintable(QStringLiteral("%1 from %2").arg(moved.first).arg(near.first)));
    QVERIFY(std::abs((moved.second - moved.first) - (near.second - near.first)) < 0.01);
    QCOMPARE(times.size(), 0); // the log is left as it is
}

void TstCurves::menuTellsOfZooming()
{
    WrittenLog log;
    writeSteps(log, 0, 200);
    CurvesView view;
    view.resize(900, 400);
    view.setTasks({taskOf(log)});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_COMPARE(view.plots().size(), 2);
    QTRY_COMPARE(view.plots().constFirst()->shownRange().second, 199.0);
    CurvePlot *first = view.plots().constFirst();
    QTRY_VERIFY(isDrawn(*first));
    const auto run = [first](const char *name) {
        QMenu menu;
        addZoomEntries(&menu, first, first->mapToGlobal(first->pixelOf(50, 1)));
        auto *entry = menu.findChild<QAction *>(QLatin1String(name));
        const bool can = entry && entry->isEnabled();
        if (can) {
            entry->trigger();
        }
        return can;
    };
    QVERIFY(!run("showEverything") && !run("zoomOut") && !run("zoomToChosen"));
    QVERIFY(run("zoomIn"));
    const CurvePlot::Range near = first->shownRange();
    QVERIFY(near.first > 15 && near.first < 35 && near.second > 115 && near.second < 135); // around 50
    QVERIFY(run("zoomOut"));
    QVERIFY(run("zoomIn") && run("showEverything"));
    QCOMPARE(first->shownRange(), CurvePlot::Range(0, 199));
    // A range that was chosen for the log can be looked at.
    QTRY_VERIFY(isDrawn(*first));
    auto *inside = first->findChild<QWidget *>();
    const QPoint from(first->pixelOf(20, 1).x(), 40), to(first->pixelOf(60, 1).x(), 40);
    QTest::mousePress(inside, Qt::LeftButton, Qt::ShiftModifier, from);
    QMouseEvent move(QEvent::MouseMove, to, inside->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::ShiftModifier);
    QApplication::sendEvent(inside, &move);
    QTest::mouseRelease(inside, Qt::LeftButton, Qt::ShiftModifier, to);
    QCOMPARE(first->shownRange(), CurvePlot::Range(0, 199));
    QVERIFY(run("zoomToChosen"));
    QVERIFY(std::abs(first->shownRange().first - 20) < 2 && std::abs(first->shownRange().second - 60) < 2);
    // By key, too.
    QSignalSpy menus(first, &CurvePlot::menuRequested);
    QVERIFY(menus.isValid());
    first->disconnect(&view); // the menu of the view would wait for an answer
    QTest::keyClick(first, Qt::Key_F10, Qt::ShiftModifier);
    QCOMPARE(menus.size(), 1);
}

void TstCurves::momentsOfALog()
{
    WrittenLog log;
    writeSteps(log, 0, 500);
    LogView view;
    view.setSource(TryLogSource::factory(log.folder(), LogSource::Filter::Both));
    QTRY_COMPARE(view.lineCount(), 500);
    QCOMPARE(view.lineAtTime(WrittenLog::start + 321'000), 321);
    QCOMPARE(view.lineAtTime(WrittenLog::start + 320'500), 321);
    QCOMPARE(view.lineAtTime(0), 0);
    QCOMPARE(view.lineAtTime(WrittenLog::start + 500'000), -1); // not written yet
}

// Three lines were written at once; the one with the value is meant. The task was not the one that is shown.
void TstCurves::momentIsMarkedInTheLog()
{
    WrittenLog first, second;
    writeSteps(first, 0, 10);
    writeSteps(second, 0, 100);
    const qint64 time = WrittenLog::start + 100'000;
    second.writeAt(time * 1'000'000, "step 100 loss: 0.5\nstep 101 loss: 0.25\nstep 102 loss: 0.125\n");
    writeSteps(second, 103, 110);
    TasksPane tasks;
    LogPane log;
    TaskLog shown(&tasks, &log, nullptr);
    tasks.setTasks({taskOf(first), taskOf(second, 1)});
    QTRY_COMPARE(log.view()->lineCount(), 10);
    shown.showMoment(QStringLiteral("worker/1"), time, 0.25);
    QTRY_COMPARE(log.view()->selectedText().trimmed(), QStringLiteral("step 101 loss: 0.25"));
    QCOMPARE(tasks.currentTask()->index, 1);
    shown.showMoment(QStringLiteral("worker/1"), time, 7); // printed in another way: the first line of that moment
    QCOMPARE(log.view()->selectedText().trimmed(), QStringLiteral("step 100 loss: 0.5"));
}

void TstCurves::wordsWithoutCurves()
{
    CurvesView view;
    view.show();
    const auto says = [&view](const QString &text) {
        const QList<QLabel *> labels = view.findChildren<QLabel *>();
        return std::any_of(labels.cbegin(), labels.cend(),
            [&text](const QLabel *label) { return label->isVisible() && label->text().contains(text); });
    };
    QVERIFY(says(QStringLiteral("when the job starts")));
    WrittenLog log;
    log.write("nothing to see\n");
    view.setTasks({taskOf(log)});
    QTRY_VERIFY(says(QStringLiteral("no metrics so far")));
    log.write("step 1 loss: nan\n");
    QTRY_COMPARE(view.plots().size(), 1);
    QTRY_VERIFY(view.plots().constFirst()->accessibleDescription().contains(QStringLiteral("nan")));
}

void TstCurves::valuesLeaveTheProgram()
{
    series::Series series;
    series.append({1, WrittenLog::start, 0.1});
    series.append({2, WrittenLog::start + 1000, qQNaN()});
    const QList<CurveGroup> groups{{QStringLiteral("a,b"), {{QStringLiteral("worker/0"), 0, &series}}}};
    QCOMPARE(curvesAsTable(groups, {}, std::nullopt),
        QStringLiteral("metric\ttask\tstep\ttime\tvalue\n"
                       "a,b\tworker/0\t1\t2023-11-14T22:13:20.000Z\t0.1\n"
                       "a,b\tworker/0\t2\t2023-11-14T22:13:21.000Z\tNaN\n"));
    QCOMPARE(curvesAsTable(groups, {}, std::pair(2.0, 3.0)).count(u'\n'), 2);

    QTemporaryDir folder;
    auto *writer = new CurveExport(folder.filePath(QStringLiteral("m.csv")), groups, this);
    QSignalSpy finished(writer, &CurveExport::finished);
    writer->start();
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(finished.constFirst().at(1).toString(), QString());
    QFile written(folder.filePath(QStringLiteral("m.csv")));
    QVERIFY(written.open(QIODevice::ReadOnly));
    QCOMPARE(written.readAll(),
        QByteArray("metric,task,step,time,value\n\"a,b\",worker/0,1,2023-11-14T22:13:20.000Z,0.1\n"
                   "\"a,b\",worker/0,2,2023-11-14T22:13:21.000Z,NaN\n"));
    auto *refused = new CurveExport(folder.filePath(QStringLiteral("no/such/folder.csv")), groups, this);
    QSignalSpy failed(refused, &CurveExport::finished);
    refused->start();
    QCOMPARE(failed.size(), 1);
    QVERIFY(!failed.constFirst().at(1).toString().isEmpty());
}

TRAINYARD_GUI_TEST(TstCurves)
#include "tst_curves.moc"
