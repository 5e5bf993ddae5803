// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/unit/asked.h"

#include <QJsonArray>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using namespace trainyard::core::asked;

class TstFixedPorts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void fixedPorts_data();
    void fixedPorts();
    void drawnPortInTheWay();
    void tooManyOnAFixedPort();
    void hundredsOfPorts();
    void portAndMemory();
};

// Each job in its turn, on two GPUs of each host; then the first one ends.
void TstFixedPorts::fixedPorts_data()
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
        held.insert(u"ways"_s, QJsonArray{QJsonObject{{u"ends"_s, QJsonArray{job}}, {u"any"_s, false}}});
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

void TstFixedPorts::fixedPorts()
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
void TstFixedPorts::drawnPortInTheWay()
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

// The first ones, and how many more there are.
void TstFixedPorts::hundredsOfPorts()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 0, 8000));
    s.request(request({1, {fixing(5000, 300)}, {1}}));
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h1"_s});
    s.request(request({2, {fixing(5000, 300)}, {1}}));
    QVERIFY(s.schedule().empty());
    const WaitReason why = s.waitReason(jobUuid(2));
    QCOMPARE(why.code, u"wait.port"_s);
    QCOMPARE(why.args.value("port"_L1).toInt(), 5000);
    QCOMPARE(why.args.value("hosts"_L1).toArray().size(), 50);
    QCOMPARE(why.args.value("more"_L1).toInt(), 250);
}

// A job without GPUs never waits for GPUs, whatever else it lacks at once.
void TstFixedPorts::portAndMemory()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 2, 8000));
    Needs large = fixing(5000);
    large.memoryMiB = 6000;
    s.request(request({1, {large}, {1}}));
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h1"_s});
    s.request(request({2, {large}, {1}}));
    QVERIFY(s.schedule().empty());
    const WaitReason why = s.waitReason(jobUuid(2));
    QCOMPARE(why.code, u"wait.memory"_s);
    QCOMPARE(why.args.value("wantedMiB"_L1).toInt(), 6000);
}

void TstFixedPorts::tooManyOnAFixedPort()
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

TRAINYARD_TEST(TstFixedPorts)
#include "tst_fixedports.moc"
