// SPDX-License-Identifier: GPL-3.0-or-later
// TCP connections through an agent that does not keep to what was agreed.
#include "engine/hosts/hoststreams.h"
#include "tests/helpers/faketransport.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <limits>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstHostStreams : public QObject
{
    Q_OBJECT

    // A connection that the test is the agent of, and one stream over it.
    struct Line {
        Line()
        {
            AgentConnection::Options options;
            options.makeTransport = [this] { return std::make_unique<FakeTransport>(&transports); };
            options.sampleIntervalMs = 0;
            connection = std::make_unique<AgentConnection>(options);
            streams = std::make_unique<HostStreams>(connection.get());
            connection->start();
            agent().banner();
            if (const auto hello = agent().asked<contract::HelloRequest>()) {
                agent().say(hello->first, contract::HelloReply());
            }
            if (const auto inventory = agent().asked<contract::InventoryRequest>()) {
                agent().say(inventory->first, contract::Inventory());
            }
            HostStreams::User user;
            user.opened = [this] { told += "opened "; };
            user.received = [this](const std::string &bytes) { received += qint64(bytes.size()); };
            user.ended = [this] { told += "ended "; };
            user.broken = [this](const contract::Failure &why) { told += "broken:" + why.code + ' '; };
            user.roomMade = [this] { told += "room "; };
            id = streams->open(8888, std::move(user));
        }
        FakeTransport &agent() { return *transports.first(); }
        void flow(const std::string &bytes, bool end = false) { flow(id, bytes, end); }
        void flow(qint64 stream, const std::string &bytes, bool end = false)
        {
            contract::Flow flow;
            flow.bytes = bytes;
            flow.end = end;
            agent().say(stream, flow);
        }
        // The agent was told that the stream is over.
        bool isBrokenOff()
        {
            const auto flow = agent().asked<contract::Flow>();
            return flow && flow->first == id && flow->second.broken;
        }

        QList<FakeTransport *> transports;
        std::unique_ptr<AgentConnection> connection;
        std::unique_ptr<HostStreams> streams;
        qint64 id = 0;
        qint64 received = 0;
        std::string told; // in its order
    };
    static constexpr qint64 piece = qint64(contract::streamPiece);

private Q_SLOTS:
    void moreThanItsCredit();
    void anotherId();
    void bytesBeforeItIsOpen();
    void bytesAfterItsEnd();
    void creditWithoutBounds();
    void creditBelowNothing();
};

void TstHostStreams::moreThanItsCredit()
{
    Line line;
    const auto dial = line.agent().asked<contract::Dial>();
    QVERIFY(line.id != 0 && dial && dial->first == line.id);
    QCOMPARE(dial->second.port, 8888);
    const qint64 credit = dial->second.credit;
    QVERIFY(credit > 0 && credit % piece == 0);
    line.agent().say(line.id, contract::Dialed{1000});
    for (qint64 sent = 0; sent < credit; sent += piece) {
        line.flow(std::string(std::size_t(piece), 'x'));
    }
    QCOMPARE(line.received, credit);
    QCOMPARE(line.told, std::string("opened "));
    line.flow("x");
    QCOMPARE(line.received, credit);
    QCOMPARE(line.told, std::string("opened broken:stream.broken "));
    QVERIFY(line.isBrokenOff());
    QCOMPARE(line.streams->count(), 0);
    line.flow("x");
    QCOMPARE(line.received, credit);
    QVERIFY(line.connection->isOnline()); // the others go on
}

void TstHostStreams::anotherId()
{
    Line line;
    line.agent().say(line.id, contract::Dialed{1000});
    for (const qint64 other : {qint64(0), line.id + 1, line.id + 1000, qint64(-1)}) {
        line.flow(other, "x", true);
        line.agent().say(other, contract::Dialed{1000});
        line.agent().say(other, contract::Credit{other, 1000});
    }
    QCOMPARE(line.received, 0);
    QCOMPARE(line.told, std::string("opened "));
    QCOMPARE(line.streams->count(), 1);
    QCOMPARE(line.streams->room(line.id), 1000);
    line.flow("x", true);
    QCOMPARE(line.received, 1);
    QCOMPARE(line.told, std::string("opened ended "));
}

void TstHostStreams::bytesBeforeItIsOpen()
{
    Line line;
    line.flow("x");
    QCOMPARE(line.received, 0);
    QCOMPARE(line.told, std::string("broken:stream.broken "));
    QVERIFY(line.isBrokenOff());
    line.agent().say(line.id, contract::Dialed{1000});
    QCOMPARE(line.told, std::string("broken:stream.broken "));
    QCOMPARE(line.streams->count(), 0);
}

void TstHostStreams::bytesAfterItsEnd()
{
    Line line;
    line.agent().say(line.id, contract::Dialed{1000});
    line.flow("x", true);
    line.flow("y");
    QCOMPARE(line.received, 1);
    QCOMPARE(line.told, std::string("opened ended broken:stream.broken "));
    QVERIFY(line.isBrokenOff());
}

void TstHostStreams::creditWithoutBounds()
{
    Line line;
    constexpr qint64 all = std::numeric_limits<qint64>::max();
    line.agent().say(line.id, contract::Dialed{all});
    QCOMPARE(line.streams->room(line.id), piece);
    for (int i = 0; i < 3; ++i) {
        line.agent().say(line.id, contract::Credit{line.id, all});
        QCOMPARE(line.streams->room(line.id), piece);
    }
    line.streams->send(line.id, std::string(std::size_t(piece), 'x'));
    QCOMPARE(line.streams->room(line.id), piece);
}

void TstHostStreams::creditBelowNothing()
{
    Line line;
    line.agent().say(line.id, contract::Dialed{-5});
    QCOMPARE(line.streams->room(line.id), 0);
    line.agent().say(line.id, contract::Credit{line.id, 100});
    line.agent().say(line.id, contract::Credit{line.id, -50});
    line.agent().say(line.id, contract::Credit{line.id, std::numeric_limits<qint64>::min()});
    QCOMPARE(line.streams->room(line.id), 100);
}

TRAINYARD_TEST(TstHostStreams)
#include "tst_hoststreams.moc"
