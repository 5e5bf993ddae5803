// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/rpc.h"
#include "engine/daemon/rpcsession.h"
#include "engine/daemon/server.h"
#include "tests/daemon/rawclient.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/nosqlitememory.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QRandomGenerator>
#include <QSignalSpy>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>

using namespace trainyard;
using namespace Qt::StringLiterals;

// The server on a real socket, with a real engine behind it.
class TstServer : public QObject
{
    Q_OBJECT

    struct Served {
        EngineFixture fixture;
        std::unique_ptr<RpcServer> server;
        QString path;

        explicit Served(int idleSeconds = 0)
        {
            path = fixture.path(u"run/e.sock"_s);
            if (fixture.open()) {
                server
                    = std::make_unique<RpcServer>(fixture.engine(), RpcServer::Options{path, idleSeconds, u"0.1.0"_s});
            }
        }
        bool listen() { return server && server->listen().has_value(); }
        ~Served() { server.reset(); }
    };

    static QByteArray job(const QByteArray &name, const QByteArray &command)
    {
        return EngineFixture::document(name, EngineFixture::role("w", 1, {command}));
    }

private Q_SLOTS:
    void greetsAndAnswers()
    {
        Served s;
        QVERIFY(s.listen());
        struct stat info {
        };
        QCOMPARE(::stat(QFile::encodeName(s.path).constData(), &info), 0);
        QCOMPARE(info.st_mode & 0777, mode_t(0600));
        RawClient client(s.path);
        QVERIFY(client.isConnected());
        QCOMPARE(RawClient::errorCode(client.call(u"jobs"_s)), u"rpc.hello-first"_s);
        QCOMPARE(
            RawClient::errorCode(client.call(u"hello"_s, {{u"protocol"_s, QJsonArray{99, 100}}})), u"rpc.version"_s);
        QCOMPARE(RawClient::errorCode(client.call(u"hello"_s)), u"rpc.version"_s);
        const QJsonObject hello = client.hello().value("result"_L1).toObject();
        QCOMPARE(hello.value("protocol"_L1).toInt(), 1);
        QCOMPARE(hello.value("build"_L1).toString(), u"0.1.0"_s);
        QCOMPARE(hello.value("pid"_L1).toInteger(), QCoreApplication::applicationPid());
        const QJsonObject status = client.call(u"engine.status"_s).value("result"_L1).toObject();
        QCOMPARE(status.value("clients"_L1).toInt(), 1);
        QCOMPARE(status.value("activeJobs"_L1).toInt(), 0);
        QCOMPARE(RawClient::errorCode(client.call(u"no.such"_s)), u"rpc.no-method"_s);
        QCOMPARE(RawClient::errorCode(client.call(u"job"_s, {{u"id"_s, u"x"_s}})), u"job.unknown"_s);
        QCOMPARE(RawClient::errorCode(client.call(u"watch"_s, {{u"id"_s, u"x"_s}})), u"job.unknown"_s);
        const QJsonArray hosts = client.call(u"hosts.list"_s).value("result"_L1).toArray();
        QCOMPARE(hosts.at(0).toObject().value("id"_L1).toString(), u"local"_s);
    }

