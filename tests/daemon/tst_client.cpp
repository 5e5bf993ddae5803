// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/rpc.h"
#include "engine/client/connector.h"
#include "engine/client/engineclient.h"
#include "engine/client/paths.h"
#include "engine/client/rpcconnection.h"
#include "engine/daemon/inprocess.h"
#include "engine/daemon/server.h"
#include "tests/daemon/fakeengine.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QLocalServer>
#include <QSignalSpy>

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <utility>

using namespace trainyard;
using namespace Qt::StringLiterals;
using Status = EngineClient::Status;

// The client against the real daemon, which it starts, loses and finds again; and against an engine of its own process.
class TstClient : public QObject
{
    Q_OBJECT

    static SubmitRequest request(const QByteArray &name, const QByteArray &command)
    {
        SubmitRequest request;
        request.yaml = EngineFixture::document(name, EngineFixture::role("w", 1, {command}));
        return request;
    }

    template <typename T, typename Send> static Result<T> ask(Send send)
    {
        std::optional<Result<T>> answer;
        QObject context;
        send(&context, [&](const Result<T> &result) { answer = result; });
        if (!QTest::qWaitFor([&] { return answer.has_value(); }, 15000)) {
            return fail(u"test.timeout"_s);
        }
        return *answer;
    }

    static Result<SubmitReply> submit(EngineClient &client, const SubmitRequest &wanted)
    {
        return ask<SubmitReply>(
            [&](QObject *context, auto reply) { client.call<api::Submit>(wanted, context, reply); });
    }

    static bool becomesReady(EngineClient &client)
    {
        return QTest::qWaitFor([&] { return client.status() == Status::Ready; }, 15000);
    }

private Q_SLOTS:
    void startsTheDaemonAndMirrors()
    {
        ProgramsFixture f;
        EngineClient client;
        QSignalSpy statuses(&client, &EngineClient::statusChanged);
        QSignalSpy reset(&client, &EngineClient::reset);
        client.start(EngineClient::Start::IfNeeded);
        // Asked before there is a connection: it waits for one.
        const Result<SubmitReply> reply = submit(client, request("first", "echo hello"));
        QVERIFY2(reply, reply ? "" : qPrintable(reply.error().code));
        QCOMPARE(client.status(), Status::Ready);
        QCOMPARE(reset.size(), 1);
        QCOMPARE(statuses.size(), 2);
        QCOMPARE(reply->id, 1);
        QTRY_VERIFY(client.job(reply->uuid) && client.job(reply->uuid)->state == State::Succeeded);
        QCOMPARE(client.jobs().size(), 1);
        QTRY_VERIFY(!client.hosts().isEmpty() && client.hosts().constFirst().state == HostState::Online);

        const auto detail = ask<JobDetail>([&](QObject *c, auto r) { client.call<api::GetJob>({reply->uuid}, c, r); });
        QVERIFY(detail && detail->yaml.contains("echo hello"));
        const auto tasks = ask<QList<TaskInfo>>([&](QObject *c, auto r) {
            client.call<api::ListTasks>({reply->uuid, -1, 0, 0}, c, r);
        });
        QVERIFY(tasks && tasks->size() == 1 && QFile::exists(tasks->constFirst().logFolder + u"/output.log"_s));
        const auto found = ask<JobSummary>([&](QObject *c, auto r) { client.call<api::FindJob>({u"#1"_s}, c, r); });
        QVERIFY(found && found->uuid == reply->uuid);
        const auto missing = ask<JobSummary>([&](QObject *c, auto r) { client.call<api::FindJob>({u"#99"_s}, c, r); });
        QVERIFY(!missing && missing.error().code == u"job.unknown"_s);
        const auto status = ask<EngineStatus>([&](QObject *c, auto r) { client.call<api::GetStatus>({}, c, r); });
        QVERIFY(status && status->pid == f.daemonPid() && status->clients == 1);
        const auto plan
            = ask<PlanReply>([&](QObject *c, auto r) { client.call<api::Plan>(request("p", "true"), c, r); });
        QVERIFY(plan && plan->tasks.size() == 1);
        const auto list = ask<QList<JobSummary>>([&](QObject *c, auto r) {
            client.call<api::ListJobs>({{}, 0, 10}, c, r);
        });
        QVERIFY(list && list->size() == 1);
        const auto host = ask<HostInfo>([&](QObject *c, auto r) {
            client.call<api::AddHost>({u"-oEvil=1"_s, {}}, c, r);
        });
        QVERIFY(!host && host.error().code == u"host.bad-target"_s);
        QSignalSpy removed(&client, &EngineClient::jobRemoved);
        const auto gone = ask<bool>([&](QObject *c, auto r) { client.call<api::Remove>({reply->uuid}, c, r); });
        QVERIFY(gone && *gone);
        QTRY_COMPARE(removed.size(), 1);
        QVERIFY(client.jobs().isEmpty());
    }

