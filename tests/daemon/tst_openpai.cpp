// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "tests/daemon/openpaifixture.h"
#include "tests/helpers/testregistry.h"

#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QScopeGuard>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Jobs on an OpenPAI cluster: handed over once, followed, stopped, and what is left of them here.
class TstOpenPai : public QObject, private OpenPaiFixture
{
    Q_OBJECT

    bool isNowhere(const QByteArrayList &texts) const // in what the engine has written
    {
        for (const QString &part : {u"state"_s, u"config"_s}) {
            QDirIterator files(m_engine->path(part), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                const QByteArray bytes = EngineFixture::contents(files.next());
                for (const QByteArray &text : texts) {
                    if (bytes.contains(text)) {
                        qWarning() << text << "is in" << files.filePath();
                        return false;
                    }
                }
            }
        }
        return true;
    }

private Q_SLOTS:
    void init() { QVERIFY(begin()); }
    void cleanup() { end(); }

    void runsToItsEnd()
    {
        const QString uuid = submit(document(2));
        QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
        const QString name = nameThere();
        QVERIFY2(name.startsWith("on-pai_"_L1), qPrintable(name));
        QVERIFY(m_server->document(name).contains(QByteArray("name: " + name.toUtf8())));
        QVERIFY(hasReason(uuid, u"wait.openpai-words"_s));
        setJob(name, u"RUNNING"_s, {task(0, u"RUNNING"_s), task(1, u"WAITING"_s)});
        QVERIFY(isIn(uuid, State::Running));
        QCOMPARE(m_engine->task(uuid, u"worker"_s, 0).host, u"openpai:lab/node0"_s);
        QCOMPARE(m_engine->task(uuid, u"worker"_s, 0).address, u"10.0.0.1"_s);
        m_server->setLog("hello\nworld\n");
        setJob(name, u"SUCCEEDED"_s, {task(0, u"SUCCEEDED"_s, 0), task(1, u"SUCCEEDED"_s, 0)}, 0);
        QVERIFY(isIn(uuid, State::Succeeded));
        QCOMPARE(m_engine->output(uuid, u"worker"_s, 1), QByteArray("hello\nworld\n"));
        QCOMPARE(m_server->jobs().size(), 1);
        QCOMPARE(m_server->calls("POST jobs").size(), 1);
    }

