// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/taskfigures.h"
#include "engine/series/writer.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "tests/helpers/writtensteps.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/labels.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/shrinkingrow.h"
#include "widgets/plot/axisticks.h"
#include "widgets/plot/curvecontrols.h"
#include "widgets/plot/curvestore.h"
#include "widgets/plot/curvesview.h"

#include <QCheckBox>
#include <QFile>
#include <QLayout>
#include <QPushButton>
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
    void controlsGiveWay();
    void outputBecomesCurves();
    void curvesByEpoch();
    void stepsAreOfTheRunItself();
    void readingEndsWithItsTasks();
    void epochsKeepAwayFromStepsOfOtherRoles();
    void labelsOfAPlot();
    void tasksAsOneLine();
    void figuresWithoutSteps();
    void figuresAloneAreShown();
    void pinnedMetricsComeFirst();
    void restartedOutputIsDrawnOnce();
    void wordsWithoutCurves();
    void markOfTheLastValueIsWhole();
    void ownMetricsAreOffered();
    void valuesLeaveTheProgram();
};

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

// Of tasks that have not begun, nothing is being read, whatever was read before.
void TstCurves::readingEndsWithItsTasks()
{
    WrittenLog log;
    writeSteps(log, 0, 10);
    CurveStore store(nullptr);
    const auto taskIn = [](const QString &folder) {
        return QList<CurveStore::Task>{
            {folder.isEmpty() ? QStringLiteral("b/0") : QStringLiteral("a/0"), folder, true}};
    };
    store.setTasks(taskIn(log.folder()));
    QVERIFY(store.isReading());
    store.setTasks(taskIn({}));
    QVERIFY(!store.isReading());
    store.setTasks(taskIn(log.folder()));
    QVERIFY(store.isReading());
    store.setWatching(true);
    QTRY_VERIFY(!store.isReading());
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
    QCOMPARE(store.stepOfEpoch(0, QStringLiteral("loss"), 7, WrittenLog::start), std::optional(7.0));
}