    void fiveAtOnceGetOneDaemon()
    {
        ProgramsFixture f;
        std::vector<std::unique_ptr<EngineClient>> clients;
        for (int i = 0; i < 5; ++i) {
            clients.push_back(std::make_unique<EngineClient>());
            clients.back()->start(EngineClient::Start::IfNeeded);
        }
        for (const auto &client : clients) {
            QVERIFY(becomesReady(*client));
        }
        // Those that found the lock taken end by themselves.
        QTRY_COMPARE(f.pidsOf(u"trainyardd"_s).size(), 1);
        QSet<qint64> pids;
        for (const auto &client : clients) {
            const auto status = ask<EngineStatus>([&](QObject *c, auto r) { client->call<api::GetStatus>({}, c, r); });
            QVERIFY(status);
            pids.insert(status->pid);
        }
        QCOMPARE(pids.size(), 1);
    }

    void survivesTheDeathOfTheDaemon()
    {
        ProgramsFixture f;
        EngineClient client;
        client.start(EngineClient::Start::IfNeeded);
        const Result<SubmitReply> job = submit(client, request("survivor", "echo one; sleep 3; echo two"));
        QVERIFY(job);
        client.watchTasks(job->uuid, true);
        QTRY_VERIFY(client.job(job->uuid) && client.job(job->uuid)->counts.running == 1);
        QSignalSpy reset(&client, &EngineClient::reset);
        const qint64 first = f.daemonPid();
        QVERIFY(first > 0);
        // Stopped first, so that the request is certainly under way when the daemon dies.
        QCOMPARE(::kill(static_cast<pid_t>(first), SIGSTOP), 0);
        std::optional<Result<EngineStatus>> lost;
        client.call<api::GetStatus>({}, this, [&](const Result<EngineStatus> &result) { lost = result; });
        QCOMPARE(::kill(static_cast<pid_t>(first), SIGKILL), 0);
        QTRY_VERIFY(lost.has_value());
        QVERIFY(!*lost);
        QCOMPARE(lost->error().code, u"engine.gone"_s);
        QVERIFY(client.job(job->uuid)); // stale, but there
        QTRY_COMPARE_WITH_TIMEOUT(reset.size(), 1, 15000);
        QCOMPARE(client.status(), Status::Ready);
        QVERIFY(f.daemonPid() != first);
        QCOMPARE(client.jobs().size(), 1);
        // Still watched, without having been asked again.
        QSignalSpy tasks(&client, &EngineClient::tasksChanged);
        QTRY_COMPARE_WITH_TIMEOUT(client.job(job->uuid)->state, State::Succeeded, 15000);
        QTRY_VERIFY(!tasks.isEmpty());
        const auto list = ask<QList<TaskInfo>>([&](QObject *c, auto r) {
            client.call<api::ListTasks>({job->uuid, -1, 0, 0}, c, r);
        });
        QVERIFY(list);
        QCOMPARE(EngineFixture::contents(list->constFirst().logFolder + u"/output.log"_s), QByteArray("one\ntwo\n"));
    }

    void neverStartsWhatItMustNot()
    {
        ProgramsFixture f;
        EngineClient client;
        client.start(EngineClient::Start::Never);
        const auto status = ask<EngineStatus>([&](QObject *c, auto r) { client.call<api::GetStatus>({}, c, r); });
        QVERIFY(!status);
        QCOMPARE(status.error().code, u"engine.not-running"_s);
        QCOMPARE(client.status(), Status::Offline);
        QCOMPARE(f.daemonPid(), 0);
        // It finds one that somebody else starts.
        EngineClient other;
        other.start(EngineClient::Start::IfNeeded);
        QVERIFY(becomesReady(other));
        QVERIFY(becomesReady(client));
    }

