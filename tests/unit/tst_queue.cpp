// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/fullform.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/asked.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using namespace trainyard::core::asked;

class TstQueue : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void order();
    void byHand();
    void byPriority();
    void blockedJobs();
    void backfill_data();
    void backfill();
    void headIsNeverDelayed_data();
    void headIsNeverDelayed();
};

void TstQueue::order()
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

// It has no place although there is room, holds up nobody, and a stop ends that.
void TstQueue::blockedJobs()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 2, 8000));
    s.blockJob(jobUuid(1), {u"wait.peers"_s, {}});
    s.request(request({1, {needs(1)}, {1}}));
    s.request(request({2, {needs(1)}, {1}}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"2:h1[0]"_s}));
    QCOMPARE(s.waitReason(jobUuid(1)).code, u"wait.peers"_s);
    s.unblockJob(jobUuid(1));
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h1[1]"_s}));
    releaseAll(s, {1, {needs(1)}, {1}});
    s.blockJob(jobUuid(1), {u"wait.peers"_s, {}});
    s.cancel(jobUuid(1));
    s.request(request({1, {needs(1)}, {1}}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h1[1]"_s}));
}

void TstQueue::byHand()
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
void TstQueue::byPriority()
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

void TstQueue::backfill_data()
{
    QTest::addColumn<QList<HostCapacity>>("hosts");
    QTest::addColumn<Ask>("running");
    QTest::addColumn<Ask>("head");
    QTest::addColumn<Ask>("later");
    QTest::addColumn<QStringList>("placed");
    QList<HostCapacity> hosts{host(u"h1"_s, 4, 10000)};
    Ask running;
    const auto row = [&](const QByteArray &name, const Ask &head, const Ask &later, const QStringList &placed) {
        QTest::newRow(name.constData()) << hosts << running << head << later << placed;
    };
    running = {1, {needs(3, 1000)}, {1}};
    row("takes a GPU that the head needs", {2, {needs(4)}, {1}}, {3, {needs(1)}, {1}}, {});
    row("needs none", {2, {needs(4)}, {1}}, {3, {needs(0)}, {5}}, {u"3:h1 h1 h1 h1 h1"_s});
    row("memory that the head needs", {2, {needs(4, 9000)}, {1}}, {3, {needs(0, 1001)}, {1}}, {});
    row("memory that the head leaves", {2, {needs(4, 9000)}, {1}}, {3, {needs(0, 1000)}, {1}}, {u"3:h1"_s});
    row("memory enough for both", {2, {needs(4, 2000)}, {1}}, {3, {needs(0, 5000)}, {1}}, {u"3:h1"_s});
    row("a GPU that comes with the one for the head", {2, {needs(2)}, {1}}, {3, {needs(1)}, {1}}, {u"3:h1[3]"_s});
    running = {1, {needs(3, 4000)}, {1}};
    row("memory that comes with the GPUs", {2, {needs(4, 5000)}, {1}}, {3, {needs(0, 5000)}, {1}}, {u"3:h1"_s});
    row("more than comes with the GPUs", {2, {needs(4, 5000)}, {1}}, {3, {needs(0, 5001)}, {1}}, {});
    running = {1, {needs(1), needs(1, 4000)}, {1, 2}};
    row("memory that comes with either of two", {2, {needs(2, 5000)}, {1}}, {3, {needs(0, 1000)}, {1}}, {u"3:h1"_s});
    row("more than comes with one of them", {2, {needs(2, 5000)}, {1}}, {3, {needs(0, 1001)}, {1}}, {});
    running = {1, {needs(0, 7000)}, {1}};
    row("head waits for memory only", {2, {needs(1, 4000)}, {1}}, {3, {needs(3)}, {1}}, {u"3:h1[0 1 2]"_s});
    row("head waits for memory, all GPUs gone", {2, {needs(1, 4000)}, {1}}, {3, {needs(4)}, {1}}, {});
    row("memory for both when there is enough for one", {2, {needs(0, 8000)}, {1}}, {3, {needs(0, 2000)}, {1}},
        {u"3:h1"_s});
    row("memory for one", {2, {needs(0, 8000)}, {1}}, {3, {needs(0, 2001)}, {1}}, {});
    running = {1, {needs(0, 4000)}, {2}};
    row("when the first of two has ended", {2, {needs(0, 5000)}, {1}}, {3, {needs(0, 1000)}, {1}}, {u"3:h1"_s});
    row("only when both have", {2, {needs(0, 5000)}, {1}}, {3, {needs(0, 1001)}, {1}}, {});
    row("a part of the head", {2, {needs(0, 2500)}, {4}, false}, {3, {needs(0, 500)}, {1}}, {});

    hosts.append(host(u"h2"_s, 2, 10000));
    running = {1, {needs(3, 1000)}, {1}};
    row("a host that the head cannot use", {2, {needs(4)}, {1}, true, 0, 0, u"h1"_s}, {3, {needs(2)}, {1}},
        {u"3:h2[0 1]"_s});
    row("a host too small for the head", {2, {needs(4)}, {1}}, {3, {needs(2)}, {1}}, {u"3:h2[0 1]"_s});
    row("part of a split gang could go there", {2, {needs(2)}, {3}}, {3, {needs(2)}, {1}}, {});

    // All of it must fit into one host, where no part of it can begin.
    hosts = {host(u"h1"_s, 8, 10000)};
    running = {1, {needs(5), needs(1)}, {1, 2}};
    row("a GPU that a gang of one host leaves", {2, {needs(2)}, {2}}, {3, {needs(1)}, {1}}, {u"3:h1[7]"_s});
    hosts.append(host(u"h2"_s, 0, 10000));
    row("beside a host of no use to it", {2, {needs(2)}, {2}}, {3, {needs(1)}, {1}}, {u"3:h1[7]"_s});
    const QString a100 = u"NVIDIA A100"_s;
    hosts = {namedHost(u"h1"_s, QStringList(8, a100))};
    const Needs two = typed(u"A100"_s, 2);
    row("which asks for the type that all of them are", {2, {two}, {2}}, {3, {needs(1)}, {1}}, {u"3:h1[7]"_s});
    running = {1, {needs(5), needs(2)}, {1, 1}};
    row("or needs the one that is left", {2, {typed(u"A100"_s, 3)}, {1}}, {3, {needs(1)}, {1}}, {});

    hosts = {sharingHost(u"h1"_s, {8000, 8000})};
    running = {1, {part(4000)}, {1}};
    row("a part of what the head wants whole", {2, {needs(2)}, {1}}, {3, {part(100)}, {1}}, {});
    running = {1, {part(4000, 1, 90000)}, {1}};
    row("a part, and the head waits for memory", {2, {needs(1, 50000)}, {1}}, {3, {part(1000)}, {1}}, {u"3:h1[0]"_s});
    row("the head wants the only whole one", {2, {needs(1, 50000)}, {1}}, {3, {needs(1)}, {1}}, {});
    running = {1, {part(6000)}, {2}};
    row("a part that the head wants", {2, {part(7000)}, {1}}, {3, {part(1001)}, {1}}, {});
    row("a part that it leaves when one has ended", {2, {part(7000)}, {1}}, {3, {part(1000)}, {1}}, {u"3:h1[0]"_s});
    running = {1, {part(2000, 1, 90000)}, {1}};
    row("a part that the head leaves", {2, {part(4000, 1, 50000)}, {1}}, {3, {part(2000)}, {1}}, {u"3:h1[0]"_s});
    row("a whole one that the head leaves", {2, {part(4000, 1, 50000)}, {1}}, {3, {needs(1)}, {1}}, {u"3:h1[1]"_s});
    row("the whole one that it needs", {2, {part(7000, 1, 50000)}, {1}}, {3, {needs(1)}, {1}}, {});

    // Only two are large enough for the head.
    for (const bool sharing : {false, true}) {
        const auto named
            = [&](const char *name) -> QByteArray { return QByteArray(name) + (sharing ? ", sharing" : ""); };
        hosts = {sharingHost(u"h1"_s, {24000, 24000, 8000, 8000})};
        hosts.first().sharing = sharing;
        running = {1, {part(20000, 2)}, {1}};
        row(named("a GPU too small for the head"), {2, {part(16000)}, {1}}, {3, {needs(2)}, {1}}, {u"3:h1[2 3]"_s});
        running = {1, {part(20000), needs(0, 90000)}, {1, 1}};
        row(named("one large one is enough"), {2, {part(16000, 1, 50000)}, {1}}, {3, {needs(2)}, {1}},
            {u"3:h1[2 3]"_s});
        row(named("the last large one"), {2, {part(16000, 1, 50000)}, {1}}, {3, {needs(3)}, {1}}, {});
    }
}

void TstQueue::backfill()
{
    QFETCH(QList<HostCapacity>, hosts);
    QFETCH(Ask, running);
    QFETCH(Ask, head);
    QFETCH(Ask, later);
    QFETCH(QStringList, placed);
    Scheduler s;
    for (const HostCapacity &each : std::as_const(hosts)) {
        s.setHost(each);
    }
    running.onlyHost = u"h1"_s;
    s.request(request(running));
    QCOMPARE(s.schedule().size(), std::size_t(1));
    s.request(request(head));
    s.request(request(later));
    QStringList got = texts(s.schedule());
    got.removeIf([](const QString &text) { return text.startsWith("2:"_L1); }); // a part of it
    QCOMPARE(got, placed);
    // The head starts as soon as what ran before it is gone.
    releaseAll(s, running);
    const QStringList then = texts(s.schedule());
    QVERIFY2(!then.isEmpty() && then.first().startsWith(u"2:"_s), qPrintable(then.join(u", "_s)));
}

// Whatever else is in the queue, the head starts after the same ends as it would alone; what was placed in its place
// meanwhile never ends here.
void TstQueue::headIsNeverDelayed_data()
{
    QTest::addColumn<bool>("sharing");
    QTest::addColumn<bool>("oneHost");
    for (const bool sharing : {false, true}) {
        for (const bool one : {true, false}) {
            QTest::addRow("%s, %s", sharing ? "sharing" : "whole GPUs", one ? "one host" : "several") << sharing << one;
        }
    }
}

void TstQueue::headIsNeverDelayed()
{
    QFETCH(bool, sharing);
    QFETCH(bool, oneHost);
    QRandomGenerator random(sharing ? 5 : 6);
    int checked = 0;
    int filled = 0;
    const qsizetype rounds = inForm(1500);
    for (int round = 0; round < rounds; ++round) {
        const bool isMixed = round % 3 == 0;
        const bool isDivided = round % 5 == 0;
        std::vector<HostCapacity> all;
        for (int h = 0; h < (oneHost ? 1 : 1 + random.bounded(3)); ++h) {
            QList<qint64> sizes;
            for (int i = random.bounded(5); i > 0; --i) {
                sizes.append(random.bounded(2) ? 8000 : 4000);
            }
            all.push_back(sharingHost(u"h%1"_s.arg(h + 1), sizes, 10000));
            all.back().sharing = sharing;
            for (GpuSlot &gpu : all.back().gpus) {
                gpu.name = isMixed && random.bounded(2) ? u"NVIDIA V100"_s : u"NVIDIA A100"_s;
                gpu.instance = isDivided && random.bounded(2);
            }
        }
        const auto anyNeeds = [&] {
            Needs result = needs(random.bounded(4), 1000 * random.bounded(6));
            result.gpuMemoryMiB = result.gpu > 0 && random.bounded(2) ? 500 * (1 + random.bounded(16)) : 0;
            result.gpuType = result.gpu > 0 && random.bounded(3) == 0 ? u"A100"_s : QString();
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
    QVERIFY(filled > rounds / 30);
    QVERIFY(checked > rounds / 8);
}

TRAINYARD_TEST(TstQueue)
#include "tst_queue.moc"
