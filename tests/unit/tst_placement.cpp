// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/fit.h"
#include "engine/core/gpurules.h"
#include "engine/core/rooms.h"
#include "engine/core/scheduler.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;

namespace
{

HostCapacity host(const QString &id, int gpus, qint64 memoryMiB, int cpus = 8)
{
    HostCapacity capacity;
    capacity.id = id;
    capacity.address = u"10.0.0."_s + id.right(1);
    capacity.usable = true;
    capacity.cpus = cpus;
    capacity.memoryMiB = memoryMiB + 1024;
    capacity.reserveMiB = 1024;
    for (int i = 0; i < gpus; ++i) {
        capacity.gpus.push_back({i, u"GPU-%1-%2"_s.arg(id).arg(i), u"Test"_s, 24000, false, false});
    }
    return capacity;
}

QUuid jobUuid(int number) { return QUuid::createUuidV5(QUuid(), u"job%1"_s.arg(number)); }

struct Ask {
    int number = 0;
    std::vector<Needs> needs; // of each role, gpu, cpu, memory
    std::vector<int> counts;
    bool gang = true;
    int priority = 0;
    int maxParallel = 0;
    QString onlyHost = {};
    QString runIn = {};
};

PlacementRequest request(const Ask &ask)
{
    PlacementRequest result;
    result.job = jobUuid(ask.number);
    result.jobId = ask.number;
    result.submitted = ask.number;
    result.gang = ask.gang;
    result.priority = ask.priority;
    result.maxParallel = ask.maxParallel;
    result.where = {ask.onlyHost, ask.runIn, true};
    result.needs = ask.needs;
    for (std::size_t role = 0; role < ask.counts.size(); ++role) {
        result.roleNames.append(QString(QChar(u'a' + char16_t(role))));
        for (int i = 0; i < ask.counts[role]; ++i) {
            result.tasks.push_back(
                {{std::int32_t(role), i}, tryUuid(result.job, 0, result.roleNames.last(), i, 0), {}});
        }
    }
    return result;
}

Needs needs(int gpu, qint64 memoryMiB = 0, int cpu = 1)
{
    Needs result;
    result.gpu = gpu;
    result.cpu = cpu;
    result.memoryMiB = memoryMiB;
    return result;
}

// With GPU memory: what may share a GPU with others.
Needs part(qint64 gpuMemoryMiB, int gpu = 1, qint64 memoryMiB = 0)
{
    Needs result = needs(gpu, memoryMiB);
    result.gpuMemoryMiB = gpuMemoryMiB;
    return result;
}

// With ports that the job fixes: one label, from this number on.
Needs fixing(int first, int count = 1, int gpu = 0)
{
    Needs result = needs(gpu);
    result.ports = {{u"ssh"_s, 1}, {u"web"_s, count}};
    result.firstPorts = {{u"web"_s, first}};
    return result;
}

Needs typed(const QString &type, int gpu = 1)
{
    Needs result = needs(gpu);
    result.gpuType = type;
    return result;
}

HostCapacity namedHost(const QString &id, const QStringList &names)
{
    HostCapacity capacity = host(id, int(names.size()), 8000);
    for (qsizetype i = 0; i < names.size(); ++i) {
        capacity.gpus[std::size_t(i)].name = names.at(i);
    }
    return capacity;
}

HostCapacity sharingHost(const QString &id, const QList<qint64> &gpuMemoryMiB, qint64 memoryMiB = 100000)
{
    HostCapacity capacity = host(id, int(gpuMemoryMiB.size()), memoryMiB);
    capacity.sharing = true;
    for (qsizetype i = 0; i < gpuMemoryMiB.size(); ++i) {
        capacity.gpus[std::size_t(i)].memoryMiB = gpuMemoryMiB[i];
    }
    return capacity;
}

// "1:h1[0 1] h2[0]": job 1 got a task on h1 with GPUs 0 and 1, and one on h2.
QStringList texts(const std::vector<JobGrants> &all)
{
    QStringList lines;
    for (const JobGrants &grants : all) {
        QStringList places;
        for (const event::Grant &grant : grants.grants) {
            QStringList gpus;
            for (int gpu : grant.place.gpus) {
                gpus.append(QString::number(gpu));
            }
            places.append(gpus.isEmpty() ? grant.place.host : grant.place.host + u'[' + gpus.join(u' ') + u']');
        }
        int number = 0;
        while (jobUuid(number) != grants.job) {
            ++number;
        }
        lines.append(QString::number(number) + u':' + places.join(u' '));
    }
    return lines;
}

void releaseAll(Scheduler &scheduler, const Ask &ask)
{
    const PlacementRequest asked = request(ask);
    for (const PlacementRequest::Wanted &wanted : asked.tasks) {
        scheduler.release(wanted.tryUuid);
    }
}

} // namespace

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
    void taskByTask();
    void retryPrefersItsHost();
    void order();
    void byHand();
    void byPriority();
    void keptGpus();
    void heldHosts();
    void runtimes();
    void gpuHours_data();
    void gpuHours();
    void backfill_data();
    void backfill();
    void sharing_data();
    void sharing();
    void sharingComesAndGoes();
    void sharingBackfill_data();
    void sharingBackfill();
    void sharingReasons();
    void gpuTypes_data();
    void gpuTypes();
    void gpuTypeRefusals();
    void gpuTypeOfAnAbsentHost();
    void fixedPorts_data();
    void fixedPorts();
    void drawnPortInTheWay();
    void tooManyOnAFixedPort();
    void headIsNeverDelayed_data();
    void headIsNeverDelayed();
    void awayHostsHoldUpNobody();
    void impossible_data();
    void impossible();
    void fits();
    void reasons();
    void repeatedCalls();
    void restart();
    void wouldPlace();
    void neverTooMuch();
    void neverTooMuchOfAGpu();
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
    QCOMPARE(s.tasksOn(u"h1"_s), 3);
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

void TstPlacement::order()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 1, 8000));
    s.request(request({3, {needs(1)}, {1}}));
    s.request(request({2, {needs(1)}, {1}}));
    s.request(request({4, {needs(1)}, {1}, true, 5}));
    QCOMPARE(s.queue(), (QList<QUuid>{jobUuid(4), jobUuid(2), jobUuid(3)}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"4:h1[0]"_s}));
    s.cancel(jobUuid(2));
    s.cancel(jobUuid(2));
    releaseAll(s, {4, {needs(1)}, {1}});
    QCOMPARE(texts(s.schedule()), (QStringList{u"3:h1[0]"_s}));
}

void TstPlacement::byHand()
{
    Scheduler s;
    for (int i = 1; i <= 4; ++i) {
        s.request(request({i, {needs(1)}, {1}, true, i == 4 ? 9 : 0}));
    }
    const auto order = [&] {
        QString text;
        for (const QUuid &job : s.queue()) {
            for (int i = 1; i <= 4; ++i) {
                text += job == jobUuid(i) ? QString::number(i) : QString();
            }
        }
        return text;
    };
    QCOMPARE(order(), u"4123"_s);
    QVERIFY(s.move(jobUuid(3), jobUuid(2)));
    QCOMPARE(order(), u"4132"_s);
    QVERIFY(s.move(jobUuid(2), jobUuid(4)));
    QCOMPARE(order(), u"2413"_s);
    QVERIFY(s.move(jobUuid(4), QUuid()));
    QCOMPARE(order(), u"2134"_s);
    // Kept for a restart, and taken up again.
    QVERIFY(!s.placeByHand(jobUuid(9)));
    const auto byHand = s.placeByHand(jobUuid(4));
    QVERIFY(byHand);
    QVERIFY(!s.move(jobUuid(4), jobUuid(4)));
    QVERIFY(!s.move(jobUuid(9), jobUuid(4)));
    QVERIFY(!s.move(jobUuid(4), jobUuid(9)));
    for (int i = 0; i < 60; ++i) { // again and again between the same two
        QVERIFY(s.move(jobUuid(i % 2 ? 1 : 3), jobUuid(4)));
    }
    QCOMPARE(order(), u"2314"_s);
    for (int i = 0; i < 20000; ++i) {
        QVERIFY(s.move(jobUuid(i % 2 ? 1 : 3), jobUuid(i % 2 ? 3 : 1)));
    }
    QCOMPARE(order(), u"2134"_s);
    QVERIFY(s.move(jobUuid(3), jobUuid(1)));
    // A retried attempt keeps the place.
    const PlacementRequest asked = request({4, {needs(1)}, {1}, true, 9});
    s.cancel(jobUuid(4));
    s.request(asked);
    QCOMPARE(order(), u"2314"_s);
}

