// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/fit.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/asked.h"

#include <QJsonArray>
#include <QRandomGenerator>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using namespace trainyard::core::asked;

class TstWaitReasons : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void awayHostsHoldUpNobody();
    void expectedHosts();
    void onlyOnExpectedHosts_data();
    void onlyOnExpectedHosts();
    void connectingHosts();
    void lessThanThereWas();
    void impossible_data();
    void impossible();
    void fits();
    void reasons();
    void roomElsewhere();
    void behindWhom();
    void whoHasToEnd();
    void whoTakesThePlaceFirst();
    void whatElseHasToHappen();
    void lostGpus();
    void unknownGpus();
};

// "1+2 foreign": these have to end, and other programs have to leave; "1/2": one of them.
static QStringList ways(const Scheduler &scheduler, int job)
{
    const QJsonObject args = scheduler.waitReason(jobUuid(job)).args;
    const QJsonArray all = args.value("ways"_L1).toArray();
    const auto numbers = [](const QJsonValue &array, QChar between) {
        QStringList texts;
        const QJsonArray jobs = array.toArray();
        for (const QJsonValue &each : jobs) {
            texts.append(QString::number(each.toInteger()));
        }
        return texts.join(between);
    };
    QStringList lines;
    for (const QJsonValue &way : all) {
        QStringList parts;
        if (const QString jobs = numbers(way[u"ends"], way[u"any"].toBool() ? u'/' : u'+'); !jobs.isEmpty()) {
            parts.append(jobs);
        }
        for (const QString &outside : {u"foreign"_s, u"held"_s, u"lost"_s, u"hours"_s}) {
            if (way[outside].toBool() || way[outside].isArray()) {
                parts.append(outside);
            }
        }
        lines.append(parts.join(u' '));
    }
    if (const QString first = numbers(args.value("before"_L1), u' '); !first.isEmpty()) {
        lines.last() += u", "_s + first + u" first"_s;
    }
    return lines;
}

// How many are ahead, and who holds it up.
static std::pair<int, int> placeInQueue(const WaitReason &why)
{
    return {why.args.value("ahead"_L1).toInt(), why.args.value("job"_L1).toInt()};
}

// One that was never reached: nobody knows what it has, so that who names it waits, and holds up nobody.
void TstWaitReasons::expectedHosts()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 2, 8000));
    s.expectHost(u"h2"_s);
    PlacementRequest there = request({1, {needs(8)}, {1}});
    there.where.onlyHost = u"h1"_s;
    QCOMPARE(s.impossible(there)->code, u"refuse.gpu"_s);
    there.where.onlyHost = u"h2"_s;
    QVERIFY(!s.impossible(there));
    s.request(there);
    s.request(request({2, {needs(2)}, {1}}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"2:h1[0 1]"_s})); // it holds up nobody
    const WaitReason why = s.waitReason(jobUuid(1));
    QCOMPARE(why.code, u"wait.host"_s);
    QCOMPARE(why.args, (QJsonObject{{u"host"_s, u"h2"_s}, {u"hosts"_s, QJsonArray{u"h2"_s}}}));
    s.removeHost(u"h2"_s);
    QCOMPARE(s.waitReason(jobUuid(1)).code, u"refuse.host"_s);
    s.expectHost(u"h2"_s);
    s.setHost(host(u"h2"_s, 8, 8000));
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h2[0 1 2 3 4 5 6 7]"_s}));
}

