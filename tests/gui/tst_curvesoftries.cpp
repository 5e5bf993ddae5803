// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "tests/helpers/writtenmetrics.h"
#include "widgets/common/labels.h"
#include "widgets/log/logpane.h"
#include "widgets/log/logview.h"
#include "widgets/plot/curveexport.h"
#include "widgets/plot/curveplot.h"
#include "widgets/plot/curvestore.h"
#include "widgets/plot/curvesview.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/storykeeper.h"
#include "widgets/tasks/tasklog.h"
#include "widgets/tasks/taskspane.h"

#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// A task that was tried again has one curve, which says where each try begins.
class TstCurvesOfTries : public QObject
{
    Q_OBJECT

    // A line for each of the steps, a second apart; the value says which output it is of.
    static void print(WrittenLog &log, int from, int to, double loss, int firstSecond)
    {
        for (int step = from; step <= to; ++step) {
            log.writeAt((WrittenLog::start + (firstSecond + step - from) * 1000) * 1'000'000,
                "step " + QByteArray::number(step) + " loss: " + QByteArray::number(loss) + '\n');
        }
    }

    static TaskInfo tryOf(const QString &folder, int attempt, int number = 0, State state = State::Running)
    {
        TaskInfo task;
        task.role = u"worker"_s;
        task.attempt = attempt;
        task.tries = number;
        task.state = state;
        task.host = u"local"_s;
        task.logFolder = folder;
        return task;
    }

    // "1-10=0.9 11-30=0.5": the steps of one value together.
    static QString textOf(const CurveStore &store, const QString &name = u"loss"_s)
    {
        const series::Series *series = store.series(0, name, CurveAlong::Step);
        QStringList parts;
        for (std::size_t i = 0; series && i < series->size();) {
            std::size_t end = i + 1;
            while (end < series->size() && series->at(end).value == series->at(i).value) {
                ++end;
            }
            parts.append(u"%1-%2=%3"_s.arg(series->at(i).x).arg(series->at(end - 1).x).arg(series->at(i).value));
            i = end;
        }
        return parts.join(u' ');
    }

    static bool says(const QWidget &card, const QString &words)
    {
        QStringList texts;
        for (const QLabel *label : card.findChildren<QLabel *>()) {
            texts.append(label->isHidden() ? QString() : label->text());
        }
        for (const ElidedLabel *label : card.findChildren<ElidedLabel *>()) {
            texts.append(label->isHidden() ? QString() : label->text());
        }
        return texts.join(u'\n').contains(words);
    }

    static series::Point pointAt(const CurvePlot &plot, double place)
    {
        const auto points = plot.pointsAt(place);
        return points.isEmpty() ? series::Point() : points.constFirst().second;
    }

private Q_SLOTS:
    void oneCurveOverAttempts()
    {
        WrittenLog first, second;
        print(first, 1, 20, 0.9, 0);
        print(second, 11, 30, 0.5, 100);
        CurvesView view;
        view.resize(780, 400);
        view.setTasks({tryOf(second.folder(), 1)}, {tryOf(first.folder(), 0, 0, State::Failed)});
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QTRY_COMPARE(textOf(*view.store()), u"1-10=0.9 11-30=0.5"_s);
        QTRY_COMPARE(view.plots().size(), 1);
        CurvePlot *plot = view.plots().constFirst();
        QTRY_COMPARE(plot->shownRange(), (CurvePlot::Range{1, 30}));
        QTRY_COMPARE(plot->lines().constFirst().tries.size(), 2);
        const auto markAt = [plot](double step) { return plot->markAt({plot->pixelOf(step, 0.5).x(), 5}); };
        QTRY_COMPARE(markAt(11), u"Attempt 2 begins here."_s);
        QCOMPARE(markAt(3), QString());
        QTRY_VERIFY(plot->accessibleDescription().contains(u"Attempt 2 begins here."_s));

        const QList<CurveGroup> groups{{u"loss"_s, plot->lines()}};
        const QStringList rows = curvesAsTable(groups, plot->look(), std::nullopt).split(u'\n');
        QCOMPARE(rows.constFirst(), u"metric\ttask\tstep\ttime\tvalue\tattempt\ttry"_s);
        QVERIFY2(rows.at(10).startsWith(u"loss\tworker/0\t10\t"_s) && rows.at(10).endsWith(u"\t0.9\t1\t1"_s),
            qPrintable(rows.at(10)));
        QVERIFY2(rows.at(11).startsWith(u"loss\tworker/0\t11\t"_s) && rows.at(11).endsWith(u"\t0.5\t2\t1"_s),
            qPrintable(rows.at(11)));
        QTemporaryDir folder;
        auto *writer = new CurveExport(folder.filePath(u"m.csv"_s), groups, CurveOwner::Task, this);
        QSignalSpy finished(writer, &CurveExport::finished);
        writer->start();
        QTRY_COMPARE(finished.size(), 1);
        QFile written(folder.filePath(u"m.csv"_s));
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QByteArrayList lines = written.readAll().split('\n');
        QCOMPARE(lines.constFirst(), "metric,task,step,time,value,attempt,try,trainyard");
        QVERIFY2(lines.at(11).endsWith(",0.5,2,1,1"), lines.at(11).constData());
    }