// Job 1 runs, 2 waits at the head; may 3 start before it?
void TstPlacement::byPriority()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 0, 8000));
    s.setHost(host(u"h2"_s, 1, 8000));
    const Ask holder{9, {needs(1)}, {1}};
    s.request(request(holder));
    QCOMPARE(s.schedule().size(), std::size_t(1));
    for (int number = 1; number <= 4; ++number) {
        s.request(request({number, {needs(1)}, {1}}));
    }
    const auto order = [&] {
        QString numbers;
        for (const QUuid &job : s.queue()) {
            for (int number = 1; number <= 4; ++number) {
                numbers += jobUuid(number) == job ? QString::number(number) : QString();
            }
        }
        return numbers;
    };
    QCOMPARE(order(), u"1234"_s);
    QVERIFY(s.setPriority(jobUuid(3), 5));
    QCOMPARE(order(), u"3124"_s);
    QVERIFY(s.setPriority(jobUuid(4), 5)); // among equals by the time of submission
    QCOMPARE(order(), u"3412"_s);
    QVERIFY(s.setPriority(jobUuid(1), -1));
    QCOMPARE(order(), u"3421"_s);
    QVERIFY(s.move(jobUuid(1), jobUuid(3)));
    QCOMPARE(order(), u"1342"_s);
    QVERIFY(s.setPriority(jobUuid(1), 0)); // the hand's place is forgotten
    QCOMPARE(order(), u"3412"_s);
    QVERIFY(!s.placeByHand(jobUuid(1)));
    QVERIFY(!s.setPriority(jobUuid(9), 7)); // it has what it wants
    QVERIFY(!s.setPriority(jobUuid(77), 7));
    releaseAll(s, holder);
    QCOMPARE(texts(s.schedule()), (QStringList{u"3:h2[0]"_s}));
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

void TstPlacement::gpuHours_data()
{
    QTest::addColumn<QString>("hours");
    QTest::addColumn<QString>("now");
    QTest::addColumn<QString>("until");
    const auto row = [](const char *hours, const char *now, const char *until) {
        QTest::addRow("%s at %s", hours, now)
            << QString::fromLatin1(hours) << QString::fromLatin1(now) << QString::fromLatin1(until);
    };
    // 2026-11-20 is a Friday.
    row("0 9-18", "2026-11-20T08:59:59", "");
    row("0 9-18", "2026-11-20T09:00:00", "18:00");
    row("0 9-18", "2026-11-20T17:59:59", "18:00");
    row("0 9-18", "2026-11-20T18:00:00", "");
    row("0 09:30-18:15", "2026-11-20T18:14:00", "18:15");
    row("local:0 9-18", "2026-11-20T12:00:00", "18:00");
    row("gpu-abc 9-18", "2026-11-20T12:00:00", "18:00");
    row("1 9-18", "2026-11-20T12:00:00", "");
    row("lab:0 9-18", "2026-11-20T12:00:00", "");
    row("0 9-18 Mon-Fri", "2026-11-20T12:00:00", "18:00");
    row("0 9-18 mon-fri", "2026-11-21T12:00:00", "");
    row("0 9-18 Sat", "2026-11-21T12:00:00", "18:00");
    row("0 9-18 Fri-Mon", "2026-11-22T12:00:00", "18:00");
    row("0 9-18 Fri-Mon", "2026-11-24T12:00:00", "");
    // Over midnight it is the day on which it begins.
    row("0 22-6", "2026-11-20T23:00:00", "06:00");
    row("0 22-6", "2026-11-20T05:59:00", "06:00");
    row("0 22-6", "2026-11-20T06:00:00", "");
    row("0 22-6 Fri", "2026-11-21T05:00:00", "06:00");
    row("0 22-6 Fri", "2026-11-20T05:00:00", "");
    row("0 22-6 Sun", "2026-11-23T05:00:00", "06:00");
    row("0 0-24", "2026-11-20T23:59:00", "24:00");
    row("0 8-8", "2026-11-20T03:00:00", "08:00");
    for (const char *wrong :
        {"", "0", "0 9", "0 9-", "0 25-26", "0 24:30-3", "0 9:60-10", "0 9-18 Xxx", "9-18", "0 9-18 Mon-"}) {
        row(wrong, "2026-11-20T12:00:00", "");
    }
}

void TstPlacement::gpuHours()
{
    QFETCH(QString, hours);
    QFETCH(QString, now);
    QFETCH(QString, until);
    const GpuRules rules{{}, {}, {hours}};
    const auto kept = gpuKept(rules, u"local"_s, 0, u"GPU-abc"_s, QDateTime::fromString(now, Qt::ISODate));
    QCOMPARE(kept ? kept->until : QString(), until);
    QVERIFY(!kept || !kept->excluded);
    // Never goes before the hours, and names mean the same everywhere.
    const GpuRules never{{u"GPU-ABC"_s}, {u"lab:0"_s, u"0"_s}, {hours}};
    QVERIFY(gpuKept(never, u"local"_s, 0, u"GPU-abc"_s, {})->excluded);
    QCOMPARE(gpuRank(never, u"local"_s, 0, u"GPU-abc"_s), 1);
    QCOMPARE(gpuRank(never, u"lab"_s, 0, u"GPU-x"_s), 0);
    QCOMPARE(gpuRank(never, u"lab"_s, 1, u"GPU-x"_s), INT_MAX);
}

void TstPlacement::backfill_data()
{
    QTest::addColumn<Ask>("running");
    QTest::addColumn<Ask>("head");
    QTest::addColumn<Ask>("later");
    QTest::addColumn<QStringList>("placed");
    const Ask threeGpus{1, {needs(3, 1000)}, {1}};
    QTest::newRow("takes a GPU that the head needs")
        << threeGpus << Ask{2, {needs(4)}, {1}} << Ask{3, {needs(1)}, {1}} << QStringList{};
    QTest::newRow("needs none") << threeGpus << Ask{2, {needs(4)}, {1}} << Ask{3, {needs(0)}, {5}}
                                << QStringList{u"3:h1 h1 h1 h1 h1"_s};
    QTest::newRow("memory that the head needs")
        << threeGpus << Ask{2, {needs(4, 9000)}, {1}} << Ask{3, {needs(0, 100)}, {1}} << QStringList{};
    QTest::newRow("memory enough for both")
        << threeGpus << Ask{2, {needs(4, 2000)}, {1}} << Ask{3, {needs(0, 5000)}, {1}} << QStringList{u"3:h1"_s};
    QTest::newRow("head waits for memory only") << Ask{1, {needs(0, 7000)}, {1}} << Ask{2, {needs(1, 4000)}, {1}}
                                                << Ask{3, {needs(3)}, {1}} << QStringList{u"3:h1[0 1 2]"_s};
    QTest::newRow("head waits for memory, all GPUs gone")
        << Ask{1, {needs(0, 7000)}, {1}} << Ask{2, {needs(1, 4000)}, {1}} << Ask{3, {needs(4)}, {1}} << QStringList{};
    QTest::newRow("a host that the head cannot use") << threeGpus << Ask{2, {needs(4)}, {1}, true, 0, 0, u"h1"_s}
                                                     << Ask{3, {needs(2)}, {1}} << QStringList{u"3:h2[0 1]"_s};
    QTest::newRow("a host too small for the head")
        << threeGpus << Ask{2, {needs(4)}, {1}} << Ask{3, {needs(2)}, {1}} << QStringList{u"3:h2[0 1]"_s};
    QTest::newRow("part of a split gang could go there")
        << threeGpus << Ask{2, {needs(2)}, {3}} << Ask{3, {needs(2)}, {1}} << QStringList{};
}

