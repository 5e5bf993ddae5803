// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/values.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/common/labels.h"
#include "widgets/log/logpane.h"
#include "widgets/log/logview.h"
#include "widgets/plot/curvestore.h"
#include "widgets/plot/curvesview.h"
#include "widgets/plot/curvex.h"
#include "widgets/tasks/tasklog.h"
#include "widgets/tasks/taskspane.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

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
    void outputBecomesCurves();
    void restartedOutputIsDrawnOnce();
    void clickChoosesTheMoment();
    void rangeIsOfAllPlots();
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
    QTest::newRow("none") << QList<double>{qQNaN(), qQNaN()} << false << QList<double>{1, 2};
}

void TstCurves::stepsOfSeries()
{
    QFETCH(QList<double>, steps);
    QFETCH(bool, areBatches);
    QFETCH(QList<double>, wanted);
    CurveX x;
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
    QTest::mouseClick(plot, Qt::LeftButton, {}, {plot->width() / 2, plot->height() / 2});
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen.constFirst().at(0).toString(), QStringLiteral("worker/0"));
    const qint64 second = (chosen.constFirst().at(1).toLongLong() - WrittenLog::start) / 1000;
    QVERIFY2(second > 70 && second < 130, qPrintable(QString::number(second)));
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

    CurvePlot plot(QStringLiteral("loss"));
    plot.resize(400, 200);
    plot.setLines(groups.constFirst().lines);
    for (const char *name : {"p.pdf", "p.svg", "p.png"}) {
        const QString file = folder.filePath(QString::fromLatin1(name));
        QVERIFY2(plot.save(file, {88, 55}), name);
        QVERIFY2(QFileInfo(file).size() > 500, name);
    }
    QVERIFY(!plot.save(folder.filePath(QStringLiteral("no/such/p.pdf")), {88, 55}));
}

TRAINYARD_GUI_TEST(TstCurves)
#include "tst_curves.moc"
