// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/launchparts.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What the start of a try says of it wherever it runs.
class TstLaunchParts : public QObject
{
    Q_OBJECT

    static ActiveJob job()
    {
        ActiveJob made;
        made.spec = parseJob("protocolVersion: 2\nname: j\ntype: job\nprerequisites:\n"
                             "  - {protocolVersion: 2, name: image, type: dockerimage, uri: ubuntu}\n"
                             "taskRoles:\n  worker: {instances: 2, dockerImage: image, commands: [a],"
                             " resourcePerInstance: {cpu: 3, memoryMB: 7, gpu: 0}}\n")
                        .spec.value_or(JobSpec());
        made.state = core::newJob(QUuid::createUuid(), {}, core::policyOf(*made.spec), 0);
        made.state.roleStart = {0, 2};
        made.state.tasks.resize(2);
        core::Allocation place;
        place.host = u"a"_s;
        place.ports = {{u"http"_s, {20001, 20002}}, {u"ssh"_s, {20007}}};
        made.state.task({0, 1}).state = core::Launching{place};
        return made;
    }

private Q_SLOTS:
    void texts_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("empty") << QString();
        QTest::newRow("plain") << u"PAI_HOST_IP_worker_0=10.0.0.1"_s;
        QTest::newRow("others at the end") << u"/home/zoë"_s;
        QTest::newRow("beyond 16 bits") << u"🙂 x"_s;
        QTest::newRow("a zero") << u"a\0b"_s;
    }
    void texts()
    {
        QFETCH(QString, text);
        QCOMPARE(launchText(text), text.toStdString());
    }

    void whichTryItIs()
    {
        const ActiveJob of = job();
        const core::TaskRef task{0, 1};
        const QUuid tryUuid = core::tryUuid(of.state, task);
        const launch::LaunchInput input = inputOfTry(of, task, tryUuid, of.spec->taskRoles.first());
        QCOMPARE(input.cpu, 3);
        QCOMPARE(input.memoryMiB, 7);
        contract::Launch message;
        sayTry(message, of, task, input, {true, {}, {}}, Settings());
        QCOMPARE(message.plan.role, std::string("worker"));
        QCOMPARE(message.plan.index, 1);
        QCOMPARE(message.plan.tryUuid, tryUuid.toString(QUuid::WithoutBraces).toStdString());
        QVERIFY((message.plan.ports == std::vector<int>{20001, 20002, 20007}));
        QVERIFY(message.cleanEnvironment);
    }

    void limitOfTheLog_data()
    {
        QTest::addColumn<QByteArray>("settings");
        QTest::addColumn<qint64>("limit");
        QTest::newRow("none is set") << QByteArray("{}") << qint64(0); // the agent's own
        QTest::newRow("another one") << QByteArray(R"({"log.maxBytes": 12345678})") << qint64(12345678);
    }
    void limitOfTheLog()
    {
        QFETCH(QByteArray, settings);
        QTemporaryDir folder;
        QFile file(folder.filePath(u"engine.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(settings);
        file.close();
        Settings read(file.fileName());
        QVERIFY(read.reload());
        const ActiveJob of = job();
        contract::Launch message;
        sayTry(message, of, {0, 1}, {}, {}, read);
        QTEST(qint64(message.plan.limits.outputBytes), "limit");
    }

    void theProgram()
    {
        launch::LaunchPlan plan;
        plan.program.script = "echo hunter2222";
        plan.program.masked = "echo ******";
        plan.environment = {{u"A"_s, u"ä"_s}};
        plan.maskValues = {u"hunter2222"_s};
        contract::Launch message;
        sayProgram(message, plan);
        QVERIFY(!message.sealed && message.maskedScript.empty());
        plan.program.usesSecret = true;
        contract::Launch sealed;
        sayProgram(sealed, plan);
        QVERIFY(sealed.sealed);
        QCOMPARE(sealed.maskedScript, std::string("echo ******"));
        QCOMPARE(sealed.env.front().value, std::string("ä"));
        QCOMPARE(sealed.maskValues.front(), std::string("hunter2222"));
    }
};

TRAINYARD_TEST(TstLaunchParts)
#include "tst_launchparts.moc"
