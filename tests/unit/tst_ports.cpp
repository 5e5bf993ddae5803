// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/ports.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;

class TstPorts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void draws();
    void avoidsBusy();
    void full();
    void adopts();
    void rangeChanges();
    void many();
    void fixed();
};

static QUuid uuid(int i) { return QUuid::createUuidV5(QUuid(), QByteArray::number(i)); }

static QList<int> allOf(const PortTable &table)
{
    QList<int> list;
    for (const auto &[label, numbers] : table) {
        list += numbers;
    }
    return list;
}

void TstPorts::draws()
{
    PortBook book;
    const auto table = book.draw(u"h"_s, uuid(1), {{u"tb"_s, 3}, {u"ssh"_s, 1}, {u"http"_s, 1}});
    QVERIFY(table.has_value());
    QCOMPARE(table->size(), 3);
    QCOMPARE((*table)[0].first, u"tb"_s);
    const QList<int> tb = (*table)[0].second;
    QCOMPARE(tb, (QList<int>{tb[0], tb[0] + 1, tb[0] + 2})); // in a row
    QList<int> all = allOf(*table);
    QCOMPARE(QSet<int>(all.begin(), all.end()).size(), 5);
    for (int port : all) {
        QVERIFY(port >= 15000 && port <= 32767);
        QVERIFY(book.isReserved(u"h"_s, port));
        QVERIFY(!book.isReserved(u"other"_s, port));
    }
    book.release(uuid(1));
    book.release(uuid(1));
    for (int port : all) {
        QVERIFY(!book.isReserved(u"h"_s, port));
    }
    // The same try begins to look at the same place.
    QCOMPARE(allOf(*book.draw(u"h"_s, uuid(1), {{u"tb"_s, 3}, {u"ssh"_s, 1}, {u"http"_s, 1}})), all);
}

void TstPorts::avoidsBusy()
{
    PortBook book;
    const QList<Port> wanted{{u"a"_s, 2}, {u"b"_s, 1}};
    const QList<int> first = allOf(*book.draw(u"h"_s, uuid(1), wanted));
    const QList<int> second = allOf(*book.draw(u"h"_s, uuid(1), wanted, QSet<int>{first[1]}));
    QVERIFY(!second.contains(first[1]));
    QVERIFY(!book.isReserved(u"h"_s, first[0]) || second.contains(first[0])); // the first draw was given back
    int held = 0;
    for (int port = 15000; port <= 32767; ++port) {
        held += book.isReserved(u"h"_s, port) ? 1 : 0;
    }
    QCOMPARE(held, 3);
}

void TstPorts::full()
{
    PortBook book({20000, 20009});
    QVERIFY(book.draw(u"h"_s, uuid(1), {{u"a"_s, 4}}));
    QVERIFY(book.draw(u"h"_s, uuid(2), {{u"a"_s, 2}}));
    const auto none = book.draw(u"h"_s, uuid(3), {{u"a"_s, 1}, {u"b"_s, 9}});
    QVERIFY(!none);
    QCOMPARE(none.error().code, u"ports.none"_s);
    QCOMPARE(none.error().args.value("wanted"_L1).toInt(), 9);
    int held = 0;
    for (int port = 20000; port <= 20009; ++port) {
        held += book.isReserved(u"h"_s, port) ? 1 : 0;
    }
    QCOMPARE(held, 6); // nothing of the failed one
    QVERIFY(book.draw(u"other"_s, uuid(3), {{u"a"_s, 10}})); // hosts are apart
    QVERIFY(book.draw(u"third"_s, uuid(4), {{u"a"_s, 10}})); // all of it, wherever the search begins
    QVERIFY(!book.draw(u"third"_s, uuid(5), {{u"a"_s, 11}}));
    PortBook empty({5, 4});
    QCOMPARE(empty.draw(u"h"_s, uuid(1), {{u"a"_s, 1}}).error().code, u"ports.no-range"_s);
    QVERIFY(empty.draw(u"h"_s, uuid(1), {}));
}

void TstPorts::adopts()
{
    PortBook book;
    book.restore(u"h"_s, uuid(1), {{u"a"_s, {15003, 15004}}, {u"old"_s, {40000}}}); // of an earlier range
    QVERIFY(book.isReserved(u"h"_s, 15003));
    QVERIFY(book.isReserved(u"h"_s, 40000));
    book.restore(u"h"_s, uuid(2), {{u"a"_s, {15004, 15005}}});
    book.release(uuid(2));
    QVERIFY(book.isReserved(u"h"_s, 15004));
    QVERIFY(!book.isReserved(u"h"_s, 15005));
}