void TstPlacement::backfill()
{
    QFETCH(Ask, running);
    QFETCH(Ask, head);
    QFETCH(Ask, later);
    QFETCH(QStringList, placed);
    Scheduler s;
    s.setHost(host(u"h1"_s, 4, 10000));
    const QString name = QString::fromLatin1(QTest::currentDataTag());
    if (name.contains(u"host"_s) || name.contains(u"split"_s)) {
        s.setHost(host(u"h2"_s, 2, 10000));
    }
    running.onlyHost = u"h1"_s;
    s.request(request(running));
    QCOMPARE(s.schedule().size(), std::size_t(1));
    s.request(request(head));
    s.request(request(later));
    QCOMPARE(texts(s.schedule()), placed);
    // The head starts as soon as what ran before it is gone.
    releaseAll(s, running);
    const QStringList then = texts(s.schedule());
    QVERIFY2(!then.isEmpty() && then.first().startsWith(u"2:"_s), qPrintable(then.join(u", "_s)));
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
    s.adopt(9, jobUuid(9), tryUuid(jobUuid(9), 0, u"a"_s, 0, 0), {u"h3"_s, {}, {}, {}}, needs(0));
    QVERIFY(!s.impossible(request(large)));

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

void TstPlacement::sharing_data()
{
    QTest::addColumn<HostCapacity>("of");
    QTest::addColumn<QList<Ask>>("asks");
    QTest::addColumn<QStringList>("placed");
    const HostCapacity two = sharingHost(u"h1"_s, {8000, 8000});
    HostCapacity off = two;
    off.sharing = false;
    const auto row = [](const char *name, const HostCapacity &of, const QList<Ask> &asks, const QStringList &placed) {
        QTest::newRow(name) << of << asks << placed;
    };
    row("as many as fit", two, {{1, {part(3000)}, {5}, false}}, {u"1:h1[0] h1[0] h1[1] h1[1]"_s});
    row("exactly full", two, {{1, {part(4000)}, {4}}}, {u"1:h1[0] h1[0] h1[1] h1[1]"_s});
    row("one MiB too much", two, {{1, {part(4001)}, {3}, false}}, {u"1:h1[0] h1[1]"_s});
    row("all of it", two, {{1, {part(8000)}, {2}}}, {u"1:h1[0] h1[1]"_s});
    row("switched off", off, {{1, {part(3000)}, {5}, false}}, {u"1:h1[0] h1[1]"_s});
    row("who says nothing is alone", two, {{1, {part(1000)}, {1}}, {2, {needs(1)}, {1}}, {3, {part(1000)}, {1}}},
        {u"1:h1[0]"_s, u"2:h1[1]"_s, u"3:h1[0]"_s});
    row("the fullest first", two,
        {{1, {part(6000)}, {1}}, {2, {part(3000)}, {1}}, {3, {part(2000)}, {1}}, {4, {part(1500)}, {1}}},
        {u"1:h1[0]"_s, u"2:h1[1]"_s, u"3:h1[0]"_s, u"4:h1[1]"_s});
    row("two GPUs each", two, {{1, {part(3000, 2)}, {3}, false}}, {u"1:h1[0 1] h1[0 1]"_s});
    row("gang of both kinds", two, {{1, {part(4000), needs(1)}, {2, 1}}}, {u"1:h1[1] h1[1] h1[0]"_s});
    row("gang of both kinds, too large", two, {{1, {part(4000), needs(1)}, {3, 1}}}, {});
    row("the other memory counts too", sharingHost(u"h1"_s, {8000}, 1000), {{1, {part(1000, 1, 400)}, {5}, false}},
        {u"1:h1[0] h1[0]"_s});
    row("only where it is large enough", sharingHost(u"h1"_s, {4000, 8000, 8000}), {{1, {part(5000)}, {3}, false}},
        {u"1:h1[1] h1[2]"_s});
    row("small ones first", sharingHost(u"h1"_s, {8000, 4000}), {{1, {part(1000)}, {5}, false}},
        {u"1:h1[1] h1[1] h1[1] h1[1] h1[0]"_s});
    HostCapacity large = sharingHost(u"h1"_s, {4000, 8000});
    large.sharing = false;
    row("large enough, alone", large, {{1, {part(5000)}, {1}}, {2, {needs(1)}, {1}}}, {u"1:h1[1]"_s, u"2:h1[0]"_s});
    row("memory not known", sharingHost(u"h1"_s, {0, 0}), {{1, {part(5000)}, {3}, false}}, {u"1:h1[0] h1[1]"_s});
    HostCapacity busy = two;
    busy.gpus[0].foreign = true;
    row("not on what is busy", busy, {{1, {part(1000)}, {2}}}, {u"1:h1[1] h1[1]"_s});
    HostCapacity ranked = two;
    ranked.gpus[1].rank = 0;
    row("preferred first", ranked, {{1, {part(5000)}, {1}}, {2, {needs(1)}, {1}}}, {u"1:h1[1]"_s, u"2:h1[0]"_s});
}

void TstPlacement::sharing()
{
    QFETCH(HostCapacity, of);
    QFETCH(QList<Ask>, asks);
    QFETCH(QStringList, placed);
    Scheduler s;
    s.setHost(of);
    QStringList all;
    for (const Ask &ask : std::as_const(asks)) {
        s.request(request(ask));
        all += texts(s.schedule());
    }
    QCOMPARE(all, placed);
}

void TstPlacement::sharingComesAndGoes()
{
    Scheduler s;
    s.setHost(sharingHost(u"h1"_s, {8000}));
    s.request(request({1, {part(3000)}, {2}}));
    const std::vector<JobGrants> granted = s.schedule();
    QCOMPARE(granted.front().grants.front().place.gpuShareMiB, 3000);
    s.request(request({2, {part(2000)}, {1}}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"2:h1[0]"_s}));
    QCOMPARE(s.gpuHolders(u"h1"_s, 0), (QList<qint64>{1, 2}));
    QCOMPARE(s.gpuHolder(u"h1"_s, 0), 1);
    QCOMPARE(s.gpuPromisedMiB(u"h1"_s, 0), 8000);
    // Nobody has it for himself before the last one is gone.
    s.request(request({3, {needs(1)}, {1}}));
    QVERIFY(s.schedule().empty());
    releaseAll(s, {1, {part(3000)}, {2}});
    QCOMPARE(s.gpuHolders(u"h1"_s, 0), (QList<qint64>{2}));
    QCOMPARE(s.gpuPromisedMiB(u"h1"_s, 0), 2000);
    QVERIFY(s.schedule().empty());
    releaseAll(s, {2, {part(2000)}, {1}});
    QCOMPARE(texts(s.schedule()), (QStringList{u"3:h1[0]"_s}));
    QCOMPARE(s.gpuPromisedMiB(u"h1"_s, 0), 0);
    s.request(request({4, {part(1)}, {1}}));
    QVERIFY(s.schedule().empty());
    releaseAll(s, {3, {needs(1)}, {1}});
    QCOMPARE(texts(s.schedule()), (QStringList{u"4:h1[0]"_s}));
    // After a restart what was shared is shared, whatever the setting says now.
    Scheduler again;
    const PlacementRequest asked = request({1, {part(3000)}, {1}});
    again.adopt(1, asked.job, asked.tasks[0].tryUuid, {u"h1"_s, {}, {0}, {}, 3000}, asked.needs[0]);
    HostCapacity off = sharingHost(u"h1"_s, {8000});
    off.sharing = false;
    again.setHost(off);
    again.request(request({2, {part(1000)}, {1}}));
    QVERIFY(again.schedule().empty());
    off.sharing = true;
    again.setHost(off);
    QCOMPARE(texts(again.schedule()), (QStringList{u"2:h1[0]"_s}));
    QCOMPARE(again.gpuPromisedMiB(u"h1"_s, 0), 4000);
}

