// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/reasons.h"
#include "engine/core/placing.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/asked.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRandomGenerator>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using namespace trainyard::core::asked;

class TstPlacement : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void allOrNothing();
    void cpuIsNoGate();
    void fewestHosts();
    void severalShapes();
    void chosenGpus();
    void busyGpus();
    void instances();
    void taskByTask();
    void groupLimit();
    void groupLimitAfterARestart();
    void headKeepsItsPlaceInTheGroup();
    void retryPrefersItsHost();
    void keptGpus();
    void heldHosts();
    void runtimes();
    void repeatedCalls();
    void restart();
    void wouldPlace();
    void neverTooMuch();
    void fast();
};

void TstPlacement::allOrNothing()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 4, 8000));
    s.request(request({1, {needs(1)}, {3}}));
    s.request(request({2, {needs(1)}, {2}}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h1[0] h1[1] h1[2]"_s}));
    QCOMPARE(s.queue(), (QList<QUuid>{jobUuid(2)}));
    QCOMPARE(s.gpuHolder(u"h1"_s, 1), 1);
    QCOMPARE(s.gpuHolder(u"h1"_s, 3), 0);
    QCOMPARE(s.schedule().size(), std::size_t(0));
    s.release(request({1, {needs(1)}, {3}}).tasks[1].tryUuid);
    QCOMPARE(texts(s.schedule()), (QStringList{u"2:h1[1] h1[3]"_s}));
    QVERIFY(s.queue().isEmpty());
}

void TstPlacement::cpuIsNoGate()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 0, 8000, 2));
    s.request(request({1, {needs(0, 10, 64)}, {3}}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h1 h1 h1"_s}));
    // It is a weight: the next goes where less is asked for.
    s.setHost(host(u"h2"_s, 0, 8000, 2));
    s.request(request({2, {needs(0, 10, 1)}, {2}, false}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"2:h2 h2"_s}));
}

void TstPlacement::fewestHosts()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 8, 8000));
    s.setHost(host(u"h2"_s, 2, 8000));
    s.setHost(host(u"h3"_s, 4, 8000));
    s.request(request({1, {needs(1)}, {2}}));
    s.request(request({2, {needs(2)}, {2}}));
    s.request(request({3, {needs(2)}, {4}}));
    QCOMPARE(texts(s.schedule()),
        (QStringList{u"1:h2[0] h2[1]"_s, u"2:h3[0 1] h3[2 3]"_s, u"3:h1[0 1] h1[2 3] h1[4 5] h1[6 7]"_s}));
    releaseAll(s, {1, {needs(1)}, {2}});
    releaseAll(s, {2, {needs(2)}, {2}});
    s.request(request({4, {needs(3), needs(1)}, {1, 2}})); // over two
    QCOMPARE(texts(s.schedule()), (QStringList{u"4:h3[0 1 2] h3[3] h2[0]"_s}));
}

