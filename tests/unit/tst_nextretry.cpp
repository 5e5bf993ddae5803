// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/jobfacts.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/played.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using namespace trainyard::core::played;

// When a job or a task is tried again, by the engine and by hand.
class TstNextRetry : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void retryOfTheJob();
    void conflict();
    void ownRules();
    void timeOfAllAttempts();
    void timeWhilePausedBetweenAttempts();
    void timeOfAnAttemptThatNeverBegan();
    void timeOfAJobThatNeverBegan();
    void pauseAndCap();
    void serviceThatDoesNotRun_data();
    void serviceThatDoesNotRun();
    void capOfTasks();
    void waitsSayWhatWasDecided();
    void takenGpusCostNothing();
    void retryByHand();
    void notDone();
};

void TstNextRetry::retryOfTheJob()
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
    QCOMPARE(p.job.chargedRetries, 1);
    QCOMPARE(summaryOf(p.job).state, State::Waiting);
}

void TstNextRetry::conflict()
{
    JobPolicy policy = workers(1);
    Player p(policy);
    p.now = 1'000'000;
    p.say(event::Submitted{});
    p.run({w0});
    QStringList lines = p.ended(w0, 251);
    const auto backoff = std::get<Backoff>(p.job.phase);
    QVERIFY(backoff.conflict);
    QVERIFY(backoff.due >= p.now + 60'000 && backoff.due <= p.now + 900'000);
    QCOMPARE(lines.last(), u"StartTimer @0 %1"_s.arg(backoff.due));
    QCOMPARE(*summaryOf(p.job).retryDelaySec, (backoff.due - p.now) / 1000);
    // The same again: the same delay. Other jobs: other delays.
    QSet<qint64> delays;
    for (int i = 0; i < 50; ++i) {
        Player q(policy);
        q.job.uuid = QUuid::createUuidV5(QUuid(), QByteArray::number(i));
        q.say(event::Submitted{});
        q.run({w0});
        q.ended(w0, 251);
        delays.insert(std::get<Backoff>(q.job.phase).due);
    }
    QVERIFY(delays.size() > 40);
}

// What is retried is said by the rules that next() is given, whatever the process goes by.
void TstNextRetry::ownRules()
{
    const Result<ExitRules> own = ExitRules::bundled().withOwn(R"({"entries": [{"code": 241, "phrase": "LicenceBusy",
            "behavior": "TRANSIENT_NORMAL", "reason": "No licence is free."}]})");
    QVERIFY2(own, own ? "" : qPrintable(own.error().code));
    for (const ExitRules *rules : {&ExitRules::bundled(), &*own}) {
        Player p(workers(1));
        p.rules = rules;
        p.say(event::Submitted{});
        p.run({w0});
        p.ended(w0, 241);
        QCOMPARE(std::holds_alternative<Backoff>(p.job.phase), rules == &*own);
        QCOMPARE(std::holds_alternative<Finished>(p.job.phase), rules != &*own);
    }
}