// What only a host could run that was never reached waits for it. Refused is what could not go there either.
void TstWaitReasons::onlyOnExpectedHosts_data()
{
    QTest::addColumn<Ask>("ask");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("away");
    const auto only = [](Needs each, const QStringList &names) {
        each.hosts.names = names;
        return each;
    };
    QTest::newRow("GPUs") << Ask{1, {needs(8)}, {1}} << u"wait.host"_s << u"h4"_s;
    QTest::newRow("memory") << Ask{1, {needs(0, 99'000)}, {1}} << u"wait.host"_s << u"h4"_s;
    QTest::newRow("type of GPU") << Ask{1, {typed(u"A100"_s)}, {1}} << u"wait.gpu-type-away"_s << QString();
    QTest::newRow("gang") << Ask{1, {needs(1)}, {7}} << u"wait.host"_s << u"h2 h3 h4"_s;
    QTest::newRow("one of two roles") << Ask{1, {needs(0), needs(8)}, {1, 1}} << u"wait.host"_s << u"h4"_s;
    QTest::newRow("away and large enough") << Ask{1, {needs(4)}, {1}} << u"wait.host"_s << u"h3 h4"_s;
    QTest::newRow("another one may have more")
        << Ask{1, {only(needs(8), {u"h3"_s}), needs(8)}, {1, 1}} << u"refuse.gpu"_s << QString();
    QTest::newRow("named") << Ask{1, {only(needs(8), {u"h1"_s, u"h4"_s})}, {1}} << u"wait.host"_s << u"h4"_s;
    QTest::newRow("only known ones named")
        << Ask{1, {only(needs(8), {u"h1"_s, u"h2"_s})}, {1}} << u"refuse.gpu"_s << QString();
    QTest::newRow("a known one chosen") << Ask{1, {needs(8)}, {1}, true, 0, 0, u"h3"_s} << u"refuse.gpu"_s << QString();
    QTest::newRow("what it runs in") << Ask{1, {needs(1)}, {1}, true, 0, 0, {}, u"podman"_s} << u"wait.runtime"_s
                                     << u"h4"_s;
}

void TstWaitReasons::onlyOnExpectedHosts()
{
    QFETCH(Ask, ask);
    QFETCH(QString, code);
    QFETCH(QString, away);
    Scheduler s;
    s.setHost(host(u"h1"_s, 2, 8000));
    HostCapacity small = host(u"h2"_s, 1, 8000);
    small.usable = false;
    s.setHost(small);
    HostCapacity large = host(u"h3"_s, 4, 8000);
    large.usable = false;
    s.setHost(large);
    s.expectHost(u"h4"_s);
    const std::optional<Error> never = s.impossible(request(ask));
    QCOMPARE(never ? never->code : QString(), code.startsWith(u"refuse."_s) ? code : QString());
    s.request(request(ask));
    QVERIFY(s.schedule().empty());
    const WaitReason why = s.waitReason(jobUuid(1));
    QCOMPARE(why.code, code);
    QStringList named;
    const QJsonArray hosts = why.args.value("hosts"_L1).toArray();
    for (const QJsonValue &each : hosts) {
        if (each.isString()) {
            named.append(each.toString());
        } else if (each[u"unknown"].toBool()) {
            named.append(each[u"host"].toString());
        }
    }
    QCOMPARE(named.join(u' '), away);
    if (code.startsWith(u"wait."_s)) {
        s.setHost(host(u"h4"_s, 2, 8000)); // now that it is known
        QVERIFY(s.impossible(request({1, {needs(8)}, {1}})));
    }
}

// As after the start of the engine: whether there is a way to it is not known, so that it is not out of reach.
void TstWaitReasons::connectingHosts()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 2, 8000));
    s.expectHost(u"h2"_s);
    PlacementRequest there = request({1, {needs(2)}, {1}});
    there.where.onlyHost = u"h2"_s;
    s.request(there);
    QVERIFY(s.schedule().empty());
    const auto isConnecting = [&s] { return s.waitReason(jobUuid(1)).args.value("connecting"_L1).toBool(); };
    QVERIFY(!isConnecting());
    QVERIFY(s.setConnecting(u"h2"_s, true));
    QVERIFY(!s.setConnecting(u"h2"_s, true));
    QCOMPARE(s.waitReason(jobUuid(1)).code, u"wait.host"_s);
    QVERIFY(isConnecting());
    QVERIFY(s.setConnecting(u"h2"_s, false)); // the attempt has failed
    QVERIFY(!isConnecting());
    s.setConnecting(u"h3"_s, true); // another one helps it nowhere
    QVERIFY(!isConnecting());
    // One that was removed is not connected to, whatever comes under its name.
    s.setConnecting(u"h2"_s, true);
    s.removeHost(u"h2"_s);
    s.expectHost(u"h2"_s);
    QVERIFY(!isConnecting());
}

void TstWaitReasons::awayHostsHoldUpNobody()
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
    QVERIFY(isKnown(s, u"h1"_s) && isKnown(s, u"h2"_s));
    releaseAll(s, {1, {needs(8)}, {1}});
    s.removeHost(u"h2"_s);
    QVERIFY(isKnown(s, u"h1"_s) && !isKnown(s, u"h2"_s));
}

