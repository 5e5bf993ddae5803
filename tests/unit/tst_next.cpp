// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/failurefacts.h"
#include "engine/api/reasons.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/played.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using namespace trainyard::core::played;

// What is done about what happens, in order.
class TstNext : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void gang();
    void taskByTask();
    void stop();
    void stopWaiting();
    void stopByARule();
    void aStopThatComesTooLate();
    void oldEventsDoNothing();
    void lostGrants();
    void gangNeedsAllPorts();
    void theFirstToEndIsNamed();
    void theCauseMayBeElsewhere();
    void peerThatNeverCame();
    void placementFails();
    void startAfterStop();
    void endWithoutStart();
    void reconcile();
    void whenItRan();
    void whatTipped_data();
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
    QCOMPARE(summaryOf(p.job).launched, std::nullopt); // what never ran was never launched
    QCOMPARE(summaryOf(p.job).completed, p.now);
    Player q(workers(1));
    q.say(event::Submitted{});
    QCOMPARE(q.say(event::StopRequested{}).filter(u"CancelPlacement"_s), (QStringList{u"CancelPlacement @0"_s}));
    QVERIFY(q.job.isFinished());
    Player before(workers(1));
    before.say(event::StopRequested{});
    QVERIFY(before.job.isFinished());
    QCOMPARE(jobCode(before.job), codeStopJob);
}

// Why is part of the result of the attempt, which is stored, also where the job waited for its next attempt.
void TstNext::stopByARule()
{
    const Error why = errorOf(reason::StopWorse{u"loss"_s, 100, 0.9, 0.4, 7});
    Player p(workers(1));
    p.say(event::Submitted{});
    p.run({w0});
    p.say(event::StopRequested{why});
    p.ended(w0, 143);
    QCOMPARE(summaryOf(p.job).state, State::Stopped);
    QCOMPARE(reason::as<reason::StopWorse>(summaryOf(p.job).reason, summaryOf(p.job).reasonArgs)->median, 0.4);
    p.say(event::RetryRequested{}); // of a person
    p.say(event::StopRequested{});
    QCOMPARE(summaryOf(p.job).state, State::Stopped);
    QCOMPARE(summaryOf(p.job).reason, QString());
    JobPolicy again = workers(1);
    again.jobRetry = 3;
    again.guards.minPauseMs = 1000;
    Player resting(again);
    resting.say(event::Submitted{});
    resting.run({w0});
    resting.ended(w0, 255);
    resting.say(event::StopRequested{why});
    QVERIFY(resting.job.isFinished());
    QCOMPARE(summaryOf(resting.job).reason, QString(reason::StopWorse::code));
}

