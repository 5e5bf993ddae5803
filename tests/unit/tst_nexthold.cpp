// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/jobfacts.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/played.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using namespace trainyard::core::played;

// What keeps a job from starting or running on.
class TstNextHold : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void pause();
    void pausesAreNotCounted();
    void endWhilePaused();
    void pauseBetween();
    void placesGivenBack();
    void timeLimit();
    void timeLimitWhenTheClockIsSet_data();
    void timeLimitWhenTheClockIsSet();
    void timeLimitFromTheBeginning();
    void waitsForOthers();
    void waitsForOneTwice();
};

void TstNextHold::pause()
{
    JobPolicy policy = workers(4, false);
    policy.roles[0].minFailed = -1;
    Player p(policy);
    p.say(event::Submitted{});
    p.grant({{0, 0}, {0, 1}, {0, 2}});
    p.ports({{0, 0}, {0, 1}});
    p.started({0, 0});
    // One runs, one is on its way, one has a place, one waits.
    p.now = 5000;
    QCOMPARE(p.say(event::PauseRequested{true}),
        (QStringList{u"SaveJob durable"_s, u"PauseTry w/0#0@0"_s, u"ReleaseTry w/2#0@0"_s, u"CancelPlacement @0"_s}));
    QVERIFY(summaryOf(p.job).paused);
    QCOMPARE(summaryOf(p.job).reason, u"job.paused"_s);
    QCOMPARE(taskInfoOf(p.job, {0, 0}).reason, u"job.paused"_s);
    QCOMPARE(taskInfoOf(p.job, {0, 0}).reasonArgs.value(u"since"_s).toInteger(), 5000);
    QCOMPARE(p.say(event::PauseRequested{true}), QStringList()); // twice is once
    QCOMPARE(p.started({0, 1}).last(), u"PauseTry w/1#0@0"_s);
    QCOMPARE(p.grant({{0, 3}}), (QStringList{u"ReleaseTry w/3#0@0"_s})); // was on its way
    QVERIFY(!p.ports({{0, 2}}).contains(u"LaunchTry w/2#0@0"_s));
    // A restart of the engine says it again.
    QCOMPARE(p.say(event::Reconcile{}),
        (QStringList{u"ObserveTry w/0#0@0"_s, u"PauseTry w/0#0@0"_s, u"ObserveTry w/1#0@0"_s, u"PauseTry w/1#0@0"_s}));
    p.now = 9000;
    QCOMPARE(p.say(event::PauseRequested{false}),
        (QStringList{
            u"SaveJob durable"_s, u"ResumeTry w/0#0@0"_s, u"ResumeTry w/1#0@0"_s, u"RequestPlacement w/2 w/3@0"_s}));
    QVERIFY(!summaryOf(p.job).paused);
    QCOMPARE(summaryOf(p.job).pauses, (QList<PauseSpan>{{5000, 9000, false}}));
    QCOMPARE(taskInfoOf(p.job, {0, 0}).reason, QString());
    QCOMPARE(p.say(event::PauseRequested{false}), QStringList());
    // The end of the engine may have come between the two: it is said again.
    QVERIFY(p.say(event::Reconcile{}).contains(u"ResumeTry w/0#0@0"_s));
    // A paused job can be stopped, and is over then.
    p.say(event::PauseRequested{true});
    const QStringList lines = p.say(event::StopRequested{});
    QVERIFY(lines.contains(u"StopTry w/0#0@0"_s) && lines.contains(u"StopTry w/1#0@0"_s));
    QCOMPARE(p.say(event::PauseRequested{true}), QStringList());
    p.ended({0, 0}, 143);
    p.ended({0, 1}, 143);
    QVERIFY(p.job.isFinished());
    QVERIFY(!summaryOf(p.job).paused);
    QCOMPARE(summaryOf(p.job).pauses.size(), 2);
    QVERIFY(summaryOf(p.job).pauses.constLast().isEndedByStop);
    QCOMPARE(p.say(event::PauseRequested{true}), QStringList());
    // What has never started is held, and goes on with a later try.
    Player q(workers(1));
    q.say(event::Submitted{});
    QCOMPARE(q.say(event::PauseRequested{true}).last(), u"CancelPlacement @0"_s);
    QCOMPARE(summaryOf(q.job).reason, u"wait.paused"_s);
    QCOMPARE(q.say(event::Reconcile{}), QStringList());
    QCOMPARE(q.say(event::PauseRequested{false}).last(), u"RequestPlacement w/0@0"_s);
}