// A setting takes a GPU from jobs while one of them waits for it: nobody who comes back would help.
void TstWaitReasons::lessThanThereWas()
{
    Scheduler s;
    HostCapacity h = host(u"h1"_s, 2, 8000);
    s.setHost(h);
    s.request(request({1, {needs(1)}, {1}}));
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h1[0]"_s});
    s.request(request({2, {needs(0), needs(2)}, {1, 1}}));
    QVERIFY(s.schedule().empty());
    QCOMPARE(s.waitReason(jobUuid(2)).code, u"wait.gpu"_s);
    h.gpus[1].excluded = true;
    s.setHost(h);
    QVERIFY(s.schedule().empty());
    const WaitReason why = s.waitReason(jobUuid(2));
    QCOMPARE(why.code, u"refuse.gpu"_s);
    QCOMPARE(why.args, (QJsonObject{{u"role"_s, u"b"_s}, {u"wanted"_s, 2}, {u"most"_s, 1}, {u"host"_s, u"h1"_s}}));
    // A host that is away has what it needs, or nobody knows what it has.
    HostCapacity other = host(u"h2"_s, 2, 8000);
    other.usable = false;
    s.setHost(other);
    QCOMPARE(s.waitReason(jobUuid(2)).code, u"wait.host"_s);
    other.memoryMiB = 0;
    other.gpus.clear();
    s.setHost(other);
    QCOMPARE(s.waitReason(jobUuid(2)).code, u"wait.host"_s);
    s.removeHost(u"h2"_s);
    QCOMPARE(s.waitReason(jobUuid(2)).code, u"refuse.gpu"_s);
    h.gpus[1].excluded = false;
    s.setHost(h);
    releaseAll(s, {1, {needs(1)}, {1}});
    QCOMPARE(texts(s.schedule()), QStringList{u"2:h1 h1[0 1]"_s});
}

void TstWaitReasons::impossible_data()
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

void TstWaitReasons::impossible()
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
void TstWaitReasons::fits()
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
    // Nor is a role left with cores that no host has, where it changes anyway; what only asks for those runs.
    QVERIFY(fit({1, {needs(9, 1000, 16)}, {1}}) == (Fit{{{u"a"_s, 4, {}, 8}}, false}));
    QVERIFY(fit({1, {needs(0, 99999, 9)}, {1}}) == (Fit{{{u"a"_s, {}, 20000, 8}}, false}));
    QVERIFY(!fit({1, {needs(1, 1000, 16)}, {1}}));
    // Tasks that talk to each other cannot run one after the other.
    QVERIFY(!fitTo(s, request({1, {needs(1)}, {7}}), GangChange::Never));
    QVERIFY(fitTo(s, request({1, {needs(5)}, {1}}), GangChange::Never) == (Fit{{{u"a"_s, 4, {}}}, false}));
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

// A smallest set, not everybody who has some of it.
void TstWaitReasons::whoHasToEnd()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 4, 8000));
    s.request(request({1, {needs(3, 1000)}, {1}}));
    s.request(request({2, {needs(1, 1000)}, {1}}));
    QCOMPARE(s.schedule().size(), std::size_t(2));
    s.request(request({3, {needs(2)}, {1}}));
    s.request(request({4, {needs(1)}, {1}}));
    s.request(request({5, {needs(4)}, {1}}));
    s.request(request({6, {needs(0, 6500)}, {1}}));
    QVERIFY(s.schedule().empty());
    QCOMPARE(ways(s, 3), QStringList{u"1"_s});
    QCOMPARE(ways(s, 4), QStringList{u"1/2"_s});
    QCOMPARE(ways(s, 5), QStringList{u"1+2+3+4, 3 4 first"_s});
    QCOMPARE(ways(s, 6), QStringList{u"1/2"_s});
    // Somebody else has one of them as well.
    HostCapacity taken = host(u"h1"_s, 4, 8000);
    taken.gpus[0].foreign = true;
    s.setHost(taken);
    QCOMPARE(ways(s, 5), QStringList{u"1+2+3+4 foreign, 3 4 first"_s});
}

