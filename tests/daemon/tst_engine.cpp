// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/paths.h"
#include "engine/contract/taskfolder.h"
#include "tests/daemon/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSet>
#include <QSignalSpy>

#include <signal.h>
#include <sys/mount.h>
#include <unistd.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

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
    void jobIsTriedAgain();
    void taskIsTriedAgainWithoutGang();
    void stopsWhatIgnoresTermination();
    void stopWhileWaiting();
    void gpusAreAGate();
    void impossibleIsRefused();
    void portsAreDistinct();
    void morePortsThanAFrameHolds();
    void secretsStayOffTheDisk();
    void missingFolderHasACode();
    void slowLoginShellIsTold();
    void removesAJob();
    void namedLikeAnother();
    void runsAgain();
    void passwordOfAnImage();
    void emptySecretsAreAskedFor();
    void secretsTakenOutAsAWhole();
    void runsFailedTasksAgain();
    void queueIsMovedByHand();
    void tellsOfGrowingLogs();
    void manyTasksOfOneJob();
    void outlineIsOfAllTasks();
    void sameNameAgain();
    void storeIsReadAgain();
    void fullDiskLosesNothing();
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

void TstEngine::jobIsTriedAgain()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("again",
        EngineFixture::role("main", 1, {"echo try >> tries", "test $(wc -l < tries) -ge 3"}), "jobRetryCount: 2\n"));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    const JobSummary job = f.job(uuid);
    QCOMPARE(job.state, State::Succeeded);
    QCOMPARE(job.retries, 2);
    QCOMPARE(EngineFixture::contents(f.path(u"work/tries"_s)), QByteArray("try\ntry\ntry\n"));
    QCOMPARE(f.engine().job(uuid)->attempts.size(), 3);
    QCOMPARE(f.engine().job(uuid)->attempts.first().exitCode, std::optional<int>(255));
    QCOMPARE(f.task(uuid, u"main"_s, 0, 0).state, State::Failed);
    QVERIFY(f.task(uuid, u"main"_s, 0, 1).logFolder.contains(u"/1/main-0/0"_s));
    QVERIFY(QFileInfo(f.task(uuid, u"main"_s, 0, 1).logFolder).isDir());
}

void TstEngine::taskIsTriedAgainWithoutGang()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("nogang",
        EngineFixture::role("main", 2,
            {"echo try >> tries-$PAI_TASK_INDEX", "test $PAI_TASK_INDEX = 0 || test $(wc -l < tries-1) -ge 2"},
            "    taskRetryCount: 1\n"),
        "extras: {gangAllocation: false}\n"));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    QCOMPARE(f.job(uuid).retries, 0);
    const TaskInfo last = f.task(uuid, u"main"_s, 1);
    QCOMPARE(last.tries, 1);
    QVERIFY(last.logFolder.endsWith(u"/main-1/1"_s));
    // What the first try was is still told.
    const Result<QList<TaskInfo>> earlier = f.engine().earlierTries(uuid);
    QVERIFY(earlier);
    QCOMPARE(earlier->size(), 1);
    const TaskInfo &first = earlier->first();
    QCOMPARE(first.index, 1);
    QCOMPARE(first.tries, 0);
    QCOMPARE(first.state, State::Failed);
    QCOMPARE(first.rawExit.value_or(0), 1);
    QCOMPARE(first.host, last.host);
    QVERIFY(first.usage.cpuMs && first.usage.peakMemoryMiB);
    QVERIFY(first.launched && first.completed && *first.launched <= *first.completed);
    QVERIFY(*first.completed <= last.completed.value_or(0));
    QVERIFY(first.logFolder.endsWith(u"/main-1/0"_s) && QFileInfo(first.logFolder).isDir());
}