    // A client that only reads gets everything to see, and nothing done.
    void readersChangeNothing()
    {
        Served s;
        QVERIFY(s.listen());
        RawClient client(s.path);
        const QJsonObject greeting{{u"protocol"_s, QJsonArray{1, 1}}, {u"reads"_s, true}, {u"answers"_s, true}};
        QVERIFY(client.call(u"hello"_s, greeting).contains("result"_L1));
        QVERIFY(client.call(u"subscribe"_s).value("result"_L1).isObject());
        for (const QString &call :
            {u"ping"_s, u"jobs"_s, u"hosts.list"_s, u"targets.list"_s, u"settings.get"_s, u"engine.status"_s}) {
            QVERIFY2(client.call(call).contains("result"_L1), qPrintable(call));
        }
        SubmitRequest request;
        request.yaml = job("never", "true");
        QCOMPARE(RawClient::errorCode(client.call(u"submit"_s, request.toJson())), u"rpc.reads-only"_s);
        for (const QString &call : {u"stop"_s, u"retry"_s, u"remove"_s, u"labels"_s, u"answer"_s, u"settings.set"_s,
                 u"hosts.add"_s, u"hosts.clean"_s, u"files.read"_s, u"code.sync"_s, u"engine.stop"_s}) {
            QCOMPARE(RawClient::errorCode(client.call(call)), u"rpc.reads-only"_s);
        }
        // It may choose of which jobs it is told more: that changes nothing but what comes to itself.
        QCOMPARE(
            RawClient::errorCode(client.call(u"watch"_s, {{u"id"_s, u"none"_s}, {u"on"_s, true}})), u"job.unknown"_s);
        // Once said, it stays.
        client.hello();
        QCOMPARE(RawClient::errorCode(client.call(u"engine.stop"_s)), u"rpc.reads-only"_s);
        QVERIFY(client.call(u"jobs"_s).value("result"_L1).toArray().isEmpty());
        // Nor does it become an assistant later, and an assistant reads, too, but for what it may propose.
        const QJsonObject session{{u"protocol"_s, QJsonArray{1, 1}}, {u"assistant"_s, u"x"_s}, {u"session"_s, u"s"_s}};
        QVERIFY(client.call(u"hello"_s, session).contains("result"_L1));
        QCOMPARE(RawClient::errorCode(client.call(u"assistant.propose"_s, request.toJson())), u"assistant.not-one"_s);
        RawClient assistant(s.path);
        QVERIFY(assistant.call(u"hello"_s, session).contains("result"_L1));
        QCOMPARE(RawClient::errorCode(assistant.call(u"assistant.propose"_s, request.toJson())), u"assistant.off"_s);
        QCOMPARE(
            RawClient::errorCode(assistant.call(u"assistant.proposal"_s, {{u"id"_s, u"1"_s}})), u"assistant.unknown"_s);
        for (const QString &call : {u"submit"_s, u"stop"_s, u"settings.set"_s, u"approvals.list"_s,
                 u"approvals.approve"_s, u"approvals.refuse"_s}) {
            QCOMPARE(RawClient::errorCode(assistant.call(call)), u"rpc.reads-only"_s);
        }
    }

    void runsAJobAndTellsOfIt()
    {
        Served s;
        QVERIFY(s.listen());
        RawClient client(s.path);
        client.hello();
        QVERIFY(client.call(u"subscribe"_s).value("result"_L1).isObject());
        QVERIFY(client.waitForEvent(u"snapshot"_s));
        QCOMPARE(client.events(u"snapshot"_s).constFirst().value("jobs"_L1).toArray().size(), 0);
        QVERIFY(!client.events(u"snapshot"_s).constFirst().value("hosts"_L1).toArray().isEmpty());

        SubmitRequest request;
        request.yaml = job("quiet", "true");
        const QJsonObject quiet = client.call(u"submit"_s, request.toJson()).value("result"_L1).toObject();
        QCOMPARE(quiet.value("id"_L1).toInt(), 1);
        request.yaml = job("watched", "read x < " + QFile::encodeName(s.fixture.path(u"gate"_s)));
        QCOMPARE(::mkfifo(QFile::encodeName(s.fixture.path(u"gate"_s)).constData(), 0600), 0);
        const QString watched
            = client.call(u"submit"_s, request.toJson()).value("result"_L1).toObject().value("uuid"_L1).toString();
        QCOMPARE(client.call(u"watch"_s, {{u"id"_s, watched}}).value("result"_L1).toBool(), true);
        QVERIFY(s.fixture.waitFor(watched, [](const JobSummary &j) { return j.counts.running == 1; }));
        QFile gate(s.fixture.path(u"gate"_s));
        QVERIFY(gate.open(QIODevice::WriteOnly));
        gate.write("go\n");
        gate.close();
        QVERIFY(s.fixture.waitForEnd(watched));
        const auto ended = [&] {
            const QList<QJsonObject> events = client.events(u"job"_s);
            return std::any_of(events.begin(), events.end(), [&](const QJsonObject &event) {
                const JobSummary j = JobSummary::fromJson(event.value("job"_L1).toObject());
                return j.uuid == watched && j.state == State::Succeeded;
            });
        };
        QTRY_VERIFY(ended());
        QTRY_VERIFY(!client.events(u"tasks"_s).isEmpty());
        const QList<QJsonObject> tasks = client.events(u"tasks"_s);
        for (const QJsonObject &event : tasks) {
            QCOMPARE(event.value("id"_L1).toString(), watched); // nobody watched the other
        }
        // Serials rise over all events.
        qint64 last = 0;
        const QList<QJsonObject> all = client.messages();
        for (const QJsonObject &message : all) {
            const QJsonArray serial = message.value("params"_L1).toObject().value("serial"_L1).toArray();
            if (!serial.isEmpty()) {
                QVERIFY(serial.at(1).toInteger() > last);
                last = serial.at(1).toInteger();
            }
        }
        QCOMPARE(client.call(u"jobs"_s).value("result"_L1).toArray().size(), 2);
        QCOMPARE(
            client.call(u"find"_s, {{u"word"_s, u"#2"_s}}).value("result"_L1).toObject().value("uuid"_L1).toString(),
            watched);
        const QString folder
            = client.call(u"logPath"_s, {{u"id"_s, watched}, {u"role"_s, u"w"_s}}).value("result"_L1).toString();
        QVERIFY(QFile::exists(folder + u"/output.log"_s));
        QCOMPARE(client.call(u"remove"_s, {{u"id"_s, watched}}).value("result"_L1).toBool(), true);
        QVERIFY(client.waitForEvent(u"jobRemoved"_s));
        request.yaml = "name: [";
        QCOMPARE(RawClient::errorCode(client.call(u"submit"_s, request.toJson())), u"job.invalid"_s);
        request.yaml = job("planned", "true");
        const PlanReply plan
            = PlanReply::fromJson(client.call(u"plan"_s, request.toJson()).value("result"_L1).toObject());
        QCOMPARE(plan.tasks.size(), 1);
    }

