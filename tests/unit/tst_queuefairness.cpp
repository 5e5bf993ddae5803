// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/reasons.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/asked.h"

#include <QJsonArray>
#include <QTest>

#include <limits>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using namespace trainyard::core::asked;

// Who may hold up whom in the queue, what is said of that, and numbers that nobody means.
class TstQueueFairness : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void roomOfOneRoleIsKept();
    void whoWaitsForItsOwnTasksIsNoHead();
    void whoWaitsForItsOwnPortIsNoHead();
    void headCountsOnceInItsGroup();
    void whoIsHeldBackIsNotAwaited();
    void whoIsHeldBackIsNotAhead();
    void whoWaitsForItsGroupIsNotAwaited();
    void ownTasksStayInTheWay();
    void hostsThatAreApartStayApart();
    void removedHostsAreForgotten();
    void extremePriorities();
    void placesOfJobsThatAreOver();
    void figuresBeyondAnyJob();

private:
    static PlacementRequest ofGroup(const Ask &ask, int most)
    {
        PlacementRequest asked = request(ask);
        asked.group = {u"lr"_s, most};
        return asked;
    }
    static Needs onDifferentHosts(int gpu)
    {
        Needs result = needs(gpu);
        result.hosts.arrange = Arrangement::DifferentHosts;
        return result;
    }
    static Ask onHost(Ask ask, const QString &host)
    {
        ask.onlyHost = host;
        return ask;
    }
    // "1/2": one of them has to end; "1+2": both.
    static QStringList endsFor(const Scheduler &scheduler, int job)
    {
        QStringList lines;
        const QJsonArray ways = scheduler.waitReason(jobUuid(job)).args.value("ways"_L1).toArray();
        for (const QJsonValue &way : ways) {
            QStringList numbers;
            const QJsonArray ends = way[u"ends"].toArray();
            for (const QJsonValue &each : ends) {
                numbers.append(QString::number(each.toInteger()));
            }
            lines.append(numbers.join(way[u"any"].toBool() ? u'/' : u'+'));
        }
        return lines;
    }
};

// One of its roles is for a host that is away. The other may begin without it, and must not wait for ever.
void TstQueueFairness::roomOfOneRoleIsKept()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 4, 8000));
    HostCapacity away = host(u"h2"_s, 8, 8000);
    away.usable = false;
    s.setHost(away);
    const Ask running{1, {needs(1)}, {1}};
    s.request(request(running));
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h1[0]"_s});
    s.request(request({2, {needs(4), needs(8)}, {1, 1}, false}));
    s.request(request({3, {needs(1)}, {1}}));
    QVERIFY(s.schedule().empty());
    releaseAll(s, running);
    QCOMPARE(texts(s.schedule()), QStringList{u"2:h1[0 1 2 3]"_s});
}

// Its last task has no host of its own before one of the others ends: until then the next job is the head.
void TstQueueFairness::whoWaitsForItsOwnTasksIsNoHead()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 2, 8000));
    s.setHost(host(u"h2"_s, 2, 8000));
    s.request(request({1, {onDifferentHosts(1)}, {3}, false}));
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h1[0] h2[0]"_s});
    s.request(request({2, {needs(2)}, {1}}));
    s.request(request({3, {needs(1)}, {1}}));
    QVERIFY(s.schedule().empty());
    QCOMPARE(s.waitReason(jobUuid(3)).args.value("job"_L1).toInteger(), 2);
}

// Its tasks run one after the other, for they want the same port: nothing that others give up lets the next one start.
void TstQueueFairness::whoWaitsForItsOwnPortIsNoHead()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 2, 8000));
    s.request(request({1, {fixing(8080, 1, 1)}, {2}, false}));
    s.request(request({2, {needs(1)}, {1}}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h1[0]"_s, u"2:h1[1]"_s}));
    s.setHost(host(u"h2"_s, 1, 8000));
    s.request(request({3, {needs(1)}, {1}}));
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h2[0]"_s}); // its turn comes first all the same
}

// A head that has allocations already is one of the jobs of its group that run.
void TstQueueFairness::headCountsOnceInItsGroup()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 4, 8000));
    s.request(ofGroup({1, {needs(3)}, {2}, false}, 2));
    s.request(ofGroup({2, {needs(0)}, {1}}, 2));
    s.request(ofGroup({3, {needs(0)}, {1}}, 2));
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h1[0 1 2]"_s, u"2:h1"_s}));
    QCOMPARE(s.waitReason(jobUuid(3)).code, u"wait.group"_s);
}

