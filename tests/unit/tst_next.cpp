// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/next.h"
#include "engine/core/report.h"
#include "engine/core/retry.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;

namespace
{

// A job that is told things and tells what is to be done.
class Player
{
public:
    explicit Player(JobPolicy policy)
    {
        JobMeta meta;
        meta.name = u"job"_s;
        job = newJob(QUuid(u"{6b1f3ad2-8a1c-4f0e-9a39-c3b6d7f1a001}"_s), meta, std::move(policy), 1000);
    }
    QStringList say(decltype(Event::what) what)
    {
        Step step = next(std::move(job), {now, std::move(what)});
        job = std::move(step.job);
        effects = std::move(step.effects);
        QStringList lines;
        for (const Effect &effect : effects) {
            lines.append(describe(job, effect));
        }
        return lines;
    }
    QUuid uuid(TaskRef ref) const { return tryUuid(job, ref); }
    QStringList grant(const std::vector<TaskRef> &tasks)
    {
        event::PlacementGranted granted;
        for (TaskRef ref : tasks) {
            granted.grants.push_back({ref, uuid(ref), {u"local"_s, u"127.0.0.1"_s, {ref.index}, {}}});
        }
        return say(granted);
    }
    QStringList ports(const std::vector<TaskRef> &tasks)
    {
        event::PortsDrawn drawn;
        for (TaskRef ref : tasks) {
            drawn.tasks.push_back({ref, uuid(ref), {{u"http"_s, {15000 + ref.index}}}});
        }
        return say(drawn);
    }
    QStringList started(TaskRef ref) { return say(event::TryStarted{ref, uuid(ref), {u"boot"_s, 42, 7}, now}); }
    QStringList ended(TaskRef ref, int code, bool ran = true)
    {
        return say(event::TryEnded{ref, uuid(ref), {code, code, {}, {}}, 0, 0, ran});
    }
    void run(const std::vector<TaskRef> &tasks)
    {
        grant(tasks);
        ports(tasks);
        for (TaskRef ref : tasks) {
            started(ref);
        }
    }

    JobState job;
    std::vector<Effect> effects;
    qint64 now = 1000;
};

JobPolicy workers(int instances, bool gang = true)
{
    JobPolicy policy;
    policy.gang = gang;
    policy.roles.push_back({u"w"_s, instances, 1, -1, 0, {}});
    policy.guards = openPaiGuardRails();
    return policy;
}

constexpr TaskRef w0{0, 0}, w1{0, 1};

} // namespace

// What is done about what happens, in order.
class TstNext : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void gang();
    void taskByTask();
    void stop();
    void stopWaiting();
    void retryOfTheJob();
    void conflict();
    void pauseAndCap();
    void capOfTasks();
    void oldEventsDoNothing();
    void lostGrants();
    void gangNeedsAllPorts();
    void peerThatNeverCame();
    void placementFails();
    void startAfterStop();
    void endWithoutStart();
    void reconcile();
    void pause();
    void pauseBetween();
    void placesGivenBack();
    void timeLimit();
    void waitsForOthers();
    void retryByHand();
    void whatTipped();
    void noTasks();
    void total();
    void fast();
};

void TstNext::gang()
{
    Player p(workers(2));
    QCOMPARE(p.say(event::Submitted{}),
        (QStringList{u"SaveJob durable"_s, u"SaveAttempt @0"_s, u"SaveTasks @0"_s, u"AttemptOpened @0"_s,
            u"RequestPlacement w/0 w/1@0"_s}));
    QCOMPARE(p.grant({w0, w1}), (QStringList{u"DrawPorts w/0 w/1@0"_s}));
    QCOMPARE(p.ports({w0, w1}), (QStringList{u"SaveTasks @0"_s, u"LaunchTry w/0#0@0"_s, u"LaunchTry w/1#0@0"_s}));
    QCOMPARE(summaryOf(p.job).subState, u"AttemptPreparing"_s);
    QCOMPARE(p.started(w1), (QStringList{u"SaveAttempt @0"_s, u"SaveJob"_s, u"SaveTask w/1"_s}));
    QCOMPARE(summaryOf(p.job).state, State::Running);
    QCOMPARE(p.started(w0), (QStringList{u"SaveTask w/0"_s}));
    QCOMPARE(p.ended(w0, 0), (QStringList{u"SaveTask w/0"_s, u"ReleaseTry w/0#0@0"_s}));
    QCOMPARE(p.ended(w1, 0),
        (QStringList{u"SaveTask w/1"_s, u"SaveAttempt @0"_s, u"SaveAttempt @0"_s, u"SaveJob durable"_s,
            u"ReleaseTry w/1#0@0"_s, u"AttemptEnded @0 0"_s, u"JobEnded 0 SUCCEEDED"_s}));
    QVERIFY(p.job.isFinished());
}

