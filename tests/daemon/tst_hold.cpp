// SPDX-License-Identifier: GPL-3.0-or-later
// What holds jobs and ends them: pauses, other jobs, time and memory limits, stop rules.
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/memorygroup.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <signal.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

QByteArray extras(const QByteArray &own) { return "extras: {trainyard: " + own + "}\n"; }

QByteArray heldJob(const QByteArray &name, const QByteArrayList &commands, const QByteArray &own = {},
    const QByteArray &resources = "{cpu: 1, memoryMB: 16, gpu: 0}")
{
    return EngineFixture::document(
        name, EngineFixture::role("main", 1, commands, {}, resources), own.isEmpty() ? QByteArray() : extras(own));
}

void make(const QString &path)
{
    QFile file(path);
    [&] { QVERIFY(file.open(QIODevice::WriteOnly)); }();
}

// Two processes that write on, one of them in a session of its own with another parent.
const QByteArrayList tickers{"(setsid bash -c 'while [ ! -e go ]; do echo b >> ticks-b; sleep 0.02; done' &)",
    "while [ ! -e go ]; do echo a >> ticks-a; sleep 0.02; done", "echo all done"};

// Whether neither file has grown for a while; a look at both needs no clock of ours.
bool standsStill(EngineFixture &f)
{
    const auto sizes = [&] {
        return std::pair(QFileInfo(f.path(u"work/ticks-a"_s)).size(), QFileInfo(f.path(u"work/ticks-b"_s)).size());
    };
    const auto before = sizes();
    return !QTest::qWaitFor([&] { return sizes() != before; }, 500);
}

} // namespace

class TstHold : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void pausesAndResumes();
    void staysPausedOverARestart();
    void pausedJobsCanBeStopped();
    void waitingJobsArePaused();
    void endsAtTheTimeLimit();
    void runsAfterOthers();
    void priorityCountsWhenWhatItWaitedForEnds();
    void failsWithWhatItWaitsFor();
    void waitsOverARestart();
    void priorityDecides();
    void priorityOfAPausedJob();
    void stopRuleOfTheJob();
    void memoryIsLimited();
    void useIsRecorded();
    void runsAgainWithEdits();
};

void TstHold::pausesAndResumes()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(heldJob("ticks", tickers));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QTRY_VERIFY(QFileInfo(f.path(u"work/ticks-a"_s)).size() > 6 && QFileInfo(f.path(u"work/ticks-b"_s)).size() > 6);
    QCOMPARE(f.engine().pause(uuid, true).value_or(false), true);
    QVERIFY(f.job(uuid).paused);
    QCOMPARE(f.job(uuid).state, State::Running);
    QCOMPARE(f.job(uuid).reason, u"job.paused"_s);
    const Result<QList<TaskInfo>> halted = f.engine().tasks(uuid);
    QVERIFY(halted && !halted->isEmpty());
    QCOMPARE(halted->constFirst().reason, u"job.paused"_s);
    QTRY_VERIFY(standsStill(f));
    QCOMPARE(f.engine().pause(uuid, true).value_or(true), false); // it is
    QCOMPARE(f.engine().hosts().first().tasks, 1); // what it holds it keeps
    QCOMPARE(f.engine().pause(uuid, false).value_or(false), true);
    QVERIFY(!standsStill(f));
    QVERIFY(!f.job(uuid).paused);
    make(f.path(u"work/go"_s));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    QCOMPARE(f.engine().pause(uuid, true).value_or(true), false);
    QCOMPARE(f.engine().pause(u"no-such"_s, true).error().code, u"job.unknown"_s);
}

void TstHold::staysPausedOverARestart()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(heldJob("ticks", tickers));
    QTRY_VERIFY(QFileInfo(f.path(u"work/ticks-b"_s)).size() > 6);
    QVERIFY(f.engine().pause(uuid, true).value_or(false));
    QTRY_VERIFY(standsStill(f));
    f.close();
    QVERIFY(f.open());
    QVERIFY(f.job(uuid).paused);
    QVERIFY(standsStill(f));
    QVERIFY(f.engine().pause(uuid, false).value_or(false));
    make(f.path(u"work/go"_s));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    QCOMPARE(f.job(uuid).retries, 0);
}