    // The log of the page is that of the attempt shown.
    void cardSaysTheAttempt()
    {
        WrittenLog first, second;
        print(first, 1, 20, 0.9, 0);
        print(second, 11, 30, 0.5, 100);
        CurvesView view;
        view.resize(780, 400);
        view.setTasks({tryOf(second.folder(), 1)}, {tryOf(first.folder(), 0, 0, State::Failed)});
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QTRY_COMPARE(textOf(*view.store()), u"1-10=0.9 11-30=0.5"_s);
        QTRY_COMPARE(view.plots().size(), 1);
        CurvePlot *plot = view.plots().constFirst();
        QTRY_COMPARE(plot->lines().constFirst().tries.size(), 2);
        auto *card = view.findChild<QWidget *>(u"momentCard"_s);
        QVERIFY(card);
        QSignalSpy chosen(&view, &CurvesView::momentChosen);
        Q_EMIT plot->momentChosen(plot->lines().constFirst(), pointAt(*plot, 5));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.constLast().at(1).toLongLong(), WrittenLog::start + 4000);
        QVERIFY(!chosen.constLast().at(3).value<std::optional<int>>());
        QVERIFY(says(*card, u"step 5, worker/0, attempt 1"_s));
        QVERIFY(says(*card, u"Choose attempt 1 above to see its log."_s));
        Q_EMIT plot->momentChosen(plot->lines().constFirst(), pointAt(*plot, 25));
        QCOMPARE(chosen.constLast().at(3).value<std::optional<int>>(), std::optional(0));
        QVERIFY(says(*card, u"step 25, worker/0, attempt 2"_s));
        QVERIFY(!says(*card, u"to see its log"_s));

        QSignalSpy times(&view, &CurvesView::timesChosen);
        Q_EMIT plot->timesChosen(WrittenLog::start + 2000, WrittenLog::start + 4000);
        QCOMPARE(times.constLast().at(2).toString(), u"worker/0"_s);
        QVERIFY(!times.constLast().at(3).value<std::optional<int>>());
        Q_EMIT plot->timesChosen(WrittenLog::start + 2000, WrittenLog::start + 105'000);
        QCOMPARE(times.constLast().at(3).value<std::optional<int>>(), std::optional(0));
    }

