// SPDX-License-Identifier: GPL-3.0-or-later
// Ports of tasks on a host behind a real sshd, forwarded to this computer through the engine.
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QRandomGenerator>
#include <QTcpServer>
#include <QTcpSocket>

#include <sys/socket.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

// A program with several ways to behave; the first line that it is sent says which.
const QByteArray servingProgram = R"PY(
import os, signal, socket, sys, threading, time
flooded = []
def serve(peer):
    try:
        stream = peer.makefile('rb')
        word = stream.readline().split()
        if word and word[0] == b'GET':
            while stream.readline().strip():
                pass
            path = word[1].decode().lstrip('/')
            if path == 'flooded':
                peer.sendall(b'HTTP/1.0 200 OK\r\n\r\n%d' % sum(flooded))
                return
            peer.sendall(b'HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n' % os.path.getsize(path))
            with open(path, 'rb') as f:
                peer.sendfile(f)
        elif word == [b'echo']:
            while data := stream.read1(65536):
                peer.sendall(data)
            peer.sendall(b'bye')
        elif word == [b'flood']:
            mine = len(flooded)
            flooded.append(0)
            while True:
                flooded[mine] += peer.send(b'f' * 65536)
        elif word == [b'sink']:
            time.sleep(600)
        elif word == [b'hold']:
            peer.sendall(b'held\n')
            stream.read()
    except OSError:
        pass
    finally:
        peer.close()
server = socket.create_server((sys.argv[1], int(sys.argv[2])), backlog=1024)
print('Serving at http://%s:%s/' % (sys.argv[1], sys.argv[2]), flush=True)
while True:
    threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
)PY";

constexpr qint64 largeBytes = 200'000'000;

int unusedPort()
{
    QTcpServer server;
    return server.listen(QHostAddress::LocalHost) ? server.serverPort() : 0;
}

} // namespace

class TstForwards : public QObject
{
    Q_OBJECT

    std::unique_ptr<SshHosts> m_hosts;
    std::unique_ptr<EngineFixture> m_fixture;
    QString m_job;
    int m_port = 0; // on the host

    Engine &engine() { return m_fixture->engine(); }
    bool isOnline() { return engine().hosts().last().state == HostState::Online; }
    Result<api::TaskPort> forward(int port, int local = 0)
    {
        return engine().forwardPort({m_job, u"main"_s, 0, port, local});
    }
    // A forward of the program's port.
    int localPort()
    {
        const Result<api::TaskPort> port = forward(m_port);
        return port ? port->localPort : 0;
    }
    std::unique_ptr<QTcpSocket> connectTo(int port)
    {
        auto socket = std::make_unique<QTcpSocket>();
        socket->connectToHost(QHostAddress::LocalHost, quint16(port));
        return socket;
    }
    // What comes until the end, or until the socket breaks.
    QByteArray readAll(QTcpSocket &socket, int ms = 20000)
    {
        const bool isOver = QTest::qWaitFor([&] { return socket.state() == QAbstractSocket::UnconnectedState; }, ms);
        return isOver ? socket.readAll() : QByteArray("?");
    }
    QByteArray get(int port, const QByteArray &path, int ms = 20000)
    {
        const std::unique_ptr<QTcpSocket> socket = connectTo(port);
        socket->write("GET /" + path + " HTTP/1.0\r\nHost: localhost\r\n\r\n");
        return readAll(*socket, ms);
    }
    QString startProgram(const QByteArray &address, int port)
    {
        SubmitRequest request;
        request.target = u"far"_s;
        const QByteArray program = QFile::encodeName(m_fixture->path(u"serve.py"_s)); // these hosts share the disk
        return m_fixture->submit(EngineFixture::document("serves",
                                     EngineFixture::role("main", 1,
                                         {"cd " + QFile::encodeName(m_fixture->path(u"served"_s)),
                                             "python3 " + program + ' ' + address + ' ' + QByteArray::number(port)}),
                                     "jobRetryCount: 0\n"),
            request);
    }
    bool waitForProgram(const QString &job)
    {
        return QTest::qWaitFor([&] { return m_fixture->output(job, u"main"_s, 0).contains("Serving at"); }, 20000);
    }

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void isOfferedWhileItRuns();
    void bringsALargeFile();
    void listensHereAlone();
    void localPortMayBeTaken();
    void halfClosedGoesOn();
    void manyAtOnce();
    void waitsForOtherForwards();
    void manyQuickOnes();
    void nobodyReads();
    void nobodyListens();
    void outlivesACut();
    void addressesOfTheHost();
    void onThisComputer();
    void endsWithItsTask();
};