// Lists show the time of all attempts together: pauses by hand and the waits between attempts are none of it.
void TstNextRetry::timeOfAllAttempts()
{
    JobPolicy policy = workers(1);
    policy.guards = RetryLimits{};
    Player p(policy);
    const auto all = [&p] { return allAttemptsMs(summaryOf(p.job), p.now); };
    p.say(event::Submitted{}); // at 1000
    p.now = 3000;
    QCOMPARE(all(), 2000); // it has never started: how long it waits
    p.run({w0});
    p.now += 10'000;
    p.say(event::PauseRequested{true});
    p.now += 5000;
    p.say(event::PauseRequested{false});
    QCOMPARE(all(), 10'000);
    p.ended(w0, 143);
    p.now += 2000;
    QCOMPARE(summaryOf(p.job).reason, u"wait.retry"_s);
    QCOMPARE(all(), 10'000);
    p.now += 1000;
    p.say(event::RetryDue{p.job.retries, {}});
    p.now += 4000;
    QCOMPARE(summaryOf(p.job).state, State::Waiting);
    QCOMPARE(all(), 10'000); // the second attempt waits for its place
    p.run({w0});
    p.now += 600;
    QCOMPARE(all(), 10'600);
    QCOMPARE(countedMs(summaryOf(p.job), p.now), 600); // what is said of the attempt alone
    p.ended(w0, 0);
    p.now += 50'000;
    const JobSummary over = summaryOf(p.job);
    QCOMPARE(over.state, State::Succeeded);
    QCOMPARE(over.formerMs, 10'000);
    QCOMPARE(all(), 10'600);
    QCOMPARE(JobSummary::fromJson(over.toJson()).formerMs, 10'000);
}

// Whoever pauses a job that waits for its next attempt stops no clock: none runs.
void TstNextRetry::timeWhilePausedBetweenAttempts()
{
    JobPolicy policy = workers(1);
    policy.guards = RetryLimits{};
    Player p(policy);
    p.say(event::Submitted{});
    p.run({w0});
    p.now += 10'000;
    p.ended(w0, 143);
    p.now += 2000;
    p.say(event::PauseRequested{true});
    QVERIFY(summaryOf(p.job).paused);
    QCOMPARE(allAttemptsMs(summaryOf(p.job), p.now), 10'000);
    p.now += 60'000;
    QCOMPARE(allAttemptsMs(summaryOf(p.job), p.now), 10'000);
}

// Stopped while its second attempt waits for a place: nothing ran meanwhile.
void TstNextRetry::timeOfAnAttemptThatNeverBegan()
{
    JobPolicy policy = workers(1);
    policy.guards = RetryLimits{};
    Player p(policy);
    p.say(event::Submitted{});
    p.run({w0});
    p.now += 10'000;
    p.ended(w0, 143);
    p.now += 3000;
    p.say(event::RetryDue{p.job.retries, {}});
    p.now += 60'000;
    p.say(event::StopRequested{});
    const JobSummary stopped = summaryOf(p.job);
    QCOMPARE(stopped.state, State::Stopped);
    QCOMPARE(stopped.countedFrom(), *stopped.completed);
    QCOMPARE(allAttemptsMs(stopped, p.now + 1000), 10'000);
}

// Stopped before its first start: it has waited, and taken no time.
void TstNextRetry::timeOfAJobThatNeverBegan()
{
    Player p(workers(1));
    p.say(event::Submitted{});
    p.now += 20'000;
    QCOMPARE(allAttemptsMs(summaryOf(p.job), p.now), 20'000);
    p.say(event::StopRequested{});
    const JobSummary stopped = summaryOf(p.job);
    QCOMPARE(stopped.state, State::Stopped);
    QCOMPARE(allAttemptsMs(stopped, p.now + 1000), 0);
}

void TstNextRetry::pauseAndCap()
{
    JobPolicy policy = workers(1);
    policy.guards = RetryLimits{};
    policy.guards.freeRetryCap = 3;
    Player p(policy);
    p.say(event::Submitted{});
    for (const qint64 pause : {3000, 6000, 12000}) {
        p.run({w0});
        p.now += 10;
        QCOMPARE(p.ended(w0, 143).last(), u"StartTimer @%1 %2"_s.arg(p.job.retries).arg(p.now + pause));
        // Nothing runs meanwhile, and it says why, which retry comes, and when.
        const JobSummary waits = summaryOf(p.job);
        QCOMPARE(waits.state, State::Waiting);
        QCOMPARE(waits.subState, u"AttemptCompleted"_s);
        QCOMPARE(waits.reason, u"wait.retry"_s);
        QCOMPARE(waits.reasonArgs,
            (QJsonObject{{u"due"_s, p.now + pause}, {u"number"_s, p.job.retries + 1}, {u"limit"_s, 3}, {u"code"_s, 143},
                {u"status"_s, 143}, {u"role"_s, u"w"_s}, {u"index"_s, 0}, {u"since"_s, p.now}, {u"free"_s, true}}));
        // The pause is none of its time.
        QCOMPARE(clockEnd(waits, p.now + 5000) - waits.countedFrom(), 10);
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
    QCOMPARE(std::get<Backoff>(service.job.phase).due, service.now + 3000);
    QCOMPARE(summaryOf(service.job).reasonArgs.value(u"number").toInt(), 1);
    QCOMPARE(summaryOf(service.job).reasonArgs.value(u"limit").toInt(-1), 0); // without end
    // A stop ends the waiting.
    service.say(event::StopRequested{});
    QVERIFY(service.job.isFinished());
    QCOMPARE(summaryOf(service.job).state, State::Stopped);
}

void TstNextRetry::serviceThatDoesNotRun_data()
{
    QTest::addColumn<int>("tasks");
    QTest::newRow("one task") << 1;
    QTest::newRow("a gang") << 2;
}

// Somebody has to start it: the wait says so from the first time on, and the job fails soon.
void TstNextRetry::serviceThatDoesNotRun()
{
    QFETCH(int, tasks);
    JobPolicy policy = workers(tasks);
    policy.guards = RetryLimits{};
    Player p(policy);
    p.say(event::Submitted{});
    const QString service = u"launch.container-service"_s;
    const QJsonObject said{{u"detail"_s, u"Cannot connect to the Docker daemon."_s}};
    int waits = 0;
    for (; !p.job.isFinished() && waits < 20; ++waits) {
        const std::vector<TaskRef> all = tasks == 1 ? std::vector<TaskRef>{w0} : std::vector<TaskRef>{w0, w1};
        p.grant(all);
        p.ports(all);
        p.say(event::TryEnded{w0, p.uuid(w0), {-120, {}, service, said}, 0, 0, false});
        if (tasks > 1) { // it is stopped, since the other one does not come
            p.ended(w1, 143, false);
        }
        if (p.job.isFinished()) {
            break;
        }
        const JobSummary summary = summaryOf(p.job);
        QCOMPARE(summary.reason, u"wait.retry"_s);
        QCOMPARE(summary.reasonArgs.value(u"limit"_s).toInt(), 5);
        const QJsonObject why = summary.reasonArgs.value(u"why"_s).toObject();
        QCOMPARE(why.value(u"code"_s).toString(), service);
        p.now += 300'000;
        p.say(event::RetryDue{p.job.retries, {}});
    }
    QCOMPARE(waits, 5);
    QCOMPARE(summaryOf(p.job).state, State::Failed);
    QCOMPARE(summaryOf(p.job).reason, service);
    QCOMPARE(summaryOf(p.job).reasonArgs.value(u"detail"_s), said.value(u"detail"_s));
}

void TstNextRetry::capOfTasks()
{
    JobPolicy policy = workers(2, false);
    policy.guards = RetryLimits{};
    policy.guards.freeRetryCap = 2;
    Player p(policy);
    p.say(event::Submitted{});
    for (int i = 0; i < 2; ++i) {
        p.run({w0});
        const QStringList lines = p.ended(w0, 137);
        QCOMPARE(lines.last(), u"StartTimer w/0@0 %1"_s.arg(p.now + (3000 << i)));
        QCOMPARE(taskInfoOf(p.job, w0).state, State::Waiting);
        QCOMPARE(taskInfoOf(p.job, w0).reason, u"wait.retry"_s);
        QCOMPARE(taskInfoOf(p.job, w0).reasonArgs,
            (QJsonObject{{u"due"_s, p.now + (3000 << i)}, {u"number"_s, i + 1}, {u"limit"_s, 2}, {u"code"_s, 137},
                {u"status"_s, 137}, {u"role"_s, u"w"_s}, {u"index"_s, 0}, {u"since"_s, p.now}, {u"free"_s, true}}));
        QCOMPARE(summaryOf(p.job).state, State::Waiting); // nothing of it runs
        p.now += 10000;
        QCOMPARE(p.say(event::RetryDue{0, w0}), (QStringList{u"SaveTask w/0"_s, u"RequestPlacement w/0@0"_s}));
        QCOMPARE(p.say(event::RetryDue{0, w0}), QStringList());
    }
    p.run({w0});
    p.ended(w0, 137);
    QCOMPARE(taskCode(p.job.task(w0).state), 137);
    QCOMPARE(taskInfoOf(p.job, w0).reason, u"retry.cap"_s);
    // A pause that was cut short leaves its timer behind, which ends no later pause.
    Player cut(policy);
    cut.say(event::Submitted{});
    cut.run({w0});
    cut.ended(w0, 137);
    const qint64 former = cut.now + 3000;
    cut.say(event::RetryDue{0, w0});
    cut.run({w0});
    cut.now += 100;
    cut.ended(w0, 137);
    QCOMPARE(cut.say(event::RetryDue{0, w0, former}), QStringList());
    QVERIFY(!cut.say(event::RetryDue{0, w0, cut.now + 6000}).isEmpty());
    // The clock of a job stands while all that it has waits to be tried again.
    JobPolicy one = workers(1, false);
    one.guards = policy.guards;
    Player q(one);
    q.say(event::Submitted{});
    q.run({w0});
    q.now += 10;
    q.ended(w0, 137);
    QCOMPARE(summaryOf(q.job).reason, u"wait.retry"_s);
    QCOMPARE(clockEnd(summaryOf(q.job), q.now + 5000), q.now);
    QCOMPARE(clockEnd(taskInfoOf(q.job, w0), q.now + 5000), q.now);
}

// Whether a retry is free was decided by the rules of that time; a reader of the state needs none.
void TstNextRetry::waitsSayWhatWasDecided()
{
    const Result<ExitRules> own = ExitRules::bundled().withOwn(R"({"entries": [{"code": 241, "phrase": "LicenceBusy",
        "behavior": "TRANSIENT_NORMAL", "reason": "No licence was free."}]})");
    QVERIFY(own);
    JobPolicy policy = workers(2, false);
    policy.guards = RetryLimits{};
    policy.guards.freeRetryCap = 2;
    Player p(policy);
    p.rules = &*own;
    p.say(event::Submitted{});
    p.run({w0});
    p.ended(w0, 241);
    QCOMPARE(taskInfoOf(p.job, w0).reasonArgs.value("number"_L1).toInt(), 1);
    QCOMPARE(taskInfoOf(p.job, w0).reasonArgs.value("limit"_L1).toInt(), 2); // of free ones
    policy.roles[0].taskRetry = -1;
    Player q(policy);
    q.say(event::Submitted{});
    q.run({w0});
    q.ended(w0, 1);
    QCOMPARE(q.job.task(w0).chargedRetries, 1);
    QCOMPARE(taskInfoOf(q.job, w0).reasonArgs.value("number"_L1).toInt(), 1);
    QCOMPARE(taskInfoOf(q.job, w0).reasonArgs.value("limit"_L1).toInt(-1), 0); // without end
}

// Somebody else was quicker: that is no fault of the job, however often it happens.
void TstNextRetry::takenGpusCostNothing()
{
    for (const bool gang : {true, false}) {
        JobPolicy policy = workers(2, gang);
        policy.guards = RetryLimits{};
        policy.guards.freeRetryCap = 0;
        Player p(policy);
        p.say(event::Submitted{});
        for (int i = 0; i < 5; ++i) {
            p.grant({w0, w1});
            p.ports({w0, w1});
            const TryResult taken{-1002, {}, u"launch.gpu-busy"_s, {{u"detail"_s, u"GPU-1"_s}}};
            p.say(event::TryEnded{w0, p.uuid(w0), taken, 0, 0, false});
            if (!gang) {
                QVERIFY(std::holds_alternative<Waiting>(p.job.task(w0).state));
                QCOMPARE(std::get<Waiting>(p.job.task(w0).state).notBefore, 0);
                p.say(event::TryEnded{w1, p.uuid(w1), taken, 0, 0, false});
                continue;
            }
            p.ended(w1, -220);
            QVERIFY(!p.job.isFinished());
            QCOMPARE(std::get<Backoff>(p.job.phase).due, p.now);
            p.say(event::RetryDue{p.job.retries, {}});
        }
        QVERIFY(!p.job.isFinished());
        QCOMPARE(p.job.chargedRetries, 0);
        QCOMPARE(p.job.consecutiveFreeRetries, 0);
        QCOMPARE(p.job.task(w0).chargedRetries + p.job.task(w0).consecutiveFreeRetries, 0);
        // What else may happen to it counts as ever.
        p.grant({w0, w1});
        p.ports({w0, w1});
        p.say(event::TryEnded{w0, p.uuid(w0), {-1002, {}, u"launch.memory"_s, {}}, 0, 0, false});
        p.ended(w1, -220);
        QVERIFY(p.job.isFinished());
    }
}

// A job that is over gets one more attempt; who is not named keeps what there was.
void TstNextRetry::retryByHand()
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
    QCOMPARE(p.job.chargedRetries, 0); // the budget is for the machine, not for people
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
    QCOMPARE(p.job.allocatedTasks, 0);
}

void TstNextRetry::notDone()
{
    // A server and two workers; the job has succeeded with its first worker.
    JobPolicy policy = workers(2);
    policy.roles.push_back({u"ps"_s, 1, 1, -1, 0, {}});
    policy.roles[0].minSucceeded = 1;
    policy.roles[1].minSucceeded = -1;
    const TaskRef ps{1, 0};
    Player p(policy);
    p.say(event::Submitted{});
    p.run({w0, w1, ps});
    p.ended(w0, 0);
    p.ended(w1, 137);
    p.ended(ps, 143);
    QVERIFY(p.job.isFinished());
    QCOMPARE(jobCode(p.job), 0);
    QVERIFY(tasksNotDone(p.job).empty());
    // The same job, failed: who was ended with it has not done its work.
    policy.roles[0].minSucceeded = 2;
    Player q(policy);
    q.say(event::Submitted{});
    q.run({w0, w1, ps});
    q.ended(w0, 0);
    q.ended(w1, 1);
    q.ended(ps, 143);
    QVERIFY(q.job.isFinished());
    QVERIFY(tasksNotDone(q.job) == (std::vector<TaskRef>{w1, ps}));
    // Succeeded as a whole, but one of its tasks did fail by itself.
    policy = workers(2, false);
    policy.roles[0].minFailed = -1;
    policy.roles[0].minSucceeded = -1;
    Player r(policy);
    r.say(event::Submitted{});
    r.run({w0, w1});
    r.ended(w0, 0);
    r.ended(w1, 1);
    QVERIFY(r.job.isFinished());
    QCOMPARE(jobCode(r.job), 0);
    QVERIFY(tasksNotDone(r.job) == std::vector<TaskRef>{w1});
}

TRAINYARD_TEST(TstNextRetry)
#include "tst_nextretry.moc"