    // Within one attempt, the log of each try can be shown.
    void triesOfOneAttempt()
    {
        WrittenLog first, second;
        print(first, 1, 20, 0.9, 0);
        print(second, 11, 30, 0.5, 100);
        CurvesView view;
        view.resize(780, 400);
        view.setTasks({tryOf(second.folder(), 0, 1)}, {tryOf(first.folder(), 0, 0, State::Failed)});
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QTRY_COMPARE(textOf(*view.store()), u"1-10=0.9 11-30=0.5"_s);
        QTRY_COMPARE(view.plots().size(), 1);
        CurvePlot *plot = view.plots().constFirst();
        QTRY_COMPARE(plot->markAt({plot->pixelOf(11, 0.5).x(), 5}), u"Try 2 begins here."_s);
        QSignalSpy chosen(&view, &CurvesView::momentChosen);
        Q_EMIT plot->momentChosen(plot->lines().constFirst(), pointAt(*plot, 5));
        QCOMPARE(chosen.constLast().at(3).value<std::optional<int>>(), std::optional(0));
        QVERIFY(says(*view.findChild<QWidget *>(u"momentCard"_s), u"step 5, worker/0, try 1"_s));
    }

    // The curve stays while the next try has not said anything, also if it never does.
    void theNextTryGoesOn()
    {
        WrittenLog first, second, third;
        print(first, 1, 20, 0.9, 0);
        CurveStore store(nullptr);
        store.setTasks({tryOf(first.folder(), 0)});
        store.want(0);
        store.setWatching(true);
        QTRY_COMPARE(textOf(store), u"1-20=0.9"_s);
        QVERIFY(first.end());
        second.write("started\n");
        store.setTasks({tryOf(second.folder(), 1)}, {tryOf(first.folder(), 0)});
        QCOMPARE(textOf(store), u"1-20=0.9"_s);
        print(second, 11, 15, 0.5, 100);
        QTRY_COMPARE(textOf(store), u"1-10=0.9 11-15=0.5"_s);
        QTRY_COMPARE(store.tryBegins(0).size(), 2);
        print(second, 16, 30, 0.5, 105);
        QTRY_COMPARE(textOf(store), u"1-10=0.9 11-30=0.5"_s);
        QVERIFY(second.end());

        third.write("Traceback (most recent call last):\n");
        QVERIFY(third.end());
        store.setTasks({tryOf(third.folder(), 2)}, {tryOf(first.folder(), 0), tryOf(second.folder(), 1)});
        QTRY_VERIFY(!store.isReading());
        QCOMPARE(textOf(store), u"1-10=0.9 11-30=0.5"_s);
        CurveStore opened(nullptr); // when all that is over
        opened.setTasks({tryOf(third.folder(), 2)}, {tryOf(first.folder(), 0), tryOf(second.folder(), 1)});
        opened.want(0);
        opened.setWatching(true);
        QTRY_COMPARE(textOf(opened), u"1-10=0.9 11-30=0.5"_s);
    }

    void theNextTryStartsOver()
    {
        WrittenLog first, second;
        print(first, 1, 20, 0.9, 0);
        first.write("step 20 acc: 0.7\n");
        QVERIFY(first.end());
        print(second, 1, 5, 0.5, 100);
        CurveStore store(nullptr);
        store.setTasks({tryOf(second.folder(), 1)}, {tryOf(first.folder(), 0)});
        store.want(0);
        store.setWatching(true);
        QTRY_COMPARE(textOf(store), u"1-5=0.5"_s);
        QTRY_VERIFY(!store.isReading());
        QCOMPARE(store.names(), QStringList{u"loss"_s});
        QCOMPARE(store.tryBegins(0).size(), 1);
    }