void TstForwards::initTestCase()
{
    m_hosts = std::make_unique<SshHosts>(1);
    SKIP_UNLESS_THERE(*m_hosts);
    qputenv("TRAINYARD_SSH_CONFIG", m_hosts->configFile().toUtf8());
    m_fixture = std::make_unique<EngineFixture>(QJsonObject{
        {u"ssh.aliveIntervalSeconds"_s, 1}, {u"ssh.connectTimeoutSeconds"_s, 2}, {u"ssh.retryLastSeconds"_s, 1}});
    QVERIFY(m_fixture->open());
    QVERIFY(engine().addHost(m_hosts->name(0), u"far"_s));
    QVERIFY(QTest::qWaitFor([this] { return isOnline(); }, 30000));
    QFile program(m_fixture->path(u"serve.py"_s));
    QVERIFY(program.open(QIODevice::WriteOnly) && program.write(servingProgram) > 0);
    program.close();
    QVERIFY(QDir().mkpath(m_fixture->path(u"served"_s)));
    QFile small(m_fixture->path(u"served/small"_s));
    QVERIFY(small.open(QIODevice::WriteOnly) && small.write("hello\n") > 0);
    small.close();
    m_port = unusedPort(); // free on the host as well, whose network is its own
    m_job = startProgram("127.0.0.1", m_port);
    QVERIFY2(!m_job.isEmpty(), qPrintable(m_fixture->error().code));
    QVERIFY(waitForProgram(m_job));
}

void TstForwards::cleanupTestCase()
{
    m_fixture.reset();
    m_hosts.reset();
    qunsetenv("TRAINYARD_SSH_CONFIG");
}

void TstForwards::init()
{
    QVERIFY(QTest::qWaitFor([this] { return isOnline(); }, 30000));
}

void TstForwards::isOfferedWhileItRuns()
{
    QVERIFY(engine().ports({m_job, {}, 0})->isEmpty()); // the job has none
    const Result<api::TaskPort> port = forward(m_port);
    QVERIFY2(port, port ? "" : qPrintable(port.error().code));
    QCOMPARE(port->localPort, m_port); // which is free here
    QVERIFY(!port->isHere);
    QCOMPARE(port->host, u"far"_s);
    QVERIFY(get(port->localPort, "small").endsWith("\r\n\r\nhello\n"));
    QCOMPARE(forward(m_port)->localPort, port->localPort); // it is the same one
    const QList<api::TaskPort> listed = engine().ports({m_job, u"main"_s, 0}).value();
    QCOMPARE(listed.size(), 1);
    QCOMPARE(listed.first().localPort, m_port);
    QCOMPARE(engine().ports({m_job, u"other"_s, 0})->size(), 0);
    QTRY_COMPARE(engine().ports({m_job, {}, 0})->first().connections, 0);
    QCOMPARE(engine().ports({u"nobody"_s, {}, 0}).error().code, u"job.unknown"_s);
    QCOMPARE(engine().forwardPort({m_job, u"main"_s, 7, m_port, 0}).error().code, u"forward.not-running"_s);
    for (const int wrong : {0, -1, 65536}) {
        QCOMPARE(forward(wrong).error().code, u"forward.bad-port"_s);
        QCOMPARE(forward(m_port, wrong == 0 ? 70000 : wrong).error().code, u"forward.bad-port"_s);
    }
    QVERIFY(engine().stopForward({m_job, u"main"_s, 0, m_port}).value());
    QVERIFY(!engine().stopForward({m_job, {}, 0, 0}).value());
    QVERIFY(engine().ports({m_job, {}, 0})->isEmpty());
    const std::unique_ptr<QTcpSocket> late = connectTo(m_port);
    QTRY_COMPARE(late->error(), QAbstractSocket::ConnectionRefusedError);
}

