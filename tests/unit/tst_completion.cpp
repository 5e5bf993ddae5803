// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/next.h"
#include "engine/core/report.h"
#include "engine/core/retry.h"
#include "tests/helpers/scenarios.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;

// The rules on their own: what users see of a state, which code is retried, how long is waited.
class TstCompletion : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void publicStates_data();
    void publicStates();
    void retry_data();
    void retry();
    void pauses();
    void patterns_data();
    void patterns();
    void triggerOfTheSummary();
};

void TstCompletion::publicStates_data()
{
    QTest::addColumn<SubState>("subState");
    QTest::addColumn<QList<int>>("codes");
    QTest::addColumn<State>("state");
    QTest::addColumn<State>("attempt");
    const QList<int> any{1, 0, -210, -220, 255};
    const auto row = [](SubState subState, const QList<int> &codes, State state, State attempt) {
        QTest::newRow(qPrintable(u"%1 %2"_s.arg(subStateWord(subState)).arg(codes.first())))
            << subState << codes << state << attempt;
    };
    row(SubState::AttemptCreationPending, any, State::Waiting, State::Waiting);
    row(SubState::AttemptCreationRequested, any, State::Waiting, State::Waiting);
    row(SubState::AttemptPreparing, any, State::Waiting, State::Waiting);
    row(SubState::AttemptRunning, any, State::Running, State::Running);
    for (const SubState subState :
        {SubState::AttemptDeletionPending, SubState::AttemptDeletionRequested, SubState::AttemptDeleting}) {
        row(subState, {-210, -220}, State::Stopping, State::Stopping);
        row(subState, {0, 1, 255, -230, -1004, -101}, State::Running, State::Running);
    }
    row(SubState::AttemptCompleted, {-210, -220}, State::Stopping, State::Stopped);
    row(SubState::AttemptCompleted, {0}, State::Running, State::Succeeded);
    row(SubState::AttemptCompleted, {1, 255, -230, -1004}, State::Running, State::Failed);
    row(SubState::Completed, {0}, State::Succeeded, State::Succeeded);
    row(SubState::Completed, {-210, -220}, State::Stopped, State::Stopped);
    row(SubState::Completed, {1, 255, -230, -1004, -2020}, State::Failed, State::Failed);
}

void TstCompletion::publicStates()
{
    QFETCH(SubState, subState);
    QFETCH(QList<int>, codes);
    QFETCH(State, state);
    QFETCH(State, attempt);
    for (int code : codes) {
        const PublicState wanted{state, attempt};
        QVERIFY2(publicState(subState, code) == wanted, qPrintable(QString::number(code)));
    }
}

void TstCompletion::retry_data()
{
    QTest::addColumn<bool>("fancy");
    QTest::addColumn<int>("budget");
    QTest::addColumn<int>("charged");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("wanted"); // no, free, later, charged
    int count = 0;
    const auto row = [&](bool fancy, int budget, int charged, int code, const char *wanted) {
        QTest::newRow(qPrintable(
            u"%1 fancy %2 budget %3 charged %4 code %5"_s.arg(++count).arg(fancy).arg(budget).arg(charged).arg(code)))
            << fancy << budget << charged << code << QString::fromLatin1(wanted);
    };
    for (bool fancy : {true, false}) {
        for (int budget : {0, 5, -1, -2}) {
            for (int code : {-210, -220, -230}) {
                row(fancy, budget, 0, code, "no"); // stopped is stopped
            }
        }
        row(fancy, 0, 0, 0, "no");
        row(fancy, 3, 0, 0, "no");
        row(fancy, -1, 0, 0, "no");
        row(fancy, -2, 7, 0, "charged"); // a service
        row(fancy, 0, 0, 255, "no");
        row(fancy, 1, 0, 255, "charged");
        row(fancy, 1, 1, 255, "no");
        row(fancy, -1, 99, 255, "charged");
        row(fancy, 2, 1, 17, "charged"); // a code without an entry
    }
    for (int code : {137, 143, 130, -1001, -101, 223, 253, -2002, 200}) {
        row(true, 0, 0, code, "free");
        row(true, 2, 2, code, "free");
        row(false, 0, 0, code, "no");
        row(false, 2, 1, code, "charged");
    }
    row(true, 0, 0, 251, "later");
    row(true, 0, 0, 201, "later");
    row(false, 1, 0, 251, "charged");
    for (int code : {220, 132, -1200, 226, 249, 252, 254, -1004, -200, -2001, 210}) {
        row(true, 5, 0, code, "no");
        row(true, -1, 0, code, "no");
        row(true, -2, 0, code, "no");
        row(false, -2, 0, code, "charged");
    }
}

void TstCompletion::retry()
{
    QFETCH(bool, fancy);
    QFETCH(int, budget);
    QFETCH(int, charged);
    QFETCH(int, code);
    QFETCH(QString, wanted);
    const RetryDecision decision = decideRetry(ExitRules::bundled(), fancy, budget, charged, code);
    const QString got = !decision.retry ? u"no"_s
        : decision.charged              ? u"charged"_s
        : decision.delayed              ? u"later"_s
                                        : u"free"_s;
    QCOMPARE(got, wanted);
}

void TstCompletion::pauses()
{
    const RetryLimits guards;
    QCOMPARE(retryPauseMs(guards, 0), 3000);
    QCOMPARE(retryPauseMs(guards, 1), 6000);
    QCOMPARE(retryPauseMs(guards, 2), 12000);
    QCOMPARE(retryPauseMs(guards, 20), 300000);
    QCOMPARE(retryPauseMs(guards, 1000000), 300000);
    QCOMPARE(retryPauseMs(scenarios::openPaiRetryLimits(), 3), 0);
}