    // Who comes back soon gets what was missed, once; who comes back too late, or from another store, a snapshot.
    void tellsWhatWasMissed()
    {
        Served s;
        QVERIFY(s.listen());
        auto client = std::make_unique<RawClient>(s.path);
        client->hello();
        QCOMPARE(client->call(u"subscribe"_s).value("result"_L1)[u"replayed"].toBool(true), false);
        QVERIFY(client->waitForEvent(u"snapshot"_s));
        JobSummary job;
        job.uuid = u"u"_s;
        const auto tell = [&](int id) {
            job.id = id;
            Q_EMIT s.fixture.engine().jobChanged(job);
        };
        tell(1);
        QTRY_COMPARE(client->events(u"job"_s).size(), 1);
        const QJsonArray since = client->events(u"job"_s).constLast().value("serial"_L1).toArray();
        QVERIFY(!since.at(0).toString().isEmpty());
        client.reset();
        QTRY_COMPARE(s.server->sessions(), 0);
        tell(2);
        tell(3);
        const auto again = [&](const QJsonArray &from) {
            client = std::make_unique<RawClient>(s.path);
            client->hello();
            return client->call(u"subscribe"_s, {{u"since"_s, from}}).value("result"_L1)[u"replayed"].toBool();
        };
        QVERIFY(again(since));
        tell(4);
        QTRY_COMPARE(client->events(u"job"_s).size(), 3);
        QVERIFY(client->events(u"snapshot"_s).isEmpty());
        qint64 last = since.at(1).toInteger();
        const QList<QJsonObject> events = client->events(u"job"_s);
        for (qsizetype i = 0; i < events.size(); ++i) {
            QCOMPARE(events.at(i).value("job"_L1)[u"id"].toInt(), 2 + int(i));
            QVERIFY(events.at(i).value("serial"_L1).toArray().at(1).toInteger() > last);
            last = events.at(i).value("serial"_L1).toArray().at(1).toInteger();
        }
        for (const QJsonArray &from : {QJsonArray{u"other"_s, since.at(1)}, QJsonArray{}, QJsonArray{1, 2},
                 QJsonArray{since.at(0), 0}, QJsonArray{since.at(0), 1e15}, QJsonArray{since.at(0), QJsonValue()}}) {
            QVERIFY(!again(from));
            QVERIFY(client->waitForEvent(u"snapshot"_s));
        }
        // More than is kept.
        job.file = QString(1 << 20, u'x');
        for (int i = 0; i < 6; ++i) {
            tell(10 + i);
        }
        QTRY_COMPARE(client->events(u"job"_s).size(), 6);
        QVERIFY(!again(since));
        // Another server of the same store has serials of its own: none that could not be written down comes again.
        s.server.reset();
        s.fixture.close();
        QVERIFY(s.fixture.open());
        s.server = std::make_unique<RpcServer>(s.fixture.engine(), RpcServer::Options{s.path, 0, u"0.1.0"_s});
        QVERIFY(s.listen());
        QVERIFY(!again(QJsonArray{since.at(0), last}));
        QVERIFY(client->waitForEvent(u"snapshot"_s));
        const QJsonArray now = client->events(u"snapshot"_s).constFirst().value("serial"_L1).toArray();
        QVERIFY(now.at(0) != since.at(0));
    }