void TstNext::taskByTask()
{
    JobPolicy policy = workers(2, false);
    policy.roles[0].taskRetry = 1;
    Player p(policy);
    p.say(event::Submitted{});
    QCOMPARE(p.grant({w0}), (QStringList{u"DrawPorts w/0@0"_s}));
    QCOMPARE(p.ports({w0}), (QStringList{u"SaveTask w/0"_s, u"LaunchTry w/0#0@0"_s}));
    p.started(w0);
    QCOMPARE(p.ended(w0, 255),
        (QStringList{u"SaveTry w/0#0"_s, u"SaveTask w/0"_s, u"ReleaseTry w/0#0@0"_s, u"RequestPlacement w/0@0"_s}));
    QCOMPARE(p.job.task(w0).lastHost, u"local"_s);
    QCOMPARE(taskInfoOf(p.job, w0).launched, 1000);
    QCOMPARE(taskInfoOf(p.job, w0).tryLaunched, std::nullopt); // the next try
    p.grant({w0, w1});
    p.ports({w0, w1});
    p.now = 3000;
    p.started(w0);
    QCOMPARE(taskInfoOf(p.job, w0).launched, 1000);
    QCOMPARE(taskInfoOf(p.job, w0).tryLaunched, 3000);
    QCOMPARE(p.ended(w0, 255),
        (QStringList{u"SaveTask w/0"_s, u"SaveAttempt @0"_s, u"SaveTasks @0"_s, u"SaveJob"_s, u"ReleaseTry w/0#1@0"_s,
            u"StopTry w/1#0@0"_s}));
}

void TstNext::stop()
{
    Player p(workers(2));
    p.say(event::Submitted{});
    p.run({w0, w1});
    p.ended(w0, 0);
    QCOMPARE(p.say(event::StopRequested{}),
        (QStringList{
            u"SaveJob durable"_s, u"SaveAttempt @0"_s, u"SaveTasks @0"_s, u"SaveJob"_s, u"StopTry w/1#0@0"_s}));
    QCOMPARE(summaryOf(p.job).state, State::Stopping);
    QCOMPARE(p.say(event::StopRequested{}), QStringList()); // twice is once
    QCOMPARE(p.ended(w1, 0),
        (QStringList{u"SaveTask w/1"_s, u"SaveAttempt @0"_s, u"SaveJob durable"_s, u"ReleaseTry w/1#0@0"_s,
            u"AttemptEnded @0 -210"_s, u"JobEnded -210 STOPPED"_s}));
    QCOMPARE(taskCode(p.job.task(w1).state), -220); // written once
    QCOMPARE(taskInfoOf(p.job, w1).rawExit, 0);
    QCOMPARE(attemptInfoOf(p.job, 0).triggerRule, QString());
    QCOMPARE(p.say(event::StopRequested{}), QStringList());
}

void TstNext::stopWaiting()
{
    Player p(workers(2));
    p.say(event::Submitted{});
    p.grant({w0, w1});
    QCOMPARE(p.say(event::StopRequested{}),
        (QStringList{u"SaveJob durable"_s, u"SaveAttempt @0"_s, u"SaveTasks @0"_s, u"SaveAttempt @0"_s,
            u"SaveJob durable"_s, u"ReleaseTry w/0#0@0"_s, u"ReleaseTry w/1#0@0"_s, u"AttemptEnded @0 -210"_s,
            u"JobEnded -210 STOPPED"_s}));
    Player q(workers(1));
    q.say(event::Submitted{});
    QCOMPARE(q.say(event::StopRequested{}).filter(u"CancelPlacement"_s), (QStringList{u"CancelPlacement @0"_s}));
    QVERIFY(q.job.isFinished());
    Player before(workers(1));
    before.say(event::StopRequested{});
    QVERIFY(before.job.isFinished());
    QCOMPARE(jobCode(before.job), codeStopJob);
}