namespace
{

JobState running(const JobPolicy &policy)
{
    JobState job = next(newJob(QUuid::createUuid(), {}, policy, 1), {1, event::Submitted{}}, ExitRules::bundled()).job;
    event::PlacementGranted granted;
    event::PortsDrawn drawn;
    for (std::size_t i = 0; i < job.tasks.size(); ++i) {
        granted.grants.push_back({job.refAt(i), tryUuid(job, job.refAt(i)), {u"local"_s, {}, {}, {}}});
        drawn.tasks.push_back({job.refAt(i), tryUuid(job, job.refAt(i)), {}});
    }
    job = next(std::move(job), {2, granted}, ExitRules::bundled()).job;
    job = next(std::move(job), {3, drawn}, ExitRules::bundled()).job;
    for (std::size_t i = 0; i < job.tasks.size(); ++i) {
        const TaskRef ref = job.refAt(i);
        const QUuid uuid = tryUuid(job, ref);
        job = next(std::move(job), {4, event::TryStarted{ref, uuid, {u"b"_s, 9, 9}, 4}}, ExitRules::bundled()).job;
    }
    return job;
}

JobState ended(JobState job, TaskRef ref, int code)
{
    const QUuid uuid = tryUuid(job, ref);
    return next(std::move(job), {5, event::TryEnded{ref, uuid, {code, code, {}, {}}, 4, 5, true}}, ExitRules::bundled())
        .job;
}

} // namespace

// The usual shapes of completion; ends are "role/index=code" in order, '!' marks the one that ends the attempt.
void TstCompletion::patterns_data()
{
    QTest::addColumn<QString>("limits");
    QTest::addColumn<QString>("ends");
    QTest::addColumn<int>("code");
    QTest::newRow("plain, failure") << u"a:2:1:-1 b:2:1:-1"_s << u"a/0=0 b/1=255!"_s << 255;
    QTest::newRow("plain, success") << u"a:2:1:-1 b:2:1:-1"_s << u"a/0=0 b/1=0 a/1=0 b/0=0!"_s << 0;
    QTest::newRow("tolerant") << u"a:5:3:-1"_s << u"a/0=1 a/1=1 a/2=0 a/3=0 a/4=0!"_s << 0;
    QTest::newRow("too much for tolerant") << u"a:5:3:-1"_s << u"a/0=1 a/1=0 a/2=2 a/3=3!"_s << 3;
    QTest::newRow("master decides") << u"m:1:1:1 w:3:-1:-1"_s << u"w/0=255 w/1=0 m/0=0!"_s << 0;
    QTest::newRow("workers decide") << u"ps:2:1:-1 w:2:1:2"_s << u"ps/0=0 w/1=0 w/0=0!"_s << 0;
    QTest::newRow("any worker") << u"w:3:3:1"_s << u"w/0=1 w/2=1 w/1=0!"_s << 0;
    QTest::newRow("no worker") << u"w:3:3:1"_s << u"w/0=1 w/2=1 w/1=9!"_s << 9;
    QTest::newRow("limits off") << u"w:2:0:0"_s << u"w/0=1 w/1=9!"_s << 0;
    QTest::newRow("never reached") << u"w:2:7:7"_s << u"w/0=1 w/1=0!"_s << 0;
}

void TstCompletion::patterns()
{
    QFETCH(QString, limits);
    QFETCH(QString, ends);
    QFETCH(int, code);
    JobPolicy policy;
    const QStringList roles = limits.split(u' ');
    for (const QString &role : roles) {
        const QStringList parts = role.split(u':');
        policy.roles.push_back({parts[0], parts[1].toInt(), parts[2].toInt(), parts[3].toInt(), 0, {}});
    }
    policy.guards.freeRetryCap = 0;
    JobState job = running(policy);
    const QStringList happenings = ends.split(u' ');
    for (QString happening : happenings) {
        QVERIFY2(std::holds_alternative<Active>(job.phase), qPrintable(happening));
        const bool last = happening.endsWith(u'!');
        happening.remove(u'!');
        const auto ref
            = job.find(happening.section(u'/', 0, 0), happening.section(u'/', 1).section(u'=', 0, 0).toInt());
        QVERIFY(ref.has_value());
        job = ended(std::move(job), *ref, happening.section(u'=', 1).toInt());
        QCOMPARE(std::holds_alternative<Active>(job.phase), !last);
    }
    QCOMPARE(jobCode(job), code);
    JobState copy = job; // counters kept on the way are those that counting gives
    recount(copy);
    QCOMPARE(copy.counts, job.counts);
    QCOMPARE(copy.endedTasks, job.endedTasks);
    QCOMPARE(copy.allocatedTasks, job.allocatedTasks);
}

void TstCompletion::triggerOfTheSummary()
{
    JobPolicy policy;
    policy.roles.push_back({u"worker"_s, 3, 2, -1, 0, {}});
    JobState job = ended(running(policy), {0, 2}, 255);
    job = ended(std::move(job), {0, 1}, 134);
    const JobSummary summary = summaryOf(job);
    QCOMPARE(summary.reason, u"job.minFailed"_s);
    QCOMPARE(summary.reasonArgs,
        (QJsonObject{{u"role"_s, u"worker"_s}, {u"index"_s, 1}, {u"count"_s, 2}, {u"limit"_s, 2}, {u"code"_s, 134}}));
    QCOMPARE(summary.state, State::Running); // until the last one is gone
    QCOMPARE(summary.subState, u"AttemptDeleting"_s);
    QCOMPARE(taskInfoOf(job, {0, 0}).state, State::Stopping);
    QCOMPARE(attemptInfoOf(job, 0).triggerRule, u"minFailed"_s);
    QCOMPARE(attemptInfoOf(job, 0).triggerIndex, 1);
}

TRAINYARD_TEST(TstCompletion)
#include "tst_completion.moc"