void TstEngine::stopsWhatIgnoresTermination()
{
    EngineFixture f({{u"stop.graceSeconds"_s, 1}});
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document(
        "stubborn", EngineFixture::role("main", 1, {"trap '' TERM", "echo ready", "while true; do sleep 0.05; done"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(QTest::qWaitFor([&] { return f.output(uuid, u"main"_s, 0).contains("ready"); }, 10000));
    QVERIFY(f.waitFor(uuid, [](const JobSummary &job) { return job.state == State::Running; }));
    const TaskInfo running = f.task(uuid, u"main"_s, 0);
    QVERIFY(running.pid > 0);
    QCOMPARE(f.engine().stop(uuid), Result<bool>(true));
    QCOMPARE(f.engine().stop(uuid), Result<bool>(false));
    QVERIFY(f.job(uuid).stopRequested);
    QCOMPARE(f.job(uuid).state, State::Stopping);
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Stopped);
    QCOMPARE(f.job(uuid).exitCode, std::optional<int>(-210));
    QCOMPARE(f.task(uuid, u"main"_s, 0).exitCode, std::optional<int>(-220));
    QVERIFY(!contract::identityOf(running.pid));
}

void TstEngine::stopWhileWaiting()
{
    EngineFixture f({{u"retry.pauseSeconds"_s, 3600}});
    QVERIFY(f.open());
    // A transient failure makes it rest for an hour.
    const QString uuid
        = f.submit(EngineFixture::document("resting", EngineFixture::role("main", 1, {"kill -KILL $$"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitFor(uuid, [](const JobSummary &job) { return job.retryDelaySec.has_value(); }));
    QCOMPARE(f.job(uuid).state, State::Waiting);
    QCOMPARE(f.job(uuid).reason, u"wait.retry"_s);
    QCOMPARE(f.job(uuid).reasonArgs.value(u"number").toInt(), 1);
    QCOMPARE(f.job(uuid).reasonArgs.value(u"limit").toInt(), 10);
    QCOMPARE(f.job(uuid).reasonArgs.value(u"code").toInt(), 137);
    QCOMPARE(f.engine().stop(uuid), Result<bool>(true));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Stopped);
}

void TstEngine::gpusAreAGate()
{
    EngineFixture f;
    // Two GPUs of this test's own: locks on GPUs are shared by all users of a host.
    const QByteArray unique = QByteArray::number(qint64(::getpid()));
    QDir().mkpath(f.path(u"bin"_s));
    QFile fake(f.path(u"bin/nvidia-smi"_s));
    QVERIFY(fake.open(QIODevice::WriteOnly));
    fake.write("#!/bin/sh\ncase \"$*\" in\n*compute-apps*) exit 0;;\n*query-gpu*) while true; do\n"
               "echo '0, GPU-test-"
        + unique
        + "-0, Fake, 8192, 1, 0, 30, 10.0'\n"
          "echo '1, GPU-test-"
        + unique
        + "-1, Fake, 8192, 1, 0, 30, 10.0'\n"
          "case \"$*\" in *-lms*) sleep 1;; *) exit 0;; esac; done;;\nesac\n");
    fake.close();
    fake.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", f.path(u"bin:"_s).toUtf8() + path);
    const bool opened = f.open();
    qputenv("PATH", path);
    QVERIFY(opened);
    QCOMPARE(f.engine().hosts().first().gpus.size(), 2);
    const QByteArray twoGpus = "{cpu: 1, memoryMB: 16, gpu: 2}";
    const QString first = f.submit(EngineFixture::document("first",
        EngineFixture::role(
            "main", 1, {"echo gpus=$CUDA_VISIBLE_DEVICES", "while [ ! -e go ]; do sleep 0.05; done"}, {}, twoGpus)));
    QVERIFY2(!first.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitFor(first, [](const JobSummary &job) { return job.state == State::Running; }));
    QCOMPARE(f.engine().hosts().first().gpus.first().jobId, f.job(first).id);
    const QString second = f.submit(EngineFixture::document("second",
        EngineFixture::role("main", 1, {"echo mine=$CUDA_VISIBLE_DEVICES"}, {}, "{cpu: 1, memoryMB: 16, gpu: 1}")));
    QVERIFY2(!second.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitFor(second, [](const JobSummary &job) { return job.reason == u"wait.gpu"_s; }));
    QCOMPARE(f.job(second).state, State::Waiting);
    QCOMPARE(f.job(second).reasonArgs.value(u"wanted").toInt(), 1);
    // When nobody watches, why a job waits is worked out for those who ask.
    f.engine().setWatched(false);
    const QString asked = f.submit(EngineFixture::document(
        "asked", EngineFixture::role("main", 1, {"true"}, {}, "{cpu: 1, memoryMB: 16, gpu: 1}")));
    QSignalSpy told(&f.engine(), &Engine::jobChanged);
    QVERIFY(f.submit(EngineFixture::document("other", EngineFixture::role("main", 1, {"true"}))).size() > 0);
    QTRY_VERIFY(std::any_of(told.cbegin(), told.cend(),
        [](const QList<QVariant> &each) { return each.constFirst().value<JobSummary>().state == State::Succeeded; }));
    const bool anyReason = std::any_of(told.cbegin(), told.cend(), [&](const QList<QVariant> &each) {
        const auto job = each.constFirst().value<JobSummary>();
        return job.uuid == asked && !job.reason.isEmpty();
    });
    QVERIFY(!anyReason);
    QCOMPARE(f.job(asked).reason, u"wait.gpu"_s);
    f.engine().setWatched(true);
    QVERIFY(f.waitFor(asked, [](const JobSummary &job) { return job.reason == u"wait.gpu"_s; }));
    QCOMPARE(f.engine().stop(asked), Result<bool>(true));
    QVERIFY(f.waitForEnd(asked));
    // A job without GPUs passes by.
    const QString third = f.submit(
        EngineFixture::document("third", EngineFixture::role("main", 1, {"echo none=[$CUDA_VISIBLE_DEVICES]"})));
    QVERIFY(f.waitForEnd(third));
    QCOMPARE(f.output(third, u"main"_s, 0), QByteArray("none=[]\n"));
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(first));
    QCOMPARE(f.job(first).state, State::Succeeded);
    QVERIFY(f.output(first, u"main"_s, 0).contains("gpus=0,1\n"));
    QVERIFY(f.waitForEnd(second));
    QCOMPARE(f.job(second).state, State::Succeeded);
    QVERIFY(f.job(second).reason.isEmpty());
    QCOMPARE(f.task(second, u"main"_s, 0).gpus.size(), 1);
    const QString never = f.submit(EngineFixture::document(
        "never", EngineFixture::role("main", 1, {"true"}, {}, "{cpu: 1, memoryMB: 16, gpu: 3}")));
    QVERIFY(never.isEmpty());
    QCOMPARE(f.error().code, u"refuse.gpu"_s);
    QCOMPARE(f.error().args.value(u"wanted").toInt(), 3);
    QCOMPARE(f.error().args.value(u"most").toInt(), 2);
}

void TstEngine::impossibleIsRefused()
{
    EngineFixture f;
    QVERIFY(f.open());
    QVERIFY(f.submit(EngineFixture::document(
                         "big", EngineFixture::role("main", 1, {"true"}, {}, "{cpu: 1, memoryMB: 99999999, gpu: 0}")))
                .isEmpty());
    QCOMPARE(f.error().code, u"refuse.memory"_s);
    QVERIFY(f.error().args.value(u"mostMiB").toInteger() > 0);
    // More cores than there are: runs.
    const QString wide = f.submit(EngineFixture::document(
        "wide", EngineFixture::role("main", 1, {"true"}, {}, "{cpu: 512, memoryMB: 16, gpu: 0}")));
    QVERIFY2(!wide.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(wide));
    QCOMPARE(f.job(wide).state, State::Succeeded);
}

void TstEngine::portsAreDistinct()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QByteArray resources = "{cpu: 1, memoryMB: 16, gpu: 0, ports: {data: 3}}";
    const QString uuid
        = f.submit(EngineFixture::document("ports", EngineFixture::role("main", 8, {"sleep 0.3"}, {}, resources)));
    const QString other
        = f.submit(EngineFixture::document("ports", EngineFixture::role("main", 8, {"sleep 0.3"}, {}, resources)));
    QVERIFY(!uuid.isEmpty() && !other.isEmpty());
    const auto allPlaced = [](const JobSummary &job) { return job.counts.waiting == 0; };
    QVERIFY(f.waitFor(uuid, allPlaced) && f.waitFor(other, allPlaced));
    QList<int> all;
    for (const QString &job : {uuid, other}) {
        const QList<TaskInfo> tasks = f.engine().tasks(job).value_or(QList<TaskInfo>());
        for (const TaskInfo &task : tasks) {
            QCOMPARE(task.ports.size(), 3); // data, http, ssh
            for (const auto &[label, ports] : task.ports) {
                all.append(ports);
            }
        }
    }
    QCOMPARE(all.size(), 2 * 8 * 5);
    QCOMPARE(QSet<int>(all.cbegin(), all.cend()).size(), all.size());
    QVERIFY(std::all_of(all.cbegin(), all.cend(), [](int port) { return port >= 15000 && port <= 32767; }));
    QVERIFY(f.waitForEnd(uuid) && f.waitForEnd(other));
}

// They are asked for in parts: a question that is too long would be answered by nobody.
void TstEngine::morePortsThanAFrameHolds()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("ports",
        EngineFixture::role("main", 12, {"echo ok"}, {}, "{cpu: 1, memoryMB: 16, gpu: 0, ports: {many: 1000}}")));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
}