void TstNext::retryOfTheJob()
{
    JobPolicy policy = workers(2);
    policy.jobRetry = 1;
    Player p(policy);
    p.say(event::Submitted{});
    p.run({w0, w1});
    p.ended(w0, 255);
    QCOMPARE(p.ended(w1, 143).mid(1),
        (QStringList{u"SaveAttempt @0"_s, u"SaveJob"_s, u"ReleaseTry w/1#0@0"_s, u"AttemptEnded @0 255 retried"_s,
            u"StartTimer @0 1000"_s}));
    QCOMPARE(summaryOf(p.job).state, State::Running); // waits for its retry
    QCOMPARE(summaryOf(p.job).subState, u"AttemptCompleted"_s);
    const QUuid before = p.uuid(w0);
    QCOMPARE(p.say(event::RetryDue{0, {}}),
        (QStringList{u"SaveJob"_s, u"SaveAttempt @1"_s, u"SaveTasks @1"_s, u"AttemptOpened @1"_s,
            u"RequestPlacement w/0 w/1@1"_s}));
    QVERIFY(p.uuid(w0) != before);
    QCOMPARE(p.say(event::RetryDue{0, {}}), QStringList());
    QCOMPARE(p.job.retries, 1);
    QCOMPARE(p.job.accountable, 1);
    QCOMPARE(summaryOf(p.job).state, State::Waiting);
}

void TstNext::conflict()
{
    JobPolicy policy = workers(1);
    Player p(policy);
    p.now = 1'000'000;
    p.say(event::Submitted{});
    p.run({w0});
    QStringList lines = p.ended(w0, 251);
    const auto resting = std::get<Resting>(p.job.phase);
    QVERIFY(resting.conflict);
    QVERIFY(resting.due >= p.now + 60'000 && resting.due <= p.now + 900'000);
    QCOMPARE(lines.last(), u"StartTimer @0 %1"_s.arg(resting.due));
    QCOMPARE(*summaryOf(p.job).retryDelaySec, (resting.due - p.now) / 1000);
    // The same again: the same delay. Other jobs: other delays.
    QSet<qint64> delays;
    for (int i = 0; i < 50; ++i) {
        Player q(policy);
        q.job.uuid = QUuid::createUuidV5(QUuid(), QByteArray::number(i));
        q.say(event::Submitted{});
        q.run({w0});
        q.ended(w0, 251);
        delays.insert(std::get<Resting>(q.job.phase).due);
    }
    QVERIFY(delays.size() > 40);
}

void TstNext::pauseAndCap()
{
    JobPolicy policy = workers(1);
    policy.guards = GuardRails{};
    policy.guards.freeRetryCap = 3;
    Player p(policy);
    p.say(event::Submitted{});
    for (const qint64 pause : {3000, 6000, 12000}) {
        p.run({w0});
        p.now += 10;
        QCOMPARE(p.ended(w0, 143).last(), u"StartTimer @%1 %2"_s.arg(p.job.retries).arg(p.now + pause));
        p.now += pause;
        p.say(event::RetryDue{p.job.retries, {}});
    }
    p.run({w0});
    p.ended(w0, 143);
    QVERIFY(p.job.isFinished());
    QCOMPARE(jobCode(p.job), 143);
    QCOMPARE(summaryOf(p.job).reason, u"retry.cap"_s);
    // What could not be had says more.
    Player r(policy);
    r.say(event::Submitted{});
    for (int i = 0; i <= 3; ++i) {
        r.grant({w0});
        r.say(event::PlacementFailed{i, {w0}, {253, {}, u"ports.fixed-busy"_s, {}}});
        r.now += 60000;
        r.say(event::RetryDue{r.job.retries, {}});
    }
    QVERIFY(r.job.isFinished());
    QCOMPARE(summaryOf(r.job).reason, u"ports.fixed-busy"_s);
    // A long run in between starts the row anew.
    Player q(policy);
    q.say(event::Submitted{});
    for (int i = 0; i < 10; ++i) {
        q.run({w0});
        q.now += i % 2 ? 10 * 60 * 1000 : 5;
        q.ended(w0, 143);
        QVERIFY(!q.job.isFinished());
        q.say(event::RetryDue{i, {}});
    }
    QCOMPARE(q.job.retries, 10);
    // A service that ends at once is not started at full speed.
    policy.jobRetry = -2;
    Player service(policy);
    service.say(event::Submitted{});
    service.run({w0});
    service.ended(w0, 0);
    QCOMPARE(std::get<Resting>(service.job.phase).due, service.now + 3000);
}

