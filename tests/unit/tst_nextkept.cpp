// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/unit/played.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using namespace trainyard::core::played;

// What tasks that keep their results mean for an attempt in which only others run.
class TstNextKept : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void keptFailuresCount_data();
    void keptFailuresCount();
    void ofAnotherRole_data();
    void ofAnotherRole();
};

void TstNextKept::keptFailuresCount_data()
{
    QTest::addColumn<int>("minFailed");
    QTest::addColumn<int>("former");
    QTest::addColumn<int>("code");
    QTest::newRow("too many") << 1 << 7 << 7;
    QTest::newRow("too many, of a kind that is retried") << 1 << 137 << 137;
    QTest::newRow("not too many") << 2 << 7 << 0;
    QTest::newRow("any number") << -1 << 7 << 0;
}

// Only one task of several runs once more. Whoever failed before did so for the whole job, too, and is let alone.
void TstNextKept::keptFailuresCount()
{
    QFETCH(int, minFailed);
    QFETCH(int, former);
    JobPolicy policy = workers(3);
    policy.roles[0].minFailed = minFailed;
    policy.guards.freeRetryCap = 0;
    Player p(policy);
    p.say(event::Submitted{});
    const TaskRef w2{0, 2};
    p.run({w0, w1, w2});
    p.ended(w2, 0);
    p.ended(w0, former);
    p.ended(w1, minFailed == 2 ? 7 : -220); // stopped with the attempt, or the second failure
    if (!p.job.isFinished()) {
        p.say(event::StopRequested{});
    }
    QVERIFY(p.job.isFinished());
    p.job.policy.guards.freeRetryCap = 10;
    p.say(event::RetryRequested{{w1}});
    p.run({w1});
    p.ended(w1, 0);
    QVERIFY(p.job.isFinished()); // and is not tried again
    QCOMPARE(p.job.attempt(), 1);
    QTEST(jobCode(p.job).value_or(-1), "code");
    const bool isFailed = jobCode(p.job) != 0;
    QCOMPARE(summaryOf(p.job).state, isFailed ? State::Failed : State::Succeeded);
    QCOMPARE(attemptInfoOf(p.job, 1).triggerRule, isFailed ? u"minFailed"_s : u"allCompleted"_s);
    QCOMPARE(attemptInfoOf(p.job, 1).triggerIndex, isFailed ? 0 : 1);
}

void TstNextKept::ofAnotherRole_data()
{
    QTest::addColumn<int>("minSucceeded");
    QTest::addColumn<int>("minFailed");
    QTest::addColumn<int>("code"); // of the task that runs again
    QTest::newRow("succeeds") << -1 << 1 << 0;
    QTest::newRow("succeeds, which would be enough") << 1 << 1 << 0;
    QTest::newRow("fails, which does not count") << -1 << -1 << 3;
}

// Whatever becomes of the task that runs once more, the failure of the other role's counts.
void TstNextKept::ofAnotherRole()
{
    QFETCH(int, minSucceeded);
    QFETCH(int, minFailed);
    QFETCH(int, code);
    JobPolicy policy = workers(1);
    policy.roles.push_back(policy.roles.front());
    policy.roles[1].name = u"b"_s;
    policy.roles[1].minFailed = minFailed;
    policy.roles[1].minSucceeded = minSucceeded;
    Player p(policy);
    p.say(event::Submitted{});
    const TaskRef b0{1, 0};
    p.run({w0, b0});
    p.ended(w0, 9);
    p.ended(b0, -220);
    QVERIFY(p.job.isFinished());
    p.say(event::RetryRequested{{b0}});
    p.run({b0});
    p.ended(b0, code);
    QVERIFY(p.job.isFinished());
    QCOMPARE(jobCode(p.job), std::optional<int>(9));
    QCOMPARE(summaryOf(p.job).state, State::Failed);
    QCOMPARE(attemptInfoOf(p.job, 1).triggerRole, p.job.roleName(w0));
}

TRAINYARD_TEST(TstNextKept)
#include "tst_nextkept.moc"
