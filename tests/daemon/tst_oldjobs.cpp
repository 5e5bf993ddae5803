// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/legacy.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QJsonDocument>
#include <QTcpServer>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What jobs of version 1 may ask for and others may not.
class TstOldJobs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void completedLimitOfVersion1();
    void fixedPortsOfVersion1();
    void fixedPortOfAnotherJob();
    void codeOfVersion1();
};

void TstOldJobs::completedLimitOfVersion1()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QByteArray roles = EngineFixture::role("first", 1, {"true"}, "    completion: {minSucceededInstances: -1}\n")
        + EngineFixture::role(
            "second", 2, {"[ $PAI_TASK_INDEX = 0 ] || sleep 60; exit 3"}, "    completion: {minFailedInstances: -1}\n");
    const auto submit = [&](const char *limit) {
        return f.submit(EngineFixture::document("old", roles,
            QByteArray("extras: {trainyard: {legacy: {killAllOnCompletedTaskNumber: ") + limit + "}}}\n"));
    };
    const QString one = submit("1");
    QVERIFY(f.waitForEnd(one));
    const QString two = submit("2");
    QVERIFY(f.waitForEnd(two));
    // Two of the three are over; the one that sleeps was ended.
    QCOMPARE(f.task(two, u"second"_s, 1).exitCode.value_or(0), -220);
    QCOMPARE(f.task(two, u"first"_s, 0).exitCode.value_or(-1), 0);
    QCOMPARE(f.task(two, u"second"_s, 0).exitCode.value_or(0), 255);
    QCOMPARE(f.task(one, u"second"_s, 1).exitCode.value_or(0), -220);
}

// beginAt: exactly these ports, or a word about who has them.
void TstOldJobs::fixedPortsOfVersion1()
{
    EngineFixture f({{u"retry.pauseSeconds"_s, 0}, {u"retry.freeCap"_s, 1}});
    QVERIFY(f.open());
    QTcpServer server; // knows a port that is free
    QVERIFY(server.listen(QHostAddress::LocalHost));
    const int port = server.serverPort();
    const auto submit = [&](int instances) {
        return f.submit(EngineFixture::document("old",
            EngineFixture::role("main", instances, {"echo $PAI_PORT_LIST_main_0_web"}, {},
                "{cpu: 1, memoryMB: 16, gpu: 0, ports: {web: 1}}"),
            "extras: {trainyard: {legacy: {roles: {main: {ports: {web: " + QByteArray::number(port) + "}}}}}}\n"));
    };
    const QString taken = submit(1);
    QVERIFY2(!taken.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(taken));
    QCOMPARE(f.job(taken).exitCode.value_or(0), 253);
    QCOMPARE(f.job(taken).reason, u"ports.fixed-busy"_s);
    QCOMPARE(f.job(taken).reasonArgs.value("port"_L1).toInt(), port);
    server.close();
    const QString one = submit(1);
    QVERIFY(f.waitForEnd(one));
    QCOMPARE(f.job(one).state, State::Succeeded);
    QCOMPARE(f.output(one, u"main"_s, 0), QByteArray(QByteArray::number(port) + '\n'));
    QVERIFY(submit(2).isEmpty()); // they could never start together
    QCOMPARE(f.error().code, u"refuse.ports"_s);
    QCOMPARE(f.error().args.value("port"_L1).toInt(), port);
}

