// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/codeeditors.h"
#include "app/gui/controllers/taskterminals.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/log/codeplace.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/logexcerpt.h"
#include "widgets/tasks/runevents.h"
#include "widgets/tasks/runfiles.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/taskstable.h"
#include "widgets/tasks/timeline.h"

#include <QAction>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QMenu>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <algorithm>

using namespace trainyard;

namespace
{

constexpr qint64 beginMs = 1'700'000'000'000;

TaskInfo oneTry(const QString &role, int index, int attempt, int number, State state, qint64 created, qint64 launched,
    qint64 completed)
{
    const auto time = [](qint64 after) { return after < 0 ? std::nullopt : std::optional(beginMs + after); };
    TaskInfo task;
    task.role = role;
    task.index = index;
    task.attempt = attempt;
    task.tries = number;
    task.state = state;
    task.created = time(created);
    task.tryLaunched = time(launched);
    task.launched = number == 0 ? task.tryLaunched : time(0);
    task.completed = time(completed);
    task.logFolder = QStringLiteral("/%1/%2/%3/%4").arg(role).arg(index).arg(attempt).arg(number);
    task.host = QStringLiteral("lab1");
    return task;
}

AttemptInfo oneAttempt(int index, State state, qint64 created, qint64 launched, qint64 completed)
{
    AttemptInfo attempt;
    attempt.index = index;
    attempt.state = state;
    attempt.created = beginMs + created;
    attempt.launched = launched < 0 ? std::nullopt : std::optional(beginMs + launched);
    attempt.started = attempt.launched;
    attempt.completed = completed < 0 ? std::nullopt : std::optional(beginMs + completed);
    return attempt;
}

// "0W0-5 0R5-20!" for each bar: attempt, kind, times in seconds, and "!" for one that goes on.
QString barsOf(const RunStory &story, const TimelineRow &row)
{
    QStringList words;
    for (const TimelineBar &bar : row.bars) {
        const char kind = bar.kind == TimelineBar::Kind::Waits ? 'W'
            : bar.kind == TimelineBar::Kind::Prepares          ? 'P'
                                                               : 'R';
        words.append(QStringLiteral("%1%2%3-%4%5")
                         .arg(story.tries.at(bar.of).attempt)
                         .arg(QLatin1Char(kind))
                         .arg((bar.from - beginMs) / 1000)
                         .arg((bar.to - beginMs) / 1000)
                         .arg(bar.isOpen ? QStringLiteral("!") : QString()));
    }
    return words.join(QLatin1Char(' '));
}

RunStory sampleStory()
{
    RunStory story;
    story.job.submitted = beginMs;
    story.attempts = {oneAttempt(0, State::Failed, 0, 5000, 30000), oneAttempt(1, State::Running, 40000, 42000, -1)};
    const QString worker = QStringLiteral("worker"), ps = QStringLiteral("ps");
    story.tries = {oneTry(worker, 0, 0, 0, State::Failed, 0, 5000, 10000),
        oneTry(worker, 0, 0, 1, State::Stopped, 0, 15000, 30000), oneTry(ps, 0, 0, 0, State::Stopped, 0, 5000, 30000),
        oneTry(worker, 0, 1, 0, State::Running, 40000, 42000, -1), oneTry(ps, 0, 1, 0, State::Waiting, 40000, -1, -1)};
    return story;
}

} // namespace

// What a run's timeline, events, files and tables are made of: tables without widgets.
class TstRunStory : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void triesAreGathered();
    void barsTellWaitsAndRetries();
    void prerequisitesHaveABar();
    void keptResultsAreNotRepeated();
    void thousandsOfTasks();
    void scaleZoomsAroundAPlace();
    void ticksAreRound_data();
    void ticksAreRound();
    void narrowBarsAreHit();
    void eventsAreInOrder();
    void waitsAreEvents();
    void actsOfAssistantsAreEvents();
    void alikeEventsAreOne();
    void endsAreNamedAlike();
    void pausesAreEvents();
    void cutsAreEvents();
    void marksAreEvents();
    void anAnnouncedRemovalIsAnEvent();
    void runtimeLogTellsWhenCommandsBegan();
    void filesAreListed();
    void previewsAreBounded();
    void tasksLeaveAsATable();
    void terminalsAreFound_data();
    void terminalsAreFound();
    void placesInCode_data();
    void placesInCode();
    void editorsOfCode_data();
    void editorsOfCode();
    void frameLeadsToTheCode();
};
TRAINYARD_GUI_TEST(TstRunStory)

