// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/jobtable.h"
#include "app/cli/watch.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/formats.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What `show`, `ps` and `run` say of the end of a task, each behind its name.
class TstTaskLines : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void ends_data()
    {
        QTest::addColumn<TaskInfo>("task");
        QTest::addColumn<QString>("saidAbove");
        QTest::addColumn<QString>("end");
        QTest::addColumn<bool>("isStopped");
        TaskInfo task;
        task.role = u"main"_s;
        task.state = State::Failed;
        task.exitCode = 255;
        task.rawExit = 3;
        task.reason = u"exit.user"_s;
        task.reasonArgs = {{u"status"_s, 3}};
        const QString sentence = u"The command ended with status 3."_s;
        QTest::newRow("the sentence has the status") << task << QString() << sentence << false;
        QTest::newRow("the sentence is above") << task << u"main/0: "_s + sentence << u"Exit status 3"_s << false;
        task.tries = 1;
        QTest::newRow("tried again") << task << QString() << u"try 2: "_s + sentence << false;
        QTest::newRow("tried again, with the sentence above")
            << task << u"main/0: "_s + sentence << u"Exit status 3, try 2"_s << false;
        task.tries = 0;
        task.reason.clear();
        task.exitCode = 220;
        task.rawExit = 127;
        QTest::newRow("classified") << task << QString() << u"Exit status 127 (Command not found)"_s << false;
        task.state = State::Stopped;
        task.exitCode = -220;
        task.rawExit.reset();
        QTest::newRow("with its job") << task << QString() << u"Job ended"_s << false;
        QTest::newRow("stopped by a user") << task << QString() << u"Stopped with the job"_s << true;
        task.state = State::Succeeded;
        task.exitCode = 0;
        QTest::newRow("success") << task << QString() << u"SUCCEEDED"_s << false;
    }

    void ends()
    {
        QFETCH(const TaskInfo, task);
        QFETCH(const QString, saidAbove);
        QFETCH(const QString, end);
        QFETCH(const bool, isStopped);
        const QStringList lines = cli::taskLines({task}, {.most = 10, .saidAbove = saidAbove, .isStopped = isStopped});
        QCOMPARE(lines.size(), 1);
        QVERIFY2(lines.constFirst().trimmed().endsWith(u"  "_s + end), qPrintable(lines.constFirst()));
    }

    void memory()
    {
        TaskInfo task;
        task.role = u"main"_s;
        task.state = State::Running;
        task.usage.peakMemoryMiB = 14;
        const QStringList lines = cli::taskLines({task}, {.most = 10});
        QCOMPARE(lines.size(), 1);
        QVERIFY2(lines.constFirst().contains(u"peak memory "_s + formatMiB(14)), qPrintable(lines.constFirst()));
    }

    // A frame that is drawn between an end and the news of it does not count on beyond the end.
    void timeDoesNotGoBack()
    {
        constexpr qint64 began = 1'000'000, ended = began + 2600, heardOf = ended + 300;
        JobSummary job;
        job.name = u"mnist"_s;
        job.state = State::Stopping;
        job.submitted = began;
        job.launched = job.began = began;
        TaskInfo task;
        task.role = u"main"_s;
        task.state = State::Stopping;
        task.launched = began;
        const auto timesOf = [&] {
            const QStringList lines = cli::JobTable::linesOf(job, {task}, heardOf);
            static const QRegularExpression time(u"(\\d+\\.\\d) s"_s);
            return std::pair(
                time.match(lines.value(0)).captured(1).toDouble(), time.match(lines.value(1)).captured(1).toDouble());
        };
        const auto [ofJob, ofTask] = timesOf();
        QVERIFY2(ofJob > 1 && ofJob <= 2.6, qPrintable(QString::number(ofJob)));
        QVERIFY2(ofTask > 1 && ofTask <= 2.6, qPrintable(QString::number(ofTask)));
        job.state = task.state = State::Stopped;
        job.completed = task.completed = ended;
        QCOMPARE(timesOf(), std::pair(2.6, 2.6));
    }

    // Those that need attention have the room, in the order of the document; the others are counted.
    void roomOfTheList()
    {
        QList<TaskInfo> tasks;
        for (const State state : {State::Succeeded, State::Failed, State::Waiting, State::Running}) {
            TaskInfo task;
            task.role = u"main"_s;
            task.index = int(tasks.size());
            task.state = state;
            tasks.append(task);
        }
        tasks[3].launched = 1000;
        const auto lines = [&tasks](const cli::TaskListing &listing) { return cli::taskLines(tasks, listing); };
        QCOMPARE(lines({.most = 4}).size(), 4);
        const QStringList three = lines({.now = 61'000, .most = 3, .pauses = {{2000, 12'000, false}}});
        QCOMPARE(three.size(), 3);
        QVERIFY2(three.at(0).contains("main/1"_L1) && three.at(1).contains("main/3"_L1), qPrintable(three.join(u'|')));
        QVERIFY2(three.at(1).contains(formatDuration(50'000)), qPrintable(three.at(1))); // without the pause
        QVERIFY2(three.at(2).contains("2 more"_L1), qPrintable(three.at(2)));
        QVERIFY(lines({.most = 4, .total = 9}).constLast().contains("5 more"_L1));
    }

    // One that waited for its next attempt did not run in it.
    void endOfAStoppedJob()
    {
        JobSummary job;
        job.id = 4;
        job.name = u"net"_s;
        job.state = State::Stopped;
        job.submitted = 1000;
        job.launched = 2000;
        job.completed = 60'000;
        job.retries = 7;
        job.began = 60'000;
        const QString waiting = cli::endSentence(job);
        QVERIFY2(waiting.endsWith(u" was stopped before attempt 8 began."_s), qPrintable(waiting));
        job.began = 50'000;
        const QString running = cli::endSentence(job);
        QVERIFY2(
            running.contains(u" was stopped after "_s) && running.endsWith(u"in attempt 8."_s), qPrintable(running));
    }
};
TRAINYARD_TEST(TstTaskLines)

#include "tst_tasklines.moc"
