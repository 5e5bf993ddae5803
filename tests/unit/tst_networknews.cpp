// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/networknews.h"
#include "tests/helpers/testregistry.h"

#include <QByteArray>
#include <QTest>

#include <linux/if_addr.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>

#include <optional>
#include <type_traits>

using namespace trainyard;

namespace
{

template <typename T> QByteArray networkBytes(const T &of)
{
    static_assert(std::is_trivially_copyable_v<T>);
    return {reinterpret_cast<const char *>(&of), qsizetype(sizeof of)};
}

QByteArray netlinkAligned(QByteArray bytes)
{
    bytes.append((4 - bytes.size() % 4) % 4, '\0');
    return bytes;
}

QByteArray toldAttribute(int type, const QByteArray &value)
{
    rtattr head{};
    head.rta_len = static_cast<unsigned short>(sizeof head + std::size_t(value.size()));
    head.rta_type = static_cast<unsigned short>(type);
    return netlinkAligned(networkBytes(head) + value);
}

QByteArray toldMessage(int type, const QByteArray &body)
{
    nlmsghdr head{};
    head.nlmsg_len = static_cast<__u32>(sizeof head + std::size_t(body.size()));
    head.nlmsg_type = static_cast<__u16>(type);
    return netlinkAligned(networkBytes(head) + body);
}

struct ToldParts {
    int scope = RT_SCOPE_UNIVERSE;
    std::optional<quint32> flags = {};
    QByteArray peer = {};
};

QByteArray toldAddress(int type, quint32 interface, const QByteArray &address, const ToldParts &parts = {})
{
    ifaddrmsg about{};
    about.ifa_scope = static_cast<__u8>(parts.scope);
    about.ifa_index = interface;
    QByteArray body = networkBytes(about);
    if (!parts.peer.isEmpty()) {
        body += toldAttribute(IFA_ADDRESS, parts.peer);
    }
    body += toldAttribute(IFA_LABEL, "eth0"); // of another kind, and of an odd length with its end
    body += toldAttribute(parts.peer.isEmpty() ? int(IFA_ADDRESS) : int(IFA_LOCAL), address);
    if (parts.flags) {
        body += toldAttribute(IFA_FLAGS, networkBytes(*parts.flags));
    }
    return toldMessage(type, body);
}

QByteArray toldLine(int type, int interface, unsigned flags)
{
    ifinfomsg about{};
    about.ifi_index = interface;
    about.ifi_flags = flags;
    return toldMessage(type, networkBytes(about));
}

bool isTaken(NetworkNews &news, const QByteArray &datagram)
{
    return news.take({datagram.constData(), std::size_t(datagram.size())});
}

const QByteArray someAddress("\x0a\x01\x02\x03", 4), otherAddress("\x0a\x01\x02\x04", 4);
constexpr unsigned lineUp = IFF_UP | IFF_RUNNING, lineAway = IFF_UP;

} // namespace

