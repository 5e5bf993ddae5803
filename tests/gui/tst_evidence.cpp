// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/listedtasks.h"
#include "tests/gui/logtools.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/log/evidencereader.h"
#include "widgets/log/logfindrow.h"
#include "widgets/tasks/evidenceseeker.h"
#include "widgets/tasks/logexcerpt.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/tasklog.h"
#include "widgets/tasks/taskspane.h"

#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QToolButton>

using namespace trainyard;
using namespace Qt::StringLiterals;
using logtests::BytesLogSource;

// The lines of an output that show why its task failed, which are read from the whole log whatever is shown of it.
class TstEvidence : public ListedTasks
{
    Q_OBJECT

    static constexpr qint64 rootLine = 11; // from 0: "error: no loss"
    static void writeLines(WrittenLog &log, int from, int to)
    {
        for (int i = from; i < to; ++i) {
            const QByteArray line = i == rootLine ? QByteArray("error: no loss") : "line " + QByteArray::number(i);
            log.writeAt((WrittenLog::start + i * 1000LL) * 1'000'000, line + '\n',
                i % 4 == 0 ? LogReader::Stream::Err : LogReader::Stream::Out);
        }
    }
    static FailureFacts finding(const QString &task = {})
    {
        FailureFacts facts;
        facts.cause = u"user-code-error"_s;
        facts.certainty = u"certain"_s;
        facts.line = rootLine + 1;
        facts.text = u"error: no loss"_s;
        facts.task = task;
        return facts;
    }
    static TaskInfo loggedTask(const WrittenLog &log, State state = State::Failed)
    {
        TaskInfo task = tasks({u"w 0 F"_s}).constFirst();
        task.state = state;
        task.host = u"local"_s;
        task.logFolder = log.folder();
        if (state == State::Failed) {
            task.exitCode = 1;
            task.reasonArgs = {{QString(failureKey), finding().toJson()}};
        }
        return task;
    }
    static JobDetail detailOf(State state)
    {
        JobDetail detail;
        detail.summary.uuid = u"u"_s;
        detail.summary.state = state;
        detail.attempts = {AttemptInfo{}};
        detail.attempts[0].state = state;
        if (state == State::Failed) {
            detail.summary.exitCode = 1;
            detail.attempts[0].triggerRole = u"w"_s;
            detail.attempts[0].triggerIndex = 0;
        }
        return detail;
    }

private Q_SLOTS:
    void linesAreAroundTheRoot_data();
    void linesAreAroundTheRoot();
    void repeatedCommandsAreNotTheProgram_data();
    void repeatedCommandsAreNotTheProgram();
    void growingLogIsReadOn();
    void replacedLogIsReadAgain();
    void cancelledReaderSaysNothing();
    void whatIsShownDoesNotMatter_data();
    void whatIsShownDoesNotMatter();
    void linesComeWhileTheLogDoes();
    void triesAreNamed();
    void runningTaskHasNoLastLines();
    void otherTaskIsReadWithoutBeingShown();
    void causeStandsOutInTheWholeLogOnly();
};

void TstEvidence::linesAreAroundTheRoot_data()
{
    QTest::addColumn<qint64>("line");
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("first");
    QTest::addColumn<qint64>("root"); // below 0: none
    QTest::newRow("in the middle") << qint64(50) << u"line 50"_s << qint64(48) << qint64(50);
    QTest::newRow("a part of it") << qint64(50) << u"ne 5"_s << qint64(48) << qint64(50);
    QTest::newRow("at the beginning") << qint64(0) << u"line 0"_s << qint64(0) << qint64(0);
    QTest::newRow("at the end") << qint64(99) << u"line 99"_s << qint64(96) << qint64(99);
    QTest::newRow("no finding") << qint64(-1) << QString() << qint64(96) << qint64(-1);
    QTest::newRow("no text") << qint64(50) << QString() << qint64(96) << qint64(-1);
    QTest::newRow("another text") << qint64(50) << u"KeyError"_s << qint64(96) << qint64(-1);
    QTest::newRow("beyond the end") << qint64(100) << u"line 100"_s << qint64(96) << qint64(-1);
}