// Where the greedy order of hosts fails another one is tried.
void TstPlacement::severalShapes()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 4, 1000));
    s.setHost(host(u"h2"_s, 2, 9000));
    s.request(request({1, {needs(2, 4000), needs(2, 400)}, {1, 2}}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h2[0 1] h1[0 1] h1[2 3]"_s}));
}

void TstPlacement::chosenGpus()
{
    QCOMPARE(pickGpus({0, 1, 2, 3}, 2), (QList<int>{0, 1}));
    QCOMPARE(pickGpus({0, 2, 3, 5, 6, 7}, 2), (QList<int>{2, 3})); // neighbours, from the smallest run
    QCOMPARE(pickGpus({0, 2, 3, 5, 6, 7}, 3), (QList<int>{5, 6, 7}));
    QCOMPARE(pickGpus({0, 2, 3, 5, 6, 7}, 1), (QList<int>{0}));
    QCOMPARE(pickGpus({0, 2, 4}, 2), (QList<int>{0, 2})); // none are
    QCOMPARE(pickGpus({}, 0), QList<int>());
}

void TstPlacement::busyGpus()
{
    Scheduler s;
    HostCapacity h = host(u"h1"_s, 4, 8000);
    h.gpus[0].foreign = true;
    h.gpus[2].held = true;
    s.setHost(h);
    s.request(request({1, {needs(1)}, {2}}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h1[1] h1[3]"_s}));
    s.request(request({2, {needs(1)}, {1}}));
    QVERIFY(s.schedule().empty());
    h.gpus[0].foreign = false;
    s.setHost(h); // what is reserved stays reserved
    QCOMPARE(texts(s.schedule()), (QStringList{u"2:h1[0]"_s}));
}

// Instances of MIG go to tasks with one GPU; CUDA would show a task with more of them only one.
void TstPlacement::instances()
{
    HostCapacity divided = host(u"h1"_s, 5, 8000);
    divided.gpus[1].instance = divided.gpus[2].instance = true;
    {
        Scheduler s;
        s.setHost(divided);
        s.request(request({1, {needs(3)}, {1}}));
        s.request(request({2, {needs(1)}, {2}}));
        QCOMPARE(texts(s.schedule()), (QStringList{u"1:h1[0 3 4]"_s, u"2:h1[1] h1[2]"_s}));
    }
    Scheduler s;
    s.setHost(divided);
    const PlacementRequest two = request({1, {needs(2)}, {2}, false});
    s.request(two);
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h1[3 4]"_s})); // the second task would get instances
    s.request(request({2, {needs(1)}, {3}}));
    QCOMPARE(texts(s.schedule()), QStringList()); // the head may need the whole one
    s.request(request({3, {needs(1)}, {2}}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"3:h1[1] h1[2]"_s})); // what is of no use to it
    QVERIFY(!s.impossible(two));
    QCOMPARE(s.impossible(request({4, {needs(4)}, {1}})).value_or(Error()).code, u"refuse.gpu"_s);
    PlacementRequest only = request({5, {needs(4)}, {1}});
    only.where.wholeGpus = true;
    const Error refused = s.impossible(only).value_or(Error());
    QCOMPARE(refused.code, u"refuse.gpu"_s);
    QCOMPARE(refused.args.value("most"_L1).toInt(), 3);
    // One role with several, one with one: all that there is.
    Scheduler mixed;
    mixed.setHost(divided);
    mixed.request(request({1, {needs(1), needs(3)}, {2, 1}}));
    QCOMPARE(texts(mixed.schedule()), (QStringList{u"1:h1[1] h1[2] h1[0 3 4]"_s}));
}

void TstPlacement::taskByTask()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 2, 8000));
    const Ask ask{1, {needs(1), needs(0)}, {3, 2}, false};
    s.request(request(ask));
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h1[0] h1[1] h1 h1"_s})); // a role without room lets the next go on
    QVERIFY(s.schedule().empty());
    s.release(request(ask).tasks[1].tryUuid);
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h1[1]"_s}));
    QVERIFY(s.queue().isEmpty());
    // At most so many at once.
    const Ask limited{2, {needs(0)}, {5}, false, 0, 2};
    s.request(request(limited));
    QCOMPARE(texts(s.schedule()), (QStringList{u"2:h1 h1"_s}));
    QCOMPARE(s.waitReason(jobUuid(2)).code, u"wait.parallel"_s);
    s.release(request(limited).tasks[0].tryUuid);
    QCOMPARE(texts(s.schedule()), (QStringList{u"2:h1"_s}));
}

static PlacementRequest ofGroup(const Ask &ask, const QString &group, int most)
{
    PlacementRequest asked = request(ask);
    asked.group = {group, most};
    return asked;
}

void TstPlacement::groupLimit()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 8, 8000));
    for (int job = 1; job <= 4; ++job) {
        s.request(ofGroup({job, {needs(1)}, {1}}, u"lr"_s, 2));
    }
    s.request(ofGroup({5, {needs(1)}, {1}}, u"other"_s, 2));
    s.request(request({6, {needs(1)}, {1}}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h1[0]"_s, u"2:h1[1]"_s, u"5:h1[2]"_s, u"6:h1[3]"_s}));
    QCOMPARE(s.waitReason(jobUuid(3)), errorOf(reason::WaitGroup{u"lr"_s, 2}));
    // A job whose task is tried again has a place in its group no more, and waits like the others.
    const Ask first{1, {needs(1)}, {1}};
    s.release(request(first).tasks[0].tryUuid);
    QCOMPARE(texts(s.schedule()), (QStringList{u"3:h1[0]"_s}));
    s.request(ofGroup(first, u"lr"_s, 2));
    QVERIFY(s.schedule().empty());
    QCOMPARE(s.waitReason(jobUuid(1)).code, u"wait.group"_s);
    // A job with a task that runs may start the others.
    s.request(ofGroup({7, {needs(0)}, {2}, false, 0, 1}, u"slow"_s, 1));
    QCOMPARE(texts(s.schedule()), (QStringList{u"7:h1"_s}));
    QCOMPARE(s.waitReason(jobUuid(7)).code, u"wait.parallel"_s);
    // A stopped job leaves no trace.
    s.cancel(jobUuid(4));
    s.release(request({2, {needs(1)}, {1}}).tasks[0].tryUuid);
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h1[1]"_s}));
}

void TstPlacement::groupLimitAfterARestart()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 4, 8000));
    const Ask running{1, {needs(1)}, {1}};
    s.restoreAllocation(1, jobUuid(1), request(running).tasks[0].tryUuid, {u"h1"_s, {}, {0}, {}}, needs(1), u"lr"_s);
    s.request(ofGroup({2, {needs(1)}, {1}}, u"lr"_s, 1));
    QVERIFY(s.schedule().empty());
    s.release(request(running).tasks[0].tryUuid);
    QCOMPARE(texts(s.schedule()), (QStringList{u"2:h1[0]"_s}));
}