// The values of a job arrive late, at a cluster after its end, and a person may stop it while the line to its host is
// cut. What has succeeded by itself has not been stopped.
void TstNext::aStopThatComesTooLate()
{
    const Error worse = errorOf(reason::StopWorse{u"loss"_s, 100, 0.9, 0.4, 7});
    const auto stopped = [](Player &p, const Error &why) {
        p.say(event::Submitted{});
        p.run({w0, w1});
        p.say(event::StopRequested{why});
    };
    const auto over = [](Player &p, TaskRef task, int code, bool isOwn) {
        event::TryEnded ended{task, p.uuid(task), {code, code, {}, {}}, 0, 0, true};
        ended.isOwn = isOwn;
        return p.say(ended);
    };
    Player late(workers(2));
    stopped(late, worse);
    over(late, w1, 0, true);
    QCOMPARE(summaryOf(late.job).state, State::Stopping);
    QVERIFY(over(late, w0, 0, true).contains(u"JobEnded 0 SUCCEEDED"_s));
    QCOMPARE(summaryOf(late.job).reason, QString());
    QCOMPARE(summaryOf(late.job).counts.succeeded, 2);
    Player half(workers(2)); // one had to be ended
    stopped(half, worse);
    over(half, w1, 0, true);
    over(half, w0, 143, false);
    QCOMPARE(summaryOf(half.job).state, State::Stopped);
    QCOMPARE(summaryOf(half.job).reason, QString(reason::StopWorse::code));
    Player saves(workers(2)); // it saves its state when it is asked to end, and says that this went well
    stopped(saves, worse);
    over(saves, w1, 0, false);
    over(saves, w0, 0, false);
    QCOMPARE(summaryOf(saves.job).state, State::Stopped);
    Player person(workers(2)); // whose stop has not come through to the host
    stopped(person, {});
    over(person, w1, 0, true);
    over(person, w0, 0, true);
    QCOMPARE(summaryOf(person.job).state, State::Succeeded);
    Player failed(workers(2));
    stopped(failed, {});
    over(failed, w1, 3, true);
    over(failed, w0, 143, false);
    QCOMPARE(summaryOf(failed.job).state, State::Stopped);
    QCOMPARE(std::get<Ended>(failed.job.task(w1).state).result.code, 3);
    QCOMPARE(std::get<Ended>(failed.job.task(w0).state).result.code, codeAttemptEnded);
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

// Of exits that are noticed together the first one ends the attempt, and not the one of the first role.
void TstNext::theFirstToEndIsNamed()
{
    Player p(workers(2));
    p.say(event::Submitted{});
    p.run({w0, w1});
    std::vector<Event> noticed;
    for (const auto &[task, ended] : {std::pair(w0, qint64(4000)), std::pair(w1, qint64(3000))}) {
        event::TryEnded over{task, p.uuid(task), {}, 0, ended};
        over.result.code = 255;
        noticed.push_back({5000, over});
    }
    orderTick(noticed);
    QCOMPARE(noticed.size(), std::size_t(1));
    p.job = next(std::move(p.job), noticed.front(), ExitRules::bundled()).job;
    QCOMPARE(attemptInfoOf(p.job, 0).triggerIndex, 1);
}

// Of two ranks the one that only lost its peer ends first; the one that failed is stopped while it still ends.
void TstNext::theCauseMayBeElsewhere()
{
    const auto facts = [](const QString &cause, const QString &certainty, const QString &text, bool follows = false) {
        FailureFacts made;
        made.cause = cause;
        made.certainty = certainty;
        made.line = 3;
        made.text = text;
        made.follows = follows;
        return made;
    };
    const FailureFacts lost = facts(u"nccl-error"_s, u"likely"_s, u"lost"_s, true);
    const FailureFacts own = facts(u"user-code-error"_s, u"certain"_s, u"assert"_s);
    const auto endWith = [](Player &p, TaskRef ref, const FailureFacts &why) {
        TryResult result{.code = 255, .rawExit = 1, .reason = u"exit.user"_s, .reasonArgs = {}};
        result.reasonArgs = {{failureKey, why.toJson()}};
        p.say(event::TryEnded{ref, p.uuid(ref), result, 0, 0, true});
    };
    const auto failureOf
        = [](const QJsonObject &args) { return FailureFacts::fromJson(args.value(failureKey).toObject()); };
    const auto run = [&](const FailureFacts &first, const FailureFacts &second) {
        Player p(workers(2));
        p.say(event::Submitted{});
        p.run({w0, w1});
        endWith(p, w0, first);
        endWith(p, w1, second);
        return p.job;
    };
    JobState job = run(lost, own);
    FailureFacts told = failureOf(summaryOf(job).reasonArgs);
    QCOMPARE(told.text, u"assert"_s);
    QCOMPARE(told.task, u"w/1"_s);
    QCOMPARE(summaryOf(job).reasonArgs.value("index"_L1).toInt(), 0); // which ended the job all the same
    QCOMPARE(failureOf(taskInfoOf(job, w1).reasonArgs).text, u"assert"_s); // the task itself says it too
    QCOMPARE(taskCode(job.task(w1).state), -220);
    QCOMPARE(failureOf(taskInfoOf(job, w0).reasonArgs).text, u"lost"_s);

    // A cause of its own is not replaced, nor one that follows by another that does, nor by what is only likely.
    QCOMPARE(failureOf(summaryOf(run(own, own)).reasonArgs).task, QString());
    QCOMPARE(failureOf(summaryOf(run(lost, lost)).reasonArgs).task, QString());
    FailureFacts guess = own;
    guess.certainty = u"likely"_s;
    QCOMPARE(failureOf(summaryOf(run(lost, guess)).reasonArgs).text, u"lost"_s);
    // What ended without a word may have followed as well.
    QCOMPARE(failureOf(summaryOf(run(facts(u"unknown"_s, u"unknown"_s, {}), own)).reasonArgs).task, u"w/1"_s);

    // Also when both are noticed at once.
    Player p(workers(2));
    p.say(event::Submitted{});
    p.run({w0, w1});
    event::TriesEnded both;
    for (const auto &[ref, why] : {std::pair(w0, lost), std::pair(w1, own)}) {
        event::TryEnded over{ref, p.uuid(ref), {255, 1, u"exit.user"_s, {}}, 0, 4000, true};
        over.result.reasonArgs = {{failureKey, why.toJson()}};
        both.tries.push_back(over);
    }
    p.say(both);
    QCOMPARE(failureOf(summaryOf(p.job).reasonArgs).task, u"w/1"_s);
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
    QVERIFY(std::holds_alternative<Backoff>(p.job.phase)); // transient
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
    QVERIFY(std::holds_alternative<Backoff>(p.job.phase)); // 253 is transient
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
    p.now = 4000;
    QCOMPARE(p.started(w0), (QStringList{u"SaveAttempt @0"_s, u"SaveJob"_s, u"SaveTask w/0"_s}));
    QCOMPARE(taskInfoOf(p.job, w0).pid, 42);
    p.now = 9000;
    p.ended(w0, 143);
    QVERIFY(p.job.isFinished());
    QCOMPARE(summaryOf(p.job).began, std::optional<qint64>(4000)); // it has run, and its time counts
    QCOMPARE(taskInfoOf(p.job, w0).launched, 4000);
    // Only its end was seen.
    Player q(workers(1));
    q.say(event::Submitted{});
    q.grant({w0});
    q.ports({w0});
    q.say(event::StopRequested{});
    q.now = 9000;
    q.say(event::TryEnded{w0, q.uuid(w0), {143, 143, {}, {}}, 5000, 8000, true});
    QVERIFY(q.job.isFinished());
    QCOMPARE(summaryOf(q.job).launched, std::optional<qint64>(5000));
    QCOMPARE(taskInfoOf(q.job, w0).completed, std::optional<qint64>(8000));
    // It never began.
    Player r(workers(1));
    r.say(event::Submitted{});
    r.grant({w0});
    r.ports({w0});
    r.say(event::StopRequested{});
    r.ended(w0, 143, false);
    QVERIFY(r.job.isFinished());
    QCOMPARE(summaryOf(r.job).launched, std::nullopt);
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
    // Backoff: the timer once more.
    Player r(workers(1));
    r.say(event::Submitted{});
    r.run({w0});
    r.ended(w0, 251);
    QVERIFY(r.say(event::Reconcile{}).last().startsWith(u"StartTimer @0 "_s));
}

// The record of an attempt says when it ran, also of one that never did ...
void TstNext::whenItRan()
{
    Player p(workers(2));
    p.say(event::Submitted{});
    QCOMPARE(attemptInfoOf(p.job, 0).created, 1000);
    QCOMPARE(attemptInfoOf(p.job, 0).launched, std::nullopt);
    p.grant({w0, w1});
    p.ports({w0, w1});
    p.now = 2000;
    p.started(w0);
    QCOMPARE(attemptInfoOf(p.job, 0).created, 1000);
    QCOMPARE(attemptInfoOf(p.job, 0).launched, 2000);
    p.started(w1);
    // Nobody looked for a while; the records of the tries tell.
    p.now = 90'000;
    p.say(event::TryEnded{w0, p.uuid(w0), {0, 0, {}, {}}, 2000, 5000, true});
    p.say(event::TryEnded{w1, p.uuid(w1), {0, 0, {}, {}}, 2000, 7000, true});
    QCOMPARE(attemptInfoOf(p.job, 0).completed, 7000);
    QCOMPARE(summaryOf(p.job).completed, 7000);
    // A host whose clock is ahead does not make it end in the future.
    Player q(workers(1));
    q.say(event::Submitted{});
    q.run({w0});
    q.now = 3000;
    q.say(event::TryEnded{w0, q.uuid(w0), {0, 0, {}, {}}, 2000, 9'000'000, true});
    QCOMPARE(summaryOf(q.job).completed, 3000);
}

// ... and what ended it.
void TstNext::whatTipped_data()
{
    QTest::addColumn<int>("minFailed");
    QTest::addColumn<int>("completedLimit");
    QTest::addColumn<int>("first"); // code of the first task that ends; the second one's is 9
    QTest::addColumn<QString>("rule");
    QTest::newRow("failed tasks") << 2 << 0 << 7 << u"minFailed"_s;
    QTest::newRow("completed tasks, failed or not, a limit of version 1") << -1 << 2 << 0 << u"completedTasks"_s;
}

void TstNext::whatTipped()
{
    QFETCH(int, minFailed);
    QFETCH(int, completedLimit);
    QFETCH(int, first);
    QFETCH(QString, rule);
    JobPolicy policy = workers(3);
    policy.roles[0].minFailed = minFailed;
    policy.completedLimit = completedLimit;
    Player p(policy);
    p.say(event::Submitted{});
    p.run({w0, w1, {0, 2}});
    p.ended(w0, first);
    p.ended(w1, 9);
    const AttemptInfo attempt = attemptInfoOf(p.job, 0);
    QCOMPARE(attempt.triggerRule, rule);
    QCOMPARE(attempt.triggerCount, 2);
    QCOMPARE(attempt.triggerLimit, 2);
    QCOMPARE(attempt.triggerIndex, 1);
    QCOMPARE(attempt.triggerRawExit, 9);
    QCOMPARE(attempt.exitCode, 9);
    QCOMPARE(summaryOf(p.job).rawExit, 9);
    QCOMPARE(summaryOf(p.job).reason, QString(u"job."_s + rule));
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
        policy.guards = random.bounded(2) ? RetryLimits{} : scenarios::openPaiRetryLimits();
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
                && copy.allocatedTasks == p.job.allocatedTasks && copy.unreadyTasks == p.job.unreadyTasks;
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
        QCOMPARE(p.job.allocatedTasks, 0);
        ++finished;
    }
    qInfo("%d events in %d jobs", events, finished);
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
        Step step = next(std::move(p.job), {p.now, std::move(what)}, ExitRules::bundled());
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
#if !defined(TRAINYARD_ADDRESS_SANITIZED)
    QVERIFY(timer.elapsed() < 10000);
#endif
}

TRAINYARD_TEST(TstNext)
#include "tst_next.moc"