void TstEngine::secretsStayOffTheDisk()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QByteArray secret = "tell-nobody-8d1f0c";
    const QString uuid = f.submit(EngineFixture::document("secret",
        EngineFixture::role("main", 1,
            {"key='<% $secrets.key %>'", "echo length=${#key} key=$key", "while [ ! -e go ]; do sleep 0.05; done",
                "test \"$key\" = '<% $secrets.key %>'"}),
        "secrets: {key: " + secret + "}\n"));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(QTest::qWaitFor([&] { return f.output(uuid, u"main"_s, 0).contains("length="); }, 10000));
    const auto nowhere = [&](const QString &folder) {
        QDirIterator it(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        int files = 0;
        while (it.hasNext()) {
            const QString name = it.next();
            ++files;
            if (EngineFixture::contents(name).contains(secret)) {
                qWarning() << "the secret is in" << name;
                return false;
            }
        }
        return files > 0;
    };
    QVERIFY(nowhere(f.path(u"state"_s)));
    // Its value reached the program, and the log shows it masked.
    QVERIFY(f.output(uuid, u"main"_s, 0).contains(QByteArray("length=" + QByteArray::number(secret.size()))));
    f.close();
    QVERIFY(nowhere(f.path(u"state"_s)));
    QVERIFY(f.open());
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    QVERIFY(nowhere(f.path(u"state"_s)));
    QVERIFY(!f.engine().job(uuid)->yaml.contains(secret));
    QVERIFY(f.engine().job(uuid)->yaml.contains("******"));
    // The same document as stored: its values are gone, so they are asked for.
    QVERIFY(f.submit(f.engine().job(uuid)->yaml).isEmpty());
    QCOMPARE(f.error().code, u"job.secrets-missing"_s);
    SubmitRequest request;
    request.secrets.insert(u"key"_s, QString::fromLatin1(secret));
    const QString again = f.submit(f.engine().job(uuid)->yaml, request);
    QVERIFY2(!again.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(again));
    QCOMPARE(f.job(again).state, State::Succeeded);
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

void TstEngine::removesAJob()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("short", EngineFixture::role("main", 1, {"sleep 0.2"})));
    QCOMPARE(f.engine().remove(uuid).error().code, u"job.active"_s);
    QVERIFY(f.waitForEnd(uuid));
    QSignalSpy removed(&f.engine(), &Engine::jobRemoved);
    QTRY_VERIFY(f.engine().isIdle());
    QVERIFY(f.engine().remove(uuid));
    QCOMPARE(removed.size(), 1);
    QCOMPARE(f.engine().job(uuid).error().code, u"job.unknown"_s);
    QTRY_VERIFY(!QFileInfo::exists(f.path(u"state/runs/"_s) + uuid));
}

