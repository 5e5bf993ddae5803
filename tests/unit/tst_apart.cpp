// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/reasons.h"
#include "engine/core/apart.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/asked.h"

#include <QElapsedTimer>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using namespace trainyard::core::asked;

namespace
{

// "h1-h2 h2-h3": h1 does not reach h2, and h2 does not reach h3.
PairsApart pairsOf(const QString &text)
{
    PairsApart pairs;
    const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
    for (const QString &word : words) {
        const QString from = word.section(u'-', 0, 0), to = word.section(u'-', 1);
        pairs.emplace(pairOf(from, to), NoWay{from, to, u"10.1.0."_s + to.right(1), u"silent"_s, 1});
    }
    return pairs;
}

PlacementRequest talking(const Ask &ask)
{
    PlacementRequest asked = request(ask);
    asked.talks = true;
    return asked;
}

Needs laid(Arrangement arrange, int gpu = 1)
{
    Needs result = needs(gpu);
    result.hosts.arrange = arrange;
    return result;
}

constexpr qint64 oneMinute = 60'000;

} // namespace

// Hosts that did not reach each other, and gangs whose tasks talk.
class TstApart : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void places_data();
    void places();
    void whyItWaits_data();
    void whyItWaits();
    void othersNeedNoWay();
    void holdsUpNobody();
    void besideItsOwnTasks();
    void manyPairs_data();
    void manyPairs();
    void isRememberedForAWhile();
    void isForgotten();
};

void TstApart::places_data()
{
    QTest::addColumn<QString>("apart");
    QTest::addColumn<Ask>("ask");
    QTest::addColumn<QStringList>("placed");
    const auto row = [](const char *name, const QString &apart, const Ask &ask, const QStringList &placed) {
        QTest::newRow(name) << apart << ask << placed;
    };
    using enum Arrangement;
    // h1, h2 and h3 with two GPUs each, h4 with one.
    row("none is apart", {}, {1, {laid(Any, 2)}, {2}}, {u"1:h1[0 1] h2[0 1]"_s});
    row("the first two", u"h1-h2"_s, {1, {laid(Any, 2)}, {2}}, {u"1:h1[0 1] h3[0 1]"_s});
    row("in either direction", u"h2-h1"_s, {1, {laid(Any, 2)}, {2}}, {u"1:h1[0 1] h3[0 1]"_s});
    row("one that reaches nobody", u"h1-h2 h1-h3 h1-h4"_s, {1, {laid(Any, 2)}, {2}}, {u"1:h2[0 1] h3[0 1]"_s});
    row("no two of them", u"h1-h2 h1-h3 h2-h3"_s, {1, {laid(Any, 2)}, {2}}, {});
    row("one host is always in reach", u"h1-h2 h1-h3 h2-h3"_s, {1, {laid(Any)}, {2}}, {u"1:h1[0] h1[1]"_s});
    row("a smaller one helps out", u"h1-h2 h1-h3 h2-h3"_s, {1, {laid(Any)}, {3}}, {u"1:h1[0] h1[1] h4[0]"_s});
    row("not one that is of no use", u"h1-h2 h1-h3 h2-h3"_s, {1, {laid(Any, 2)}, {2}}, {});
    row("two networks", u"h1-h2 h1-h4 h3-h2 h3-h4"_s, {1, {laid(Any)}, {4}}, {u"1:h1[0] h1[1] h3[0] h3[1]"_s});
    row("two networks, too small", u"h1-h2 h1-h4 h3-h2 h3-h4"_s, {1, {laid(Any)}, {5}}, {});
    row("each on another host", u"h1-h2"_s, {1, {laid(DifferentHosts)}, {3}}, {u"1:h1[0] h3[0] h4[0]"_s});
    row("each on another host, one too few", u"h1-h2"_s, {1, {laid(DifferentHosts)}, {4}}, {});
    row("spread", u"h1-h2 h3-h4"_s, {1, {laid(Spread)}, {2}}, {u"1:h1[0] h3[0]"_s});
    row("roles, each on one host", u"h1-h2"_s, {1, {laid(SameHost), laid(SameHost)}, {2, 2}},
        {u"1:h1[0] h1[1] h3[0] h3[1]"_s});
    row("without GPUs", u"h1-h2 h3-h4"_s, {1, {laid(DifferentHosts, 0)}, {2}}, {u"1:h1 h3"_s});
}

static void setFourHosts(Scheduler &s)
{
    for (const QString &id : {u"h1"_s, u"h2"_s, u"h3"_s}) {
        s.setHost(host(id, 2, 8000));
    }
    s.setHost(host(u"h4"_s, 1, 8000));
}

void TstApart::places()
{
    QFETCH(const QString, apart);
    QFETCH(const Ask, ask);
    Scheduler s;
    setFourHosts(s);
    s.setApart(pairsOf(apart));
    QVERIFY(!s.impossible(talking(ask))); // a pair is not apart for ever
    s.request(talking(ask));
    QTEST(texts(s.schedule()), "placed");
    if (s.waitReason(jobUuid(1)).code.isEmpty()) {
        return;
    }
    QCOMPARE(s.waitReason(jobUuid(1)).code, u"wait.peers"_s);
    s.setApart({});
    QCOMPARE(s.schedule().size(), std::size_t(1));
}