void TstHold::pausedJobsCanBeStopped()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(heldJob("ticks", QByteArrayList{"trap 'echo asked; exit 3' TERM"} + tickers));
    QTRY_VERIFY(QFileInfo(f.path(u"work/ticks-b"_s)).size() > 6);
    QVERIFY(f.engine().pause(uuid, true).value_or(false));
    QTRY_VERIFY(standsStill(f));
    QVERIFY(f.engine().stop(uuid).value_or(false));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Stopped);
    QVERIFY(!f.job(uuid).paused);
    QVERIFY(f.output(uuid, u"main"_s, 0).contains("asked")); // awake to end in order
    QVERIFY(standsStill(f));
}

void TstHold::waitingJobsArePaused()
{
    EngineFixture f;
    QVERIFY(f.open());
    const qint64 most = f.engine().hosts().first().memoryMiB * 6 / 10;
    const QByteArray resources = "{cpu: 1, gpu: 0, memoryMB: " + QByteArray::number(most) + '}';
    const QString first = f.submit(heldJob("first", {"while [ ! -e go ]; do sleep 0.05; done"}, {}, resources));
    const QString second = f.submit(heldJob("second", {"echo ran"}, {}, resources));
    QVERIFY(f.waitFor(second, [](const JobSummary &j) { return j.reason == u"wait.memory"_s; }));
    QVERIFY(f.engine().pause(second, true).value_or(false));
    QCOMPARE(f.job(second).reason, u"wait.paused"_s);
    make(f.path(u"work/go"_s));
    QVERIFY(f.waitForEnd(first));
    const QString third = f.submit(heldJob("third", {"echo ran"}, {}, resources)); // takes its turn
    QVERIFY(f.waitForEnd(third));
    QCOMPARE(f.job(second).state, State::Waiting);
    f.close();
    QVERIFY(f.open());
    QCOMPARE(f.job(second).reason, u"wait.paused"_s);
    QVERIFY(f.engine().pause(second, false).value_or(false));
    QVERIFY(f.waitForEnd(second));
    QCOMPARE(f.job(second).state, State::Succeeded);
}

void TstHold::endsAtTheTimeLimit()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid
        = f.submit(EngineFixture::document("slow", EngineFixture::role("main", 1, {"echo begun", "sleep 1000"}),
            "jobRetryCount: 3\n" + extras("{limits: {timeSeconds: 1}}")));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    const JobSummary over = f.job(uuid);
    QCOMPARE(over.state, State::Failed);
    QCOMPARE(over.exitCode, std::optional<int>(-1004));
    QCOMPARE(over.reason, u"limit.time"_s);
    QCOMPARE(over.retries, 0);
    // The limit is of the time since the computer started; these are of the clock of the day, and both are rounded.
    const qint64 ran = *over.completed - *over.launched;
    QVERIFY2(ran >= 995, QByteArray::number(ran).constData());
    QCOMPARE(f.task(uuid, u"main"_s, 0).state, State::Stopped);
    QVERIFY(f.output(uuid, u"main"_s, 0).contains("begun"));
    // One that is quicker does not notice.
    const QString quick = f.submit(heldJob("quick", {"true"}, "{limits: {timeSeconds: 100}}"));
    QVERIFY(f.waitForEnd(quick));
    QCOMPARE(f.job(quick).state, State::Succeeded);
}

void TstHold::runsAfterOthers()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString first = f.submit(heldJob("prepare", {"while [ ! -e go ]; do sleep 0.02; done", "echo p >> order"}));
    QVERIFY(f.waitFor(first, [](const JobSummary &j) { return j.state == State::Running; }));
    const QString second = f.submit(heldJob("train", {"echo t >> order"}, "{after: prepare}"));
    QVERIFY2(!second.isEmpty(), qPrintable(f.error().code));
    SubmitRequest request;
    request.after = QStringList{u"train"_s, u"#1:ended"_s};
    const QString third = f.submit(heldJob("evaluate", {"echo e >> order"}), request);
    QVERIFY2(!third.isEmpty(), qPrintable(f.error().code));
    QCOMPARE(f.job(second).state, State::Waiting);
    QCOMPARE(f.job(second).reason, u"wait.after"_s);
    QCOMPARE(f.job(second).reasonArgs.value(u"name").toString(), u"prepare"_s);
    QCOMPARE(f.job(third).reasonArgs.value(u"more").toInt(), 1);
    make(f.path(u"work/go"_s));
    QVERIFY(f.waitForEnd(third));
    QCOMPARE(f.job(third).state, State::Succeeded);
    QCOMPARE(EngineFixture::contents(f.path(u"work/order"_s)), QByteArray("p\nt\ne\n"));
    // What is over already holds up nobody.
    const QString late = f.submit(heldJob("late", {"true"}, "{after: [train, {job: 1, when: ended}]}"));
    QVERIFY2(!late.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(late));
    QCOMPARE(f.job(late).state, State::Succeeded);
    request.after = QStringList{u"1:done"_s};
    QVERIFY(f.submit(heldJob("x", {"true"}), request).isEmpty());
    QCOMPARE(f.error().code, u"after.bad-condition"_s);
    QCOMPARE(f.error().args.value(u"condition"_s).toString(), u"done"_s);
    request.after = QStringList{u"group:lr"_s};
    QVERIFY(f.submit(heldJob("x", {"true"}), request).isEmpty());
    QCOMPARE(f.error().code, u"after.group"_s);
    QCOMPARE(f.error().args.value(u"group"_s).toString(), u"lr"_s);
    QVERIFY(f.submit(heldJob("x", {"true"}, "{after: nobody}")).isEmpty());
    QCOMPARE(f.error().code, u"after.unknown"_s);
}

