// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/fit.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/asked.h"

#include <QJsonArray>
#include <QRandomGenerator>
#include <QTest>

#include <numeric>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using namespace trainyard::core::asked;

class TstGpuSharing : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void sharing_data();
    void sharing();
    void sharingComesAndGoes();
    void sharingReasons();
    void neverTooMuchOfAGpu();
};

void TstGpuSharing::sharing_data()
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

void TstGpuSharing::sharing()
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

void TstGpuSharing::sharingComesAndGoes()
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
    again.restoreAllocation(1, asked.job, asked.tasks[0].tryUuid, {u"h1"_s, {}, {0}, {}, 3000}, asked.needs[0]);
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

void TstGpuSharing::sharingReasons()
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

// The same with GPUs that are shared: what is promised is there, and nobody is beside one who is alone.
void TstGpuSharing::neverTooMuchOfAGpu()
{
    QRandomGenerator random(17);
    Scheduler s;
    const QList<QList<qint64>> sizes{{8000, 8000, 4000}, {6000, 6000}, {2000}};
    QHash<QUuid, Allocation> holding;
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
        for (const Allocation &place : std::as_const(holding)) {
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

TRAINYARD_TEST(TstGpuSharing)
#include "tst_gpusharing.moc"