void TstNext::capOfTasks()
{
    JobPolicy policy = workers(2, false);
    policy.guards = GuardRails{};
    policy.guards.freeRetryCap = 2;
    Player p(policy);
    p.say(event::Submitted{});
    for (int i = 0; i < 2; ++i) {
        p.run({w0});
        const QStringList lines = p.ended(w0, 137);
        QCOMPARE(lines.last(), u"StartTimer w/0@0 %1"_s.arg(p.now + (3000 << i)));
        QCOMPARE(taskInfoOf(p.job, w0).state, State::Waiting);
        p.now += 10000;
        QCOMPARE(p.say(event::RetryDue{0, w0}), (QStringList{u"SaveTask w/0"_s, u"RequestPlacement w/0@0"_s}));
        QCOMPARE(p.say(event::RetryDue{0, w0}), QStringList());
    }
    p.run({w0});
    p.ended(w0, 137);
    QCOMPARE(taskCode(p.job.task(w0).state), 137);
    QCOMPARE(taskInfoOf(p.job, w0).reason, u"retry.cap"_s);
}

void TstNext::oldEventsDoNothing()
{
    JobPolicy policy = workers(2);
    policy.jobRetry = 1;
    Player p(policy);
    p.say(event::Submitted{});
    const QUuid old = p.uuid(w0);
    p.run({w0, w1});
    QCOMPARE(p.started(w0), QStringList());
    p.ended(w0, 255);
    p.ended(w1, 143);
    QCOMPARE(p.ended(w1, 0), QStringList());
    p.say(event::RetryDue{0, {}});
    QCOMPARE(p.say(event::TryEnded{w0, old, {0, 0, {}, {}}, 0, 0, true}), QStringList());
    QCOMPARE(p.say(event::TryStarted{w0, old, {}, 0}), QStringList());
    QCOMPARE(p.say(event::TryEnded{{7, 3}, old, {0, 0, {}, {}}, 0, 0, true}), QStringList());
    QCOMPARE(p.say(event::TryStarted{{-1, -1}, old, {}, 0}), QStringList());
    QCOMPARE(p.say(event::Submitted{}), QStringList());
    QCOMPARE(p.say(event::RetryDue{1, {}}), QStringList()); // it does not rest
    QCOMPARE(p.say(event::PlacementFailed{0, {w0}, {253, {}, {}, {}}}), QStringList());
}

// What is granted and no longer wanted goes back.
void TstNext::lostGrants()
{
    Player p(workers(2));
    p.say(event::Submitted{});
    const QUuid old = p.uuid(w0);
    p.say(event::StopRequested{});
    QCOMPARE(p.grant({w0}), (QStringList{u"ReleaseTry w/0#0@0"_s}));
    Player q(workers(1));
    q.say(event::Submitted{});
    q.grant({w0});
    QCOMPARE(q.grant({w0}), QStringList()); // it has it
    const QStringList lines = q.say(event::PlacementGranted{{{w0, old, {u"x"_s, {}, {}, {}}}, {w1, old, {}}}});
    QCOMPARE(lines, (QStringList{u"ReleaseTry ?/1#0@0"_s})); // the first is what it has, the second no task of it
}

void TstNext::gangNeedsAllPorts()
{
    Player p(workers(2));
    p.say(event::Submitted{});
    QCOMPARE(p.grant({w0}), (QStringList{u"DrawPorts w/0@0"_s}));
    QCOMPARE(p.ports({w0}), QStringList());
    p.grant({w1});
    QCOMPARE(p.ports({w1}).size(), 3);
    QCOMPARE(std::get<Launching>(p.job.task(w0).state).place.ports.first().second, QList<int>{15000});
}