    // A store that cannot be read for a moment: nobody takes what is known without it for all jobs.
    void tellsNoPartOfTheJobs()
    {
        Served s;
        QVERIFY(s.listen());
        const QString uuid = s.fixture.submit(job("over", "true"));
        QVERIFY(s.fixture.waitForEnd(uuid));
        QTRY_VERIFY(s.fixture.engine().isIdle());
        QTRY_VERIFY_WITH_TIMEOUT(!s.fixture.job(uuid).resultsPending, 60000);
        RawClient client(s.path);
        client.hello();
        auto noMemory = std::make_unique<NoSqliteMemory>();
        QVERIFY(noMemory->isInForce());
        client.write(R"({"jsonrpc":"2.0","id":1000,"method":"subscribe","params":{}})"
                     "\n");
        QVERIFY(client.call(u"settings.get"_s).contains("result"_L1)); // what came before is answered, or is not
        QVERIFY(client.events(u"snapshot"_s).isEmpty());
        noMemory.reset();
        QVERIFY(client.waitForEvent(u"snapshot"_s));
        const QJsonArray jobs = client.events(u"snapshot"_s).constFirst().value("jobs"_L1).toArray();
        QCOMPARE(jobs.size(), 1);
        QCOMPARE(jobs.at(0)[u"uuid"].toString(), uuid);
        QCOMPARE(client.events(u"snapshot"_s).size(), 1);
    }

    void settingsAndQueueOverTheWire()
    {
        Served s;
        QVERIFY(s.listen());
        RawClient client(s.path);
        client.hello();
        QCOMPARE(client.call(u"settings.get"_s).value("result"_L1)[u"stop.graceSeconds"].toInt(), 2);
        const auto set = [&](const QString &key, const QJsonValue &value) {
            return client.call(u"settings.set"_s, {{u"key"_s, key}, {u"value"_s, value}});
        };
        QVERIFY(set(u"stop.graceSeconds"_s, 7).value("result"_L1).toBool());
        QCOMPARE(client.call(u"settings.get"_s).value("result"_L1)[u"stop.graceSeconds"].toInt(), 7);
        QVERIFY(set(u"stop.graceSeconds"_s, QJsonValue()).value("result"_L1).toBool()); // the default again
        QCOMPARE(client.call(u"settings.get"_s).value("result"_L1)[u"stop.graceSeconds"].toInt(), 30);
        QCOMPARE(RawClient::errorCode(set(u"stop.graceSeconds"_s, u"long"_s)), u"settings.bad-value"_s);
        QCOMPARE(RawClient::errorCode(set(u"no.such"_s, 1)), u"settings.unknown"_s);
        SubmitRequest request;
        request.yaml = job("over", "false");
        const QString uuid
            = client.call(u"submit"_s, request.toJson()).value("result"_L1).toObject().value("uuid"_L1).toString();
        QVERIFY(s.fixture.waitForEnd(uuid));
        QTRY_VERIFY(s.fixture.engine().isIdle());
        QCOMPARE(client.call(u"move"_s, {{u"id"_s, uuid}}).value("result"_L1).toBool(true), false);
        QCOMPARE(RawClient::errorCode(client.call(u"move"_s, {{u"id"_s, u"x"_s}})), u"job.unknown"_s);
        QCOMPARE(RawClient::errorCode(client.call(u"retry"_s, {{u"id"_s, u"x"_s}})), u"job.unknown"_s);
        QVERIFY(client.call(u"retry"_s, RetryRequest{uuid, {}, true, {}}.toJson()).value("result"_L1).toBool());
        QVERIFY(s.fixture.waitForEnd(uuid));
        QCOMPARE(s.fixture.job(uuid).retries, 1);
    }

    // Whatever comes, the server answers or hangs up, and everybody else is served.
    void bearsGarbage()
    {
        Served s;
        QVERIFY(s.listen());
        RawClient good(s.path);
        good.hello();
        QRandomGenerator random(1);
        const QByteArrayList lines{"", "{}", "[]", "null", "\xff\xfe\x00", "{\"id\":1}", "{\"id\":1,\"method\":null}",
            R"({"id":{},"method":"jobs"})", R"({"id":1,"method":"jobs","params":[]})",
            R"({"id":1,"method":"submit","params":{"yaml":[1]}})",
            R"({"id":1,"method":"submit","params":{"parameters":{"a":{"b":[]}}}})",
            R"({"id":1,"method":"tasks","params":{"from":-5,"limit":-1e300}})",
            R"({"id":1,"method":"plan","params":{"yamlBase64":"////"}})",
            R"({"id":1,"method":"hosts.add","params":{"target":"-oProxyCommand=x"}})",
            R"({"id":1,"method":"hello","params":{"protocol":[1,1],"env":{"PATH":"/x","DISPLAY":[]}}})",
            R"({"id":1,"result":{}})", R"({"method":"engine.stop"})", QByteArray(5000, '['), QByteArray(100000, 'x'),
            "{\"id\":1,\"method\":\"\\ud800\"}"};
        RawClient stranger(s.path);
        stranger.hello();
        for (int round = 0; round < 3000; ++round) {
            QByteArray line = lines.at(random.bounded(lines.size()));
            for (int i = random.bounded(4); i > 0 && !line.isEmpty(); --i) {
                line[random.bounded(line.size())] = static_cast<char>(random.bounded(256));
            }
            stranger.write(line + '\n');
        }
        QTRY_VERIFY(stranger.messages().size() > 1000 || !stranger.isConnected());
        QVERIFY(good.call(u"engine.status"_s).value("result"_L1).isObject());
        if (stranger.isConnected()) {
            QVERIFY(stranger.hello().value("result"_L1).isObject());
        }
        QVERIFY(s.fixture.engine().isIdle());
    }