// What the job before it held goes to the most important one, also if that had to wait for the job.
void TstHold::priorityCountsWhenWhatItWaitedForEnds()
{
    EngineFixture f;
    QVERIFY(f.open());
    const qint64 most = f.engine().hosts().first().memoryMiB * 6 / 10;
    const QByteArray resources = "{cpu: 1, gpu: 0, memoryMB: " + QByteArray::number(most) + '}';
    const QString first = f.submit(heldJob("first", {"while [ ! -e go ]; do sleep 0.02; done"}, {}, resources));
    QVERIFY(f.waitFor(first, [](const JobSummary &j) { return j.state == State::Running; }));
    const QString low = f.submit(heldJob("low", {"echo low >> order"}, {}, resources));
    QVERIFY(f.waitFor(low, [](const JobSummary &j) { return j.reason == u"wait.memory"_s; }));
    const QByteArray own = "{priority: 5, after: {job: first, when: ended}}";
    const QByteArray then = "{priority: 5, after: {job: high, when: succeeded}}";
    const QString high = f.submit(heldJob("high", {"echo high >> order"}, own, resources));
    const QString next = f.submit(heldJob("next", {"echo next >> order"}, then, resources));
    QCOMPARE(f.job(next).reason, u"wait.after"_s);
    make(f.path(u"work/go"_s));
    QVERIFY(f.waitForEnd(low));
    QVERIFY(f.waitForEnd(next));
    QCOMPARE(EngineFixture::contents(f.path(u"work/order"_s)), QByteArray("high\nnext\nlow\n"));
}

void TstHold::failsWithWhatItWaitsFor()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString first = f.submit(heldJob("prepare", {"while [ ! -e go ]; do sleep 0.02; done", "false"}));
    const QString second = f.submit(heldJob("train", {"true"}, "{after: {job: prepare, when: succeeded}}"));
    const QString third = f.submit(heldJob("evaluate", {"true"}, "{after: train}"));
    const QString anyway = f.submit(heldJob("clean", {"true"}, "{after: {job: prepare, when: ended}}"));
    make(f.path(u"work/go"_s));
    QVERIFY(f.waitForEnd(third));
    QVERIFY(f.waitForEnd(anyway));
    QCOMPARE(f.job(first).state, State::Failed);
    QCOMPARE(f.job(second).exitCode, std::optional<int>(-1100));
    QCOMPARE(f.job(second).reason, u"after.failed"_s);
    QCOMPARE(f.job(third).reason, u"after.failed"_s); // and so on
    QCOMPARE(f.job(anyway).state, State::Succeeded);
    QVERIFY(f.submit(heldJob("again", {"true"}, "{after: prepare}")).isEmpty());
    QCOMPARE(f.error().code, u"after.failed"_s);
    // On the user's word it waits for nobody.
    QTRY_VERIFY(f.engine().isIdle());
    QVERIFY(f.engine().retry({second, {}, false, {}, {}}));
    QVERIFY(f.waitForEnd(second));
    QCOMPARE(f.job(second).state, State::Succeeded);
}

void TstHold::waitsOverARestart()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString first = f.submit(heldJob("prepare", {"while [ ! -e go ]; do sleep 0.02; done"}));
    QVERIFY(f.waitFor(first, [](const JobSummary &j) { return j.state == State::Running; }));
    const QString second = f.submit(heldJob("train", {"true"}, "{after: prepare}"));
    f.close();
    make(f.path(u"work/go"_s)); // it ends while nobody looks
    QVERIFY(f.open());
    QVERIFY(f.waitForEnd(second));
    QCOMPARE(f.job(first).state, State::Succeeded);
    QCOMPARE(f.job(second).state, State::Succeeded);
}

