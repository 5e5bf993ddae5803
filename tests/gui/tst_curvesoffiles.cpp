// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/metricbook.h"
#include "engine/contract/taskfolder.h"
#include "engine/series/writer.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/common/labels.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/plot/curvecontrols.h"
#include "widgets/plot/curveplot.h"
#include "widgets/plot/curvestore.h"
#include "widgets/plot/curvesview.h"

#include <QFile>
#include <QLabel>
#include <QTest>

#include <memory>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Which curve a name stands for when a task both prints a metric and has it in a file.
class TstCurvesOfFiles : public QObject
{
    Q_OBJECT

    // Writes as an agent does, into the folder of a try.
    struct File {
        File(const WrittenLog &log, series::Axis axis)
        {
            const QString folder = log.folder();
            series::Error error;
            writer = series::Writer::open(folder.toStdString() + '/' + contract::file::metrics, error);
            series::Info info;
            info.name = contract::metricSeries(0, "acc");
            info.axis = axis;
            id = writer ? writer->define(info) : std::nullopt;
            book = folder + u'/' + QLatin1String(contract::file::metricBook);
            say(contract::runLine("metrics.csv") + contract::fileLine({0, "table", "/data/metrics.csv"}));
        }
        void say(const std::string &lines) const
        {
            QFile file(book);
            QVERIFY(file.open(QIODevice::Append) && file.write(QByteArray::fromStdString(lines)) > 0);
        }
        void makeVoid()
        {
            writer->voidFrom(*id, 0);
            writer->flush();
        }
        void put(double x, double value) { put(*id, x, value); }
        void putAt(qint64 second, const char *metric, series::Axis axis, double x, double value)
        {
            series::Info info;
            info.name = contract::metricSeries(0, metric);
            info.axis = axis;
            const std::optional<std::uint32_t> series = writer->define(info);
            QVERIFY(series);
            writer->append(*series, {x, WrittenLog::start + second * 1000, value});
            writer->flush();
        }
        void putEpoch(double x, double value)
        {
            if (!epochs) {
                series::Info info;
                info.name = contract::metricSeries(0, "epoch");
                info.axis = series::Axis::Step;
                epochs = writer->define(info);
            }
            put(*epochs, x, value);
        }
        void put(std::uint32_t series, double x, double value)
        {
            writer->append(series, {x, WrittenLog::start + 60'000, value});
            writer->flush();
        }
        QString book;
        std::unique_ptr<series::Writer> writer;
        std::optional<std::uint32_t> id, epochs;
    };
    static void printSteps(WrittenLog &log, int from, int to)
    {
        for (int step = from; step <= to; ++step) {
            log.writeAt((WrittenLog::start + step * 1000) * 1'000'000,
                "step " + QByteArray::number(step) + " acc: 0." + QByteArray::number(step) + '\n');
        }
    }
    static QString textOf(const CurveStore &store, const QString &name = u"acc"_s, CurveAlong along = CurveAlong::Step)
    {
        const series::Series *series = store.series(0, name, along);
        QStringList parts;
        for (std::size_t i = 0; series && i < series->size(); ++i) {
            parts.append(u"%1=%2"_s.arg(series->at(i).x).arg(series->at(i).value));
        }
        return parts.join(u' ') + u" from ["_s + store.sourceOf(name) + u']';
    }

private Q_SLOTS:
    void epochsPrintedBesideAFileOfSteps();
    void aSummaryLeavesThePrintedCurve();
    void aCurveInAFileCounts();
    void aFileThatSaysMuchLessLeavesThePrintedCurve();
    void manyLinesWithoutStepsLeaveTheCurveOfAFile();
    void whatIsVoidLeavesThePrintedCurve();
    void epochsPrintedBeforeTheFileIsReadAreDrawn();
    void epochsPrintedStandAtTheStepsOfTheFile();
    void lostValuesAreSaidInSight();
    void placedEpochsStayReadable();
    void epochsStandAtTheStepThatIsPrintedBeforeThem();
    void momentTellsTheValueOfItsStep();
    void rowsOfEpochsStandAtTheSteps_data();
    void rowsOfEpochsStandAtTheSteps();
    void rowsOfPartsOfEpochs();
    void rowsOfEpochsAreNoSteps();
    void aStepThatIsPrintedHasItsTime();
    void saysThatMoreIsRead();
    void aTableWithoutTimesHasNoAxisOfTime();
    void theChosenAxisOfTimeComesBack();
};
TRAINYARD_GUI_TEST(TstCurvesOfFiles)

void TstCurvesOfFiles::aSummaryLeavesThePrintedCurve()
{
    WrittenLog log;
    File file(log, series::Axis::Other);
    QVERIFY(file.id);
    file.put(1, 0.75);
    CurveStore store(nullptr);
    store.setTasks(QList<CurveStore::Task>{{u"main/0"_s, log.folder(), true}});
    store.setWatching(true);
    QTRY_COMPARE(textOf(store), u"1=0.75 from [metrics.csv]"_s); // there is nothing else
    printSteps(log, 2, 4);
    QTRY_COMPARE(textOf(store), u"2=0.2 3=0.3 4=0.4 from []"_s);
    QCOMPARE(store.names(), QStringList{u"acc"_s});
    // With a second row it is a curve.
    file.put(2, 0.5);
    QTRY_COMPARE(textOf(store), u"1=0.75 2=0.5 from [metrics.csv]"_s);
}

void TstCurvesOfFiles::aCurveInAFileCounts()
{
    WrittenLog log;
    printSteps(log, 2, 4);
    CurveStore store(nullptr);
    store.setTasks(QList<CurveStore::Task>{{u"main/0"_s, log.folder(), true}});
    store.setWatching(true);
    QTRY_COMPARE(textOf(store), u"2=0.2 3=0.3 4=0.4 from []"_s);
    File file(log, series::Axis::Step);
    QVERIFY(file.id);
    file.put(4, 0.75);
    QTRY_COMPARE(textOf(store), u"4=0.75 from [metrics.csv]"_s);
}

// Somebody else's table in the work folder, or one that its program stopped to write.
void TstCurvesOfFiles::aFileThatSaysMuchLessLeavesThePrintedCurve()
{
    WrittenLog log;
    printSteps(log, 1, 5);
    File file(log, series::Axis::Step);
    QVERIFY(file.id);
    file.put(1, 0.75);
    file.put(2, 0.5);
    CurveStore store(nullptr);
    store.setTasks(QList<CurveStore::Task>{{u"main/0"_s, log.folder(), true}});
    store.setWatching(true);
    QTRY_COMPARE(textOf(store), u"1=0.1 2=0.2 3=0.3 4=0.4 5=0.5 from []"_s);
    QTRY_COMPARE(store.remarks().size(), 1);
    const Error remark = store.remarks().constFirst();
    QCOMPARE(remark.code, u"metricfile.less-than-output"_s);
    QCOMPARE(remark.args.value(u"file"_s).toString(), u"metrics.csv"_s);
    QCOMPARE(remark.args.value(u"name"_s).toString(), u"acc"_s);
    // It is behind no more.
    file.put(5, 0.25);
    QTRY_COMPARE(textOf(store), u"1=0.75 2=0.5 5=0.25 from [metrics.csv]"_s);
    QCOMPARE(store.remarks(), QList<Error>());
    // Nor when it is written more rarely than it is printed, until it is far behind.
    printSteps(log, 6, 7);
    log.writeAt((WrittenLog::start + 7500) * 1'000'000, "step 7 loss: 0.5\n");
    QTRY_VERIFY(store.names().contains(u"loss"_s)); // what came before it has been read
    QCOMPARE(textOf(store), u"1=0.75 2=0.5 5=0.25 from [metrics.csv]"_s);
    printSteps(log, 8, 9);
    QTRY_VERIFY(textOf(store).endsWith(u"9=0.9 from []"_s));
}

// Lines without steps are only counted: that there are many says nothing about the steps of the file.
void TstCurvesOfFiles::manyLinesWithoutStepsLeaveTheCurveOfAFile()
{
    WrittenLog log;
    for (int line = 1; line <= 9; ++line) {
        log.write("acc: 0." + QByteArray::number(line) + '\n');
    }
    CurveStore store(nullptr);
    store.setTasks(QList<CurveStore::Task>{{u"main/0"_s, log.folder(), true}});
    store.setWatching(true);
    QTRY_VERIFY(textOf(store).contains(u"=0.9 from []"_s));
    File file(log, series::Axis::Step);
    QVERIFY(file.id);
    file.put(1, 0.75);
    file.put(2, 0.5);
    QTRY_COMPARE(textOf(store), u"1=0.75 2=0.5 from [metrics.csv]"_s);
    QCOMPARE(store.remarks(), QList<Error>());
}

// A file that another job writes as well is made void: what is printed counts, and a name without values is none.
void TstCurvesOfFiles::whatIsVoidLeavesThePrintedCurve()
{
    WrittenLog log;
    File file(log, series::Axis::Step);
    QVERIFY(file.id);
    file.put(4, 0.75);
    CurveStore store(nullptr);
    store.setTasks(QList<CurveStore::Task>{{u"main/0"_s, log.folder(), true}});
    store.setWatching(true);
    QTRY_COMPARE(textOf(store), u"4=0.75 from [metrics.csv]"_s);
    file.makeVoid();
    QTRY_COMPARE(store.names(), QStringList());
    QVERIFY(!store.hasMetrics());
    printSteps(log, 2, 3);
    QTRY_COMPARE(textOf(store), u"2=0.2 3=0.3 from []"_s);
    QCOMPARE(store.names(), QStringList{u"acc"_s});
}

void TstCurvesOfFiles::epochsPrintedBeforeTheFileIsReadAreDrawn()
{
    WrittenLog log;
    for (const QByteArray epoch : {"1", "2"}) {
        log.write("epoch " + epoch + " loss: 0." + epoch + '\n');
    }
    File file(log, series::Axis::Step);
    QVERIFY(file.id);
    file.put(0, 0.5);
    file.put(1, 0.75);
    CurveStore store(nullptr);
    store.setTasks(QList<CurveStore::Task>{{u"main/0"_s, log.folder(), true}});
    store.setWatching(true);
    QTRY_COMPARE(textOf(store), u"0=0.5 1=0.75 from [metrics.csv]"_s);
    QCOMPARE(textOf(store, u"loss"_s), u"1=0.1 2=0.2 from []"_s);
}

// A table with the epoch of every step says where the epochs that are printed stand: what is printed at the same
// steps is the curve of the file.
void TstCurvesOfFiles::epochsPrintedStandAtTheStepsOfTheFile()
{
    WrittenLog log;
    for (const QByteArray epoch : {"0", "1", "2"}) {
        log.write("Epoch " + epoch + "/3 acc=0." + epoch + " \n");
    }
    File file(log, series::Axis::Step);
    QVERIFY(file.id);
    for (int epoch = 0; epoch < 3; ++epoch) {
        file.put(epoch * 20, epoch * 0.1);
        file.putEpoch(epoch * 20, epoch);
    }
    CurveStore store(nullptr);
    store.setTasks(QList<CurveStore::Task>{{u"main/0"_s, log.folder(), true}});
    store.setWatching(true);
    QTRY_COMPARE(textOf(store), u"0=0 20=0.1 40=0.2 from [metrics.csv]"_s);
    QTRY_VERIFY(store.hasEpochs()); // the output has been read
    QVERIFY2(!store.names().contains(u"acc (output)"_s), qPrintable(store.names().join(u' ')));
}

// Without such a column, the steps that the output names before the end of each epoch tell where it stands.
void TstCurvesOfFiles::epochsPrintedBesideAFileOfSteps()
{
    WrittenLog log;
    File file(log, series::Axis::Step);
    QVERIFY(file.id);
    for (int epoch = 1; epoch <= 3; ++epoch) {
        const auto at = [](int second) { return (WrittenLog::start + second * 1000) * 1'000'000; };
        for (int step = epoch * 20 - 19; step <= epoch * 20; ++step) {
            log.writeAt(at(step), "step " + QByteArray::number(step) + " loss: 0.5\n");
        }
        log.writeAt(
            at(epoch * 20), "epoch " + QByteArray::number(epoch) + ": acc=0." + QByteArray::number(epoch) + '\n');
        file.put(epoch * 20, epoch * 0.1 + 0.0002);
    }
    CurveStore store(nullptr);
    store.setTasks(QList<CurveStore::Task>{{u"main/0"_s, log.folder(), true}});
    store.setWatching(true);
    QTRY_COMPARE(textOf(store), u"20=0.1002 40=0.2002 60=0.3002 from [metrics.csv]"_s);
    QTRY_VERIFY(store.hasEpochs()); // the output has been read
    const QString printed = u"acc (output)"_s;
    QVERIFY2(!store.names().contains(printed), qPrintable(store.names().join(u' '))); // the same curve
    file.put(80, 0.9);
    file.put(100, 0.9);
    QTRY_COMPARE(textOf(store, printed), u"20=0.1 40=0.2 60=0.3 from []"_s);
}

// A line above the plots, and not only the tip of a few small words.
void TstCurvesOfFiles::lostValuesAreSaidInSight()
{
    WrittenLog log;
    printSteps(log, 1, 5);
    File file(log, series::Axis::Step);
    QVERIFY(file.id);
    file.put(1, 0.75);
    TaskInfo task;
    task.role = u"main"_s;
    task.logFolder = log.folder();
    CurvesView view;
    view.resize(1200, 400);
    view.setTasks({task});
    view.show();
    const auto *notice = view.findChild<ElidedLabel *>(u"curvesNotice"_s);
    QVERIFY(notice);
    QTRY_VERIFY(notice->isVisible());
    QVERIFY2(notice->text().startsWith("metrics.csv has fewer values of acc"_L1), qPrintable(notice->text()));
    file.put(5, 0.5); // it is behind no more
    file.put(6, 0.5);
    QTRY_VERIFY(!notice->isVisible());
    // One that is gone may be back.
    file.say(contract::noteLine({0, std::string(contract::goneFileNote), 0, {}}));
    QTRY_VERIFY(notice->isVisible());
    QVERIFY2(notice->text().startsWith("/data/metrics.csv was removed"_L1), qPrintable(notice->text()));
    file.say(contract::backLine(0));
    QTRY_VERIFY(!notice->isVisible());
}

// Plots hold on to a curve: it is there also after the file has fallen behind so far that it no longer places the
// epochs.
void TstCurvesOfFiles::placedEpochsStayReadable()
{
    WrittenLog log;
    log.write("Epoch 0/9 acc=0.5\nEpoch 1/9 acc=0.6\n");
    File file(log, series::Axis::Step);
    QVERIFY(file.id);
    for (int epoch = 0; epoch < 2; ++epoch) {
        file.put(epoch * 20 + 5, 0.1);
        file.putEpoch(epoch * 20, epoch);
    }
    CurveStore store(nullptr);
    store.setTasks(QList<CurveStore::Task>{{u"main/0"_s, log.folder(), true}});
    store.setWatching(true);
    const QString printed = u"acc (output)"_s;
    QTRY_COMPARE(textOf(store, printed), u"0=0.5 20=0.6 from []"_s);
    const series::Series *held = store.series(0, printed, CurveAlong::Step);
    for (int epoch = 2; epoch < 9; ++epoch) {
        log.write("Epoch " + QByteArray::number(epoch) + "/9 acc=0.7\n");
    }
    QTRY_COMPARE(store.series(0, printed, CurveAlong::Step)->size(), std::size_t(9));
    QCOMPARE(held->size(), std::size_t(2));
    QCOMPARE(held->at(1).x, 20.0);
}

// Also where the next step has the same millisecond.
void TstCurvesOfFiles::epochsStandAtTheStepThatIsPrintedBeforeThem()
{
    WrittenLog log;
    for (int epoch = 1; epoch <= 3; ++epoch) {
        for (int step = epoch * 10 - 9; step <= epoch * 10; ++step) {
            const bool isFirst = step == epoch * 10 - 9;
            const qint64 ms = WrittenLog::start + (isFirst ? step - 1 : step) * 1000;
            log.writeAt(ms * 1'000'000,
                "epoch " + QByteArray::number(epoch) + " step " + QByteArray::number(step) + " loss 0.5\n");
        }
        log.writeAt((WrittenLog::start + epoch * 10'000) * 1'000'000,
            "epoch " + QByteArray::number(epoch) + ": dev_wer=7" + QByteArray::number(epoch) + "\n");
    }
    CurveStore store(nullptr);
    store.setTasks(QList<CurveStore::Task>{{u"main/0"_s, log.folder(), true}});
    store.setWatching(true);
    QTRY_COMPARE(textOf(store, u"dev_wer"_s), u"10=71 20=72 30=73 from []"_s);
}

// A file has the times at which it was read: beside it, what is printed goes by its steps.
void TstCurvesOfFiles::momentTellsTheValueOfItsStep()
{
    WrittenLog log;
    for (int step = 1; step <= 20; ++step) {
        const QByteArray number = QByteArray::number(step);
        log.writeAt((WrittenLog::start + step * 10'000) * 1'000'000, "step " + number + " loss: " + number + '\n');
    }
    File file(log, series::Axis::Step);
    QVERIFY(file.id);
    for (int step = 1; step <= 20; ++step) {
        file.put(step, step * 10); // all read in the time of step 6
    }
    TaskInfo task;
    task.role = u"main"_s;
    task.logFolder = log.folder();
    CurvesView view;
    view.resize(900, 400);
    view.setTasks({task});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_COMPARE(view.plots().size(), 2);
    CurvePlot *loss = view.plots().constFirst();
    QCOMPARE(loss->title(), u"loss"_s);
    QTRY_COMPARE(loss->pointsAt(11).size(), 1);
    QTRY_COMPARE(view.plots().at(1)->pointsAt(11).size(), 1);
    const auto valueOf = [&view](const QString &name) {
        for (const QLabel *label : view.findChild<QWidget *>(u"momentCard"_s)->findChildren<QLabel *>()) {
            if (label->text() == name) {
                return label->parentWidget()->findChildren<QLabel *>().constLast()->text();
            }
        }
        return QString();
    };
    const QPair<CurveLine, series::Point> chosen = loss->pointsAt(11).constFirst();
    Q_EMIT loss->momentChosen(chosen.first, chosen.second);
    QTRY_COMPARE(valueOf(u"loss"_s), u"11"_s);
    QTRY_COMPARE(valueOf(u"acc"_s), u"110"_s);
    const QPair<CurveLine, series::Point> ofFile = view.plots().at(1)->pointsAt(3).constFirst();
    Q_EMIT view.plots().at(1)->momentChosen(ofFile.first, ofFile.second);
    QTRY_COMPARE(valueOf(u"loss"_s), u"3"_s); // the rows of before go later
    QTRY_COMPARE(valueOf(u"acc"_s), u"30"_s);
}

// A file with a row for each epoch, beside one with a row for each step: its values stand at the steps that the epochs
// had reached, and along the epochs all of them do.
void TstCurvesOfFiles::rowsOfEpochsStandAtTheSteps_data()
{
    QTest::addColumn<int>("first"); // the number of the first epoch
    QTest::newRow("counted from one") << 1;
    QTest::newRow("counted from zero") << 0;
}

void TstCurvesOfFiles::rowsOfEpochsStandAtTheSteps()
{
    QFETCH(const int, first);
    WrittenLog log;
    File file(log, series::Axis::Epoch);
    for (int step = 1; step <= 30; ++step) {
        file.putAt(step, "loss", series::Axis::Step, step, 0.5);
        if (step % 10 == 0) {
            file.putAt(step, "val_loss", series::Axis::Epoch, first + step / 10 - 1, step);
        }
    }
    file.putAt(31, "loss", series::Axis::Step, 31, 0.5);
    CurveStore store(nullptr);
    store.setTasks(QList<CurveStore::Task>{{u"main/0"_s, log.folder(), true}});
    store.setWatching(true);
    QTRY_COMPARE(textOf(store, u"val_loss"_s), u"10=10 20=20 30=30 from [metrics.csv]"_s);
    QVERIFY(store.hasEpochs());
    QCOMPARE(textOf(store, u"val_loss"_s, CurveAlong::Epoch), u"1=10 2=20 3=30 from [metrics.csv]"_s);
    QVERIFY(textOf(store, u"loss"_s, CurveAlong::Epoch).contains(u"1.5=0.5"_s));
}

// A row for each half of an epoch names how much is over.
void TstCurvesOfFiles::rowsOfPartsOfEpochs()
{
    WrittenLog log;
    File file(log, series::Axis::Epoch);
    for (int half = 1; half <= 4; ++half) {
        file.putAt(half, "loss", series::Axis::Epoch, half / 2.0, half);
    }
    CurveStore store(nullptr);
    store.setTasks(QList<CurveStore::Task>{{u"main/0"_s, log.folder(), true}});
    store.setWatching(true);
    QTRY_COMPARE(textOf(store, u"loss"_s, CurveAlong::Epoch), u"0.5=1 1=2 1.5=3 2=4 from [metrics.csv]"_s);
}

// Where nothing tells at which step an epoch was over, it is not drawn at the step of its number.
void TstCurvesOfFiles::rowsOfEpochsAreNoSteps()
{
    WrittenLog log;
    File file(log, series::Axis::Epoch);
    file.putAt(1, "val_loss", series::Axis::Epoch, 1, 0.25);
    file.putAt(2, "val_loss", series::Axis::Epoch, 2, 0.5);
    file.putAt(9, "loss", series::Axis::Step, 100, 0.75);
    CurveStore store(nullptr);
    store.setTasks(QList<CurveStore::Task>{{u"main/0"_s, log.folder(), true}});
    store.setWatching(true);
    QTRY_COMPARE(textOf(store, u"loss"_s), u"100=0.75 from [metrics.csv]"_s);
    QCOMPARE(textOf(store, u"val_loss"_s, CurveAlong::Epoch), u"1=0.25 2=0.5 from [metrics.csv]"_s);
    QCOMPARE(textOf(store, u"val_loss"_s), u" from [metrics.csv]"_s);
}

// The log has the exact time of a step that is also in a file: a click leads to its line.
void TstCurvesOfFiles::aStepThatIsPrintedHasItsTime()
{
    WrittenLog log;
    printSteps(log, 1, 5);
    File file(log, series::Axis::Step);
    for (int step = 1; step <= 6; ++step) {
        file.putAt(60, "loss", series::Axis::Step, step, 0.5);
    }
    CurveStore store(nullptr);
    store.setTasks(QList<CurveStore::Task>{{u"main/0"_s, log.folder(), true}});
    store.setWatching(true);
    QTRY_VERIFY(store.names().contains(u"loss"_s) && store.names().contains(u"acc"_s));
    QTRY_COMPARE(store.series(0, u"loss"_s)->size(), std::size_t(6));
    QTRY_COMPARE(store.series(0, u"acc"_s)->size(), std::size_t(5));
    const auto timeOf = [&store](double step) {
        return store.timeOf(0, u"loss"_s, {step, WrittenLog::start + 60'000, 0.5}) - WrittenLog::start;
    };
    QCOMPARE(timeOf(3), 3000);
    QCOMPARE(timeOf(6), 60'000); // it is not printed
    QCOMPARE(store.timeOf(0, u"acc"_s, {3, 7, 0.5}), 7); // has its own
}

// What is drawn while the rest is read looks final, and is not.
void TstCurvesOfFiles::saysThatMoreIsRead()
{
    WrittenLog log, other;
    printSteps(log, 1, 5);
    printSteps(other, 1, 5);
    TaskInfo task;
    task.role = u"main"_s;
    task.logFolder = log.folder();
    CurvesView view;
    view.resize(1200, 400);
    view.setTasks({task});
    view.show();
    const auto *notice = view.findChild<ElidedLabel *>(u"curvesNotice"_s);
    QVERIFY(notice);
    QTRY_COMPARE(view.plots().size(), 1);
    QTRY_VERIFY(!notice->isVisible());
    TaskInfo second = task;
    second.index = 1;
    second.logFolder = other.folder();
    view.setTasks({task, second});
    QVERIFY(notice->isVisible());
    QCOMPARE(notice->text(), u"The output is still being read: the curves are not complete yet."_s);
    QTRY_VERIFY(!notice->isVisible());
}

void TstCurvesOfFiles::aTableWithoutTimesHasNoAxisOfTime()
{
    WrittenLog log;
    File file(log, series::Axis::Step);
    file.put(1, 0.5);
    file.put(2, 0.6); // at the same time
    TaskInfo task;
    task.role = u"main"_s;
    task.logFolder = log.folder();
    CurvesView view;
    view.resize(1200, 400);
    view.setTasks({task});
    view.show();
    auto *axis = view.controls()->findChild<SegmentedControl *>();
    QVERIFY(axis);
    const auto isSaid = [axis] { return axis->accessibleDescription().contains(u"have the same time"_s); };
    QTRY_VERIFY(isSaid());
    QTest::keyClick(axis, Qt::Key_Right);
    QCOMPARE(axis->currentIndex(), 0);
    file.putAt(90, "acc", series::Axis::Step, 3, 0.7);
    QTRY_VERIFY(!isSaid());
    QTest::keyClick(axis, Qt::Key_Right);
    QCOMPARE(axis->choices().at(axis->currentIndex()), u"Time"_s);
}

// As that of epochs does: for a moment, only the curves of a table without times may be drawn.
void TstCurvesOfFiles::theChosenAxisOfTimeComesBack()
{
    CurveControls controls;
    CurveControls::Offer offer{.hasMetrics = true, .hasEpochs = true};
    controls.setOffer(offer);
    auto *axis = controls.findChild<SegmentedControl *>();
    QVERIFY(axis);
    const int time = int(axis->choices().indexOf(u"Time"_s)), epoch = int(axis->choices().indexOf(u"Epoch"_s));
    axis->setCurrentIndex(time);
    QCOMPARE(controls.along(), CurveAlong::Time);
    offer.hasTimes = false;
    controls.setOffer(offer);
    QCOMPARE(controls.along(), CurveAlong::Step);
    offer.hasTimes = true;
    controls.setOffer(offer);
    QCOMPARE(controls.along(), CurveAlong::Time);
    offer.hasTimes = false;
    controls.setOffer(offer);
    axis->setCurrentIndex(epoch); // the user has chosen another one meanwhile
    offer.hasTimes = true;
    controls.setOffer(offer);
    QCOMPARE(controls.along(), CurveAlong::Epoch);
}

#include "tst_curvesoffiles.moc"