    // The engine has the token that the cluster makes, and writes neither it nor the password.
    void aPasswordMakesAToken()
    {
        QVERIFY(m_engine->engine().setSetting(u"kubernetes.other"_s, u"default"_s));
        const auto logIn = [this](const QString &id, const QString &password) {
            std::optional<Result<api::TokenOfTarget>> made;
            m_engine->engine().logInAtTarget(
                {id, password}, this, [&made](const Result<api::TokenOfTarget> &its) { made = its; });
            return QTest::qWaitFor([&made] { return made.has_value(); }, 20'000)
                ? *made
                : Result<api::TokenOfTarget>(fail(u"no-answer"_s));
        };
        const QString lab = u"openpai:lab"_s, password = QString::fromUtf8(OpenPaiServer::password);
        const auto trouble = [this, lab] {
            const QList<ClusterInfo> all = m_engine->engine().targets();
            const auto it
                = std::find_if(all.cbegin(), all.cend(), [&lab](const ClusterInfo &each) { return each.id == lab; });
            return it == all.cend() ? u"not listed"_s : it->error;
        };
        QVERIFY(m_engine->engine().setTargetToken(lab, {}));
        QCOMPARE(trouble(), u"openpai.no-token"_s);
        QCOMPARE(logIn(lab, u"another"_s).error().code, u"openpai.bad-password"_s);
        QCOMPARE(logIn(u"openpai:none"_s, password).error().code, u"target.unknown"_s);
        QCOMPARE(logIn(u"kubernetes:other"_s, password).error().code, u"target.no-login"_s);
        QCOMPARE(trouble(), u"openpai.no-token"_s);
        const Result<api::TokenOfTarget> made = logIn(lab, password);
        QVERIFY2(made, qPrintable(made ? QString() : made.error().code));
        QCOMPARE(made->id, lab);
        QCOMPARE(made->token, QString::fromLatin1(OpenPaiServer::token));
        QCOMPARE(trouble(), QString());
        QVERIFY(!submit(document()).isEmpty());
        QVERIFY(!nameThere().isEmpty());
        QVERIFY(isNowhere({OpenPaiServer::password, OpenPaiServer::token}));
    }

    // A log without end does not fill the disk.
    void outputStopsAtItsLimit()
    {
        constexpr qsizetype limit = 1 << 20;
        QVERIFY(m_engine->engine().setSetting(u"log.maxBytes"_s, qint64(limit)));
        const QString uuid = submit(document());
        const QString name = nameThere();
        const QByteArray line = QByteArray(1023, 'x') + '\n', first = line.repeated(limit / 1024 + 1);
        m_server->setLog(first);
        setJob(name, u"RUNNING"_s, {task(0, u"RUNNING"_s)});
        const auto size = [&] { return m_engine->output(uuid, u"worker"_s, 0).size(); };
        QTRY_VERIFY_WITH_TIMEOUT(size() >= limit, 60'000);
        m_server->setLog(first + first);
        setJob(name, u"SUCCEEDED"_s, {task(0, u"SUCCEEDED"_s, 0)}, 0);
        QVERIFY(isIn(uuid, State::Succeeded));
        QVERIFY2(size() <= first.size(), qPrintable(QString::number(size())));
    }

    // The clock of this computer says nothing of when the cluster is to be asked.
    void clockJumps_data()
    {
        QTest::addColumn<qint64>("step");
        QTest::newRow("back a day") << qint64(-86'400'000);
        QTest::newRow("on a day") << qint64(86'400'000);
    }
    void clockJumps()
    {
        QFETCH(qint64, step);
        const QString uuid = submit(document());
        const QString name = nameThere();
        setJob(name, u"RUNNING"_s, {task(0, u"RUNNING"_s)});
        QVERIFY(isIn(uuid, State::Running));
        m_server->setLog("hello\n");
        const auto back = qScopeGuard([step] { stepClockForTests(-step); });
        stepClockForTests(step);
        const qsizetype asked = m_server->calls("GET jobs/ada~").size();
        QTRY_VERIFY_WITH_TIMEOUT(m_server->calls("GET jobs/ada~").size() > asked + 1, 30'000);
        QCOMPARE(m_engine->job(uuid).state, State::Running);
        setJob(name, u"SUCCEEDED"_s, {task(0, u"SUCCEEDED"_s, 0)}, 0);
        QVERIFY(isIn(uuid, State::Succeeded));
        QCOMPARE(m_engine->output(uuid, u"worker"_s, 0), QByteArray("hello\n"));
    }

    void outputGrows_data()
    {
        QTest::addColumn<bool>("knowsPlaces");
        QTest::newRow("by places") << true;
        QTest::newRow("as a whole") << false;
    }
    void outputGrows()
    {
        QFETCH(bool, knowsPlaces);
        const QString uuid = submit(document());
        const QString name = nameThere();
        m_server->setLog("one\n", knowsPlaces);
        setJob(name, u"RUNNING"_s, {task(0, u"RUNNING"_s)});
        const auto says = [&](const QByteArray &text) {
            return QTest::qWaitFor([&] { return m_engine->output(uuid, u"worker"_s, 0) == text; }, 60'000);
        };
        QVERIFY(says("one")); // its line feed comes with what follows, or at the end
        m_server->setLog("one\ntwo\nthree", knowsPlaces);
        QVERIFY(says("one\ntwo\nthree"));
        m_server->setLog("one\ntwo\nthree\nfour\n", knowsPlaces);
        setJob(name, u"SUCCEEDED"_s, {task(0, u"SUCCEEDED"_s, 0)}, 0);
        QVERIFY(isIn(uuid, State::Succeeded));
        QCOMPARE(m_engine->output(uuid, u"worker"_s, 0), QByteArray("one\ntwo\nthree\nfour\n"));
        const QString folder = m_engine->task(uuid, u"worker"_s, 0).logFolder;
        QVERIFY(QFile::exists(folder + u"/exit"_s));
        QCOMPARE(QFileInfo(folder + u"/output.idx"_s).size() % 24, 0);
    }

    void theRestOfTheOutputIsAwaited()
    {
        const QString uuid = submit(document());
        const QString name = nameThere();
        m_server->setLog("all of it\n");
        m_server->answerNext("GET /log-manager", OpenPaiServer::error(500, "UnknownError"), 2);
        setJob(name, u"SUCCEEDED"_s, {task(0, u"SUCCEEDED"_s, 0)}, 0);
        QVERIFY(isIn(uuid, State::Succeeded));
        QCOMPARE(m_engine->output(uuid, u"worker"_s, 0), QByteArray("all of it\n"));
        QCOMPARE(m_server->calls("GET /log-manager").size(), 3);
    }

    // A full disk, as something in the way is here: what was read and could not be written is written later.
    void outputWaitsForRoom()
    {
        const QString uuid = submit(document());
        const QString name = nameThere();
        QVERIFY(m_engine->waitFor(
            uuid, [](const JobSummary &job) { return job.state == State::Waiting; }, 60'000));
        const QString inTheWay = m_engine->task(uuid, u"worker"_s, 0).logFolder + u"/output.log"_s;
        QVERIFY(QDir().mkpath(inTheWay));
        m_server->setLog("one\ntwo");
        setJob(name, u"RUNNING"_s, {task(0, u"RUNNING"_s)});
        QTRY_VERIFY_WITH_TIMEOUT(m_server->calls("GET /log-manager").size() > 0, 60'000);
        m_server->setLog("one\ntwo\nthree\n");
        QVERIFY(QDir().rmdir(inTheWay));
        setJob(name, u"SUCCEEDED"_s, {task(0, u"SUCCEEDED"_s, 0)}, 0);
        QVERIFY(isIn(uuid, State::Succeeded));
        QCOMPARE(m_engine->output(uuid, u"worker"_s, 0), QByteArray("one\ntwo\nthree\n"));
    }

    void answersAreLost_data()
    {
        using How = OpenPaiServer::Answer::How;
        QTest::addColumn<bool>("isDone");
        QTest::addColumn<How>("how");
        QTest::newRow("it was taken") << true << How::Cut;
        QTest::newRow("it was not") << false << How::Cut;
        QTest::newRow("it was taken, without a length") << true << How::CutUnsized;
        QTest::newRow("it was not, without a length") << false << How::CutUnsized;
    }
    // Before anything is sent again, the cluster is asked for the name.
    void answersAreLost()
    {
        QFETCH(bool, isDone);
        QFETCH(OpenPaiServer::Answer::How, how);
        m_server->answerNext("POST jobs", {202, "{\"message\": \"update job successfully\"}", {}, how, isDone});
        const QString uuid = submit(document());
        const QString name = nameThere();
        setJob(name, u"SUCCEEDED"_s, {task(0, u"SUCCEEDED"_s, 0)}, 0);
        QVERIFY(isIn(uuid, State::Succeeded));
        QCOMPARE(m_server->jobs().size(), 1);
        QCOMPARE(m_server->calls("POST jobs").size(), isDone ? 1 : 2);
        QVERIFY(!m_server->calls("GET jobs/ada~").isEmpty());
    }

    void silenceBeforeItIsTaken()
    {
        m_server->answerNext("POST jobs", OpenPaiServer::error(500, "UnknownError"), 2);
        const QString uuid = submit(document());
        QVERIFY(hasReason(uuid, u"wait.openpai-silent"_s));
        QCOMPARE(m_engine->engine().targets().first().error, u"openpai.silent"_s);
        QVERIFY(!nameThere().isEmpty());
        QCOMPARE(m_server->jobs().size(), 1);
    }

    void refusalsAreFinal()
    {
        m_server->answerNext("POST jobs", OpenPaiServer::error(400, "NoVirtualClusterError"));
        const QString uuid = submit(document(1, "jobRetryCount: 3\n"));
        QVERIFY(isIn(uuid, State::Failed));
        const JobSummary job = m_engine->job(uuid);
        QCOMPARE(job.exitCode.value_or(0), -200);
        QCOMPARE(job.reason, u"openpai.no-virtual-cluster"_s);
        QCOMPARE(job.retries, 0);
        QVERIFY(m_server->jobs().isEmpty());
    }

    void refusalsOfProxiesAreNoAnswer_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<QString>("reason");
        const QByteArray page = "<html></html>", gateway = R"({"code":"NOT_FOUND","message":"No route."})";
        QTest::newRow("no such page") << 404 << page << u"openpai.no-api"_s;
        QTest::newRow("no such page, in JSON") << 404 << gateway << u"openpai.no-api"_s;
        QTest::newRow("not allowed") << 403 << page << u"openpai.forbidden"_s;
        QTest::newRow("a conflict of its own") << 409 << page << u"wait.openpai-silent"_s;
    }
    // As where the server starts again behind a proxy: the job waits, and is handed over when the cluster answers.
    void refusalsOfProxiesAreNoAnswer()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, said);
        QFETCH(QString, reason);
        m_server->answerNext("POST jobs", {status, said}, 2);
        const QString uuid = submit(document());
        QVERIFY(hasReason(uuid, reason));
        QVERIFY(!nameThere().isEmpty());
        QCOMPARE(m_server->jobs().size(), 1);
        QCOMPARE(m_engine->job(uuid).retries, 0);
    }

    // Its words may repeat the document; where they are cut makes no difference.
    void refusalsRepeatNoSecrets()
    {
        const QByteArray secret = "correct-horse-battery-staple";
        const QByteArray begin = "bad document: key: " + secret.toBase64() + ' ';
        constexpr qsizetype nearTheCut = 290;
        const QByteArray words = begin + QByteArray(nearTheCut - begin.size(), '.') + secret;
        const QJsonObject said{{u"code"_s, u"InvalidProtocolError"_s}, {u"message"_s, QString::fromLatin1(words)}};
        m_server->answerNext("POST jobs", {400, QJsonDocument(said).toJson()});
        const QString uuid = submit(document(1, "secrets: {key: " + secret + "}\n"));
        QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
        QVERIFY(isIn(uuid, State::Failed));
        QCOMPARE(m_engine->job(uuid).reason, u"openpai.invalid"_s);
        const QString detail = m_engine->job(uuid).reasonArgs.value("detail"_L1).toString();
        QVERIFY2(
            detail.startsWith("bad document: key: ******"_L1) && !detail.contains("correct"_L1), qPrintable(detail));
        QVERIFY(isNowhere({"correct-h", secret.toBase64().first(20)}));
    }

    void silenceIsNoEnd()
    {
        const QString uuid = submit(document());
        const QString name = nameThere();
        setJob(name, u"RUNNING"_s, {task(0, u"RUNNING"_s)});
        QVERIFY(isIn(uuid, State::Running));
        m_server->answerNext("GET jobs/ada~", OpenPaiServer::error(500, "UnknownError"), 2);
        QVERIFY(hasReason(uuid, u"openpai.silent"_s));
        QCOMPARE(m_engine->engine().targets().first().error, u"openpai.silent"_s);
        QCOMPARE(m_engine->job(uuid).state, State::Running);
        QVERIFY(hasReason(uuid, QString()));
        m_server->forget(name); // for a while it is only not seen
        const qsizetype before = m_server->calls("GET jobs/ada~").size();
        QVERIFY(QTest::qWaitFor([&] { return m_server->calls("GET jobs/ada~").size() > before + 2; }, 30'000));
        QCOMPARE(m_engine->job(uuid).state, State::Running);
        setJob(name, u"SUCCEEDED"_s, {task(0, u"SUCCEEDED"_s, 0)}, 0);
        QVERIFY(isIn(uuid, State::Succeeded));
        QCOMPARE(m_server->calls("POST jobs").size(), 1);
    }

    // Retries are the cluster's: they are told, and nothing is handed over again.
    void retriesAreTheClusters()
    {
        const QString uuid = submit(document(2, "jobRetryCount: 2\n"));
        const QString name = nameThere();
        const QJsonObject retried{{u"retries"_s, 1}, {u"attemptId"_s, 1},
            {u"retryDetails"_s, QJsonObject{{u"user"_s, 1}, {u"platform"_s, 0}}}};
        const QJsonObject former = OpenPaiServer::detail(u"FAILED"_s, {{u"worker"_s, {task(0, u"FAILED"_s, 1)}}}, 1,
            {{u"appExitTriggerTaskRoleName"_s, u"worker"_s}, {u"appExitTriggerTaskIndex"_s, 0}});
        m_server->answerNext("GET jobs/ada~" + name.toUtf8() + "/attempts/0", {200, QJsonDocument(former).toJson()});
        setJob(name, u"RUNNING"_s, {task(0, u"RUNNING"_s), task(1, u"RUNNING"_s, 1000, 2)}, 1000, retried);
        QVERIFY(m_engine->waitFor(
            uuid, [](const JobSummary &job) { return job.retries == 1; }, 60'000));
        QCOMPARE(m_engine->job(uuid).userRetries, 1);
        QCOMPARE(m_engine->task(uuid, u"worker"_s, 1).reasonArgs.value("retries"_L1).toInt(), 3);
        // 137 may be tried again for free, and is over when the cluster says so.
        setJob(name, u"FAILED"_s, {task(0, u"STOPPED"_s, -220), task(1, u"FAILED"_s, 137, 2)}, 137, retried);
        QVERIFY(isIn(uuid, State::Failed));
        const JobSummary job = m_engine->job(uuid);
        QCOMPARE(job.exitCode.value_or(0), 137);
        QVERIFY2(job.reason.startsWith("openpai.exit"_L1), qPrintable(job.reason));
        // How the attempt before it ended, asked for once.
        const QJsonArray before = job.reasonArgs.value("former"_L1).toArray();
        QCOMPARE(before.size(), 1);
        QVERIFY2(before.first().toString().startsWith("1 "_L1) && before.first().toString().endsWith("(worker/0)"_L1),
            qPrintable(before.first().toString()));
        QCOMPARE(m_server->calls("GET jobs/ada~" + name.toUtf8() + "/attempts/0").size(), 1);
        QCOMPARE(m_engine->task(uuid, u"worker"_s, 0).exitCode.value_or(0), -220);
        QCOMPARE(m_server->jobs().size(), 1);
    }

    void theClustersWordCounts()
    {
        const QString uuid = submit(document(2));
        setJob(nameThere(), u"FAILED"_s, {}, -1100);
        QVERIFY(isIn(uuid, State::Failed));
        QCOMPARE(m_engine->job(uuid).exitCode.value_or(0), -1100);
    }

    void stopsThere()
    {
        const QString uuid = submit(document());
        const QString name = nameThere();
        setJob(name, u"RUNNING"_s, {task(0, u"RUNNING"_s)});
        QVERIFY(isIn(uuid, State::Running));
        m_server->answerNext("PUT jobs/ada~", OpenPaiServer::error(500, "UnknownError"));
        QVERIFY(m_engine->engine().stop(uuid, false));
        QVERIFY(isIn(uuid, State::Stopped));
        QCOMPARE(m_server->calls(QByteArray("PUT jobs/ada~" + name.toUtf8() + "/executionType")).size(), 2);
    }

    void stopsThatWereNotHeard_data()
    {
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("a page of a proxy") << QByteArray("<html>Sign in</html>");
        QTest::newRow("the cluster has forgotten it") << QByteArray(R"({"message":"execute job successfully"})");
    }
    // It answers well, and the job goes on.
    void stopsThatWereNotHeard()
    {
        QFETCH(QByteArray, said);
        const QString uuid = submit(document());
        const QString name = nameThere();
        setJob(name, u"RUNNING"_s, {task(0, u"RUNNING"_s)});
        QVERIFY(isIn(uuid, State::Running));
        m_server->answerNext("PUT jobs/ada~", {200, said});
        QVERIFY(m_engine->engine().stop(uuid, false));
        QVERIFY(isIn(uuid, State::Stopped));
        QCOMPARE(m_server->calls(QByteArray("PUT jobs/ada~" + name.toUtf8() + "/executionType")).size(), 2);
    }

    void whatIsStoppedThereIsStopped()
    {
        const QString uuid = submit(document());
        const QString name = nameThere();
        setJob(name, u"RUNNING"_s, {task(0, u"RUNNING"_s)});
        QVERIFY(isIn(uuid, State::Running));
        setJob(name, u"STOPPED"_s, {task(0, u"STOPPED"_s, -220)}, -210);
        QVERIFY(isIn(uuid, State::Stopped));
        QCOMPARE(m_engine->job(uuid).reason, u"openpai.stopped"_s);
    }

    void goesOnAfterARestart()
    {
        const QString uuid = submit(document());
        const QString name = nameThere();
        setJob(name, u"RUNNING"_s, {task(0, u"RUNNING"_s)});
        QVERIFY(isIn(uuid, State::Running));
        m_engine->close();
        setJob(name, u"SUCCEEDED"_s, {task(0, u"SUCCEEDED"_s, 0)}, 0);
        QVERIFY(m_engine->open());
        QVERIFY(hasReason(uuid, u"openpai.no-token"_s));
        QCOMPARE(m_engine->engine().targets().first().error, u"openpai.no-token"_s);
        QCOMPARE(m_engine->job(uuid).state, State::Running);
        QVERIFY(giveToken());
        QVERIFY(isIn(uuid, State::Succeeded));
        QCOMPARE(m_server->calls("POST jobs").size(), 1);
    }

    void tokensMayRunOut()
    {
        const QString uuid = submit(document());
        const QString name = nameThere();
        QVERIFY(m_engine->engine().setTargetToken(u"openpai:lab"_s, u"an-old-one"_s));
        QVERIFY(hasReason(uuid, u"openpai.unauthorized"_s));
        setJob(name, u"SUCCEEDED"_s, {task(0, u"SUCCEEDED"_s, 0)}, 0);
        QVERIFY(giveToken());
        QVERIFY(isIn(uuid, State::Succeeded));
    }

    // They go to the cluster in the document, and stay nowhere here.
    void secretsDoNotStay()
    {
        const QByteArray secret = "correct-horse-battery-staple";
        const QString uuid = submit(document(1, "secrets: {key: " + secret + "}\n"));
        const QString name = nameThere();
        QVERIFY(m_server->document(name).contains(secret));
        m_server->setLog("the secret is " + secret + "\n");
        setJob(name, u"SUCCEEDED"_s, {task(0, u"SUCCEEDED"_s, 0)}, 0);
        QVERIFY(isIn(uuid, State::Succeeded));
        QCOMPARE(m_engine->output(uuid, u"worker"_s, 0), QByteArray("the secret is ******\n"));
        QVERIFY(isNowhere({secret, OpenPaiServer::token}));
    }

    void refusedHere()
    {
        QVERIFY(submit(document(1, "extras: {trainyard: {data: {d: {from: /tmp}}}}\n")).isEmpty());
        QCOMPARE(m_engine->error().code, u"openpai.no-data"_s);
        QVERIFY(m_engine->engine().setSetting(u"openpaiUser.lab"_s, u"a b"_s));
        QVERIFY(submit(document()).isEmpty());
        QCOMPARE(m_engine->error().code, u"openpai.bad-user"_s);
        QVERIFY(m_engine->engine().setSetting(u"openpai.lab"_s, QJsonValue()));
        QVERIFY(submit(document()).isEmpty());
        QCOMPARE(m_engine->error().code, u"openpai.removed"_s);
    }

    void runsAgainAsAWhole()
    {
        const QString uuid = submit(document(2));
        setJob(nameThere(), u"FAILED"_s, {task(0, u"FAILED"_s, 255), task(1, u"STOPPED"_s, -220)}, 255);
        QVERIFY(isIn(uuid, State::Failed));
        RetryRequest part;
        part.uuid = uuid;
        part.tasks = {u"worker/0"_s};
        const Result<bool> refused = m_engine->engine().retry(part);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, u"openpai.retry-whole"_s);
        part.tasks.clear();
        QVERIFY(m_engine->engine().retry(part));
        const QString second = nameThere(1);
        QVERIFY2(second.endsWith("_a1"_L1), qPrintable(second));
        setJob(second, u"SUCCEEDED"_s, {task(0, u"SUCCEEDED"_s, 0), task(1, u"SUCCEEDED"_s, 0)}, 0);
        QVERIFY(isIn(uuid, State::Succeeded));
    }
};

TRAINYARD_TEST(TstOpenPai)
#include "tst_openpai.moc"