// As backfill(), with parts of GPUs.
void TstPlacement::sharingBackfill_data()
{
    QTest::addColumn<Ask>("running");
    QTest::addColumn<Ask>("head");
    QTest::addColumn<Ask>("later");
    QTest::addColumn<QStringList>("placed");
    const auto row = [](const char *name, const Ask &running, const Ask &head, const Ask &later,
                         const QStringList &placed) { QTest::newRow(name) << running << head << later << placed; };
    row("a part of what the head wants whole", {1, {part(4000)}, {1}}, {2, {needs(2)}, {1}}, {3, {part(100)}, {1}}, {});
    row("the head waits for memory", {1, {part(4000, 1, 90000)}, {1}}, {2, {needs(1, 50000)}, {1}},
        {3, {part(1000)}, {1}}, {u"3:h1[0]"_s});
    row("the head wants the only whole one", {1, {part(4000, 1, 90000)}, {1}}, {2, {needs(1, 50000)}, {1}},
        {3, {needs(1)}, {1}}, {});
    row("a part that the head wants", {1, {part(6000)}, {2}}, {2, {part(4000)}, {1}}, {3, {part(2000)}, {1}}, {});
    row("a part that the head leaves", {1, {part(2000, 1, 90000)}, {1}}, {2, {part(4000, 1, 50000)}, {1}},
        {3, {part(2000)}, {1}}, {u"3:h1[0]"_s});
    row("a whole one that the head leaves", {1, {part(2000, 1, 90000)}, {1}}, {2, {part(4000, 1, 50000)}, {1}},
        {3, {needs(1)}, {1}}, {});
}

void TstPlacement::sharingBackfill()
{
    QFETCH(Ask, running);
    QFETCH(Ask, head);
    QFETCH(Ask, later);
    QFETCH(QStringList, placed);
    Scheduler s;
    s.setHost(sharingHost(u"h1"_s, {8000, 8000}));
    s.request(request(running));
    QCOMPARE(s.schedule().size(), std::size_t(1));
    s.request(request(head));
    s.request(request(later));
    QCOMPARE(texts(s.schedule()), placed);
    releaseAll(s, running);
    const QStringList then = texts(s.schedule());
    QVERIFY2(!then.isEmpty() && then.first().startsWith(u"2:"_s), qPrintable(then.join(u", "_s)));
}

// h1 has a V100 between two K80s, h2 has two K80s. Each job in its turn; then the first one ends.
void TstPlacement::gpuTypes_data()
{
    QTest::addColumn<QList<Ask>>("asks");
    QTest::addColumn<QStringList>("placed");
    QTest::addColumn<QString>("whyLast");
    QTest::addColumn<QStringList>("then");
    const auto row = [](const char *name, const QList<Ask> &asks, const QStringList &placed, const QString &whyLast,
                         const QStringList &then) { QTest::newRow(name) << asks << placed << whyLast << then; };
    const Needs v100 = typed(u"v100"_s);
    const Needs k80 = typed(u"Tesla-K80"_s);
    row("only of the type", {{1, {v100}, {1}}}, {u"1:h1[1]"_s}, {}, {});
    row("waits for it", {{1, {v100}, {1}}, {2, {v100}, {1}}}, {u"1:h1[1]"_s}, u"wait.gpu-type"_s, {u"2:h1[1]"_s});
    row("whoever has it", {{1, {needs(3)}, {1}}, {2, {v100}, {1}}}, {u"1:h1[0 1 2]"_s}, u"wait.gpu-type"_s,
        {u"2:h1[1]"_s});
    row("several of one host", {{1, {typed(u"k80"_s, 2)}, {1}}}, {u"1:h2[0 1]"_s}, {}, {});
    row("a gang of both", {{1, {k80, v100}, {4, 1}}}, {u"1:h1[0] h1[2] h2[0] h2[1] h1[1]"_s}, {}, {});
    row("any does not take it", {{1, {needs(1), v100}, {2, 1}}}, {u"1:h1[0] h1[2] h1[1]"_s}, {}, {});
    row("one by one", {{1, {v100}, {2}, false}}, {u"1:h1[1]"_s}, u"wait.gpu-type"_s, {u"1:h1[1]"_s});
    row("all are in use", {{1, {needs(3), needs(2)}, {1, 1}}, {2, {v100}, {1}}}, {u"1:h1[0 1 2] h2[0 1]"_s},
        u"wait.gpu"_s, {u"2:h1[1]"_s});
    row("the host without it is free for others", {{1, {v100}, {1}}, {2, {v100}, {1}}, {3, {typed(u"k80"_s, 2)}, {1}}},
        {u"1:h1[1]"_s, u"3:h2[0 1]"_s}, {}, {u"2:h1[1]"_s});
    row("others go on beside the head", {{1, {v100}, {1}}, {2, {v100}, {1}}, {3, {needs(1)}, {1}, true, 0, 0, u"h1"_s}},
        {u"1:h1[1]"_s, u"3:h1[0]"_s}, {}, {u"2:h1[1]"_s});
    row("nobody takes it from the head", {{1, {v100}, {1}}, {2, {v100}, {1}}, {3, {v100}, {1}}}, {u"1:h1[1]"_s},
        u"wait.gpu-type"_s, {u"2:h1[1]"_s});
}

void TstPlacement::gpuTypes()
{
    QFETCH(QList<Ask>, asks);
    QFETCH(QStringList, placed);
    QFETCH(QString, whyLast);
    QFETCH(QStringList, then);
    Scheduler s;
    s.setHost(namedHost(u"h1"_s, {u"Tesla K80"_s, u"Tesla V100-SXM2-16GB"_s, u"Tesla K80"_s}));
    s.setHost(namedHost(u"h2"_s, {u"Tesla K80"_s, u"Tesla K80"_s}));
    QStringList got;
    for (const Ask &ask : std::as_const(asks)) {
        s.request(request(ask));
        got += texts(s.schedule());
    }
    QCOMPARE(got, placed);
    const WaitReason why = s.waitReason(jobUuid(asks.last().number));
    QCOMPARE(why.code, whyLast);
    if (why.code == u"wait.gpu-type") {
        QCOMPARE(why.args.value("type"_L1).toString(), u"v100"_s);
        QCOMPARE(why.args.value("wanted"_L1).toInt(), 1);
        QCOMPARE(why.args.value("free"_L1).toInt(), 0);
        QCOMPARE(why.args.value("total"_L1).toInt(), 1);
        const QJsonObject first = why.args.value("hosts"_L1).toArray().at(0).toObject();
        QCOMPARE(first.value("total"_L1).toInt(), 1); // the others of the host are not spoken of
        QCOMPARE(first.value("jobs"_L1).toArray(), QJsonArray{1});
    }
    s.release(request(asks.first()).tasks.front().tryUuid);
    QCOMPARE(texts(s.schedule()), then);
}