void TstHold::priorityDecides()
{
    EngineFixture f;
    QVERIFY(f.open());
    const qint64 most = f.engine().hosts().first().memoryMiB * 6 / 10;
    const QByteArray resources = "{cpu: 1, gpu: 0, memoryMB: " + QByteArray::number(most) + '}';
    const QString first = f.submit(heldJob("first", {"while [ ! -e go ]; do sleep 0.05; done"}, {}, resources));
    QVERIFY(f.waitFor(first, [](const JobSummary &j) { return j.state == State::Running; }));
    const auto add = [&](const QByteArray &name, const QByteArray &own, std::optional<int> priority = {}) {
        SubmitRequest request;
        request.priority = priority;
        return f.submit(heldJob(name, {"echo " + name + " >> order"}, own, resources), request);
    };
    const QString low = add("low", "{priority: -1}");
    const QString usual = add("usual", {});
    const QString high = add("high", "{priority: 5}");
    const QString higher = add("higher", "{priority: 1}", 7);
    const QString raised = add("raised", {});
    QCOMPARE(f.job(higher).priority, 7);
    QCOMPARE(f.engine().setPriority(raised, 6).value_or(false), true);
    QCOMPARE(f.engine().setPriority(first, 6).value_or(true), false); // it runs
    f.close();
    make(f.path(u"work/go"_s));
    QVERIFY(f.open());
    QVERIFY(f.waitForEnd(low, 30000));
    QCOMPARE(EngineFixture::contents(f.path(u"work/order"_s)), QByteArray("higher\nraised\nhigh\nusual\nlow\n"));
    QCOMPARE(f.job(raised).priority, 6);
    QCOMPARE(f.engine().setPriority(low, 1).value_or(true), false); // it is over
}

// The newest word counts, also of a job that had been moved by hand and is not in the queue now.
void TstHold::priorityOfAPausedJob()
{
    EngineFixture f;
    QVERIFY(f.open());
    const qint64 most = f.engine().hosts().first().memoryMiB * 6 / 10;
    const QByteArray resources = "{cpu: 1, gpu: 0, memoryMB: " + QByteArray::number(most) + '}';
    const auto add = [&](const QByteArray &name) {
        return f.submit(
            heldJob(name, {"echo " + name + " >> order; until [ -e go ]; do sleep 0.02; done"}, {}, resources));
    };
    const auto waits = [](const JobSummary &j) { return j.reason == u"wait.memory"_s; };
    const QString first = add("first");
    QVERIFY(f.waitFor(first, [](const JobSummary &j) { return j.state == State::Running; }));
    const QString second = add("second");
    const QString third = add("third");
    QVERIFY(f.waitFor(third, waits));
    QVERIFY(f.engine().move(third, second).value_or(false));
    QVERIFY(f.engine().pause(third, true).value_or(false));
    QVERIFY(f.engine().setPriority(third, -1).value_or(false));
    QVERIFY(f.engine().pause(third, false).value_or(false));
    QVERIFY(f.waitFor(third, waits));
    QCOMPARE(f.job(third).priority, -1);
    make(f.path(u"work/go"_s));
    QVERIFY(f.waitForEnd(third));
    QCOMPARE(EngineFixture::contents(f.path(u"work/order"_s)), QByteArray("first\nsecond\nthird\n"));
    QCOMPARE(f.job(third).priority, -1);
}

void TstHold::stopRuleOfTheJob()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(heldJob("saves",
        {"trap 'echo saved > checkpoint; exit 0' USR1",
            "(trap 'echo child >> checkpoint; exit' USR1; sleep 1000 & wait) &", "echo ready",
            "while true; do sleep 0.02; done"},
        "{stop: {signal: USR1, only: main, graceSeconds: 20}}"));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QTRY_VERIFY(f.output(uuid, u"main"_s, 0).contains("ready"));
    QVERIFY(f.engine().stop(uuid).value_or(false));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Stopped);
    QCOMPARE(EngineFixture::contents(f.path(u"work/checkpoint"_s)), QByteArray("saved\n"));
}