void TstNext::peerThatNeverCame()
{
    JobPolicy policy = workers(2);
    policy.roles[0].minFailed = -1; // one more or less would not matter
    Player p(policy);
    p.say(event::Submitted{});
    p.grant({w0, w1});
    p.ports({w0, w1});
    p.started(w1);
    const QStringList lines = p.ended(w0, -1002, false);
    QVERIFY(lines.contains(u"StopTry w/1#0@0"_s));
    QCOMPARE(attemptInfoOf(p.job, 0).triggerRule, u"startFailed"_s);
    p.ended(w1, 143);
    QVERIFY(std::holds_alternative<Resting>(p.job.phase)); // transient
    // A mistake of the job's is judged by the policy.
    Player q(policy);
    q.say(event::Submitted{});
    q.grant({w0, w1});
    q.ports({w0, w1});
    q.ended(w0, -2010, false);
    QVERIFY(std::holds_alternative<Active>(q.job.phase));
}

void TstNext::placementFails()
{
    Player p(workers(2));
    p.say(event::Submitted{});
    p.grant({w0, w1});
    const QStringList lines = p.say(event::PlacementFailed{0, {w0}, {253, {}, u"ports.none"_s, {}}});
    QCOMPARE(lines.filter(u"ReleaseTry"_s).size(), 2);
    QVERIFY(std::holds_alternative<Resting>(p.job.phase)); // 253 is transient
    QCOMPARE(p.job.attempts.back().result->code, 253);
    Player q(workers(2, false));
    q.say(event::Submitted{});
    q.grant({w0});
    q.say(event::PlacementFailed{0, {w0, w1}, {-200, {}, {}, {}}});
    QVERIFY(q.job.isFinished());
    QCOMPARE(jobCode(q.job), -200);
    QCOMPARE(taskCode(q.job.task(w1).state), -220);
}

void TstNext::startAfterStop()
{
    Player p(workers(1));
    p.say(event::Submitted{});
    p.grant({w0});
    p.ports({w0});
    QVERIFY(p.say(event::StopRequested{}).contains(u"StopTry w/0#0@0"_s));
    QCOMPARE(p.started(w0), (QStringList{u"SaveTask w/0"_s}));
    QCOMPARE(taskInfoOf(p.job, w0).pid, 42);
    p.ended(w0, 143);
    QVERIFY(p.job.isFinished());
}

void TstNext::endWithoutStart()
{
    Player p(workers(1));
    p.say(event::Submitted{});
    p.grant({w0});
    p.ports({w0});
    p.ended(w0, 0); // so short that only the end was seen
    QVERIFY(p.job.isFinished());
    QVERIFY(summaryOf(p.job).launched.has_value());
    QVERIFY(taskInfoOf(p.job, w0).launched.has_value());
}

void TstNext::reconcile()
{
    JobPolicy policy = workers(6, false);
    policy.roles[0].minFailed = -1;
    Player p(policy);
    QCOMPARE(p.say(event::Reconcile{}).last(), u"RequestPlacement w/0 w/1 w/2 w/3 w/4 w/5@0"_s); // was never opened
    p.grant({{0, 1}, {0, 2}, {0, 3}, {0, 4}});
    p.ports({{0, 2}, {0, 3}, {0, 4}});
    p.started({0, 3});
    p.started({0, 4});
    p.ended({0, 4}, 0);
    const QStringList wanted{
        u"LaunchTry w/2#0@0"_s, u"ObserveTry w/3#0@0"_s, u"RequestPlacement w/0 w/5@0"_s, u"DrawPorts w/1@0"_s};
    QCOMPARE(p.say(event::Reconcile{}), wanted);
    QCOMPARE(p.say(event::Reconcile{}), wanted);
    p.say(event::StopRequested{});
    QCOMPARE(p.say(event::Reconcile{}), (QStringList{u"StopTry w/2#0@0"_s, u"StopTry w/3#0@0"_s}));
    p.ended({0, 2}, 143);
    p.ended({0, 3}, 143);
    QVERIFY(p.job.isFinished());
    QCOMPARE(p.say(event::Reconcile{}), QStringList());
    // Written down as ending, and everything gone: goes on from there.
    Player q(workers(1));
    q.say(event::Submitted{});
    q.run({w0});
    q.say(event::StopRequested{});
    q.job.task(w0).state = Ended{{}, 1, 2, {-220, {}, {}, {}}};
    recount(q.job);
    QCOMPARE(q.say(event::Reconcile{}).last(), u"JobEnded -210 STOPPED"_s);
    // Resting: the timer once more.
    Player r(workers(1));
    r.say(event::Submitted{});
    r.run({w0});
    r.ended(w0, 251);
    QVERIFY(r.say(event::Reconcile{}).last().startsWith(u"StartTimer @0 "_s));
}