    // Every request there is, with arguments of every shape.
    void bearsAnyArguments()
    {
        Served s;
        QVERIFY(s.listen());
        QRandomGenerator random(7);
        const QStringList methods{u"hello"_s, u"subscribe"_s, u"submit"_s, u"plan"_s, u"jobs"_s, u"job"_s, u"find"_s,
            u"tasks"_s, u"attempts"_s, u"logPath"_s, u"watch"_s, u"stop"_s, u"retry"_s, u"move"_s, u"remove"_s,
            u"settings.get"_s, u"settings.set"_s, u"answer"_s, u"hosts.list"_s, u"hosts.check"_s, u"hosts.remove"_s,
            u"engine.status"_s, u"files.list"_s, u"files.read"_s, u"no.such"_s, u""_s};
        const QStringList keys{u"id"_s, u"yaml"_s, u"yamlBase64"_s, u"name"_s, u"file"_s, u"parameters"_s, u"secrets"_s,
            u"target"_s, u"work"_s, u"runIn"_s, u"filter"_s, u"before"_s, u"limit"_s, u"word"_s, u"attempt"_s,
            u"from"_s, u"role"_s, u"index"_s, u"try"_s, u"on"_s, u"tasks"_s, u"failedOnly"_s, u"key"_s, u"value"_s,
            u"text"_s, u"since"_s, u"protocol"_s, u"env"_s, u"globs"_s, u"path"_s, u"offset"_s, u"bytes"_s};
        SubmitRequest request;
        request.yaml = job("victim", "true");
        RawClient good(s.path);
        good.hello();
        const QString uuid
            = good.call(u"submit"_s, request.toJson()).value("result"_L1).toObject().value("uuid"_L1).toString();
        QVERIFY(s.fixture.waitForEnd(uuid));
        std::function<QJsonValue(int)> anything = [&](int depth) -> QJsonValue {
            switch (random.bounded(depth > 0 ? 12 : 9)) {
            case 0:
                return QJsonValue::Null;
            case 1:
                return random.bounded(2) == 0;
            case 2:
                return double(random.bounded(2000)) - 1000;
            case 3:
                return QList<double>{1e300, -1e300, 9.2e18, -9.3e18, 0.5, -0.0}.at(random.bounded(6));
            case 4:
                return uuid;
            case 5:
                return QString(random.bounded(300), QChar(char16_t(random.bounded(1, 0xd7ff))));
            case 6:
                return QString::fromUtf8(job("x", "true")).left(random.bounded(300));
            case 7:
                return keys.at(random.bounded(keys.size()));
            case 8:
                return u"ports.first"_s;
            case 9: {
                QJsonArray array;
                for (int i = random.bounded(6); i > 0; --i) {
                    array.append(anything(depth - 1));
                }
                return array;
            }
            default: {
                QJsonObject object;
                for (int i = random.bounded(6); i > 0; --i) {
                    object.insert(keys.at(random.bounded(keys.size())), anything(depth - 1));
                }
                return object;
            }
            }
        };
        RawClient stranger(s.path);
        stranger.hello();
        constexpr int rounds = 4000;
        for (int round = 1; round <= rounds; ++round) {
            QJsonObject params;
            for (int i = random.bounded(8); i > 0; --i) {
                params.insert(keys.at(random.bounded(keys.size())), anything(3));
            }
            const QJsonObject message{{u"jsonrpc"_s, u"2.0"_s}, {u"id"_s, 1000000 + round},
                {u"method"_s, methods.at(random.bounded(methods.size()))},
                {u"params"_s, random.bounded(20) == 0 ? anything(3) : QJsonValue(params)}};
            stranger.write(QJsonDocument(message).toJson(QJsonDocument::Compact) + '\n');
            if (round % 100 == 0) {
                QCoreApplication::processEvents();
            }
        }
        const auto answers = [&] {
            const QList<QJsonObject> all = stranger.messages();
            return std::count_if(
                all.begin(), all.end(), [](const QJsonObject &m) { return m.value("id"_L1).toInt() > 1000000; });
        };
        QTRY_COMPARE_WITH_TIMEOUT(answers(), rounds, 20000); // each exactly once
        QVERIFY(good.call(u"engine.status"_s).value("result"_L1).isObject());
    }

