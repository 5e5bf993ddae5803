// SPDX-License-Identifier: GPL-3.0-or-later
// The connection to an agent against a scripted other side: noise, broken frames, cuts, credit.
#include "engine/hosts/agentconnection.h"
#include "engine/hosts/logmirrors.h"
#include "tests/daemon/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QSignalSpy>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

// What is written to it is decoded for the test; say() is the agent's voice.
class FakeTransport : public Transport
{
public:
    explicit FakeTransport(QList<FakeTransport *> *all) : m_all(all) { m_all->append(this); }
    ~FakeTransport() override { m_all->removeAll(this); }
    void start() override { isStarted = true; }
    void write(const char *bytes, qint64 length) override
    {
        reader.feed(std::string_view(bytes, std::size_t(length)));
        while (std::optional<contract::Frame> frame = reader.next()) {
            if (std::optional<contract::Envelope> envelope = contract::decode(*frame, false)) {
                said.push_back(std::move(*envelope));
            }
        }
    }
    qint64 bytesWaiting() const override { return 0; }
    void raw(const QByteArray &bytes) { Q_EMIT received(bytes); }
    void banner() { raw(QByteArray::fromStdString(contract::bannerLine(nonce().toStdString()))); }
    void say(std::int64_t id, contract::Message message)
    {
        raw(QByteArray::fromStdString(contract::encode({id, std::move(message), {}}).value()));
    }
    void end(const QString &code) { Q_EMIT closed(Error{code, {}}); }
    // The newest request of a type.
    template <typename T> std::optional<std::pair<std::int64_t, T>> asked() const
    {
        for (auto it = said.rbegin(); it != said.rend(); ++it) {
            if (const T *message = std::get_if<T>(&it->message)) {
                return std::pair(it->id, *message);
            }
        }
        return std::nullopt;
    }
    template <typename T> int count() const
    {
        return int(std::count_if(said.begin(), said.end(),
            [](const contract::Envelope &envelope) { return std::holds_alternative<T>(envelope.message); }));
    }

    contract::FrameReader reader;
    std::vector<contract::Envelope> said;
    bool isStarted = false;

private:
    QList<FakeTransport *> *m_all;
};

} // namespace

class TstAgentConnection : public QObject
{
    Q_OBJECT
private:
    QList<FakeTransport *> m_transports;
    AgentConnection::Options options()
    {
        AgentConnection::Options options;
        options.makeTransport = [this] { return std::make_unique<FakeTransport>(&m_transports); };
        options.firstPauseMs = 1;
        options.lastPauseMs = 20;
        options.sampleIntervalMs = 0;
        return options;
    }
    void greet(FakeTransport *agent)
    {
        agent->banner();
        QVERIFY(agent->asked<contract::HelloRequest>());
        contract::HelloReply hello;
        hello.host = "far";
        agent->say(agent->asked<contract::HelloRequest>()->first, hello);
        QVERIFY(agent->asked<contract::InventoryRequest>());
        contract::Inventory inventory;
        inventory.cpus = 3;
        agent->say(agent->asked<contract::InventoryRequest>()->first, inventory);
    }

private Q_SLOTS:
    void greetsThroughNoise();
    void answersOnceWhenCut();
    void brokenFramesEndIt();
    void loginIsNotTriedAgainAndAgain();
    void creditFollowsWhatWasTaken();
    void mirrorGoesOnWhereItWas();
};

void TstAgentConnection::greetsThroughNoise()
{
    AgentConnection connection(options());
    connection.start();
    QCOMPARE(connection.state(), HostState::Connecting);
    FakeTransport *agent = m_transports.value(0);
    QVERIFY(agent && agent->isStarted);
    agent->raw("Welcome to far!\nTRAINYARD-AGENT 1 somebody-else\n\x01\x02");
    agent->raw("no newline ");
    QVERIFY(!agent->asked<contract::HelloRequest>());
    agent->raw("\n");
    greet(agent);
    QVERIFY(connection.isOnline());
    QCOMPARE(connection.hello().host, std::string("far"));
    QCOMPARE(connection.inventory().cpus, 3);
}

void TstAgentConnection::answersOnceWhenCut()
{
    AgentConnection connection(options());
    connection.start();
    greet(m_transports.value(0));
    int answers = 0;
    std::string code;
    connection.request(contract::Observe{"/a"}, [&](const contract::Message &answer) {
        ++answers;
        code = std::get<contract::Failure>(answer).code;
    });
    m_transports.value(0)->end(u"host.cut"_s);
    QCOMPARE(answers, 1);
    QCOMPARE(code, std::string("host.gone"));
    QCOMPARE(connection.error().code, u"host.cut"_s);
    connection.request(contract::Observe{"/b"}, [&](const contract::Message &) { ++answers; });
    QCOMPARE(answers, 2);
    // It comes again by itself.
    QTRY_VERIFY(
        m_transports.size() == 1 && m_transports.first()->isStarted && connection.state() == HostState::Connecting);
    greet(m_transports.first());
    QVERIFY(connection.isOnline());
    QCOMPARE(answers, 2);
}