// A port that a task of another job has is waited for, whether that job fixes it or drew it.
void TstOldJobs::fixedPortOfAnotherJob()
{
    EngineFixture f({{u"ports.first"_s, 21000}, {u"ports.last"_s, 21001}});
    QVERIFY(f.open());
    const auto submit = [&](const QByteArray &name, const QByteArray &command, int port) {
        const QByteArray fixed = "extras: {trainyard: {legacy: {roles: {main: {ports: {ssh: " + QByteArray::number(port)
            + ", http: " + QByteArray::number(port + 1) + "}}}}}}\n";
        return f.submit(
            EngineFixture::document(name, EngineFixture::role("main", 1, {command}), port > 0 ? fixed : QByteArray()));
    };
    const auto waits = [&](const QString &uuid, const QString &holder, const QList<int> &ports) {
        const qint64 number = f.job(holder).id;
        return f.waitFor(uuid, [number, ports](const JobSummary &job) {
            return job.state == State::Waiting && job.reason == u"wait.port"_s
                && job.reasonArgs.value("host"_L1).toString() == "local"_L1
                && ports.contains(job.reasonArgs.value("port"_L1).toInt())
                && job.reasonArgs.value("job"_L1).toInteger() == number;
        });
    };
    const auto whyOf = [&](const QString &uuid) {
        const JobSummary job = f.job(uuid);
        return QByteArray(job.reason.toUtf8() + ' ' + QJsonDocument(job.reasonArgs).toJson(QJsonDocument::Compact));
    };
    const QString go = f.path(u"go"_s);
    const auto until
        = [](const QString &path) { return QByteArray("while [ ! -e " + path.toUtf8() + " ]; do sleep 0.05; done"); };
    const QString first = f.submit(EngineFixture::document("first", EngineFixture::role("main", 1, {until(go)})));
    QVERIFY(f.waitFor(first, [](const JobSummary &job) { return job.state == State::Running; }));
    // It drew both of what there is to draw.
    const QString second = submit("second", "echo $PAI_CONTAINER_SSH_PORT; " + until(go + u".2"_s), 21000);
    QVERIFY2(!second.isEmpty(), qPrintable(f.error().code));
    QVERIFY2(waits(second, first, {21000, 21001}), whyOf(second).constData());
    const QString third = submit("third", "true", 21001);
    QVERIFY(f.waitFor(third, [](const JobSummary &job) { return !job.reason.isEmpty(); }));
    QVERIFY(QFile(go).open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(first));
    QVERIFY(f.waitFor(second, [](const JobSummary &job) { return job.state == State::Running; }));
    QVERIFY2(waits(third, second, {21001}), whyOf(third).constData()); // which fixes it
    QVERIFY(QFile(go + u".2"_s).open(QIODevice::WriteOnly));
    for (const QString &uuid : {second, third}) {
        QVERIFY(f.waitForEnd(uuid));
        QCOMPARE(f.job(uuid).state, State::Succeeded);
        QCOMPARE(f.job(uuid).retries, 0);
    }
    QVERIFY(f.output(second, u"main"_s, 0).startsWith("21000"));
}

// codeDir comes into the work folder under its name. Several tasks share that folder: none may see half of it.
void TstOldJobs::codeOfVersion1()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString code = f.path(u"my 'code'"_s);
    QVERIFY(QDir().mkpath(code + u"/deep"_s));
    constexpr int files = 1500;
    for (int i = 0; i < files; ++i) {
        QFile file(code + u"/deep/%1"_s.arg(i));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    const QByteArray old = R"({"jobName": "old", "image": "example/image:1", "codeDir": "CODE/",
        "taskRoles": [{"name": "main", "taskNumber": 6, "cpuNumber": 1, "memoryMB": 16, "gpuNumber": 0,
            "command": "false; ls \"my 'code'/deep\" | wc -l"}]})";
    const JobImport converted = importLegacyJob(QByteArray(old).replace("CODE", code.toUtf8()));
    QVERIFY(!converted.hasErrors());
    const QString uuid = f.submit(converted.yaml);
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    for (int i = 0; i < 6; ++i) {
        QCOMPARE(f.output(uuid, u"main"_s, i), QByteArray(QByteArray::number(files) + '\n'));
    }
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    QCOMPARE(QDir(f.path(u"work"_s)).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
        QStringList{u"my 'code'"_s});
}

TRAINYARD_TEST(TstOldJobs)
#include "tst_oldjobs.moc"