void TstEvidence::linesAreAroundTheRoot()
{
    QFETCH(const qint64, line);
    QFETCH(const QString, text);
    QFETCH(const qint64, first);
    QFETCH(const qint64, root);
    EvidenceReader reader(BytesLogSource::factory(logtests::numbered(0, 100)), {line, text, 4});
    const LogEvidence found = reader.read();
    QVERIFY(found.isWhole);
    QCOMPARE(found.root.value_or(-1), root);
    QCOMPARE(found.firstLine, first);
    QCOMPARE(found.lines.size(), 4);
    QCOMPARE(found.lines.constFirst(), u"line %1"_s.arg(first));
    QCOMPARE(reader.read(), found);
}

// The named line, the end and the words that nothing more comes may all be late.
void TstEvidence::repeatedCommandsAreNotTheProgram_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<qint64>("first");
    QTest::addColumn<QStringList>("lines");
    const QByteArray program = "step 1/20\nstep 2/20\n", script = "import time\nx = []\nfor i in range(20):\n";
    const QByteArray killed = "task.sh: line 6:  1612 Killed                  ";
    const QStringList two{u"step 1/20"_s, u"step 2/20"_s};
    const auto with = [&two](const QString &message) { return two + QStringList{message}; };
    QTest::newRow("a here-document") << QByteArray(program + killed + "python3 - <<'P'\n" + script + "P\n\n")
                                     << qint64(0) << with(QString::fromLatin1(killed + "python3 - <<'P'"));
    QTest::newRow("behind more") << QByteArray("a\nb\n" + program + killed + "python3 - <<-EOF\n" + script + "EOF\n\n")
                                 << qint64(1)
                                 << QStringList{u"b"_s} + with(QString::fromLatin1(killed + "python3 - <<-EOF"));
    QTest::newRow("in a group") << QByteArray(program + killed + "( python3 - <<A <<\"B\"\n" + script + "A\nB\n )\n")
                                << qint64(0) << with(QString::fromLatin1(killed + "( python3 - <<A <<\"B\""));
    QTest::newRow("the program wrote more") << QByteArray(program + killed + "python3 - <<P\nx\nP\n\ny\nz\n")
                                            << qint64(4) << QStringList{u"P"_s, QString(), u"y"_s, u"z"_s};
    QTest::newRow("another word") << QByteArray(program + killed + "python3 - <<<P\nx\nP\n\n") << qint64(2)
                                  << QStringList{
                                         QString::fromLatin1(killed + "python3 - <<<P"), u"x"_s, u"P"_s, QString()};
}

// bash repeats the script of a command that is killed, behind the last lines of the command itself.
void TstEvidence::repeatedCommandsAreNotTheProgram()
{
    QFETCH(const QByteArray, log);
    QFETCH(const qint64, first);
    EvidenceReader reader(BytesLogSource::factory(log), {-1, {}, 4});
    const LogEvidence found = reader.read();
    QTEST(found.lines, "lines");
    QCOMPARE(found.firstLine, first);
    QVERIFY(!found.root);
}

void TstEvidence::growingLogIsReadOn()
{
    WrittenLog log;
    EvidenceReader reader(
        TryLogSource::factory(log.folder(), LogSource::Filter::Both), {rootLine, u"error: no loss"_s, 4});
    EvidenceReader last(TryLogSource::factory(log.folder(), LogSource::Filter::Both), {-1, {}, 2});
    QVERIFY(reader.read().lines.isEmpty() && last.read().lines.isEmpty());
    writeLines(log, 0, 5);
    QVERIFY(reader.read().lines.isEmpty());
    QCOMPARE(last.read().lines, (QStringList{u"line 3"_s, u"line 4"_s}));
    QVERIFY(!last.read().isWhole);
    writeLines(log, 5, 20);
    QCOMPARE(reader.read().root, rootLine);
    QCOMPARE(reader.read().lines, (QStringList{u"line 9"_s, u"line 10"_s, u"error: no loss"_s, u"line 12"_s}));
    QCOMPARE(last.read().lines, (QStringList{u"line 18"_s, u"line 19"_s}));
    log.write("unfinished");
    QVERIFY(log.end());
    QCOMPARE(last.read().lines, (QStringList{u"line 19"_s, u"unfinished"_s}));
    QVERIFY(reader.read().isWhole && last.read().isWhole);
}

void TstEvidence::replacedLogIsReadAgain()
{
    WrittenLog log;
    EvidenceReader last(TryLogSource::factory(log.folder(), LogSource::Filter::Both), {-1, {}, 2});
    writeLines(log, 0, 20);
    QCOMPARE(last.read().lines, (QStringList{u"line 18"_s, u"line 19"_s}));
    log.truncate();
    writeLines(log, 0, 3);
    QCOMPARE(last.read().lines, (QStringList{u"line 1"_s, u"line 2"_s}));
    QCOMPARE(last.read().firstLine, 1);
}