// TIME is the same wherever it is shown: without the pauses, also after them.
void TstNextHold::pausesAreNotCounted()
{
    const auto counted = [](const Player &p) { return countedMs(summaryOf(p.job), p.now); };
    Player p(workers(1));
    p.now = 1000;
    p.say(event::Submitted{});
    // While it waits.
    p.now = 3000;
    p.say(event::PauseRequested{true});
    p.now = 9000;
    QCOMPARE(counted(p), 2000);
    p.say(event::PauseRequested{false});
    QCOMPARE(counted(p), 2000);
    p.now = 10'000;
    QCOMPARE(counted(p), 3000);
    // From its start on it counts anew.
    p.run({w0});
    QCOMPARE(counted(p), 0);
    p.now = 15'000;
    p.say(event::PauseRequested{true});
    p.now = 55'000;
    QCOMPARE(counted(p), 5000);
    p.say(event::PauseRequested{false});
    QCOMPARE(counted(p), 5000);
    p.now = 56'000;
    p.say(event::PauseRequested{true});
    p.now = 96'000;
    // A stop ends a pause.
    p.say(event::StopRequested{});
    QCOMPARE(counted(p), 6000);
    p.now = 97'000;
    p.ended(w0, 143);
    QVERIFY(p.job.isFinished());
    p.now = 200'000;
    QCOMPARE(counted(p), 7000);
}

