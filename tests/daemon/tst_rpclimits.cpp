// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/failurefacts.h"
#include "engine/api/joblabels.h"
#include "engine/api/jobpages.h"
#include "engine/api/rpc.h"
#include "engine/api/valuetext.h"
#include "engine/client/engineclient.h"
#include "engine/client/rpcconnection.h"
#include "engine/daemon/rpcsession.h"
#include "engine/daemon/server.h"
#include "tests/daemon/rawclient.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>
#include <QSignalSpy>

#include <algorithm>
#include <optional>

using namespace trainyard;
using namespace Qt::StringLiterals;

// More than one message has room for, more clients than the daemon takes, and requests that come when it is too early
// or too late for them.
class TstRpcLimits : public QObject
{
    Q_OBJECT

    static QByteArray job(const QByteArray &name, const QByteArray &command)
    {
        return EngineFixture::document(name, EngineFixture::role("w", 1, {command}));
    }

    // Jobs with notes as long as they may be, of which the first one runs and the others wait for it.
    static int fill(EngineFixture &f, int jobs)
    {
        int submitted = 0;
        for (int i = 0; i < jobs; ++i) {
            SubmitRequest request;
            request.note = QString(longestNote, u'x');
            request.after = i == 0 ? QStringList() : QStringList{u"long"_s};
            submitted += f.submit(job(i == 0 ? "long" : "later", "sleep 100"), request).isEmpty() ? 0 : 1;
        }
        return submitted;
    }

    static bool end(EngineFixture &f)
    {
        f.engine().stopAll();
        return QTest::qWaitFor([&f] { return f.engine().isIdle(); }, 15000);
    }

private Q_SLOTS:
    // The jobs of a snapshot may be more than a line has room for. A part says that it is none of its own.
    void tellsManyJobsInParts()
    {
        constexpr int jobs = 180; // 18 MB
        EngineFixture f;
        QVERIFY(f.open());
        QCOMPARE(fill(f, jobs), jobs);
        RpcServer server(f.engine(), {f.path(u"run/e.sock"_s), 0, u"0.1.0"_s});
        QVERIFY(server.listen());
        RawClient raw(f.path(u"run/e.sock"_s));
        raw.hello();
        raw.call(u"subscribe"_s);
        const auto isWhole = [&raw] {
            const QList<QJsonObject> all = raw.events(u"snapshot"_s);
            return !all.isEmpty() && !all.constLast().value("isPart"_L1).toBool();
        };
        QTRY_VERIFY_WITH_TIMEOUT(isWhole(), 10000);
        const QList<QJsonObject> parts = raw.events(u"snapshot"_s);
        QVERIFY(parts.size() > 1);
        int told = 0;
        for (const QJsonObject &part : parts) {
            const bool isLast = part == parts.constLast();
            told += int(part.value("jobs"_L1).toArray().size());
            QCOMPARE(part.contains("serial"_L1), isLast);
            QCOMPARE(part.contains("hosts"_L1), isLast);
        }
        QCOMPARE(told, jobs);
        // Whoever sets no limit gets what one message has room for, and who sets one too large hears that.
        const qsizetype some = raw.call(u"jobs"_s).value("result"_L1).toArray().size();
        QVERIFY2(some > 100 && some < jobs, qPrintable(QString::number(some)));
        QCOMPARE(RawClient::errorCode(raw.call(u"jobs"_s, {{u"limit"_s, jobs}})), u"rpc.too-long"_s);

        auto [near, far] = makeRpcPair();
        server.addConnection(std::move(far));
        EngineClient client;
        QSignalSpy reset(&client, &EngineClient::reset);
        client.startWith(std::move(near));
        QTRY_COMPARE(client.status(), EngineClient::Status::Ready);
        QCOMPARE(client.jobs().size(), jobs);
        QVERIFY(!client.hosts().isEmpty());
        QCOMPARE(reset.size(), 1);

        // Whoever reads all jobs by pages goes on with smaller ones.
        QList<qint64> read;
        int tooLong = 0;
        std::optional<api::JobPage> page = {{QString(), 0, jobsOfPage}};
        while (page) {
            std::optional<Result<QList<JobSummary>>> answer;
            client.call<api::ListJobs>(
                *page, &client, [&answer](const Result<QList<JobSummary>> &jobsThere) { answer = jobsThere; });
            QTRY_VERIFY(answer);
            for (const JobSummary &each : answer->value_or(QList<JobSummary>())) {
                read.append(each.id);
            }
            tooLong += answer->has_value() ? 0 : 1;
            page = nextJobPage(*page, *answer);
        }
        QVERIFY(tooLong > 0);
        QCOMPARE(read.size(), jobs);
        QVERIFY(std::is_sorted(read.crbegin(), read.crend()));
        QCOMPARE(QSet(read.cbegin(), read.cend()).size(), jobs);
        QVERIFY(end(f));
    }

