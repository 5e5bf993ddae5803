// SPDX-License-Identifier: GPL-3.0-or-later
// The connection to an agent against a scripted other side: noise, broken frames, cuts, credit.
#include "engine/hosts/agentconnection.h"
#include "engine/hosts/logmirrors.h"
#include "engine/pool/hostquestions.h"
#include "engine/series/block.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/faketransport.h"
#include "tests/helpers/testregistry.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QSet>
#include <QSignalSpy>

#include <cerrno>
#include <limits>

using namespace trainyard;
using namespace Qt::StringLiterals;

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
    void askedDuringAnAttempt();
    void creditFollowsWhatWasTaken();
    void mirrorGoesOnWhereItWas();
    void mirrorAsksAgain();
    void mirrorWaitsForWhatIsAway();
    void mirrorCountsShortVisits();
    void mirrorWritesTheEndLater();
    void mirrorHasNoHoles();
    void mirrorLeavesRoomOnTheDisk();
    void mirrorTakesARewrittenFile_data();
    void mirrorTakesARewrittenFile();
    void mirrorLeavesTheMetrics();
    void notesOfMirrorsAreWrittenLater();
    void removalIsAskedForAgain();
    void pushHasItsOwnTime();
    void noTimeRunsWhileAPersonIsAsked();
    void silenceIsFoundOut();
    void pausesStayShortAfterACut();
    void pausesAreSpread();
    void networkEndsThePause();
    void networkAsksNobody();
};