void TstEvidence::cancelledReaderSaysNothing()
{
    EvidenceReader reader(BytesLogSource::factory(logtests::numbered(0, 100)), {-1, {}, 4});
    reader.cancel();
    QVERIFY(reader.read().lines.isEmpty());
    QVERIFY(!reader.read().isWhole);
}

void TstEvidence::whatIsShownDoesNotMatter_data()
{
    QTest::addColumn<QString>("shown");
    for (const char *shown : {"everything", "one stream", "a time", "lines with a word"}) {
        QTest::newRow(shown) << QString::fromLatin1(shown);
    }
}

// A part of the log is chosen before the task fails, and stays chosen.
void TstEvidence::whatIsShownDoesNotMatter()
{
    QFETCH(const QString, shown);
    WrittenLog log;
    writeLines(log, 0, 20);
    RunPage page;
    page.resize(1000, 800);
    page.show();
    page.setDetail(detailOf(State::Running));
    page.setTasks(0, {loggedTask(log, State::Running)});
    LogView *view = page.logPane()->view();
    QTRY_COMPARE(view->lineCount(), 20);
    if (shown == "one stream"_L1) {
        page.logPane()->findChild<SegmentedControl *>()->setCurrentIndex(2);
        QTRY_COMPARE(view->lineCount(), 5);
    } else if (shown == "a time"_L1) {
        page.logPane()->setTimeRange(LogTimeRange{WrittenLog::start, WrittenLog::start + 3000});
        QTRY_COMPARE(view->lineCount(), 4);
    } else if (shown == "lines with a word"_L1) {
        page.logPane()->findChild<LogFindRow *>()->open(u"line 1"_s);
        page.logPane()->findChild<QToolButton *>(u"logFilter"_s)->setChecked(true);
        QTRY_COMPARE(view->lineCount(), 10); // 1, 10, and 12 to 19
    }
    const qint64 lines = view->lineCount();
    QVERIFY(log.end());
    page.applyTasks({loggedTask(log)});
    page.setDetail(detailOf(State::Failed));
    const auto *excerpt = page.findChild<LogExcerpt *>();
    QTRY_COMPARE(excerpt->accessibleName(), u"Around line 12 of w/0"_s);
    QVERIFY2(excerpt->toPlainText().contains(u"error: no loss"), qPrintable(excerpt->toPlainText()));
    QCOMPARE(view->lineCount(), lines);
}

// The log of another host is copied here while its task has ended already.
void TstEvidence::linesComeWhileTheLogDoes()
{
    WrittenLog log;
    writeLines(log, 0, 5);
    TaskInfo task = loggedTask(log);
    task.host = u"lab1"_s;
    RunPage page;
    page.resize(1000, 800);
    page.show();
    FailureFacts none;
    none.cause = u"unknown"_s;
    none.certainty = u"unknown"_s;
    TaskInfo unexplained = task;
    unexplained.reasonArgs = {{QString(failureKey), none.toJson()}};
    page.setDetail(detailOf(State::Failed));
    page.setTasks(0, {unexplained});
    const auto *excerpt = page.findChild<LogExcerpt *>();
    QTRY_COMPARE(excerpt->accessibleName(), u"The last lines of w/0 that have arrived"_s);
    QVERIFY2(excerpt->toPlainText().contains(u"line 4"), qPrintable(excerpt->toPlainText()));
    page.applyTasks({task});
    writeLines(log, 5, 20);
    QTRY_COMPARE(excerpt->accessibleName(), u"Around line 12 of w/0"_s);
    page.applyTasks({unexplained});
    QVERIFY(log.end());
    QTRY_COMPARE(excerpt->accessibleName(), u"The last lines of w/0"_s);
    QVERIFY2(excerpt->toPlainText().contains(u"line 19"), qPrintable(excerpt->toPlainText()));
}