// A name may be any word, also the UUID of another job.
void TstEngine::namedLikeAnother()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString over = f.submit(EngineFixture::document("over", EngineFixture::role("main", 1, {"true"})));
    QVERIFY(f.waitForEnd(over));
    SubmitRequest request;
    request.name = over;
    const QString runs = f.submit(
        EngineFixture::document("runs", EngineFixture::role("main", 1, {"until [ -e go ]; do sleep 0.02; done"})),
        request);
    QVERIFY2(!runs.isEmpty(), qPrintable(f.error().code));
    QCOMPARE(f.job(runs).name, over);
    QTRY_COMPARE(f.engine().activeJobs().size(), 1);
    QCOMPARE(f.engine().summary(over)->uuid, over);
    QCOMPARE(f.engine().remove(runs.toUpper()).error().code, u"job.unknown"_s);
    QVERIFY(f.engine().remove(over));
    QCOMPARE(f.engine().summary(over).error().code, u"job.unknown"_s);
    QCOMPARE(f.engine().jobs()->size(), 1);
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(runs));
    QCOMPARE(f.job(runs).state, State::Succeeded);
    f.close();
    QVERIFY(f.open());
    QCOMPARE(f.job(runs).state, State::Succeeded);
}

void TstEngine::runsAgain()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("again",
        EngineFixture::role("main", 1, {"echo token=<% $secrets.token %> >> runs", "[ $(wc -l < runs) = 2 ]"}),
        "secrets: {token: abcdefgh}\n"));
    QCOMPARE(f.engine().retry({uuid, {}, false, {}}).error().code, u"job.active"_s);
    QVERIFY(f.waitForEnd(uuid));
    QTRY_VERIFY(f.engine().isIdle());
    QCOMPARE(f.job(uuid).state, State::Failed);
    QCOMPARE(f.engine().retry({u"x"_s, {}, false, {}}).error().code, u"job.unknown"_s);
    QCOMPARE(f.engine().retry({uuid, {u"main/7"_s}, false, {}}).error().code, u"task.unknown"_s);
    // Secrets were forgotten when it ended.
    QCOMPARE(f.engine().retry({uuid, {}, false, {}}).error().code, u"job.secrets-missing"_s);
    QCOMPARE(f.engine().retry({uuid, {}, false, {{u"token"_s, u"12345678"_s}}}).value_or(false), true);
    QVERIFY(!f.engine().isIdle());
    QCOMPARE(f.job(uuid).retries, 1);
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    QCOMPARE(EngineFixture::contents(f.path(u"work/runs"_s)), QByteArray("token=abcdefgh\ntoken=12345678\n"));
    QTRY_VERIFY(f.engine().isIdle());
    const Result<JobDetail> detail = f.engine().job(uuid);
    QVERIFY(detail);
    QCOMPARE(detail->attempts.size(), 2);
    QCOMPARE(detail->attempts.at(0).state, State::Failed);
    QCOMPARE(detail->attempts.at(1).state, State::Succeeded);
    QCOMPARE(f.engine().retry({uuid, {}, true, {{u"token"_s, u"12345678"_s}}}).error().code, u"retry.nothing"_s);
}