    void leavesAStoppedEngineAlone()
    {
        ProgramsFixture f;
        EngineClient client;
        client.start(EngineClient::Start::IfNeeded);
        QVERIFY(becomesReady(client));
        EngineClient other;
        other.start(EngineClient::Start::IfNeeded);
        QVERIFY(becomesReady(other));
        const auto stopped = ask<bool>([&](QObject *c, auto r) { other.call<api::StopEngine>({false}, c, r); });
        QVERIFY(stopped && *stopped);
        QTRY_COMPARE(client.status(), Status::Offline);
        QTRY_COMPARE(other.status(), Status::Offline);
        QVERIFY(f.waitForNoDaemon());
        QVERIFY(!QFile::exists(f.socketPath()));
        // Until somebody wants something.
        const auto status = ask<EngineStatus>([&](QObject *c, auto r) { client.call<api::GetStatus>({}, c, r); });
        QVERIFY2(status, status ? "" : qPrintable(status.error().code));
        QCOMPARE(client.status(), Status::Ready);
    }

    void saysWhyTheDaemonDoesNotStart()
    {
        ProgramsFixture f;
        QDir().mkpath(f.stateFolder() + u"/store.db"_s); // a folder where the store should be
        EngineClient client;
        client.start(EngineClient::Start::IfNeeded);
        QTRY_COMPARE_WITH_TIMEOUT(client.status(), Status::Failed, 15000);
        QVERIFY2(client.lastError().code.startsWith(u"store."_s), qPrintable(client.lastError().code));
        const auto status = ask<EngineStatus>([&](QObject *c, auto r) { client.call<api::GetStatus>({}, c, r); });
        QVERIFY(!status);
    }

    // An older daemon makes way for the one that came with the client.
    void replacesAnOlderDaemon()
    {
        ProgramsFixture f;
        EngineFixture old;
        QVERIFY(old.open());
        RpcServer server(old.engine(), {f.socketPath(), 0, u"0.0.1"_s});
        QVERIFY(server.listen());
        QSignalSpy finished(&server, &RpcServer::finished);
        EngineClient client;
        client.start(EngineClient::Start::IfNeeded);
        QVERIFY(becomesReady(client));
        QCOMPARE(finished.size(), 1);
        QCOMPARE(finished.constFirst().constFirst().toString(), u"handover"_s);
        const auto status = ask<EngineStatus>([&](QObject *c, auto r) { client.call<api::GetStatus>({}, c, r); });
        QVERIFY(status);
        QCOMPARE(status->pid, f.daemonPid());
    }

    // Somebody accepts and says nothing, as a daemon that was stopped does; then it goes on.
    void engineThatDoesNotAnswer()
    {
        ProgramsFixture f;
        QVERIFY(paths::ensurePrivateFolder(paths::runtimeFolder()));
        QLocalServer stopped;
        QVERIFY2(stopped.listen(f.socketPath()), qPrintable(stopped.errorString()));
        EngineClient client;
        client.setPatience(std::chrono::milliseconds(50));
        client.start(EngineClient::Start::IfNeeded);
        // Never sent, so nobody has it.
        const Result<SubmitReply> job = submit(client, request("first", "true"));
        QVERIFY(!job);
        QCOMPARE(job.error().code, u"engine.not-answering"_s);
        QCOMPARE(job.error().args.value("pid"_L1).toString(), QString::number(QCoreApplication::applicationPid()));
        QCOMPARE(client.status(), Status::Failed);
        QCOMPARE(client.lastError().code, u"engine.not-answering"_s);
        // Each that asks waits again, on the same connection.
        const auto again = ask<EngineStatus>([&](QObject *c, auto r) { client.call<api::GetStatus>({}, c, r); });
        QVERIFY(!again);
        QCOMPARE(again.error().code, u"engine.not-answering"_s);
        QCOMPARE(client.status(), Status::Failed);
        QVERIFY(f.pidsOf(u"trainyardd"_s).isEmpty());
        client.setPatience(std::chrono::seconds(10));
        QTRY_VERIFY(stopped.hasPendingConnections());
        std::unique_ptr<QLocalSocket> socket(stopped.nextPendingConnection());
        socket->setParent(nullptr);
        QVERIFY(!stopped.hasPendingConnections());

        EngineFixture engine;
        QVERIFY(engine.open());
        RpcServer server(engine.engine(), {{}, 0, rpc::buildVersion()});
        QSignalSpy reset(&client, &EngineClient::reset);
        server.addConnection(std::make_unique<LocalSocketConnection>(std::move(socket)));
        QVERIFY(becomesReady(client));
        QCOMPARE(reset.size(), 1);
        const auto status = ask<EngineStatus>([&](QObject *c, auto r) { client.call<api::GetStatus>({}, c, r); });
        QVERIFY(status);
    }

