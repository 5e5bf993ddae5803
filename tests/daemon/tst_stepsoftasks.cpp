// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/plugintests.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QDir>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What goes on around the commands of a task: its environment, the steps before and after, and the time for which it is
// held open.
class TstStepsOfTasks : public PluginTests
{
    Q_OBJECT

private Q_SLOTS:
    void environments();
    void environmentFails();
    void failedEnvironmentNamesItsSetting();
    void heldAfterFailure();
    void stepsInTheRuntimeLog();
    void failingPluginIsNamed();
};

void TstStepsOfTasks::environments()
{
    EngineFixture f;
    const QString venv = f.path(u"my venv"_s);
    QDir().mkpath(venv + u"/bin"_s);
    QFile activate(venv + u"/bin/activate"_s);
    QVERIFY(activate.open(QIODevice::WriteOnly));
    activate.write("export VIRTUAL_ENV=\"" + venv.toUtf8() + "\"\nexport PATH=\"$VIRTUAL_ENV/bin:$PATH\"\n");
    activate.close();
    const QByteArray source = "source \"" + venv.toUtf8() + "/bin/activate\"";
    f.setSettings({{u"hostEnvironment.local"_s, QString::fromUtf8(source)}});
    QVERIFY(f.open());
    const QByteArray role = EngineFixture::role("main", 1, {"echo \"=${VIRTUAL_ENV-none}=$OF_JOB=${PATH%%:*}\""});
    const QByteArray variable
        = "deployments: [{name: d, taskRoles: {main: {preCommands: ['OF_JOB=${OF_JOB-none}']}}}]\n"
          "defaults: {deployment: d}\n";
    const QString ofHost = f.submit(EngineFixture::document("a", role, variable));
    const QString ofJob = f.submit(EngineFixture::document(
        "b", role, variable + "extras: {trainyard: {environment: 'export OF_JOB=\"it is\"'}}\n"));
    const QString clean
        = f.submit(EngineFixture::document("c", role, variable + "extras: {trainyard: {environment: clean}}\n"));
    QVERIFY(!ofHost.isEmpty() && !ofJob.isEmpty() && !clean.isEmpty());
    QVERIFY(f.waitForEnd(ofHost) && f.waitForEnd(ofJob) && f.waitForEnd(clean));
    QVERIFY2(
        f.output(ofHost, u"main"_s, 0).contains(QByteArray('=' + venv.toUtf8() + "=none=" + venv.toUtf8() + "/bin")),
        f.output(ofHost, u"main"_s, 0));
    QVERIFY2(f.output(ofJob, u"main"_s, 0).contains("=none=it is="), f.output(ofJob, u"main"_s, 0));
    QVERIFY2(f.output(clean, u"main"_s, 0).contains("=none=none="), f.output(clean, u"main"_s, 0));
}

void TstStepsOfTasks::environmentFails()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("env", EngineFixture::role("main", 1, {"echo began"}),
        "extras: {trainyard: {environment: 'source /no/such/venv/bin/activate'}}\n"));
    QVERIFY(f.waitForEnd(uuid));
    const TaskInfo task = f.task(uuid, u"main"_s, 0);
    QCOMPARE(task.reason, u"exit.environment-of"_s);
    QCOMPARE(task.reasonArgs.value("about"_L1).toString(), u"extras.trainyard.environment"_s);
    QCOMPARE(task.exitCode.value_or(0), -2020);
    QVERIFY2(f.output(uuid, u"main"_s, 0).contains("/no/such/venv"), f.output(uuid, u"main"_s, 0));
    QVERIFY(!f.output(uuid, u"main"_s, 0).contains("began"));
}

// Every word is a legal command: only what comes of it shows that it was meant to be another one.
void TstStepsOfTasks::failedEnvironmentNamesItsSetting()
{
    EngineFixture f;
    f.setSettings({{u"environment.mode"_s, u"logn"_s}});
    QVERIFY(f.open());
    const QByteArray role = EngineFixture::role("main", 1, {"echo began"});
    const auto setBy
        = [&f](const QString &uuid) { return f.task(uuid, u"main"_s, 0).reasonArgs.value("about"_L1).toString(); };
    const QString ofAll = f.submit(EngineFixture::document("all", role));
    QVERIFY(f.waitForEnd(ofAll));
    QCOMPARE(f.task(ofAll, u"main"_s, 0).reason, u"exit.environment-of"_s);
    QCOMPARE(setBy(ofAll), u"environment.mode"_s);
    QVERIFY(f.engine().setSetting(u"hostEnvironment.local"_s, u"claen"_s));
    const QString ofHost = f.submit(EngineFixture::document("host", role));
    QVERIFY(f.waitForEnd(ofHost));
    QCOMPARE(setBy(ofHost), u"hostEnvironment.local"_s);
}