// A password that stands in the job reaches no file of the engine, and is asked for like every other secret.
void TstEngine::passwordOfAnImage()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QByteArray password = "registry-hunter2";
    const QString uuid = f.submit(EngineFixture::document("pulls", EngineFixture::role("main", 1, {"true"}),
        "prerequisites:\n  - {name: image, type: dockerimage, uri: a/b, auth: {username: ada, password: " + password
            + "}}\n"));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    QTRY_VERIFY(f.engine().isIdle());
    QVERIFY(f.engine().job(uuid)->yaml.contains("password: \"******\""));
    QDirIterator it(f.path(u"state"_s), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        const QString name = it.next();
        QVERIFY2(!EngineFixture::contents(name).contains(password), qPrintable(name));
    }
    const Result<bool> again = f.engine().retry({uuid, {}, false, {}});
    QCOMPARE(again.error().code, u"job.secrets-missing"_s);
    QCOMPARE(again.error().args.value("names"_L1).toArray(), QJsonArray{u"image_password"_s});
    QCOMPARE(f.engine().retry({uuid, {}, false, {{u"image_password"_s, u"12345678"_s}}}).value_or(false), true);
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
}

// An empty value is what a template leaves for its user to fill in. It is also a legal value, which can be given.
void TstEngine::emptySecretsAreAskedFor()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QByteArray job = EngineFixture::document("empty",
        EngineFixture::role("main", 1, {"[ 'a<% $secrets.key %>-<% $secrets.other %>' = a-12345678 ]"}),
        "secrets: {key: '', other: null}\n");
    QVERIFY(f.submit(job).isEmpty());
    QCOMPARE(f.error().code, u"job.secrets-missing"_s);
    QCOMPARE(f.error().args.value("names"_L1).toArray(), (QJsonArray{u"key"_s, u"other"_s}));
    SubmitRequest request;
    request.secrets = {{u"key"_s, QString()}, {u"other"_s, u"12345678"_s}};
    const QString uuid = f.submit(job, request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
}