void TstPlacement::gpuTypeRefusals()
{
    Scheduler s;
    s.setHost(namedHost(u"h1"_s, {u"Tesla K80"_s, u"Tesla V100-SXM2-16GB"_s}));
    s.setHost(namedHost(u"h2"_s, {u"Tesla V100-PCIE-32GB"_s}));
    const auto refused = [&](const Ask &ask) { return s.impossible(request(ask)).value_or(Error{}); };
    QCOMPARE(refused({1, {typed(u"V100"_s)}, {2}}).code, QString());
    const Error large = refused({1, {typed(u"V100"_s, 2)}, {1}});
    QCOMPARE(large.code, u"refuse.gpu-type"_s);
    QCOMPARE(large.args,
        (QJsonObject{
            {u"role"_s, u"a"_s}, {u"type"_s, u"V100"_s}, {u"wanted"_s, 2}, {u"most"_s, 1}, {u"host"_s, u"h1"_s}}));
    const Error many = refused({1, {typed(u"V100"_s)}, {3}});
    QCOMPARE(many.code, u"refuse.gang-type"_s);
    QCOMPARE(many.args, (QJsonObject{{u"type"_s, u"V100"_s}, {u"wanted"_s, 3}, {u"most"_s, 2}}));
    QCOMPARE(refused({1, {typed(u"V100"_s)}, {3}, false}).code, QString());
    QCOMPARE(refused({1, {typed(u"V100"_s)}, {4}}).code, u"refuse.gang"_s); // of no type there are so many
    QCOMPARE(refused({1, {typed(u"A100"_s)}, {1}}).code, QString()); // a host that is not known yet may have it
    QCOMPARE(refused({1, {typed(u"A100"_s, 3)}, {1}}).code, u"refuse.gpu"_s);
}

void TstPlacement::gpuTypeOfAnAbsentHost()
{
    Scheduler s;
    s.setHost(namedHost(u"h1"_s, {u"Tesla K80"_s}));
    s.request(request({1, {typed(u"V100"_s)}, {1}}));
    s.request(request({2, {needs(1)}, {1}}));
    QCOMPARE(texts(s.schedule()), QStringList{u"2:h1[0]"_s}); // it holds up nobody
    QCOMPARE(s.waitReason(jobUuid(1)).code, u"wait.gpu-type-away"_s);
    s.setHost(namedHost(u"h2"_s, {u"Tesla V100-PCIE-32GB"_s}));
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h2[0]"_s});
}

// Each job in its turn, on two GPUs of each host; then the first one ends.
void TstPlacement::fixedPorts_data()
{
    QTest::addColumn<int>("hosts");
    QTest::addColumn<QList<Ask>>("asks");
    QTest::addColumn<QStringList>("placed");
    QTest::addColumn<QJsonObject>("whyLast"); // code and args of what the last one waits for
    QTest::addColumn<QStringList>("then");
    const auto port = [](const QString &host, int number, int job) {
        QJsonObject held{{u"host"_s, host}, {u"port"_s, number}, {u"job"_s, job}};
        held.insert(u"hosts"_s, QJsonArray{QJsonObject(held)});
        held.insert(u"code"_s, u"wait.port"_s);
        return held;
    };
    const auto row
        = [](const char *name, int hosts, const QList<Ask> &asks, const QStringList &placed, const QJsonObject &whyLast,
              const QStringList &then) { QTest::newRow(name) << hosts << asks << placed << whyLast << then; };
    row("waits for its holder", 1, {{1, {fixing(5000)}, {1}}, {2, {fixing(5000)}, {1}}}, {u"1:h1"_s},
        port(u"h1"_s, 5000, 1), {u"2:h1"_s});
    row("other ports", 1, {{1, {fixing(5000)}, {1}}, {2, {fixing(5001)}, {1}}}, {u"1:h1"_s, u"2:h1"_s}, {}, {});
    row("the last of several", 1, {{1, {fixing(5000, 3)}, {1}}, {2, {fixing(5002, 2)}, {1}}}, {u"1:h1"_s},
        port(u"h1"_s, 5002, 1), {u"2:h1"_s});
    row("drawn ones are in nobody's way", 1, {{1, {fixing(5000)}, {1}}, {2, {needs(0)}, {2}}},
        {u"1:h1"_s, u"2:h1 h1"_s}, {}, {});
    row("another host", 2, {{1, {fixing(5000)}, {1}}, {2, {fixing(5000)}, {1}}}, {u"1:h1"_s, u"2:h2"_s}, {}, {});
    row("a gang on two hosts", 2, {{1, {fixing(5000)}, {2}}}, {u"1:h1 h2"_s}, {}, {});
    row("roles that fix the same", 2, {{1, {fixing(5000), fixing(5000)}, {1, 1}}}, {u"1:h1 h2"_s}, {}, {});
    row("a gang waits for both", 2, {{1, {fixing(5000)}, {1}}, {2, {fixing(5000)}, {2}}}, {u"1:h1"_s},
        port(u"h1"_s, 5000, 1), {u"2:h1 h2"_s});
    row("one after the other", 1, {{1, {fixing(5000)}, {2}, false}}, {u"1:h1"_s}, port(u"h1"_s, 5000, 1), {u"1:h1"_s});
    row("it is the GPUs", 1, {{1, {fixing(5000, 1, 2)}, {1}}, {2, {fixing(5000, 1, 1)}, {1}}}, {u"1:h1[0 1]"_s},
        {{u"code"_s, u"wait.gpu"_s}}, {u"2:h1[0]"_s});
    row("others go on", 1, {{1, {fixing(5000)}, {1}}, {2, {fixing(5000)}, {1}}, {3, {needs(2)}, {1}}},
        {u"1:h1"_s, u"3:h1[0 1]"_s}, {}, {u"2:h1"_s});
    // The head's GPU stays free; the other one need not.
    row("behind a head with a GPU", 1,
        {{1, {fixing(5000)}, {1}}, {2, {fixing(5000, 1, 1)}, {1}}, {3, {needs(1)}, {1}}, {4, {needs(1)}, {1}}},
        {u"1:h1"_s, u"3:h1[0]"_s}, {{u"code"_s, u"wait.queue"_s}}, {u"2:h1[1]"_s});
    // A head that waits for GPUs finds its port free.
    row("the head's port", 1, {{1, {needs(2)}, {1}}, {2, {fixing(5000, 1, 2)}, {1}}, {3, {fixing(5000)}, {1}}},
        {u"1:h1[0 1]"_s}, {{u"code"_s, u"wait.queue"_s}}, {u"2:h1[0 1]"_s});
}

void TstPlacement::fixedPorts()
{
    QFETCH(int, hosts);
    QFETCH(QList<Ask>, asks);
    QFETCH(QStringList, placed);
    QFETCH(QJsonObject, whyLast);
    QFETCH(QStringList, then);
    Scheduler s;
    for (int i = 1; i <= hosts; ++i) {
        s.setHost(host(u"h%1"_s.arg(i), 2, 8000));
    }
    QStringList got;
    for (const Ask &ask : std::as_const(asks)) {
        s.request(request(ask));
        got += texts(s.schedule());
    }
    QCOMPARE(got, placed);
    const WaitReason why = s.waitReason(jobUuid(asks.last().number));
    QJsonObject said = whyLast.size() > 1 ? why.args : QJsonObject();
    if (!why.code.isEmpty()) {
        said.insert(u"code"_s, why.code);
    }
    QCOMPARE(said, whyLast);
    const PlacementRequest first = request(asks.first());
    s.release(first.tasks.front().tryUuid);
    QCOMPARE(texts(s.schedule()), then);
}