    // One that is killed at last makes way for another.
    void engineThatIsKilledAtLast()
    {
        ProgramsFixture f;
        QVERIFY(paths::ensurePrivateFolder(paths::runtimeFolder()));
        auto stopped = std::make_unique<QLocalServer>();
        QVERIFY2(stopped->listen(f.socketPath()), qPrintable(stopped->errorString()));
        EngineClient client;
        client.setPatience(std::chrono::milliseconds(50));
        client.start(EngineClient::Start::IfNeeded);
        QTRY_COMPARE(client.status(), Status::Failed);
        client.setPatience(std::chrono::seconds(10));
        QTRY_VERIFY(stopped->hasPendingConnections());
        stopped.reset();
        QVERIFY(becomesReady(client));
        QVERIFY(f.daemonPid() > 0);
    }

    // Its client is told, may let go of everything, or ask again at once.
    void engineThatDoesNotAnswerAndItsCallers()
    {
        ProgramsFixture f;
        QVERIFY(paths::ensurePrivateFolder(paths::runtimeFolder()));
        QLocalServer stopped;
        QVERIFY2(stopped.listen(f.socketPath()), qPrintable(stopped.errorString()));
        auto client = std::make_unique<EngineClient>();
        client->setPatience(std::chrono::milliseconds(50));
        client->start(EngineClient::Start::Never);
        QString first, second;
        client->call<api::GetStatus>({}, this, [&](const Result<EngineStatus> &answer) {
            first = answer.error().code;
            client->call<api::GetStatus>({}, this, [&](const Result<EngineStatus> &later) {
                second = later.error().code;
                client.reset();
            });
        });
        QTRY_VERIFY(!client);
        QCOMPARE(first, u"engine.not-answering"_s);
        QCOMPARE(second, u"engine.not-answering"_s);
    }

    // It greeted, and is halted then: nobody waits for ever, and nobody is told that nothing was done.
    void engineThatIsHalted()
    {
        ProgramsFixture f;
        QVERIFY(paths::ensurePrivateFolder(paths::runtimeFolder()));
        FakeEngine engine(f.socketPath());
        EngineClient client;
        client.setPatience(std::chrono::milliseconds(50));
        client.start(EngineClient::Start::IfNeeded);
        QVERIFY(becomesReady(client));
        engine.isHalted = true;
        QString ofStop, ofSubmit, pid;
        client.call<api::Stop>({u"somebody"_s}, this, [&](const Result<bool> &answer) {
            ofStop = answer.error().code;
            pid = answer.error().args.value("pid"_L1).toString();
        });
        client.call<api::Submit>(
            request("lost", "true"), this, [&](const Result<SubmitReply> &answer) { ofSubmit = answer.error().code; });
        QTRY_COMPARE(ofStop, u"engine.not-answering"_s);
        QTRY_COMPARE(ofSubmit, u"engine.submit-unanswered"_s);
        QCOMPARE(pid, QString::number(QCoreApplication::applicationPid()));
        QCOMPARE(client.status(), Status::Failed);
        QCOMPARE(client.lastError().code, u"engine.not-answering"_s);
        // Who asks now waits for it once more.
        const auto again = ask<bool>([&](QObject *c, auto r) { client.call<api::Stop>({u"somebody"_s}, c, r); });
        QVERIFY(!again);
        QCOMPARE(again.error().code, u"engine.not-answering"_s);
        // It goes on, and so does the connection.
        client.setPatience(std::chrono::seconds(10));
        QSignalSpy reset(&client, &EngineClient::reset);
        engine.goOn();
        QVERIFY(becomesReady(client));
        QCOMPARE(reset.size(), 1);
        QVERIFY(client.lastError().code.isEmpty());
        bool stopped = false;
        client.call<api::Stop>(
            {u"somebody"_s}, this, [&](const Result<bool> &answer) { stopped = answer.value_or(false); });
        QTRY_COMPARE(engine.unanswered(), 1);
        engine.answerAll();
        QTRY_VERIFY(stopped);
        QVERIFY(f.pidsOf(u"trainyardd"_s).isEmpty());
    }