    // Nobody makes the engine grow with questions whose answers he does not take: whoever asks and asks gets every
    // answer, as fast as it reads.
    void holdsBackWhoAsksAndDoesNotRead()
    {
        Served s;
        QVERIFY(s.listen());
        RawClient client(s.path);
        client.hello();
        const qint64 bytes
            = QJsonDocument(client.call(u"settings.get"_s)).toJson(QJsonDocument::Compact).size(); // of an answer
        constexpr qint64 most = 2 << 20;
        constexpr int atOnce = 200;
        const int rounds = int(16 * most / (bytes * atOnce)) + 1;
        const auto answers = [&client] {
            const QList<QJsonObject> all = client.messages();
            return int(std::count_if(all.begin(), all.end(),
                [](const QJsonObject &message) { return message.value("id"_L1).toString() == "ask"_L1; }));
        };
        const auto session = [&s] { return s.server->findChild<RpcSession *>(); };
        client.setReading(false);
        const QByteArray request = R"({"jsonrpc":"2.0","id":"ask","method":"settings.get","params":{}})"
                                   "\n";
        for (int i = 0; i < rounds; ++i) {
            client.write(request.repeated(atOnce));
            QCoreApplication::processEvents();
            QVERIFY2(session()->backlog() < most, qPrintable(QString::number(session()->backlog())));
        }
        RawClient other(s.path); // is answered meanwhile
        QVERIFY(other.hello().value("result"_L1).isObject());
        client.setReading(true);
        QTRY_COMPARE_WITH_TIMEOUT(answers(), rounds * atOnce, 30000);
        QVERIFY(client.isConnected());
    }