void TstAgentConnection::brokenFramesEndIt()
{
    for (const QByteArray &bad : {QByteArray("\xff\xff\xff\xff\xff\xff\xff\xff", 8),
             QByteArray("\x02\0\0\0\0\0\0\0{}", 10), QByteArray("\x03\0\0\0\0\0\0\0[[[", 11)}) {
        AgentConnection connection(options());
        connection.start();
        greet(m_transports.last());
        QVERIFY(connection.isOnline());
        m_transports.last()->raw(bad);
        QVERIFY(!connection.isOnline());
        QCOMPARE(connection.error().code, u"host.bad-frame"_s);
    }
}

void TstAgentConnection::loginIsNotTriedAgainAndAgain()
{
    AgentConnection::Options slow = options();
    slow.lastPauseMs = 60000;
    AgentConnection connection(slow);
    connection.start();
    m_transports.value(0)->end(u"host.needs-login"_s);
    QCOMPARE(connection.state(), HostState::NeedsLogin);
    QCoreApplication::processEvents(QEventLoop::AllEvents, 50);
    QCOMPARE(connection.state(), HostState::NeedsLogin);
    connection.retryNow();
    QCOMPARE(connection.state(), HostState::Connecting);
}

void TstAgentConnection::creditFollowsWhatWasTaken()
{
    AgentConnection connection(options());
    connection.start();
    FakeTransport *agent = m_transports.value(0);
    greet(agent);
    qint64 taken = 0;
    bool ended = false;
    contract::Follow follow;
    follow.dir = "/try";
    const qint64 id = connection.follow(follow,
        {[&](const contract::Chunk &chunk) {
             taken += qint64(chunk.bytes.size());
             ended = ended || chunk.end;
         },
            [](const contract::Failure &) {}});
    QVERIFY(id > 0);
    contract::Chunk chunk;
    chunk.file = "output.log";
    chunk.bytes = std::string(contract::maxChunk, 'x');
    for (int i = 0; i < 16; ++i) {
        agent->say(id, chunk);
        chunk.offset += contract::maxChunk;
    }
    QCOMPARE(taken, qint64(16 * contract::maxChunk));
    QCOMPARE(agent->count<contract::Credit>(), 4);
    QCOMPARE(agent->asked<contract::Credit>()->second.follow, id);
    contract::Chunk last;
    last.end = true;
    agent->say(id, last);
    QVERIFY(ended);
    agent->say(id, chunk); // nobody listens any more
    QCOMPARE(taken, qint64(16 * contract::maxChunk));
}

void TstAgentConnection::mirrorGoesOnWhereItWas()
{
    QTemporaryDir folder;
    const QString local = folder.filePath(u"try"_s);
    const QUuid uuid = QUuid::createUuid();
    AgentConnection connection(options());
    LogMirrors mirrors(&connection, folder.filePath(u"book"_s));
    QSignalSpy completed(&mirrors, &LogMirrors::completed);
    connect(&connection, &AgentConnection::stateChanged, &mirrors, [&] {
        if (connection.isOnline()) {
            mirrors.resumeAll();
        }
    });
    connection.start();
    greet(m_transports.value(0));
    mirrors.add(uuid, u"/remote/try"_s, local);
    mirrors.add(uuid, u"/remote/try"_s, local);
    QCOMPARE(m_transports.value(0)->count<contract::Follow>(), 1);
    const auto send = [&](const char *name, std::uint64_t offset, const std::string &bytes) {
        FakeTransport *agent = m_transports.last();
        contract::Chunk chunk;
        chunk.file = name;
        chunk.offset = offset;
        chunk.bytes = bytes;
        agent->say(agent->asked<contract::Follow>()->first, chunk);
    };
    send("output.log", 0, "hello ");
    m_transports.value(0)->end(u"host.cut"_s);
    QTRY_VERIFY(m_transports.size() == 1 && connection.state() == HostState::Connecting);
    greet(m_transports.first());
    QCOMPARE(m_transports.first()->asked<contract::Follow>()->second.output, std::uint64_t(6));
    send("output.log", 6, "world\n");
    // A name that is no file of ours stops it: it comes from another computer.
    QVERIFY(!mirrors.isComplete(uuid));
    contract::Chunk last;
    last.end = true;
    FakeTransport *agent = m_transports.first();
    agent->say(agent->asked<contract::Follow>()->first, last);
    contract::Observed observed;
    observed.dir = "/remote/try";
    observed.state = "ended";
    observed.exit.emplace();
    observed.exit->kind = contract::ExitKind::Exited;
    observed.exit->value = 3;
    QVERIFY(!QFile::exists(local + u"/exit"_s));
    agent->say(agent->asked<contract::Observe>()->first, observed);
    QCOMPARE(completed.size(), 1);
    QCOMPARE(EngineFixture::contents(local + u"/output.log"_s), QByteArray("hello world\n"));
    QCOMPARE(contract::readExitRecord(local.toStdString())->value, 3);
    QVERIFY(QDir(folder.filePath(u"book"_s)).isEmpty());
}

TRAINYARD_TEST(TstAgentConnection)
#include "tst_agentconnection.moc"