void TstNext::pause()
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
    QCOMPARE(p.say(event::PauseRequested{true}), QStringList());
    // What has never started is held, and goes on with a later try.
    Player q(workers(1));
    q.say(event::Submitted{});
    QCOMPARE(q.say(event::PauseRequested{true}).last(), u"CancelPlacement @0"_s);
    QCOMPARE(summaryOf(q.job).reason, u"wait.paused"_s);
    QCOMPARE(q.say(event::Reconcile{}), QStringList());
    QCOMPARE(q.say(event::PauseRequested{false}).last(), u"RequestPlacement w/0@0"_s);
}

void TstNext::pauseBetween()
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

void TstNext::placesGivenBack()
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

void TstNext::timeLimit()
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

void TstNext::waitsForOthers()
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

// The record of an attempt says what ended it and when it ran, also for one that never did.
void TstNext::whatTipped()
{
    JobPolicy policy = workers(3);
    policy.roles[0].minFailed = 2;
    Player p(policy);
    p.say(event::Submitted{});
    QCOMPARE(attemptInfoOf(p.job, 0).created, 1000);
    QCOMPARE(attemptInfoOf(p.job, 0).launched, std::nullopt);
    p.grant({w0, w1, {0, 2}});
    p.ports({w0, w1, {0, 2}});
    p.now = 2000;
    p.started(w0);
    QCOMPARE(attemptInfoOf(p.job, 0).created, 1000);
    QCOMPARE(attemptInfoOf(p.job, 0).launched, 2000);
    p.started(w1);
    p.started({0, 2});
    p.ended(w0, 7);
    p.ended(w1, 9);
    const AttemptInfo failed = attemptInfoOf(p.job, 0);
    QCOMPARE(failed.triggerRule, u"minFailed"_s);
    QCOMPARE(failed.triggerCount, 2);
    QCOMPARE(failed.triggerLimit, 2);
    QCOMPARE(failed.triggerRawExit, 9);
    // The limit of version 1 counts what is completed, failed or not, in all roles.
    policy.roles[0].minFailed = -1;
    policy.completedLimit = 2;
    Player q(policy);
    q.say(event::Submitted{});
    q.run({w0, w1, {0, 2}});
    q.ended(w0, 0);
    q.ended(w1, 9);
    const AttemptInfo completed = attemptInfoOf(q.job, 0);
    QCOMPARE(completed.triggerRule, u"completedTasks"_s);
    QCOMPARE(completed.triggerCount, 2);
    QCOMPARE(completed.exitCode, 9);
    QCOMPARE(summaryOf(q.job).reason, u"job.completedTasks"_s);
}

void TstNext::noTasks()
{
    Player p(workers(0));
    p.say(event::Submitted{});
    QVERIFY(p.job.isFinished());
    QCOMPARE(jobCode(p.job), 0);
}