// It takes no place when one becomes free.
void TstQueueFairness::whoIsHeldBackIsNotAwaited()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 4, 8000));
    const Ask running{1, {needs(4)}, {1}};
    s.request(request(running));
    QCOMPARE(s.schedule().size(), std::size_t(1));
    s.blockJob(jobUuid(2), {u"wait.peers"_s, {}});
    s.request(request({2, {needs(4)}, {1}}));
    s.request(request({3, {needs(4)}, {1}}));
    QVERIFY(s.schedule().empty());
    QCOMPARE(endsFor(s, 3), QStringList{u"1"_s});
    releaseAll(s, running);
    QCOMPARE(texts(s.schedule()), QStringList{u"3:h1[0 1 2 3]"_s});
}

void TstQueueFairness::whoIsHeldBackIsNotAhead()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 4, 8000));
    s.blockJob(jobUuid(2), {u"wait.peers"_s, {}});
    s.blockJob(jobUuid(4), {u"wait.peers"_s, {}});
    s.request(request({1, {needs(2)}, {1}}));
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h1[0 1]"_s});
    for (int number = 2; number <= 4; ++number) {
        s.request(request({number, {needs(4)}, {1}}));
    }
    s.request(request({5, {needs(1)}, {1}}));
    QVERIFY(s.schedule().empty());
    const WaitReason why = s.waitReason(jobUuid(5));
    QCOMPARE(why.code, u"wait.queue"_s);
    QCOMPARE(why.args.value("ahead"_L1).toInt(), 1);
    QCOMPARE(why.args.value("job"_L1).toInt(), 3);
}

void TstQueueFairness::whoWaitsForItsGroupIsNotAwaited()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 4, 8000));
    s.setHost(host(u"h2"_s, 1, 8000));
    const Ask running{1, {needs(4)}, {1}};
    s.request(request(running));
    s.request(ofGroup({2, {needs(1)}, {1}}, 1));
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h1[0 1 2 3]"_s, u"2:h2[0]"_s}));
    s.request(ofGroup({3, {needs(4)}, {1}}, 1));
    s.request(request({4, {needs(4)}, {1}}));
    QVERIFY(s.schedule().empty());
    QCOMPARE(s.waitReason(jobUuid(3)).code, u"wait.group"_s);
    QCOMPARE(endsFor(s, 4), QStringList{u"1"_s});
    releaseAll(s, running);
    QCOMPARE(texts(s.schedule()), QStringList{u"4:h1[0 1 2 3]"_s});
}

// What becomes free beside a task of its own does not help a task that must be elsewhere.
void TstQueueFairness::ownTasksStayInTheWay()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 2, 8000));
    s.setHost(host(u"h2"_s, 1, 8000));
    s.request(request(onHost({2, {needs(1)}, {1}}, u"h1"_s)));
    s.request(request(onHost({3, {needs(1)}, {1}}, u"h2"_s)));
    QCOMPARE(s.schedule().size(), std::size_t(2));
    s.request(request({4, {onDifferentHosts(1)}, {2}, false}));
    QCOMPARE(texts(s.schedule()), QStringList{u"4:h1[1]"_s});
    QCOMPARE(s.waitReason(jobUuid(4)).code, u"wait.gpu"_s);
    QCOMPARE(endsFor(s, 4), QStringList{u"3/4"_s});
}

void TstQueueFairness::hostsThatAreApartStayApart()
{
    Scheduler s;
    for (const QString &id : {u"h1"_s, u"h2"_s, u"h3"_s}) {
        s.setHost(host(id, 1, 8000));
    }
    s.setApart({{pairOf(u"h1"_s, u"h2"_s), NoWay{u"h1"_s, u"h2"_s, u"10.1.0.2"_s, u"silent"_s, 1}}});
    s.request(request(onHost({1, {needs(1)}, {1}}, u"h2"_s)));
    s.request(request(onHost({2, {needs(1)}, {1}}, u"h3"_s)));
    QCOMPARE(s.schedule().size(), std::size_t(2));
    PlacementRequest talking = request({3, {needs(1)}, {2}});
    talking.talks = true;
    s.request(talking);
    QVERIFY(s.schedule().empty());
    QCOMPARE(s.waitReason(jobUuid(3)).code, u"wait.gpu"_s);
    QCOMPARE(endsFor(s, 3), QStringList{u"2"_s});
}