void TstApart::whyItWaits_data()
{
    QTest::addColumn<QString>("apart");
    QTest::addColumn<Ask>("other"); // has its places before
    QTest::addColumn<Ask>("ask");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("what");
    const auto row = [](const char *name, const QString &apart, const Ask &other, const Ask &ask, const QString &code,
                         const QString &what = {}) { QTest::newRow(name) << apart << other << ask << code << what; };
    using enum Arrangement;
    const Ask nobody{2, {needs(0)}, {1}};
    row("no other hosts", u"h1-h2 h1-h3 h2-h3"_s, nobody, {1, {laid(Any, 2)}, {2}}, u"wait.peers"_s, u"alone"_s);
    row("the only host in reach is taken", u"h1-h2"_s, {2, {needs(2)}, {1}, true, 0, 0, u"h3"_s},
        {1, {laid(Any, 2)}, {2}}, u"wait.peers"_s, u"others-busy"_s);
    row("nor without the pair", u"h1-h2"_s, {2, {needs(2)}, {2}}, {1, {laid(Any, 2)}, {2}}, u"wait.gpu"_s);
    row("too many GPUs for what is there", {}, {2, {needs(1)}, {1}, true, 0, 0, u"h1"_s}, {1, {laid(Any, 2)}, {3}},
        u"wait.gpu"_s);
}

void TstApart::whyItWaits()
{
    QFETCH(const QString, apart);
    QFETCH(const Ask, other);
    QFETCH(const Ask, ask);
    QFETCH(const QString, what);
    Scheduler s;
    setFourHosts(s);
    s.request(request(other));
    QCOMPARE(s.schedule().size(), std::size_t(1));
    s.setApart(pairsOf(apart));
    s.request(talking(ask));
    QCOMPARE(s.schedule().size(), std::size_t(0));
    const WaitReason why = s.waitReason(jobUuid(1));
    QTEST(why.code, "code");
    if (what.isEmpty()) {
        return;
    }
    const auto peers = reason::as<reason::WaitPeers>(why);
    QVERIFY(peers);
    QCOMPARE(peers->what.value_or(QString()), what);
    QCOMPARE(QString(peers->host + u'-' + peers->other), u"h1-h2"_s);
    QCOMPARE(peers->address, u"10.1.0.2"_s);
    QCOMPARE(peers->how, u"silent"_s);
    QCOMPARE(peers->minutes, std::optional(1));
}

// Tasks that do not talk, and those that start one by one.
void TstApart::othersNeedNoWay()
{
    Scheduler s;
    setFourHosts(s);
    s.setApart(pairsOf(u"h1-h2 h1-h3 h2-h3 h1-h4 h2-h4 h3-h4"_s));
    s.request(request({1, {needs(2)}, {2}}));
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h1[0 1] h2[0 1]"_s});
    releaseAll(s, {1, {needs(2)}, {2}});
    s.request(talking({2, {needs(2)}, {2}, false}));
    QCOMPARE(texts(s.schedule()).size(), 1);
    QVERIFY(s.queue().isEmpty());
}

// A job for which there are no hosts in reach of each other keeps nothing for itself.
void TstApart::holdsUpNobody()
{
    Scheduler s;
    setFourHosts(s);
    s.setApart(pairsOf(u"h1-h2 h1-h3 h2-h3"_s));
    s.request(talking({1, {needs(2)}, {2}}));
    s.request(request({2, {needs(2)}, {3}}));
    QCOMPARE(texts(s.schedule()), QStringList{u"2:h1[0 1] h2[0 1] h3[0 1]"_s});
    // One that waits for hosts in reach is the head, as any other.
    Scheduler t;
    setFourHosts(t);
    t.setApart(pairsOf(u"h1-h2"_s));
    Ask taken{3, {needs(2)}, {1}};
    taken.onlyHost = u"h3"_s;
    t.request(request(taken));
    QCOMPARE(t.schedule().size(), std::size_t(1));
    t.request(talking({4, {needs(2)}, {2}}));
    t.request(request({5, {needs(2)}, {1}}));
    QCOMPARE(texts(t.schedule()), QStringList());
    releaseAll(t, taken);
    QCOMPARE(texts(t.schedule()), (QStringList{u"4:h1[0 1] h3[0 1]"_s, u"5:h2[0 1]"_s}));
}

// A task that is tried again has to reach those that run.
void TstApart::besideItsOwnTasks()
{
    Scheduler s;
    setFourHosts(s);
    const PlacementRequest whole = talking({1, {needs(2)}, {2}});
    s.request(whole);
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h1[0 1] h2[0 1]"_s});
    s.release(whole.tasks[1].tryUuid);
    s.setApart(pairsOf(u"h1-h2"_s));
    PlacementRequest again = whole;
    again.tasks = {{whole.tasks[1].task, QUuid::createUuidV5(QUuid(), u"again"_s), u"h2"_s}};
    s.request(again);
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h3[0 1]"_s});
}