// A smaller job of the same group does not take the last place in it while the head waits for GPUs.
void TstPlacement::headKeepsItsPlaceInTheGroup()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 4, 8000));
    s.request(request({1, {needs(3)}, {1}}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h1[0 1 2]"_s}));
    s.request(ofGroup({2, {needs(2)}, {1}}, u"lr"_s, 1));
    s.request(ofGroup({3, {needs(0)}, {1}}, u"lr"_s, 1));
    s.request(request({4, {needs(0)}, {1}}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"4:h1"_s}));
    s.release(request({1, {needs(3)}, {1}}).tasks[0].tryUuid);
    QCOMPARE(texts(s.schedule()), (QStringList{u"2:h1[0 1]"_s}));
}

void TstPlacement::retryPrefersItsHost()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 2, 8000));
    s.setHost(host(u"h2"_s, 4, 8000));
    PlacementRequest asked = request({1, {needs(1)}, {2}, false});
    asked.tasks[0].preferHost = u"h2"_s;
    asked.tasks[1].preferHost = u"gone"_s;
    s.request(asked);
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h2[0] h1[0]"_s}));
}

void TstPlacement::keptGpus()
{
    Scheduler s;
    HostCapacity h = host(u"h1"_s, 4, 8000);
    h.gpus[0].excluded = true;
    h.gpus[3].rank = 0;
    h.gpus[2].rank = 1;
    s.setHost(h);
    // What is never for jobs is not there; what is preferred goes first.
    QVERIFY(s.impossible(request({1, {needs(4)}, {1}})));
    QCOMPARE(s.impossible(request({1, {needs(4)}, {1}}))->args.value("most"_L1).toInt(), 3);
    s.request(request({1, {needs(1)}, {1}}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h1[3]"_s}));
    s.request(request({2, {needs(1)}, {1}}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"2:h1[2]"_s}));
    // Kept for its hours: possible, and not now.
    h.gpus[1].keptUntil = u"18:00"_s;
    s.setHost(h);
    s.request(request({3, {needs(1)}, {1}}));
    QVERIFY(s.schedule().empty());
    WaitReason why = s.waitReason(jobUuid(3));
    QCOMPARE(why.code, u"wait.gpu"_s);
    const QJsonObject figures = why.args.value("hosts"_L1).toArray().at(0).toObject();
    QCOMPARE(figures.value("excluded"_L1).toInt(), 1);
    QCOMPARE(figures.value("hours"_L1).toInt(), 1);
    QCOMPARE(figures.value("until"_L1).toString(), u"18:00"_s);
    QCOMPARE(figures.value("jobs"_L1).toArray(), (QJsonArray{1, 2}));
    // It needs what is kept: those behind it pass by meanwhile, and it is first when the hour has come.
    s.release(request({1, {needs(1)}, {1}}).tasks.front().tryUuid);
    s.request(request({4, {needs(3)}, {1}, true, 5}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"3:h1[3]"_s}));
    QCOMPARE(s.waitReason(jobUuid(4)).code, u"wait.gpu"_s);
    h.gpus[1].keptUntil.clear();
    s.setHost(h);
    s.request(request({5, {needs(1)}, {1}}));
    QVERIFY(s.schedule().empty()); // now it would delay the head
    s.release(request({2, {needs(1)}, {1}}).tasks.front().tryUuid);
    s.release(request({3, {needs(1)}, {1}}).tasks.front().tryUuid);
    QCOMPARE(texts(s.schedule()), (QStringList{u"4:h1[1 2 3]"_s}));
}