    // Even where the folder lets somebody else in, the peer's user is looked at.
    void refusesOtherUsers()
    {
        if (::getuid() != 0) {
            QSKIP("Only root can become somebody else: run it as root.");
        }
        Served s;
        QVERIFY(s.listen());
        for (const QString &folder : {s.fixture.path({}), s.fixture.path(u"run"_s)}) {
            QCOMPARE(::chmod(QFile::encodeName(folder).constData(), 0755), 0);
        }
        const QByteArray path = QFile::encodeName(s.path);
        QCOMPARE(::chmod(path.constData(), 0666), 0);
        const auto statusAs = [&](uid_t user) {
            const pid_t child = ::fork();
            if (child == 0) {
                // 1: not connected, 2: nothing said and hung up, 3: answered
                sockaddr_un address{};
                address.sun_family = AF_UNIX;
                std::memcpy(address.sun_path, path.constData(), std::size_t(path.size()));
                const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
                if (::setgid(user) != 0 || ::setuid(user) != 0
                    || ::connect(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0) {
                    ::_exit(1);
                }
                static const char hello[] = "{\"id\":1,\"method\":\"hello\",\"params\":{\"protocol\":[1,1]}}\n";
                static_cast<void>(!::send(fd, hello, sizeof hello - 1, MSG_NOSIGNAL));
                char byte = 0;
                ::_exit(::read(fd, &byte, 1) == 1 ? 3 : 2);
            }
            int status = 0;
            return QTest::qWaitFor([&] { return ::waitpid(child, &status, WNOHANG) == child; }, 10000)
                ? WEXITSTATUS(status)
                : -1;
        };
        QCOMPARE(statusAs(0), 3);
        QCOMPARE(statusAs(65534), 2);
    }

    void hangsUpOnEndlessLines()
    {
        Served s;
        QVERIFY(s.listen());
        RawClient client(s.path);
        client.hello();
        const QByteArray block(1 << 20, 'x');
        for (int i = 0; i < 17; ++i) {
            client.write(block);
        }
        QTRY_VERIFY(!client.isConnected());
        QCOMPARE(RawClient::errorCode(client.messages().constLast()), u"rpc.too-long"_s);
        QTRY_COMPARE(s.server->sessions(), 0);
        RawClient next(s.path);
        QVERIFY(next.hello().value("result"_L1).isObject());
    }

    void dropsWhoDoesNotRead()
    {
        Served s;
        QVERIFY(s.listen());
        RawClient slow(s.path);
        RawClient quick(s.path);
        for (RawClient *client : {&slow, &quick}) {
            client->hello();
            client->call(u"subscribe"_s);
            QVERIFY(client->waitForEvent(u"snapshot"_s));
        }
        slow.setReading(false);
        JobSummary big;
        big.uuid = u"u"_s;
        big.file = QString(100000, u'x');
        constexpr int events = 150; // 15 MB
        for (int i = 0; i < events; ++i) {
            big.id = i + 1;
            Q_EMIT s.fixture.engine().jobChanged(big);
            QCoreApplication::processEvents();
        }
        QTRY_COMPARE(quick.events(u"job"_s).size(), events);
        QVERIFY(quick.isConnected());
        slow.setReading(true);
        QTRY_VERIFY(!slow.isConnected());
        QCOMPARE(slow.events(u"resync"_s).size(), 1);
        QVERIFY(slow.events(u"job"_s).size() < events);
        QTRY_COMPARE(s.server->sessions(), 1);
    }

    // A client that never reads again keeps neither memory nor a session for ever.
    void forgetsWhoNeverReads()
    {
        Served s;
        QVERIFY(s.listen());
        RawClient client(s.path);
        client.hello();
        client.call(u"subscribe"_s);
        client.setReading(false);
        JobSummary big;
        big.uuid = u"u"_s;
        big.file = QString(1000000, u'x');
        for (int i = 0; i < 12; ++i) {
            Q_EMIT s.fixture.engine().jobChanged(big);
        }
        QTRY_COMPARE_WITH_TIMEOUT(s.server->sessions(), 0, 10000);
    }

    void listensAgainWhenTheSocketIsGone()
    {
        Served s;
        QVERIFY(s.listen());
        RawClient before(s.path);
        before.hello();
        QVERIFY(QFile::remove(s.path));
        QTRY_VERIFY(QFile::exists(s.path));
        RawClient after(s.path);
        QVERIFY(after.hello().value("result"_L1).isObject());
        QVERIFY(before.call(u"engine.status"_s).value("result"_L1).isObject());
        // A logout takes the folder with it.
        QFile::remove(s.path);
        QVERIFY(QDir(s.fixture.path(u"run"_s)).removeRecursively());
        QTRY_VERIFY(QFile::exists(s.path));
        RawClient again(s.path);
        QVERIFY(again.hello().value("result"_L1).isObject());
    }

    void takesThePlaceOfAStaleSocket()
    {
        Served s;
        QFile stale(s.path);
        QVERIFY(stale.open(QIODevice::WriteOnly));
        stale.close();
        QVERIFY(s.listen());
        RawClient client(s.path);
        QVERIFY(client.hello().value("result"_L1).isObject());
        s.server.reset();
        QVERIFY(!QFile::exists(s.path));
    }

    void refusesALongPath()
    {
        EngineFixture fixture;
        QVERIFY(fixture.open());
        RpcServer server(fixture.engine(), {fixture.path(QString(120, u'x')), 0, u"0"_s});
        const Result<bool> result = server.listen();
        QVERIFY(!result);
        QCOMPARE(result.error().code, u"socket.path-too-long"_s);
        QCOMPARE(result.error().args.value("limit"_L1).toInt(), 107);
    }

    void leavesWhenIdle()
    {
        Served s(1);
        QSignalSpy finished(s.server.get(), &RpcServer::finished);
        QVERIFY(s.listen());
        auto client = std::make_unique<RawClient>(s.path);
        client->hello();
        SubmitRequest request;
        request.yaml = job("sleeper", "sleep 1.3");
        const QString uuid
            = client->call(u"submit"_s, request.toJson()).value("result"_L1).toObject().value("uuid"_L1).toString();
        QVERIFY(!uuid.isEmpty());
        client.reset();
        QTRY_COMPARE(s.server->sessions(), 0);
        QVERIFY(s.fixture.waitForEnd(uuid)); // a job keeps it
        QVERIFY(finished.isEmpty());
        QVERIFY(finished.wait(5000));
        QCOMPARE(finished.constFirst().constFirst().toString(), u"idle"_s);
        QVERIFY(!QFile::exists(s.path));
    }

    // Who shows the settings learns that another client has changed them; who tries in vain tells nobody.
    void changedSettingsAreTold()
    {
        Served s;
        QVERIFY(s.listen());
        RawClient shows(s.path), changes(s.path);
        shows.hello();
        changes.hello();
        QVERIFY(shows.call(u"subscribe"_s).value("result"_L1).isObject());
        const auto set = [&changes](int seconds) {
            return changes.call(u"settings.set"_s, {{u"key"_s, u"stop.graceSeconds"_s}, {u"value"_s, seconds}});
        };
        QVERIFY(!RawClient::errorCode(set(-1)).isEmpty());
        QCOMPARE(RawClient::errorCode(set(44)), QString());
        QCOMPARE(RawClient::errorCode(set(44)), QString());
        QTRY_COMPARE(shows.events(u"settings"_s).size(), 1);
        QCOMPARE(RawClient::errorCode(set(45)), QString());
        QTRY_COMPARE(shows.events(u"settings"_s).size(), 2);
    }

    void idleTimeMayChange()
    {
        Served s(1'000'000);
        QSignalSpy finished(s.server.get(), &RpcServer::finished);
        QVERIFY(s.listen());
        auto client = std::make_unique<RawClient>(s.path);
        client->hello();
        client.reset();
        QTRY_COMPARE(s.server->sessions(), 0);
        s.server->setIdleSeconds(1);
        QVERIFY(finished.wait(5000));
        QCOMPARE(finished.constFirst().constFirst().toString(), u"idle"_s);
    }

    void stopsTheJobsFirst()
    {
        Served s;
        QSignalSpy finished(s.server.get(), &RpcServer::finished);
        QVERIFY(s.listen());
        RawClient client(s.path);
        client.hello();
        client.call(u"subscribe"_s);
        SubmitRequest request;
        request.yaml = job("long", "sleep 100");
        const QString uuid
            = client.call(u"submit"_s, request.toJson()).value("result"_L1).toObject().value("uuid"_L1).toString();
        QVERIFY(s.fixture.waitFor(uuid, [](const JobSummary &j) { return j.counts.running == 1; }));
        // The answer comes when they have stopped; until then nothing new is taken.
        client.write(R"({"jsonrpc":"2.0","id":"stop","method":"engine.stop","params":{"jobs":true}})"
                     "\n");
        QCOMPARE(RawClient::errorCode(client.call(u"submit"_s, request.toJson())), u"engine.leaving"_s);
        const auto answered = [&] {
            const QList<QJsonObject> all = client.messages();
            return std::any_of(all.begin(), all.end(), [](const QJsonObject &message) {
                return message.value("id"_L1).toString() == "stop"_L1 && message.value("result"_L1).toBool();
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(answered(), 10000);
        QCOMPARE(s.fixture.job(uuid).state, State::Stopped);
        QVERIFY(client.waitForEvent(u"leaving"_s));
        QCOMPARE(client.events(u"leaving"_s).constFirst().value("reason"_L1).toString(), u"stopped"_s);
        QTRY_COMPARE(finished.size(), 1);
        QTRY_VERIFY(!client.isConnected());
    }

    void handsOver()
    {
        Served s;
        QSignalSpy finished(s.server.get(), &RpcServer::finished);
        QVERIFY(s.listen());
        RawClient client(s.path); // of a version that the server does not speak: no hello
        QCOMPARE(client.call(u"engine.handover"_s).value("result"_L1).toBool(), true);
        QTRY_COMPARE(finished.size(), 1);
        QCOMPARE(finished.constFirst().constFirst().toString(), u"handover"_s);
    }

    void usesTheNewestSession()
    {
        Served s;
        QVERIFY(s.listen());
        QSignalSpy changed(s.server.get(), &RpcServer::clientEnvironmentChanged);
        const auto greet = [](RawClient &client, const QString &agent) {
            client.call(u"hello"_s,
                {{u"protocol"_s, QJsonArray{1, 1}},
                    {u"env"_s, QJsonObject{{u"SSH_AUTH_SOCK"_s, agent}, {u"PATH"_s, u"/evil"_s}}}});
        };
        RawClient first(s.path);
        greet(first, u"/a"_s);
        RawClient second(s.path);
        greet(second, u"/b"_s);
        QCOMPARE(changed.size(), 2);
        QCOMPARE(changed.at(1).at(0).value<StringMap>(), (StringMap{{u"SSH_AUTH_SOCK"_s, u"/b"_s}}));
        second.disconnectNow();
        QTRY_COMPARE(changed.size(), 3);
        QCOMPARE(changed.at(2).at(0).value<StringMap>(), (StringMap{{u"SSH_AUTH_SOCK"_s, u"/a"_s}}));
    }

private:
    using StringMap = QMap<QString, QString>;
};

TRAINYARD_TEST(TstServer)
#include "tst_server.moc"