// Any events in any order: never a crash, counters right, codes written once, and at the end nothing is held.
void TstNext::total()
{
    QRandomGenerator random(4711);
    int events = 0;
    int finished = 0;
    for (int round = 0; round < 300; ++round) {
        JobPolicy policy;
        policy.gang = random.bounded(2) == 0;
        policy.jobRetry = random.bounded(4) - 1;
        policy.guards = random.bounded(2) ? GuardRails{} : openPaiGuardRails();
        const int roles = 1 + random.bounded(3);
        for (int i = 0; i < roles; ++i) {
            policy.roles.push_back({QString(QChar(u'a' + char16_t(i))), 1 + random.bounded(3), random.bounded(4) - 1,
                random.bounded(4) - 1, random.bounded(3) - 1, {}});
        }
        Player p(policy);
        const auto any = [&] { return TaskRef{random.bounded(roles + 1), random.bounded(4)}; };
        const auto anyUuid = [&](TaskRef ref) {
            return p.job.contains(ref) ? tryUuid(p.job, ref) : QUuid::createUuidV5(QUuid(), u"x"_s);
        };
        static const QList<int> codes{0, 0, 1, 137, 220, 251, 255, -101, -220, -1004};
        QHash<QString, int> written;
        const auto check = [&] {
            JobState copy = p.job;
            recount(copy);
            const auto sameCounters = copy.counts == p.job.counts && copy.endedTasks == p.job.endedTasks
                && copy.heldTasks == p.job.heldTasks && copy.unreadyTasks == p.job.unreadyTasks;
            if (!sameCounters) {
                return false;
            }
            for (std::size_t i = 0; i < p.job.tasks.size(); ++i) {
                if (const auto code = taskCode(p.job.tasks[i].state)) {
                    const QString name = p.uuid(p.job.refAt(i)).toString();
                    if (written.value(name, *code) != *code) {
                        return false;
                    }
                    written.insert(name, *code);
                }
            }
            return p.job.attempts.empty() || p.job.attempts.size() == std::size_t(p.job.retries) + 1;
        };
        for (int i = 0; i < 120; ++i, ++events) {
            p.now += random.bounded(1000);
            const TaskRef ref = any();
            switch (random.bounded(12)) {
            case 0:
                p.say(event::Submitted{});
                break;
            case 1:
                p.say(event::PlacementGranted{{{ref, anyUuid(ref), {u"h"_s, {}, {}, {}}}}});
                break;
            case 2:
            case 3: {
                event::PlacementGranted granted;
                for (std::size_t t = 0; t < p.job.tasks.size(); ++t) {
                    granted.grants.push_back({p.job.refAt(t), anyUuid(p.job.refAt(t)), {u"h"_s, {}, {}, {}}});
                }
                p.say(granted);
                break;
            }
            case 4:
                p.say(event::PortsDrawn{{{ref, anyUuid(ref), {}}}});
                break;
            case 5: {
                event::PortsDrawn drawn;
                for (std::size_t t = 0; t < p.job.tasks.size(); ++t) {
                    drawn.tasks.push_back({p.job.refAt(t), anyUuid(p.job.refAt(t)), {}});
                }
                p.say(drawn);
                break;
            }
            case 6:
                p.say(event::TryStarted{ref, anyUuid(ref), {u"b"_s, 1, 1}, 0});
                break;
            case 7:
            case 8:
                p.say(event::TryEnded{ref, anyUuid(ref), {codes[random.bounded(int(codes.size()))], {}, {}, {}}, 0, 0,
                    random.bounded(3) > 0});
                break;
            case 9:
                if (random.bounded(20) == 0) {
                    p.say(event::StopRequested{});
                }
                break;
            case 10:
                p.say(event::RetryDue{p.job.retries, random.bounded(2) ? std::optional(ref) : std::nullopt});
                break;
            default:
                p.say(event::Reconcile{});
                break;
            }
            QVERIFY(check());
        }
        // Whatever it is in the middle of, a stop ends it.
        p.say(event::Submitted{});
        p.say(event::StopRequested{});
        for (int i = 0; i < 20 && !p.job.isFinished(); ++i, ++events) {
            p.say(event::RetryDue{p.job.retries, {}});
            for (std::size_t t = 0; t < p.job.tasks.size(); ++t) {
                p.ended(p.job.refAt(t), 143);
            }
            QVERIFY(check());
        }
        QVERIFY(p.job.isFinished());
        QCOMPARE(p.job.heldTasks, 0);
        ++finished;
    }
    qInfo("%d events in %d jobs", events, finished);
}