// What is halted can be killed, and its host can go down: the end of the job is that of its pause.
void TstNextHold::endWhilePaused()
{
    Player p(workers(2));
    p.say(event::Submitted{});
    p.run({w0, w1}); // at 1000
    p.now = 6000;
    p.say(event::PauseRequested{true});
    p.now = 15'000;
    p.ended(w0, 1);
    QVERIFY(!p.job.isFinished()); // the other one is being stopped
    p.now = 16'000;
    p.ended(w1, 143);
    QVERIFY(p.job.isFinished() && !p.job.pausedAt);
    JobSummary summary = summaryOf(p.job);
    QVERIFY(!summary.paused);
    QCOMPARE(summary.pauses, (QList<PauseSpan>{{6000, 16'000, true}}));
    QCOMPARE(summary.pausedMs, 10'000);
    p.now = 90'000;
    QCOMPARE(countedMs(summary, p.now), 5000);
    QCOMPARE(pausedMsIn(summary, summary.submitted, *summary.completed), 10'000);
    // It was seen late: the pause is as long as the job was.
    Player late(workers(1));
    late.boot = BootTime{u"this"_s, 500'000};
    late.say(event::Submitted{});
    late.run({w0});
    late.now = 6000;
    late.boot->ms += 5000;
    late.say(event::PauseRequested{true});
    late.now = 60'000;
    late.boot->ms += 54'000;
    late.say(event::TryEnded{w0, late.uuid(w0), {1, 1, {}, {}}, 1000, 8000, true});
    summary = summaryOf(late.job);
    QCOMPARE(summary.pauses, (QList<PauseSpan>{{6000, 8000, true}}));
    QCOMPARE(countedMs(summary, late.now), 5000);
    // It had ended before it was paused, which nobody knew.
    Player before(workers(1));
    before.say(event::Submitted{});
    before.run({w0});
    before.now = 6000;
    before.say(event::PauseRequested{true});
    before.now = 60'000;
    before.say(event::TryEnded{w0, before.uuid(w0), {1, 1, {}, {}}, 1000, 4000, true});
    summary = summaryOf(before.job);
    QVERIFY(before.job.isFinished() && !summary.paused && summary.pauses.isEmpty());
    QCOMPARE(countedMs(summary, before.now), 3000);
    // It waited for its turn, and what it waited for besides went wrong.
    Player waits(workers(1));
    const QUuid other(u"{6b1f3ad2-8a1c-4f0e-9a39-c3b6d7f1a0f1}"_s);
    waits.job.after = {{other, 7, u"prepare"_s, false}};
    waits.say(event::Submitted{});
    waits.now = 2000;
    waits.say(event::PauseRequested{true});
    waits.now = 5000;
    waits.say(event::AfterEnded{other, State::Failed});
    QVERIFY(waits.job.isFinished());
    QCOMPARE(summaryOf(waits.job).pauses, (QList<PauseSpan>{{2000, 5000, true}}));
}

void TstNextHold::pauseBetween()
{
    JobPolicy policy = workers(1);
    policy.jobRetry = 3;
    Player p(policy);
    p.say(event::Submitted{});
    p.run({w0});
    p.say(event::PauseRequested{true});
    p.ended(w0, 134); // killed from outside while it was paused
    p.say(event::RetryDue{0, {}});
    QCOMPARE(p.job.attempt(), 1);
    QVERIFY(summaryOf(p.job).paused);
    QCOMPARE(p.grant({w0}), (QStringList{u"ReleaseTry w/0#0@1"_s}));
    QCOMPARE(p.say(event::PauseRequested{false}).last(), u"RequestPlacement w/0@1"_s);
    // By hand, once more: on the user's word and so no longer paused.
    p.run({w0});
    p.say(event::PauseRequested{true});
    p.say(event::StopRequested{});
    p.ended(w0, 143);
    QCOMPARE(p.say(event::RetryRequested{}).last(), u"RequestPlacement w/0@2"_s);
}

void TstNextHold::placesGivenBack()
{
    // A gang: all of it is asked for anew.
    Player p(workers(3));
    p.say(event::Submitted{});
    p.grant({w0, w1, {0, 2}});
    p.ports({w0});
    QCOMPARE(p.say(event::PlacementReturned{0, {w1}}),
        (QStringList{u"ReleaseTry w/0#0@0"_s, u"ReleaseTry w/1#0@0"_s, u"ReleaseTry w/2#0@0"_s,
            u"RequestPlacement w/0 w/1 w/2@0"_s}));
    QCOMPARE(p.ports({w0, w1, {0, 2}}), QStringList()); // late
    QCOMPARE(p.say(event::PlacementReturned{0, {w1}}), QStringList());
    p.run({w0, w1, {0, 2}});
    QCOMPARE(summaryOf(p.job).state, State::Running);
    QCOMPARE(p.say(event::PlacementReturned{0, {w1}}), QStringList()); // it runs
    QCOMPARE(p.job.attempts.size(), std::size_t(1));
    // Without: only what was named.
    Player q(workers(3, false));
    q.say(event::Submitted{});
    q.grant({w0, w1});
    QCOMPARE(q.say(event::PlacementReturned{0, {w1, {0, 2}, {5, 5}}}),
        (QStringList{u"ReleaseTry w/1#0@0"_s, u"RequestPlacement w/1@0"_s}));
    QCOMPARE(q.say(event::PlacementReturned{7, {w0}}), QStringList());
}

void TstNextHold::timeLimit()
{
    JobPolicy policy = workers(2);
    policy.timeLimitMs = 10000;
    policy.jobRetry = 5;
    Player p(policy);
    p.say(event::Submitted{});
    p.grant({w0, {0, 1}});
    p.ports({w0, {0, 1}});
    p.now = 20000; // the time in the queue does not count
    QVERIFY(p.started(w0).contains(u"StartLimit @0 30000"_s));
    QVERIFY(p.started({0, 1}).filter(u"StartLimit"_s).isEmpty());
    p.now = 24000;
    QVERIFY(p.say(event::PauseRequested{true}).filter(u"StartLimit"_s).isEmpty());
    p.now = 30000;
    QCOMPARE(p.say(event::LimitDue{0}), QStringList()); // nor does a pause
    QVERIFY(p.say(event::Reconcile{}).filter(u"StartLimit"_s).isEmpty());
    p.now = 50000;
    QVERIFY(p.say(event::PauseRequested{false}).contains(u"StartLimit @0 56000"_s));
    p.now = 51000;
    QCOMPARE(p.say(event::LimitDue{0}), (QStringList{u"StartLimit @0 56000"_s})); // an old timer
    QCOMPARE(p.say(event::Reconcile{}).filter(u"StartLimit"_s), (QStringList{u"StartLimit @0 56000"_s}));
    QCOMPARE(p.say(event::LimitDue{1}), QStringList());
    p.now = 56000;
    const QStringList lines = p.say(event::LimitDue{0});
    QVERIFY(lines.contains(u"StopTry w/0#0@0"_s) && lines.contains(u"StopTry w/1#0@0"_s));
    p.ended(w0, 143);
    p.ended({0, 1}, 143);
    QVERIFY(p.job.isFinished()); // it would be too long again
    QCOMPARE(jobCode(p.job), std::optional<int>(-1004));
    const JobSummary summary = summaryOf(p.job);
    QCOMPARE(summary.state, State::Failed);
    QCOMPARE(summary.reason, u"limit.time"_s);
    QCOMPARE(summary.reasonArgs.value("seconds"_L1).toInt(), 10);
    QCOMPARE(p.say(event::LimitDue{0}), QStringList());
    // A new attempt has all of it.
    p.now = 60000;
    p.say(event::RetryRequested{});
    p.grant({w0, {0, 1}});
    p.ports({w0, {0, 1}});
    QVERIFY(p.started(w0).contains(u"StartLimit @1 70000"_s));
}

// What is left of a limit of an hour after 20 minutes of running, when somebody sets the clock of the day meanwhile,
// the engine is another one, or the computer was started again.
void TstNextHold::timeLimitWhenTheClockIsSet_data()
{
    QTest::addColumn<qint64>("step"); // of the clock of the day
    QTest::addColumn<bool>("sameBoot");
    QTest::addColumn<bool>("knowsBoot"); // nothing is known of jobs that an older engine has stored
    QTest::addColumn<qint64>("paused"); // so much of the time
    QTest::addColumn<qint64>("leftMs"); // 0: it is over
    constexpr qint64 minute = 60000;
    const auto row = [](const char *name, qint64 step, bool sameBoot, bool knowsBoot, qint64 paused, qint64 leftMs) {
        QTest::newRow(name) << step << sameBoot << knowsBoot << paused << leftMs;
    };
    row("nothing happens", 0, true, true, 0, 40 * minute);
    row("an hour forward", 60 * minute, true, true, 0, 40 * minute);
    row("a day forward", 24 * 60 * minute, true, true, 0, 40 * minute);
    row("an hour back", -60 * minute, true, true, 0, 40 * minute);
    row("forward, with a pause", 60 * minute, true, true, 5 * minute, 45 * minute);
    row("back, with a pause", -60 * minute, true, true, 5 * minute, 45 * minute);
    row("started again", 0, false, true, 0, 40 * minute);
    row("started again, an hour forward", 60 * minute, false, true, 0, 0); // only the clock of the day can tell
    row("stored by an older engine", 0, true, false, 0, 40 * minute);
    row("stored by an older engine, forward", 60 * minute, true, false, 0, 0);
}

void TstNextHold::timeLimitWhenTheClockIsSet()
{
    QFETCH(qint64, step);
    QFETCH(bool, sameBoot);
    QFETCH(bool, knowsBoot);
    QFETCH(qint64, paused);
    QFETCH(qint64, leftMs);
    constexpr qint64 minute = 60000;
    JobPolicy policy = workers(1);
    policy.timeLimitMs = 60 * minute;
    Player p(policy);
    const auto wait = [&p](qint64 ms) {
        p.now += ms;
        if (p.boot) {
            p.boot->ms += ms;
        }
    };
    p.now = 1'000'000'000;
    p.boot = knowsBoot ? std::optional(BootTime{u"this"_s, 5000}) : std::nullopt;
    p.say(event::Submitted{});
    wait(30 * minute);
    p.run({w0});
    wait(10 * minute);
    if (paused > 0) {
        p.say(event::PauseRequested{true});
        wait(paused - minute);
        p.now += step;
        wait(minute);
        p.say(event::PauseRequested{false});
    } else {
        p.now += step;
    }
    wait(10 * minute - paused);
    if (knowsBoot && !sameBoot) {
        p.boot = BootTime{u"next"_s, 1000};
    } else if (!knowsBoot) {
        p.boot = BootTime{u"this"_s, 99999};
    }
    const QStringList limits = p.say(event::Reconcile{}).filter(u"StartLimit"_s);
    QCOMPARE(limits, (QStringList{u"StartLimit @0 "_s + QString::number(p.now + leftMs)}));
    wait(leftMs);
    QVERIFY(p.say(event::LimitDue{0}).contains(u"StopTry w/0#0@0"_s));
}

// The process is older than the beginning that is shown: the limit is of the shown time, unless the clock was set.
void TstNextHold::timeLimitFromTheBeginning()
{
    JobPolicy policy = workers(1);
    policy.timeLimitMs = 60'000;
    const auto startLimit = [&policy](qint64 began, quint64 ticks) {
        Player p(policy);
        p.now = 1'000'000;
        p.boot = BootTime{u"this"_s, 500'000};
        p.say(event::Submitted{});
        p.grant({w0});
        p.ports({w0});
        return p.say(event::TryStarted{w0, p.uuid(w0), {u"this"_s, 42, ticks}, began}).filter(u"StartLimit"_s);
    };
    const auto at = [](qint64 ms) { return QStringList{u"StartLimit @0 "_s + QString::number(ms)}; };
    QCOMPARE(startLimit(999'950, 49'985), at(1'059'950)); // 100 ms after its process
    QCOMPARE(startLimit(999'950, 49'996), at(1'059'960)); // not before there was a process
    QCOMPARE(startLimit(999'950 - 3'600'000, 49'985), at(1'059'850)); // set forward by an hour meanwhile
    QCOMPARE(startLimit(999'950 + 3'600'000, 49'000), at(1'050'000)); // set back
}

void TstNextHold::waitsForOthers()
{
    const QUuid first(u"{6b1f3ad2-8a1c-4f0e-9a39-c3b6d7f1a0f1}"_s);
    const QUuid second(u"{6b1f3ad2-8a1c-4f0e-9a39-c3b6d7f1a0f2}"_s);
    const auto make = [&] {
        Player p(workers(2));
        p.job.after = {{first, 7, u"prepare"_s, false}, {second, 8, u"other"_s, true}};
        const QStringList lines = p.say(event::Submitted{});
        [&] { QVERIFY(lines.filter(u"RequestPlacement"_s).isEmpty()); }();
        return p;
    };
    Player p = make();
    QCOMPARE(summaryOf(p.job).state, State::Waiting);
    QCOMPARE(summaryOf(p.job).reason, u"wait.after"_s);
    QCOMPARE(summaryOf(p.job).reasonArgs.value("job"_L1).toInt(), 7);
    QCOMPARE(p.say(event::Reconcile{}), QStringList());
    QCOMPARE(p.say(event::AfterEnded{QUuid::createUuid(), State::Failed}), QStringList()); // nothing to us
    QCOMPARE(p.say(event::AfterEnded{first, State::Succeeded}), (QStringList{u"SaveJob"_s}));
    QCOMPARE(summaryOf(p.job).reason, u"wait.after-end"_s);
    QCOMPARE(p.say(event::AfterEnded{second, State::Stopped}).last(), u"RequestPlacement w/0 w/1@0"_s);
    QVERIFY(summaryOf(p.job).reason.isEmpty());
    // It does not go as wanted: over, with a reason, and for good.
    Player q = make();
    QCOMPARE(q.say(event::AfterEnded{first, State::Failed}).last(), u"JobEnded -1100 FAILED"_s);
    QCOMPARE(summaryOf(q.job).reason, u"after.failed"_s);
    QCOMPARE(summaryOf(q.job).reasonArgs.value("state"_L1).toString(), u"FAILED"_s);
    Player gone = make();
    gone.say(event::AfterEnded{first, State::Unknown, false});
    QCOMPARE(summaryOf(gone.job).reason, u"after.gone"_s);
    QVERIFY(gone.job.isFinished());
    // Paused meanwhile: both must be over.
    Player r = make();
    r.say(event::PauseRequested{true});
    r.say(event::AfterEnded{first, State::Succeeded});
    QVERIFY(r.say(event::AfterEnded{second, State::Failed}).filter(u"RequestPlacement"_s).isEmpty());
    QCOMPARE(r.say(event::PauseRequested{false}).last(), u"RequestPlacement w/0 w/1@0"_s);
    // Stopped while it waits; run again by hand it waits for nobody.
    Player s = make();
    s.say(event::StopRequested{});
    QCOMPARE(jobCode(s.job), std::optional<int>(codeStopJob));
    QCOMPARE(s.say(event::RetryRequested{}).last(), u"RequestPlacement w/0 w/1@1"_s);
}

// The same job by its name and by its number, or with two conditions: it ends once.
void TstNextHold::waitsForOneTwice()
{
    const QUuid first(u"{6b1f3ad2-8a1c-4f0e-9a39-c3b6d7f1a0f1}"_s);
    const QUuid second(u"{6b1f3ad2-8a1c-4f0e-9a39-c3b6d7f1a0f2}"_s);
    const auto make = [&](bool whenEnded) {
        Player p(workers(2));
        p.job.after
            = {{first, 7, u"prepare"_s, true}, {second, 8, u"other"_s, false}, {first, 7, u"prepare"_s, whenEnded}};
        p.say(event::Submitted{});
        return p;
    };
    for (const bool whenEnded : {true, false}) {
        Player p = make(whenEnded);
        QCOMPARE(p.say(event::AfterEnded{first, State::Succeeded}), QStringList{u"SaveJob"_s});
        QCOMPARE(summaryOf(p.job).reasonArgs.value("job"_L1).toInt(), 8);
        QCOMPARE(p.say(event::AfterEnded{second, State::Succeeded}).last(), u"RequestPlacement w/0 w/1@0"_s);
    }
    QCOMPARE(make(true).say(event::AfterEnded{first, State::Failed}), QStringList{u"SaveJob"_s});
    QCOMPARE(make(false).say(event::AfterEnded{first, State::Failed}).last(), u"JobEnded -1100 FAILED"_s);
}

TRAINYARD_TEST(TstNextHold)
#include "tst_nexthold.moc"
