// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/listeners.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/plainserver.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QTest>

#include <arpa/inet.h>

#include <cerrno>
#include <string>

using namespace trainyard::contract;
using namespace trainyard;

// TCP connections to programs on the agent's host, over the wire.
class TstTcpStreams : public QObject
{
    Q_OBJECT

    AgentFixture m_fixture;
    struct Opened {
        std::int64_t id = 0;
        std::int64_t room = 0;
    };

    std::optional<Opened> open(int port, std::int64_t credit = streamCredit)
    {
        const std::int64_t id = m_fixture.agent->send(Dial{port, credit});
        const auto dialed = m_fixture.agent->answer<Dialed>(id);
        return dialed ? std::optional(Opened{id, dialed->credit}) : std::nullopt;
    }
    void say(std::int64_t id, const Flow &flow)
    {
        m_fixture.agent->sendRaw(QByteArray::fromStdString(encode({id, flow, {}}).value()));
    }
    static Flow bytes(const std::string &text, bool end = false)
    {
        Flow flow;
        flow.bytes = text;
        flow.end = end;
        return flow;
    }
    static Flow broken()
    {
        Flow flow;
        flow.broken = true;
        return flow;
    }
    // What comes until so many bytes, or the end, is there. "!": it broke.
    std::string hear(std::int64_t id, std::size_t size, bool *ended = nullptr)
    {
        std::string text;
        bool over = false;
        while (!over && text.size() < size) {
            const auto flow = m_fixture.agent->wait(
                [id](const Envelope &e) { return e.id == id && std::holds_alternative<Flow>(e.message); });
            if (!flow || std::get<Flow>(flow->message).broken) {
                return '!' + text;
            }
            text += std::get<Flow>(flow->message).bytes;
            over = std::get<Flow>(flow->message).end;
        }
        if (ended) {
            *ended = over;
        }
        return text;
    }
    bool answers() { return m_fixture.agent->ask<PortsReply>(Ports{}).has_value(); }
    qsizetype descriptors() const
    {
        return QDir(QStringLiteral("/proc/%1/fd").arg(m_fixture.agent->pid())).entryList(QDir::Files).size();
    }

private Q_SLOTS:
    void init()
    {
        QVERIFY(m_fixture.begin());
        QVERIFY(m_fixture.agent->start());
    }
    void cleanup() { m_fixture.end(); }

    void bothWays()
    {
        PlainServer server;
        const auto stream = open(server.port());
        QVERIFY(stream && server.accept());
        say(stream->id, bytes("ping"));
        QCOMPARE(server.read(4), std::string("ping"));
        QVERIFY(server.write("pong"));
        QCOMPARE(hear(stream->id, 4), std::string("pong"));
        // One side says its end; the other one goes on.
        say(stream->id, bytes("last", true));
        QCOMPARE(server.read(100), std::string("last"));
        QVERIFY(server.write("late"));
        QCOMPARE(hear(stream->id, 4), std::string("late"));
        server.closePeer();
        bool ended = false;
        QCOMPARE(hear(stream->id, 1, &ended), std::string());
        QVERIFY(ended);
        // It is forgotten: what still comes for it does nothing.
        say(stream->id, bytes("more"));
        m_fixture.agent->send(Credit{stream->id, 5});
        QVERIFY(answers());
        QVERIFY(!m_fixture.agent->wait([&](const Envelope &e) { return e.id == stream->id; }, 0));
    }

    // As of a node of a cluster: what listens on the same port here is another program.
    void atAnAddress()
    {
        constexpr std::uint32_t node = (127u << 24) + 7; // 127.0.0.7
        PlainServer server(node);
        const std::int64_t id = m_fixture.agent->send(Dial{server.port(), streamCredit, "127.0.0.7"});
        QVERIFY(m_fixture.agent->answer<Dialed>(id) && server.accept());
        say(id, bytes("ping"));
        QCOMPARE(server.read(4), std::string("ping"));
        for (const char *address : {"127.0.0.8", "n1", "127.0.0"}) { // nothing listens there, or it is no address
            const std::int64_t refused = m_fixture.agent->send(Dial{server.port(), streamCredit, address});
            const auto why = m_fixture.agent->answer<Failure>(refused);
            QVERIFY(why && why->code == "dial.refused");
        }
    }

    void programEndsFirst()
    {
        PlainServer server;
        const auto stream = open(server.port());
        QVERIFY(stream && server.accept());
        server.endWriting();
        bool ended = false;
        QCOMPARE(hear(stream->id, 1, &ended), std::string());
        QVERIFY(ended);
        say(stream->id, bytes("still"));
        QCOMPARE(server.read(5), std::string("still"));
        say(stream->id, bytes({}, true));
        QCOMPARE(server.read(1), std::string());
    }