    // Whoever only watches hears of it too.
    void engineThatIsHaltedWhileNobodyAsks()
    {
        ProgramsFixture f;
        QVERIFY(paths::ensurePrivateFolder(paths::runtimeFolder()));
        FakeEngine engine(f.socketPath());
        EngineClient client;
        client.setPatience(std::chrono::milliseconds(50));
        client.start(EngineClient::Start::IfNeeded);
        QVERIFY(becomesReady(client));
        engine.isHalted = true;
        QTRY_COMPARE(client.status(), Status::Failed);
        QCOMPARE(client.lastError().code, u"engine.not-answering"_s);
    }

    // An answer takes as long as it takes, while the engine lives.
    void answerThatTakesLong()
    {
        ProgramsFixture f;
        QVERIFY(paths::ensurePrivateFolder(paths::runtimeFolder()));
        FakeEngine engine(f.socketPath());
        EngineClient client;
        client.setPatience(std::chrono::seconds(1));
        client.start(EngineClient::Start::IfNeeded);
        QVERIFY(becomesReady(client));
        std::optional<Result<bool>> answer;
        client.call<api::Stop>({u"somebody"_s}, this, [&](const Result<bool> &said) { answer = said; });
        QTRY_VERIFY_WITH_TIMEOUT(engine.pings() >= 7, 30000); // longer than the patience with one sign of life
        QVERIFY(!answer);
        QCOMPARE(client.status(), Status::Ready);
        engine.answerAll();
        QTRY_VERIFY(answer && answer->value_or(false));
    }

    // The answer to a lost request may be the next request: there is no connection then.
    void asksAgainWhenTheConnectionIsLost()
    {
        ProgramsFixture f;
        EngineFixture engine;
        QVERIFY(engine.open());
        RpcServer server(engine.engine(), {f.socketPath(), 0, rpc::buildVersion()});
        QVERIFY(server.listen());
        EngineClient client;
        client.start(EngineClient::Start::IfNeeded);
        QVERIFY(becomesReady(client));
        QString first, ofSubmit;
        bool second = false;
        client.call<api::GetStatus>({}, this, [&](const Result<EngineStatus> &answer) {
            first = answer ? QString() : answer.error().code;
            client.call<api::GetStatus>(
                {}, this, [&](const Result<EngineStatus> &later) { second = later.has_value(); });
        });
        client.call<api::Submit>(request("lost", "true"), this,
            [&](const Result<SubmitReply> &answer) { ofSubmit = answer ? QString() : answer.error().code; });
        const QList<RpcSession *> sessions = server.findChildren<RpcSession *>();
        QCOMPARE(sessions.size(), 1);
        sessions.constFirst()->close(); // both were sent, and nobody has read them
        QTRY_VERIFY(second);
        QCOMPARE(first, u"engine.gone"_s);
        QCOMPARE(ofSubmit, u"engine.submit-unknown"_s);
        QCOMPARE(client.status(), Status::Ready);
    }

    // A daemon that finds another one which does not serve yet is no reason to give up.
    void waitsForTheFirstOfTwoDaemons()
    {
        ProgramsFixture f;
        QVERIFY(paths::ensurePrivateFolder(paths::stateFolder()));
        const int lock = ::open(
            QFile::encodeName(f.stateFolder() + u"/daemon.lock"_s).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        QVERIFY(lock >= 0 && ::flock(lock, LOCK_EX | LOCK_NB) == 0);
        EngineClient client;
        client.start(EngineClient::Start::IfNeeded);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(daemonErrorFile(f.stateFolder())), 18000);
        ::close(lock);
        QVERIFY(becomesReady(client));
    }