void TstPlacement::heldHosts()
{
    Scheduler s;
    HostCapacity full = host(u"h1"_s, 2, 8000);
    full.hold = {u"wait.disk"_s, {{u"host"_s, u"h1"_s}, {u"wantedMiB"_s, 1024}}};
    s.setHost(full);
    QVERIFY(!s.impossible(request({1, {needs(2)}, {1}})));
    s.request(request({1, {needs(2)}, {1}}));
    QVERIFY(s.schedule().empty());
    QCOMPARE(s.waitReason(jobUuid(1)), full.hold);
    // Another host takes what it can.
    s.setHost(host(u"h2"_s, 1, 8000));
    s.request(request({2, {needs(1)}, {1}}));
    s.request(request({3, {needs(1)}, {1}, true, 0, 0, u"h1"_s}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"2:h2[0]"_s}));
    QCOMPARE(s.waitReason(jobUuid(1)), full.hold);
    QCOMPARE(s.waitReason(jobUuid(3)), full.hold);
    full.hold = {};
    s.setHost(full);
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h1[0 1]"_s}));
    QCOMPARE(s.waitReason(jobUuid(3)).code, u"wait.gpu"_s);
}

// A job goes to hosts that have what it runs in, and to no others however free they are.
void TstPlacement::runtimes()
{
    Scheduler s;
    HostCapacity with = host(u"h1"_s, 2, 8000);
    with.runtimes = {u"podman"_s, u"docker"_s};
    HostCapacity without = host(u"h2"_s, 8, 20000);
    s.setHost(with);
    s.setHost(without);
    Ask inPodman{1, {needs(1)}, {2}};
    inPodman.runIn = u"podman"_s;
    s.request(request(inPodman));
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h1[0] h1[1]"_s}));
    // The next one waits for the same host, and holds up nobody on the other.
    Ask second = inPodman;
    second.number = 2;
    s.request(request(second));
    s.request(request({3, {needs(8)}, {1}}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"3:h2[0 1 2 3 4 5 6 7]"_s}));
    WaitReason why = s.waitReason(jobUuid(2));
    QCOMPARE(why.code, u"wait.gpu"_s);
    QCOMPARE(why.args.value(u"total").toInt(), 2); // of those that it may use
    QCOMPARE(why.args.value(u"hosts").toArray().size(), 1);
    // Its only host goes away: that is said, not that there are no GPUs.
    with.usable = false;
    s.setHost(with);
    why = s.waitReason(jobUuid(2));
    QCOMPARE(why.code, u"wait.runtime"_s);
    QCOMPARE(why.args.value(u"runIn").toString(), u"podman"_s);
    const QJsonArray hosts = why.args.value(u"hosts").toArray();
    QCOMPARE(hosts.size(), 2);
    QVERIFY(hosts[0][u"has"].toBool() && hosts[0][u"away"].toBool());
    QVERIFY(!hosts[1][u"has"].toBool() && !hosts[1][u"away"].toBool());
    releaseAll(s, inPodman);
    QVERIFY(s.schedule().empty());
    with.usable = true;
    s.setHost(with);
    QCOMPARE(texts(s.schedule()), (QStringList{u"2:h1[0] h1[1]"_s}));
    releaseAll(s, second);

    // What only a host without it is large enough for is refused by what the others have; one that nobody has too.
    Ask large{4, {needs(4)}, {1}};
    large.runIn = u"podman"_s;
    QCOMPARE(s.impossible(request(large))->code, u"refuse.gpu"_s);
    QCOMPARE(s.impossible(request(large))->args.value(u"most").toInt(), 2);
    large.runIn = u"apptainer"_s;
    QCOMPARE(s.impossible(request(large))->code, u"refuse.runtime"_s);
    QCOMPARE(s.impossible(request(large))->args, (QJsonObject{{u"runIn"_s, u"apptainer"_s}}));
    // Somebody who has not said yet what is there may have it.
    s.restoreAllocation(9, jobUuid(9), tryUuid(jobUuid(9), 0, u"a"_s, 0, 0), {u"h3"_s, {}, {}, {}}, needs(0));
    QVERIFY(!s.impossible(request(large)));

    // A daemon that does not answer may do so again: nothing is placed there, and nothing is refused.
    HostCapacity deaf = with;
    deaf.silentRuntimes = {u"docker"_s};
    s.setHost(deaf);
    Ask inDocker{8, {needs(1)}, {1}};
    inDocker.runIn = u"docker"_s;
    QVERIFY(!s.impossible(request(inDocker)));
    s.request(request(inDocker));
    QVERIFY(s.schedule().empty());
    why = s.waitReason(jobUuid(8));
    QCOMPARE(why.code, u"wait.runtime"_s);
    const QJsonArray deafHosts = why.args.value(u"hosts").toArray();
    QVERIFY2(std::any_of(deafHosts.cbegin(), deafHosts.cend(),
                 [](const QJsonValue &each) {
                     return each[u"host"].toString() == "h1"_L1 && each[u"silent"].toBool() && !each[u"has"].toBool();
                 }),
        QJsonDocument(why.args).toJson().constData());
    deaf.silentRuntimes.clear();
    s.setHost(deaf);
    QCOMPARE(texts(s.schedule()), (QStringList{u"8:h1[0]"_s}));
    releaseAll(s, inDocker);
    s.setHost(with);

    // A host's own choice counts when the job says nothing, and only for what has an image.
    without.runIn = u"podman"_s;
    s.setHost(without);
    releaseAll(s, {3, {needs(8)}, {1}});
    s.request(request({5, {needs(0)}, {1}}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"5:h1"_s}));
    PlacementRequest noImage = request({6, {needs(3)}, {1}});
    noImage.where.hasImage = false;
    s.request(noImage);
    QCOMPARE(texts(s.schedule()), (QStringList{u"6:h2[0 1 2]"_s}));
    Ask shell{7, {needs(3)}, {1}};
    shell.runIn = u"host"_s;
    s.request(request(shell));
    QCOMPARE(texts(s.schedule()), (QStringList{u"7:h2[3 4 5]"_s}));
}

