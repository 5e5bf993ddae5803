// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/gpurules.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/asked.h"

#include <QJsonArray>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using namespace trainyard::core::asked;

class TstGpuTypes : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void gpuHours_data();
    void gpuHours();
    void gpuTypes_data();
    void gpuTypes();
    void gpuTypeRefusals();
    void gpuTypeOfAnAbsentHost();
};

void TstGpuTypes::gpuHours_data()
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
    // Where another span goes on it is not free yet, and where they leave no hour it never is.
    row("0 9-18, 0 18-20", "2026-11-20T12:00:00", "20:00");
    row("0 9-18, 0 19-20", "2026-11-20T12:00:00", "18:00");
    row("0 9-18, 1 18-20", "2026-11-20T12:00:00", "18:00");
    row("0 0-6, 0 18-24", "2026-11-20T20:00:00", "06:00");
    row("0 18-24", "2026-11-20T20:00:00", "24:00");
    row("0 0-24 Mon-Fri", "2026-11-20T12:00:00", "24:00");
    row("0 0-24 Mon-Fri", "2026-11-18T12:00:00", "Fri 24:00");
    row("0 22-6 Fri, 0 0-24 Sat", "2026-11-20T23:00:00", "Sat 24:00");
    row("0 0-24 Mon-Sat, 0 0-24 Sun", "2026-11-18T12:00:00", "never");
    row("0 0-24", "2026-11-20T23:59:00", "never");
    row("0 8-8", "2026-11-20T03:00:00", "never");
    row("0 0-12, local:0 12-24", "2026-11-20T03:00:00", "never");
    for (const char *wrong :
        {"", "0", "0 9", "0 9-", "0 25-26", "0 24:30-3", "0 9:60-10", "0 9-18 Xxx", "9-18", "0 9-18 Mon-"}) {
        row(wrong, "2026-11-20T12:00:00", "");
    }
}

void TstGpuTypes::gpuHours()
{
    QFETCH(QString, hours);
    QFETCH(QString, now);
    QFETCH(QString, until);
    const GpuRules rules{{}, {}, hours.split(u", "_s)};
    const auto kept = gpuKept(rules, u"local"_s, 0, u"GPU-abc"_s, QDateTime::fromString(now, Qt::ISODate));
    QCOMPARE(!kept ? QString() : kept->excluded ? u"never"_s : kept->until, until);
    // Never goes before the hours, and names mean the same everywhere.
    const GpuRules never{{u"GPU-ABC"_s}, {u"lab:0"_s, u"0"_s}, {hours}};
    QVERIFY(gpuKept(never, u"local"_s, 0, u"GPU-abc"_s, {})->excluded);
    QCOMPARE(gpuRank(never, u"local"_s, 0, u"GPU-abc"_s), 1);
    QCOMPARE(gpuRank(never, u"lab"_s, 0, u"GPU-x"_s), 0);
    QCOMPARE(gpuRank(never, u"lab"_s, 1, u"GPU-x"_s), INT_MAX);
}

// h1 has a V100 between two K80s, h2 has two K80s. Each job in its turn; then the first one ends.
void TstGpuTypes::gpuTypes_data()
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

void TstGpuTypes::gpuTypes()
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

void TstGpuTypes::gpuTypeRefusals()
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

void TstGpuTypes::gpuTypeOfAnAbsentHost()
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

TRAINYARD_TEST(TstGpuTypes)
#include "tst_gputypes.moc"