// The job ends with the status of the task that ended it. The code of the protocol, which most failures share, would
// seem to be another one.
void TstRunStory::endsAreNamedAlike()
{
    RunStory story;
    story.job.submitted = beginMs;
    story.job.state = State::Failed;
    story.job.completed = beginMs + 20000;
    story.job.exitCode = 255;
    story.job.rawExit = 1;
    story.job.reason = QStringLiteral("exit.user");
    AttemptInfo attempt = oneAttempt(0, State::Failed, 0, 5000, 20000);
    TaskInfo task = oneTry(QStringLiteral("long"), 0, 0, 0, State::Failed, 0, 5000, 20000);
    attempt.exitCode = task.exitCode = 255;
    attempt.triggerRawExit = task.rawExit = 1;
    story.attempts = {attempt};
    story.tries = {task};
    QStringList ends;
    for (const RunEvent &event : runEvents(story)) {
        if (const QString text = runEventText(event, story); text.contains(QStringLiteral("ended"))) {
            ends.append(text);
        }
    }
    QCOMPARE(ends.size(), 3);
    for (const QString &text : std::as_const(ends)) {
        QVERIFY2(text.contains(QStringLiteral(": failed, Exit status 1.")), qPrintable(text));
    }
}

// A host that was out of reach, and the time until it was back.
void TstRunStory::cutsAreEvents()
{
    JobSummary job;
    job.state = State::Running;
    QCOMPARE(cutsWith({}, job, 5), QList<HostCut>());
    job.reason = QStringLiteral("job.host-out-of-reach");
    job.reasonArgs = {{QStringLiteral("host"), QStringLiteral("far")}, {QStringLiteral("since"), beginMs + 50'000}};
    QList<HostCut> cuts = cutsWith({}, job, beginMs + 60'000);
    QCOMPARE(cuts, (QList<HostCut>{{QStringLiteral("far"), beginMs + 50'000, std::nullopt}}));
    QCOMPARE(cutsWith(cuts, job, beginMs + 70'000), cuts); // told again
    job.reason.clear();
    job.reasonArgs = {};
    cuts = cutsWith(cuts, job, beginMs + 140'000);
    QCOMPARE(cuts, (QList<HostCut>{{QStringLiteral("far"), beginMs + 50'000, beginMs + 140'000}}));
    QCOMPARE(cutsWith(cuts, job, beginMs + 150'000), cuts);
    // Of an engine that does not say since when; a second cut is another one.
    job.reason = QStringLiteral("job.host-out-of-reach");
    job.reasonArgs = {{QStringLiteral("host"), QStringLiteral("far")}};
    QCOMPARE(cutsWith(cuts, job, beginMs + 160'000).size(), 2);
    QCOMPARE(cutsWith(cuts, job, beginMs + 160'000).constLast().from, beginMs + 160'000);

    RunStory story = sampleStory();
    story.cuts = cuts;
    story.hostLabels = {{QStringLiteral("far"), QStringLiteral("vm (far)")}};
    QStringList words;
    for (const RunEvent &event : runEvents(story)) {
        if (event.kind == RunEvent::Kind::HostLost || event.kind == RunEvent::Kind::HostBack) {
            words.append(runEventText(event, story));
        }
    }
    QCOMPARE(words.size(), 2);
    QVERIFY2(words.at(0).startsWith(QStringLiteral("The connection to vm (far) was lost")), qPrintable(words.at(0)));
    QVERIFY2(words.at(1).startsWith(QStringLiteral("vm (far) was reached again after 1")), qPrintable(words.at(1)));
}

void TstRunStory::triesAreGathered()
{
    const RunStory story = sampleStory();
    RunTries tries;
    QVERIFY(!tries.has(0));
    QVERIFY(!tries.apply({story.tries.at(0)}));
    // The next try comes, and nobody has said how the one before ended... it is known here, so nothing is asked.
    QVERIFY(!tries.apply({story.tries.at(1)}));
    QCOMPARE(tries.all().size(), 2);
    TaskInfo third = story.tries.at(1);
    third.tries = 3;
    QVERIFY(tries.apply({third})); // what was between is not known
    tries.setAttempt(0, {story.tries.at(0), story.tries.at(1)});
    QVERIFY(tries.has(0) && !tries.has(1));
    QCOMPARE(tries.all().size(), 2);
    QVERIFY(!tries.apply({story.tries.at(3)}));
    tries.setAttempt(0, {story.tries.at(0)});
    QCOMPARE(tries.all().size(), 2); // the one of the other attempt stays
}

void TstRunStory::barsTellWaitsAndRetries()
{
    const RunStory story = sampleStory();
    const Timeline timeline = timelineOf(story, beginMs + 60000);
    QCOMPARE(timeline.rows.size(), 2);
    QCOMPARE(timeline.rows.at(0).role, QStringLiteral("worker")); // roles as they came
    QCOMPARE(barsOf(story, timeline.rows.at(0)),
        QStringLiteral("0W0-5 0R5-10 0W10-15 0R15-30 1W40-42 1R42-60!")); // the pause before the retry is a wait
    QCOMPARE(barsOf(story, timeline.rows.at(1)), QStringLiteral("0W0-5 0R5-30 1W40-60!"));
    QCOMPARE(timeline.attempts.size(), 2);
    QVERIFY(timeline.attempts.at(1).isOpen && !timeline.attempts.at(0).isOpen);
    QCOMPARE(timeline.from, beginMs);
    QCOMPARE(timeline.to, beginMs + 60000);
    QVERIFY(timelineOf({}, beginMs).isEmpty());
}

void TstRunStory::prerequisitesHaveABar()
{
    RunStory story = sampleStory();
    story.commandsBegan.insert(story.tries.at(0).logFolder, beginMs + 7000);
    story.commandsBegan.insert(story.tries.at(2).logFolder, beginMs + 99000); // not within the try: no bar
    const Timeline timeline = timelineOf(story, beginMs + 60000);
    QVERIFY(barsOf(story, timeline.rows.at(0)).startsWith(QStringLiteral("0W0-5 0P5-7 0R7-10 ")));
    QVERIFY(barsOf(story, timeline.rows.at(1)).startsWith(QStringLiteral("0W0-5 0R5-30")));
}

void TstRunStory::keptResultsAreNotRepeated()
{
    RunStory story = sampleStory();
    story.tries[4].keptFrom = 0;
    story.tries[4].state = State::Succeeded;
    QCOMPARE(barsOf(story, timelineOf(story, beginMs + 60000).rows.at(1)), QStringLiteral("0W0-5 0R5-30"));
}

void TstRunStory::thousandsOfTasks()
{
    RunStory story;
    story.attempts = {oneAttempt(0, State::Running, 0, 1000, -1)};
    for (int i = 9999; i >= 0; --i) {
        story.tries.append(oneTry(QStringLiteral("w"), i, 0, 0, State::Running, 0, 1000, -1));
    }
    const Timeline timeline = timelineOf(story, beginMs + 5000);
    QCOMPARE(timeline.rows.size(), 10000);
    QCOMPARE(timeline.rows.constFirst().index, 0);
    QCOMPARE(timeline.rows.constLast().index, 9999);
}

void TstRunStory::scaleZoomsAroundAPlace()
{
    const TimeScale whole{beginMs, beginMs + 100'000, 100, 1100};
    QCOMPARE(whole.time(600), beginMs + 50'000);
    const TimeScale near = whole.zoomed(0.5, 350, beginMs, beginMs + 100'000);
    QCOMPARE(near.to - near.from, qint64(50'000));
    QVERIFY(std::abs(near.x(whole.time(350)) - 350) < 0.1);
    QCOMPARE(near.zoomed(100, 350, beginMs, beginMs + 100'000), whole); // never more than there is
    const TimeScale right = near.moved(1e9, beginMs, beginMs + 100'000);
    QCOMPARE(right.to, beginMs + 100'000);
    QCOMPARE(right.to - right.from, qint64(50'000));
    QCOMPARE(near.moved(-1e9, beginMs, beginMs + 100'000).from, beginMs);
    TimeScale least = whole;
    for (int i = 0; i < 100; ++i) {
        least = least.zoomed(0.5, 600, beginMs, beginMs + 100'000);
    }
    QCOMPARE(least.to - least.from, qint64(100));
}

void TstRunStory::ticksAreRound_data()
{
    QTest::addColumn<qint64>("span");
    QTest::addColumn<qint64>("step");
    QTest::newRow("a second") << qint64(1000) << qint64(100);
    QTest::newRow("seven minutes") << qint64(7 * 60'000) << qint64(60'000);
    QTest::newRow("an hour") << qint64(3'600'000) << qint64(10 * 60'000);
    QTest::newRow("a week") << qint64(7 * 86'400'000ll) << qint64(86'400'000);
    QTest::newRow("a year") << qint64(365 * 86'400'000ll) << qint64(37 * 86'400'000ll);
}

void TstRunStory::ticksAreRound()
{
    QFETCH(qint64, span);
    QFETCH(qint64, step);
    QCOMPARE(tickStep({beginMs, beginMs + span, 0, 1000}, 100), step);
}

void TstRunStory::narrowBarsAreHit()
{
    TimelineRow row;
    row.bars = {{TimelineBar::Kind::Waits, beginMs, beginMs + 10'000, false, 0},
        {TimelineBar::Kind::Runs, beginMs + 50'000, beginMs + 50'010, false, 1}};
    const TimeScale scale{beginMs, beginMs + 100'000, 0, 1000};
    QCOMPARE(barAt(row, scale, 50), 0);
    QCOMPARE(barAt(row, scale, 498), 1); // it is a tenth of a pixel wide
    QCOMPARE(barAt(row, scale, 300), -1);
}

void TstRunStory::eventsAreInOrder()
{
    RunStory story = sampleStory();
    story.hostLabels.insert(QStringLiteral("lab1"), QStringLiteral("Lab 1"));
    story.tries[0].exitCode = 3;
    story.tries[0].rawExit = 3;
    QStringList texts;
    qint64 before = 0;
    const QList<RunEvent> events = runEvents(story);
    for (const RunEvent &event : events) {
        QVERIFY(event.at >= before);
        before = event.at;
        texts.append(runEventText(event, story));
    }
    QCOMPARE(texts.constFirst(), QStringLiteral("The job was submitted."));
    QCOMPARE(texts.at(1), QStringLiteral("Attempt 1 started; it had waited 5.0 s."));
    QVERIFY(texts.contains(QStringLiteral("worker/0 started on Lab 1.")));
    QVERIFY(texts.contains(QStringLiteral("worker/0: try 2 started on Lab 1.")));
    QVERIFY2(texts.filter(QStringLiteral("worker/0 ended after 5.0 s: failed, ")).size() == 1,
        qPrintable(texts.join(QLatin1Char('\n'))));
    QCOMPARE(texts.filter(QStringLiteral("The job is tried again.")).size(), 1);
    QVERIFY(texts.indexOf(QRegularExpression(QStringLiteral("^Attempt 2 started.*")))
        > texts.indexOf(QRegularExpression(QStringLiteral("^Attempt 1 ended.*"))));
    // At the same moment: the cause comes first.
    const qsizetype ofTask = texts.indexOf(QRegularExpression(QStringLiteral("^ps/0 ended.*")));
    QVERIFY(ofTask > 0 && ofTask < texts.indexOf(QRegularExpression(QStringLiteral("^Attempt 1 ended.*"))));
}

// Of a job on a cluster: each change with its time; what it waits for now is not said twice.
void TstRunStory::waitsAreEvents()
{
    RunStory story;
    story.job.submitted = beginMs;
    story.job.state = State::Waiting;
    story.job.target = QStringLiteral("slurm:lab");
    story.job.reason = QStringLiteral("wait.slurm-priority");
    story.job.reasonArgs = {{QStringLiteral("target"), story.job.target}};
    story.waits = waitsWith(
        {{beginMs + 1000, QStringLiteral("wait.slurm-resources"), story.job.reasonArgs}}, story.job, beginMs + 5000);
    QCOMPARE(story.waits.size(), 2);
    QCOMPARE(waitsWith(story.waits, story.job, beginMs + 9000), story.waits);
    QStringList texts;
    QList<qint64> times;
    const QList<RunEvent> events = runEvents(story);
    for (const RunEvent &event : events) {
        texts.append(runEventText(event, story));
        times.append(event.at - beginMs);
    }
    QCOMPARE(texts,
        (QStringList{QStringLiteral("The job was submitted."),
            QStringLiteral("Waits at slurm:lab for nodes with enough free processors, memory and GPUs."),
            QStringLiteral("Waits at slurm:lab behind jobs with a higher priority.")}));
    QCOMPARE(times, (QList<qint64>{0, 1000, 5000}));
    story.job.target = QStringLiteral("pool"); // whose reasons change with every other job
    QVERIFY(waitsWith({}, story.job, beginMs).isEmpty());
}

// Everything that an assistant did to the job, and who allowed it.
void TstRunStory::actsOfAssistantsAreEvents()
{
    RunStory story;
    story.job.submitted = beginMs;
    story.job.assistant = {{QStringLiteral("name"), QStringLiteral("editor")},
        {QStringLiteral("proposed"), beginMs - 9000}, {QStringLiteral("approved"), beginMs},
        {QStringLiteral("approvedBy"), QStringLiteral("window")}, {QStringLiteral("submitted"), beginMs}};
    story.job.state = State::Stopped;
    story.job.exitCode = -210;
    story.job.completed = beginMs + 2000;
    story.job.reason = QStringLiteral("stop.assistant-terminal");
    story.job.reasonArgs = {{QStringLiteral("name"), QStringLiteral("editor")}};
    QStringList texts;
    const QList<RunEvent> events = runEvents(story);
    for (const RunEvent &event : events) {
        texts.append(runEventText(event, story));
    }
    QCOMPARE(texts,
        (QStringList{QStringLiteral("The assistant editor proposed the job."),
            QStringLiteral("The proposal was approved in the window."),
            QStringLiteral("The assistant editor submitted the job."),
            QStringLiteral("The job ended after 2.0 s: stopped. Stopped because the assistant editor proposed it, and "
                           "this was approved on a terminal.")}));
}

void TstRunStory::alikeEventsAreOne()
{
    RunStory story;
    story.job.submitted = beginMs;
    for (int i = 0; i < 5; ++i) {
        story.tries.append(oneTry(QStringLiteral("w"), i, 0, 0, State::Succeeded, 0, 1000 + i * 100, 9000));
    }
    story.tries[2].state = State::Failed; // by itself, always
    story.tries[2].exitCode = 1;
    const QList<RunEvent> events = runEvents(story);
    QCOMPARE(events.size(), 4);
    QCOMPARE(runEventText(events.at(1), story), QStringLiteral("w/0 and 4 more started on lab1."));
    QCOMPARE(events.at(2).count + events.at(3).count, 5);
}

// Both ends of each, and the time of what is over says how much of it was a pause.
void TstRunStory::pausesAreEvents()
{
    RunStory story;
    story.job.submitted = beginMs;
    story.job.state = State::Stopped;
    story.job.exitCode = -210; // of which the word says all
    story.job.completed = beginMs + 30000;
    story.job.pauses = {{beginMs + 2000, beginMs + 8000, false}, {beginMs + 20000, beginMs + 29000, true}};
    QStringList texts;
    const QList<RunEvent> events = runEvents(story);
    for (const RunEvent &event : events) {
        texts.append(runEventText(event, story));
    }
    QCOMPARE(texts,
        (QStringList{QStringLiteral("The job was submitted."), QStringLiteral("The job was paused."),
            QStringLiteral("The job was resumed after a pause of 6.0 s."), QStringLiteral("The job was paused."),
            QStringLiteral("The job ended after 30 s, of which it was paused for 15 s: stopped.")}));
}

void TstRunStory::marksAreEvents()
{
    RunStory story;
    story.job.submitted = beginMs;
    HealthMark mark;
    mark.code = QStringLiteral("health.not-finite");
    mark.metric = QStringLiteral("loss");
    mark.args = {{QStringLiteral("value"), QStringLiteral("NaN")}};
    mark.at = beginMs + 5;
    mark.role = QStringLiteral("w");
    mark.index = 1;
    mark.line = 17;
    story.job.health = {mark};
    story.job.totalTasks = 2;
    const QList<RunEvent> events = runEvents(story);
    QCOMPARE(events.size(), 2);
    QVERIFY(events.at(1).mark && events.at(1).mark->line == 17);
    QVERIFY2(runEventText(events.at(1), story).startsWith(QStringLiteral("w/1: loss is NaN since ")),
        qPrintable(runEventText(events.at(1), story)));
}

void TstRunStory::anAnnouncedRemovalIsAnEvent()
{
    RunStory story;
    story.job.submitted = beginMs;
    story.job.completed = beginMs + 1000;
    story.job.state = State::Succeeded;
    constexpr qint64 day = 24 * 3'600'000;
    story.job.removal = PlannedRemoval{beginMs + day, beginMs + 2 * day, QStringLiteral("jobs.keepGiB"), 0};
    const QList<RunEvent> events = runEvents(story);
    QCOMPARE(events.size(), 3);
    QCOMPARE(events.constLast().at, beginMs + day);
    const QString text = runEventText(events.constLast(), story);
    QVERIFY2(text.startsWith(QStringLiteral("The job is removed after "))
            && text.endsWith(QStringLiteral("(jobs.keepGiB); mark it with a star to keep it.")),
        qPrintable(text));
}

void TstRunStory::runtimeLogTellsWhenCommandsBegan()
{
    const QByteArray log = "[Wed Nov 25 19:49:10 UTC 2026] [openpai-runtime] [INFO] Starting to exec precommands\n"
                           "[Thu Nov  5 19:49:19 UTC 2026] [openpai-runtime] [INFO] USER COMMAND START\n";
    QCOMPARE(commandsBegan(log),
        std::optional(QDateTime(QDate(2026, 11, 5), QTime(19, 49, 19), Qt::UTC).toMSecsSinceEpoch()));
    QVERIFY(!commandsBegan("[x] USER COMMAND START"));
    QVERIFY(!commandsBegan("USER COMMAND START"));
    QVERIFY(!commandsBegan(""));
}

void TstRunStory::filesAreListed()
{
    const QTemporaryDir folder;
    const QDir dir(folder.path());
    QVERIFY(dir.mkpath(QStringLiteral("a/b/c/d/e/f/g")));
    QFile file(dir.filePath(QStringLiteral("a/log.txt")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("hello") == 5);
    file.close();
    QVERIFY(QFile::link(QStringLiteral("/etc"), dir.filePath(QStringLiteral("elsewhere"))));
    QVERIFY(::mkfifo(QFile::encodeName(dir.filePath(QStringLiteral("pipe"))).constData(), 0600) == 0);
    const RunFiles found = filesBelow(folder.path());
    QStringList names;
    for (const RunFile &one : found.files) {
        names.append(one.name);
    }
    QVERIFY(names.contains(QStringLiteral("a/")) && names.contains(QStringLiteral("a/log.txt")));
    QVERIFY(!names.contains(QStringLiteral("elsewhere")) && !names.contains(QStringLiteral("pipe")));
    QVERIFY(!names.contains(QStringLiteral("a/b/c/d/e/f/g/"))); // too deep
    QVERIFY(!found.isCut);
    // Of the folder of a try, what only its keeper needs is not shown; one of that name below is a file as any other.
    for (const QString &own : {QString::fromLatin1(contract::file::lock), QString::fromLatin1(contract::file::reserve),
             QStringLiteral("a/reserve")}) {
        QFile written(dir.filePath(own));
        QVERIFY(written.open(QIODevice::WriteOnly));
    }
    const RunFiles all = filesBelow(folder.path()), shown = withoutLocks(all);
    QCOMPARE(shown.files.size(), all.files.size() - 2);
    QVERIFY(std::any_of(shown.files.cbegin(), shown.files.cend(),
        [](const RunFile &one) { return one.name == QLatin1StringView("a/reserve"); }));
    const RunFiles few = filesBelow(folder.path(), 2);
    QCOMPARE(few.files.size(), 2);
    QVERIFY(few.isCut);
}

void TstRunStory::previewsAreBounded()
{
    const QTemporaryDir folder;
    const auto path = [&folder](const char *name) { return folder.filePath(QLatin1StringView(name)); };
    const auto write = [&path](const char *name, const QByteArray &bytes) {
        QFile file(path(name));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    };
    QVERIFY(write("small.txt", "one\ntwo\n"));
    QVERIFY(write("large.txt", QByteArray("line\n").repeated(200'000)));
    QVERIFY(write("data.bin", QByteArray("a\0b", 3)));
    QImage wide(3000, 10, QImage::Format_RGB32);
    wide.fill(Qt::red);
    QVERIFY(wide.save(path("wide.png")));
    QVERIFY(::mkfifo(QFile::encodeName(path("pipe.png")).constData(), 0600) == 0);
    QVERIFY(QFile::link(QStringLiteral("/etc/passwd"), path("link.txt")));
    const FilePreview small = previewOf(path("small.txt"));
    QCOMPARE(small.kind, FilePreview::Kind::Text);
    QCOMPARE(small.text, QStringLiteral("one\ntwo\n"));
    QVERIFY(!small.isCut);
    const FilePreview large = previewOf(path("large.txt"));
    QVERIFY(large.isCut && large.text.size() < 300'000 && large.text.endsWith(QStringLiteral("line")));
    QCOMPARE(previewOf(path("data.bin")).kind, FilePreview::Kind::Binary);
    const FilePreview image = previewOf(path("wide.png"));
    QCOMPARE(image.kind, FilePreview::Kind::Image);
    QCOMPARE(image.imageSize, QSize(3000, 10));
    QCOMPARE(image.image.width(), imageEdge);
    QCOMPARE(previewOf(path("pipe.png")).kind, FilePreview::Kind::Binary); // and nobody waits for it
    QCOMPARE(previewOf(path("link.txt")).kind, FilePreview::Kind::Unreadable);
    QCOMPARE(previewOf(path("missing")).kind, FilePreview::Kind::Unreadable);
}

void TstRunStory::tasksLeaveAsATable()
{
    TaskInfo task = oneTry(QStringLiteral("w"), 1, 0, 0, State::Failed, 0, 1000, 3500);
    task.exitCode = 7;
    task.gpus = {0, 3};
    const QString text = tasksAsText(
        {task}, {{QStringLiteral("lab1"), QStringLiteral("Lab, \"1\"")}}, std::nullopt, TableKind::Commas);
    const QStringList lines = text.split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines.at(0).startsWith(QStringLiteral("task,state,host,gpus,exit_code,")));
    QVERIFY2(lines.at(1).startsWith(QStringLiteral("w/1,Failed,\"Lab, \"\"1\"\"\",0 3,7,")), qPrintable(lines.at(1)));
    QVERIFY(lines.at(1).contains(QStringLiteral("2023-11-14T22:13:21.000Z,2023-11-14T22:13:23.500Z,2.5,")));
    QVERIFY(
        tasksAsText({task}, {}, std::nullopt, TableKind::Tabs).contains(QStringLiteral("w/1\tFailed\tlab1\t0 3\t")));
}

void TstRunStory::terminalsAreFound_data()
{
    QTest::addColumn<QString>("wanted");
    QTest::addColumn<QString>("installed");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *wanted, const char *installed, const char *words) {
        QTest::addRow("'%s' of %s", wanted, installed)
            << QString::fromLatin1(wanted) << QString::fromLatin1(installed) << QString::fromLatin1(words);
    };
    row("", "xterm", "/bin/xterm -e top");
    row("", "xterm konsole", "/bin/konsole -e top");
    row("kitty", "xterm kitty", "/bin/kitty top");
    row("gnome-terminal", "gnome-terminal", "/bin/gnome-terminal -- top");
    row("own", "own xterm", "/bin/own -e top");
    row("missing", "xterm", "/bin/xterm -e top");
    row("", "", "");
}

void TstRunStory::terminalsAreFound()
{
    QFETCH(QString, wanted);
    QFETCH(QString, installed);
    QFETCH(QString, words);
    const QStringList there = installed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    QCOMPARE(terminalCommand(wanted, {QStringLiteral("top")},
                 [&](const QString &name) {
                     return there.contains(name) ? QString(QStringLiteral("/bin/") + name) : QString();
                 })
                 .join(QLatin1Char(' ')),
        words);
}

void TstRunStory::placesInCode_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("file"); // empty: none
    QTest::addColumn<int>("line");
    const auto row = [](const char *text, const char *file, int line) {
        QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(file) << line;
    };
    row("  File \"train.py\", line 12, in main", "train.py", 12);
    row("  File \"/a b/x.py\", line 7", "/a b/x.py", 7);
    row("src/net.cu:12: error: no", "src/net.cu", 12);
    row("    at run (/app/train.js:12:5)", "/app/train.js", 12);
    row("  File \"<stdin>\", line 1, in <module>", "", 0);
    row("loss: 0.5 at 12:30:05", "", 0);
    row("http://lab.org:8080 is up", "", 0);
    row("Epoch 1/3: 10", "", 0);
    row("File \"x.py\", line 0", "", 0);
}

void TstRunStory::placesInCode()
{
    QFETCH(QString, text);
    QFETCH(QString, file);
    const std::optional<CodePlace> place = codePlaceIn(text);
    QCOMPARE(place ? place->file : QString(), file);
    QTEST(place ? place->line : 0, "line");
    QVERIFY(!place || text.mid(place->begin, place->end - place->begin).contains(file));
}

void TstRunStory::editorsOfCode_data()
{
    QTest::addColumn<QString>("wanted");
    QTest::addColumn<QString>("named");
    QTest::addColumn<QString>("installed");
    QTest::addColumn<QString>("words");
    QTest::addColumn<bool>("needsTerminal");
    const auto row = [](const char *name, const char *wanted, const char *named, const char *installed,
                         const char *words, bool needsTerminal) {
        QTest::newRow(name) << QString::fromLatin1(wanted) << QString::fromLatin1(named)
                            << QString::fromLatin1(installed) << QString::fromLatin1(words) << needsTerminal;
    };
    row("of the settings", "my -l {line} {file}", "vim", "vim", "my|-l|3|/a b/x.py", false);
    row("without a mark", "my", "", "", "my|/a b/x.py", false);
    row("of the variable", "", "vim -n", "code vim", "/bin/vim|-n|+3|/a b/x.py", true);
    row("that is not there", "", "vim", "code", "/bin/code|-g|/a b/x.py:3", false);
    row("that nobody knows", "", "ed", "ed", "/bin/ed|/a b/x.py", true);
    row("that is installed", "", "", "nano kate", "/bin/kate|-l|3|/a b/x.py", false);
    row("none with a window", "", "", "vim", "", false);
}

void TstRunStory::editorsOfCode()
{
    QFETCH(QString, wanted);
    QFETCH(QString, named);
    QFETCH(QString, installed);
    const QStringList there = installed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const EditorCommand editor
        = editorFor(wanted, {named}, QStringLiteral("/a b/x.py"), 3, [&there](const QString &name) {
              return there.contains(name) ? QString(QStringLiteral("/bin/") + name) : QString();
          });
    QTEST(editor.words.join(QLatin1Char('|')), "words");
    QTEST(editor.needsTerminal, "needsTerminal");
}

// From the words about a failure and from the menu of the log.
void TstRunStory::frameLeadsToTheCode()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("train.py"));
    QFile code(file);
    QVERIFY(code.open(QIODevice::WriteOnly));
    WrittenLog log;
    log.write("  File \"" + QFile::encodeName(file) + "\", line 12, in main\n");
    log.write("  File \"/not/here.py\", line 1, in main\n");
    contract::ExitRecord ended; // without it more lines may come
    ended.kind = contract::ExitKind::Exited;
    QFile record(log.folder() + QLatin1String("/exit"));
    QVERIFY(record.open(QIODevice::WriteOnly) && record.write(QByteArray::fromStdString(ended.format())) > 0);
    record.close();
    RunPage page;
    page.resize(1100, 700);
    page.show();
    JobSummary job;
    job.uuid = QStringLiteral("u");
    job.state = State::Failed;
    page.setSummary(job);
    TaskInfo task;
    task.role = QStringLiteral("w");
    task.state = State::Failed;
    task.host = QStringLiteral("local");
    task.logFolder = log.folder();
    page.setTasks(0, {task});
    auto *excerpt = page.findChild<LogExcerpt *>();
    QTRY_VERIFY(excerpt->toPlainText().contains(QStringLiteral("train.py")));
    QSignalSpy asked(&page, &RunPage::codeRequested);
    Q_EMIT excerpt->anchorClicked(QUrl(QStringLiteral("c0")));
    QTRY_COMPARE(asked.size(), 1);
    QCOMPARE(asked.constFirst(), (QVariantList{file, 12}));
    Q_EMIT excerpt->anchorClicked(QUrl(QStringLiteral("c1")));
    QMenu menu;
    menu.addAction(QStringLiteral("Copy"));
    Q_EMIT page.logPane()->view()->menuAboutToShow(&menu, 0);
    QVERIFY2(menu.actions().constFirst()->text().contains(QStringLiteral("train.py at line 12")),
        qPrintable(menu.actions().constFirst()->text()));
    menu.actions().constFirst()->trigger();
    QTRY_COMPARE(asked.size(), 2);
    // Of another host, the code is there.
    task.host = QStringLiteral("lab1");
    page.setTasks(0, {task});
    QMenu other;
    Q_EMIT page.logPane()->view()->menuAboutToShow(&other, 0);
    const QList<QAction *> offered = other.actions();
    QVERIFY(std::none_of(offered.cbegin(), offered.cend(),
        [](const QAction *action) { return action->text().contains(QStringLiteral("train.py")); }));
}

#include "tst_runstory.moc"
