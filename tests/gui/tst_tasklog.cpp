// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfolder.h"
#include "model/base/threads.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/stuckfolder.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "tests/helpers/writtensteps.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/tasklog.h"
#include "widgets/tasks/taskspane.h"

#include <QFile>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>

#include <algorithm>

using namespace trainyard;
using namespace Qt::StringLiterals;

// The log of the chosen task, and the lines of it to which other parts of the page lead.
class TstTaskLog : public QObject
{
    Q_OBJECT

    static TaskInfo loggedTask(const QString &folder, int index, State state = State::Failed)
    {
        TaskInfo task;
        task.role = u"worker"_s;
        task.index = index;
        task.state = state;
        task.logFolder = folder;
        return task;
    }
    static void end(const WrittenLog &log)
    {
        QFile ended(log.folder() + u"/exit"_s);
        QVERIFY(ended.open(QIODevice::WriteOnly));
        contract::ExitRecord exited;
        exited.kind = contract::ExitKind::Exited;
        exited.value = 1;
        ended.write(QByteArray::fromStdString(exited.format()));
    }
    static void writeBoth(WrittenLog &log, const QByteArray &name)
    {
        for (int i = 0; i < 400; ++i) {
            log.writeAt((WrittenLog::start + i * 1000LL) * 1'000'000, name + ' ' + QByteArray::number(i) + '\n',
                i % 4 == 0 ? LogReader::Stream::Err : LogReader::Stream::Out);
        }
        end(log);
    }
    // Whether one of the lines in sight is this one.
    static bool isInSight(const LogView *view, const QString &text)
    {
        bool isSeen = false;
        for (qint64 line = view->topLine(); line < view->lineCount() && !view->lineRect(line).isEmpty(); ++line) {
            isSeen = isSeen || view->lineText(line) == text;
        }
        return isSeen;
    }

    // In the place of the lines.
    static bool saysInstead(const LogPane &pane, const QString &words)
    {
        const QList<QLabel *> labels = pane.findChild<EmptyState *>()->findChildren<QLabel *>();
        return std::any_of(
            labels.cbegin(), labels.cend(), [&words](const QLabel *label) { return label->text().contains(words); });
    }

private Q_SLOTS:
    // The numbers of its lines are those of the whole log, whatever part of it is shown.
    void linesAreOfTheWholeLog()
    {
        WrittenLog one, two;
        writeBoth(one, "one");
        writeBoth(two, "two");
        TasksPane tasks;
        LogPane pane;
        pane.resize(900, 300);
        pane.show();
        TaskLog log(&tasks, &pane, nullptr);
        tasks.setTasks({loggedTask(one.folder(), 0), loggedTask(two.folder(), 1)});
        tasks.setCurrentTask(u"worker"_s, 0);
        LogView *view = pane.view();
        QTRY_VERIFY(view->isComplete() && view->lineText(0) == "one 0"_L1);

        auto *streams = pane.findChild<SegmentedControl *>();
        streams->setCurrentIndex(2);
        QTRY_VERIFY(view->isComplete() && view->lineCount() == 100);
        log.showLine({u"worker/0"_s, 0, 200});
        QTRY_COMPARE(view->lineCount(), 400);
        QCOMPARE(streams->currentIndex(), 0);
        QTRY_VERIFY(isInSight(view, u"one 200"_s));

        log.showTogether({{u"worker"_s, 0}, {u"worker"_s, 1}});
        QTRY_COMPARE(view->lineCount(), 800);
        log.showLine({u"worker/0"_s, 0, 300});
        QTRY_COMPARE(view->lineCount(), 400);
        QTRY_VERIFY(isInSight(view, u"one 300"_s));
    }

    // One that still runs has no end to wait for.
    void lineOfARunningTaskIsShown()
    {
        WrittenLog running;
        for (int i = 0; i < 400; ++i) {
            running.write("line " + QByteArray::number(i) + '\n');
        }
        TasksPane tasks;
        LogPane pane;
        pane.resize(900, 300);
        pane.show();
        TaskLog log(&tasks, &pane, nullptr);
        tasks.setTasks({loggedTask(running.folder(), 0, State::Running)});
        log.showLine({u"worker/0"_s, 0, 200});
        QTRY_VERIFY(isInSight(pane.view(), u"line 200"_s));
        QVERIFY(!pane.view()->isComplete());
        log.showLine({u"worker/0"_s, 0, 20});
        QTRY_VERIFY(isInSight(pane.view(), u"line 20"_s));
    }

    // Whether there is an output is asked of the disk, which may be one that never answers.
    void deadDiskHoldsNothingUp()
    {
        QTemporaryDir home;
        StuckFolder disk(home.filePath(u"dead"_s));
        SKIP_UNLESS_THERE(disk);
        WrittenLog other;
        writeBoth(other, "other");
        TasksPane tasks;
        LogPane pane;
        pane.resize(900, 300);
        pane.show();
        TaskLog log(&tasks, &pane, nullptr);
        tasks.setTasks({loggedTask(home.filePath(u"dead/0"_s), 0, State::Waiting), loggedTask(other.folder(), 1)});
        tasks.setCurrentTask(u"worker"_s, 0);
        QTRY_VERIFY(disk.waiting() > 0);
        QVERIFY(!pane.view()->isVisible());
        tasks.setCurrentTask(u"worker"_s, 1);
        QTRY_COMPARE(pane.view()->lineCount(), 400);
        disk.release();
    }