void TstForwards::bringsALargeFile()
{
    QFile large(m_fixture->path(u"served/large"_s));
    QVERIFY(large.open(QIODevice::WriteOnly));
    QCryptographicHash there(QCryptographicHash::Sha1), here(QCryptographicHash::Sha1);
    QByteArray piece(1'000'000, '\0');
    for (qint64 done = 0; done < largeBytes; done += piece.size()) {
        QRandomGenerator::global()->fillRange(
            reinterpret_cast<quint32 *>(piece.data()), piece.size() / qsizetype(sizeof(quint32)));
        QCOMPARE(large.write(piece), piece.size());
        there.addData(piece);
    }
    large.close();
    const int port = localPort();
    QVERIFY(port > 0);
    // The log of another task comes in between, as ever.
    SubmitRequest request;
    request.target = u"far"_s;
    const QString talks = m_fixture->submit(
        EngineFixture::document("talks", EngineFixture::role("main", 1, {"seq 1 200000"}), "jobRetryCount: 0\n"),
        request);
    QVERIFY(!talks.isEmpty());
    const std::unique_ptr<QTcpSocket> socket = connectTo(port);
    QByteArray head;
    qint64 got = 0;
    connect(socket.get(), &QTcpSocket::readyRead, this, [&] {
        QByteArray bytes = socket->readAll();
        if (!head.contains("\r\n\r\n")) {
            head += bytes;
            const qsizetype end = head.indexOf("\r\n\r\n");
            bytes = end < 0 ? QByteArray() : head.mid(end + 4);
        }
        got += bytes.size();
        here.addData(bytes);
    });
    socket->write("GET /large HTTP/1.0\r\n\r\n");
    QVERIFY(m_fixture->waitForEnd(talks, 30000));
    QTRY_COMPARE_WITH_TIMEOUT(socket->state(), QAbstractSocket::UnconnectedState, 120000);
    QCOMPARE(got, largeBytes);
    QCOMPARE(here.result(), there.result());
    QTRY_VERIFY_WITH_TIMEOUT(m_fixture->output(talks, u"main"_s, 0).endsWith("200000\n"), 10000);
    QVERIFY(large.remove());
}

// At 127.0.0.1 and at no other address of this computer.
void TstForwards::listensHereAlone()
{
    const int port = localPort();
    QVERIFY(port > 0);
    const QByteArray digits = ':' + QByteArray::number(port, 16).toUpper().rightJustified(4, '0');
    int listeners = 0;
    for (const QString &name : {u"/proc/net/tcp"_s, u"/proc/net/tcp6"_s}) {
        QFile file(name);
        const QByteArrayList lines = file.open(QIODevice::ReadOnly) ? file.readAll().split('\n') : QByteArrayList();
        for (const QByteArray &line : lines) {
            const QByteArrayList words = line.simplified().split(' ');
            if (words.value(3) == "0A" && words.value(1).endsWith(digits)) {
                ++listeners;
                QCOMPARE(words.value(1), "0100007F" + digits);
            }
        }
    }
    QCOMPARE(listeners, 1);
}

void TstForwards::localPortMayBeTaken()
{
    QVERIFY(engine().stopForward({m_job, {}, 0, 0}));
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost, quint16(m_port)));
    const Result<api::TaskPort> next = forward(m_port);
    QVERIFY(next);
    QVERIFY2(next->localPort > m_port, qPrintable(QString::number(next->localPort)));
    QVERIFY(get(next->localPort, "small").endsWith("hello\n"));
    const Result<api::TaskPort> exact = forward(m_port, m_port);
    QCOMPARE(exact.error().code, u"forward.busy"_s);
    QCOMPARE(forward(m_port)->localPort, next->localPort); // it is still there
    other.close();
    // It moves when it is asked to.
    const int wanted = unusedPort();
    QCOMPARE(forward(m_port, wanted)->localPort, wanted);
    QVERIFY(get(wanted, "small").endsWith("hello\n"));
    const std::unique_ptr<QTcpSocket> former = connectTo(next->localPort);
    QTRY_COMPARE(former->error(), QAbstractSocket::ConnectionRefusedError);
    QCOMPARE(engine().ports({m_job, {}, 0})->size(), 1);
    QVERIFY(engine().stopForward({m_job, {}, 0, 0}));
}

