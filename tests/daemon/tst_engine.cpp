// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/paths.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QSignalSpy>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Jobs on this computer, from their submission to their end.
class TstEngine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runsASimpleJob();
    void refusesWhatIsWrong();
    void lockIsExclusive();
    void rolesAndEnvironment();
    void prerequisitesInOrder();
    void strictJobs();
    void deploymentCommands();
    void failingTaskEndsTheJob();
    void causeFarBack();
    void completionStopsTheServer();
    void pipesForItsFiles();
    void missingFolderHasACode();
    void slowLoginShellIsTold();
    void planOfAFullGroup();
};

void TstEngine::runsASimpleJob()
{
    EngineFixture f;
    QVERIFY(f.open());
    QSignalSpy changed(&f.engine(), &Engine::jobChanged);
    QSignalSpy idle(&f.engine(), &Engine::idleChanged);
    QVERIFY(f.engine().isIdle());
    const QString uuid = f.submit(
        EngineFixture::document("simple", EngineFixture::role("main", 1, {"echo hello", "echo problem >&2", "pwd"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(!f.engine().isIdle());
    QVERIFY(f.waitForEnd(uuid));
    const JobSummary job = f.job(uuid);
    QCOMPARE(job.state, State::Succeeded);
    QCOMPARE(job.exitCode, std::optional<int>(0));
    QCOMPARE(job.id, 1);
    QCOMPARE(job.counts.succeeded, 1);
    QVERIFY(job.launched && job.completed && *job.completed >= *job.launched && *job.launched >= job.submitted);
    QTRY_VERIFY(f.engine().isIdle());
    QVERIFY(!changed.isEmpty());
    QCOMPARE(changed.last().first().value<JobSummary>().state, State::Succeeded);
    QCOMPARE(idle.size(), 2);
    const TaskInfo task = f.task(uuid, u"main"_s, 0);
    QCOMPARE(task.state, State::Succeeded);
    QCOMPARE(task.host, u"local"_s);
    QCOMPARE(task.rawExit, std::optional<int>(0));
    const QByteArray log = f.output(uuid, u"main"_s, 0);
    QVERIFY2(log.contains("hello\n") && log.contains("problem\n"), log.constData());
    QVERIFY2(log.contains(QByteArray(f.path(u"work"_s).toUtf8() + '\n')), log.constData());
    QVERIFY(task.logFolder.startsWith(f.path(u"state/runs/"_s) + uuid + u"/0/main-0/0"_s));
    const Result<JobDetail> detail = f.engine().job(uuid);
    QVERIFY(detail);
    QCOMPARE(detail->attempts.size(), 1);
    QVERIFY(detail->yaml.contains("echo hello"));
    QCOMPARE(f.engine().findJob(u"#1"_s)->uuid, uuid);
    QCOMPARE(f.engine().findJob(u"simple"_s)->uuid, uuid);
    QCOMPARE(f.engine().jobs()->size(), 1);
}

void TstEngine::refusesWhatIsWrong()
{
    EngineFixture f;
    QVERIFY(f.open());
    QVERIFY(f.submit("name: [").isEmpty());
    QCOMPARE(f.error().code, u"job.invalid"_s);
    const QJsonArray found = f.error().args.value(u"diagnostics").toArray();
    QVERIFY(!found.isEmpty());
    QVERIFY(found.first()[u"line"].toInt() >= 1);
    QVERIFY(f.submit(QByteArray("\xff\xfe", 2)).isEmpty());
    QCOMPARE(f.error().code, u"job.invalid"_s);
    QVERIFY(f.submit({}).isEmpty());
    const QByteArray good = EngineFixture::document("x", EngineFixture::role("main", 1, {"true"}));
    SubmitRequest nowhere;
    nowhere.target = u"nowhere"_s;
    QVERIFY(f.submit(good, nowhere).isEmpty());
    QCOMPARE(f.error().code, u"host.unknown"_s);
    SubmitRequest lost;
    lost.work = f.path(u"not-there"_s);
    QVERIFY(f.submit(good, lost).isEmpty());
    QCOMPARE(f.error().code, u"job.work-missing"_s);
    QFile file(f.path(u"file"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    lost.work = file.fileName();
    QVERIFY(f.submit(good, lost).isEmpty());
    QCOMPARE(f.error().code, u"job.work-no-folder"_s);
    for (const QString &own : {f.path(u"state"_s), paths::runtimeFolder()}) {
        QVERIFY(QDir().mkpath(own + u"/below"_s));
        for (const QString &folder : {own, QString(own + u"/below/"_s)}) {
            lost.work = folder;
            QVERIFY(f.submit(good, lost).isEmpty());
            QCOMPARE(f.error().code, u"job.work-own"_s);
        }
    }
    QVERIFY(f.engine().isIdle());
    QVERIFY(f.engine().jobs()->isEmpty());
    QCOMPARE(f.engine().stop(u"no-such"_s).error().code, u"job.unknown"_s);
}

void TstEngine::lockIsExclusive()
{
    EngineFixture f;
    QVERIFY(f.open());
    const auto second = Engine::open(f.options());
    QVERIFY(!second);
    QCOMPARE(second.error().code, u"engine.already-running"_s);
    f.close();
    QVERIFY(f.open());
}

void TstEngine::rolesAndEnvironment()
{
    EngineFixture f;
    QVERIFY(f.open());
    SubmitRequest request;
    request.parameters.insert(u"rate"_s, u"0.5"_s);
    const QString uuid = f.submit(
        EngineFixture::document("roles",
            EngineFixture::role("ps", 1,
                {"env | sort", "echo rate=<% $parameters.rate %>",
                    "echo peer=$PAI_HOST_IP_worker_1:$PAI_PORT_LIST_worker_1_http"})
                + EngineFixture::role("worker", 2,
                    {"echo I am $PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX of $PAI_TASK_ROLE_TASK_COUNT_worker",
                        "echo http=$PAI_CONTAINER_HOST_http_PORT_LIST"}),
            "parameters: {rate: 0.1}\n"),
        request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    const QByteArray ps = f.output(uuid, u"ps"_s, 0);
    QVERIFY2(ps.contains("PYTHONUNBUFFERED=1\n"), ps.constData());
    QVERIFY(ps.contains("rate=0.5\n"));
    QVERIFY(ps.contains("TRAINYARD_TRY="));
    QVERIFY(ps.contains("PAI_TASKS_NUM=3\n") || ps.contains("PAI_JOB_TASK_COUNT=3\n"));
    QVERIFY(ps.contains(QByteArray("PAI_WORK_DIR=" + f.path(u"work"_s).toUtf8() + '\n')));
    QVERIFY(ps.contains("~roles\n"));
    const QByteArray one = f.output(uuid, u"worker"_s, 1);
    QVERIFY2(one.contains("I am 1 of 2\n"), one.constData());
    const TaskInfo worker = f.task(uuid, u"worker"_s, 1);
    int http = 0;
    for (const auto &[label, ports] : worker.ports) {
        http = label == u"http"_s ? ports.first() : http;
    }
    QVERIFY(http > 0);
    QVERIFY2(ps.contains(QByteArray("peer=127.0.0.1:" + QByteArray::number(http) + '\n')), ps.constData());
    QVERIFY(one.contains(QByteArray("http=" + QByteArray::number(http) + '\n')));
}

void TstEngine::prerequisitesInOrder()
{
    EngineFixture f;
    QVERIFY(f.open());
    const auto step = [](const QByteArray &name, const QByteArray &more) -> QByteArray {
        return "  - name: " + name
            + "\n    protocolVersion: 2\n    type: script\n    uri: \"-\"\n"
              "    plugin: com.microsoft.pai.runtimeplugin.cmd\n"
            + more + "    callbacks:\n      - event: taskStarts\n        commands: [\"echo start-" + name
            + " >> order\", \"export FROM_" + name.toUpper()
            + "=1\"]\n      - event: taskSucceeds\n        commands: [\"echo end-" + name + " >> order\"]\n";
    };
    const QString uuid = f.submit(EngineFixture::document("order",
        EngineFixture::role("main", 1, {"echo user $FROM_A $FROM_B >> order"}, "    prerequisites: [b]\n"),
        "prerequisites:\n  - {protocolVersion: 2, name: image, type: dockerimage, uri: \"example/image:1\"}\n"
            + step("a", {}) + step("b", "    require: [a]\n")));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    QCOMPARE(
        EngineFixture::contents(f.path(u"work/order"_s)), QByteArray("start-a\nstart-b\nuser 1 1\nend-b\nend-a\n"));
}

// What OpenPAI's runtime does, with nothing of ours added; beside it the same job as it runs otherwise.
void TstEngine::strictJobs()
{
    EngineFixture f;
    QVERIFY(f.open());
    const auto step = [](const QByteArray &name, const QByteArray &more) -> QByteArray {
        return "  - {protocolVersion: 2, name: " + name + ", type: script, " + more + "}\n";
    };
    const QByteArray cmd = "plugin: com.microsoft.pai.runtimeplugin.cmd, ";
    const auto says = [](const QByteArray &event, const QByteArray &command) -> QByteArray {
        return "callbacks: [{event: " + event + ", commands: ['" + command + "']}]";
    };
    const QByteArray prerequisites
        = "prerequisites:\n  - {protocolVersion: 2, name: image, type: dockerimage, uri: \"example/image:1\"}\n"
        + step("base", cmd + says("taskStarts", "echo base"))
        + step("a", cmd + "require: [base], " + says("taskStarts", "echo a; export FROM_A=1"))
        + step("noplugin", says("taskStarts", "echo noplugin"))
        + step("alias", cmd + says("containerStart", "echo alias")) + step("fails", cmd + says("taskStarts", "exit 7"));
    const QByteArray plugin = "extras:\n  com.microsoft.pai.runtimeplugin:\n"
                              "    - {plugin: cmd, parameters: {preCommands: ['echo plugin ${FROM_A-none}']}}\n";
    const QByteArray strict = "  trainyard: {strict: true}\n";
    const auto run = [&](const QByteArray &name, const QByteArray &roles, bool isStrict) {
        const QString uuid = f.submit(
            EngineFixture::document(name, roles, prerequisites + plugin + (isStrict ? strict : QByteArray())));
        return !uuid.isEmpty() && f.waitForEnd(uuid) ? uuid : QString();
    };
    const QByteArray order
        = EngineFixture::role("main", 1, {"echo user ${FROM_A-none} $PAI_CURRENT_TASK_ROLE_MIN_SUCCEEDED_TASK_COUNT"},
            "    prerequisites: [a, noplugin, alias]\n");
    QString uuid = run("order", order, true);
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QCOMPARE(f.output(uuid, u"main"_s, 0), QByteArray("a\nplugin none\nuser none 1\n"));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    uuid = run("ours", order, false);
    QCOMPARE(f.output(uuid, u"main"_s, 0), QByteArray("base\na\nnoplugin\nalias\nplugin 1\nuser 1 -1\n"));

    const QByteArray failing = EngineFixture::role("main", 1, {"echo user"}, "    prerequisites: [fails]\n");
    uuid = run("failing", failing, true);
    TaskInfo task = f.task(uuid, u"main"_s, 0);
    QCOMPARE(task.exitCode.value_or(0), 255);
    QCOMPARE(task.reason, u"exit.step"_s); // and it is still told which one it was
    QCOMPARE(task.reasonArgs.value("step"_L1).toString(), u"fails"_s);
    uuid = run("failing", failing, false);
    QCOMPARE(f.task(uuid, u"main"_s, 0).exitCode.value_or(0), -2020);

    // The first role that has succeeded ends the job.
    const QByteArray two = EngineFixture::role("first", 1, {"true"})
        + EngineFixture::role("second", 1, {"if [ $STRICT = 1 ]; then sleep 100; fi"});
    uuid = run("two", QByteArray(two).replace("$STRICT", "1"), true);
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    QCOMPARE(f.task(uuid, u"second"_s, 0).exitCode.value_or(0), -220);
    uuid = run("two", QByteArray(two).replace("$STRICT", "0"), false);
    QCOMPARE(f.task(uuid, u"second"_s, 0).exitCode.value_or(-1), 0);
}

void TstEngine::deploymentCommands()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid
        = f.submit(EngineFixture::document("deployed", EngineFixture::role("main", 1, {"echo user $SHARED"}),
            "deployments:\n  - name: prod\n    taskRoles:\n      main:\n        preCommands: [\"SHARED=yes\", \"echo "
            "before\"]\n"
            "        postCommands: [\"echo after\"]\ndefaults: {deployment: prod}\n"));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.output(uuid, u"main"_s, 0), QByteArray("before\nuser yes\nafter\n"));
}

void TstEngine::failingTaskEndsTheJob()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("failing",
        EngineFixture::role("bad", 1, {"sleep 0.2", "exit 3"}) + EngineFixture::role("long", 2, {"sleep 600"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    const JobSummary job = f.job(uuid);
    QCOMPARE(job.state, State::Failed);
    QCOMPARE(job.exitCode, std::optional<int>(255));
    QCOMPARE(job.reason, u"exit.user"_s);
    QCOMPARE(job.reasonArgs.value(u"role").toString(), u"bad"_s);
    QCOMPARE(f.task(uuid, u"bad"_s, 0).rawExit, std::optional<int>(3));
    QCOMPARE(f.task(uuid, u"long"_s, 1).state, State::Stopped);
    QCOMPARE(f.task(uuid, u"long"_s, 1).exitCode, std::optional<int>(-220));
}

// What makes the code may stand megabytes before the end of the output.
void TstEngine::causeFarBack()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("talks",
        EngineFixture::role("main", 1,
            {"echo 'E0 RESOURCE_EXHAUSTED: Out of memory'", "head -c 6000000 /dev/zero | tr '\\0' x | fold -w 99",
                "exit 1"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).exitCode, std::optional<int>(226));
    QCOMPARE(f.task(uuid, u"main"_s, 0).reasonArgs.value(u"finding"_s).toString(), u"gpu-memory"_s);
}

void TstEngine::completionStopsTheServer()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("workers",
        EngineFixture::role(
            "ps", 1, {"sleep 600"}, "    completion: {minFailedInstances: 1, minSucceededInstances: -1}\n")
            + EngineFixture::role(
                "worker", 2, {"true"}, "    completion: {minFailedInstances: 1, minSucceededInstances: 2}\n")));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    QCOMPARE(f.task(uuid, u"ps"_s, 0).state, State::Stopped);
}

// A task that puts a pipe where the engine reads holds up nobody, and its end is known.
void TstEngine::pipesForItsFiles()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QByteArray folder = f.path(u"state/runs"_s).toUtf8() + "/*/0/main-0/0";
    const QString uuid = f.submit(EngineFixture::document("pipes",
        EngineFixture::role("main", 1,
            {"cd " + folder, "rm -f runtime.log output.idx", "mkfifo runtime.log output.idx", "echo up", "exit 3"})));
    QVERIFY(!uuid.isEmpty());
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Failed);
    QCOMPARE(f.task(uuid, u"main"_s, 0).rawExit, std::optional<int>(3));
    QVERIFY2(f.output(uuid, u"main"_s, 0).contains("up"), "the script has not made the pipes");
}

void TstEngine::missingFolderHasACode()
{
    EngineFixture f;
    QVERIFY(f.open());
    SubmitRequest request;
    QDir().mkpath(f.path(u"gone"_s));
    request.work = f.path(u"gone"_s);
    request.file = f.path(u"work/job.yaml"_s);
    // It is there when the job is submitted, and gone when its second attempt starts.
    const QString uuid = f.submit(
        EngineFixture::document("gone",
            EngineFixture::role("main", 1, {"rmdir " + f.path(u"gone"_s).toUtf8(), "false"}), "jobRetryCount: 1\n"),
        request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Failed);
    const TaskInfo task = f.task(uuid, u"main"_s, 0);
    QVERIFY2(task.reason.contains(u"cwd"_s), qPrintable(task.reason));
}

// Tasks have another environment then, so perhaps another Python: the host and they say so.
void TstEngine::slowLoginShellIsTold()
{
    EngineFixture f({{u"environment.loginSeconds"_s, 1}, {u"environment.mode"_s, u"login"_s}});
    QFile shell(f.path(u"slowshell"_s));
    QVERIFY(shell.open(QIODevice::WriteOnly));
    shell.write("#!/bin/sh\nexec sleep 100\n");
    shell.close();
    QVERIFY(shell.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const QByteArray before = qgetenv("SHELL");
    qputenv("SHELL", QFile::encodeName(shell.fileName()));
    const auto restore = qScopeGuard([&] { qputenv("SHELL", before); });
    QVERIFY(f.open());
    const HostInfo host = f.engine().hosts().constFirst();
    QCOMPARE(host.state, HostState::Online);
    QCOMPARE(host.error, u"env.login-timeout"_s);
    QCOMPARE(host.errorArgs.value(u"seconds").toInt(), 1);
    const QString uuid = f.submit(
        EngineFixture::document("slow", EngineFixture::role("main", 1, {"until [ -e go ]; do sleep 0.05; done"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitFor(uuid, [](const JobSummary &job) { return job.state == State::Running; }));
    QCOMPARE(f.task(uuid, u"main"_s, 0).reason, u"env.login-timeout"_s);
    QCOMPARE(f.job(uuid).reason, u"env.login-timeout"_s);
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    QCOMPARE(f.job(uuid).reason, QString());
    QVERIFY(f.runtimeLog(uuid, u"main"_s, 0).contains("login shell took longer than 1 s"));
}

// A preview says what the submission would: that as many jobs of its group run as may.
void TstEngine::planOfAFullGroup()
{
    EngineFixture f;
    QVERIFY(f.open());
    SubmitRequest request;
    request.group = u"sweep"_s;
    request.groupLimit = 1;
    const QString first = f.submit(EngineFixture::job("first", {"until [ -e go ]; do sleep 0.05; done"}), request);
    QVERIFY2(!first.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitFor(first, [](const JobSummary &job) { return job.state == State::Running; }));
    request.yaml = EngineFixture::job("second", {"true"});
    Result<PlanReply> plan = f.engine().plan(request);
    QVERIFY2(plan, qPrintable(plan ? QString() : plan.error().code));
    QCOMPARE(plan->waitReason, u"wait.group"_s);
    QCOMPARE(plan->waitArgs.value("group"_L1).toString(), u"sweep"_s);
    request.groupLimit = 0; // without one of its own, it keeps to that of the group
    plan = f.engine().plan(request);
    QVERIFY(plan);
    QCOMPARE(plan->waitReason, u"wait.group"_s);
    request.groupLimit = 2;
    plan = f.engine().plan(request);
    QVERIFY(plan);
    QCOMPARE(plan->waitReason, QString());
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(first));
}

TRAINYARD_TEST(TstEngine)
#include "tst_engine.moc"