// As soon as nothing runs there: what it had must not count for what could run some day.
void TstQueueFairness::removedHostsAreForgotten()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 2, 8000));
    s.setHost(host(u"h2"_s, 8, 8000));
    const Ask running{1, {needs(8)}, {1}};
    s.request(request(running));
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h2[0 1 2 3 4 5 6 7]"_s});
    s.removeHost(u"h2"_s);
    QVERIFY(isKnown(s, u"h2"_s));
    releaseAll(s, running);
    QVERIFY(isKnown(s, u"h1"_s) && !isKnown(s, u"h2"_s));
    // So with tries on a host that is not in the list of hosts since the engine began.
    const Ask left{2, {needs(1)}, {1}}, large{3, {needs(99)}, {1}};
    Allocation place;
    place.host = u"h9"_s;
    s.restoreAllocation(2, jobUuid(2), request(left).tasks[0].tryUuid, place, needs(1));
    QVERIFY(!s.impossible(request(large))); // nobody knows what it has
    releaseAll(s, left);
    const std::optional<Error> never = s.impossible(request(large));
    QVERIFY(never);
    QCOMPARE(never->code, u"refuse.gpu"_s);
    // One that comes back meanwhile stays.
    s.request(request({4, {needs(2)}, {1}}));
    QCOMPARE(s.schedule().size(), std::size_t(1));
    s.removeHost(u"h1"_s);
    s.setHost(host(u"h1"_s, 2, 8000));
    releaseAll(s, {4, {needs(2)}, {1}});
    QVERIFY(isKnown(s, u"h1"_s));
}

void TstQueueFairness::extremePriorities()
{
    constexpr int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
    Scheduler s;
    s.request(request({1, {needs(1)}, {1}, true, least}));
    s.request(request({2, {needs(1)}, {1}}));
    s.request(request({3, {needs(1)}, {1}, true, most}));
    QCOMPARE(s.queue(), (QList<QUuid>{jobUuid(3), jobUuid(2), jobUuid(1)}));
    QVERIFY(s.setPriority(jobUuid(3), least));
    QCOMPARE(s.queue(), (QList<QUuid>{jobUuid(2), jobUuid(1), jobUuid(3)}));
    QVERIFY(s.move(jobUuid(2), jobUuid(3)));
    QCOMPARE(s.placeByHand(jobUuid(2))->first, least);
}

// Where somebody had moved a job is kept for its later attempts, and not for ever.
void TstQueueFairness::placesOfJobsThatAreOver()
{
    Scheduler s;
    for (int number = 1; number <= 3; ++number) {
        s.request(request({number, {needs(1)}, {1}}));
    }
    QVERIFY(s.move(jobUuid(3), jobUuid(1)));
    s.cancel(jobUuid(3)); // an attempt is over
    s.request(request({3, {needs(1)}, {1}}));
    QCOMPARE(s.queue(), (QList<QUuid>{jobUuid(3), jobUuid(1), jobUuid(2)}));
    s.forget(jobUuid(3)); // and the job
    QVERIFY(!s.placeByHand(jobUuid(3)));
    QCOMPARE(s.queue(), (QList<QUuid>{jobUuid(1), jobUuid(2)}));
    s.request(request({3, {needs(1)}, {1}}));
    QCOMPARE(s.queue(), (QList<QUuid>{jobUuid(1), jobUuid(2), jobUuid(3)}));
}

// Nobody means them, but a job may say them: what is computed from them must not turn round.
void TstQueueFairness::figuresBeyondAnyJob()
{
    const auto specWith = [](const QByteArray &gpus, const QByteArray &priority) {
        return parseJob("protocolVersion: 2\nname: t\ntype: job\n"
                        "prerequisites: [{name: i, type: dockerimage, uri: a}]\n"
                        "taskRoles: {w: {instances: 100, dockerImage: i, commands: [a], "
                        "resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: "
            + gpus + "}}}\nextras: {trainyard: {priority: " + priority + "}}\n")
            .spec.value_or(JobSpec());
    };
    JobSpec many = specWith("2000000000", "5");
    QCOMPARE(many.taskRoles.size(), 1);
    many.trainyard.priority = 5'000'000'000; // as no document can say it
    QCOMPARE(policyOf(many).totalGpu(), std::numeric_limits<int>::max());
    QCOMPARE(priorityOf(many), std::numeric_limits<int>::max());
    many.trainyard.priority = -5'000'000'000;
    QCOMPARE(priorityOf(many), std::numeric_limits<int>::min());
    QCOMPARE(priorityOf(specWith("0", "-7")), -7);
    // Cores are no limit, so all of them find a place.
    Scheduler s;
    s.setHost(host(u"h1"_s, 0, 8000));
    s.setHost(host(u"h2"_s, 0, 8000));
    s.request(request({1, {needs(0, 1, std::numeric_limits<int>::max())}, {100}}));
    QCOMPARE(s.schedule().front().grants.size(), std::size_t(100));
    s.request(request({2, {needs(0, 1)}, {1}}));
    QCOMPARE(texts(s.schedule()), QStringList{u"2:h2"_s}); // the other one has more to do
}

TRAINYARD_TEST(TstQueueFairness)
#include "tst_queuefairness.moc"