// Nor do the steps of another role that tells no epochs, such as those of an evaluation.
void TstCurves::epochsKeepAwayFromStepsOfOtherRoles()
{
    WrittenLog ofEpochs, ofSteps;
    for (int epoch = 0; epoch < 5; ++epoch) {
        ofEpochs.writeAt((WrittenLog::start + (epoch + 1) * 1000) * 1'000'000,
            "Epoch " + QByteArray::number(epoch) + "/5 loss=" + QByteArray::number(lossAt(epoch)) + '\n');
    }
    for (int step = 1; step <= 20; ++step) {
        ofSteps.writeAt((WrittenLog::start + step * 500) * 1'000'000,
            "eval step " + QByteArray::number(step) + "/20 score=0." + QByteArray::number(20 + step) + '\n');
    }
    CurveStore store(nullptr);
    store.setTasks(QList<CurveStore::Task>{
        {QStringLiteral("train/0"), ofEpochs.folder(), true}, {QStringLiteral("eval/0"), ofSteps.folder(), true}});
    store.setWatching(true);
    const auto isRead = [&store](int task, const QString &name, std::size_t size) {
        const series::Series *series = store.series(task, name);
        return series && series->size() == size;
    };
    QTRY_VERIFY(isRead(0, QStringLiteral("loss"), 5));
    QTRY_VERIFY(isRead(1, QStringLiteral("score"), 20));
    const series::Series *series = store.series(0, QStringLiteral("loss"), CurveAlong::Step);
    QVERIFY(series);
    QCOMPARE(series->size(), std::size_t(5));
    QCOMPARE(series->at(0).x, 0.0);
    QCOMPARE(series->at(4).x, 4.0);
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
    QTRY_VERIFY2(said().startsWith(QStringLiteral("cannot be drawn by steps")), qPrintable(said()));
    view.controls()->findChild<SegmentedControl *>()->setCurrentIndex(2); // the time
    QTRY_COMPARE(plotOf(QStringLiteral("CPU (%)"))->lineCount(), 1);
    QVERIFY2(!said().startsWith(QStringLiteral("cannot be drawn by steps")), qPrintable(said()));
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

// A run that diverges ends with a value that is no number, and its cross stands at the end of the axis.
void TstCurves::markOfTheLastValueIsWhole()
{
    CurvesView view;
    view.resize(900, 400);
    view.show();
    WrittenLog log;
    for (int step = 0; step < 20; ++step) {
        log.write("step " + QByteArray::number(step) + " loss: " + QByteArray::number(2.0 / (step + 1)) + '\n');
    }
    log.write("step 20 loss: nan\n");
    view.setTasks({taskOf(log)});
    QTRY_COMPARE(view.plots().size(), 1);
    QTRY_COMPARE(view.plots().constFirst()->shownRange().second, 20.0);
    CurvePlot *plot = view.plots().constFirst();
    const QColor red = colour(Colour::Failed, plot);
    const auto columnsOfRed = [&] {
        const QImage image = plot->grab().toImage();
        int columns = 0;
        for (int x = 0; x < image.width(); ++x) {
            for (int y = 0; y < image.height(); ++y) {
                const QColor at = image.pixelColor(x, y);
                if (std::abs(at.red() - red.red()) + std::abs(at.green() - red.green())
                        + std::abs(at.blue() - red.blue())
                    < 60) {
                    ++columns;
                    break;
                }
            }
        }
        return int(columns / image.devicePixelRatio());
    };
    QTRY_VERIFY2(columnsOfRed() >= 6, qPrintable(QString::number(columnsOfRed())));
}

// A run that is over without a curve says so, and leads on.
void TstCurves::ownMetricsAreOffered()
{
    CurvesView view;
    view.show();
    const auto *empty = view.findChild<EmptyState *>();
    QVERIFY(empty);
    WrittenLog log;
    log.write("nothing to see\n");
    TaskInfo task = taskOf(log);
    view.setTasks({task});
    const auto says = [empty](const QString &text) {
        const QList<QLabel *> labels = empty->findChildren<QLabel *>();
        return std::any_of(labels.cbegin(), labels.cend(),
            [&text](const QLabel *label) { return label->isVisible() && label->text().contains(text); });
    };
    QTRY_VERIFY(says(QStringLiteral("no metrics so far")));
    QVERIFY(!empty->action()->isVisible()); // nobody would answer
    view.offerPatterns();
    task.state = State::Succeeded;
    view.setTasks({task});
    QTRY_VERIFY(says(QStringLiteral("No metrics were found")));
    QVERIFY(empty->action()->isVisible());
    QSignalSpy requested(&view, &CurvesView::patternsRequested);
    empty->action()->click();
    QCOMPARE(requested.size(), 1);
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
    const QList<CurveGroup> odd{{QStringLiteral("a\tb\nc"), {{QStringLiteral("worker/0"), 0, &series}}}};
    QVERIFY(curvesAsTable(odd, {}, std::nullopt).contains(QStringLiteral("\na b c\tworker/0\t2\t")));

    QTemporaryDir folder;
    auto *writer = new CurveExport(folder.filePath(QStringLiteral("m.csv")), groups, CurveOwner::Task, this);
    QSignalSpy finished(writer, &CurveExport::finished);
    writer->start();
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(finished.constFirst().at(1).toString(), QString());
    QFile written(folder.filePath(QStringLiteral("m.csv")));
    QVERIFY(written.open(QIODevice::ReadOnly));
    QCOMPARE(written.readAll(),
        QByteArray("metric,task,step,time,value,trainyard\n\"a,b\",worker/0,1,2023-11-14T22:13:20.000Z,0.1,1\n"
                   "\"a,b\",worker/0,2,2023-11-14T22:13:21.000Z,NaN,1\n"));
    // The curves are read again, as when a task goes on, before all is written: that is told, once.
    auto *late = new CurveExport(written.fileName(), odd, CurveOwner::Task, this);
    QSignalSpy ended(late, &CurveExport::finished);
    late->start();
    late->cancel();
    late->cancel();
    QCOMPARE(ended.size(), 1);
    QVERIFY(!ended.constFirst().at(1).toString().isEmpty());
    QVERIFY(written.seek(0) && written.readAll().contains("a,b")); // what was there stays
    auto *refused
        = new CurveExport(folder.filePath(QStringLiteral("no/such/folder.csv")), groups, CurveOwner::Task, this);
    QSignalSpy failed(refused, &CurveExport::finished);
    refused->start();
    QCOMPARE(failed.size(), 1);
    QVERIFY(!failed.constFirst().at(1).toString().isEmpty());
}

TRAINYARD_GUI_TEST(TstCurves)
#include "tst_curves.moc"