// What the kernel says of networks, and what of it is news for hosts that could not be reached.
class TstNetworkNews : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anAddressIsNewsOnce()
    {
        NetworkNews news;
        QVERIFY(isTaken(news, toldAddress(RTM_NEWADDR, 2, someAddress)));
        QVERIFY(!isTaken(news, toldAddress(RTM_NEWADDR, 2, someAddress))); // its time was renewed
        QVERIFY(isTaken(news, toldAddress(RTM_NEWADDR, 3, someAddress))); // another network
        QVERIFY(!isTaken(news, toldAddress(RTM_DELADDR, 2, someAddress)));
        QVERIFY(isTaken(news, toldAddress(RTM_NEWADDR, 2, someAddress)));
        news.noteAddress(4, {otherAddress.constData(), std::size_t(otherAddress.size())});
        QVERIFY(!isTaken(news, toldAddress(RTM_NEWADDR, 4, otherAddress)));
    }

    void addressesThatLeadNowhere()
    {
        NetworkNews news;
        for (const int scope : {RT_SCOPE_LINK, RT_SCOPE_HOST, RT_SCOPE_NOWHERE}) {
            QVERIFY(!isTaken(news, toldAddress(RTM_NEWADDR, 1, someAddress, {scope})));
        }
        QVERIFY(isTaken(news, toldAddress(RTM_NEWADDR, 1, someAddress, {RT_SCOPE_SITE})));
    }

    // One of IPv6 is tried out first. It is told again when it can be used.
    void anAddressThatIsTriedOut()
    {
        NetworkNews news;
        QVERIFY(
            !isTaken(news, toldAddress(RTM_NEWADDR, 2, someAddress, {RT_SCOPE_UNIVERSE, quint32(IFA_F_TENTATIVE)})));
        QVERIFY(
            !isTaken(news, toldAddress(RTM_NEWADDR, 2, otherAddress, {RT_SCOPE_UNIVERSE, quint32(IFA_F_DADFAILED)})));
        QVERIFY(isTaken(news, toldAddress(RTM_NEWADDR, 2, someAddress, {RT_SCOPE_UNIVERSE, quint32(IFA_F_PERMANENT)})));
    }

    // At such a line the address of the other end stays, and the own one says which network it is.
    void aLineBetweenTwo()
    {
        NetworkNews news;
        QVERIFY(isTaken(news, toldAddress(RTM_NEWADDR, 5, someAddress, {RT_SCOPE_UNIVERSE, {}, otherAddress})));
        QVERIFY(!isTaken(news, toldAddress(RTM_NEWADDR, 5, someAddress, {RT_SCOPE_UNIVERSE, {}, otherAddress})));
        QVERIFY(isTaken(news, toldAddress(RTM_NEWADDR, 5, otherAddress, {RT_SCOPE_UNIVERSE, {}, otherAddress})));
    }

    void aLineIsBack()
    {
        NetworkNews news;
        QVERIFY(!isTaken(news, toldLine(RTM_NEWLINK, 2, lineUp))); // it is not known to have been away
        QVERIFY(isTaken(news, toldAddress(RTM_NEWADDR, 2, someAddress)));
        QVERIFY(!isTaken(news, toldLine(RTM_NEWLINK, 2, lineAway)));
        QVERIFY(isTaken(news, toldLine(RTM_NEWLINK, 2, lineUp)));
        QVERIFY(!isTaken(news, toldLine(RTM_NEWLINK, 2, lineUp)));
        // Of a container, and of what is gone: its number may be that of another one next.
        news.noteLine(7, false);
        QVERIFY(!isTaken(news, toldLine(RTM_NEWLINK, 7, lineUp)));
        QVERIFY(!isTaken(news, toldLine(RTM_DELLINK, 2, lineUp)));
        QVERIFY(!isTaken(news, toldLine(RTM_NEWLINK, 2, lineAway)));
        QVERIFY(!isTaken(news, toldLine(RTM_NEWLINK, 2, lineUp)));
        QVERIFY(isTaken(news, toldAddress(RTM_NEWADDR, 2, someAddress)));
    }

    void severalInOneDatagram()
    {
        NetworkNews news;
        QVERIFY(isTaken(news, toldAddress(RTM_NEWADDR, 2, someAddress) + toldLine(RTM_NEWLINK, 2, lineUp)));
        QVERIFY(isTaken(news, toldMessage(NLMSG_NOOP, "abc") + toldAddress(RTM_NEWADDR, 2, otherAddress)));
        QVERIFY(!isTaken(news, toldAddress(RTM_NEWADDR, 2, someAddress) + toldAddress(RTM_NEWADDR, 2, otherAddress)));
    }

    // Each beginning of a good one, and lengths that are not those of what follows.
    void brokenDatagrams()
    {
        const QByteArray good = toldAddress(RTM_NEWADDR, 2, someAddress, {RT_SCOPE_UNIVERSE, {}, otherAddress});
        for (qsizetype length = 0; length < good.size(); ++length) {
            NetworkNews news;
            QVERIFY2(!isTaken(news, good.left(length)), qPrintable(QString::number(length)));
        }
        for (qsizetype place = 0; place < good.size(); ++place) {
            for (const char byte : {'\0', '\1', '\x7f', '\xff'}) {
                QByteArray broken = good;
                broken[place] = byte;
                NetworkNews news;
                isTaken(news, broken); // returns, whatever it makes of it
            }
        }
        NetworkNews news;
        QVERIFY(!isTaken(news, QByteArray(1000, '\0')));
        QVERIFY(!isTaken(news, QByteArray(1000, '\xff')));
        QVERIFY(isTaken(news, good));
    }
};

TRAINYARD_TEST(TstNetworkNews)
#include "tst_networknews.moc"
