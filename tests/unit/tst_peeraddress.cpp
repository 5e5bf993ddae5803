// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/peeraddress.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard::core;

namespace
{

// "eth0 10.0.0.1/24, ib0 10.1.0.1/16"
QList<NetAddress> netsOf(const QString &text)
{
    QList<NetAddress> nets;
    const QStringList items = text.split(u", "_s, Qt::SkipEmptyParts);
    for (const QString &item : items) {
        const QString address = item.section(u' ', 1);
        nets.append({item.section(u' ', 0, 0), address.section(u'/', 0, 0), address.section(u'/', 1).toInt()});
    }
    return nets;
}

PeerHost hostOf(const QString &id, const QString &nets, const QStringList &reachedBy = {}, const QString &wanted = {})
{
    return {id, u"boot-"_s + id, netsOf(nets), reachedBy, wanted};
}

} // namespace

class TstPeerAddress : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void order_data();
    void order();
    void oneComputer();
    void texts_data();
    void texts();
};

void TstPeerAddress::order_data()
{
    QTest::addColumn<PeerHost>("host");
    QTest::addColumn<QList<PeerHost>>("others");
    QTest::addColumn<QString>("addresses");
    const auto row = [](const char *name, const PeerHost &host, const QList<PeerHost> &others,
                         const QString &expected) { QTest::newRow(name) << host << others << expected; };
    const PeerHost b = hostOf(u"b"_s, u"eth0 10.0.0.2/24, ib0 192.168.7.2/24"_s, {u"10.0.0.2"_s});
    row("same network before ssh", hostOf(u"a"_s, u"eth0 172.20.0.1/16, ib0 192.168.7.1/24"_s, {u"172.20.0.1"_s}), {b},
        u"192.168.7.1 172.20.0.1"_s);
    row("ssh's among equals", hostOf(u"a"_s, u"eth0 10.0.0.1/24, ib0 192.168.7.1/24"_s, {u"192.168.7.1"_s}), {b},
        u"192.168.7.1 10.0.0.1"_s);
    row("in the kernel's order", hostOf(u"a"_s, u"ib0 192.168.7.1/24, eth0 10.0.0.1/24"_s), {b},
        u"192.168.7.1 10.0.0.1"_s);
    row("ssh before a network of some", hostOf(u"a"_s, u"eth0 172.20.0.1/16, ib0 192.168.7.1/24"_s, {u"172.20.0.1"_s}),
        {b, hostOf(u"c"_s, u"eth0 10.0.0.3/24"_s)}, u"172.20.0.1 192.168.7.1"_s);
    row("a network of all before one of some", hostOf(u"a"_s, u"ib0 192.168.7.1/24, eth0 10.0.0.1/24"_s),
        {b, hostOf(u"c"_s, u"eth0 10.0.0.3/24"_s)}, u"10.0.0.1 192.168.7.1"_s);
    row("none is near", hostOf(u"a"_s, u"eth0 172.20.0.1/16"_s), {b}, u"172.20.0.1"_s);
    row("behind a router", hostOf(u"a"_s, u"eth0 172.20.0.1/16"_s, {u"203.0.113.9"_s}), {b},
        u"203.0.113.9 172.20.0.1"_s);
    row("another prefix is another network", hostOf(u"a"_s, u"vpn0 10.0.0.1/8, eth0 192.168.7.1/24"_s), {b},
        u"192.168.7.1 10.0.0.1"_s);
    row("all have it", hostOf(u"a"_s, u"nat0 10.0.2.15/24, eth0 172.20.0.1/16"_s, {u"10.0.2.15"_s}),
        {hostOf(u"b"_s, u"nat0 10.0.2.15/24, eth0 172.21.0.1/16"_s)}, u"172.20.0.1 10.0.2.15"_s);
    row("the end of a tunnel", hostOf(u"a"_s, u"eth0 172.20.0.1/16"_s, {u"127.0.0.1"_s}), {b},
        u"172.20.0.1 127.0.0.1"_s);
    row("IPv4 before IPv6", hostOf(u"a"_s, u"eth0 fd00::1/64, eth0 10.0.0.1/24"_s),
        {hostOf(u"b"_s, u"eth0 10.0.0.2/24, eth0 fd00::2/64"_s)}, u"10.0.0.1 fd00::1"_s);
    row("only IPv6 is common", hostOf(u"a"_s, u"eth0 10.5.0.1/24, eth0 fd00::1/64"_s),
        {hostOf(u"b"_s, u"eth0 10.6.0.2/24, eth0 fd00::2/64"_s)}, u"fd00::1 10.5.0.1"_s);
    row("a family that the others lack", hostOf(u"a"_s, u"eth0 10.5.0.1/24, eth0 fd00::1/64"_s, {u"10.5.0.1"_s}),
        {hostOf(u"b"_s, u"eth0 fd01::2/64"_s)}, u"fd00::1 10.5.0.1"_s);
    row("the others tell nothing", hostOf(u"a"_s, u"eth0 172.20.0.1/16, ib0 192.168.7.1/24"_s, {u"192.168.7.1"_s}),
        {hostOf(u"b"_s, {}, {u"10.0.0.2"_s})}, u"192.168.7.1 172.20.0.1"_s);
    row("it tells nothing", hostOf(u"a"_s, {}, {u"gpu1.lab.org"_s}), {b}, u"gpu1.lab.org"_s);
    row("an address of the user", hostOf(u"a"_s, u"eth0 10.0.0.1/24"_s, {u"10.0.0.1"_s}, u"203.0.113.9"_s), {b},
        u"203.0.113.9"_s);
    row("an interface of the user",
        hostOf(u"a"_s, u"eth0 10.0.0.1/24, ib0 fd00::1/64, ib0 172.20.0.1/16"_s, {u"10.0.0.1"_s}, u"ib0"_s), {b},
        u"172.20.0.1 fd00::1"_s);
    row("an interface that is gone", hostOf(u"a"_s, u"eth0 10.0.0.1/24"_s, {u"10.0.0.1"_s}, u"ib0"_s), {b}, {});
    row("an interface of one that tells nothing", hostOf(u"a"_s, {}, {u"10.0.0.1"_s}, u"ib0"_s), {b}, u"10.0.0.1"_s);
}