// A host with tasks is found again soon; one that was never there, or is gone for long, is asked less and less.
void TstAgentConnection::pausesStayShortAfterACut()
{
    const auto longestOf = [](std::optional<qint64> sinceCut, int last) {
        int pause = 0;
        for (int i = 0; i < 20; ++i) {
            pause = AgentConnection::nextPauseMs(pause, 1000, last, sinceCut);
        }
        return pause;
    };
    QCOMPARE(AgentConnection::nextPauseMs(0, 1000, 60'000, std::nullopt), 1000);
    QCOMPARE(AgentConnection::nextPauseMs(0, 1000, 60'000, 5), 1000);
    QCOMPARE(AgentConnection::nextPauseMs(1000, 1000, 60'000, 1000), 2000);
    QCOMPARE(longestOf(90'000, 60'000), 10'000);
    QCOMPARE(longestOf(90'000, 2000), 2000); // the setting asks for less
    QCOMPARE(longestOf(600'000, 60'000), 60'000);
    QCOMPARE(longestOf(std::nullopt, 60'000), 60'000);
}

// Never longer than is promised, and never much shorter.
void TstAgentConnection::pausesAreSpread()
{
    QSet<int> pauses;
    for (quint32 dice = 0; dice < 1000; ++dice) {
        const int pause = AgentConnection::spreadPauseMs(10'000, dice);
        QVERIFY2(pause >= 8000 && pause <= 10'000, qPrintable(QString::number(pause)));
        pauses.insert(pause);
    }
    QVERIFY(pauses.size() > 10);
    QCOMPARE(AgentConnection::spreadPauseMs(0, 7), 0);
    QVERIFY(AgentConnection::spreadPauseMs(std::numeric_limits<int>::max(), 20) > 1'700'000'000);
}

// What could not be reached is tried at once when this computer has a network again, and the pauses begin anew.
void TstAgentConnection::networkEndsThePause()
{
    AgentConnection::Options slow = options();
    slow.firstPauseMs = slow.lastPauseMs = 3'600'000;
    AgentConnection connection(slow);
    connection.start();
    for (int i = 0; i < 3; ++i) {
        const FakeTransport *before = m_transports.last();
        m_transports.last()->end(u"host.gone"_s);
        QCOMPARE(connection.state(), HostState::Offline);
        connection.networkCameUp();
        QCOMPARE(connection.state(), HostState::Connecting);
        QVERIFY(m_transports.last() != before && m_transports.last()->isStarted);
    }
    // An attempt that is under way is left alone, and so is a connection.
    const FakeTransport *agent = m_transports.last();
    connection.networkCameUp();
    QCOMPARE(m_transports.last(), agent);
    greet(m_transports.last());
    QCOMPARE(connection.state(), HostState::Online);
    connection.networkCameUp();
    QCOMPARE(connection.state(), HostState::Online);
    QCOMPARE(m_transports.last(), agent);
}

// A wrong password each time that a laptop wakes up would lock the account.
void TstAgentConnection::networkAsksNobody()
{
    AgentConnection::Options slow = options();
    slow.lastPauseMs = 3'600'000;
    for (const auto &[code, state] :
        {std::pair(u"host.needs-login"_s, HostState::NeedsLogin), std::pair(u"host.agent-none"_s, HostState::Failed)}) {
        AgentConnection connection(slow);
        connection.start();
        m_transports.last()->end(code);
        QCOMPARE(connection.state(), state);
        connection.networkCameUp();
        QCOMPARE(connection.state(), state);
    }
}

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
    for (const QString &code : {u"host.needs-login"_s, u"host.needs-login.key"_s, u"host.needs-login.password"_s}) {
        AgentConnection connection(slow);
        connection.start();
        m_transports.last()->end(code);
        QCOMPARE(connection.state(), HostState::NeedsLogin);
        QCoreApplication::processEvents(QEventLoop::AllEvents, 50);
        QCOMPARE(connection.state(), HostState::NeedsLogin);
        connection.retryNow();
        QCOMPARE(connection.state(), HostState::Connecting);
    }
}

// What the user has mended is not in the attempt that was under way: whatever that one says, another one follows soon.
void TstAgentConnection::askedDuringAnAttempt()
{
    AgentConnection::Options slow = options();
    slow.lastPauseMs = 60'000;
    for (const QString &code : {u"host.agent-no-room"_s, u"host.agent-cannot-run"_s}) {
        AgentConnection connection(slow);
        connection.start();
        m_transports.last()->end(code);
        connection.retryNow();
        connection.retryNow();
        m_transports.last()->end(code);
        QVERIFY(connection.state() != HostState::Connecting);
        QTRY_COMPARE(connection.state(), HostState::Connecting);
    }
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
    const auto say = [&](int chunks) {
        for (int i = 0; i < chunks; ++i) {
            agent->say(id, chunk);
            chunk.offset += contract::maxChunk;
        }
    };
    say(3);
    QCOMPARE(agent->count<contract::Credit>(), 0);
    say(1);
    QCOMPARE(agent->count<contract::Credit>(), 1);
    QCOMPARE(agent->asked<contract::Credit>()->second.follow, id);
    // The file is long: from now on four times as much may be on its way.
    QCOMPARE(agent->asked<contract::Credit>()->second.bytes,
        std::int64_t(4 * contract::maxChunk) + 3 * contract::followCredit);
    say(15);
    QCOMPARE(agent->count<contract::Credit>(), 1);
    say(1);
    QCOMPARE(agent->count<contract::Credit>(), 2);
    QCOMPARE(agent->asked<contract::Credit>()->second.bytes, std::int64_t(contract::followCredit));
    QCOMPARE(taken, qint64(20 * contract::maxChunk));
    contract::Chunk last;
    last.end = true;
    agent->say(id, last);
    QVERIFY(ended);
    agent->say(id, chunk); // nobody listens any more
    QCOMPARE(taken, qint64(20 * contract::maxChunk));
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

// An answer that it cannot be done is no cut, and no end either.
void TstAgentConnection::mirrorAsksAgain()
{
    QTemporaryDir folder;
    const QUuid uuid = QUuid::createUuid();
    AgentConnection connection(options());
    LogMirrors mirrors(&connection, folder.filePath(u"book"_s));
    mirrors.setPauses({std::chrono::milliseconds(1), std::chrono::milliseconds(4)});
    QSignalSpy completed(&mirrors, &LogMirrors::completed);
    connection.start();
    FakeTransport *agent = m_transports.value(0);
    greet(agent);
    mirrors.add(uuid, u"/remote/try"_s, folder.filePath(u"try"_s));
    for (int round = 1; round < 6; ++round) {
        QTRY_COMPARE(agent->count<contract::Follow>(), round);
        agent->say(agent->asked<contract::Follow>()->first, contract::Failure{"follow.read", "/remote/try", EIO});
        QCOMPARE(completed.size(), 0);
        QVERIFY(!mirrors.isComplete(uuid));
    }
    QTRY_COMPARE(agent->count<contract::Follow>(), 6);
    contract::Chunk last;
    last.end = true;
    agent->say(agent->asked<contract::Follow>()->first, last);
    // Nor is one about its end.
    QTRY_COMPARE(agent->count<contract::Observe>(), 1);
    agent->say(agent->asked<contract::Observe>()->first, contract::Failure{"observe.failed", "/remote/try", EIO});
    QTRY_COMPARE(agent->count<contract::Follow>(), 7);
    QCOMPARE(completed.size(), 0);
    // Nor is an end of the output of a task that is said to go on.
    agent->say(agent->asked<contract::Follow>()->first, last);
    QTRY_COMPARE(agent->count<contract::Observe>(), 2);
    contract::Observed running;
    running.dir = "/remote/try";
    running.state = "running";
    agent->say(agent->asked<contract::Observe>()->first, running);
    QTRY_COMPARE(agent->count<contract::Follow>(), 8);
    QCOMPARE(completed.size(), 0);
    QVERIFY(!mirrors.isComplete(uuid));
    // Where its folder is gone there is nothing more to come.
    agent->say(agent->asked<contract::Follow>()->first, contract::Failure{"follow.unknown", "/remote/try", ENOENT});
    QCOMPARE(completed.size(), 1);
    QVERIFY(mirrors.isComplete(uuid));
}

// The folder of the engine is not there, as when a home is not mounted: that is no end, unless it stays so.
void TstAgentConnection::mirrorWaitsForWhatIsAway()
{
    QTemporaryDir folder;
    const QUuid uuid = QUuid::createUuid();
    AgentConnection connection(options());
    LogMirrors mirrors(&connection, folder.filePath(u"book"_s));
    LogMirrors::Pauses pauses{std::chrono::milliseconds(1), std::chrono::milliseconds(4)};
    mirrors.setPauses(pauses);
    QSignalSpy completed(&mirrors, &LogMirrors::completed);
    connection.start();
    FakeTransport *agent = m_transports.value(0);
    greet(agent);
    mirrors.add(uuid, u"/remote/try"_s, folder.filePath(u"try"_s));
    const contract::Failure away{"follow.away", "/remote/try", ENOENT};
    for (int round = 1; round < 4; ++round) {
        QTRY_COMPARE(agent->count<contract::Follow>(), round);
        agent->say(agent->asked<contract::Follow>()->first, away);
        QVERIFY(!mirrors.isComplete(uuid));
    }
    QTRY_COMPARE(agent->count<contract::Follow>(), 4);
    pauses.away = std::chrono::milliseconds(0);
    mirrors.setPauses(pauses);
    agent->say(agent->asked<contract::Follow>()->first, away);
    QCOMPARE(completed.size(), 1);
}

// A host that says so in one short visit after the other is not waited for any longer than one that stays.
void TstAgentConnection::mirrorCountsShortVisits()
{
    QTemporaryDir folder;
    const QUuid uuid = QUuid::createUuid();
    AgentConnection connection(options());
    LogMirrors mirrors(&connection, folder.filePath(u"book"_s));
    LogMirrors::Pauses pauses{std::chrono::milliseconds(20), std::chrono::milliseconds(20)};
    pauses.away = std::chrono::milliseconds(60);
    mirrors.setPauses(pauses);
    connect(&connection, &AgentConnection::stateChanged, &mirrors, [&] {
        if (connection.isOnline()) {
            mirrors.resumeAll();
        }
    });
    connection.start();
    const contract::Failure away{"follow.away", "/remote/try", ENOENT};
    int visits = 0;
    while (!mirrors.isComplete(uuid) || visits == 0) {
        QVERIFY(visits < 1000);
        QTRY_VERIFY(m_transports.size() == 1 && connection.state() == HostState::Connecting);
        FakeTransport *agent = m_transports.first();
        greet(agent);
        if (visits++ == 0) {
            mirrors.add(uuid, u"/remote/try"_s, folder.filePath(u"try"_s));
        }
        QTRY_VERIFY(agent->count<contract::Follow>() > 0);
        agent->say(agent->asked<contract::Follow>()->first, away);
        agent->end(u"host.cut"_s);
    }
    QVERIFY(visits > 1);
}

// As on a disk that is full: its log is not complete before the record of its end is there.
void TstAgentConnection::mirrorWritesTheEndLater()
{
    QTemporaryDir folder;
    const QUuid uuid = QUuid::createUuid();
    const QString local = folder.filePath(u"try"_s), inTheWay = local + u"/exit"_s;
    AgentConnection connection(options());
    LogMirrors mirrors(&connection, folder.filePath(u"book"_s));
    mirrors.setPauses({std::chrono::milliseconds(1), std::chrono::milliseconds(4)});
    QSignalSpy completed(&mirrors, &LogMirrors::completed);
    connection.start();
    FakeTransport *agent = m_transports.value(0);
    greet(agent);
    mirrors.add(uuid, u"/remote/try"_s, local);
    QVERIFY(QDir().mkdir(inTheWay));
    contract::Chunk last;
    last.end = true;
    contract::Observed observed;
    observed.dir = "/remote/try";
    observed.state = "ended";
    observed.exit.emplace();
    for (int round = 1; round < 3; ++round) {
        QTRY_COMPARE(agent->count<contract::Follow>(), round);
        agent->say(agent->asked<contract::Follow>()->first, last);
        QTRY_COMPARE(agent->count<contract::Observe>(), round);
        agent->say(agent->asked<contract::Observe>()->first, observed);
        QCOMPARE(completed.size(), 0);
        QVERIFY(!mirrors.isComplete(uuid));
    }
    QVERIFY(QDir().rmdir(inTheWay));
    QTRY_COMPARE(agent->count<contract::Follow>(), 3);
    agent->say(agent->asked<contract::Follow>()->first, last);
    QTRY_COMPARE(agent->count<contract::Observe>(), 3);
    agent->say(agent->asked<contract::Observe>()->first, observed);
    QCOMPARE(completed.size(), 1);
    QVERIFY(contract::readExitRecord(local.toStdString()));
}

void TstAgentConnection::mirrorTakesARewrittenFile_data()
{
    QTest::addColumn<std::string>("file");
    QTest::newRow("figures") << std::string(contract::file::figures);
    QTest::newRow("metrics") << std::string(contract::file::metrics);
}

// The old copy stays until the new one is whole, whatever comes in between.
void TstAgentConnection::mirrorTakesARewrittenFile()
{
    QFETCH(std::string, file);
    QTemporaryDir folder;
    const QString copy = folder.filePath(u"try/"_s + QString::fromStdString(file));
    AgentConnection connection(options());
    LogMirrors mirrors(&connection, folder.filePath(u"book"_s));
    connect(&connection, &AgentConnection::stateChanged, &mirrors, [&] {
        if (connection.isOnline()) {
            mirrors.resumeAll();
        }
    });
    connection.start();
    greet(m_transports.value(0));
    mirrors.add(QUuid::createUuid(), u"/remote/try"_s, folder.filePath(u"try"_s));
    const auto send = [&](std::uint64_t offset, const std::string &bytes, std::uint64_t replaces) {
        FakeTransport *agent = m_transports.last();
        contract::Chunk chunk;
        chunk.file = file;
        chunk.offset = offset;
        chunk.bytes = bytes;
        chunk.replaces = replaces;
        agent->say(agent->asked<contract::Follow>()->first, chunk);
    };
    const auto text = [&] {
        QFile in(copy);
        return in.open(QIODevice::ReadOnly) ? in.readAll().toStdString() : std::string();
    };
    const bool isOfMetrics = file == contract::file::metrics;
    const auto asked = [&]() -> std::pair<std::uint64_t, std::uint64_t> { // how much of which generation is here
        const contract::Follow follow = m_transports.last()->asked<contract::Follow>()->second;
        return isOfMetrics ? std::pair(follow.metrics, follow.metricsGeneration)
                           : std::pair(follow.figures, follow.figuresGeneration);
    };
    QCOMPARE(asked().second, std::uint64_t(0));
    const std::string old = series::encodeFileHeader(7) + "old", fresh = series::encodeFileHeader(8) + "fresh";
    send(0, old, 0);
    QCOMPARE(text(), old);
    send(0, fresh.substr(0, 10), fresh.size());
    send(10, fresh.substr(10, 5), fresh.size());
    QCOMPARE(text(), old);
    // After a cut it begins again: of which generation the copy is tells the agent that.
    m_transports.last()->end(u"host.cut"_s);
    QTRY_VERIFY(m_transports.size() == 1 && connection.state() == HostState::Connecting);
    greet(m_transports.first());
    QCOMPARE(asked().first, std::uint64_t(old.size()));
    QCOMPARE(asked().second, std::uint64_t(7));
    send(0, fresh.substr(0, 20), fresh.size());
    QCOMPARE(text(), old);
    send(20, fresh.substr(20), fresh.size());
    QCOMPARE(text(), fresh);
    QVERIFY(!QFile::exists(copy + ".next"_L1));
    send(fresh.size(), "more", 0);
    QCOMPARE(text(), fresh + "more");
    // One that was never whole does not stay when nothing more comes.
    send(0, old.substr(0, 5), old.size());
    QVERIFY(QFile::exists(copy + ".next"_L1));
    m_transports.last()->say(m_transports.last()->asked<contract::Follow>()->first,
        contract::Failure{"follow.unknown", "/remote/try", ENOENT});
    QCOMPARE(mirrors.pending(), 0);
    QVERIFY(!QFile::exists(copy + ".next"_L1));
    QCOMPARE(text(), fresh + "more");
}

// A host that lies cannot make a file here that seems to be of any size.
void TstAgentConnection::mirrorHasNoHoles()
{
    QTemporaryDir folder;
    AgentConnection connection(options());
    LogMirrors mirrors(&connection, folder.filePath(u"book"_s));
    QSignalSpy grew(&mirrors, &LogMirrors::grew);
    connection.start();
    FakeTransport *agent = m_transports.value(0);
    greet(agent);
    mirrors.add(QUuid::createUuid(), u"/remote/try"_s, folder.filePath(u"try"_s));
    QVERIFY(!agent->asked<contract::Follow>()->second.cancel);
    contract::Chunk chunk;
    chunk.file = "output.log";
    chunk.bytes = "hello";
    agent->say(agent->asked<contract::Follow>()->first, chunk);
    QCOMPARE(grew.size(), 1);
    chunk.offset = std::uint64_t(1) << 40;
    agent->say(agent->asked<contract::Follow>()->first, chunk);
    QVERIFY(agent->asked<contract::Follow>()->second.cancel);
    QCOMPARE(grew.size(), 1);
    QCOMPARE(QFileInfo(folder.filePath(u"try/output.log"_s)).size(), 5);
}

// A log without end must not fill this disk. All of it stays on the host, and comes when there is room.
void TstAgentConnection::mirrorLeavesRoomOnTheDisk()
{
    constexpr qint64 mib = 1 << 20, everything = std::numeric_limits<qint64>::max() / 4;
    QCOMPARE(copyReserveBytes(1024, 1024 * 1024 * mib), 512 * mib);
    QCOMPARE(copyReserveBytes(1024, 4000 * mib), 100 * mib); // of a small disk
    QCOMPARE(copyReserveBytes(0, 4000 * mib), 0);
    QTemporaryDir folder;
    const QUuid uuid = QUuid::createUuid();
    const QString log = folder.filePath(u"try/output.log"_s);
    AgentConnection connection(options());
    LogMirrors mirrors(&connection, folder.filePath(u"book"_s));
    qint64 reserve = 0;
    int looks = 0;
    mirrors.setReserve([&](qint64) {
        ++looks;
        return reserve;
    });
    mirrors.setPauses({std::chrono::milliseconds(1), std::chrono::milliseconds(4), std::chrono::milliseconds(1)});
    QSignalSpy room(&mirrors, &LogMirrors::roomChanged), completed(&mirrors, &LogMirrors::completed);
    connection.start();
    FakeTransport *agent = m_transports.value(0);
    greet(agent);
    mirrors.add(uuid, u"/remote/try"_s, folder.filePath(u"try"_s));
    const auto send = [&](std::uint64_t offset, const std::string &bytes) {
        contract::Chunk chunk;
        chunk.file = "output.log";
        chunk.offset = offset;
        chunk.bytes = bytes;
        agent->say(agent->asked<contract::Follow>()->first, chunk);
    };
    send(0, "hello ");
    reserve = everything;
    send(6, "world\n");
    QVERIFY(mirrors.lacksRoom(uuid));
    QCOMPARE(room.size(), 1);
    QVERIFY(agent->asked<contract::Follow>()->second.cancel);
    QCOMPARE(EngineFixture::contents(log), QByteArray("hello "));
    // The host is not asked again and again meanwhile, not even when it was away.
    const int asked = agent->count<contract::Follow>();
    mirrors.resumeAll();
    looks = 0;
    QTRY_VERIFY(looks >= 5);
    QCOMPARE(agent->count<contract::Follow>(), asked);
    QVERIFY(!mirrors.isComplete(uuid) && completed.isEmpty());
    reserve = 0;
    QTRY_COMPARE(agent->count<contract::Follow>(), asked + 1);
    QCOMPARE(agent->asked<contract::Follow>()->second.output, std::uint64_t(6));
    send(6, "world\n");
    QVERIFY(!mirrors.lacksRoom(uuid));
    QCOMPARE(room.size(), 2);
    QCOMPARE(EngineFixture::contents(log), QByteArray("hello world\n"));
}

// An agent that has not launched the task does not know what to hide in the rest of its metrics, nor does a mirror.
void TstAgentConnection::mirrorLeavesTheMetrics()
{
    QTemporaryDir folder;
    AgentConnection connection(options());
    LogMirrors mirrors(&connection, folder.filePath(u"book"_s));
    connection.start();
    FakeTransport *agent = m_transports.value(0);
    greet(agent);
    mirrors.add(QUuid::createUuid(), u"/remote/try"_s, folder.filePath(u"try"_s));
    contract::Chunk last;
    last.end = true;
    QCOMPARE(agent->count<contract::Follow>(), 1);
    agent->say(agent->asked<contract::Follow>()->first, last);
    QCOMPARE(agent->count<contract::Observe>(), 1);
    QVERIFY(agent->asked<contract::Observe>()->second.leavesMetrics);
}

// A full disk, as something in the way is here: what could not be noted would be forgotten at the next start.
void TstAgentConnection::notesOfMirrorsAreWrittenLater()
{
    QTemporaryDir folder;
    const QString book = folder.filePath(u"book"_s);
    AgentConnection connection(options());
    LogMirrors mirrors(&connection, book);
    mirrors.setPauses({std::chrono::milliseconds(1), std::chrono::milliseconds(4)});
    const QUuid uuid = QUuid::createUuid();
    const QString note = book + u'/' + uuid.toString(QUuid::WithoutBraces);
    const QString removal = book + u"/removal-"_s
        + QString::fromLatin1(QCryptographicHash::hash("remote/x/job", QCryptographicHash::Sha1).toHex());
    QVERIFY(QDir().mkpath(note) && QDir().mkpath(removal));
    mirrors.add(uuid, u"/remote/try"_s, folder.filePath(u"try"_s));
    mirrors.removeRemote(u"remote/x/job"_s);
    QVERIFY(QDir().rmdir(note));
    QTRY_VERIFY(QFileInfo(note).isFile());
    // What is to be removed is asked for all the same.
    connection.start();
    FakeTransport *agent = m_transports.value(0);
    greet(agent);
    mirrors.resumeAll();
    QCOMPARE(agent->count<contract::Remove>(), 1);
    QVERIFY(QDir().rmdir(removal));
    QTRY_VERIFY(QFileInfo(removal).isFile());
    agent->say(agent->asked<contract::Remove>()->first, contract::Done{});
    QVERIFY(!QFileInfo::exists(removal));
}

void TstAgentConnection::removalIsAskedForAgain()
{
    QTemporaryDir folder;
    const QString book = folder.filePath(u"book"_s);
    AgentConnection connection(options());
    LogMirrors mirrors(&connection, book);
    mirrors.setPauses({std::chrono::milliseconds(1), std::chrono::milliseconds(4)});
    connection.start();
    FakeTransport *agent = m_transports.value(0);
    greet(agent);
    mirrors.removeRemote(u"remote/x/job"_s);
    for (int round = 1; round < 4; ++round) {
        QTRY_COMPARE(agent->count<contract::Remove>(), round);
        agent->say(agent->asked<contract::Remove>()->first, contract::Failure{"remove.failed", "job", EBUSY});
        QCOMPARE(QDir(book).entryList(QDir::Files).size(), 1); // also another engine would know
    }
    QTRY_COMPARE(agent->count<contract::Remove>(), 4);
    mirrors.resumeAll(); // it is being asked for
    QCOMPARE(agent->count<contract::Remove>(), 4);
    agent->say(agent->asked<contract::Remove>()->first, contract::Done{});
    QCOMPARE(QDir(book).entryList(QDir::Files).size(), 0);
    // A note without a word, as a power cut may leave it, asks for nothing.
    {
        QFile empty(book + u"/removal-0"_s);
        QVERIFY(empty.open(QIODevice::WriteOnly));
    }
    mirrors.resumeAll();
    QCOMPARE(agent->count<contract::Remove>(), 4);
    QCOMPARE(QDir(book).entryList(QDir::Files).size(), 0);
    // No folder of ours: that does not change.
    mirrors.removeRemote(u"remote/x/other"_s);
    QTRY_COMPARE(agent->count<contract::Remove>(), 5);
    agent->say(agent->asked<contract::Remove>()->first, contract::Failure{"remove.failed", "other", EPERM});
    QCOMPARE(QDir(book).entryList(QDir::Files).size(), 0);
}

// The greeting's time does not run while the agent is brought there, as long as that makes progress.
void TstAgentConnection::pushHasItsOwnTime()
{
    AgentConnection::Options impatient = options();
    impatient.greetingPatience = std::chrono::milliseconds(1);
    impatient.lastPauseMs = 60000;
    impatient.firstPauseMs = 60000;
    AgentConnection connection(impatient);
    connection.start();
    Q_EMIT m_transports.value(0)->preparing(std::chrono::minutes(1));
    AgentConnection other(impatient); // has begun later, and brings nothing there
    other.start();
    QTRY_COMPARE(other.state(), HostState::Offline);
    QCOMPARE(connection.state(), HostState::Connecting);
    Q_EMIT m_transports.value(0)->preparing(std::chrono::milliseconds(1));
    QTRY_COMPARE(connection.state(), HostState::Offline);
    QCOMPARE(connection.error().code, u"host.no-answer"_s);
}

// ssh asks twice at the same moment, as for two keys, and one of the questions is answered.
void TstAgentConnection::noTimeRunsWhileAPersonIsAsked()
{
    AgentConnection::Options impatient = options();
    impatient.greetingPatience = std::chrono::milliseconds(1);
    impatient.lastPauseMs = 60000;
    impatient.firstPauseMs = 60000;
    PoolHost host;
    host.id = host.target = u"far"_s;
    host.agent = std::make_unique<AgentConnection>(impatient);
    HostQuestions questions([&host](const QString &) { return &host; });
    questions.setCanAsk(true);
    SshTransport ssh({});
    questions.watch(&ssh, host.id);
    host.agent->start();
    Q_EMIT ssh.asked(1, u"Enter PIN for one key"_s, u"pin"_s);
    Q_EMIT ssh.asked(2, u"Enter PIN for another key"_s, u"pin"_s);
    QCOMPARE(questions.all().size(), 2);
    QVERIFY(questions.answer(questions.all().first().id, u"4711"_s));
    AgentConnection other(impatient); // has begun later, and nobody is asked for it
    other.start();
    QTRY_COMPARE(other.state(), HostState::Offline);
    QCOMPARE(host.agent->state(), HostState::Connecting);
    Q_EMIT ssh.askedNoMore(2);
    QTRY_COMPARE(host.agent->state(), HostState::Offline);
}

void TstAgentConnection::silenceIsFoundOut()
{
    AgentConnection::Options watched = options();
    watched.lifePatience = std::chrono::milliseconds(500);
    watched.firstPauseMs = 60000;
    watched.lastPauseMs = 60000;
    AgentConnection connection(watched);
    connection.start();
    FakeTransport *agent = m_transports.value(0);
    greet(agent);
    std::string code;
    connection.request(contract::Observe{"/a"}, [&](const contract::Message &answer) {
        if (const auto *failure = std::get_if<contract::Failure>(&answer)) {
            code = failure->code;
        }
    });
    // A sign of life is enough, however long the answer takes.
    for (int round = 1; round < 4; ++round) {
        QTRY_COMPARE(agent->count<contract::Ports>(), round);
        agent->say(agent->asked<contract::Ports>()->first, contract::PortsReply{});
        QVERIFY(connection.isOnline());
    }
    QTRY_COMPARE(connection.state(), HostState::Offline);
    QCOMPARE(connection.error().code, u"host.not-answering"_s);
    QVERIFY(connection.error().args.value(u"since"_s).toInteger() > 0);
    QCOMPARE(code, std::string("host.gone"));
}

TRAINYARD_TEST(TstAgentConnection)
#include "tst_agentconnection.moc"