// Which ports are drawn the scheduler does not ask; it is told of one that was in the way.
void TstPlacement::drawnPortInTheWay()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 0, 8000));
    const PlacementRequest holder = request({1, {needs(0)}, {1}});
    QVERIFY(!s.holdPort(holder.tasks.front().tryUuid, 20000));
    s.request(holder);
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h1"_s});
    // Another job was given the place before anybody knew, and gives it back.
    const PlacementRequest fixes = request({2, {fixing(20000)}, {1}});
    s.request(fixes);
    QCOMPARE(texts(s.schedule()), QStringList{u"2:h1"_s});
    QVERIFY(s.holdPort(holder.tasks.front().tryUuid, 20000));
    s.release(fixes.tasks.front().tryUuid);
    s.request(fixes);
    QVERIFY(s.schedule().empty());
    QCOMPARE(s.waitReason(jobUuid(2)).code, u"wait.port"_s);
    QCOMPARE(s.waitReason(jobUuid(2)).args.value("job"_L1).toInt(), 1);
    s.release(holder.tasks.front().tryUuid);
    QCOMPARE(texts(s.schedule()), QStringList{u"2:h1"_s});
}

void TstPlacement::tooManyOnAFixedPort()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 2, 8000));
    const std::optional<Error> never = s.impossible(request({1, {needs(0), fixing(5000, 2)}, {1, 2}}));
    QVERIFY(never);
    QCOMPARE(never->code, u"refuse.ports"_s);
    QCOMPARE(never->args,
        (QJsonObject{
            {u"role"_s, u"b"_s}, {u"label"_s, u"web"_s}, {u"port"_s, 5000}, {u"wanted"_s, 2}, {u"most"_s, 1}}));
    QVERIFY(!s.impossible(request({1, {fixing(5000)}, {2}, false}))); // one after the other
    QVERIFY(!s.impossible(request({1, {fixing(5000), fixing(5001)}, {1, 1}})));
    s.setHost(host(u"h2"_s, 2, 8000));
    QVERIFY(!s.impossible(request({1, {fixing(5000)}, {2}})));
    QCOMPARE(s.impossible(request({1, {fixing(5000, 1, 1)}, {3}}))->code, u"refuse.ports"_s);
    QCOMPARE(s.impossible(request({1, {fixing(5000, 1, 2)}, {3}}))->code, u"refuse.gang"_s); // without ports, too
}

void TstPlacement::sharingReasons()
{
    Scheduler s;
    s.setHost(sharingHost(u"h1"_s, {8000, 4000}));
    const auto refused = [&](const Ask &ask) {
        const auto error = s.impossible(request(ask));
        return error ? error->code : QString();
    };
    QCOMPARE(refused({1, {part(4000, 2)}, {1}}), QString());
    QCOMPARE(refused({1, {part(4000)}, {3}}), QString());
    QCOMPARE(refused({1, {part(4000)}, {4}}), u"refuse.gang"_s);
    QCOMPARE(s.impossible(request({1, {part(4000)}, {4}}))->args,
        (QJsonObject{{u"resource"_s, u"gpuMemoryMiB"_s}, {u"wanted"_s, 16000}, {u"most"_s, 12000}}));
    const auto wide = s.impossible(request({1, {part(5000, 2)}, {1}}));
    QCOMPARE(wide->code, u"refuse.gpu-memory"_s);
    QCOMPARE(wide->args,
        (QJsonObject{{u"role"_s, u"a"_s}, {u"wanted"_s, 2}, {u"wantedMiB"_s, 5000}, {u"mostMiB"_s, 4000},
            {u"host"_s, u"h1"_s}}));
    QVERIFY(!fitTo(s, request({1, {part(5000, 2)}, {1}}))); // nothing that could be left out
    s.request(request({1, {part(5000), part(3500)}, {1, 1}}));
    QCOMPARE(s.schedule().size(), std::size_t(1));
    s.request(request({2, {part(3500)}, {1}}));
    QVERIFY(s.schedule().empty());
    const WaitReason why = s.waitReason(jobUuid(2));
    QCOMPARE(why.code, u"wait.gpu-memory"_s);
    QCOMPARE(why.args.value("wantedMiB"_L1).toInt(), 3500);
    QCOMPARE(why.args.value("freeMiB"_L1).toInt(), 3000);
    const QJsonObject figures = why.args.value("hosts"_L1).toArray().at(0).toObject();
    QCOMPARE(figures.value("shared"_L1).toInt(), 2);
    QCOMPARE(figures.value("roomMiB"_L1).toInt(), 3000);
    QCOMPARE(figures.value("free"_L1).toInt(), 0);
    QCOMPARE(figures.value("jobs"_L1).toArray(), QJsonArray{1});
    s.cancel(jobUuid(2));
    s.request(request({3, {needs(1)}, {1}}));
    s.schedule();
    QCOMPARE(s.waitReason(jobUuid(3)).code, u"wait.gpu"_s);
}

// Whatever else is in the queue, the head starts after the same ends as it would alone; what was placed in its place
// meanwhile never ends here.
void TstPlacement::headIsNeverDelayed_data()
{
    QTest::addColumn<bool>("sharing");
    QTest::addColumn<bool>("oneHost");
    for (const bool sharing : {false, true}) {
        for (const bool one : {true, false}) {
            QTest::addRow("%s, %s", sharing ? "sharing" : "whole GPUs", one ? "one host" : "several") << sharing << one;
        }
    }
}

void TstPlacement::headIsNeverDelayed()
{
    QFETCH(bool, sharing);
    QFETCH(bool, oneHost);
    QRandomGenerator random(sharing ? 5 : 6);
    int checked = 0;
    int filled = 0;
    for (int round = 0; round < 1500; ++round) {
        std::vector<HostCapacity> all;
        for (int h = 0; h < (oneHost ? 1 : 1 + random.bounded(3)); ++h) {
            QList<qint64> sizes;
            for (int i = random.bounded(5); i > 0; --i) {
                sizes.append(random.bounded(2) ? 8000 : 4000);
            }
            all.push_back(sharingHost(u"h%1"_s.arg(h + 1), sizes, 10000));
            all.back().sharing = sharing;
        }
        const auto anyNeeds = [&] {
            Needs result = needs(random.bounded(4), 1000 * random.bounded(6));
            result.gpuMemoryMiB = result.gpu > 0 && random.bounded(2) ? 500 * (1 + random.bounded(16)) : 0;
            return result;
        };
        const auto anyAsk = [&](int number) {
            Ask ask{number, {anyNeeds()}, {1 + random.bounded(3)}, random.bounded(3) > 0};
            if (random.bounded(3) == 0) {
                ask.needs.push_back(anyNeeds());
                ask.counts.push_back(1 + random.bounded(2));
            }
            if (random.bounded(5) == 0) {
                ask.onlyHost = u"h1"_s;
            }
            return ask;
        };
        std::vector<Ask> before;
        for (int number = 1; number <= 6; ++number) {
            before.push_back(anyAsk(number));
        }
        QList<QUuid> running; // tries, in the order in which they will end
        const auto begin = [&](Scheduler &s) {
            running.clear();
            for (const HostCapacity &each : all) {
                s.setHost(each);
            }
            for (const Ask &ask : before) {
                const PlacementRequest asked = request(ask);
                s.request(asked);
                for (const JobGrants &grants : s.schedule()) {
                    for (const event::Grant &grant : grants.grants) {
                        running.append(grant.tryUuid);
                    }
                }
                s.cancel(asked.job);
            }
        };
        Ask head = anyAsk(7);
        head.gang = true; // the rest of one without waits for its own tasks
        const std::vector<Ask> later{anyAsk(8), anyAsk(9), anyAsk(10), anyAsk(11)};
        const quint32 order = random.generate();
        // How many of the running ones had ended when it started.
        const auto endsBeforeHead = [&](bool withOthers) {
            Scheduler s;
            begin(s);
            QRandomGenerator shuffling(order);
            std::shuffle(running.begin(), running.end(), shuffling);
            s.request(request(head));
            for (std::size_t i = 0; withOthers && i < later.size(); ++i) {
                s.request(request(later[i]));
            }
            for (int ended = 0;; ++ended) {
                for (const JobGrants &grants : s.schedule()) {
                    if (grants.job == jobUuid(7)) {
                        return ended;
                    }
                    ++filled;
                }
                if (ended >= running.size()) {
                    return INT_MAX;
                }
                s.release(running[ended]);
            }
        };
        Scheduler empty;
        for (const HostCapacity &each : all) {
            empty.setHost(each);
        }
        if (empty.impossible(request(head))) {
            continue;
        }
        ++checked;
        const int alone = endsBeforeHead(false);
        const int among = endsBeforeHead(true);
        QVERIFY2(
            among <= alone, qPrintable(u"round %1: after %2 ends instead of %3"_s.arg(round).arg(among).arg(alone)));
    }
    qInfo("%d heads, %d jobs placed before theirs", checked, filled);
    QVERIFY(filled > 50);
    QVERIFY(checked > 200);
}