// A job that is over gets one more attempt; who is not named keeps what there was.
void TstNext::retryByHand()
{
    JobPolicy policy = workers(3);
    policy.roles[0].minFailed = -1;
    Player p(policy);
    QVERIFY(p.say(event::RetryRequested{}).isEmpty()); // not over
    p.say(event::Submitted{});
    const std::vector<TaskRef> all{{0, 0}, {0, 1}, {0, 2}};
    p.run(all);
    QVERIFY(p.say(event::RetryRequested{}).isEmpty());
    p.ended(all[0], 0);
    p.ended(all[1], 7);
    p.ended(all[2], 0);
    QVERIFY(p.job.isFinished());
    QCOMPARE(p.job.attempt(), 0);

    p.now = 5000;
    const QStringList again = p.say(event::RetryRequested{{w1}});
    QVERIFY2(again.join(u' ').contains(u"RequestPlacement"_s), qPrintable(again.join(u'\n')));
    QCOMPARE(std::get<effect::RequestPlacement>(p.effects.back()).tasks, std::vector<TaskRef>{w1});
    QCOMPARE(p.job.attempt(), 1);
    QCOMPARE(p.job.accountable, 0); // the budget is for the machine, not for people
    QCOMPARE(p.job.counts.succeeded, 2);
    QCOMPARE(p.job.task(w0).keptFrom, std::optional<int>(0));
    QCOMPARE(taskInfoOf(p.job, w0).created, 1000); // not after it had ended
    QCOMPARE(taskInfoOf(p.job, w1).created, 5000);
    QCOMPARE(p.job.task(w1).keptFrom, std::optional<int>());
    QVERIFY(!p.job.isFinished());
    p.run({w1});
    p.ended(w1, 0);
    QVERIFY(p.job.isFinished());
    QCOMPARE(jobCode(p.job), std::optional<int>(0));
    QCOMPARE(summaryOf(p.job).state, State::Succeeded);
    QCOMPARE(p.job.counts.succeeded, 3);

    // Kept twice is still of the first; a stopped job can run again as a whole.
    p.say(event::RetryRequested{{w1}});
    QCOMPARE(p.job.task(w0).keptFrom, std::optional<int>(0));
    p.say(event::StopRequested{});
    QVERIFY(p.job.isFinished());
    QCOMPARE(jobCode(p.job), std::optional<int>(codeStopJob));
    p.say(event::RetryRequested{});
    QCOMPARE(p.job.attempt(), 3);
    QVERIFY(!p.job.stopRequested);
    QCOMPARE(p.job.counts.waiting, 3);
    p.run(all);
    for (TaskRef ref : all) {
        QVERIFY(!p.job.task(ref).keptFrom);
        p.ended(ref, 0);
    }
    QCOMPARE(summaryOf(p.job).state, State::Succeeded);
    QCOMPARE(p.job.heldTasks, 0);
}

// One event costs what it touches, not what the job has.
void TstNext::fast()
{
    constexpr int count = 10000;
    JobPolicy policy = workers(count, false);
    Player p(policy);
    QElapsedTimer timer;
    timer.start();
    const auto say = [&](decltype(Event::what) what) {
        Step step = next(std::move(p.job), {p.now, std::move(what)});
        p.job = std::move(step.job);
        return step.effects.size();
    };
    std::size_t effects = say(event::Submitted{});
    for (int i = 0; i < count; ++i) {
        const TaskRef ref{0, i};
        const QUuid uuid = p.uuid(ref);
        effects += say(event::PlacementGranted{{{ref, uuid, {u"local"_s, u"127.0.0.1"_s, {}, {}}}}});
        effects += say(event::PortsDrawn{{{ref, uuid, {{u"http"_s, {15000}}}}}});
        effects += say(event::TryStarted{ref, uuid, {u"boot"_s, i, 1}, p.now});
        effects += say(event::TryEnded{ref, uuid, {0, 0, {}, {}}, 0, 0, true});
    }
    QVERIFY(p.job.isFinished());
    qInfo("%d tasks, %d events, %d effects: %lld ms", count, 4 * count + 1, int(effects), timer.elapsed());
#if !defined(__SANITIZE_ADDRESS__)
    QVERIFY(timer.elapsed() < 2000);
#endif
}

TRAINYARD_TEST(TstNext)
#include "tst_next.moc"
