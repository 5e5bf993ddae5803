// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfolder.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QSet>
#include <QSignalSpy>

#include <unistd.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Jobs on this computer that wait for their places, are stopped, or are tried again.
class TstEngineTries : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void jobIsTriedAgain();
    void taskIsTriedAgainWithoutGang();
    void stopsWhatIgnoresTermination();
    void stopWhileWaiting();
    void gpusAreAGate();
    void impossibleIsRefused();
    void portsAreDistinct();
    void morePortsThanAFrameHolds();
    void runsAgain();
    void runsFailedTasksAgain();
    void queueIsMovedByHand();
};

void TstEngineTries::jobIsTriedAgain()
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

void TstEngineTries::taskIsTriedAgainWithoutGang()
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

void TstEngineTries::stopsWhatIgnoresTermination()
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

void TstEngineTries::stopWhileWaiting()
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

void TstEngineTries::gpusAreAGate()
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

void TstEngineTries::impossibleIsRefused()
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

void TstEngineTries::portsAreDistinct()
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
void TstEngineTries::morePortsThanAFrameHolds()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("ports",
        EngineFixture::role("main", 12, {"echo ok"}, {}, "{cpu: 1, memoryMB: 16, gpu: 0, ports: {many: 1000}}")));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
}

void TstEngineTries::runsAgain()
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

// The others keep their results and their logs, also across a restart in the middle.
void TstEngineTries::runsFailedTasksAgain()
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

void TstEngineTries::queueIsMovedByHand()
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

TRAINYARD_TEST(TstEngineTries)
#include "tst_enginetries.moc"