void TstStepsOfTasks::heldAfterFailure()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QByteArray hold = "extras: {trainyard: {holdAfterFailureMinutes: 5}}\n";
    const QString uuid = f.submit(
        EngineFixture::document("held", EngineFixture::role("main", 1, {"echo here >left", "exit 7"}), hold));
    QTRY_VERIFY_WITH_TIMEOUT(f.output(uuid, u"main"_s, 0).contains("held open for 5 minutes"), 10000);
    QTRY_COMPARE(f.job(uuid).state, State::Running); // the output may be here before the word of the start
    const QList<KeptTask> held = f.engine().job(uuid)->held;
    QCOMPARE(held.size(), 1);
    QCOMPARE(held.first().role, u"main"_s);
    QCOMPARE(held.first().status, 7);
    const qint64 left = held.first().until - QDateTime::currentMSecsSinceEpoch();
    QVERIFY2(left > 200'000 && left <= 300'000, QByteArray::number(left).constData());
    // Let go: the code is that of the commands.
    QCOMPARE(f.engine().release(uuid, {u"main/1"_s}).value_or(true), false);
    QCOMPARE(f.engine().release(uuid, {u"main/0"_s}).value_or(false), true);
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Failed);
    QCOMPARE(f.task(uuid, u"main"_s, 0).rawExit.value_or(0), 7);
    QVERIFY(f.engine().job(uuid)->held.isEmpty());
    // A stop does not wait, and success is not held.
    const QString stopped = f.submit(EngineFixture::document("stop", EngineFixture::role("main", 1, {"false"}), hold));
    QTRY_VERIFY_WITH_TIMEOUT(f.output(stopped, u"main"_s, 0).contains("held open"), 10000);
    QVERIFY(f.engine().stop(stopped));
    QVERIFY(f.waitForEnd(stopped));
    QCOMPARE(f.job(stopped).state, State::Stopped);
    const QString good = f.submit(EngineFixture::document("good", EngineFixture::role("main", 1, {"true"}), hold));
    QVERIFY(f.waitForEnd(good));
    QCOMPARE(f.job(good).state, State::Succeeded);
}

// What goes on around the commands is in one log in its order, also with its secrets hidden, and has an end.
void TstStepsOfTasks::stepsInTheRuntimeLog()
{
    EngineFixture f;
    QVERIFY(f.open());
    const auto callbacks = [](const QByteArray &name, const QByteArray &before, const QByteArray &after) -> QByteArray {
        return "  - name: " + name
            + "\n    protocolVersion: 2\n    type: script\n    plugin: com.microsoft.pai.runtimeplugin.cmd\n    "
              "callbacks:\n"
              "      - {event: taskStarts, commands: [\""
            + before + "\"]}\n"
            + (after.isEmpty() ? QByteArray() : "      - {event: taskSucceeds, commands: [\"" + after + "\"]}\n");
    };
    for (const bool withAfter : {true, false}) {
        const QByteArray yaml = EngineFixture::document("pre",
            EngineFixture::role("main", 1, {"echo user; echo oops >&2"}, "    prerequisites: [first, later]\n"),
            "prerequisites:\n  - {protocolVersion: 2, name: image, type: dockerimage, uri: \"example/image:1\"}\n"
                + callbacks("first", "echo 111", withAfter ? "echo 222" : "")
                + callbacks("later", "echo aaa; echo <% $secrets.word %> >&2", withAfter ? "echo bbb" : "")
                + "secrets: {word: s3cr3t-word}\n");
        const QString uuid = f.submit(yaml);
        QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
        QVERIFY(f.waitForEnd(uuid));
        QVERIFY(f.job(uuid).state == State::Succeeded);
        QByteArray lines;
        for (const QByteArray &line : f.runtimeLog(uuid, u"main"_s, 0).split('\n')) {
            const QByteArray rest = line.mid(line.indexOf("] ") + 2);
            if (rest.startsWith("[openpai-runtime] ")) {
                lines += rest.mid(18) + '\n';
            }
        }
        // The two outputs of a step come through two pipes: only their own orders are certain.
        QByteArray wanted = "[INFO] Starting to exec precommands\n111\naaa\n******\n[INFO] Precommands finished\n"
                            "[INFO] USER COMMAND START\n[INFO] USER COMMAND END\n";
        lines.replace("******\naaa\n", "aaa\n******\n");
        QCOMPARE(lines, QByteArray(wanted + (withAfter ? "bbb\n222\n" : "")));
        QByteArray output = f.output(uuid, u"main"_s, 0);
        for (const char *onErr : {"******\n", "oops\n"}) {
            QCOMPARE(output.count(onErr), 1);
            output.replace(onErr, "");
        }
        QCOMPARE(output, QByteArray("111\naaa\nuser\n") + (withAfter ? "bbb\n222\n" : ""));
    }
}

// One of several entries of a plugin; what has the same parameters is still another one.
void TstStepsOfTasks::failingPluginIsNamed()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("many", EngineFixture::role("main", 1, {"echo user"}),
        plugins({"{plugin: cmd, parameters: {preCommands: ['echo same']}}",
            "{plugin: cmd, taskroles: [other], parameters: {preCommands: ['echo never']}}",
            "{plugin: cmd, parameters: {preCommands: ['echo same']}}",
            "{plugin: cmd, failurePolicy: ignore, parameters: {preCommands: ['exit 3']}}",
            "{plugin: cmd, parameters: {preCommands: ['exit 4'], postCommands: ['echo post']}}"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    const TaskInfo task = f.task(uuid, u"main"_s, 0);
    QCOMPARE(task.reason, u"exit.step"_s);
    QCOMPARE(task.reasonArgs.value("step"_L1).toString(), u"cmd (5)"_s);
    QCOMPARE(task.reasonArgs.value("status"_L1).toInt(), 4);
    QCOMPARE(f.output(uuid, u"main"_s, 0), QByteArray("same\nsame\n"));
}

TRAINYARD_TEST(TstStepsOfTasks)
#include "tst_stepsoftasks.moc"