// The text does not have the names of its secrets, but what it refers to.
void TstEngine::secretsTakenOutAsAWhole()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QByteArray job = EngineFixture::document("whole",
        EngineFixture::role("main", 1, {"[ '<% $secrets.key %>-<% $secrets.other %>' = abcdefgh-12345678 ]"}),
        "secrets: \"******\"\n");
    QVERIFY(f.submit(job).isEmpty());
    QCOMPARE(f.error().code, u"job.secrets-missing"_s);
    QCOMPARE(f.error().args.value("names"_L1).toArray(), (QJsonArray{u"key"_s, u"other"_s}));
    SubmitRequest request;
    request.secrets = {{u"key"_s, u"abcdefgh"_s}};
    QVERIFY(f.submit(job, request).isEmpty());
    QCOMPARE(f.error().args.value("names"_L1).toArray(), QJsonArray{u"other"_s});
    request.secrets.insert(u"other"_s, u"12345678"_s);
    const QString uuid = f.submit(job, request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
}

// The others keep their results and their logs, also across a restart in the middle.
void TstEngine::runsFailedTasksAgain()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("parts",
        EngineFixture::role("main", 3,
            {"echo run of $PAI_TASK_INDEX >> log-$PAI_TASK_INDEX; cat log-$PAI_TASK_INDEX",
                "[ $PAI_TASK_INDEX != 1 ] || [ -e mended ]"},
            "    completion: {minFailedInstances: -1, minSucceededInstances: -1}\n"),
        "extras: {gangAllocation: false}\n"));
    QVERIFY(f.waitForEnd(uuid));
    QTRY_VERIFY(f.engine().isIdle());
    QCOMPARE(f.job(uuid).counts.failed, 1);
    QFile mended(f.path(u"work/mended"_s));
    QVERIFY(mended.open(QIODevice::WriteOnly));
    const QList<TaskInfo> before = f.engine().tasks(uuid).value_or(QList<TaskInfo>());
    QVERIFY(f.engine().retry({uuid, {}, true, {}}));
    QVERIFY(f.waitForEnd(uuid));
    QTRY_VERIFY(f.engine().isIdle());
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    QCOMPARE(f.job(uuid).counts.succeeded, 3);
    f.close();
    QVERIFY(f.open());
    for (const TaskInfo &old : before) {
        const TaskInfo now = f.task(uuid, old.role, old.index);
        const bool ranAgain = old.state != State::Succeeded;
        QCOMPARE(now.attempt, 1);
        QCOMPARE(now.keptFrom.has_value(), !ranAgain);
        QCOMPARE(now.logFolder == old.logFolder, !ranAgain);
        const QByteArray line = "run of " + QByteArray::number(old.index) + '\n';
        QCOMPARE(f.output(uuid, u"main"_s, old.index), old.index == 1 ? QByteArray(line + line) : line);
    }
}

void TstEngine::queueIsMovedByHand()
{
    EngineFixture f;
    QVERIFY(f.open());
    // Each asks for more than half of the memory, so that one runs at a time.
    const qint64 most = f.engine().hosts().first().memoryMiB * 6 / 10;
    const QByteArray resources = "{cpu: 1, gpu: 0, memoryMB: " + QByteArray::number(most) + '}';
    const auto submit = [&](const QByteArray &name) {
        return f.submit(EngineFixture::document(name,
            EngineFixture::role(
                "w", 1, {"echo " + name + " >> order; until [ -e go ]; do sleep 0.02; done"}, {}, resources)));
    };
    const QString first = submit("first");
    QVERIFY2(!first.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitFor(first, [](const JobSummary &job) { return job.counts.running == 1; }));
    const QStringList waiting{submit("second"), submit("third"), submit("fourth")};
    const auto waits = [](const JobSummary &job) { return job.reason.startsWith(u"wait."_s); };
    QVERIFY(f.waitFor(waiting.at(2), waits));
    QCOMPARE(f.engine().move(u"x"_s, {}).error().code, u"job.unknown"_s);
    QCOMPARE(f.engine().move(first, {}).value_or(true), false); // it runs
    QCOMPARE(f.engine().move(waiting.at(2), waiting.at(0)).value_or(false), true);
    QCOMPARE(f.engine().move(waiting.at(0), {}).value_or(false), true);
    QVERIFY(f.waitFor(waiting.at(1), [&](const JobSummary &job) { return waits(job) && job.state == State::Waiting; }));
    f.close();
    QVERIFY(f.open());
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    for (const QString &uuid : waiting) {
        QVERIFY(f.waitForEnd(uuid));
    }
    QCOMPARE(EngineFixture::contents(f.path(u"work/order"_s)), QByteArray("first\nfourth\nthird\nsecond\n"));
}

