// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/paths.h"
#include "tests/daemon/fakeengine.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDirIterator>

#include <signal.h>
#include <sys/stat.h>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Running jobs from the command line: trainyardctl, trainyardd and trainyard-agent as a user has them.
class TstCliRun : public QObject
{
    Q_OBJECT

    static bool waitForLine(QProcess &process, const QByteArray &wanted, bool onError = false)
    {
        QByteArray seen;
        return QTest::qWaitFor(
            [&] {
                seen += onError ? process.readAllStandardError() : process.readAllStandardOutput();
                return seen.contains(wanted);
            },
            15000);
    }

    static bool waitForEnd(QProcess &process, int ms = 15000)
    {
        return QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, ms);
    }

private Q_SLOTS:
    // A user's table says what an exit means: the engine goes by it, and all commands show its words.
    void ownExitRules()
    {
        ProgramsFixture f;
        const QString table = u"config/trainyard/exit-rules.json"_s;
        f.setSettings({{u"retry.pauseSeconds"_s, 0}});
        f.write(table, R"({"rule": []})");
        const QString busy = f.write(u"work/busy.yaml"_s,
            EngineFixture::job("busy", {"echo LIC of siemens; echo x >>n; [ $(wc -l <n) -gt 1 ] || exit 42"}));
        auto run = f.ctl({u"run"_s, busy, u"--wait"_s});
        QCOMPARE(run.status, 42); // by the bundled table
        const QByteArray says
            = "Your exit rules in " + f.path(table).toUtf8() + " are not used. Exit rules have no 'rule'.";
        QVERIFY2(run.err.contains(says), run.err.constData());
        QVERIFY2(run.err.contains("The command ended with status 42."), run.err.constData());

        // Changed while the engine runs.
        QVERIFY(QFile::remove(f.path(u"work/n"_s)));
        f.write(table, R"json({
            "entries": [{"code": 241, "phrase": "LicenceBusy", "behavior": "TRANSIENT_NORMAL", "reason": "No licence."},
                        {"code": 242, "phrase": "Diverged", "behavior": "PERMANENT", "reason": "It diverged."}],
            "rules": [{"code": 241, "exits": [42]}, {"code": 242, "hint": "loss nan"}],
            "findings": [{"name": "nan", "reason": "The loss of step {1} is no number.", "solution": "Lower lr.",
                          "lines": [{"hint": "loss nan", "pattern": "step (\\d+) loss nan"}]}]})json");
        run = f.ctl({u"run"_s, busy, u"--wait"_s, u"--json"_s});
        QVERIFY2(run.status == 0 && !run.err.contains("exit rules"), run.err.constData());
        QCOMPARE(run.json().object().value("retries"_L1).toInt(), 1); // for free: the job asks for none
        QCOMPARE(run.json().object().value("retryDetails"_L1)["user"_L1].toInt(), 0);
        const QString nan = f.write(u"work/nan.yaml"_s,
            EngineFixture::job("nan", {"echo step 7 loss nan; exit 1"})
                .replace("type: job\n", "type: job\njobRetryCount: 3\n"));
        run = f.ctl({u"run"_s, nan, u"--wait"_s});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("The loss of step 7 is no number."), run.err.constData());
        const QJsonObject shown = f.ctl({u"show"_s, u"nan"_s, u"--json"_s}).json().object();
        const QJsonObject status = shown.value("jobStatus"_L1).toObject();
        QCOMPARE(status.value("retries"_L1).toInt(-1), 0);
        QCOMPARE(status.value("appExitCode"_L1).toInt(), 242);
        QCOMPARE(status.value("appExitSpec"_L1)["phrase"_L1].toString(), u"Diverged"_s);
        QCOMPARE(status.value("appExitSpec"_L1)["reaction"_L1].toString(), u"NEVER_RETRY"_s);
        QCOMPARE(status.value("appExitMessages"_L1)["runtime"_L1]["originUserExitCode"_L1].toInt(), 1);
        QCOMPARE(status.value("appExitTriggerMessage"_L1).toString(),
            u"worker: 1 task failed, limit 1 (tipped by worker[0], code 242)"_s);
        const QByteArray text = f.ctl({u"show"_s, u"nan"_s}).out;
        QVERIFY2(text.contains("Diverged: It diverged."), text.constData());
        const QByteArray why = f.ctl({u"why"_s, u"nan"_s}).out;
        QVERIFY2(why.startsWith("The loss of step 7 is no number.") && why.contains("Lower lr."), why.constData());
        const QJsonObject told = f.ctl({u"why"_s, u"nan"_s, u"--json"_s}).json().object();
        QCOMPARE(told.value("cause"_L1).toString(), u"nan"_s);
        QCOMPARE(told.value("remedies"_L1).toArray(), QJsonArray{u"Lower lr."_s});
        QCOMPARE(f.ctl({u"ps"_s, u"cause:nan"_s, u"--format"_s, u"{name}"_s}).out, "nan\n");
    }

    // The engine stores why a task failed; `why` and `show` say the same of it.
    void whyItFailed()
    {
        ProgramsFixture f;
        const QString bad = f.write(u"work/bad.yaml"_s,
            EngineFixture::job("bad",
                {"printf 'Traceback (most recent call last):\\n  File \"/w/train.py\", line 12, in step\\n    f()\\n'",
                    "printf 'OSError: [Errno 28] No space left on device\\n'", "exit 1"}));
        QCOMPARE(f.ctl({u"run"_s, bad, u"--wait"_s}).status, 1);
        auto run = f.ctl({u"why"_s, u"bad"_s});
        QCOMPARE(run.status, 0);
        const QByteArray sentence
            = "There is no space left on the device, so nothing more could be written: the disk is full.";
        const QByteArray lines
            = "\n  Line 4: OSError: [Errno 28] No space left on device\n  In step in /w/train.py, line 12\n";
        QVERIFY2(run.out.startsWith(QByteArray(sentence + lines)), run.out.constData());
        run = f.ctl({u"why"_s, u"bad"_s, u"worker/0"_s, u"--json"_s});
        QCOMPARE(run.json().object().value("cause"_L1).toString(), u"disk-full"_s);
        QCOMPARE(run.json().object().value("certainty"_L1).toString(), u"certain"_s);
        QCOMPARE(run.json().object().value("frame"_L1)["line"_L1].toInt(), 12);
        const QByteArray shown = f.ctl({u"show"_s, u"bad"_s}).out;
        QVERIFY2(shown.contains(sentence) && shown.contains("Make room: delete old checkpoints"), shown.constData());
        QCOMPARE(f.ctl({u"why"_s, u"bad"_s, u"worker/7"_s}).status, 2);

        const QString good = f.write(u"work/good.yaml"_s, EngineFixture::job("good", {"echo hello"}));
        QCOMPARE(f.ctl({u"run"_s, good, u"--wait"_s}).status, 0);
        run = f.ctl({u"why"_s, u"good"_s});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("has failed"), run.err.constData());
    }

    // The rank that failed hangs while it ends; another one ends first, and only says that it lost its peer.
    void whyInAnotherTask()
    {
        ProgramsFixture f;
        const QByteArray failed = f.path(u"work/failed"_s).toUtf8();
        const auto traceback = [](const QByteArray &place, const QByteArray &call) -> QByteArray {
            return "printf 'Traceback (most recent call last):\n  File \"/w/train.py\", " + place + "\n    " + call
                + "\n'";
        };
        const QString file = f.write(u"work/ranks.yaml"_s,
            EngineFixture::job("ranks",
                {"if [ $PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX = 1 ]; then", traceback("line 12, in step", "check()"),
                    "printf 'AssertionError: batch 3 is empty\n'; touch " + failed + "; sleep 600; fi",
                    "until [ -e " + failed + " ]; do sleep 0.05; done", traceback("line 30, in sync", "barrier()"),
                    "printf 'torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:1970\n'",
                    "exit 1"},
                2));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 1);
        auto run = f.ctl({u"why"_s, u"ranks"_s});
        QVERIFY2(run.out.startsWith("The cause is in the output of worker/1: ") && run.out.contains("batch 3 is empty")
                && run.out.contains("/w/train.py, line 12"),
            run.out.constData());
        run = f.ctl({u"why"_s, u"ranks"_s, u"--json"_s});
        QCOMPARE(run.json().object().value("task"_L1).toString(), u"worker/1"_s);
        run = f.ctl({u"why"_s, u"ranks"_s, u"worker/1"_s});
        QVERIFY2(run.out.contains("batch 3 is empty") && !run.out.contains("in the output of"), run.out.constData());
        run = f.ctl({u"why"_s, u"ranks"_s, u"worker/0"_s});
        QVERIFY2(run.out.contains("DistBackendError"), run.out.constData());
        QVERIFY(f.ctl({u"ps"_s, u"-a"_s}).out.contains("AssertionError"));
    }

    // A job that failed as a whole, and a task that is kept for inspection, have no failed task.
    void whyWithoutAFailedTask()
    {
        ProgramsFixture f;
        const QByteArray extras = "extras: {trainyard: {";
        const QString slow = f.write(
            u"work/slow.yaml"_s, EngineFixture::job("slow", {"sleep 600"}) + extras + "limits: {timeSeconds: 1}}}\n");
        QCOMPARE(f.ctl({u"run"_s, slow, u"--wait"_s}).status, 1);
        auto run = f.ctl({u"why"_s, u"slow"_s});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("which is its time limit"), run.out.constData());
        run = f.ctl({u"why"_s, u"slow"_s, u"--json"_s});
        QCOMPARE(run.json().object().value("cause"_L1).toString(), u"limit.time"_s);
        QCOMPARE(f.ctl({u"why"_s, u"slow"_s, u"worker/0"_s}).status, 1);

        const QString held = f.write(u"work/held.yaml"_s,
            EngineFixture::job("held", {"ls /nowhere-at-all"}) + extras + "holdAfterFailureMinutes: 5}}\n");
        QCOMPARE(f.ctl({u"run"_s, held}).status, 0);
        QTRY_VERIFY_WITH_TIMEOUT(f.ctl({u"why"_s, u"held"_s}).out.contains("/nowhere-at-all"), 30000);
        QCOMPARE(f.ctl({u"stop"_s, u"held"_s, u"--now"_s}).status, 0);
    }

    // Also of a line that one stream begins and the other one breaks off.
    void metricsOfAJob()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/train.yaml"_s,
            EngineFixture::job("train",
                {"for i in 1 2 3; do printf '\\rbar %d' $i >&2; echo \"step $i loss: 0.$((9 - i)) lr: 0.1\"; done"}));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 0);
        auto run = f.ctl({u"metrics"_s, u"train"_s, u"--json"_s, u"--name"_s, u"loss"_s});
        QCOMPARE(run.status, 0);
        const QList<QByteArray> lines = run.out.trimmed().split('\n');
        QVERIFY2(lines.size() == 4, run.out.constData());
        const QJsonObject last = QJsonDocument::fromJson(lines.at(2)).object();
        QCOMPARE(last.value("name"_L1).toString(), u"loss"_s);
        QCOMPARE(last.value("step"_L1).toInt(), 3);
        QCOMPARE(last.value("value"_L1).toDouble(), 0.6);
        QCOMPARE(last.value("task"_L1).toString(), u"worker/0"_s);
        QVERIFY(last.value("time"_L1).toInteger() > 1'600'000'000'000);
        run = f.ctl({u"metrics"_s, u"train"_s, u"worker/0"_s});
        QVERIFY2(run.out.contains("loss") && run.out.contains("0.6"), run.out.constData());
        run = f.ctl({u"metrics"_s, u"train"_s, u"worker/7"_s});
        QCOMPARE(run.status, 2);
        QVERIFY2(run.err.contains("worker/7"), run.err.constData());
        QCOMPARE(f.ctl({u"metrics"_s, u"train"_s, u"--log"_s, u"x"_s}).status, 2);
        for (const QString &pattern : {u"bad=("_s, u"bad=x"_s}) {
            const auto bad = f.ctl({u"metrics"_s, u"train"_s, u"--pattern"_s, pattern});
            QVERIFY2(bad.status == 2 && bad.err.contains("of the metric bad") && !bad.err.contains("left out"),
                bad.err.constData());
        }
    }

    // They are there after the end, too.
    void figuresOfAJob()
    {
        ProgramsFixture f;
        const QString file
            = f.write(u"work/busy.yaml"_s, EngineFixture::job("busy", {"until [ -e over ]; do :; done"}));
        QCOMPARE(f.ctl({u"run"_s, file}).status, 0);
        const QStringList words{u"metrics"_s, u"busy"_s, u"worker/0"_s, u"--machine"_s};
        QTRY_VERIFY_WITH_TIMEOUT(
            f.ctl(words + QStringList{u"--name"_s, u"cpu"_s, u"--json"_s}).out.contains("cpu"), 60000);
        f.write(u"work/over"_s, {});
        f.ctl({u"wait"_s, u"busy"_s});
        const QByteArray lines = f.ctl(words + QStringList{u"--json"_s}).out;
        QJsonObject cpu;
        for (const QByteArray &line : lines.split('\n')) {
            const QJsonObject point = QJsonDocument::fromJson(line).object();
            cpu = point.value("name"_L1).toString() == "cpu"_L1 ? point : cpu;
        }
        QVERIFY2(cpu.value("value"_L1).toDouble() > 5, lines.constData());
        QCOMPARE(cpu.value("unit"_L1).toString(), u"%"_s);
        QCOMPARE(cpu.value("task"_L1).toString(), u"worker/0"_s);
        QVERIFY(cpu.value("time"_L1).toInteger() > 1'600'000'000'000);
        const QByteArray table = f.ctl(words).out;
        QVERIFY2(table.startsWith("FIGURE") && table.contains("memory") && table.contains("MiB"), table.constData());
        QVERIFY(f.ctl(words + QStringList{u"--csv"_s}).out.startsWith("name,time,value,unit,task\n"));
        QCOMPARE(f.ctl({u"metrics"_s, u"--machine"_s, u"--log"_s, u"x"_s}).status, 2);
    }

    // By its policy it is a success, and so is the exit status. That every task has failed is said all the same.
    void successWithFailedTasks()
    {
        ProgramsFixture f;
        const QByteArray text = EngineFixture::document("array",
            EngineFixture::role(
                "worker", 3, {"exit 7"}, "    completion: {minFailedInstances: -1, minSucceededInstances: -1}\n"));
        const auto run = f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, text);
        QCOMPARE(run.status, 0);
        QVERIFY2(run.err.contains(" succeeded ") && run.err.contains("3 of 3 tasks failed"), run.err.constData());
        const auto waited = f.ctl({u"wait"_s, u"array"_s});
        QVERIFY2(waited.status == 0 && waited.err.contains("3 of 3 tasks failed"), waited.err.constData());
        for (const QStringList &words :
            {QStringList{u"show"_s, u"array"_s}, QStringList{u"why"_s, u"array"_s}, QStringList{u"ps"_s, u"--all"_s}}) {
            const auto said = f.ctl(words);
            QVERIFY2(said.status == 0 && said.out.contains("3 of 3 tasks failed"),
                QByteArray(said.out + said.err).constData());
        }
    }

    void statusesOfRunAndWait()
    {
        ProgramsFixture f;
        const QString good = f.write(u"work/good.yaml"_s, EngineFixture::job("good", {"echo hello"}));
        auto run = f.ctl({u"run"_s, good});
        QVERIFY2(run.status == 0, run.err.constData());
        QCOMPARE(run.out, QByteArray("1\n"));
        QCOMPARE(f.ctl({u"wait"_s, u"1"_s}).status, 0);
        run = f.ctl({u"run"_s, good, u"--wait"_s});
        QCOMPARE(run.status, 0);
        QVERIFY(run.err.contains("succeeded"));

        const QString bad = f.write(u"work/bad.yaml"_s, EngineFixture::job("bad", {"exit 7"}));
        run = f.ctl({u"run"_s, u"--wait"_s, u"--json"_s, bad});
        QCOMPARE(run.status, 7);
        QCOMPARE(run.json().object().value("state"_L1).toString(), u"FAILED"_s);
        QVERIFY2(run.err.contains("Its output: trainyardctl logs 3 worker/0"), run.err.constData());
        QCOMPARE(f.ctl({u"wait"_s, u"bad"_s}).status, 7);
        run = f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("typo", {"echo before", "trainn --lr 1"}));
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("worker/0: The command 'trainn' was not found"), run.err.constData());

        run = f.ctl({u"run"_s, u"-"_s, u"--follow"_s},
            EngineFixture::job("two", {"echo from $PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX"}, 2));
        QCOMPARE(run.status, 0);
        QVERIFY2(
            run.out.contains("worker/0 | from 0\n") && run.out.contains("worker/1 | from 1\n"), run.out.constData());

        run = f.ctl({u"run"_s, u"--json"_s, good, u"--name"_s, u"renamed"_s});
        const QJsonObject submitted = run.json().object();
        QCOMPARE(submitted.value("id"_L1).toInt(), 6);
        QCOMPARE(submitted.value("uuid"_L1).toString().size(), 36);
        QCOMPARE(f.ctl({u"wait"_s, submitted.value("uuid"_L1).toString().left(8)}).status, 0);
        QCOMPARE(f.ctl({u"show"_s, u"renamed"_s}).status, 0);
    }

    // Without a table too: whoever waits in a script sees what the job waits for.
    void saysWhatTheJobWaitsFor()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, EngineFixture::job("first", {"sleep 1000"})).status, 0);
        const QString second = f.write(u"second.yaml"_s, EngineFixture::job("second", {"echo done"}));
        const auto waiting = f.startCtl({u"run"_s, second, u"--after"_s, u"1"_s, u"--wait"_s});
        QByteArray said;
        QTRY_VERIFY2_WITH_TIMEOUT(
            (said += waiting->readAllStandardError()).contains("#2 second: "), said.constData(), 30000);
        QVERIFY2(said.contains("#1") || said.contains("first"), said.constData());
        const auto stop = f.ctl({u"stop"_s, u"1"_s});
        QCOMPARE(stop.status, 0);
        QVERIFY2(stop.err.contains("is being stopped."), stop.err.constData());
        QVERIFY(waitForEnd(*waiting));
        said += waiting->readAllStandardError();
        QCOMPARE(said.count("#2 second: Waits "), 1);
    }

    // The engine has no place to say why it cannot start: whoever wants to start it says so, and at once.
    void saysWhyTheEngineCannotStart()
    {
        ProgramsFixture f;
        const QString file = f.write(u"notafolder"_s, "");
        QProcess ctl;
        QProcessEnvironment environment = f.environment();
        environment.insert(u"XDG_STATE_HOME"_s, file + u"/state"_s);
        ctl.setProcessEnvironment(environment);
        ctl.start(f.program(u"trainyardctl"_s), {u"ps"_s});
        QVERIFY(waitForEnd(ctl));
        const QByteArray said = ctl.readAllStandardError();
        QCOMPARE(ctl.exitCode(), 3);
        QVERIFY2(said.contains("Cannot make the folder") && said.contains("Not a directory"), said.constData());
    }

    // What a task writes has the permissions that the user's own shell would give it.
    void tasksHaveTheUsersMask()
    {
        ProgramsFixture f;
        const mode_t before = ::umask(0027);
        const auto run = f.ctl({u"run"_s, u"-"_s, u"--follow"_s}, EngineFixture::job("mask", {"umask"}));
        ::umask(before);
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("0027"), run.out.constData());
    }

    void settingsOfLists()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"settings"_s, u"gpu.keepHours"_s, u"0 9:00-18:00"_s, u"1 22:00-6:00"_s}).status, 0);
        QCOMPARE(f.ctl({u"settings"_s, u"gpu.keepHours"_s}).out, QByteArray("[\"0 9:00-18:00\",\"1 22:00-6:00\"]\n"));
        QCOMPARE(f.ctl({u"settings"_s, u"gpu.keepHours"_s, u"[]"_s}).status, 0);
        QCOMPARE(f.ctl({u"settings"_s, u"gpu.keepHours"_s}).out, QByteArray("[]\n"));
        QCOMPARE(f.ctl({u"settings"_s, u"gpu.exclude"_s, u"1"_s}).status, 0);
        QCOMPARE(f.ctl({u"settings"_s, u"gpu.exclude"_s}).out, QByteArray("[\"1\"]\n"));
        const auto unknown = f.ctl({u"settings"_s, u"gpu.keepHours"_s, u"4711 9:00-10:00"_s});
        QCOMPARE(unknown.status, 0); // it may come some day
        QVERIFY2(unknown.err.contains("has the GPU 4711 at the moment"), unknown.err.constData());
        QCOMPARE(f.ctl({u"settings"_s, u"gpu.exclude"_s, u"foo"_s}).status, 2);
        auto bad = f.ctl({u"settings"_s, u"stop.graceSeconds"_s, u"long"_s});
        QCOMPARE(bad.status, 2);
        QVERIFY2(bad.err.contains("Seconds that a task has between"), bad.err.constData());
        bad = f.ctl({u"settings"_s, u"stop.graceSeconds"_s, u"1"_s, u"2"_s});
        QCOMPARE(bad.status, 2);
        QCOMPARE(f.ctl({u"settings"_s, u"no.such"_s, u"1"_s}).status, 2);
    }

    void settingsAreReadAgainOnHangUp()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"hosts"_s, u"list"_s}).status, 0);
        const qint64 daemon = f.daemonPid();
        QVERIFY(daemon > 0);
        f.setSettings({{u"ports.first"_s, 21000}, {u"ports.last"_s, 21040}});
        ::kill(static_cast<pid_t>(daemon), SIGHUP);
        const auto port = [&f] {
            return f
                .ctl({u"run"_s, u"-"_s, u"--follow"_s},
                    EngineFixture::job("ports", {"echo port:$PAI_CONTAINER_SSH_PORT:"}))
                .out.split(':')
                .value(1)
                .toInt();
        };
        int drawn = 0;
        QTRY_VERIFY_WITH_TIMEOUT((drawn = port(), drawn >= 21000 && drawn <= 21040), 15000);
        QCOMPARE(f.daemonPid(), daemon);
    }

    // What only reads is asked again of the next engine.
    void askedOfALostEngine()
    {
        ProgramsFixture f;
        QVERIFY(paths::ensurePrivateFolder(paths::runtimeFolder()));
        FakeEngine engine(f.socketPath());
        for (const QStringList &command : {QStringList{u"show"_s, u"7"_s}, QStringList{u"wait"_s, u"group:lr"_s}}) {
            engine.losses = 3;
            const auto run = f.startCtl(command);
            QTRY_COMPARE_WITH_TIMEOUT(engine.unanswered(), 1, 20000);
            QCOMPARE(engine.losses, 0);
            engine.refuseAll({u"job.unknown"_s, {{u"job"_s, u"7"_s}}});
            QVERIFY(waitForEnd(*run));
            QCOMPARE(run->exitCode(), 2);
        }
        // Not for ever.
        engine.losses = 1000;
        const auto lost = f.startCtl({u"show"_s, u"7"_s});
        QVERIFY(waitForEnd(*lost));
        QCOMPARE(lost->exitCode(), 3);
        QVERIFY(engine.losses > 900);
    }

    // A job that ran is submitted once more as it ran, also when its file is gone.
    void runsAJobAgain()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/train.yaml"_s,
            EngineFixture::document("train",
                EngineFixture::role(
                    "w", 1, {"echo rate=<% $parameters.lr %> in $(basename $PWD) <% $secrets.token %>"}),
                "parameters: {lr: 0.1}\nsecrets: {token: tok-en-value}\n"));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s, u"--param"_s, u"lr=0.3"_s}).status, 0);
        const QStringList again{u"run"_s, u"--again"_s, u"1"_s, u"--follow"_s};
        auto run = f.ctl(again);
        QVERIFY2(run.status == 0 && run.out.contains("rate=0.3 in work"), QByteArray(run.err + run.out).constData());
        QVERIFY2(run.err.contains("The values of the secrets are taken from"), run.err.constData());
        QVERIFY(QFile::remove(file));
        const QString token = f.write(u"token"_s, "tok-en-value\n");
        const QStringList given{u"--secret"_s, u"token=@"_s + token};
        run = f.ctl(again + given + QStringList{u"--param"_s, u"lr=0.9"_s, u"--name"_s, u"other"_s});
        QVERIFY2(run.status == 0 && run.out.contains("rate=0.9 in work"), QByteArray(run.err + run.out).constData());
        const QByteArray text = f.ctl({u"show"_s, u"other"_s, u"--yaml"_s}).out;
        QVERIFY2(text.contains("name: other\n") && !text.contains("tok-en-value"), text.constData());
        run = f.ctl(again); // whose secret nobody gives
        QVERIFY2(run.status == 4 && run.err.contains("token"), run.err.constData());
        // Also where the folder was named beside the text.
        const QString there = f.path(u"there"_s), elsewhere = f.path(u"elsewhere"_s);
        QVERIFY(QDir().mkpath(there) && QDir().mkpath(elsewhere));
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s, u"--name"_s, u"placed"_s, u"--work"_s, there},
                      EngineFixture::job("where", {"echo in $(basename $PWD)"}))
                     .status,
            0);
        run = f.ctl({u"run"_s, u"--again"_s, u"placed"_s, u"--name"_s, u"once-more"_s, u"--follow"_s});
        QVERIFY2(run.status == 0 && run.out.contains("in there"), QByteArray(run.err + run.out).constData());
        run = f.ctl({u"run"_s, u"--again"_s, u"once-more"_s, u"--follow"_s, u"--work"_s, elsewhere});
        QVERIFY2(run.status == 0 && run.out.contains("in elsewhere"), QByteArray(run.err + run.out).constData());
        QCOMPARE(f.ctl({u"run"_s, u"--again"_s, u"99"_s}).status, 2);
        for (const QStringList &wrong : {QStringList{u"run"_s}, QStringList{u"run"_s, file, u"--again"_s, u"1"_s}}) {
            run = f.ctl(wrong);
            QVERIFY2(run.status == 2 && run.err.contains("or --again with a job"), run.err.constData());
        }
        for (const QString &command : {u"run"_s, u"sweep"_s, u"export"_s, u"render"_s, u"check"_s}) {
            run = f.ctl(command == "sweep"_L1 ? QStringList{command, u"1"_s, u"--param"_s, u"lr=1,2"_s}
                    : command == "export"_L1  ? QStringList{command, u"1"_s, u"--to"_s, u"bash"_s}
                                              : QStringList{command, u"1"_s});
            QCOMPARE(run.status, 2);
            QVERIFY2(run.err.contains("'trainyardctl show 1 --yaml'") && run.err.contains("run --again 1'"),
                run.err.constData());
        }
    }

    void followsWhatRuns()
    {
        ProgramsFixture f;
        const QByteArray gate = QFile::encodeName(f.path(u"gate"_s));
        QCOMPARE(::mkfifo(gate.constData(), 0600), 0);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s},
                      EngineFixture::job("gated", {"echo before; read x < " + gate + "; echo after $x"}))
                     .status,
            0);
        const auto follow = f.startCtl({u"logs"_s, u"-f"_s, u"1"_s});
        QVERIFY(waitForLine(*follow, "before"));
        QCOMPARE(follow->state(), QProcess::Running);
        f.write(u"gate"_s, "word\n");
        QVERIFY(waitForLine(*follow, "after word"));
        QVERIFY(waitForEnd(*follow));
        QCOMPARE(follow->exitCode(), 0);
    }

    void interruptLetsGo()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/long.yaml"_s, EngineFixture::job("long", {"echo started; sleep 100"}));
        const auto run = f.startCtl({u"run"_s, u"--follow"_s, file});
        QVERIFY(waitForLine(*run, "started"));
        ::kill(static_cast<pid_t>(run->processId()), SIGINT);
        QVERIFY(waitForEnd(*run));
        QCOMPARE(run->exitCode(), 130);
        QVERIFY(run->readAllStandardError().contains("keeps running"));
        QCOMPARE(
            f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0).toObject().value("state"_L1).toString(), u"RUNNING"_s);
        QCOMPARE(f.ctl({u"rm"_s, u"1"_s}).status, 4);
        const auto stop = f.ctl({u"stop"_s, u"1"_s, u"--wait"_s});
        QVERIFY2(stop.status == 0, stop.err.constData());
        QCOMPARE(
            f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0).toObject().value("state"_L1).toString(), u"STOPPED"_s);
        QCOMPARE(f.ctl({u"wait"_s, u"1"_s}).status, 130);
        QCOMPARE(f.ctl({u"stop"_s, u"1"_s}).status, 0);
    }

    // Whoever starts it under nohup, or in the background of a script, has it ignore these signals; others count.
    void ignoredSignalsStayIgnored()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/long.yaml"_s,
            EngineFixture::job(
                "long", {"echo started", "until [ -e " + f.path(u"go"_s).toUtf8() + " ]; do sleep 0.02; done"}));
        const auto start = [&](QProcess &process) {
            process.setProcessEnvironment(f.environment());
            process.start(u"sh"_s,
                {u"-c"_s, u"trap '' INT HUP; exec \"$0\" \"$@\""_s, f.program(u"trainyardctl"_s), u"run"_s,
                    u"--follow"_s, file});
        };
        QProcess ignoring;
        start(ignoring);
        QVERIFY(waitForLine(ignoring, "started"));
        ::kill(static_cast<pid_t>(ignoring.processId()), SIGINT);
        ::kill(static_cast<pid_t>(ignoring.processId()), SIGHUP);
        f.write(u"go"_s, {});
        QVERIFY(waitForEnd(ignoring));
        QCOMPARE(ignoring.exitCode(), 0);
        QVERIFY(!ignoring.readAllStandardError().contains("keeps running"));
        QVERIFY(QFile::remove(f.path(u"go"_s)));
        QProcess other;
        start(other);
        QVERIFY(waitForLine(other, "started"));
        ::kill(static_cast<pid_t>(other.processId()), SIGTERM);
        QVERIFY(waitForEnd(other));
        QCOMPARE(other.exitCode(), 130);
        QCOMPARE(f.ctl({u"stop"_s, u"--wait"_s, u"2"_s}).status, 0);
    }

    // A command in the foreground that is killed leaves tasks; the next one, or the daemon, ends them.
    void killedForegroundIsStopped()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/long.yaml"_s, EngineFixture::job("long", {"echo started; sleep 1000"}, 2));
        for (const bool byDaemon : {false, true}) {
            const auto process = f.startCtl({u"run"_s, u"--foreground"_s, file});
            QVERIFY(waitForLine(*process, "worker/0 | started"));
            QTRY_COMPARE(f.pidsOf(u"sleep"_s).size(), 2);
            ::kill(static_cast<pid_t>(process->processId()), SIGKILL);
            QVERIFY(waitForEnd(*process));
            QCOMPARE(f.pidsOf(u"sleep"_s).size(), 2);
            if (byDaemon) {
                QCOMPARE(f.ctl({u"ps"_s}).status, 0);
            } else {
                const auto next
                    = f.ctl({u"run"_s, u"--foreground"_s, u"-"_s}, EngineFixture::job("next", {"echo hello"}));
                QVERIFY2(next.status == 0, next.err.constData());
                QVERIFY2(next.err.contains("have been stopped"), next.err.constData());
            }
            QTRY_VERIFY_WITH_TIMEOUT(f.pidsOf(u"sleep"_s).isEmpty(), 15000);
        }
        // One that lives is left alone, and what is over is not looked at again.
        const auto process = f.startCtl({u"run"_s, u"--foreground"_s, file});
        QVERIFY(waitForLine(*process, "worker/0 | started"));
        const auto next = f.ctl({u"run"_s, u"--foreground"_s, u"-"_s}, EngineFixture::job("next", {"echo hello"}));
        QCOMPARE(next.status, 0);
        QVERIFY(!next.err.contains("have been stopped"));
        QCOMPARE(f.pidsOf(u"sleep"_s).size(), 2);
        // A daemon that runs all the while ends what is left of it too.
        QVERIFY(f.daemonPid() > 0);
        ::kill(static_cast<pid_t>(process->processId()), SIGKILL);
        QVERIFY(waitForEnd(*process));
        QTRY_VERIFY_WITH_TIMEOUT(f.pidsOf(u"sleep"_s).isEmpty(), 30000);
    }

    // Nothing but the logs of a run in the foreground stays, for some time, and also what earlier ones have left goes.
    void foregroundLeavesItsLogs()
    {
        ProgramsFixture f;
        const QString all = f.stateFolder() + u"/foreground"_s;
        const auto runs = [&all] { return QDir(all).entryList(QDir::Dirs | QDir::NoDotAndDotDot); };
        const auto run = f.ctl({u"run"_s, u"--foreground"_s, u"-"_s}, EngineFixture::job("front", {"echo hello"}));
        QVERIFY2(run.status == 0, run.err.constData());
        QCOMPARE(runs().size(), 1);
        const QString folder = all + u'/' + runs().constFirst();
        QVERIFY2(run.err.contains(QByteArray("The logs are in " + folder.toUtf8() + "/runs")), run.err.constData());
        QStringList logs;
        qint64 bytes = 0;
        QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString file = files.next();
            bytes += QFileInfo(file).size();
            if (EngineFixture::contents(file) == "hello\n") {
                logs.append(file);
            }
        }
        QVERIFY(!logs.isEmpty());
        QVERIFY2(bytes < 256 * 1024, QByteArray::number(bytes).constData());
        // What a run of an earlier version has left, and a run that is too old.
        const QString inside = QDir(f.path({})).relativeFilePath(all);
        f.write(inside + u'/' + runs().constFirst() + u"/store.reserve"_s, QByteArray(4096, 'x'));
        const QString name = u"/6f1ed002-ab5f-4c3a-9b1c-0d3f5a7c9e11"_s;
        const QString old = all + name;
        const QString mark = f.write(inside + name + u"/over"_s, {});
        QFile aged(mark);
        QVERIFY(aged.open(QIODevice::ReadWrite));
        QVERIFY(aged.setFileTime(QDateTime::currentDateTime().addDays(-15), QFileDevice::FileModificationTime));
        aged.close();
        // Nothing ran in this one, so nothing of it stays.
        QCOMPARE(f.ctl({u"run"_s, u"--foreground"_s, u"-"_s}, "x").status, 4);
        QCOMPARE(runs().size(), 1);
        QVERIFY(QFile::exists(logs.constFirst()) && !QFile::exists(folder + u"/store.reserve"_s));
        QVERIFY(!QFile::exists(old));
    }

    void foreground()
    {
        ProgramsFixture f;
        auto run = f.ctl({u"run"_s, u"--foreground"_s, u"-"_s}, EngineFixture::job("front", {"echo hello"}, 2));
        QVERIFY2(run.status == 0, run.err.constData());
        QVERIFY(run.out.contains("worker/1 | hello"));
        QCOMPARE(
            f.ctl({u"run"_s, u"--foreground"_s, u"-"_s}, EngineFixture::job("front", {"echo hello"})).out, "hello\n");
        // Its number is that of a store of its own, and would be taken for a job of the engine.
        QVERIFY2(!run.err.contains('#') && run.err.contains("front succeeded"), run.err.constData());
        QCOMPARE(f.ctl({u"run"_s, u"--foreground"_s, u"-"_s}, EngineFixture::job("front", {"exit 9"})).status, 9);
        QCOMPARE(f.ctl({u"run"_s, u"--foreground"_s, u"-"_s}, "x").status, 4);
        QCOMPARE(f.daemonPid(), 0);
        const QString file = f.write(u"work/long.yaml"_s,
            EngineFixture::job("long", {"trap '' TERM; echo started; sleep 100 & wait; sleep 100"}));
        for (int presses = 1; presses <= 2; ++presses) {
            // The second press is what ends it, and not the end of the grace period.
            f.setSettings({{u"stop.graceSeconds"_s, presses == 2 ? 600 : 2}, {u"environment.mode"_s, u"clean"_s}});
            const auto process = f.startCtl({u"run"_s, u"--foreground"_s, file});
            QVERIFY(waitForLine(*process, "started"));
            ::kill(static_cast<pid_t>(process->processId()), SIGINT);
            if (presses == 2) {
                QVERIFY(waitForLine(*process, "Stopping", true));
                ::kill(static_cast<pid_t>(process->processId()), SIGINT);
            }
            QVERIFY(waitForEnd(*process));
            QCOMPARE(process->exitCode(), 130);
            QTRY_VERIFY(f.pidsOf(u"sleep"_s).isEmpty());
        }
    }
};

TRAINYARD_TEST(TstCliRun)
#include "tst_clirun.moc"