void TstPlacement::repeatedCalls()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 4, 8000));
    const PlacementRequest asked = request({1, {needs(1)}, {2}});
    s.request(asked);
    s.request(asked);
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h1[0] h1[1]"_s}));
    s.request(asked); // they have their places
    QVERIFY(s.schedule().empty());
    QVERIFY(s.queue().isEmpty());
    s.release(asked.tasks[0].tryUuid);
    s.release(asked.tasks[0].tryUuid);
    s.release(QUuid());
    QCOMPARE(s.gpuHolder(u"h1"_s, 0), 0);
    QCOMPARE(s.gpuHolder(u"h1"_s, 1), 1);
    // The next attempt asks anew, whatever waits of the one before.
    PlacementRequest second = request({1, {needs(4)}, {1}});
    s.request(second);
    second.attempt = 1;
    second.tasks[0].tryUuid = tryUuid(second.job, 1, u"a"_s, 0, 0);
    s.request(second);
    s.release(asked.tasks[1].tryUuid);
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h1[0 1 2 3]"_s}));
}

void TstPlacement::restart()
{
    Scheduler s;
    const PlacementRequest asked = request({1, {needs(2, 3000)}, {1}});
    s.restoreAllocation(
        1, asked.job, asked.tasks[0].tryUuid, {u"h1"_s, {}, {1, 2}, {}}, asked.needs[0]); // before its host is known
    s.restoreAllocation(1, asked.job, asked.tasks[0].tryUuid, {u"h1"_s, {}, {1, 2}, {}}, asked.needs[0]);
    s.setHost(host(u"h1"_s, 4, 8000));
    s.request(request({2, {needs(1, 1000)}, {3}, false}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"2:h1[0] h1[3]"_s}));
    QCOMPARE(s.gpuHolder(u"h1"_s, 2), 1);
    s.release(asked.tasks[0].tryUuid);
    QCOMPARE(texts(s.schedule()), (QStringList{u"2:h1[1]"_s}));
}

void TstPlacement::wouldPlace()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 2, 8000));
    const auto now = s.wouldPlace(request({1, {needs(2)}, {1}}));
    QVERIFY(now && now->grants.size() == 1 && now->grants[0].place.gpus == (QList<int>{0, 1}));
    QCOMPARE(s.gpuHolder(u"h1"_s, 0), 0); // it was a question only
    QVERIFY(s.queue().isEmpty());
    s.request(request({1, {needs(1)}, {1}}));
    s.schedule();
    WaitReason why;
    QVERIFY(!s.wouldPlace(request({2, {needs(2)}, {1}}), &why));
    QCOMPARE(why.code, u"wait.gpu"_s);
}