void TstPeerAddress::order()
{
    QFETCH(const PeerHost, host);
    QFETCH(const QList<PeerHost>, others);
    QTEST(peerAddresses(host, others).join(u' '), "addresses");
}

// This computer and an ssh host that is the same one: what they were told by ssh.
void TstPeerAddress::oneComputer()
{
    PeerHost here = hostOf(u"local"_s, u"eth0 10.0.0.1/24"_s, {u"127.0.0.1"_s});
    PeerHost there = hostOf(u"same"_s, u"eth0 10.0.0.1/24"_s, {u"127.0.0.1"_s});
    there.boot = here.boot;
    QCOMPARE(peerAddresses(here, {there}), QStringList{u"127.0.0.1"_s});
    QCOMPARE(peerAddresses(there, {here}), QStringList{u"127.0.0.1"_s});
    here.wanted = u"eth0"_s;
    QCOMPARE(peerAddresses(here, {there}), QStringList{u"10.0.0.1"_s});
}

void TstPeerAddress::texts_data()
{
    QTest::addColumn<bool>("address");
    QTest::addColumn<bool>("interface");
    const auto row
        = [](const char *text, bool address, bool interface) { QTest::newRow(text) << address << interface; };
    row("10.1.2.3", true, true); // which goes first is an address
    row("fd00::3", true, true);
    row("fe80::1%eth0", false, false);
    row("10.1", false, true);
    row("eth0", false, true);
    row("enp3s0f1np1.100", false, true);
    row("a-much-too-long-name", false, false);
    row("-x", false, false);
    row("two words", false, false);
    row("..", false, false);
    row("", false, false);
}

void TstPeerAddress::texts()
{
    const QString text = QString::fromLatin1(QTest::currentDataTag());
    QTEST(isAddress(text), "address");
    QTEST(isInterfaceName(text), "interface");
}

TRAINYARD_TEST(TstPeerAddress)
#include "tst_peeraddress.moc"
