// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/rpc.h"
#include "engine/client/engineclient.h"
#include "engine/client/paths.h"
#include "tests/daemon/fakeengine.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QFile>

using namespace trainyard;
using namespace Qt::StringLiterals;
using Status = EngineClient::Status;

// A daemon that ends connections as soon as they are made: what its clients do, and what they say.
class TstRpcLosses : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // It may not be asked again and again without a pause, nor for ever.
    void givesUpWhoEndsEachConnection()
    {
        ProgramsFixture f;
        QVERIFY(paths::ensurePrivateFolder(paths::runtimeFolder()));
        FakeEngine engine(f.socketPath());
        engine.turnedAway = 1000;
        EngineClient client;
        std::optional<Result<EngineStatus>> answer;
        QElapsedTimer timer;
        timer.start();
        client.start(EngineClient::Start::IfNeeded);
        client.call<api::GetStatus>({}, this, [&](const Result<EngineStatus> &said) { answer = said; });
        QTRY_COMPARE_WITH_TIMEOUT(client.status(), Status::Failed, 15000);
        QVERIFY2(timer.elapsed() >= 700, qPrintable(QString::number(timer.elapsed()))); // the sum of the pauses
        QCOMPARE(engine.greetings(), EngineClient::mostLosses);
        QCOMPARE(client.lastError().code, u"engine.keeps-ending"_s);
        QVERIFY(client.lastError().args.value("log"_L1).toString().startsWith(f.stateFolder()));
        QVERIFY(answer && !*answer);
        QCOMPARE(answer->error().code, u"engine.keeps-ending"_s);
        // Who asks again has as many tries.
        engine.turnedAway = EngineClient::mostLosses - 1;
        client.call<api::GetStatus>({}, this, [](const Result<EngineStatus> &) {});
        QTRY_COMPARE_WITH_TIMEOUT(client.status(), Status::Ready, 15000);
    }

    // Connections that were good, and lost at once, are no reason to give up at the next one that is not.
    void goesOnAfterLossesOfGoodConnections()
    {
        ProgramsFixture f;
        QVERIFY(paths::ensurePrivateFolder(paths::runtimeFolder()));
        FakeEngine engine(f.socketPath());
        EngineClient client;
        client.start(EngineClient::Start::IfNeeded);
        QTRY_COMPARE_WITH_TIMEOUT(client.status(), Status::Ready, 15000);
        for (int i = 0; i < EngineClient::mostLosses; ++i) {
            engine.losses = 1;
            std::optional<Result<EngineStatus>> answer;
            client.call<api::GetStatus>({}, this, [&](const Result<EngineStatus> &said) { answer = said; });
            QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), 15000);
            QTRY_COMPARE_WITH_TIMEOUT(client.status(), Status::Ready, 15000);
        }
        engine.turnedAway = 1;
        engine.losses = 1;
        bool hasFailed = false;
        connect(&client, &EngineClient::statusChanged, this,
            [&hasFailed](Status status) { hasFailed = hasFailed || status == Status::Failed; });
        client.call<api::GetStatus>({}, this, [](const Result<EngineStatus> &) {});
        QTRY_COMPARE_WITH_TIMEOUT(engine.turnedAway, 0, 15000);
        QTRY_COMPARE_WITH_TIMEOUT(client.status(), Status::Ready, 15000);
        QVERIFY(!hasFailed);
    }

    void saysWhyItIsNotTaken()
    {
        ProgramsFixture f;
        QVERIFY(paths::ensurePrivateFolder(paths::runtimeFolder()));
        FakeEngine engine(f.socketPath());
        engine.turnedAway = 1000;
        engine.lastWord = rpc::failure(QJsonValue::Null, {u"engine.too-many-clients"_s, {{u"limit"_s, 256}}});
        EngineClient client;
        client.start(EngineClient::Start::IfNeeded);
        QTRY_COMPARE_WITH_TIMEOUT(client.status(), Status::Failed, 15000);
        QCOMPARE(client.lastError().code, u"engine.too-many-clients"_s);
        QCOMPARE(client.lastError().args.value("limit"_L1).toInt(), 256);
        const std::unique_ptr<QProcess> asked = f.startCtl({u"show"_s, u"1"_s});
        QTRY_COMPARE_WITH_TIMEOUT(asked->state(), QProcess::NotRunning, 15000);
        QCOMPARE(asked->exitCode(), 3);
        const QByteArray said = asked->readAllStandardError();
        QVERIFY2(said.contains("256 clients"), said.constData());
    }

    // Somebody stops the engine while another one, who needs it, has just come.
    void doesNotTakeTheEndForItsOwn()
    {
        ProgramsFixture f;
        QVERIFY(paths::ensurePrivateFolder(paths::runtimeFolder()));
        FakeEngine engine(f.socketPath());
        engine.turnedAway = 1;
        engine.lastWord = rpc::event(u"leaving"_s, {{u"reason"_s, u"stopped"_s}});
        EngineClient client;
        client.start(EngineClient::Start::IfNeeded);
        QTRY_COMPARE_WITH_TIMEOUT(client.status(), Status::Ready, 15000);
        QCOMPARE(engine.greetings(), 2);
    }

    // Who only looks is told why the engine that was there did not take it.
    void saysWhyToWhoStartsNone()
    {
        ProgramsFixture f;
        QVERIFY(paths::ensurePrivateFolder(paths::runtimeFolder()));
        FakeEngine engine(f.socketPath());
        engine.turnedAway = 1000;
        EngineClient client;
        client.start(EngineClient::Start::Never);
        QTRY_COMPARE_WITH_TIMEOUT(client.status(), Status::Offline, 15000);
        QCOMPARE(client.lastError().code, u"engine.gone"_s);
    }

    // An answer may be the end of the client that asked, with other questions still open.
    void answersMayEndTheClient()
    {
        ProgramsFixture f;
        QVERIFY(paths::runtimeFolder().startsWith(f.path({})));
        QFile inTheWay(paths::runtimeFolder()); // no folder
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        inTheWay.close();
        auto client = std::make_unique<EngineClient>();
        client->start(EngineClient::Start::IfNeeded);
        QStringList answers;
        for (int i = 0; i < 3; ++i) {
            client->call<api::GetStatus>({}, this, [&](const Result<EngineStatus> &said) {
                answers.append(said ? QString() : said.error().code);
                client.reset();
            });
        }
        QTRY_COMPARE_WITH_TIMEOUT(answers.size(), 3, 15000);
        QVERIFY2(answers.constFirst().startsWith(u"folder."_s), qPrintable(answers.constFirst()));
        QCOMPARE(answers, QStringList(3, answers.constFirst()));
    }
};

TRAINYARD_TEST(TstRpcLosses)
#include "tst_rpclosses.moc"
