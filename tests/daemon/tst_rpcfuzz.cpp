// SPDX-License-Identifier: GPL-3.0-or-later
// What strangers may send over the socket, at random, from many connections at once, cut into pieces anywhere; and
// clients that never read. TRAINYARD_RPC_SEED chooses what; it is printed.
#include "engine/api/rpc.h"
#include "engine/daemon/server.h"
#include "tests/daemon/rawclient.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/testregistry.h"

#include <QRandomGenerator>
#include <QSignalSpy>

#include <functional>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstRpcFuzz : public QObject
{
    Q_OBJECT

    QRandomGenerator m_random;
    QString m_uuid; // of a job that is over

    struct Served {
        EngineFixture fixture;
        std::unique_ptr<RpcServer> server;
        QString path;

        Served()
        {
            path = fixture.path(u"run/e.sock"_s);
            if (fixture.open()) {
                server = std::make_unique<RpcServer>(fixture.engine(), RpcServer::Options{path, 0, u"0.1.0"_s});
            }
        }
        bool listen() { return server && server->listen().has_value(); }
        ~Served() { server.reset(); }
    };

    void seed()
    {
        bool given = false;
        quint32 chosen = qEnvironmentVariable("TRAINYARD_RPC_SEED").toUInt(&given);
        chosen = given ? chosen : isFullForm() ? QRandomGenerator::global()->generate() : 20261121;
        qInfo("TRAINYARD_RPC_SEED=%u", chosen);
        m_random.seed(chosen);
    }

    static QString submit(Served &s, const QByteArray &name)
    {
        const QString uuid = s.fixture.submit(EngineFixture::document(name, EngineFixture::role("w", 1, {"true"})));
        if (uuid.isEmpty()) {
            qWarning() << "refused:" << s.fixture.error().code << s.fixture.error().args;
        }
        return s.fixture.waitForEnd(uuid) ? uuid : QString();
    }

    QString word()
    {
        static const QStringList words{u"id"_s, u"yaml"_s, u"yamlBase64"_s, u"name"_s, u"file"_s, u"parameters"_s,
            u"secrets"_s, u"work"_s, u"runIn"_s, u"filter"_s, u"before"_s, u"limit"_s, u"word"_s, u"attempt"_s,
            u"from"_s, u"role"_s, u"index"_s, u"try"_s, u"on"_s, u"tasks"_s, u"failedOnly"_s, u"key"_s, u"value"_s,
            u"text"_s, u"since"_s, u"protocol"_s, u"env"_s, u"after"_s, u"priority"_s, u"answers"_s, u"jobs"_s};
        return words.at(m_random.bounded(words.size()));
    }

    QJsonValue anything(int depth)
    {
        switch (m_random.bounded(depth > 0 ? 14 : 11)) {
        case 0:
            return QJsonValue::Null;
        case 1:
            return m_random.bounded(2) == 0;
        case 2:
            return m_random.bounded(-1000, 1000);
        case 3:
            return QList<double>{1e300, -1e300, 9.3e18, -9.3e18, 0.5, -0.0, 2147483648.0, -2147483649.0}.at(
                m_random.bounded(8));
        case 4:
            return qint64(m_random.generate64());
        case 5:
            return m_uuid;
        case 6:
            return QString(m_random.bounded(300), QChar(char16_t(m_random.bounded(1, 0xffff))));
        case 7:
            return QString::fromUtf8(EngineFixture::document("x", EngineFixture::role("w", 1, {"true"})))
                .left(m_random.bounded(300));
        case 8:
            return word();
        case 9:
            return u"#1"_s;
        case 10:
            // Huge now and then.
            return m_random.bounded(40) == 0 ? QString(m_random.bounded(1 << 20), u'%') : QString();
        case 11: {
            QJsonArray array;
            for (int i = m_random.bounded(6); i > 0; --i) {
                array.append(anything(depth - 1));
            }
            return array;
        }
        default: {
            QJsonObject object;
            for (int i = m_random.bounded(6); i > 0; --i) {
                object.insert(word(), anything(depth - 1));
            }
            return object;
        }
        }
    }

    // All that may be asked for; those that end the server have a test of their own, and hosts would be connected to.
    QString method()
    {
        QStringList all = RpcSession::methodNames();
        all.removeIf([](const QString &name) {
            return name == "engine.stop"_L1 || name == "engine.handover"_L1 || name == "hosts.add"_L1
                || name == "hosts.set"_L1 || name == "settings.set"_L1;
        });
        all.sort();
        all += {u"no.such"_s, QString(), QString(3000, u'm')};
        return all.at(m_random.bounded(all.size()));
    }

    QByteArray request(const QJsonValue &id)
    {
        QJsonObject params;
        for (int i = m_random.bounded(8); i > 0; --i) {
            params.insert(word(), anything(3));
        }
        return QJsonDocument(QJsonObject{{u"jsonrpc"_s, u"2.0"_s}, {u"id"_s, id}, {u"method"_s, method()},
                                 {u"params"_s, m_random.bounded(20) == 0 ? anything(3) : QJsonValue(params)}})
                   .toJson(QJsonDocument::Compact)
            + '\n';
    }

    // No request that must be answered under its own id.
    QByteArray garbage()
    {
        switch (m_random.bounded(8)) {
        case 0:
            return QByteArray(m_random.bounded(3000), '[') + '\n';
        case 1:
            return QByteArray(m_random.bounded(3000), '\n');
        case 2: {
            QByteArray bytes(m_random.bounded(500), Qt::Uninitialized);
            for (char &byte : bytes) {
                byte = static_cast<char>(m_random.bounded(256));
            }
            return bytes + '\n';
        }
        case 3:
            return QJsonDocument(QJsonObject{{u"id"_s, anything(2)}, {u"result"_s, anything(3)}})
                       .toJson(QJsonDocument::Compact)
                + '\n';
        case 4:
            return QJsonDocument(QJsonObject{{u"method"_s, anything(2)}, {u"params"_s, anything(3)}})
                       .toJson(QJsonDocument::Compact)
                + '\n';
        case 5:
            return R"({"id":1e999,"method":"jobs","params":{}})"
                   "\n";
        case 6:
            return "{\"method\":\"jobs\",\"id\":\"\\ud800\",\"id\":[],\"params\":{\"a\":\"\x01\x7f\xff\"}}\n";
        default:
            return QByteArray("{\"a\":").repeated(m_random.bounded(1500)) + '\n';
        }
    }

private Q_SLOTS:
    void manyConnectionsAnyBytes()
    {
        seed();
        Served s;
        QVERIFY(s.listen());
        m_uuid = submit(s, "victim");
        QVERIFY(!m_uuid.isEmpty());
        RawClient witness(s.path);
        witness.hello();
        constexpr int connections = 16;
        constexpr int steps = 6000;
        struct Stranger {
            std::unique_ptr<RawClient> client;
            QByteArray unsent;
            QSet<int> asked;
        };
        std::vector<Stranger> all(connections);
        int number = 1000000, answered = 0, hangups = 0;
        // What one has asked whole is answered, each once, before it goes.
        const auto settle = [&](Stranger &one) {
            one.client->write(one.unsent);
            one.unsent.clear();
            const auto missing = [&] {
                QHash<int, int> times;
                const QList<QJsonObject> messages = one.client->messages();
                for (const QJsonObject &message : messages) {
                    const int id = message.value("id"_L1).toInt();
                    if (one.asked.contains(id)) {
                        ++times[id];
                    }
                }
                for (const int count : std::as_const(times)) {
                    if (count != 1) {
                        return -1;
                    }
                }
                return int(one.asked.size() - times.size());
            };
            const bool good = QTest::qWaitFor([&] { return missing() <= 0; }, 20000) && missing() == 0;
            answered += int(one.asked.size());
            return good;
        };
        for (int step = 0; step < steps; ++step) {
            Stranger &one = all.at(std::size_t(m_random.bounded(connections)));
            if (!one.client) {
                one = {};
                one.client = std::make_unique<RawClient>(s.path);
                QVERIFY(one.client->isConnected());
                if (m_random.bounded(10) > 0) {
                    one.unsent += "{\"id\":1,\"method\":\"hello\",\"params\":{\"protocol\":[1,1]}}\n";
                }
            }
            if (m_random.bounded(4) > 0) {
                one.asked.insert(++number);
                one.unsent += request(number);
            } else {
                one.unsent += garbage();
            }
            // Any piece of it goes out now, the rest some time later.
            const qsizetype now = m_random.bounded(one.unsent.size() + 1);
            one.client->write(one.unsent.left(now));
            one.unsent.remove(0, now);
            if (m_random.bounded(8) == 0) {
                QCoreApplication::processEvents();
            }
            if (m_random.bounded(120) == 0) { // gone in the middle of a line, its answers under way
                one.client->disconnectNow();
                one = {};
                ++hangups;
            } else if (m_random.bounded(120) == 0) {
                QVERIFY(settle(one));
                one = {};
            }
            if (step % 500 == 0) {
                QVERIFY(witness.call(u"engine.status"_s).value("result"_L1).isObject());
            }
        }
        for (Stranger &one : all) {
            if (one.client) {
                QVERIFY(settle(one));
                one = {};
            }
        }
        qInfo("%d requests answered once each, %d connections cut", answered, hangups);
        QVERIFY(answered > 1000);
        QTRY_COMPARE(s.server->sessions(), 1);
        QVERIFY(witness.call(u"engine.status"_s).value("result"_L1).isObject());
        // Whatever got in by chance is an ordinary job.
        QTRY_VERIFY_WITH_TIMEOUT(s.fixture.engine().isIdle(), 15000);
        QVERIFY(!submit(s, "after").isEmpty());
    }

    // Requests that end the server, or go to other computers, with arguments of every type.
    void anyArgumentsToTheRest()
    {
        seed();
        const QList<QJsonValue> odd{QJsonValue::Null, true, 7, -1e300, u"no"_s, QString(300000, u'x'),
            QJsonArray{1, QJsonArray{}}, QJsonObject{{u"jobs"_s, QJsonObject()}}};
        Served s;
        QVERIFY(s.listen());
        RawClient client(s.path);
        client.hello();
        for (const QJsonValue &value : odd) {
            for (const QString &key : {u"id"_s, u"target"_s, u"name"_s, u"key"_s, u"value"_s}) {
                for (const QString &name : {u"hosts.add"_s, u"hosts.set"_s, u"settings.set"_s}) {
                    const QJsonObject answer = client.call(name, {{key, value}});
                    // "no" as a target is a host's name; nothing else is taken.
                    QVERIFY2(answer.contains("error"_L1) || (name == "hosts.add"_L1 && value.isString()),
                        qPrintable(name + u' ' + key));
                }
            }
        }
        for (const QString &name : {u"engine.stop"_s, u"engine.handover"_s}) {
            for (const QJsonValue &value : odd) {
                RpcServer server(s.fixture.engine(), {s.fixture.path(u"run/f.sock"_s), 0, u"0.1.0"_s});
                QVERIFY(server.listen());
                QSignalSpy finished(&server, &RpcServer::finished);
                RawClient other(s.fixture.path(u"run/f.sock"_s));
                other.hello();
                const QJsonObject answer = other.call(name, {{u"jobs"_s, value}, {u"id"_s, value}});
                QVERIFY(answer.value("result"_L1).toBool());
                QTRY_COMPARE(finished.size(), 1);
            }
        }
        QVERIFY(client.call(u"engine.status"_s).value("result"_L1).isObject());
    }

    // A watcher that never reads, while ten thousand tasks change again and again: dropped, and nobody else misses any.
    void watcherThatNeverReads()
    {
        Served s;
        QVERIFY(s.listen());
        const QString uuid = submit(s, "watched");
        QVERIFY(!uuid.isEmpty());
        RawClient sleeper(s.path);
        RawClient reader(s.path);
        for (RawClient *client : {&sleeper, &reader}) {
            client->hello();
            client->call(u"subscribe"_s);
            QVERIFY(client->call(u"watch"_s, {{u"id"_s, uuid}}).value("result"_L1).toBool());
        }
        sleeper.setReading(false);
        constexpr int tasks = 10000, rounds = 4;
        QList<TaskInfo> changed(tasks);
        for (int i = 0; i < tasks; ++i) {
            changed[i].role = u"worker"_s;
            changed[i].index = i;
            changed[i].logFolder = QString(150, u'/');
        }
        qsizetype told = 0;
        const auto count = [&] {
            qsizetype sum = 0;
            const QList<QJsonObject> events = reader.events(u"tasks"_s);
            for (const QJsonObject &event : events) {
                sum += event.value("tasks"_L1).toArray().size();
            }
            return sum;
        };
        for (int round = 0; round < rounds; ++round) {
            Q_EMIT s.fixture.engine().tasksChanged(uuid, changed);
            told += tasks;
            QTRY_COMPARE_WITH_TIMEOUT(count(), told, 20000);
        }
        // 16 MB were for it and 8 may wait: it is told once that it was too slow, and then it is gone.
        QTRY_COMPARE_WITH_TIMEOUT(s.server->sessions(), 1, 10000);
        sleeper.setReading(true);
        QTRY_VERIFY(!sleeper.isConnected());
        QVERIFY(sleeper.events(u"tasks"_s).size() < reader.events(u"tasks"_s).size());
        QVERIFY(reader.call(u"engine.status"_s).value("result"_L1).isObject());
    }
};

TRAINYARD_TEST(TstRpcFuzz)
#include "tst_rpcfuzz.moc"