// Jobs of all kinds come and go at random: never more than there is, and everyone gets a turn.
void TstPlacement::neverTooMuch()
{
    QRandomGenerator random(99);
    Scheduler s;
    const QList<int> gpus{4, 2, 0};
    for (int i = 0; i < 3; ++i) {
        s.setHost(host(u"h%1"_s.arg(i + 1), gpus[i], 6000));
    }
    QHash<QUuid, std::pair<Allocation, Needs>> holding;
    QSet<QUuid> started;
    int asked = 0;
    int granted = 0;
    const auto step = [&] {
        for (const JobGrants &grants : s.schedule()) {
            started.insert(grants.job);
            for (const event::Grant &grant : grants.grants) {
                int number = 1;
                while (jobUuid(number) != grants.job) {
                    ++number;
                }
                Needs taken = needs(int(grant.place.gpus.size()), 1000 * (number % 4));
                holding.insert(grant.tryUuid, {grant.place, taken});
                ++granted;
            }
        }
        QHash<QString, qint64> memory;
        QSet<QString> used;
        for (const auto &[place, taken] : std::as_const(holding)) {
            memory[place.host] += taken.memoryMiB;
            for (int gpu : place.gpus) {
                const QString name = place.host + QString::number(gpu);
                if (used.contains(name) || gpu >= gpus[place.host.right(1).toInt() - 1]) {
                    return false;
                }
                used.insert(name);
            }
        }
        for (qint64 sum : std::as_const(memory)) {
            if (sum > 6000) {
                return false;
            }
        }
        return true;
    };
    while (asked < 400 || !holding.isEmpty() || !s.queue().isEmpty()) {
        if (asked < 400 && random.bounded(3) == 0) {
            ++asked;
            const Ask ask{asked, {needs(random.bounded(4), 1000 * (asked % 4))}, {1 + random.bounded(3)},
                random.bounded(2) == 0, random.bounded(3), random.bounded(3)};
            if (!s.impossible(request(ask))) {
                s.request(request(ask));
            } else {
                started.insert(jobUuid(asked));
            }
        } else if (!holding.isEmpty()) {
            const QUuid gone = std::next(holding.keyBegin(), random.bounded(int(holding.size()))).operator*();
            s.release(gone);
            holding.remove(gone);
        }
        QVERIFY(step());
        QVERIFY(!holding.isEmpty() || s.queue().isEmpty()); // an idle machine has no queue
    }
    QCOMPARE(started.size(), 400);
    for (const QString &id : {u"h1"_s, u"h2"_s, u"h3"_s}) {
        s.removeHost(id); // it stays while it has tasks
        QVERIFY(!isKnown(s, id));
    }
    qInfo("%d jobs, %d tasks placed", asked, granted);
}

void TstPlacement::fast()
{
    QElapsedTimer timer;
    const int count = int(inForm(10000));
    const int jobCount = int(inForm(3000));
    // One job of 10,000 tasks, four at a time.
    Scheduler one;
    one.setHost(host(u"h1"_s, 4, 8000));
    timer.start();
    const PlacementRequest asked = request({1, {needs(1)}, {count}, false});
    one.request(asked);
    int placed = 0;
    for (std::size_t i = 0; placed < count; ++i) {
        for (const JobGrants &grants : one.schedule()) {
            placed += int(grants.grants.size());
        }
        one.release(asked.tasks[i].tryUuid);
    }
    const qint64 tasks = timer.restart();
    // 3,000 jobs of a task each.
    Scheduler many;
    many.setHost(host(u"h1"_s, 4, 8000));
    for (int i = 1; i <= jobCount; ++i) {
        many.request(request({i, {needs(1)}, {1}}));
    }
    placed = 0;
    for (int i = 1; placed < jobCount; ++i) {
        for (const JobGrants &grants : many.schedule()) {
            placed += int(grants.grants.size());
        }
        many.release(request({i, {needs(1)}, {1}}).tasks[0].tryUuid);
    }
    const qint64 jobs = timer.restart();
    // A gang of 10,000 over 20 hosts.
    Scheduler large;
    for (int i = 0; i < 20; ++i) {
        large.setHost(host(u"h%1"_s.arg(i), 0, 1'000'000, 128));
    }
    large.request(request({1, {needs(0, 1000)}, {count}}));
    QCOMPARE(large.schedule().front().grants.size(), std::size_t(count));
    qInfo("%d tasks of one job %lld ms, %d jobs %lld ms, a gang of as many tasks %lld ms", count, tasks, jobCount, jobs,
        timer.elapsed());
#if !defined(TRAINYARD_ADDRESS_SANITIZED)
    QVERIFY(tasks < 3000 && timer.elapsed() < 15000 && jobs < 10000);
#endif
}

TRAINYARD_TEST(TstPlacement)
#include "tst_placement.moc"