    // Each try has begun a file of its own, and the second one has printed nothing.
    void filesOfEachTry()
    {
        WrittenMetrics first, second;
        first.say(contract::runLine("version_0"));
        first.put(0, "loss", {{1, 0.9}, {2, 0.9}, {3, 0.9}}, WrittenLog::start);
        second.say(contract::runLine("version_1"));
        second.put(0, "loss", {{3, 0.5}, {4, 0.5}}, WrittenLog::start + 100'000);
        CurveStore store(nullptr);
        store.setTasks({tryOf(second.dir.path(), 1)}, {tryOf(first.dir.path(), 0)});
        store.want(0);
        store.setWatching(true);
        QTRY_COMPARE(textOf(store), u"1-2=0.9 3-4=0.5"_s);
        QCOMPARE(store.sourceOf(u"loss"_s), u"version_1"_s);
        QCOMPARE(store.tryBegins(0), (QList<TryBegin>{{0, 0, WrittenLog::start}, {1, 0, WrittenLog::start + 100'000}}));
        second.put(0, "loss", {{5, 0.4}}, WrittenLog::start + 101'000);
        QTRY_COMPARE(textOf(store), u"1-2=0.9 3-4=0.5 5-5=0.4"_s);
    }

    // The newest attempt goes on with those before it; one that is chosen by hand stands for itself.
    void pageGathersTheTries()
    {
        WrittenLog first, second;
        print(first, 1, 20, 0.9, 0);
        print(second, 11, 30, 0.5, 100);
        JobDetail detail;
        detail.summary.uuid = u"u"_s;
        detail.summary.state = State::Running;
        for (int i = 0; i < 2; ++i) {
            AttemptInfo attempt;
            attempt.index = i;
            detail.attempts.append(attempt);
        }
        RunPage page;
        QSignalSpy asked(page.story(), &StoryKeeper::triesRequested);
        page.setDetail(detail);
        TaskInfo waiting = tryOf({}, 1, 0, State::Waiting);
        waiting.host.clear();
        page.setTasks(1, {waiting});
        page.setHistoryFolded(false); // so that somebody may look at them
        QCOMPARE(asked.size(), 2);
        const TaskInfo before = tryOf(first.folder(), 0, 0, State::Failed);
        page.story()->setAttemptTries(0, {before});
        const auto tasks = [&page] { return page.curves()->store()->tasks(); };
        QCOMPARE(tasks().size(), 1);
        QCOMPARE(tasks().constFirst().folder, first.folder()); // until the newest one begins
        QVERIFY(tasks().constFirst().earlier.isEmpty());
        page.setTasks(1, {tryOf(second.folder(), 1)});
        QCOMPARE(tasks().constFirst().folder, second.folder());
        QCOMPARE(tasks().constFirst().earlier, (QList<OutputTry>{{first.folder(), 0, 0}}));
        Q_EMIT page.story()->attemptChosen(0);
        page.setTasks(0, {before});
        QCOMPARE(tasks().constFirst().folder, first.folder());
        QVERIFY(tasks().constFirst().earlier.isEmpty());
        Q_EMIT page.story()->attemptChosen(1);
        page.setTasks(1, {tryOf(second.folder(), 1)});
        QCOMPARE(tasks().constFirst().earlier.size(), 1);
    }

    void lineOfAnEarlierTry()
    {
        WrittenLog first, second;
        print(first, 1, 20, 0.9, 0);
        print(second, 11, 30, 0.5, 100);
        QVERIFY(first.end());
        TasksPane tasks;
        LogPane log;
        TaskLog shown(&tasks, &log, nullptr);
        tasks.setTasks({tryOf(second.folder(), 0, 1)});
        shown.setEarlierTries(0, u"worker"_s, 0, {tryOf(first.folder(), 0, 0, State::Failed)});
        QTRY_VERIFY(log.view()->lineCount() == 20 && log.view()->lineText(0) == u"step 11 loss: 0.5"_s);
        shown.showMoment(u"worker/0"_s, WrittenLog::start + 14'000, 0.9, 0);
        QTRY_COMPARE(log.view()->selectedText().trimmed(), u"step 15 loss: 0.9"_s);
        shown.showMoment(u"worker/0"_s, WrittenLog::start + 104'000, 0.5, 1);
        QTRY_COMPARE(log.view()->selectedText().trimmed(), u"step 15 loss: 0.5"_s);
        shown.showTimes(WrittenLog::start + 4000, WrittenLog::start + 6000, u"worker/0"_s, 0);
        QTRY_VERIFY(log.view()->lineCount() == 3 && log.view()->lineText(0) == u"step 5 loss: 0.9"_s);
    }
};
TRAINYARD_GUI_TEST(TstCurvesOfTries)
#include "tst_curvesoftries.moc"
