// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/hostaddresses.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/plainserver.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QTest>

#include <arpa/inet.h>
#include <netinet/in.h>

#include <cstring>
#include <string>
#include <vector>

using namespace trainyard::contract;
using namespace trainyard;

// Whether hosts reach each other, as their agents find out; and the addresses that an agent tells of its host.
class TstPeerTests : public QObject
{
    Q_OBJECT

    AgentFixture m_fixture;
    std::unique_ptr<AgentDriver> m_other; // as of another host

    std::vector<std::string> reach(const Reach &request)
    {
        const auto reached = m_other->ask<Reached>(request);
        return reached ? reached->states : std::vector<std::string>{"no answer"};
    }
    int await(const std::string &word, std::int64_t ms = 10000)
    {
        const auto awaiting = m_fixture.agent->ask<Awaiting>(Await{word, 15000, 0, ms});
        return awaiting ? awaiting->port : 0;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_fixture.begin());
        QVERIFY(m_fixture.agent->start());
        m_other = m_fixture.newAgent();
        QVERIFY(m_other->start());
    }
    void cleanupTestCase()
    {
        m_other.reset();
        m_fixture.end();
    }

    void reachesBothFamilies()
    {
        const int port = await("word");
        QVERIFY(port >= 15000);
        // More than once: several hosts call.
        for (int i = 0; i < 2; ++i) {
            const auto states
                = reach({{"127.0.0.1", "::1", "127.0.0.1"}, {port, port, port}, {"word", "word", "other"}});
            QCOMPARE(states, (std::vector<std::string>{"reached", "reached", "another"}));
        }
    }

    // Each word has its own listener, and none stays longer than it was asked for.
    void listensForAMoment()
    {
        const int first = await("first"), second = await("second", 300);
        QVERIFY(first > 0 && second > 0 && first != second);
        QCOMPARE(reach({{"127.0.0.1"}, {first}, {"first"}}), std::vector<std::string>{"reached"});
        const auto isClosed = [&] {
            return reach({{"127.0.0.1"}, {second}, {"second"}}) == std::vector<std::string>{"refused"};
        };
        QVERIFY(QTest::qWaitFor(isClosed, 10000));
        QCOMPARE(reach({{"127.0.0.1"}, {first}, {"first"}}), std::vector<std::string>{"reached"});
    }

    void whatIsInTheWay()
    {
        const PlainServer mute; // takes connections and says nothing
        QVERIFY(mute.isListening());
        QElapsedTimer clock;
        clock.start();
        const auto states = reach({{"127.0.0.1", "gpu1", "10.1.2.3", "300.1.1.1"}, {mute.port(), 80, 0, 80},
            {"word", "word", "word", "word"}, 400});
        QCOMPARE(states, (std::vector<std::string>{"silent", "invalid", "invalid", "invalid"}));
        QVERIFY(clock.elapsed() < 5000);
        QCOMPARE(reach({}), std::vector<std::string>());
    }

    void malformed()
    {
        const auto failure = m_other->ask<Failure>(Reach{{"127.0.0.1"}, {}, {}});
        QVERIFY(failure && failure->code == "reach.malformed");
        Reach many;
        many.addresses.assign(mostReached + 1, "127.0.0.1");
        many.ports.assign(mostReached + 1, 1);
        many.words.assign(mostReached + 1, "w");
        QVERIFY(m_other->ask<Failure>(many));
        const auto noRange = m_fixture.agent->ask<Failure>(Await{"w", 20000, 10000, 100});
        QVERIFY(noRange && noRange->code == "await.failed");
    }

    void interfaces_data()
    {
        QTest::addColumn<bool>("told");
        for (const char *name : {"eth0", "enp3s0", "ib0", "bond0", "br0", "br-lan", "tailscale0", "wg0", "eth0.100"}) {
            QTest::newRow(name) << true;
        }
        for (const char *name : {"docker0", "docker_gwbridge", "br-4f2a91c0de12", "virbr0", "vnet3", "veth1a2b3c",
                 "cni0", "cni-podman0", "podman1", "flannel.1", "cali123", "lxcbr0", "lxdbr0"}) {
            QTest::newRow(name) << false;
        }
    }
    void interfaces() { QTEST(agent::mayHavePeers(QTest::currentDataTag()), "told"); }

    void addresses_data()
    {
        QTest::addColumn<bool>("told");
        for (const char *text : {"10.1.2.3", "192.168.0.9", "203.0.113.9", "fd00::3", "2001:db8::1"}) {
            QTest::newRow(text) << true;
        }
        for (const char *text : {"127.0.0.1", "127.0.1.1", "169.254.7.7", "0.0.0.0", "224.0.0.1", "::1", "fe80::1",
                 "::", "ff02::1", "::ffff:10.0.0.1"}) {
            QTest::newRow(text) << false;
        }
    }
    void addresses()
    {
        sockaddr_in four{};
        sockaddr_in6 six{};
        four.sin_family = AF_INET;
        six.sin6_family = AF_INET6;
        const char *text = QTest::currentDataTag();
        const bool isFour = ::inet_pton(AF_INET, text, &four.sin_addr) == 1;
        QVERIFY(isFour || ::inet_pton(AF_INET6, text, &six.sin6_addr) == 1);
        QFETCH(const bool, told);
        const std::string found = agent::peerAddressText(
            isFour ? reinterpret_cast<const sockaddr *>(&four) : reinterpret_cast<const sockaddr *>(&six));
        QCOMPARE(found, told ? std::string(text) : std::string());
    }

    void prefixes()
    {
        sockaddr_in four{};
        four.sin_family = AF_INET;
        four.sin_addr.s_addr = htonl(0xfffffc00);
        QCOMPARE(agent::prefixOf(reinterpret_cast<const sockaddr *>(&four)), 22);
        sockaddr_in6 six{};
        six.sin6_family = AF_INET6;
        std::memset(&six.sin6_addr, 0xff, 8);
        QCOMPARE(agent::prefixOf(reinterpret_cast<const sockaddr *>(&six)), 64);
        QCOMPARE(agent::prefixOf(nullptr), 0);
        QVERIFY(agent::peerAddressText(nullptr).empty());
    }
};

TRAINYARD_TEST(TstPeerTests)
#include "tst_peertests.moc"