void TstPlacement::awayHostsHoldUpNobody()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 2, 8000));
    HostCapacity away = host(u"h2"_s, 8, 8000);
    away.usable = false;
    s.setHost(away);
    s.request(request({1, {needs(8)}, {1}}));
    s.request(request({2, {needs(2)}, {1}}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"2:h1[0 1]"_s}));
    QCOMPARE(s.waitReason(jobUuid(1)).code, u"wait.host"_s);
    away.usable = true;
    s.setHost(away);
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h2[0 1 2 3 4 5 6 7]"_s}));
    // A host that goes away keeps what runs there until it is given back.
    s.removeHost(u"h2"_s);
    QCOMPARE(s.hosts(), (QStringList{u"h1"_s, u"h2"_s}));
    releaseAll(s, {1, {needs(8)}, {1}});
    s.removeHost(u"h2"_s);
    QCOMPARE(s.hosts(), (QStringList{u"h1"_s}));
}

void TstPlacement::impossible_data()
{
    QTest::addColumn<Ask>("ask");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QJsonObject>("args");
    const auto row = [](const char *name, const Ask &ask, const QString &code, const QJsonObject &args) {
        QTest::newRow(name) << ask << code << args;
    };
    row("fits", {1, {needs(4, 1000)}, {1}}, {}, {});
    row("busy is not impossible", {1, {needs(2, 8000)}, {1}}, {}, {});
    row("GPUs", {1, {needs(0), needs(5)}, {1, 1}}, u"refuse.gpu"_s,
        {{u"role"_s, u"b"_s}, {u"wanted"_s, 5}, {u"most"_s, 4}, {u"host"_s, u"h1"_s}});
    row("memory", {1, {needs(0, 20001)}, {1}}, u"refuse.memory"_s,
        {{u"role"_s, u"a"_s}, {u"wantedMiB"_s, 20001}, {u"mostMiB"_s, 20000}, {u"host"_s, u"h2"_s}});
    row("GPUs here, memory there", {1, {needs(3, 9000)}, {1}}, u"refuse.memory"_s,
        {{u"role"_s, u"a"_s}, {u"wantedMiB"_s, 9000}, {u"mostMiB"_s, 8000}, {u"host"_s, u"h1"_s}, {u"wantedGpu"_s, 3}});
    row("gang over all hosts", {1, {needs(1)}, {6}}, {}, {});
    row("gang too large", {1, {needs(1)}, {7}}, u"refuse.gang"_s,
        {{u"resource"_s, u"gpu"_s}, {u"wanted"_s, 7}, {u"most"_s, 6}});
    row("gang that cannot be cut", {1, {needs(3)}, {2}}, u"refuse.gang"_s,
        {{u"resource"_s, u"gpu"_s}, {u"wanted"_s, 6}, {u"most"_s, 6}});
    row("gang without memory", {1, {needs(0, 4000)}, {8}}, u"refuse.gang"_s,
        {{u"resource"_s, u"memory"_s}, {u"wanted"_s, 32000}, {u"most"_s, 28000}});
    row("the same task by task", {1, {needs(1)}, {700}, false}, {}, {});
    row("one host", {1, {needs(3)}, {1}, true, 0, 0, u"h2"_s}, u"refuse.gpu"_s,
        {{u"role"_s, u"a"_s}, {u"wanted"_s, 3}, {u"most"_s, 2}, {u"host"_s, u"h2"_s}});
    row("no such host", {1, {needs(0)}, {1}, true, 0, 0, u"h9"_s}, u"refuse.host"_s, {{u"host"_s, u"h9"_s}});
    row("a role without tasks", {1, {needs(0), needs(99)}, {1, 0}}, {}, {});
}

void TstPlacement::impossible()
{
    QFETCH(Ask, ask);
    QFETCH(QString, code);
    QFETCH(QJsonObject, args);
    Scheduler s;
    QVERIFY(!s.impossible(request(ask)) || !ask.onlyHost.isEmpty()); // nothing is known yet
    HostCapacity busy = host(u"h1"_s, 4, 8000);
    busy.gpus[1].foreign = true;
    s.setHost(busy);
    HostCapacity away = host(u"h2"_s, 2, 20000);
    away.usable = false; // comes back
    s.setHost(away);
    const auto error = s.impossible(request(ask));
    QCOMPARE(error ? error->code : QString(), code);
    QCOMPARE(error ? error->args : QJsonObject(), args);
}

// What is offered instead of what is impossible is possible.
void TstPlacement::fits()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 4, 8000));
    s.setHost(host(u"h2"_s, 2, 20000));
    const auto fit = [&](const Ask &ask) { return fitTo(s, request(ask)); };
    QVERIFY(!fit({1, {needs(4, 1000)}, {1}}));
    QVERIFY(fit({1, {needs(0), needs(5)}, {1, 1}}) == (Fit{{{u"b"_s, 4, {}}}, false}));
    QVERIFY(fit({1, {needs(9, 30000)}, {1}}) == (Fit{{{u"a"_s, 4, 8000}}, false}));
    QVERIFY(fit({1, {needs(0, 99999), needs(7)}, {1, 1}}) == (Fit{{{u"a"_s, {}, 20000}, {u"b"_s, 4, {}}}, false}));
    QVERIFY(fit({1, {needs(1)}, {7}}) == (Fit{{}, true}));
    QVERIFY(fit({1, {needs(8)}, {3}}) == (Fit{{{u"a"_s, 4, {}}}, true}));
    QVERIFY(!fit({1, {needs(0)}, {1}, true, 0, 0, u"h9"_s}));
    QRandomGenerator random(3);
    for (int round = 0; round < 500; ++round) {
        Ask ask{1, {}, {}, random.bounded(2) == 0};
        for (int role = random.bounded(1, 4); role > 0; --role) {
            ask.needs.push_back(needs(random.bounded(8), random.bounded(40000)));
            ask.counts.push_back(random.bounded(6));
        }
        const PlacementRequest before = request(ask);
        const std::optional<Fit> found = fit(ask);
        QCOMPARE(found.has_value(), s.impossible(before).has_value());
        if (!found) {
            continue;
        }
        PlacementRequest after = before;
        after.gang = after.gang && !found->gangOff;
        for (const RoleFit &change : found->roles) {
            Needs &of = after.needs[std::size_t(after.roleNames.indexOf(change.role))];
            QVERIFY(change.gpu.value_or(0) <= of.gpu && change.memoryMiB.value_or(0) <= of.memoryMiB);
            of.gpu = change.gpu.value_or(of.gpu);
            of.memoryMiB = change.memoryMiB.value_or(of.memoryMiB);
        }
        QVERIFY(!s.impossible(after));
    }
}