// Who is ahead in the queue takes first what becomes free.
void TstWaitReasons::whoTakesThePlaceFirst()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 0, 22000));
    s.request(request({1, {needs(0, 14000)}, {1}}));
    QCOMPARE(s.schedule().size(), std::size_t(1));
    s.request(request({2, {needs(0, 14000)}, {1}}));
    s.request(request({3, {needs(0, 14000)}, {1}}));
    s.request(request({4, {needs(0, 9000)}, {1}}));
    QVERIFY(s.schedule().empty());
    QCOMPARE(ways(s, 2), QStringList{u"1"_s});
    QCOMPARE(ways(s, 3), QStringList{u"1+2, 2 first"_s});
    QCOMPARE(ways(s, 4), QStringList{u"1+2+3, 2 3 first"_s});
    QVERIFY(s.move(jobUuid(4), jobUuid(2)));
    QVERIFY(s.schedule().empty());
    QCOMPARE(ways(s, 4), QStringList{u"1"_s});
    QCOMPARE(ways(s, 2), QStringList{u"1+4, 4 first"_s});
    // The newest job may be the first one.
    Scheduler two;
    two.setHost(host(u"h1"_s, 2, 22000));
    for (int i = 1; i <= 5; ++i) {
        two.request(request({i, {needs(1)}, {1}}));
        two.schedule();
    }
    QVERIFY(two.move(jobUuid(5), jobUuid(3)));
    QVERIFY(two.schedule().empty());
    QCOMPARE(ways(two, 4), QStringList{u"1+2+5, 5 first"_s});
}

// Only what is enough is told, and what is needed together.
void TstWaitReasons::whatElseHasToHappen()
{
    Scheduler s;
    HostCapacity h = host(u"h1"_s, 4, 8000);
    h.gpus[3].foreign = true;
    s.setHost(h);
    s.request(request({1, {needs(2)}, {1}}));
    QCOMPARE(s.schedule().size(), std::size_t(1));
    s.request(request({2, {needs(3)}, {1}}));
    QVERIFY(s.schedule().empty());
    QCOMPARE(ways(s, 2), QStringList{u"1"_s});
    s.cancel(jobUuid(2));
    s.request(request({3, {needs(2)}, {1}}));
    QVERIFY(s.schedule().empty());
    QCOMPARE(ways(s, 3), (QStringList{u"1"_s, u"foreign"_s}));
    s.cancel(jobUuid(3));
    s.request(request({4, {needs(4)}, {1}}));
    QVERIFY(s.schedule().empty());
    QCOMPARE(ways(s, 4), QStringList{u"1 foreign"_s});
    h.gpus[2].lost = true;
    s.setHost(h);
    QVERIFY(s.schedule().empty());
    QCOMPARE(ways(s, 4), QStringList{u"1 foreign lost"_s});
    s.cancel(jobUuid(4));
    s.request(request({5, {needs(2)}, {1}}));
    QVERIFY(s.schedule().empty());
    QCOMPARE(ways(s, 5), (QStringList{u"1"_s, u"foreign lost"_s}));
    // One of those that are locked is enough, and nobody of ours has to end.
    s.cancel(jobUuid(5));
    releaseAll(s, {1, {needs(2)}, {1}});
    h = host(u"h1"_s, 2, 8000);
    h.gpus[0].held = true;
    h.gpus[1].keptUntil = u"18:00"_s;
    s.setHost(h);
    s.request(request({6, {needs(1)}, {1}}));
    QVERIFY(s.schedule().empty());
    QCOMPARE(ways(s, 6), (QStringList{u"held"_s, u"hours"_s}));
}

// What may come back is waited for, and who waits for it holds up nobody.
void TstWaitReasons::lostGpus()
{
    Scheduler s;
    HostCapacity h = host(u"h1"_s, 2, 8000);
    h.gpus[0].lost = true;
    s.setHost(h);
    s.request(request({1, {needs(2)}, {1}}));
    s.request(request({2, {needs(1)}, {1}}));
    QVERIFY(!s.impossible(request({1, {needs(2)}, {1}})));
    QCOMPARE(texts(s.schedule()), QStringList{u"2:h1[1]"_s});
    const WaitReason why = s.waitReason(jobUuid(1));
    QCOMPARE(why.code, u"wait.gpu"_s);
    QCOMPARE(why.args.value("hosts"_L1).toArray().at(0)["lost"_L1].toArray(), QJsonArray{0});
    releaseAll(s, {2, {needs(1)}, {1}});
    h.gpus[0].lost = false;
    s.setHost(h);
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h1[0 1]"_s});
    releaseAll(s, {1, {needs(2)}, {1}});
    // What a setting takes away is named.
    h.gpus[1].excluded = h.gpus[1].bySetting = true;
    s.setHost(h);
    const auto refused = s.impossible(request({3, {needs(2)}, {1}}));
    QVERIFY(refused);
    QCOMPARE(refused->args.value("excluded"_L1).toInt(), 1);
    QCOMPARE(refused->args.value("excludedHost"_L1).toString(), u"h1"_s);
    QVERIFY(!s.impossible(request({3, {needs(3)}, {1}}))->args.contains("excluded"_L1)); // it would not help
}