void TstHold::memoryIsLimited()
{
    EngineFixture f;
    QVERIFY(f.open());
    // `tail` keeps all of a line that never ends.
    const QByteArrayList greedy{"head -c 400M /dev/zero | tail -n 1 | wc -c"};
    const QString uuid = f.submit(heldJob("greedy", greedy, {}, "{cpu: 1, memoryMB: 100, gpu: 0}"));
    QVERIFY(f.waitForEnd(uuid, 30000));
    const QByteArray started = EngineFixture::contents(f.task(uuid, u"main"_s, 0).logFolder + u"/started"_s);
    SKIP_WITHOUT_MEMORY_GROUP(started.contains("/trainyard-"));
    QCOMPARE(f.job(uuid).state, State::Failed);
    QCOMPARE(f.job(uuid).exitCode, std::optional<int>(-1200));
    QCOMPARE(f.task(uuid, u"main"_s, 0).reason, u"exit.oom"_s);
    const QJsonObject figures = f.task(uuid, u"main"_s, 0).reasonArgs;
    QCOMPARE(figures.value("limitMiB"_L1).toInt(), 100);
    QVERIFY(figures.value("usedMiB"_L1).toInt() > 20 && figures.value("usedMiB"_L1).toInt() <= 110);
    // Nothing is left behind in the file system of the kernel.
    const QByteArray paths = started.mid(started.indexOf("cgroup ") + 7);
    const QList<QByteArray> groups = paths.left(paths.indexOf('\n')).split(':');
    for (const QByteArray &group : groups) {
        QVERIFY2(group.isEmpty() || !QFileInfo::exists(QString::fromUtf8(group)), group.constData());
    }
    f.close();
    f.setSettings({{u"limits.enforce"_s, false}});
    QVERIFY(f.open());
    const QString free = f.submit(heldJob("free", greedy, {}, "{cpu: 1, memoryMB: 100, gpu: 0}"));
    QVERIFY(f.waitForEnd(free, 30000));
    QCOMPARE(f.job(free).state, State::Succeeded);
}

void TstHold::useIsRecorded()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid
        = f.submit(heldJob("busy", {"head -c 60M /dev/zero | tail -n 1 | wc -c", "head -c 200M /dev/zero | cksum"}, {},
            "{cpu: 1, memoryMB: 500, gpu: 0}"));
    QVERIFY(f.waitForEnd(uuid, 30000));
    const auto check = [&] {
        const TaskUsage usage = f.task(uuid, u"main"_s, 0).usage;
        QVERIFY(usage.peakMemoryMiB.value_or(0) >= 55 && usage.peakMemoryMiB.value_or(0) < 500);
        QVERIFY(usage.cpuMs.value_or(0) > 20);
        QVERIFY(!usage.peakGpuMemoryMiB && !usage.gpuPercent);
    };
    check();
    QTRY_VERIFY(f.engine().isIdle());
    check();
    f.close();
    QVERIFY(f.open());
    check();
}

void TstHold::runsAgainWithEdits()
{
    EngineFixture f;
    QVERIFY(f.open());
    const auto text = [](const QByteArray &command, int instances) {
        return EngineFixture::document("edited",
            EngineFixture::role("main", instances, {command, "[ $PAI_TASK_INDEX = 0 ] || [ -e mended ]"},
                "    completion: {minFailedInstances: -1, minSucceededInstances: -1}\n"),
            "extras: {gangAllocation: false}\n");
    };
    const QString uuid = f.submit(text("echo old", 2));
    QVERIFY(f.waitForEnd(uuid));
    QTRY_VERIFY(f.engine().isIdle());
    make(f.path(u"work/mended"_s));
    RetryRequest request{uuid, {}, true, {}, text("echo new", 3)};
    QCOMPARE(f.engine().retry(request).error().code, u"retry.other-tasks"_s);
    request.yaml = "name: [";
    QCOMPARE(f.engine().retry(request).error().code, u"job.invalid"_s);
    QVERIFY(f.engine().isIdle());
    request.yaml = text("echo new", 2);
    QVERIFY(f.engine().retry(request));
    QVERIFY(f.waitForEnd(uuid));
    QTRY_VERIFY(f.engine().isIdle());
    QCOMPARE(f.job(uuid).counts.succeeded, 2);
    QVERIFY(f.output(uuid, u"main"_s, 0).contains("old")); // it was not run again
    QVERIFY(f.output(uuid, u"main"_s, 1).contains("new"));
    QVERIFY(f.engine().job(uuid)->yaml.contains("echo new"));
    f.close();
    QVERIFY(f.open());
    QVERIFY(f.engine().job(uuid)->yaml.contains("echo new"));
    // And from then on it is the job.
    QVERIFY(f.engine().retry({uuid, {}, false, {}, {}}));
    QVERIFY(f.waitForEnd(uuid));
    QVERIFY(f.output(uuid, u"main"_s, 0).contains("new"));
}

TRAINYARD_TEST(TstHold)
#include "tst_hold.moc"
