// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/jobfacts.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/jobtime.h"
#include "widgets/jobs/jobcolumns.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobstablemodel.h"
#include "widgets/tasks/eventsview.h"
#include "widgets/tasks/historylists.h"
#include "widgets/tasks/runhistory.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/runstory.h"
#include "widgets/tasks/tasksmodel.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/tasks/timeline.h"
#include "widgets/tasks/timelinepaint.h"
#include "widgets/tasks/timelinepicture.h"
#include "widgets/tasks/timelineview.h"
#include "widgets/text/exittexts.h"

#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QTest>
#include <QToolTip>
#include <QTreeView>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 timelineStart = 1'700'000'000'000;

AttemptInfo endedAttempt(int code, std::optional<int> status)
{
    AttemptInfo attempt;
    attempt.state = State::Failed;
    attempt.created = attempt.launched = attempt.started = timelineStart;
    attempt.completed = timelineStart + 6000;
    attempt.exitCode = code;
    attempt.triggerRawExit = status;
    return attempt;
}

TaskInfo ranTask(State state, std::optional<qint64> tookMs)
{
    TaskInfo task;
    task.role = u"w"_s;
    task.state = state;
    task.created = task.launched = task.tryLaunched = timelineStart;
    if (tookMs) {
        task.completed = timelineStart + *tookMs;
    }
    return task;
}

} // namespace

// What the timeline of a run says beside its bars, and how pauses count there and elsewhere on the page.
class TstTimeline : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void attemptsEndAsElsewhere_data();
    void attemptsEndAsElsewhere();
    void pausesLieOverTheRuns();
    void aPauseThatGoesOnGrows();
    void timesOfTasksAreWithoutPauses();
    void timesOfRetriedJobsSayWhatTheyCount();
    void longGapsAreDrawnShorter();
    void shortGapsAreAsLongAsTheyWere();
    void gapsAreZoomedAndMoved();
    void gapsAreTold();
    void wordsOfGapsKeepApart();
    void headsOfEventsAreWhole();
    void legendsKeepWhatOccurs();
    void legendsWrapWhatOccurs();
    void legendGoesBelowWhereTabsTakeTheRow();
};