    // However many tasks on such a disk were chosen, others are looked at.
    void deadDiskHoldsNoOtherLookUp()
    {
        QTemporaryDir home;
        StuckFolder disk(home.filePath(u"dead"_s));
        SKIP_UNLESS_THERE(disk);
        TasksPane tasks;
        LogPane pane;
        pane.resize(900, 300);
        pane.show();
        TaskLog log(&tasks, &pane, nullptr);
        const int dead = threads::workPool().maxThreadCount() + 1;
        QList<TaskInfo> all;
        for (int i = 0; i < dead; ++i) {
            all.append(loggedTask(home.filePath(u"dead/%1"_s.arg(i)), i, State::Waiting));
        }
        all.append(loggedTask(home.filePath(u"gone"_s), dead));
        all.last().host = u"local"_s;
        all.last().tryLaunched = WrittenLog::start;
        tasks.setTasks(all);
        for (int i = 0; i <= dead; ++i) {
            tasks.setCurrentTask(u"worker"_s, i);
        }
        QTRY_VERIFY(saysInstead(pane, u"no longer exists"_s));
        QTRY_VERIFY(disk.waiting() > 0);
        disk.release();
    }

    // Of a task that somebody has removed the files of, that is said; of one that waits, that it does.
    void missingOutputIsSaid()
    {
        WrittenLog here;
        writeBoth(here, "here");
        TasksPane tasks;
        LogPane pane;
        pane.resize(900, 300);
        pane.show();
        TaskLog log(&tasks, &pane, nullptr);
        TaskInfo task = loggedTask(here.folder() + u"/gone"_s, 0);
        task.host = u"local"_s;
        task.tryLaunched = WrittenLog::start;
        const auto says = [&pane](const QString &words) { return saysInstead(pane, words); };
        tasks.setTasks({task});
        QTRY_VERIFY(says(u"no longer exists"_s));
        task.state = State::Waiting;
        tasks.setTasks({task});
        QTRY_VERIFY(says(u"worker/0 waits"_s));
        task.logFolder = here.folder();
        tasks.setTasks({task}); // a cluster has it, and it has written something before this is known
        QTRY_COMPARE(pane.view()->lineCount(), 400);
    }

    // What was to be shown of a task is forgotten when somebody chooses another one.
    void wishesAreOfTheirTask()
    {
        WrittenLog one, two, running;
        writeBoth(one, "one");
        writeBoth(two, "two");
        TasksPane tasks;
        LogPane pane;
        pane.resize(900, 300);
        pane.show();
        TaskLog log(&tasks, &pane, nullptr);
        tasks.setTasks({loggedTask(one.folder(), 0), loggedTask(two.folder(), 1),
            loggedTask(running.folder(), 2, State::Running)});
        tasks.setCurrentTask(u"worker"_s, 0);
        LogView *view = pane.view();
        QTRY_VERIFY(view->isComplete() && view->lineText(0) == "one 0"_L1);
        const qint64 middle = WrittenLog::start + 200'000;
        tasks.setCurrentTask(u"worker"_s, 2); // it has written nothing so far
        log.showMoment(u"worker/2"_s, middle, 0);
        tasks.setCurrentTask(u"worker"_s, 1);
        QTRY_VERIFY(view->isComplete() && view->lineText(0) == "two 0"_L1);
        QVERIFY(!view->currentLine());
        QVERIFY(view->isFollowing());

        log.showLine({u"worker/0"_s, 0, 200}); // of the first task, whose log is not read at once
        tasks.setCurrentTask(u"worker"_s, 1);
        QTRY_VERIFY(view->isComplete() && view->lineText(0) == "two 0"_L1);
        QVERIFY(!isInSight(view, u"two 200"_s));
        log.showLine({u"worker/0"_s, 0, 200});
        QTRY_VERIFY(isInSight(view, u"one 200"_s));
    }

    void momentsOfALog()
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
    void momentIsMarkedInTheLog()
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
        shown.showMoment(u"worker/1"_s, time, 0.25);
        QTRY_COMPARE(log.view()->selectedText().trimmed(), u"step 101 loss: 0.25"_s);
        QCOMPARE(tasks.currentTask()->index, 1);
        shown.showMoment(u"worker/1"_s, time, 7); // printed in another way: the first line of that moment
        QCOMPARE(log.view()->selectedText().trimmed(), u"step 100 loss: 0.5"_s);
    }
};

TRAINYARD_GUI_TEST(TstTaskLog)
#include "tst_tasklog.moc"