void TstPorts::rangeChanges()
{
    PortBook book(PortRange{15000, 15099});
    book.restore(u"h"_s, uuid(1), {{u"a"_s, {15010, 15011, 15012}}, {u"b"_s, {15090}}});
    book.setRange(PortRange{15011, 15020}); // smaller, and shifted: some of the held ones lie outside now
    QVERIFY(book.isReserved(u"h"_s, 15011));
    QVERIFY(book.isReserved(u"h"_s, 15012));
    QVERIFY(!book.isReserved(u"h"_s, 15090));
    const auto table = book.draw(u"h"_s, uuid(2), {{u"x"_s, 8}});
    QVERIFY(table.has_value());
    QCOMPARE(allOf(*table), (QList<int>{15013, 15014, 15015, 15016, 15017, 15018, 15019, 15020}));
    book.release(uuid(1));
    book.release(uuid(2));
    book.setRange(PortRange{15000, 15099});
    for (int port = 15000; port < 15100; ++port) {
        QVERIFY(!book.isReserved(u"h"_s, port));
    }
}

void TstPorts::many()
{
    PortBook book;
    QSet<int> seen;
    int tries = 0;
    while (const auto table = book.draw(u"h"_s, uuid(tries), {{u"ssh"_s, 1}, {u"http"_s, 1}})) {
        for (int port : allOf(*table)) {
            QVERIFY(!seen.contains(port));
            seen.insert(port);
        }
        ++tries;
    }
    QCOMPARE(tries, (32767 - 15000 + 1) / 2);
    qInfo("%d tries with 2 ports each on one host", tries);
}

void TstPorts::fixed()
{
    PortBook book({20000, 20009});
    const QList<Port> wanted{{u"web"_s, 2}, {u"ssh"_s, 3}, {u"in"_s, 1}};
    const QMap<QString, int> first{{u"web"_s, 8080}, {u"in"_s, 20004}};
    const auto table = book.draw(u"h"_s, uuid(1), wanted, {}, first);
    QVERIFY(table);
    QCOMPARE((*table)[0], (std::pair(u"web"_s, QList<int>{8080, 8081})));
    QCOMPARE((*table)[2], (std::pair(u"in"_s, QList<int>{20004})));
    QVERIFY(!(*table)[1].second.contains(20004));
    for (int port : allOf(*table)) {
        QVERIFY(book.isReserved(u"h"_s, port));
    }
    // Nobody draws them, another fixed one says who has them, and another host has its own.
    for (int i = 2; i < 8; ++i) {
        const auto other = book.draw(u"h"_s, uuid(i), {{u"x"_s, 1}});
        QVERIFY(other && !allOf(*other).contains(20004));
    }
    const auto again = book.draw(u"h"_s, uuid(9), {{u"x"_s, 1}, {u"y"_s, 1}}, {}, {{u"y"_s, 8081}});
    QCOMPARE(again.error().code, u"ports.fixed-held"_s);
    QCOMPARE(again.error().args.value("port"_L1).toInt(), 8081);
    QCOMPARE(again.error().args.value("holder"_L1).toString(), uuid(1).toString(QUuid::WithoutBraces));
    const int drawn = (*table)[1].second.first();
    const auto onDrawn = book.draw(u"h"_s, uuid(9), {{u"y"_s, 1}}, {}, {{u"y"_s, drawn}});
    QCOMPARE(onDrawn.error().args.value("holder"_L1).toString(), uuid(1).toString(QUuid::WithoutBraces));
    QVERIFY(book.draw(u"other"_s, uuid(9), wanted, {}, first));
    // What could not be had whole is given back.
    book.release(uuid(1));
    const auto busy = book.draw(u"h"_s, uuid(10), {{u"web"_s, 2}}, {8081}, first);
    QCOMPARE(busy.error().code, u"ports.fixed-busy"_s);
    QVERIFY(!book.isReserved(u"h"_s, 8080));
    QCOMPARE(
        book.draw(u"h"_s, uuid(10), {{u"web"_s, 2}}, {}, {{u"web"_s, 65535}}).error().code, u"ports.fixed-range"_s);
    QVERIFY(book.draw(u"h"_s, uuid(10), {{u"web"_s, 2}}, {}, first));
    // After a restart they are held as before.
    PortBook later({20000, 20009});
    later.restore(u"h"_s, uuid(10), {{u"web"_s, {8080, 8081}}});
    QVERIFY(later.isReserved(u"h"_s, 8081));
    later.release(uuid(10));
    QVERIFY(!later.isReserved(u"h"_s, 8081));
}

TRAINYARD_TEST(TstPorts)
#include "tst_ports.moc"