    // A client is not too slow because what it asked for is long.
    void keepsWhoHasALongSnapshotToRead()
    {
        constexpr int jobs = 90; // 9 MB
        EngineFixture f;
        QVERIFY(f.open());
        QCOMPARE(fill(f, jobs), jobs);
        RpcServer server(f.engine(), {f.path(u"run/e.sock"_s), 0, u"0.1.0"_s});
        QVERIFY(server.listen());
        RawClient client(f.path(u"run/e.sock"_s));
        client.hello();
        client.setReading(false);
        client.write(R"({"jsonrpc":"2.0","id":"s","method":"subscribe","params":{}})"
                     "\n");
        const QList<RpcSession *> sessions = server.findChildren<RpcSession *>();
        QCOMPARE(sessions.size(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(sessions.constFirst()->backlog() > 8 << 20, 10000);
        JobSummary told;
        told.uuid = u"u"_s;
        told.id = 4711;
        Q_EMIT f.engine().jobChanged(told);
        client.setReading(true);
        const auto isTold = [&client] {
            const QList<QJsonObject> all = client.events(u"job"_s);
            return std::any_of(all.begin(), all.end(),
                [](const QJsonObject &event) { return event.value("job"_L1)[u"id"].toInt() == 4711; });
        };
        QTRY_VERIFY_WITH_TIMEOUT(isTold(), 10000);
        QVERIFY(client.events(u"resync"_s).isEmpty());
        QVERIFY(end(f));
    }

    // Who is one too many hears that, and the place of one that leaves is free.
    void turnsAwayWhoIsTooMany()
    {
        EngineFixture f;
        QVERIFY(f.open());
        RpcServer server(f.engine(), {f.path(u"run/e.sock"_s), 0, u"0.1.0"_s, 1});
        QVERIFY(server.listen());
        auto first = std::make_unique<RawClient>(f.path(u"run/e.sock"_s));
        QVERIFY(first->hello().value("result"_L1).isObject());
        RawClient second(f.path(u"run/e.sock"_s));
        QTRY_VERIFY(!second.isConnected());
        QCOMPARE(second.messages().size(), 1);
        const QJsonObject said = second.messages().constFirst();
        QCOMPARE(RawClient::errorCode(said), u"engine.too-many-clients"_s);
        QCOMPARE(said.value("error"_L1)[u"data"][u"args"][u"limit"].toInt(), 1);
        QCOMPARE(first->call(u"ping"_s).value("result"_L1).toBool(), true);
        first.reset();
        QTRY_COMPARE(server.sessions(), 0);
        RawClient third(f.path(u"run/e.sock"_s));
        QVERIFY(third.hello().value("result"_L1).isObject());
    }

    // Each with the longest that is said of one: words that need three bytes for a letter, as bars are drawn.
    void manyTasksFitIntoAMessage()
    {
        const QString bar(1000, QChar(0x2588));
        FailureFacts facts;
        facts.cause = u"user-code-error"_s;
        facts.certainty = u"certain"_s;
        facts.text = bar;
        facts.args = {{u"said"_s, bar.left(300)}, {u"message"_s, bar.left(300)}, {u"type"_s, u"RuntimeError"_s}};
        TaskInfo task;
        task.role = QString(255, u'r');
        task.reason = u"exit.user"_s;
        task.reasonArgs.insert(failureKey, facts.toJson());
        task.logFolder = QString(500, u'/');
        const QList<TaskInfo> tasks(EngineClient::tasksAtOnce, task);
        const QByteArray answer = rpc::replyText(1, jsonText(tasks));
        QVERIFY2(answer.size() < rpc::maxLine, qPrintable(QString::number(answer.size())));
    }

    void refusesALongNote()
    {
        EngineFixture f;
        QVERIFY(f.open());
        SubmitRequest request;
        request.note = QString(longestNote + 1, u'x');
        QVERIFY(f.submit(job("noted", "true"), request).isEmpty());
        QCOMPARE(f.error().code, u"note.too-long"_s);
        request.note.chop(1);
        const QString uuid = f.submit(job("noted", "true"), request);
        QVERIFY(!uuid.isEmpty());
        api::LabelChange change;
        change.ids = {uuid};
        change.note = QString(longestNote + 1, u'y');
        const Result<bool> changed = f.engine().setLabels(change);
        QVERIFY(!changed);
        QCOMPARE(changed.error().code, u"note.too-long"_s);
        QCOMPARE(f.job(uuid).labels.note, request.note);
    }

    // A submission that waits until the engine knows its hosts, while somebody asks for the end of all jobs.
    void takesNoJobThatWaitedWhenAllEnd()
    {
        EngineFixture f({{u"stop.graceSeconds"_s, 60}});
        QVERIFY(f.open());
        const QString uuid = f.submit(job("deaf", "trap '' TERM; touch deaf; while true; do sleep 0.1; done"));
        QVERIFY(f.waitFor(uuid, [](const JobSummary &j) { return j.counts.running == 1; }));
        f.close();
        Result<std::unique_ptr<Engine>> again = Engine::open(f.options());
        QVERIFY(again);
        Engine &engine = **again;
        bool isReady = false;
        engine.whenReady(this, [&isReady] { isReady = true; });
        QVERIFY(!isReady);
        RpcServer server(engine, {f.path(u"run/e.sock"_s), 0, u"0.1.0"_s});
        QSignalSpy finished(&server, &RpcServer::finished);
        auto [near, far] = makeRpcPair();
        server.addConnection(std::move(far));
        std::optional<rpc::Message> answer;
        connect(near.get(), &RpcConnection::received, this, [&answer](const QByteArray &line) {
            const rpc::Message message = rpc::decode(line);
            if (message.id.toInt() == 2) {
                answer = message;
            }
        });
        SubmitRequest late;
        late.yaml = job("late", "true");
        near->send(rpc::request(1, u"hello"_s, {{u"protocol"_s, QJsonArray{1, 1}}}));
        near->send(rpc::request(2, u"submit"_s, late.toJson()));
        near->send(rpc::request(3, u"engine.stop"_s, {{u"jobs"_s, true}}));
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), 15000);
        QVERIFY(isReady);
        QVERIFY(answer->kind == rpc::Message::Kind::Failure);
        QCOMPARE(answer->error.code, u"engine.leaving"_s);
        QVERIFY(engine.stop(uuid, true).value_or(false));
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 15000);
    }
};

TRAINYARD_TEST(TstRpcLimits)
#include "tst_rpclimits.moc"