void TstWaitReasons::unknownGpus()
{
    Scheduler s;
    HostCapacity h = host(u"h1"_s, 0, 8000);
    h.gpusUnknown = true;
    s.setHost(h);
    QVERIFY(!s.impossible(request({1, {needs(2)}, {1}})));
    s.request(request({1, {needs(2)}, {1}}));
    s.request(request({2, {needs(0)}, {1}}));
    QCOMPARE(s.schedule().size(), std::size_t(1));
    QCOMPARE(s.waitReason(jobUuid(1)).code, u"wait.gpu-unknown"_s);
    s.setHost(host(u"h1"_s, 0, 8000));
    QVERIFY(s.schedule().empty());
    QCOMPARE(s.waitReason(jobUuid(1)).code, u"refuse.gpu"_s);
}

void TstWaitReasons::reasons()
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
    QCOMPARE(placeInQueue(queue), (std::pair{2, 2}));
    QCOMPARE(s.waitReason(jobUuid(1)).code, QString());
    QCOMPARE(s.waitReason(jobUuid(99)).code, QString());
    for (int i = 10; i < 30; ++i) {
        s.request(request({i, {needs(4)}, {1}}));
    }
    QCOMPARE(s.waitReason(jobUuid(12)).code, u"wait.gpu"_s);
    QCOMPARE(s.waitReason(jobUuid(29)).code, u"wait.queue-far"_s);
}

// A job for one host says which others have room; one for any host would be there already.
void TstWaitReasons::roomElsewhere()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 1, 8000));
    s.setHost(host(u"h2"_s, 1, 8000));
    s.setHost(host(u"h3"_s, 0, 2000));
    s.request(request({1, {needs(0, 6000)}, {1}, true, 0, 0, u"h1"_s}));
    s.request(request({2, {needs(0, 5000)}, {1}, true, 0, 0, u"h1"_s}));
    QCOMPARE(s.schedule().size(), std::size_t(1));
    const auto elsewhere = [&s](int job) { return s.waitReason(jobUuid(job)).args.value("elsewhere"_L1); };
    QCOMPARE(s.waitReason(jobUuid(2)).code, u"wait.memory"_s);
    QCOMPARE(elsewhere(2).toArray(), QJsonArray{u"h2"_s}); // h3 is too small for it
    s.request(request({3, {needs(0, 6000)}, {1}}));
    QCOMPARE(texts(s.schedule()), QStringList{u"3:h2"_s});
    QVERIFY(elsewhere(2).isUndefined()); // the room is taken
    s.request(request({4, {needs(0, 5000)}, {1}}));
    s.schedule();
    QVERIFY(elsewhere(4).isUndefined());
}

// Who cannot run on what is there holds up nobody, wherever it stands: named is the head, who does.
void TstWaitReasons::behindWhom()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 4, 8000));
    HostCapacity away = host(u"h2"_s, 4, 8000);
    away.usable = false;
    s.setHost(away);
    s.request(request({1, {needs(2)}, {1}}));
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h1[0 1]"_s});
    s.request(request({2, {needs(4)}, {1}, true, 0, 0, u"h2"_s}));
    s.request(request({3, {needs(4)}, {1}}));
    s.request(request({4, {needs(1)}, {1}}));
    s.request(request({5, {needs(1)}, {1}}));
    QVERIFY(s.schedule().empty());
    QCOMPARE(s.waitReason(jobUuid(2)).code, u"wait.host"_s);
    QCOMPARE(s.waitReason(jobUuid(3)).code, u"wait.gpu"_s);
    QCOMPARE(s.waitReason(jobUuid(4)).code, u"wait.queue"_s);
    QCOMPARE(placeInQueue(s.waitReason(jobUuid(4))), (std::pair{1, 3}));
    QCOMPARE(placeInQueue(s.waitReason(jobUuid(5))), (std::pair{2, 3}));
    // The head has all of it once it starts; the one behind only needs it to be gone.
    QCOMPARE(ways(s, 4), QStringList{u"3, 3 first"_s});
    // What it would be told before it is handed over.
    WaitReason why;
    QVERIFY(!s.wouldPlace(request({6, {needs(1)}, {1}}), &why));
    QCOMPARE(placeInQueue(why), (std::pair{3, 3}));
}

TRAINYARD_TEST(TstWaitReasons)
#include "tst_waitreasons.moc"