// A client that has said all waits for the answer.
void TstForwards::halfClosedGoesOn()
{
    const int port = localPort();
    const std::unique_ptr<QTcpSocket> socket = connectTo(port);
    socket->write("echo\n");
    QTRY_COMPARE(socket->state(), QAbstractSocket::ConnectedState);
    QByteArray sent;
    for (int i = 0; i < 100'000; ++i) {
        sent += QByteArray::number(i) + '\n';
    }
    socket->write(sent);
    QTRY_COMPARE_WITH_TIMEOUT(socket->bytesToWrite(), 0, 20000);
    QCOMPARE(::shutdown(int(socket->socketDescriptor()), SHUT_WR), 0);
    QCOMPARE(readAll(*socket), QByteArray(sent + "bye"));
}

void TstForwards::manyAtOnce()
{
    const int port = localPort();
    std::vector<std::unique_ptr<QTcpSocket>> sockets;
    for (int i = 0; i < 120; ++i) {
        sockets.push_back(connectTo(port));
        sockets.back()->write("hold\n");
    }
    for (const auto &socket : sockets) {
        QTRY_COMPARE_WITH_TIMEOUT(socket->bytesAvailable(), 5, 20000);
    }
    QCOMPARE(engine().ports({m_job, {}, 0})->first().connections, 120);
    QVERIFY(get(port, "small").endsWith("hello\n"));
    for (const auto &socket : sockets) {
        socket->disconnectFromHost();
    }
    QTRY_COMPARE_WITH_TIMEOUT(engine().ports({m_job, {}, 0})->first().connections, 0, 20000);
    // More than are accepted at a time: the rest waits for its turn.
    sockets.clear();
    for (int i = 0; i < 300; ++i) {
        sockets.push_back(connectTo(port));
        sockets.back()->write("GET /small HTTP/1.0\r\n\r\n");
    }
    for (const auto &socket : sockets) {
        QVERIFY(readAll(*socket).endsWith("hello\n"));
    }
}

// All forwards together have as many connections as may be: the next one gets its turn as soon as another forward ends.
void TstForwards::waitsForOtherForwards()
{
    QStringList jobs;
    QList<int> numbers;
    for (int i = 0; i < 2; ++i) {
        numbers.append(unusedPort());
        jobs.append(startProgram("127.0.0.1", numbers.last()));
        QVERIFY(waitForProgram(jobs.last()));
    }
    std::vector<std::unique_ptr<QTcpSocket>> sockets;
    for (int i = 0; i < 2; ++i) {
        const Result<api::TaskPort> port = engine().forwardPort({jobs.at(i), u"main"_s, 0, numbers.at(i), 0});
        QVERIFY(port);
        for (int n = 0; n < 200; ++n) {
            sockets.push_back(connectTo(port->localPort));
            sockets.back()->write(i == 1 && n == 0 ? "echo\nready" : "hold\n");
        }
    }
    QTcpSocket &echo = *sockets.at(200);
    for (const auto &socket : sockets) {
        QTRY_COMPARE_WITH_TIMEOUT(socket->bytesAvailable(), 5, 30000);
    }
    const std::unique_ptr<QTcpSocket> waiting = connectTo(localPort());
    waiting->write("GET /small HTTP/1.0\r\n\r\n");
    QTRY_COMPARE(waiting->state(), QAbstractSocket::ConnectedState);
    // By the time that another one has gone to the host and back, it would have been accepted.
    echo.write("again");
    QTRY_COMPARE_WITH_TIMEOUT(echo.bytesAvailable(), 10, 20000);
    QCOMPARE(engine().ports({m_job, {}, 0})->first().connections, 0);
    QVERIFY(engine().stopForward({jobs.first(), {}, 0, 0}).value());
    QVERIFY(readAll(*waiting).endsWith("hello\n"));
    for (const QString &job : std::as_const(jobs)) {
        QVERIFY(engine().stop(job));
        QVERIFY(m_fixture->waitForEnd(job, 30000));
    }
}