void TstEngine::tellsOfGrowingLogs()
{
    EngineFixture f;
    QVERIFY(f.open());
    QSignalSpy grew(&f.engine(), &Engine::logsGrew);
    const QString uuid = f.submit(EngineFixture::document(
        "grows", EngineFixture::role("w", 2, {"until [ -e go ]; do echo 0123456789; sleep 0.1; done"})));
    const auto told = [&](int index) {
        qint64 most = 0;
        for (const QList<QVariant> &each : std::as_const(grew)) {
            const auto logs = each.at(1).value<QList<LogGrowth>>();
            for (const LogGrowth &log : logs) {
                most = each.at(0).toString() == uuid && log.role == u"w"_s && log.index == index
                    ? std::max(most, log.bytes)
                    : most;
            }
        }
        return most;
    };
    QTRY_VERIFY_WITH_TIMEOUT(told(0) > 20 && told(1) > 20, 15000);
    QVERIFY(told(0) <= QFileInfo(f.task(uuid, u"w"_s, 0).logFolder + u"/output.log"_s).size());
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(uuid));
}

void TstEngine::manyTasksOfOneJob()
{
    EngineFixture f;
    QVERIFY(f.open());
    QSignalSpy tasksChanged(&f.engine(), &Engine::tasksChanged);
    const QString uuid = f.submit(EngineFixture::document("many",
        EngineFixture::role("main", 60, {"echo $PAI_TASK_INDEX >> done"}, {}, "{cpu: 1, memoryMB: 1, gpu: 0}"),
        "extras: {gangAllocation: false}\n"));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid, 20000));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    QCOMPARE(f.job(uuid).counts.succeeded, 60);
    QByteArrayList lines = EngineFixture::contents(f.path(u"work/done"_s)).trimmed().split('\n');
    QCOMPARE(lines.size(), 60);
    QCOMPARE(QSet<QByteArray>(lines.cbegin(), lines.cend()).size(), 60);
    // Each task's last word was told, in messages that are held together.
    QSet<int> ended;
    for (const QList<QVariant> &call : tasksChanged) {
        for (const TaskInfo &task : call.at(1).value<QList<TaskInfo>>()) {
            if (task.state == State::Succeeded) {
                ended.insert(task.index);
            }
        }
    }
    QCOMPARE(ended.size(), 60);
    const JobSummary job = f.job(uuid);
    QVERIFY(tasksChanged.size() <= 4 + (*job.completed - job.submitted) / 45);
}

// The same while it runs and when it is over, and what the whole list would give.
void TstEngine::outlineIsOfAllTasks()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("outline",
        EngineFixture::role("b", 9, {"until [ -e go ]; do sleep 0.02; done; exit $((PAI_TASK_INDEX % 3 == 1))"},
            "    completion: {minFailedInstances: -1}\n", "{cpu: 1, memoryMB: 1, gpu: 0}")
            + EngineFixture::role(
                "a", 4, {"true"}, "    completion: {minFailedInstances: -1}\n", "{cpu: 1, memoryMB: 1, gpu: 0}")));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    const auto verify = [&](int most) {
        const Result<TaskOutline> outline = f.engine().outline(uuid, -1, most);
        QVERIFY(outline);
        QList<RoleCounts> roles;
        QList<TaskInfo> tasks;
        std::map<std::pair<QString, State>, int> seen;
        const QList<TaskInfo> all = f.engine().tasks(uuid).value();
        for (const TaskInfo &task : all) {
            if (roles.isEmpty() || roles.last().role != task.role) {
                roles.append({task.role, {}});
            }
            countState(roles.last().counts, task.state);
            if (++seen[{task.role, task.state}] <= most) {
                tasks.append(task);
            }
        }
        QCOMPARE(outline->roles, roles);
        QCOMPARE(outline->tasks, tasks);
        QCOMPARE(TaskOutline::fromJson(outline->toJson()), *outline);
    };
    QVERIFY(
        f.waitFor(uuid, [](const JobSummary &job) { return job.counts.succeeded == 4 && job.counts.running == 9; }));
    verify(2);
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(uuid));
    verify(2);
    verify(100);
    QCOMPARE(f.engine().outline(uuid)->roles.at(0).counts.failed, 3);
    QCOMPARE(f.engine().outline(u"no-such"_s).error().code, u"job.unknown"_s);
}