    void refused()
    {
        int port = 0;
        {
            const PlainServer server;
            port = server.port();
        }
        const auto nobody = m_fixture.agent->ask<Failure>(Dial{port, 1000});
        QVERIFY(nobody && nobody->code == "dial.refused" && nobody->argument == std::to_string(port));
        QCOMPARE(nobody->systemError, ECONNREFUSED);
        for (const int wrong : {0, -1, 65536}) {
            const auto failure = m_fixture.agent->ask<Failure>(Dial{wrong, 1000});
            QVERIFY(failure && failure->code == "dial.refused");
            QCOMPARE(failure->systemError, EINVAL);
        }
    }

    void otherAddresses()
    {
        PlainServer other(INADDR_LOOPBACK + 1); // 127.0.0.2, where nobody looks at first
        QVERIFY(other.isListening());
        const auto stream = open(other.port());
        QVERIFY(stream && other.accept());
        say(stream->id, bytes("there", true));
        QCOMPARE(other.read(9), std::string("there"));
        PlainServer six{PlainServer::OtherLoopback()};
        if (six.isListening()) { // not where IPv6 is off
            const auto second = open(six.port());
            QVERIFY(second && six.accept());
            say(second->id, bytes("six", true));
            QCOMPARE(six.read(9), std::string("six"));
        }
    }

    void listenersOfATable()
    {
        const std::string head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt\n";
        const std::string table = head
            + "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1\n"
              "   1: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1\n"
              "   2: 0700000A:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1\n"
              "   3: 0800000A:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1\n"
              "   4: 0900000A:1F90 0100000A:D431 01 00000000:00000000 00:00000000 00000000  1000        0 1 1\n"
              "   5: 07000:1F90 00000000:0000 0A\n   6: 0700000A 0 0A\n 7: 0700000A:zz 0 0A\n";
        const std::vector<agent::SocketAddress> found = agent::listenersIn(table, 8080);
        QCOMPARE(found.size(), std::size_t(1));
        char text[INET6_ADDRSTRLEN] = {};
        const auto *in = reinterpret_cast<const sockaddr_in *>(found.front().get());
        ::inet_ntop(AF_INET, &in->sin_addr, text, sizeof text);
        QCOMPARE(std::string(text), std::string("10.0.0.7"));
        QCOMPARE(int(ntohs(in->sin_port)), 8080);
        const std::string six = head
            + "   0: 00000000000000000000000001000000:1F90 00000000000000000000000000000000:0000 0A 0 0 0\n"
              "   1: B80D0120000000000000000007000000:1F90 00000000000000000000000000000000:0000 0A 0 0 0\n";
        const std::vector<agent::SocketAddress> foundSix = agent::listenersIn(six, 8080);
        QCOMPARE(foundSix.size(), std::size_t(1));
        const auto *in6 = reinterpret_cast<const sockaddr_in6 *>(foundSix.front().get());
        ::inet_ntop(AF_INET6, &in6->sin6_addr, text, sizeof text);
        QCOMPARE(std::string(text), std::string("2001:db8::7"));
        QVERIFY(agent::listenersIn({}, 8080).empty());
    }

    // A program that sends for ever sends as far as there is credit.
    void creditIsKept()
    {
        PlainServer server;
        const auto stream = open(server.port(), 1000);
        QVERIFY(stream && server.accept());
        QVERIFY(server.writeWhatFits() > 100000);
        QCOMPARE(hear(stream->id, 1000).size(), std::size_t(1000));
        QVERIFY(answers());
        QVERIFY(!m_fixture.agent->wait([&](const Envelope &e) { return e.id == stream->id; }, 0));
        m_fixture.agent->send(Credit{stream->id, 500});
        QCOMPARE(hear(stream->id, 500).size(), std::size_t(500));
        QVERIFY(answers());
        QVERIFY(!m_fixture.agent->wait([&](const Envelope &e) { return e.id == stream->id; }, 0));
        // Its end is seen as soon as all was sent.
        server.endWriting();
        m_fixture.agent->send(Credit{stream->id, 1ll << 30});
        bool ended = false;
        QVERIFY(hear(stream->id, std::size_t(1) << 30, &ended).find('!') == std::string::npos);
        QVERIFY(ended);
    }