void TstForwards::manyQuickOnes()
{
    const int port = localPort();
    for (int round = 0; round < 20; ++round) {
        std::vector<std::unique_ptr<QTcpSocket>> sockets;
        for (int i = 0; i < 50; ++i) {
            sockets.push_back(connectTo(port));
        }
        for (const auto &socket : sockets) {
            QTRY_COMPARE(socket->state(), QAbstractSocket::ConnectedState);
            socket->abort();
        }
    }
    QTRY_COMPARE_WITH_TIMEOUT(engine().ports({m_job, {}, 0})->first().connections, 0, 20000);
    QVERIFY(get(port, "small").endsWith("hello\n"));
}

// Neither side reads what the other one sends for ever: both come to a halt, and the rest goes on.
void TstForwards::nobodyReads()
{
    const int port = localPort();
    std::vector<std::unique_ptr<QTcpSocket>> sockets;
    for (int i = 0; i < 20; ++i) {
        sockets.push_back(connectTo(port));
        sockets.back()->setReadBufferSize(1024);
        sockets.back()->write(i % 2 == 0 ? "flood\n" : "sink\n");
        QTRY_COMPARE(sockets.back()->state(), QAbstractSocket::ConnectedState);
        QTRY_COMPARE(sockets.back()->bytesToWrite(), 0);
    }
    const QByteArray piece(1 << 20, 's');
    qint64 taken = 0, before = -1;
    for (int quiet = 0; quiet < 10;) {
        // What was written to the socket itself would be kept by this test: the kernel is asked to take it.
        for (std::size_t i = 1; i < sockets.size(); i += 2) {
            const ssize_t n = ::send(int(sockets[i]->socketDescriptor()), piece.constData(), std::size_t(piece.size()),
                MSG_DONTWAIT | MSG_NOSIGNAL);
            taken += n > 0 ? n : 0;
        }
        const QByteArray flooded = get(port, "flooded");
        QVERIFY2(flooded.startsWith("HTTP/1.0 200"), flooded.constData());
        const qint64 all = taken + flooded.mid(flooded.lastIndexOf('\n') + 1).toLongLong();
        quiet = all == before ? quiet + 1 : 0;
        before = all;
        QVERIFY2(all < 1'000'000'000, "nobody makes them wait");
    }
    SubmitRequest request;
    request.target = u"far"_s;
    const QString talks = m_fixture->submit(
        EngineFixture::document("beside", EngineFixture::role("main", 1, {"seq 1 100000"}), "jobRetryCount: 0\n"),
        request);
    QVERIFY(m_fixture->waitForEnd(talks, 30000));
    QTRY_VERIFY_WITH_TIMEOUT(m_fixture->output(talks, u"main"_s, 0).endsWith("100000\n"), 10000);
    for (const auto &socket : sockets) {
        socket->abort();
    }
    QVERIFY(engine().stopForward({m_job, {}, 0, 0}).value());
    QVERIFY(get(localPort(), "small").endsWith("hello\n"));
}

// A browser is told in words, any other program by the end of the connection.
void TstForwards::nobodyListens()
{
    const int nowhere = unusedPort();
    const Result<api::TaskPort> port = forward(nowhere);
    QVERIFY(port);
    const QByteArray told = get(port->localPort, "x");
    QVERIFY2(told.startsWith("HTTP/1.1 503 ") && told.endsWith("\r\n\r\nforward.refused\n"), told.constData());
    const std::unique_ptr<QTcpSocket> other = connectTo(port->localPort);
    other->write("echo\n");
    QCOMPARE(readAll(*other), QByteArray());
    QVERIFY(engine().stopForward({m_job, {}, 0, nowhere}).value());
}

// The port stays; what is open breaks, and what comes meanwhile waits for the host.
void TstForwards::outlivesACut()
{
    const int port = localPort();
    const std::unique_ptr<QTcpSocket> before = connectTo(port);
    before->write("flood\n");
    QTRY_VERIFY(before->bytesAvailable() > 100000);
    m_hosts->setLink(0, false);
    QTRY_VERIFY_WITH_TIMEOUT(!isOnline(), 20000);
    QTRY_COMPARE(before->state(), QAbstractSocket::UnconnectedState);
    QCOMPARE(before->error(), QAbstractSocket::RemoteHostClosedError);
    const std::unique_ptr<QTcpSocket> meanwhile = connectTo(port);
    meanwhile->write("GET /small HTTP/1.0\r\n\r\n");
    QTRY_COMPARE(meanwhile->state(), QAbstractSocket::ConnectedState);
    m_hosts->setLink(0, true);
    const QByteArray told = readAll(*meanwhile, 30000);
    QVERIFY2(told.endsWith("hello\n"), told.constData());
    QVERIFY(isOnline());
    QCOMPARE(localPort(), port);
    QVERIFY(get(port, "small").endsWith("hello\n"));
    // A host that stays away is told of.
    m_hosts->setLink(0, false);
    QTRY_VERIFY_WITH_TIMEOUT(!isOnline(), 20000);
    const QByteArray refused = get(port, "small", 30000);
    m_hosts->setLink(0, true);
    QVERIFY2(refused.startsWith("HTTP/1.1 503 ") && refused.endsWith("forward.host-away\n"), refused.constData());
}

// A program that listens at the address of the host alone.
void TstForwards::addressesOfTheHost()
{
    const QString address = m_fixture->task(m_job, u"main"_s, 0).address;
    QVERIFY2(address.startsWith(u"10."_s), qPrintable(address));
    const int number = unusedPort();
    const QString job = startProgram(address.toLatin1(), number);
    QVERIFY(waitForProgram(job));
    const Result<api::TaskPort> port = engine().forwardPort({job, u"main"_s, 0, number, 0});
    QVERIFY(port);
    QVERIFY(get(port->localPort, "small").endsWith("hello\n"));
    QVERIFY(engine().stop(job));
    QVERIFY(m_fixture->waitForEnd(job, 30000));
}

void TstForwards::onThisComputer()
{
    const QString job = m_fixture->submit(EngineFixture::document(
        "here", EngineFixture::role("main", 1, {"sleep 600"}, {}, "{cpu: 1, memoryMB: 16, gpu: 0, ports: {http: 2}}")));
    QVERIFY2(!job.isEmpty(), qPrintable(m_fixture->error().code));
    QVERIFY(m_fixture->waitFor(job, [](const JobSummary &one) { return one.counts.running == 1; }));
    QTRY_COMPARE(engine().ports({job, {}, 0})->size(), 2);
    const api::TaskPort first = engine().ports({job, {}, 0})->first();
    QVERIFY(first.isHere);
    QCOMPARE(first.label, u"http"_s);
    QCOMPARE(first.localPort, 0);
    const Result<api::TaskPort> port = engine().forwardPort({job, u"main"_s, 0, first.port, 0});
    QVERIFY(port && port->isHere && port->port == first.port && port->localPort == 0);
    const Result<api::TaskPort> other = engine().forwardPort({job, u"main"_s, 0, 8888, 0});
    QVERIFY(other && other->isHere && other->port == 8888);
    QVERIFY(!engine().stopForward({job, {}, 0, 0}).value());
    QVERIFY(engine().stop(job));
    QVERIFY(m_fixture->waitForEnd(job));
    QVERIFY(engine().ports({job, {}, 0})->isEmpty());
}

void TstForwards::endsWithItsTask()
{
    const int port = localPort();
    const std::unique_ptr<QTcpSocket> socket = connectTo(port);
    socket->write("hold\n");
    QTRY_COMPARE(socket->bytesAvailable(), 5);
    QVERIFY(engine().stop(m_job));
    QVERIFY(m_fixture->waitForEnd(m_job, 30000));
    QTRY_COMPARE(socket->state(), QAbstractSocket::UnconnectedState);
    const std::unique_ptr<QTcpSocket> late = connectTo(port);
    QTRY_COMPARE(late->error(), QAbstractSocket::ConnectionRefusedError);
    QVERIFY(engine().ports({m_job, {}, 0})->isEmpty());
    QCOMPARE(forward(m_port).error().code, u"forward.not-running"_s);
}

TRAINYARD_TEST(TstForwards)
#include "tst_forwards.moc"