void TstApart::manyPairs_data()
{
    QTest::addColumn<int>("hosts");
    QTest::addColumn<int>("network"); // so many hosts reach each other
    QTest::addColumn<int>("tasks"); // each fills a host
    QTest::addColumn<bool>("fits");
    QTest::newRow("pairs") << 60 << 2 << 2 << true;
    QTest::newRow("pairs, three tasks") << 60 << 2 << 3 << false;
    QTest::newRow("two networks") << 60 << 30 << 30 << true;
    QTest::newRow("two networks, too many tasks") << 60 << 30 << 31 << false;
    QTest::newRow("nobody reaches anybody") << 60 << 1 << 2 << false;
}

void TstApart::manyPairs()
{
    QFETCH(const int, hosts);
    QFETCH(const int, network);
    QFETCH(const int, tasks);
    QFETCH(const bool, fits);
    Scheduler s;
    PairsApart pairs;
    const auto nameOf = [](int i) { return u"h%1"_s.arg(i, 3, 10, QChar(u'0')); };
    for (int i = 0; i < hosts; ++i) {
        s.setHost(host(nameOf(i), 1, 8000));
        for (int j = i + 1; j < hosts; ++j) {
            if (i / network != j / network) {
                pairs.emplace(pairOf(nameOf(i), nameOf(j)), NoWay{nameOf(i), nameOf(j), {}, {}, 1});
            }
        }
    }
    s.setApart(pairs);
    s.request(talking({1, {needs(1)}, {tasks}}));
    QElapsedTimer timer;
    timer.start();
    const std::vector<JobGrants> grants = s.schedule();
    QVERIFY2(timer.elapsed() < 10'000, qPrintable(QString::number(timer.elapsed()))); // it is bounded, also in debug
    QCOMPARE(!grants.empty(), fits);
    QStringList chosen;
    for (std::size_t i = 0; fits && i < grants.front().grants.size(); ++i) {
        chosen.append(grants.front().grants[i].place.host);
    }
    QVERIFY(!firstApart(pairs, chosen));
}

void TstApart::isRememberedForAWhile()
{
    PairMemory memory;
    const NoWay way{u"b"_s, u"a"_s, u"10.0.0.1"_s, u"refused"_s, 0};
    qint64 now = 5;
    for (const int minutes : {1, 2, 4, 8, 8}) {
        memory.note(way, now);
        memory.note({u"a"_s, u"b"_s, u"10.0.0.2"_s, u"silent"_s, 0}, now + 10); // the other direction, no new time
        memory.note(way, now + 20);
        QCOMPARE(memory.nextEnd(now + 20), std::optional(now + minutes * oneMinute));
        const PairsApart apart = memory.at(now + minutes * oneMinute - 1);
        QCOMPARE(apart.size(), std::size_t(1));
        QCOMPARE(apart.at(pairOf(u"a"_s, u"b"_s)), (NoWay{u"b"_s, u"a"_s, u"10.0.0.1"_s, u"refused"_s, minutes}));
        now += minutes * oneMinute;
        QVERIFY(memory.at(now).empty());
        QVERIFY(!memory.nextEnd(now));
        now += 5000;
    }
    now += 120 * oneMinute; // found apart much later, it is not the same trouble
    memory.note(way, now);
    QCOMPARE(memory.nextEnd(now), std::optional(now + oneMinute));
}

void TstApart::isForgotten()
{
    PairMemory memory;
    memory.note({u"a"_s, u"b"_s, {}, {}, 0}, 0);
    memory.note({u"c"_s, u"b"_s, {}, {}, 0}, 30'000);
    memory.note({u"c"_s, u"a"_s, {}, {}, 0}, 30'000);
    QCOMPARE(memory.nextEnd(30'000), std::optional(oneMinute));
    QVERIFY(memory.forget(u"b"_s));
    QVERIFY(!memory.forget(u"b"_s));
    QCOMPARE(memory.at(31'000).size(), std::size_t(1));
    QCOMPARE(memory.nextEnd(31'000), std::optional(30'000 + oneMinute));
    memory.note({u"a"_s, u"c"_s, {}, {}, 0}, 30'000 + oneMinute);
    QCOMPARE(memory.nextEnd(31'000 + oneMinute), std::optional(30'000 + 3 * oneMinute));
    memory.reached(u"a"_s, u"c"_s);
    QVERIFY(memory.at(31'000 + oneMinute).empty());
    memory.note({u"a"_s, u"c"_s, {}, {}, 0}, 32'000 + oneMinute);
    QCOMPARE(memory.nextEnd(32'000 + oneMinute), std::optional(32'000 + 2 * oneMinute));
}

TRAINYARD_TEST(TstApart)
#include "tst_apart.moc"