// After each of many retries a longer pause: those that have no room leave it to the longest ones.
void TstTimeline::wordsOfGapsKeepApart()
{
    Timeline timeline;
    timeline.from = timelineStart;
    qint64 at = timelineStart;
    TimeScale scale;
    for (int i = 0; i < 10; ++i) {
        at += 1000;
        scale.gaps.append({at, at + (i + 1) * 60'000, 1000});
        at = scale.gaps.constLast().to;
    }
    timeline.to = at;
    scale.from = timelineStart;
    scale.to = at;
    scale.left = 100;
    const RunStory story;
    QWidget widget;
    const auto marksOf = [&](int width) {
        widget.resize(width, 200);
        scale.right = width;
        return TimelinePicture(story, timeline, scale, {}, 100, 0, &widget).gapMarks();
    };
    QCOMPARE(marksOf(4000).size(), 10);
    const QList<TimelinePicture::GapMark> marks = marksOf(500);
    QVERIFY2(marks.size() > 1 && marks.size() < 10, qPrintable(QString::number(marks.size())));
    QCOMPARE(marks.constLast().words, TimelinePicture::gapWords(scale.gaps.constLast()));
    for (qsizetype i = 1; i < marks.size(); ++i) {
        QVERIFY(marks.at(i).place.left() >= marks.at(i - 1).place.right());
    }
}

// In as many lines as that takes, and without the others.
void TstTimeline::legendsWrapWhatOccurs()
{
    TimelineLegend legend(TimelineLegend::Form::Wrapped);
    using Kind = TimelineBar::Kind;
    legend.setOccurring({{Kind::Prepares, StateShape::Succeeded}, {Kind::Runs, StateShape::Succeeded},
        {Kind::Runs, StateShape::Failed}});
    for (const int width : {1000, 60, 1}) {
        QCOMPARE(legend.shown(width), QStringList({u"prepares"_s, u"succeeded"_s, u"failed"_s}));
        QVERIFY(legend.tellsAllThatOccur(width));
    }
    const int line = legend.heightForWidth(1000);
    QCOMPARE(legend.heightForWidth(1), 3 * line);
    TimelineLegend row;
    row.setOccurring({{Kind::Prepares, StateShape::Succeeded}, {Kind::Runs, StateShape::Failed}});
    QVERIFY(row.tellsAllThatOccur(row.sizeHint().width()));
    QVERIFY(!row.tellsAllThatOccur(30));
}

void TstTimeline::legendGoesBelowWhereTabsTakeTheRow()
{
    RunHistory history;
    history.setTab(4); // the timeline
    RunStory story;
    story.job.state = State::Failed;
    story.tries = {ranTask(State::Failed, 60'000)};
    history.setStory(story, timelineStart + 60'000);
    history.resize(2000, 200);
    history.show();
    const QList<TimelineLegend *> legends = history.findChildren<TimelineLegend *>();
    QCOMPARE(legends.size(), 2);
    const auto inSight = [&legends] {
        QStringList shown;
        for (const TimelineLegend *legend : legends) {
            shown += legend->isVisible() ? legend->shown(legend->width()) : QStringList();
        }
        return shown;
    };
    QTRY_COMPARE(inSight().size(), 8); // one of them, with all
    history.resize(520, 200);
    QTRY_VERIFY2(inSight().contains(u"failed"_s) && inSight().size() < 8, qPrintable(inSight().join(u' ')));
    const auto below = std::find_if(
        legends.cbegin(), legends.cend(), [](const TimelineLegend *legend) { return legend->isVisible(); });
    const auto *view = history.findChild<TimelineView *>();
    QTRY_VERIFY((*below)->mapTo(&history, QPoint()).y() >= view->mapTo(&history, QPoint(0, view->height())).y());
}

// In a narrow window.
void TstTimeline::legendsKeepWhatOccurs()
{
    TimelineLegend legend;
    using Kind = TimelineBar::Kind;
    legend.setOccurring({{Kind::Prepares, StateShape::Succeeded}, {Kind::Runs, StateShape::Succeeded}});
    const int whole = legend.sizeHint().width();
    QCOMPARE(legend.shown(whole).size(), 8);
    QCOMPARE(legend.shown(whole).constFirst(), u"waits"_s);
    QSet<qsizetype> sizes;
    for (int width = 0; width < whole; ++width) {
        const QStringList shown = legend.shown(width);
        sizes.insert(shown.size());
        for (const QString &text : {u"prepares"_s, u"succeeded"_s}) {
            QVERIFY2(shown.size() < 2 || shown.contains(text), qPrintable(shown.join(u' ')));
        }
        QVERIFY(shown.size() != 1 || shown.constFirst() == u"succeeded"_s);
    }
    QVERIFY(sizes.contains(0) && sizes.contains(1) && sizes.contains(2) && sizes.contains(7));

    TimelineView view;
    RunStory story;
    story.job.state = State::Failed;
    story.tries = {ranTask(State::Failed, 60'000)};
    view.setStory(story, timelineStart + 60'000);
    QVERIFY(view.looks().contains(TimelineLegend::Look(Kind::Runs, StateShape::Failed)));
    QVERIFY(!view.looks().contains(TimelineLegend::Look(Kind::Runs, StateShape::Lost)));
}

void TstTimeline::attemptsEndAsElsewhere_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<int>("status"); // 0: not known
    QTest::addColumn<QString>("words");
    QTest::newRow("only failed") << 255 << 7 << u"Attempt 1  Exit status 7"_s;
    QTest::newRow("its own code") << 3 << 3 << QString(u"Attempt 1  "_s + exitBrief(3, 3));
    QTest::newRow("of ours") << -210 << 0 << QString(u"Attempt 1  "_s + exitPhrase(-210));
}

void TstTimeline::attemptsEndAsElsewhere()
{
    QFETCH(int, code);
    QFETCH(int, status);
    QFETCH(QString, words);
    RunStory story;
    story.attempts = {endedAttempt(code, status > 0 ? std::optional(status) : std::nullopt)};
    const Timeline timeline = timelineOf(story, timelineStart + 60'000);
    QCOMPARE(timeline.attempts.size(), 1);
    QCOMPARE(TimelinePicture::attemptWords(timeline.attempts.constFirst()), words);
}

void TstTimeline::pausesLieOverTheRuns()
{
    RunStory story;
    story.job.state = State::Succeeded;
    story.job.pauses = {{timelineStart + 10'000, timelineStart + 30'000, false},
        {timelineStart + 200'000, timelineStart + 210'000, false}}; // after its end
    story.tries = {ranTask(State::Succeeded, 60'000)};
    const Timeline timeline = timelineOf(story, timelineStart + 300'000);
    QCOMPARE(timeline.rows.size(), 1);
    const QList<TimelineBar> &bars = timeline.rows.constFirst().bars;
    QCOMPARE(bars.size(), 2);
    QCOMPARE(bars.first().kind, TimelineBar::Kind::Runs);
    QCOMPARE(bars.last().kind, TimelineBar::Kind::Paused);
    QCOMPARE(bars.last().from, timelineStart + 10'000);
    QCOMPARE(bars.last().to, timelineStart + 30'000);
    QVERIFY(!bars.last().isOpen);
    // The part that is drawn over the other is the one that is hit.
    const TimeScale scale{timelineStart, timelineStart + 60'000, 0, 600};
    QCOMPARE(barAt(timeline.rows.constFirst(), scale, 200), 1);
    QCOMPARE(barAt(timeline.rows.constFirst(), scale, 500), 0);
}

void TstTimeline::aPauseThatGoesOnGrows()
{
    RunStory story;
    story.job.state = State::Running;
    story.job.paused = true;
    story.job.reason = u"job.paused"_s;
    story.job.reasonArgs = {{u"since"_s, timelineStart + 28'000}};
    AttemptInfo attempt = endedAttempt(0, std::nullopt);
    attempt.state = State::Running;
    attempt.completed.reset();
    attempt.exitCode.reset();
    story.attempts = {attempt};
    story.tries = {ranTask(State::Running, std::nullopt)};
    const Timeline timeline = timelineOf(story, timelineStart + 61'000);
    const QList<TimelineBar> &bars = timeline.rows.constFirst().bars;
    QCOMPARE(bars.size(), 2);
    QCOMPARE(bars.last().kind, TimelineBar::Kind::Paused);
    QCOMPARE(bars.last().from, timelineStart + 28'000);
    QCOMPARE(bars.last().to, timelineStart + 61'000);
    QVERIFY(bars.last().isOpen);
    QCOMPARE(TimelinePicture::attemptWords(timeline.attempts.constFirst()), u"Attempt 1  Paused"_s);
    // Only what runs is halted.
    story.tries = {ranTask(State::Succeeded, 20'000)};
    QCOMPARE(timelineOf(story, timelineStart + 61'000).rows.constFirst().bars.size(), 1);
}

// One time on the page: 1:33 from its start to its end, of which the job was paused for 33 s.
void TstTimeline::timesOfTasksAreWithoutPauses()
{
    JobDetail detail;
    detail.summary.uuid = u"u"_s;
    detail.summary.state = State::Succeeded;
    detail.summary.submitted = detail.summary.began.emplace(timelineStart);
    detail.summary.launched = timelineStart;
    detail.summary.completed = timelineStart + 93'000;
    detail.summary.pausedMs = 33'000;
    detail.summary.pauses = {{timelineStart + 28'000, timelineStart + 61'000, false}};
    AttemptInfo attempt = endedAttempt(0, std::nullopt);
    attempt.state = State::Succeeded;
    attempt.completed = timelineStart + 93'000;
    detail.attempts = {attempt};
    RunPage page;
    page.setDetail(detail);
    page.setTasks(0, {ranTask(State::Succeeded, 93'000)});
    const TasksModel *model = page.tasksPane()->model();
    const QModelIndex row = model->index(0, 0, model->index(0, 0));
    const QModelIndex time = row.siblingAtColumn(TasksModel::TimeColumn);
    QCOMPARE(time.data().toString(), u"1:00"_s);
    QCOMPARE(time.data(TasksModel::SortRole).toLongLong(), 60'000);
    QVERIFY2(time.data(Qt::ToolTipRole).toString().contains(u"paused: 0:33"_s),
        qPrintable(time.data(Qt::ToolTipRole).toString()));
    QStringList texts;
    for (const QLabel *label : page.findChildren<QLabel *>()) {
        texts.append(label->text());
    }
    QVERIFY2(texts.contains(u"after 1:00"_s), qPrintable(texts.join(u" | "_s)));
    // The lists below say the same, also of a former attempt.
    const auto *attempts = page.findChild<AttemptList *>();
    QVERIFY(attempts->topLevelItem(0)->text(3) == u"1:00"_s);
    const JobSummary then = asOf(attempt, detail.summary);
    QCOMPARE(countedMs(then, timelineStart + 500'000), 60'000);
}

// The time of a run is that of its newest attempt, and that of a job in a list the one of all attempts together. What
// it counts stands beside it.
void TstTimeline::timesOfRetriedJobsSayWhatTheyCount()
{
    JobSummary job;
    job.id = 12;
    job.uuid = u"u"_s;
    job.state = State::Failed;
    job.retries = 1;
    job.submitted = timelineStart;
    job.launched = timelineStart;
    job.began = timelineStart + 7000;
    job.completed = timelineStart + 13'000;
    job.formerMs = 5000;
    QCOMPARE(jobTimeDetails(job, timelineStart + 60'000),
        (QStringList{u"This is the time of attempt 2."_s, u"All attempts together, as the lists of jobs show: 0:11"_s,
            u"Since the job was submitted, with all waits: 0:13"_s}));
    QCOMPARE(wholeTimeDetails(job, timelineStart + 60'000),
        (QStringList{u"This is the time of all attempts together; attempt 2 alone: 0:06"_s,
            u"Since the job was submitted, with all waits: 0:13"_s}));
    QCOMPARE(jobCellValue(job, u"time"_s, timelineStart + 60'000), u"11"_s);
    JobsTableModel table;
    table.add({job});
    QCOMPARE(table.rowCount(), 1);
    bool isFound = false;
    for (int column = 0; column < table.columnCount(); ++column) {
        const QString tip = table.index(0, column).data(Qt::ToolTipRole).toString();
        isFound = isFound || (tip.contains(u"attempt 2"_s) && tip.contains(u"0:13"_s));
    }
    QVERIFY(isFound);
    JobsModel list;
    list.setJobs({job});
    const QModelIndex group = list.index(JobsModel::Done, 0);
    QCOMPARE(list.rowCount(group), 1);
    const QString tip = list.index(0, 0, group).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(u"all attempts together; attempt 2 alone: 0:06"_s), qPrintable(tip));
    job.retries = 0;
    QCOMPARE(jobTimeDetails(job, timelineStart + 60'000), QStringList());
    QCOMPARE(wholeTimeDetails(job, timelineStart + 60'000), QStringList());
}

namespace
{

// Two attempts of a minute; the second one begins so long after the first one has ended.
RunStory retriedAfter(qint64 pauseMs)
{
    RunStory story;
    story.job.state = State::Failed;
    for (int i = 0; i < 2; ++i) {
        const qint64 begin = timelineStart + i * (60'000 + pauseMs);
        AttemptInfo attempt = endedAttempt(1, std::nullopt);
        attempt.index = i;
        attempt.created = attempt.launched = attempt.started = begin;
        attempt.completed = begin + 60'000;
        story.attempts.append(attempt);
        TaskInfo task = ranTask(State::Failed, 60'000);
        task.attempt = i;
        task.created = task.launched = task.tryLaunched = begin;
        task.completed = begin + 60'000;
        story.tries.append(task);
    }
    return story;
}

constexpr qint64 twoDays = 2 * 24 * 3600'000LL;

TimeScale wholeOf(const Timeline &timeline) { return {timeline.from, timeline.to, 100, 1100, timeline.gaps}; }

} // namespace

// A job that is retried days later shows its attempts, and not the time between them.
void TstTimeline::longGapsAreDrawnShorter()
{
    const Timeline timeline = timelineOf(retriedAfter(twoDays), timelineStart + 2 * twoDays);
    QCOMPARE(timeline.gaps.size(), 1);
    QCOMPARE(timeline.gaps.constFirst().from, timelineStart + 60'000);
    QCOMPARE(timeline.gaps.constFirst().to, timelineStart + 60'000 + twoDays);
    const TimeScale scale = wholeOf(timeline);
    QCOMPARE(scale.x(timeline.from), 100.0);
    QCOMPARE(scale.x(timeline.to), 1100.0);
    for (const TimelineBar &bar : timeline.rows.constFirst().bars) {
        const double width = scale.x(bar.to) - scale.x(bar.from);
        QVERIFY2(width > 400 && width < 500, qPrintable(QString::number(width)));
        QCOMPARE(scale.time(scale.x(bar.from)), bar.from);
        QCOMPARE(scale.time(scale.x(bar.to)), bar.to);
    }
    const double gap = scale.x(timeline.gaps.constFirst().to) - scale.x(timeline.gaps.constFirst().from);
    QVERIFY2(gap > 20 && gap < 150, qPrintable(QString::number(gap)));
    const qint64 middle = timelineStart + 60'000 + twoDays / 2;
    QVERIFY(gapAt(scale, scale.x(middle)) && !gapAt(scale, 110) && !gapAt(scale, 1090));
    QVERIFY(std::abs(scale.time(scale.x(middle)) - middle) < twoDays / 100);
    // Each mark of the ruler is at a time in which something happened, and they can be told apart.
    const qint64 step = tickStep(scale, 84);
    QVERIFY2(step < 60'000, qPrintable(QString::number(step)));
    const QList<qint64> ticks = ticksOf(scale, timeline.from, step);
    QVERIFY2(ticks.size() > 6 && ticks.size() < 20, qPrintable(QString::number(ticks.size())));
    QStringList texts;
    for (const qint64 tick : ticks) {
        QVERIFY(tick <= timeline.gaps.constFirst().from || tick >= timeline.gaps.constFirst().to);
        const QString text = tickText(tick - timeline.from, step);
        QVERIFY2(!texts.contains(text), qPrintable(text));
        texts.append(text);
    }
    QCOMPARE(texts.constFirst(), u"0:00"_s);
    // Parts of a second say what they are parts of; after a minute, the clock does.
    QCOMPARE(tickText(2500, 500), u"2.5 s"_s);
    QCOMPARE(tickText(62'500, 500), u"1:02.5"_s);
    QCOMPARE(tickText(2000, 1000), u"0:02"_s);
    // Many late retries leave room for what they did.
    RunStory many = retriedAfter(twoDays);
    for (int i = 2; i < 30; ++i) {
        AttemptInfo attempt = many.attempts.at(1);
        attempt.index = i;
        attempt.created = attempt.launched = attempt.started = timelineStart + i * (60'000 + twoDays);
        attempt.completed = *attempt.started + 60'000;
        many.attempts.append(attempt);
    }
    const Timeline often = timelineOf(many, timelineStart + 31 * twoDays);
    QCOMPARE(often.gaps.size(), 29);
    const TimeScale all = wholeOf(often);
    double ofGaps = 0;
    for (const TimeGap &each : often.gaps) {
        ofGaps += all.x(each.to) - all.x(each.from);
    }
    QVERIFY2(ofGaps < 300, qPrintable(QString::number(ofGaps)));
}

void TstTimeline::shortGapsAreAsLongAsTheyWere()
{
    for (const qint64 pause : {qint64(10), qint64(30'000)}) {
        const Timeline timeline = timelineOf(retriedAfter(pause), timelineStart + twoDays);
        QVERIFY(timeline.gaps.isEmpty());
    }
    // A task that waits all the time is no gap.
    RunStory waits = retriedAfter(twoDays);
    waits.attempts[1].created = timelineStart + 60'000;
    QVERIFY(timelineOf(waits, timelineStart + 2 * twoDays).gaps.isEmpty());
}

void TstTimeline::gapsAreZoomedAndMoved()
{
    const Timeline timeline = timelineOf(retriedAfter(twoDays), timelineStart + 2 * twoDays);
    const TimeScale whole = wholeOf(timeline);
    const TimeScale near = whole.zoomed(0.5, 200, timeline.from, timeline.to);
    QVERIFY(std::abs(near.x(whole.time(200)) - 200) < 1); // what is under the pointer stays there
    QVERIFY(near.from >= timeline.from && near.to < timeline.to);
    QCOMPARE(near.zoomed(10, 200, timeline.from, timeline.to), whole);
    const TimeScale end = near.moved(1e9, timeline.from, timeline.to);
    QCOMPARE(end.to, timeline.to);
    QVERIFY(std::abs(end.span() - near.span()) <= 1);
    QCOMPARE(end.moved(-1e9, timeline.from, timeline.to).from, timeline.from);
}

void TstTimeline::gapsAreTold()
{
    const RunStory story = retriedAfter(twoDays);
    TimelineView view;
    view.resize(900, 200);
    view.setStory(story, timelineStart + 2 * twoDays);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const TimeGap gap = view.timeline().gaps.value(0);
    QCOMPARE(TimelinePicture::gapWords(gap), u"2 d 0:00 later"_s);
    const int x = int((view.scale().x(gap.from) + view.scale().x(gap.to)) / 2);
    const QPoint at(x, TimelinePicture::rowsTop + TimelinePicture::rowHeight / 2);
    QHelpEvent help(QEvent::ToolTip, at, view.viewport()->mapToGlobal(at));
    QCoreApplication::sendEvent(view.viewport(), &help);
    QTRY_VERIFY2(QToolTip::text().contains(u"Nothing happened for 2 d 0:00."_s), qPrintable(QToolTip::text()));
    QToolTip::hideText();
}

void TstTimeline::headsOfEventsAreWhole()
{
    QWidget window;
    QFont large = window.font();
    large.setPixelSize(24);
    window.setFont(large);
    EventsView events(&window);
    events.view()->header()->setFont(large); // as a screen has it that is scaled
    RunStory story;
    story.job.submitted = timelineStart;
    events.setStory(story);
    window.resize(1400, 400);
    events.resize(1400, 400);
    window.show();
    QTRY_VERIFY(events.isVisible());
    const QHeaderView *heads = events.view()->header();
    const QAbstractItemModel *model = events.view()->model();
    for (const int column : {0, 1}) {
        const QString head = model->headerData(column, Qt::Horizontal).toString();
        QVERIFY(!head.isEmpty());
        QVERIFY2(heads->sectionSize(column) >= heads->fontMetrics().horizontalAdvance(head) + 6, qPrintable(head));
    }
}

TRAINYARD_GUI_TEST(TstTimeline)
#include "tst_timeline.moc"