void TstEngine::sameNameAgain()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QByteArray yaml = EngineFixture::document("twin", EngineFixture::role("main", 1, {"echo $PAI_JOB_NAME"}));
    const QString one = f.submit(yaml);
    const QString two = f.submit(yaml);
    QVERIFY(f.waitForEnd(one) && f.waitForEnd(two));
    QVERIFY(f.output(one, u"main"_s, 0).endsWith("~twin\n"));
    QVERIFY(f.output(two, u"main"_s, 0).endsWith("~twin_2\n"));
    QCOMPARE(f.engine().findJob(u"twin"_s)->uuid, two);
}

void TstEngine::storeIsReadAgain()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString done = f.submit(EngineFixture::document("done", EngineFixture::role("main", 1, {"echo kept"})));
    QVERIFY(f.waitForEnd(done));
    const QString runs = f.submit(EngineFixture::document("runs",
        EngineFixture::role(
            "main", 2, {"echo begun", "while [ ! -e go ]; do sleep 0.05; done", "exit $PAI_TASK_INDEX"})));
    QVERIFY(f.waitFor(runs, [](const JobSummary &job) { return job.counts.running == 2; }));
    QVERIFY(f.waitFor(done, [](const JobSummary &job) { return !job.resultsPending; }));
    const JobSummary before = f.job(done);
    const qint64 pid = f.task(runs, u"main"_s, 1).pid;
    f.close();
    QVERIFY(f.open());
    QCOMPARE(f.job(done), before);
    QCOMPARE(f.output(done, u"main"_s, 0), QByteArray("kept\n"));
    QCOMPARE(f.job(runs).state, State::Running);
    QCOMPARE(f.task(runs, u"main"_s, 1).pid, pid);
    f.close();
    // It ends while nobody is there.
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QTRY_VERIFY(!contract::identityOf(pid));
    QVERIFY(f.open());
    QVERIFY(f.waitForEnd(runs));
    QCOMPARE(f.job(runs).state, State::Failed);
    QCOMPARE(f.task(runs, u"main"_s, 1).rawExit, std::optional<int>(1));
    QCOMPARE(f.task(runs, u"main"_s, 0).rawExit, std::optional<int>(0));
    QCOMPARE(f.job(runs).retries, 0);
}

void TstEngine::fullDiskLosesNothing()
{
    EngineFixture f;
    // The store alone on a small file system of its own: root only.
    const QString state = f.path(u"state"_s);
    QDir().mkpath(state);
    if (::mount("trainyard-test", QFile::encodeName(state).constData(), "tmpfs", 0, "size=4m,mode=0700") != 0) {
        QSKIP("Nothing can be mounted here: run it as root, where mounts are allowed.");
    }
    const auto unmount = qScopeGuard([&] {
        f.close();
        ::umount2(QFile::encodeName(state).constData(), MNT_DETACH);
    });
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document(
        "full", EngineFixture::role("main", 1, {"while [ ! -e go ]; do sleep 0.05; done", "exit 4"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitFor(uuid, [](const JobSummary &job) { return job.state == State::Running; }));
    QFile filler(state + u"/filler"_s);
    QVERIFY(filler.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    while (filler.write(QByteArray(4096, 'x')) == 4096) { }
    const QByteArray more = EngineFixture::document(
        "more", EngineFixture::role("main", 200, {"true"}), "parameters: {long: " + QByteArray(100000, 'y') + "}\n");
    QVERIFY(f.submit(more).isEmpty());
    QCOMPARE(f.error().code, u"store.full"_s);
    QCOMPARE(f.error().args.value("folder"_L1).toString(), state);
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    filler.remove();
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.task(uuid, u"main"_s, 0).rawExit, std::optional<int>(4));
    f.close();
    QVERIFY(f.open());
    QCOMPARE(f.job(uuid).state, State::Failed);
    QCOMPARE(f.task(uuid, u"main"_s, 0).rawExit, std::optional<int>(4));
    QCOMPARE(f.engine().jobs()->size(), 1);
}

TRAINYARD_TEST(TstEngine)
#include "tst_engine.moc"