    // A client that was too slow comes back for a new snapshot.
    void comesBackAfterResync()
    {
        ProgramsFixture f;
        EngineFixture engine;
        QVERIFY(engine.open());
        RpcServer server(engine.engine(), {f.socketPath(), 0, rpc::buildVersion()});
        QVERIFY(server.listen());
        EngineClient client;
        client.start(EngineClient::Start::Never);
        QVERIFY(becomesReady(client));
        QSignalSpy reset(&client, &EngineClient::reset);
        JobSummary big;
        big.uuid = u"u"_s;
        big.id = 1;
        big.file = QString(1000000, u'x');
        for (int i = 0; i < 20; ++i) { // without an event loop in between nobody reads
            Q_EMIT engine.engine().jobChanged(big);
        }
        QTRY_COMPARE_WITH_TIMEOUT(reset.size(), 1, 15000);
        QCOMPARE(client.status(), Status::Ready);
        QVERIFY(client.jobs().isEmpty()); // the snapshot is the truth
    }

    // After a short absence only what was missed is sent, and the mirror is whole.
    void catchesUp()
    {
        ProgramsFixture f;
        EngineFixture engine;
        QVERIFY(engine.open());
        RpcServer server(engine.engine(), {f.socketPath(), 0, rpc::buildVersion()});
        QVERIFY(server.listen());
        EngineClient client;
        client.start(EngineClient::Start::Never);
        QVERIFY(becomesReady(client));
        const Result<SubmitReply> before = submit(client, request("before", "true"));
        QVERIFY(before);
        QTRY_VERIFY(client.job(before->uuid) && client.job(before->uuid)->state == State::Succeeded);
        QSignalSpy reset(&client, &EngineClient::reset);
        const QList<RpcSession *> sessions = server.findChildren<RpcSession *>();
        QCOMPARE(sessions.size(), 1);
        sessions.constFirst()->close();
        const QString missed = engine.submit(EngineFixture::document("missed", EngineFixture::role("w", 1, {"true"})));
        QTRY_COMPARE_WITH_TIMEOUT(reset.size(), 1, 15000);
        QCOMPARE(client.status(), Status::Ready);
        QTRY_VERIFY(client.job(missed) && client.job(missed)->state == State::Succeeded);
        QVERIFY(client.job(before->uuid));
        QCOMPARE(client.jobs().size(), 2);
    }

    void callbacksEndWithTheirContext()
    {
        EngineFixture f;
        QVERIFY(f.open());
        auto client = std::make_unique<EngineClient>();
        client->startWith(connectInProcess(f.engine()));
        QVERIFY(becomesReady(*client));
        int calls = 0;
        {
            QObject context;
            client->call<api::GetStatus>({}, &context, [&](const Result<EngineStatus> &) { ++calls; });
        }
        bool second = false;
        client->call<api::GetStatus>({}, this, [&](const Result<EngineStatus> &) { second = true; });
        QTRY_VERIFY(second);
        QCOMPARE(calls, 0);
        // A callback may delete the client.
        client->call<api::GetStatus>({}, this, [&](const Result<EngineStatus> &) { client.reset(); });
        QTRY_VERIFY(!client);
        // And no callback comes after the client.
        client = std::make_unique<EngineClient>();
        client->startWith(connectInProcess(f.engine()));
        client->call<api::GetStatus>({}, this, [&](const Result<EngineStatus> &) { ++calls; });
        client.reset();
        // Another client's answer to a later request: the engine has had every chance to answer the first.
        client = std::make_unique<EngineClient>();
        client->startWith(connectInProcess(f.engine()));
        QVERIFY(becomesReady(*client));
        bool later = false;
        client->call<api::GetStatus>({}, this, [&](const Result<EngineStatus> &) { later = true; });
        QTRY_VERIFY(later);
        QCOMPARE(calls, 0);
    }

    void worksInProcess()
    {
        EngineFixture f;
        QVERIFY(f.open());
        EngineClient client;
        client.startWith(connectInProcess(f.engine()));
        QVERIFY(becomesReady(client));
        QSignalSpy tasks(&client, &EngineClient::tasksChanged);
        const Result<SubmitReply> job = submit(client, request("inside", "true"));
        QVERIFY(job);
        client.watchTasks(job->uuid, true);
        QTRY_VERIFY(client.job(job->uuid) && client.job(job->uuid)->state == State::Succeeded);
        QTRY_VERIFY(!tasks.isEmpty());
        f.close();
        QTRY_COMPARE(client.status(), Status::Offline);
        const auto status = ask<EngineStatus>([&](QObject *c, auto r) { client.call<api::GetStatus>({}, c, r); });
        QVERIFY(!status);
        QCOMPARE(status.error().code, u"engine.gone"_s);
    }
};

TRAINYARD_TEST(TstClient)
#include "tst_client.moc"
