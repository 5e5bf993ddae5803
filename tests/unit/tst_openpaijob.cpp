// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/openpaisettings.h"
#include "engine/clusters/openpaidocument.h"
#include "engine/clusters/openpaierrors.h"
#include "engine/clusters/openpaijob.h"
#include "engine/clusters/openpailog.h"
#include "engine/core/retry.h"
#include "model/base/httpanswer.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using openpai::Verdict;

// What an OpenPAI cluster is told, and what is made of its words.
class TstOpenPaiJob : public QObject
{
    Q_OBJECT

    static core::JobState job(int workers, qint64 minFailed = 1, qint64 minSucceeded = -1)
    {
        core::JobPolicy policy;
        core::RolePolicy role;
        role.name = u"worker"_s;
        role.instances = workers;
        role.minFailed = minFailed;
        role.minSucceeded = minSucceeded;
        policy.roles.push_back(role);
        const QUuid uuid(u"{11111111-2222-3333-4444-555555555555}"_s);
        return core::submitted(uuid, {}, policy, 1000).job;
    }
    // "state code launched completed", for each task.
    static openpai::JobThere there(const QString &state, int code, const QStringList &tasks)
    {
        openpai::JobThere job;
        job.state = state;
        job.exit.code = code;
        job.completed = 9000;
        for (qsizetype i = 0; i < tasks.size(); ++i) {
            const QStringList words = tasks.at(i).split(u' ');
            openpai::TaskThere task;
            task.role = u"worker"_s;
            task.index = int(i);
            task.state = words.at(0);
            task.exit.code = words.at(1).toInt();
            task.launched = words.at(2).toLongLong();
            task.completed = words.at(3).toLongLong();
            job.tasks.append(task);
        }
        return job;
    }

private Q_SLOTS:
    void addresses_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<bool>("isPlain");
        QTest::addColumn<QString>("result"); // an address or a code
        QTest::newRow("whole") << u"https://pai.example.org"_s << false << u"https://pai.example.org"_s;
        QTest::newRow("without its scheme") << u" pai.example.org/ "_s << false << u"https://pai.example.org"_s;
        QTest::newRow("with a path") << u"https://example.org/pai/"_s << false << u"https://example.org/pai"_s;
        QTest::newRow("plain") << u"http://pai.example.org"_s << false << u"openpai.plain-http"_s;
        QTest::newRow("plain, and allowed") << u"http://pai.example.org"_s << true << u"http://pai.example.org"_s;
        QTest::newRow("this computer") << u"http://127.0.0.1:8080"_s << false << u"http://127.0.0.1:8080"_s;
        QTest::newRow("this computer by name") << u"http://localhost"_s << false << u"http://localhost"_s;
        QTest::newRow("with a password") << u"https://ada:pw@example.org"_s << false << u"openpai.bad-address"_s;
        QTest::newRow("another scheme") << u"ftp://example.org"_s << false << u"openpai.bad-address"_s;
        QTest::newRow("nothing") << QString() << false << u"openpai.bad-address"_s;
    }
    void addresses()
    {
        QFETCH(QString, typed);
        QFETCH(bool, isPlain);
        const Result<QString> address = openPaiAddress(typed, isPlain);
        QTEST(address ? *address : address.error().code, "result");
    }

    void failures_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<Verdict>("verdict");
        QTest::addColumn<QString>("code");
        QTest::addColumn<bool>("isOfCluster");
        const auto row = [](int status, const char *said, Verdict verdict, const char *code, bool isOfCluster = true) {
            QTest::addRow("%d %s", status, said)
                << status << QByteArray(said) << verdict << QString::fromLatin1(code) << isOfCluster;
        };
        row(202, "", Verdict::Good, "");
        row(401, "UnauthorizedUserError", Verdict::Login, "openpai.unauthorized");
        row(400, "IncorrectPasswordError", Verdict::Login, "openpai.bad-password");
        row(403, "ForbiddenUserError", Verdict::Refused, "openpai.forbidden");
        row(403, "ForbiddenKeyError", Verdict::Refused, "openpai.forbidden");
        row(400, "NoVirtualClusterError", Verdict::Refused, "openpai.no-virtual-cluster");
        row(404, "NoUserError", Verdict::Refused, "openpai.no-user");
        row(404, "NoGroupError", Verdict::Refused, "openpai.refused");
        row(404, "NoStorageError", Verdict::Refused, "openpai.no-storage");
        row(404, "NoJobError", Verdict::Missing, "openpai.no-job");
        row(404, "NoJobConfigError", Verdict::Missing, "openpai.no-job");
        row(404, "NoJobSshInfoError", Verdict::Missing, "openpai.no-job");
        row(404, "NoTaskLogError", Verdict::Missing, "openpai.no-log");
        row(409, "ConflictJobError", Verdict::Conflict, "openpai.conflict");
        row(403, "ReadOnlyJobError", Verdict::Refused, "openpai.read-only");
        row(403, "NoEnoughQuotaError", Verdict::Refused, "openpai.quota");
        row(400, "BadConfigurationError", Verdict::Refused, "openpai.invalid");
        row(400, "InvalidParametersError", Verdict::Refused, "openpai.invalid");
        row(400, "InvalidProtocolError", Verdict::Refused, "openpai.invalid");
        row(404, "NoApiError", Verdict::Refused, "openpai.no-api");
        row(501, "NotImplementedError", Verdict::Refused, "openpai.no-api");
        row(500, "UnknownError", Verdict::Silent, "openpai.silent");
        row(404, "", Verdict::Refused, "openpai.no-api", false);
        row(404, "NOT_FOUND", Verdict::Refused, "openpai.no-api", false); // of a gateway
        row(404, "NoJobYetError", Verdict::Refused, "openpai.no-api"); // of a version to come
        row(409, "", Verdict::Silent, "openpai.silent");
        row(429, "", Verdict::Busy, "openpai.busy", false);
        row(503, "", Verdict::Busy, "openpai.busy", false);
        row(503, "UnknownError", Verdict::Busy, "openpai.busy");
        row(502, "", Verdict::Silent, "openpai.silent");
        row(413, "", Verdict::Refused, "openpai.too-large");
        row(418, "", Verdict::Refused, "openpai.refused", false);
        row(302, "", Verdict::Refused, "openpai.redirected", false);
    }
    void failures()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, said);
        const QJsonObject body{{u"code"_s, QString::fromLatin1(said)}, {u"message"_s, u"Why\n it is so."_s}};
        const openpai::Failure failure = openpai::failureOf(
            status, said.isEmpty() ? QByteArray("<html>") : QJsonDocument(body).toJson(), u"openpai:lab"_s);
        QTEST(failure.verdict, "verdict");
        QTEST(failure.isOfCluster, "isOfCluster");
        QTEST(failure.error.code, "code");
        if (failure.verdict != Verdict::Good) {
            QCOMPARE(failure.error.args.value("detail"_L1).toString(),
                said.isEmpty() ? u"HTTP %1"_s.arg(status) : u"Why it is so."_s);
        }
    }

    void answersThatBreakOff_data()
    {
        QTest::addColumn<QByteArray>("announced");
        QTest::addColumn<int>("received");
        QTest::addColumn<bool>("isBroken");
        QTest::newRow("all of it") << QByteArray("38") << 38 << false;
        QTest::newRow("nothing, as announced") << QByteArray("0") << 0 << false;
        QTest::newRow("half of it") << QByteArray("38") << 17 << true;
        QTest::newRow("none of it") << QByteArray("38") << 0 << true;
        QTest::newRow("nothing is announced") << QByteArray() << 17 << false;
        QTest::newRow("no number") << QByteArray("many") << 17 << false;
        QTest::newRow("more than announced") << QByteArray(" 3 ") << 17 << false;
    }
    void answersThatBreakOff()
    {
        QFETCH(QByteArray, announced);
        QFETCH(int, received);
        QTEST(brokeOff(announced, received), "isBroken");
    }

    void submissionsAreTaken()
    {
        QVERIFY(openpai::saysTaken("{\"message\":\"update job successfully\"}"));
        QVERIFY(!openpai::saysTaken("{\"message\":\"upda"));
        QVERIFY(!openpai::saysTaken("<html>"));
        QVERIFY(!openpai::saysTaken(""));
    }

    void retryAfter()
    {
        QCOMPARE(openpai::retryAfterMs("7", 0), 7000);
        QCOMPARE(openpai::retryAfterMs("-7", 0), 0);
        QCOMPARE(openpai::retryAfterMs("99999999", 0), 3'600'000);
        QCOMPARE(openpai::retryAfterMs("Thu, 01 Jan 1970 00:00:20 GMT", 5000), 15'000);
        QCOMPARE(openpai::retryAfterMs("soon", 0), -1);
        QCOMPARE(openpai::retryAfterMs("", 0), -1);
    }

    void names()
    {
        const QUuid uuid(u"{11111111-2222-3333-4444-555555555555}"_s);
        QCOMPARE(openpai::nameThere(u"train"_s, uuid, 0), u"train_111111112222"_s);
        QCOMPARE(openpai::nameThere(u"train"_s, uuid, 2), u"train_111111112222_a2"_s);
        QCOMPARE(openpai::nameThere(QString(300, u'x'), uuid, 0).size(), 255);
    }

    // Only what has to be another is another; all else stays, comments included.
    void documentIsEditedLittle()
    {
        const QByteArray yaml = "protocolVersion: 2 # ours\n"
                                "name: train\n"
                                "type: job\n"
                                "prerequisites:\n"
                                "  - name: image\n"
                                "    type: dockerimage\n"
                                "    uri: example/image:1\n"
                                "    auth:\n"
                                "      username: ada\n"
                                "      password: in the text\n"
                                "parameters:\n"
                                "  lr: 0.1 # often changed\n"
                                "  name: a\n"
                                "secrets:\n"
                                "  key: \"first\\nsecond: #x\"\n"
                                "taskRoles:\n"
                                "  worker:\n"
                                "    dockerImage: image\n"
                                "    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0}\n"
                                "    commands:\n"
                                "      - echo <% $secrets.key %>\n";
        JobSpec spec = *parseJob(yaml).spec;
        spec.parameters = Value(Value::Map{{u"lr"_s, Value(0.5)}, {u"name"_s, Value(u"a"_s)}});
        const Result<QByteArray> masked = maskSecrets(yaml);
        QVERIFY(masked && !masked->contains("second") && !masked->contains("in the text"));
        const Result<QByteArray> sent = openpai::documentFor({*masked, u"train_1"_s, u"vision"_s, &spec, {u"lr"_s}});
        QVERIFY2(sent, sent ? "" : qPrintable(sent.error().code));
        const ParseOutcome again = parseJob(*sent);
        QVERIFY2(again.canRun(), sent->constData());
        QCOMPARE(again.spec->name, u"train_1"_s);
        QCOMPARE(*again.spec->secrets.find(u"key"_s)->asString(), u"first\nsecond: #x"_s);
        QCOMPARE(*again.spec->parameters.find(u"lr"_s)->asDouble(), 0.5);
        QCOMPARE(again.spec->virtualCluster, u"vision"_s);
        QVERIFY2(again.spec->prerequisites.first().auth->password.contains("$secrets."_L1), sent->constData());
        QVERIFY2(sent->contains("in the text"), sent->constData()); // as that secret
        QVERIFY(sent->startsWith("protocolVersion: 2 # ours\nname: train_1\n"));
        QVERIFY(sent->contains("lr: 0.5 # often changed"));
        QVERIFY(!sent->contains("******"));
        // The default is the cluster's own.
        const Result<QByteArray> plain = openpai::documentFor({*masked, u"train_1"_s, u"default"_s, &spec, {}});
        QVERIFY(plain && !plain->contains("defaults"));
    }

    void jobsAreRead()
    {
        const QByteArray said
            = R"({"jobStatus":{"state":"RUNNING","executionType":"START","retries":2,"retryDetails":{"user":1,"platform":1},
                 "appExitCode":null,"attemptId":2,"retryDelayTime":null},
                "taskRoles":{"worker":{"taskStatuses":[{"taskIndex":1,"taskState":"RUNNING","retries":3,"attemptId":3,
                 "launchedTime":5000,"containerNodeName":"n1","containerIp":"10.0.0.1","containerExitCode":null}]}}})";
        const std::optional<openpai::JobThere> job = openpai::jobOf(QJsonDocument::fromJson(said).object());
        QVERIFY(job && !job->isFinal() && !job->exit.code && !job->retryDelaySec);
        QCOMPARE(job->userRetries, 1);
        QCOMPARE(job->attempt, 2);
        const openpai::TaskThere *task = job->task(u"worker"_s, 1);
        QVERIFY(task && task->hasBegun() && !job->task(u"worker"_s, 0));
        QCOMPARE(task->attempt, 3);
        QCOMPARE(task->node, u"n1"_s);
        QCOMPARE(job->retriesOf(u"worker"_s, 1), 5);
        QVERIFY(!openpai::jobOf({}));
        QVERIFY(!openpai::jobOf({{u"jobStatus"_s, QJsonObject{{u"state"_s, u"LOST"_s}}}}));
    }

    // Whatever a server says, they can be added.
    void countsAreLimited()
    {
        const auto job = openpai::jobOf(QJsonDocument::fromJson(
            R"({"jobStatus": {"state": "RUNNING", "retries": 2147483647, "attemptId": -3,
                "retryDetails": {"user": -1, "platform": 2147483647, "resource": 2147483647}},
                "taskRoles": {"w": {"taskStatuses": [{"taskIndex": 0, "taskState": "RUNNING", "retries": 2147483647}]}}})")
                                            .object());
        QVERIFY(job);
        QCOMPARE(job->attempt, 0);
        QCOMPARE(job->userRetries, 0);
        QCOMPARE(job->platformRetries, 2'000'000);
        QCOMPARE(job->retriesOf(u"w"_s, 0), 2'000'000);
    }

    void endsInWords_data()
    {
        QTest::addColumn<QByteArray>("status");
        QTest::addColumn<QString>("words");
        QTest::newRow("not over") << QByteArray(R"({"state":"RUNNING","appExitCode":null})") << QString();
        QTest::newRow("a code") << QByteArray(R"({"state":"FAILED","appExitCode":77})") << u"77"_s;
        QTest::newRow("what the cluster calls it")
            << QByteArray(R"({"state":"FAILED","appExitCode":77,"appExitSpec":{"phrase":"OddEnd"}})") << u"77 OddEnd"_s;
        QTest::newRow("the task that decided") << QByteArray(
            R"({"state":"FAILED","appExitCode":77,"appExitTriggerTaskRoleName":"worker",
                "appExitTriggerTaskIndex":1})") << u"77 (worker/1)"_s;
    }
    void endsInWords()
    {
        QFETCH(QByteArray, status);
        const auto job = openpai::jobOf(
            QJsonObject{{u"jobStatus"_s, QJsonDocument::fromJson(status).object()}, {u"taskRoles"_s, QJsonObject()}});
        QVERIFY(job);
        QTEST(openpai::endWords(*job), "words");
    }

    void ends_data()
    {
        QTest::addColumn<QString>("state");
        QTest::addColumn<int>("code");
        QTest::addColumn<QStringList>("tasks");
        QTest::addColumn<QList<int>>("codes");
        QTest::addColumn<bool>("isOverruled");
        QTest::newRow("all well") << u"SUCCEEDED"_s << 0 << QStringList{u"SUCCEEDED 0 1 5"_s, u"SUCCEEDED 0 1 6"_s}
                                  << QList<int>{0, 0} << false;
        QTest::newRow("the first failure decides")
            << u"FAILED"_s << 226 << QStringList{u"STOPPED -220 1 8"_s, u"FAILED 226 1 5"_s} << QList<int>{-220, 226}
            << false;
        QTest::newRow("the order of the ends counts")
            << u"FAILED"_s << 226 << QStringList{u"FAILED 255 1 7"_s, u"FAILED 226 1 5"_s} << QList<int>{255, 226}
            << false;
        QTest::newRow("never begun") << u"FAILED"_s << -1100 << QStringList() << QList<int>{-220, -220} << true;
        QTest::newRow("its own rules") << u"FAILED"_s << 251
                                       << QStringList{u"STOPPED -220 0 5"_s, u"STOPPED -220 0 5"_s}
                                       << QList<int>{-220, -220} << true;
        QTest::newRow("stopped") << u"STOPPED"_s << -210 << QStringList{u"STOPPED -220 1 5"_s, u"SUCCEEDED 0 1 4"_s}
                                 << QList<int>{-220, 0} << false;
    }
    void ends()
    {
        QFETCH(QString, state);
        QFETCH(int, code);
        QFETCH(QStringList, tasks);
        QFETCH(bool, isOverruled);
        core::JobState ours = job(2);
        const openpai::Ends ends = openpai::endsOf(there(state, code, tasks), ours, u"openpai:lab"_s);
        QList<int> codes;
        for (const core::event::TryEnded &each : ends.tries) {
            codes.append(each.result.code);
            // The core must not take a failure without words for one that it may try again.
            QVERIFY(each.result.code == 0 || core::isStopCode(each.result.code) || !each.result.reason.isEmpty());
        }
        QTEST(codes, "codes");
        QCOMPARE(ends.overruled.has_value(), isOverruled);
        QCOMPARE(ends.isStopped, state == "STOPPED"_L1);
        if (ends.overruled) {
            QCOMPARE(ends.overruled->code, code);
            QVERIFY(!ends.overruled->reason.isEmpty());
        }
    }

    void policyDecides()
    {
        const core::JobState ours = job(3, 2, 2);
        const auto codeOf = [&ours](const QStringList &tasks) {
            const openpai::Ends ends = openpai::endsOf(there(u"FAILED"_s, 1, tasks), ours, {});
            return openpai::codeOfTries(ours.policy, ends.tries);
        };
        QCOMPARE(codeOf({u"FAILED 3 1 1"_s, u"FAILED 4 1 2"_s, u"SUCCEEDED 0 1 3"_s}), 4);
        QCOMPARE(codeOf({u"FAILED 3 1 1"_s, u"SUCCEEDED 0 1 2"_s, u"SUCCEEDED 0 1 3"_s}), 0);
        QCOMPARE(codeOf({u"FAILED 3 1 1"_s, u"STOPPED -220 1 2"_s, u"SUCCEEDED 0 1 3"_s}), 0);
    }

    void words()
    {
        const QJsonArray all{QJsonObject{{u"type"_s, u"Warning"_s}, {u"message"_s, u"new"_s},
                                 {u"lastTimestamp"_s, u"2026-01-02T00:00:00Z"_s}},
            QJsonObject{
                {u"type"_s, u"Warning"_s}, {u"message"_s, u"old"_s}, {u"lastTimestamp"_s, u"2026-01-01T00:00:00Z"_s}},
            QJsonObject{{u"type"_s, u"Normal"_s}, {u"message"_s, u"pulled"_s},
                {u"lastTimestamp"_s, u"2026-01-03T00:00:00Z"_s}}};
        QCOMPARE(openpai::waitWords({{u"data"_s, all}}), u"new"_s);
        QVERIFY(openpai::waitWords({}).isEmpty());
    }

    // A server may add a line feed that is none of the file's.
    void growingText()
    {
        GrowingText text;
        QCOMPARE(*text.whole("one\n"), QByteArray("one"));
        QCOMPARE(*text.whole("one\n"), QByteArray());
        QCOMPARE(*text.whole("one more\n"), QByteArray(" more"));
        QCOMPARE(*text.whole("one more\ntwo\n"), QByteArray("\ntwo"));
        QCOMPARE(text.taken(), 12);
        QCOMPARE(text.more("\nthree\n"), QByteArray("\nthree"));
        QVERIFY(!text.whole("another file"));
        // Not known in it: from the begin of a line, as the one before may be the rest of a secret.
        QCOMPARE(text.end("wo\nthree\nfour"), QByteArray("\nthree\nfour"));
        QCOMPARE(text.end("one more\ntwo\nthreethree\nfour\nfive\n"), QByteArray("\nfive"));
        QCOMPARE(text.end("of one line"), QByteArray());
        QCOMPARE(text.rest(), QByteArray("\n"));
        QCOMPARE(text.rest(), QByteArray());
        text.restart();
        QCOMPARE(*text.whole("new"), QByteArray("new"));
    }
};

TRAINYARD_TEST(TstOpenPaiJob)
#include "tst_openpaijob.moc"