void TstPlacement::reasons()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 4, 8000));
    s.setHost(host(u"h2"_s, 2, 2000));
    s.request(request({1, {needs(3, 6000)}, {1}}));
    s.schedule();
    s.request(request({2, {needs(4)}, {1}}));
    s.request(request({3, {needs(0, 5000)}, {1}}));
    s.request(request({4, {needs(1)}, {1}, true, 0, 0, u"h1"_s}));
    s.schedule();
    const WaitReason gpu = s.waitReason(jobUuid(2));
    QCOMPARE(gpu.code, u"wait.gpu"_s);
    QCOMPARE(gpu.args.value("wanted"_L1).toInt(), 4);
    QCOMPARE(gpu.args.value("free"_L1).toInt(), 3);
    QCOMPARE(gpu.args.value("total"_L1).toInt(), 6);
    QCOMPARE(gpu.args.value("host"_L1).toString(), u"h2"_s);
    const QJsonArray figures = gpu.args.value("hosts"_L1).toArray();
    QCOMPARE(figures.size(), 2);
    QCOMPARE(figures.at(0).toObject(),
        (QJsonObject{{u"host"_s, u"h1"_s}, {u"free"_s, 1}, {u"total"_s, 4}, {u"foreign"_s, 0}, {u"held"_s, 0},
            {u"excluded"_s, 0}, {u"hours"_s, 0}, {u"jobs"_s, QJsonArray{1}}}));
    const WaitReason memory = s.waitReason(jobUuid(3));
    QCOMPARE(memory.code, u"wait.memory"_s);
    QCOMPARE(memory.args.value("wantedMiB"_L1).toInt(), 5000);
    QCOMPARE(memory.args.value("freeMiB"_L1).toInt(), 4000);
    QCOMPARE(memory.args.value("hosts"_L1).toArray().at(0)["jobs"_L1].toArray(), QJsonArray{1});
    QVERIFY(memory.args.value("hosts"_L1).toArray().at(1)["jobs"_L1].toArray().isEmpty());
    const WaitReason queue = s.waitReason(jobUuid(4));
    QCOMPARE(queue.code, u"wait.queue"_s);
    QCOMPARE(queue.args, (QJsonObject{{u"ahead"_s, 2}, {u"job"_s, 2}}));
    QCOMPARE(s.waitReason(jobUuid(1)).code, QString());
    QCOMPARE(s.waitReason(jobUuid(99)).code, QString());
    for (int i = 10; i < 30; ++i) {
        s.request(request({i, {needs(4)}, {1}}));
    }
    QCOMPARE(s.waitReason(jobUuid(12)).code, u"wait.gpu"_s);
    QCOMPARE(s.waitReason(jobUuid(29)).code, u"wait.queue-far"_s);
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
    QCOMPARE(s.tasksOn(u"h1"_s), 1);
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
    s.adopt(
        1, asked.job, asked.tasks[0].tryUuid, {u"h1"_s, {}, {1, 2}, {}}, asked.needs[0]); // before its host is known
    s.adopt(1, asked.job, asked.tasks[0].tryUuid, {u"h1"_s, {}, {1, 2}, {}}, asked.needs[0]);
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
    QCOMPARE(s.tasksOn(u"h1"_s), 0);
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
    QHash<QUuid, std::pair<Place, Needs>> holding;
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
    QCOMPARE(s.tasksOn(u"h1"_s) + s.tasksOn(u"h2"_s) + s.tasksOn(u"h3"_s), 0);
    qInfo("%d jobs, %d tasks placed", asked, granted);
}

// The same with GPUs that are shared: what is promised is there, and nobody is beside one who is alone.
void TstPlacement::neverTooMuchOfAGpu()
{
    QRandomGenerator random(17);
    Scheduler s;
    const QList<QList<qint64>> sizes{{8000, 8000, 4000}, {6000, 6000}, {2000}};
    QHash<QUuid, Place> holding;
    QHash<QUuid, int> wanted; // GPUs of each task of a job
    int together = 0;
    for (int round = 1; round <= 1500; ++round) {
        for (int i = 0; i < 3; ++i) {
            HostCapacity capacity = sharingHost(u"h%1"_s.arg(i + 1), sizes[i]);
            capacity.sharing = round % 400 < 300; // somebody turns it off and on
            s.setHost(capacity);
        }
        if (random.bounded(2) == 0) {
            Ask ask{round, {part(random.bounded(3) ? 500 * (1 + random.bounded(14)) : 0, 1 + random.bounded(2))},
                {1 + random.bounded(3)}, random.bounded(2) == 0};
            wanted.insert(jobUuid(round), ask.needs[0].gpu);
            if (!s.impossible(request(ask))) {
                s.request(request(ask));
            }
        } else if (!holding.isEmpty()) {
            const QUuid gone = std::next(holding.keyBegin(), random.bounded(int(holding.size()))).operator*();
            s.release(gone);
            holding.remove(gone);
        }
        for (const JobGrants &grants : s.schedule()) {
            for (const event::Grant &grant : grants.grants) {
                QCOMPARE(grant.place.gpus.size(), wanted.value(grants.job));
                holding.insert(grant.tryUuid, grant.place);
            }
        }
        QHash<QString, QList<qint64>> on;
        for (const Place &place : std::as_const(holding)) {
            for (const int gpu : place.gpus) {
                on[place.host + QString::number(gpu)].append(place.gpuShareMiB);
            }
        }
        for (auto it = on.cbegin(); it != on.cend(); ++it) {
            const qint64 size = sizes[it.key().mid(1, 1).toInt() - 1][it.key().mid(2).toInt()];
            QVERIFY(it->size() == 1 || !it->contains(0));
            QVERIFY(std::accumulate(it->cbegin(), it->cend(), qint64(0)) <= size);
            QCOMPARE(s.gpuPromisedMiB(it.key().left(2), it.key().mid(2).toInt()),
                std::accumulate(it->cbegin(), it->cend(), qint64(0)));
            together += it->size() > 1;
        }
    }
    QVERIFY(together > 100);
}

void TstPlacement::fast()
{
    QElapsedTimer timer;
    // One job of 10,000 tasks, four at a time.
    Scheduler one;
    one.setHost(host(u"h1"_s, 4, 8000));
    timer.start();
    const PlacementRequest asked = request({1, {needs(1)}, {10000}, false});
    one.request(asked);
    int placed = 0;
    for (std::size_t i = 0; placed < 10000; ++i) {
        for (const JobGrants &grants : one.schedule()) {
            placed += int(grants.grants.size());
        }
        one.release(asked.tasks[i].tryUuid);
    }
    const qint64 tasks = timer.restart();
    // 3,000 jobs of a task each.
    Scheduler many;
    many.setHost(host(u"h1"_s, 4, 8000));
    for (int i = 1; i <= 3000; ++i) {
        many.request(request({i, {needs(1)}, {1}}));
    }
    placed = 0;
    for (int i = 1; placed < 3000; ++i) {
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
    large.request(request({1, {needs(0, 1000)}, {10000}}));
    QCOMPARE(large.schedule().front().grants.size(), std::size_t(10000));
    qInfo(
        "10,000 tasks of one job %lld ms, 3,000 jobs %lld ms, a gang of 10,000 %lld ms", tasks, jobs, timer.elapsed());
#if !defined(__SANITIZE_ADDRESS__)
    QVERIFY(tasks < 3000 && timer.elapsed() < 3000 && jobs < 10000);
#endif
}

TRAINYARD_TEST(TstPlacement)
#include "tst_placement.moc"