    // A program that never reads stops the client, and nothing else.
    void programThatNeverReads()
    {
        PlainServer server;
        const auto stream = open(server.port());
        QVERIFY(stream && server.accept());
        QCOMPARE(stream->room, streamCredit);
        std::int64_t room = stream->room, sent = 0;
        constexpr std::int64_t tooMuch = 256ll << 20;
        const std::string piece(streamPiece, 'q');
        while (sent < tooMuch) {
            if (room >= std::int64_t(piece.size())) {
                say(stream->id, bytes(piece));
                room -= std::int64_t(piece.size());
                sent += std::int64_t(piece.size());
                continue;
            }
            QVERIFY(answers()); // all that it has written by now was told
            const auto more = m_fixture.agent->wait(
                [&](const Envelope &e) {
                    const Credit *credit = std::get_if<Credit>(&e.message);
                    return credit && credit->follow == stream->id;
                },
                0);
            if (!more) {
                break;
            }
            room += std::get<Credit>(more->message).bytes;
        }
        QVERIFY2(sent < tooMuch, "there is always more credit");
        QVERIFY(room < std::int64_t(piece.size()));
        // Once it reads, the rest comes, whole.
        const std::string got = server.read(std::size_t(sent));
        QCOMPARE(got.size(), std::size_t(sent));
        QVERIFY(got.find_first_not_of('q') == std::string::npos);
        // A client that does not keep to its credit loses the connection, and the program sees that it was no end.
        const auto second = open(server.port());
        QVERIFY(second && server.accept());
        for (std::int64_t over = 0; over <= (second->room << 5); over += std::int64_t(maxPayload)) {
            say(second->id, bytes(std::string(maxPayload, 'x')));
        }
        QCOMPARE(hear(second->id, 1), std::string("!"));
        QCOMPARE(server.read(1u << 30).substr(0, 1), std::string("!"));
        QVERIFY(answers());
    }

    void breaks()
    {
        PlainServer server;
        const auto first = open(server.port());
        QVERIFY(first && server.accept());
        server.closePeer(false);
        QCOMPARE(hear(first->id, 1), std::string("!"));
        const auto second = open(server.port());
        QVERIFY(second && server.accept());
        say(second->id, broken());
        QCOMPARE(server.read(1), std::string("!"));
        QVERIFY(answers());
    }

    // A log comes in its time beside a connection that could take the whole wire.
    void logsAreNotStarved()
    {
        const Launch launch = m_fixture.launchOf("log", "head -c 8000000 /dev/zero");
        QVERIFY(m_fixture.runToEnd(launch));
        PlainServer server;
        const auto stream = open(server.port(), 1ll << 40);
        QVERIFY(stream && server.accept());
        const std::int64_t follow = m_fixture.agent->send(Follow{launch.dir, 0, 0, 0, 0, false});
        m_fixture.agent->send(Credit{follow, 100000000});
        std::size_t log = 0, other = 0;
        bool over = false;
        while (!over) {
            server.writeWhatFits();
            const auto next
                = m_fixture.agent->wait([&](const Envelope &e) { return e.id == follow || e.id == stream->id; });
            QVERIFY(next);
            if (const Chunk *chunk = std::get_if<Chunk>(&next->message)) {
                log += chunk->bytes.size();
                over = chunk->end;
            } else if (const Flow *flow = std::get_if<Flow>(&next->message)) {
                other += flow->bytes.size();
            }
        }
        QVERIFY(log >= 8000000);
        QVERIFY2(other < 4 * log, qPrintable(QString::number(other)));
    }

    // Nothing is left of a thousand connections.
    void manyQuickOnes()
    {
        PlainServer server;
        QVERIFY(answers());
        const qsizetype before = descriptors();
        for (int i = 0; i < 1000; ++i) {
            const auto stream = open(server.port());
            QVERIFY(stream && server.accept());
            if (i % 3 == 0) {
                say(stream->id, broken());
                continue;
            }
            say(stream->id, bytes(std::to_string(i), true));
            QCOMPARE(server.read(9), std::to_string(i));
            QVERIFY(server.write("done"));
            server.closePeer();
            bool ended = false;
            QCOMPARE(hear(stream->id, 9, &ended), std::string("done"));
            QVERIFY(ended);
        }
        QVERIFY(answers());
        QCOMPARE(descriptors(), before);
    }

    // A dial that is given up before it was answered is answered all the same.
    void givenUp()
    {
        PlainServer server;
        const std::int64_t id = m_fixture.agent->send(Dial{server.port(), 1000});
        say(id, broken());
        const auto answer = m_fixture.agent->wait([id](const Envelope &e) {
            return e.id == id && (std::holds_alternative<Done>(e.message) || std::holds_alternative<Dialed>(e.message));
        });
        QVERIFY(answer);
        QVERIFY(answers());
    }
};

TRAINYARD_TEST(TstTcpStreams)
#include "tst_tcpstreams.moc"