void TstEvidence::triesAreNamed()
{
    WrittenLog log;
    writeLines(log, 0, 20);
    QVERIFY(log.end());
    TaskInfo task = loggedTask(log);
    task.tries = 1;
    EvidenceSeeker seeker(nullptr);
    seeker.seek(task, finding());
    QTRY_COMPARE(seeker.found().title, u"w/0, try 2 of 2"_s);
    QCOMPARE(seeker.found().evidence.root, rootLine);
    const LoggedLine place = seeker.found().at(3);
    QCOMPARE(place.task, u"w/0"_s);
    QCOMPARE(place.number, 1);
    QCOMPARE(place.line, 3);
    // Of a task that has written nothing, and of none, there is nothing.
    task.logFolder.clear();
    seeker.seek(task, finding());
    QVERIFY(seeker.found().evidence.lines.isEmpty() && seeker.found().task.isEmpty());
}

// What it has written last is not yet its end.
void TstEvidence::runningTaskHasNoLastLines()
{
    WrittenLog log;
    writeLines(log, 0, 5);
    EvidenceSeeker seeker(nullptr);
    QSignalSpy changed(&seeker, &EvidenceSeeker::changed);
    seeker.seek(loggedTask(log, State::Running), {});
    QTRY_COMPARE(changed.size(), 1);
    QVERIFY(seeker.found().evidence.lines.isEmpty());
    // That it has written more changes nothing.
    QSignalSpy looks(seeker.findChild<QTimer *>(), &QTimer::timeout);
    writeLines(log, 5, 20);
    const qsizetype before = looks.size();
    QTRY_VERIFY(looks.size() >= before + 2); // what the first of them has found is taken by then
    QCOMPARE(changed.size(), 1);
    QVERIFY(log.end());
    QTRY_VERIFY(seeker.found().evidence.isWhole);
    QCOMPARE(seeker.found().evidence.lines.constLast(), u"line 19"_s);
}

// The task that ended the job only lost another one, in whose output the cause is; a third one is looked at.
void TstEvidence::otherTaskIsReadWithoutBeingShown()
{
    WrittenLog lost, cause, third;
    lost.write("connection closed by peer\n");
    writeLines(cause, 0, 20);
    third.write("fine\n");
    for (WrittenLog *log : {&lost, &cause, &third}) {
        QVERIFY(log->end());
    }
    QList<TaskInfo> all = tasks({u"w 0 F"_s, u"w 1 X"_s, u"w 2 S"_s});
    all[1].state = State::Stopped;
    const WrittenLog *logs[] = {&lost, &cause, &third};
    for (int i = 0; i < 3; ++i) {
        all[i].host = u"local"_s;
        all[i].logFolder = logs[i]->folder();
    }
    JobDetail detail = detailOf(State::Failed);
    detail.summary.reason = u"exit.user"_s;
    detail.summary.reasonArgs = {{QString(failureKey), finding(u"w/1"_s).toJson()}};
    RunPage page;
    page.resize(1000, 800);
    page.show();
    page.setTasks(0, all);
    page.tasksPane()->setCurrentTask(u"w"_s, 2);
    page.setDetail(detail);
    const auto *excerpt = page.findChild<LogExcerpt *>();
    QTRY_COMPARE(excerpt->accessibleName(), u"Around line 12 of w/1"_s);
    QCOMPARE(page.tasksPane()->currentTask()->index, 2);
    QTRY_COMPARE(page.logPane()->view()->text(0, 1), u"fine"_s);
}

// Its number is that of the whole log: in a part of it another line has it.
void TstEvidence::causeStandsOutInTheWholeLogOnly()
{
    WrittenLog log;
    writeLines(log, 0, 20);
    QVERIFY(log.end());
    TasksPane tasks;
    LogPane pane;
    pane.resize(900, 600);
    pane.show();
    TaskLog shown(&tasks, &pane, nullptr);
    tasks.setTasks({loggedTask(log)});
    LogView *view = pane.view();
    QTRY_COMPARE(view->lineCount(), 20);
    shown.setCause(LoggedLine{u"w/0"_s, 0, rootLine});
    QCOMPARE(view->causeLine(), rootLine);
    auto *streams = pane.findChild<SegmentedControl *>();
    streams->setCurrentIndex(1);
    QTRY_COMPARE(view->lineCount(), 15);
    QVERIFY(!view->causeLine());
    streams->setCurrentIndex(0);
    QTRY_COMPARE(view->lineCount(), 20);
    QCOMPARE(view->causeLine(), rootLine);
    shown.setCause(LoggedLine{u"w/1"_s, 0, rootLine});
    QVERIFY(!view->causeLine());
}

TRAINYARD_GUI_TEST(TstEvidence)
#include "tst_evidence.moc"
