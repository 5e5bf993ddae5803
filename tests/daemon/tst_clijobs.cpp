// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/podman.h"
#include "tests/daemon/rawclient.h"
#include "tests/daemon/sshhosts.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QScopeGuard>

#include <signal.h>

#include <limits>
#include <numeric>

using namespace Qt::StringLiterals;

// Jobs, logs, hosts and the engine from the command line, with the real programs.
class TstCliJobs : public QObject
{
    Q_OBJECT

    static bool waitForEnd(QProcess &process, int ms = 15000)
    {
        return QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, ms);
    }

    // A job whose task sits in a container, in a folder of its own making, with a variable of its own.
    static void run(const ProgramsFixture &f, const QStringList &options, const QByteArray &last)
    {
        const QByteArray text = EngineFixture::document("boxed",
            EngineFixture::role(
                "worker", 1, {"mkdir -p /inside/deep", "cd /inside/deep", "export OF_THE_TASK=1", last}),
            "prerequisites:\n  - {name: image, type: dockerimage, uri: \"" + Podman::image().toUtf8()
                + "\"}\nextras: {trainyard: {runIn: podman}}\n");
        const auto run = f.ctl(QStringList{u"run"_s} + options + QStringList{f.write(u"work/x.yaml"_s, text)});
        QVERIFY2(run.status == 0, run.err.constData());
    }

    // Where it is, what it has, and with its input and output.
    static void enterItsTask(const ProgramsFixture &f)
    {
        const QStringList enter{u"exec"_s, u"boxed"_s, u"worker/0"_s, u"--"_s};
        QTRY_COMPARE_WITH_TIMEOUT(f.ctl(enter + QStringList{u"pwd"_s}).out.trimmed(), "/inside/deep", 30000);
        const auto variables = f.ctl(enter + QStringList{u"sh"_s, u"-c"_s, u"env; exit 7"_s});
        QCOMPARE(variables.status, 7);
        QVERIFY2(variables.out.contains("PAI_TASK_ROLE_NAME=worker\n"), variables.out.constData());
        QCOMPARE(f.ctl(enter + QStringList{u"cat"_s}, "what comes in\n").out, "what comes in\n");
    }

private Q_SLOTS:
    void everyCommandHasHelp()
    {
        ProgramsFixture f;
        const auto all = f.ctl({u"--help"_s});
        QCOMPARE(all.status, 0);
        for (const char *name : {"run", "ps", "show", "logs", "wait", "stop", "rm", "retry", "move", "pause", "resume",
                 "hosts", "top", "exec", "ssh", "forward", "cp", "release", "settings", "engine"}) {
            QVERIFY2(all.out.contains(QByteArray(QByteArray("  ") + name + " ")), name);
            const auto help = f.ctl({QString::fromLatin1(name), u"--help"_s});
            QCOMPARE(help.status, 0);
            QVERIFY2(help.out.contains("Exit status:"), name);
            QVERIFY2(help.out.contains("Example"), name);
            for (const QByteArray &line : help.out.split('\n')) {
                QVERIFY2(line.size() <= 110, line.constData()); // wrapped by hand: what is longer breaks anywhere
            }
            QCOMPARE(f.ctl({QString::fromLatin1(name), u"--no-such-option"_s}).status, 2);
        }
        QCOMPARE(f.daemonPid(), 0);
    }

    // What a task left in its work folder, by its path there.
    void copiesFiles()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        const QByteArray commands = EngineFixture::document("makes",
            EngineFixture::role(
                "w", 2, {"mkdir -p 'out put/sub'", "echo $PAI_TASK_INDEX >'out put/sub/a:b.txt'", "echo one >one"}));
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, commands).status, 0);
        const QString here = f.path(u"copies"_s);
        QVERIFY(QDir().mkpath(here));
        const auto many = f.ctl({u"cp"_s, u"1:w/1:out put"_s, u"makes:w/0:one"_s, here});
        QVERIFY2(many.status == 0, many.err.constData());
        QCOMPARE(EngineFixture::contents(here + u"/out put/sub/a:b.txt"_s), "1\n");
        QCOMPARE(EngineFixture::contents(here + u"/one"_s), "one\n");
        // Once more, and under another name.
        QCOMPARE(f.ctl({u"cp"_s, u"1:w/0:out put/"_s, here}).status, 0);
        QCOMPARE(EngineFixture::contents(here + u"/out put/sub/a:b.txt"_s), "0\n");
        QCOMPARE(f.ctl({u"cp"_s, u"1:w/0:out put/sub/a:b.txt"_s, here + u"/other"_s}).status, 0);
        QCOMPARE(EngineFixture::contents(here + u"/other"_s), "0\n");
        const auto several = f.ctl({u"cp"_s, u"1:one"_s, here});
        QCOMPARE(several.status, 2);
        QVERIFY2(several.err.contains("JOB:ROLE/INDEX:PATH"), several.err.constData());
        const auto missing = f.ctl({u"cp"_s, u"1:w/0:none"_s, here});
        QCOMPARE(missing.status, 2);
        QVERIFY2(missing.err.contains("There is no ") && missing.err.contains("/none"), missing.err.constData());
        QCOMPARE(f.ctl({u"cp"_s, u"1:w/7:one"_s, here}).status, 2);
        QCOMPARE(f.ctl({u"cp"_s, u"9:one"_s, here}).status, 2);
        QCOMPARE(f.ctl({u"cp"_s, u"one"_s, here}).status, 2);
        QCOMPARE(f.ctl({u"cp"_s, u"1:w/0:one"_s, u"1:w/1:one"_s, here + u"/one"_s}).status, 2);
        for (const QString &end : {u"/new/"_s, u"/new/one"_s}) {
            const auto nowhere = f.ctl({u"cp"_s, u"1:w/0:one"_s, here + end});
            QCOMPARE(nowhere.status, 2);
            QVERIFY2(nowhere.err.contains("The folder ") && nowhere.err.contains("/new does not exist."),
                nowhere.err.constData());
        }
        // Of a job with one task; its work folder is that of its file.
        const QString file = f.write(u"work/single.yaml"_s,
            EngineFixture::document("single", EngineFixture::role("w", 1, {"echo result >result"})));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 0);
        QCOMPARE(f.ctl({u"cp"_s, u"single:result"_s, here}).status, 0);
        QCOMPARE(EngineFixture::contents(here + u"/result"_s), "result\n");
    }

    // With a systemd that manages the user's processes, engine and tasks get scopes of their own; a fake one tells.
    void scopesAndLingering()
    {
        ProgramsFixture f;
        QVERIFY(!f.ctl({u"engine"_s, u"status"_s}).out.contains("Logout"));
        const auto program = [&](const QString &name, const QByteArray &text) {
            const QString path = f.write(u"bin/"_s + name, "#!/bin/sh\n" + text);
            QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        };
        QDir(f.path({})).mkpath(u"bin"_s);
        QDir(f.path({})).mkpath(u"run/systemd"_s);
        f.write(u"run/systemd/private"_s, {});
        const QByteArray said = f.path(u"said"_s).toUtf8();
        program(u"busctl"_s, "echo \"$@\" >> " + said + "\n");
        program(u"loginctl"_s, "echo \"$@\" >> " + said + "; cat " + f.path(u"lingers"_s).toUtf8() + "\n");
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", f.path(u"bin:"_s).toUtf8() + path);
        const auto restore = qScopeGuard([&] { qputenv("PATH", path); });

        f.write(u"lingers"_s, "no\n");
        const auto run = f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("scoped", {"true"}));
        QVERIFY2(run.status == 0, run.err.constData());
        const QByteArray calls = EngineFixture::contents(f.path(u"said"_s));
        const auto pid = [](qint64 of) { return QByteArray::number(of); };
        QVERIFY2(calls.contains("StartTransientUnit")
                && calls.contains(QByteArray("trainyard-engine-" + pid(f.daemonPid()) + ".scope")),
            calls.constData());
        QVERIFY2(
            calls.contains(QByteArray("trainyard-tasks-" + pid(f.agentPids().value(0)) + ".scope")), calls.constData());
        QVERIFY(f.ctl({u"engine"_s, u"status"_s}).out.contains("enable-linger"));
        f.write(u"lingers"_s, "yes\n");
        QVERIFY(f.ctl({u"engine"_s, u"status"_s}).out.contains("jobs keep running"));
        QCOMPARE(f.ctl({u"engine"_s, u"status"_s, u"--json"_s}).json().object().value("lingers"_L1).toBool(), true);
        // A broken one is no reason not to work.
        program(u"busctl"_s, "exit 1\n");
        program(u"loginctl"_s, "exit 1\n");
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("scoped", {"true"})).status, 0);
        QVERIFY(!f.ctl({u"engine"_s, u"status"_s}).out.contains("Logout"));
    }

    // Who has corrected the file and retries has to be told that the job does not read it.
    void saysThatTheFileHasChanged()
    {
        ProgramsFixture f;
        const QByteArray secret = "secrets: {token: tok-en-value}\n";
        const auto text = [&](const QByteArray &command) {
            return EngineFixture::document("edited", EngineFixture::role("w", 1, {command}), secret);
        };
        const QString file = f.write(u"work/my job.yaml"_s, text("echo <% $secrets.token %>; exit 3"));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s, u"--name"_s, u"other"_s}).status, 3);
        const QStringList again{u"retry"_s, u"1"_s, u"--wait"_s};
        auto retried = f.ctl(again);
        QVERIFY2(retried.status == 3 && !retried.err.contains("has changed since"), retried.err.constData());
        f.write(u"work/my job.yaml"_s, text("echo <% $secrets.token %>"));
        retried = f.ctl(again);
        const QByteArray wanted
            = file.toUtf8() + " has changed since; 'trainyardctl retry 1 --with '" + file.toUtf8() + "'' uses it.";
        QVERIFY2(retried.status == 3 && retried.err.contains(wanted), retried.err.constData());
        retried = f.ctl(again + QStringList{u"--with"_s, file});
        QVERIFY2(retried.status == 0 && !retried.err.contains("has changed since"), retried.err.constData());
        // A value of a secret may be new although the rest is not.
        QVERIFY2(!retried.err.contains("is the one that the job had before"), retried.err.constData());
        retried = f.ctl(again + QStringList{u"--with"_s, file});
        QVERIFY2(!retried.err.contains("is the one that the job had before"), retried.err.constData());
        retried = f.ctl(again); // by the new text, which it has now
        QVERIFY2(retried.status == 0 && !retried.err.contains("has changed since"), retried.err.constData());
        QVERIFY(QFile::remove(file));
        retried = f.ctl({u"retry"_s, u"1"_s});
        QVERIFY2(!retried.err.contains("has changed since"), retried.err.constData());
    }

    // Who meant to change a file and did not write it has to be told, and the job runs all the same.
    void saysThatATextIsTheSame()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/same.yaml"_s, EngineFixture::job("same", {"exit 3"}));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s, u"--name"_s, u"renamed"_s}).status, 3);
        const QStringList again{u"retry"_s, u"1"_s, u"--wait"_s, u"--with"_s, file};
        const QByteArray same = "The text of " + file.toUtf8() + " is the one that the job had before.";
        auto retried = f.ctl(again);
        QVERIFY2(retried.status == 3 && retried.err.count(same) == 1, retried.err.constData());
        f.write(u"work/same.yaml"_s, EngineFixture::job("same", {"exit 4"}));
        retried = f.ctl(again);
        QVERIFY2(retried.status == 4 && !retried.err.contains(same), retried.err.constData());
    }

    void retries()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s},
                      EngineFixture::job("flaky", {QByteArray("[ -e " + f.path(u"work/mended"_s).toUtf8() + " ]")}, 2))
                     .status,
            1);
        QCOMPARE(f.ctl({u"retry"_s}).status, 2);
        QCOMPARE(f.ctl({u"retry"_s, u"flaky"_s, u"worker/9"_s}).status, 2);
        QCOMPARE(f.ctl({u"retry"_s, u"flaky"_s, u"worker/0"_s, u"--failed"_s}).status, 2);
        QCOMPARE(f.ctl({u"move"_s, u"flaky"_s}).status, 4);
        f.write(u"work/mended"_s, {});
        const auto again = f.ctl({u"retry"_s, u"flaky"_s, u"--failed"_s, u"--wait"_s});
        QVERIFY2(again.status == 0, again.err.constData());
        QCOMPARE(f.ctl({u"retry"_s, u"flaky"_s, u"--failed"_s}).status, 4);
        QCOMPARE(f.ctl({u"retry"_s, u"flaky"_s, u"worker/1"_s, u"--wait"_s}).status, 0);
        const QJsonObject newest = f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0).toObject();
        QCOMPARE(newest.value("retries"_L1).toInt(), 2);
        // The head of a former attempt is that of the attempt.
        const QByteArray first = f.ctl({u"show"_s, u"flaky"_s, u"--attempt"_s, u"1"_s}).out;
        QVERIFY2(first.startsWith("#1 flaky  FAILED  attempt 1 of 3\n"), first.constData());
        // The task that fails first may stop the other one before it fails, too.
        QVERIFY2(first.contains(": The command ended with status 1")
                && (first.contains(" 2 failed\n") || first.contains(" 1 failed, 1 stopped\n")),
            first.constData());
        const QJsonDocument former = f.ctl({u"show"_s, u"flaky"_s, u"--json"_s, u"--attempt"_s, u"1"_s}).json();
        QCOMPARE(former[u"jobStatus"][u"state"].toString(), u"SUCCEEDED"_s);
        QCOMPARE(former[u"engine"][u"exitStatus"].toInt(), 1);
        QVERIFY(former[u"engine"][u"why"].toString().contains("ended with status 1"_L1));
        QVERIFY(former[u"engine"][u"reason"].toString().startsWith("exit."_L1));
        const QJsonDocument present = f.ctl({u"show"_s, u"flaky"_s, u"--json"_s, u"--attempt"_s, u"3"_s}).json();
        QVERIFY(present[u"engine"][u"why"].isNull());
        const QByteArray last = f.ctl({u"show"_s, u"flaky"_s, u"--attempt"_s, u"3"_s}).out;
        QVERIFY2(last.startsWith("#1 flaky  SUCCEEDED  attempt 3 of 3\n"), last.constData());
        QVERIFY(f.ctl({u"show"_s, u"flaky"_s}).out.startsWith("#1 flaky  SUCCEEDED\n"));
        // The time is that of the newest attempt.
        QVERIFY(newest[u"engine"][u"attemptBegan"].toInteger() > newest[u"launchedTime"].toInteger());
        QVERIFY2(again.err.contains("in attempt 2"), again.err.constData());
        const auto shown = f.ctl({u"show"_s, u"flaky"_s});
        QVERIFY2(shown.out.contains("in attempt 3; "), shown.out.constData());
    }

    // In its environment and folder, with what comes in and the status that goes out.
    void entersARunningTask()
    {
        ProgramsFixture f;
        const QByteArray text = EngineFixture::job("entered",
            {"export MADE='two words'", "mkdir -p 'a b'", "cd 'a b'", "while [ ! -e ../go ]; do sleep 0.02; done"});
        QCOMPARE(f.ctl({u"run"_s, f.write(u"work/x.yaml"_s, text)}).status, 0);
        const QStringList enter{u"exec"_s, u"entered"_s, u"worker/0"_s, u"--"_s};
        QTRY_COMPARE(f.ctl(enter + QStringList{u"true"_s}).status, 0);
        QTRY_COMPARE(f.ctl(enter + QStringList{u"pwd"_s}).out.trimmed(), f.path(u"work/a b"_s).toUtf8());
        const auto variables = f.ctl(enter + QStringList{u"sh"_s, u"-c"_s, u"env; exit 7"_s});
        QCOMPARE(variables.status, 7);
        QVERIFY2(variables.out.contains("\nPAI_TASK_ROLE_NAME=worker\n"), variables.out.constData());
        QVERIFY2(variables.out.contains("\nTRAINYARD_JOB_ID="), variables.out.constData());
        QCOMPARE(f.ctl(enter + QStringList{u"cat"_s}, "what comes in\n").out, "what comes in\n");
        const auto words = f.ctl(enter + QStringList{u"printf"_s, u"<%s>"_s, u"a b"_s, u"$HOME '\""_s, QString()});
        QCOMPARE(words.out, "<a b><$HOME '\"><>");
        // A shell where no command is given, and the command's own options stay its own.
        QCOMPARE(f.ctl(enter.mid(0, 3), "echo from $PAI_TASK_ROLE_NAME\nexit 3\n").status, 3);
        QCOMPARE(f.ctl({u"exec"_s, u"entered"_s, u"worker/0"_s, u"ls"_s, u"--help"_s}).status, 0);
        const auto line = f.ctl(enter + QStringList{u"cd /; pwd; exit 3"_s});
        QCOMPARE(line.out, QByteArray("/\n"));
        QCOMPARE(line.status, 3);
        QCOMPARE(f.ctl({u"exec"_s, u"entered"_s, u"worker/1"_s, u"true"_s}).status, 2);
        QCOMPARE(f.ctl({u"exec"_s, u"nobody"_s, u"worker/0"_s, u"true"_s}).status, 2);
        QCOMPARE(f.ctl({u"exec"_s, u"entered"_s, u"worker"_s, u"true"_s}).status, 2);
        // The only task needs no name; a command behind the job alone would look like one.
        const auto unnamed = f.ctl({u"exec"_s, u"entered"_s, u"--"_s, u"sh"_s, u"-c"_s, u"pwd; exit 5"_s});
        QCOMPARE(unnamed.out.trimmed(), f.path(u"work/a b"_s).toUtf8());
        QCOMPARE(unnamed.status, 5);
        QCOMPARE(f.ctl({u"exec"_s, u"entered"_s}, "exit 6\n").status, 6);
        const auto unclear = f.ctl({u"exec"_s, u"entered"_s, u"true"_s});
        QCOMPARE(unclear.status, 2);
        QVERIFY2(unclear.err.contains("'true' is not a task, ROLE/INDEX. A command follows after '--'."),
            unclear.err.constData());
        f.write(u"work/go"_s, {});
        QCOMPARE(f.ctl({u"wait"_s, u"entered"_s}).status, 0);
        const auto late = f.ctl(enter + QStringList{u"true"_s});
        QCOMPARE(late.status, 4);
        QVERIFY2(late.err.contains("not running"), late.err.constData());
    }

    void entersATaskInAContainer()
    {
        const Podman podman;
        SKIP_UNLESS_THERE(podman);
        ProgramsFixture f;
        run(f, {}, "while [ ! -e \"$PAI_WORK_DIR/go\" ]; do sleep 0.1; done");
        enterItsTask(f);
        f.write(u"work/go"_s, {});
        QCOMPARE(f.ctl({u"wait"_s, u"boxed"_s}).status, 0);
    }

    void entersATaskInAContainerOfAnotherHost()
    {
        const Podman podman;
        SKIP_UNLESS_THERE(podman);
        const SshHosts hosts(1);
        SKIP_UNLESS_THERE(hosts);
        qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
        const auto restore = qScopeGuard([] { qunsetenv("TRAINYARD_SSH_CONFIG"); });
        ProgramsFixture f;
        const auto added = f.ctl({u"hosts"_s, u"add"_s, hosts.name(0)});
        QVERIFY2(added.status == 0, added.err.constData());
        run(f, {u"--on"_s, hosts.name(0)}, "while [ ! -e go ]; do sleep 0.1; done");
        enterItsTask(f);
        const QStringList enter{u"exec"_s, u"boxed"_s, u"worker/0"_s, u"--"_s};
        const auto words = f.ctl(enter + QStringList{u"printf"_s, u"<%s>"_s, u"a b"_s, u"$HOME '\""_s, QString()});
        QCOMPARE(words.out, "<a b><$HOME '\"><>");
        QCOMPARE(f.ctl(enter + QStringList{u"touch"_s, u"go"_s}).status, 0); // in its folder, which is nowhere else
        QCOMPARE(f.ctl({u"wait"_s, u"boxed"_s}).status, 0);
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
    }

    void failedTasksAreHeldAndReleased()
    {
        ProgramsFixture f;
        const QByteArray text = EngineFixture::document("held", EngineFixture::role("worker", 1, {"exit 7"}),
            "extras: {trainyard: {holdAfterFailureMinutes: 5}}\n");
        QCOMPARE(f.ctl({u"run"_s, f.write(u"work/x.yaml"_s, text)}).status, 0);
        const auto shown = [&] { return f.ctl({u"show"_s, u"held"_s}).out; };
        QTRY_VERIFY2_WITH_TIMEOUT(shown().contains("worker/0 ended with status 7"), shown().constData(), 10000);
        // It does not look like one that runs.
        QTRY_VERIFY2_WITH_TIMEOUT(shown().contains("KEPT"), shown().constData(), 10000);
        for (const QStringList &list : {QStringList{u"ps"_s}, QStringList{u"top"_s, u"--once"_s}}) {
            const QByteArray row = f.ctl(list).out;
            QVERIFY2(row.contains("worker/0 ended with status 7 and is kept for inspection for another "
                                  "4:")
                    || row.contains("for another 5:00"),
                row.constData());
        }
        const std::unique_ptr<QProcess> wait = f.startCtl({u"wait"_s, u"held"_s});
        QByteArray said;
        QTRY_VERIFY2_WITH_TIMEOUT((said += wait->readAllStandardError()).contains("'trainyardctl release 1 worker/0'"),
            said.constData(), 10000);
        // Neither does it after a restart of the engine.
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
        QTRY_VERIFY2_WITH_TIMEOUT(shown().contains("KEPT"), shown().constData(), 10000);
        QCOMPARE(f.ctl({u"exec"_s, u"held"_s, u"worker/0"_s, u"true"_s}).status, 0);
        QCOMPARE(f.ctl({u"release"_s, u"held"_s, u"worker/1"_s}).status, 4);
        QCOMPARE(f.ctl({u"release"_s, u"nobody"_s}).status, 2);
        QCOMPARE(f.ctl({u"release"_s, u"held"_s, u"worker/0"_s}).status, 0);
        QCOMPARE(f.ctl({u"wait"_s, u"held"_s}).status, 7);
        QCOMPARE(f.ctl({u"release"_s, u"held"_s}).status, 4);
        QVERIFY(!shown().contains("stays for"));
    }

    // A failure that is tried again for nothing, whatever the job asks for, would keep it busy for long.
    void triesAtOnceOrGivesUp()
    {
        ProgramsFixture f;
        f.setSettings({{u"retry.pauseSeconds"_s, 3000}});
        const QByteArray once = "[ -e n ] || { touch n; kill -9 $$; }";
        const auto words = [&](const QString &name) { return f.ctl({u"show"_s, name}).out; };
        QCOMPARE(f.ctl({u"run"_s, f.write(u"work/x.yaml"_s, EngineFixture::job("killed", {once}))}).status, 0);
        QTRY_VERIFY2_WITH_TIMEOUT(
            words(u"killed"_s).contains("even if it has no retries"), words(u"killed"_s).constData(), 10000);
        const QByteArray shown = words(u"killed"_s);
        QVERIFY2(shown.contains("trainyardctl retry 1'") && shown.contains("trainyardctl stop 1'"), shown.constData());
        QCOMPARE(f.ctl({u"retry"_s, u"killed"_s, u"worker/7"_s}).status, 2);
        const auto again = f.ctl({u"retry"_s, u"killed"_s, u"--wait"_s});
        QVERIFY2(again.status == 0, again.err.constData());
        // One task of several.
        const QByteArray text = EngineFixture::document("tasks",
            EngineFixture::role("worker", 2, {"[ -e m$PAI_TASK_INDEX ] || { touch m$PAI_TASK_INDEX; kill -9 $$; }"},
                "    completion: {minFailedInstances: -1, minSucceededInstances: -1}\n"),
            "extras: {gangAllocation: false}\n");
        QCOMPARE(f.ctl({u"run"_s, f.write(u"work/y.yaml"_s, text)}).status, 0);
        QTRY_VERIFY2_WITH_TIMEOUT(
            words(u"tasks"_s).count("Waits to try again") >= 2, words(u"tasks"_s).constData(), 10000);
        QCOMPARE(f.ctl({u"retry"_s, u"tasks"_s, u"worker/1"_s}).status, 0);
        QTRY_VERIFY2_WITH_TIMEOUT(words(u"tasks"_s).contains("1 succeeded"), words(u"tasks"_s).constData(), 10000);
        QCOMPARE(f.ctl({u"retry"_s, u"tasks"_s, u"worker/1"_s}).status, 4);
        QCOMPARE(f.ctl({u"retry"_s, u"tasks"_s, u"--wait"_s}).status, 0);
        // Given up, with a code in words.
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, EngineFixture::job("again", {"kill -9 $$"})).status, 0);
        QTRY_VERIFY2_WITH_TIMEOUT(
            words(u"again"_s).contains("Waits to try again"), words(u"again"_s).constData(), 10000);
        const auto given = f.ctl({u"stop"_s, u"again"_s});
        QVERIFY2(given.err.contains("again is stopped before its next attempt."), given.err.constData());
        QTRY_VERIFY_WITH_TIMEOUT(words(u"again"_s).contains("Ended with"), 10000);
        // Nothing is left to wait for.
        const auto over = f.ctl({u"stop"_s, u"again"_s, u"--wait"_s});
        QVERIFY2(over.status == 0 && over.err.count('\n') == 1 && over.err.contains("has already ended (STOPPED)."),
            over.err.constData());
        const QByteArray ended = words(u"again"_s);
        QVERIFY2(ended.contains("Ended with") && ended.contains("Stopped"), ended.constData());
        QVERIFY2(!ended.contains("-210 "), ended.constData());
    }

    void frontOfTheQueueAndTop()
    {
        ProgramsFixture f;
        const auto idle = f.ctl({u"top"_s});
        QCOMPARE(idle.status, 0);
        QVERIFY2(idle.out.contains("No job runs or waits."), idle.out.constData());
        QCOMPARE(f.ctl({u"run"_s,
                           f.write(u"work/x.yaml"_s,
                               EngineFixture::job("first", {"while [ ! -e go ]; do sleep 0.02; done"}))})
                     .status,
            0);
        for (const char *name : {"second", "third", "fourth"}) {
            QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--after"_s, u"first"_s}, EngineFixture::job(name, {"true"})).status, 0);
        }
        const auto order = [&] {
            QByteArrayList names;
            const QByteArrayList lines = f.ctl({u"top"_s, u"--once"_s}).out.split('\n');
            for (const QByteArray &line : lines) {
                const QByteArrayList words = line.simplified().split(' ');
                if (words.value(0).toInt() > 0) {
                    names.append(words.value(1));
                }
            }
            return names.join(' ');
        };
        QTRY_COMPARE(order(), "first second third fourth");
        auto moved = f.ctl({u"move"_s, u"fourth"_s, u"--first"_s});
        QCOMPARE(moved.status, 0);
        QCOMPARE(moved.err, "trainyardctl: #4 fourth is the first one in the queue now.\n");
        QTRY_COMPARE(order(), "first fourth second third");
        moved = f.ctl({u"move"_s, u"fourth"_s, u"--first"_s});
        QCOMPARE(moved.status, 0);
        QCOMPARE(moved.err, "trainyardctl: #4 fourth is the first one in the queue already.\n");
        QCOMPARE(f.ctl({u"move"_s, u"second"_s}).err, "trainyardctl: #2 second is the last one in the queue now.\n");
        QTRY_COMPARE(order(), "first fourth third second");
        moved = f.ctl({u"move"_s, u"second"_s, u"--before"_s, u"third"_s});
        QCOMPARE(moved.err, "trainyardctl: #2 second starts before #3 third now.\n");
        QTRY_COMPARE(order(), "first fourth second third");
        QCOMPARE(f.ctl({u"move"_s, u"third"_s, u"--first"_s, u"--priority"_s, u"2"_s}).status, 2);
        QCOMPARE(f.ctl({u"move"_s, u"first"_s, u"--first"_s}).status, 4);
        // One that was paused before its start waits, too.
        const auto listed = [&](int row) {
            return f.ctl({u"ps"_s, u"--sort"_s, u"priority"_s, u"--json"_s}).json().array().at(row);
        };
        QCOMPARE(f.ctl({u"pause"_s, u"third"_s}).status, 0);
        QCOMPARE(f.ctl({u"move"_s, u"third"_s, u"--priority"_s, u"5"_s}).status, 0);
        moved = f.ctl({u"move"_s, u"fourth"_s, u"--before"_s, u"third"_s});
        QVERIFY2(moved.status == 0, moved.err.constData());
        QCOMPARE(moved.err, "trainyardctl: #4 fourth starts before #3 third now.\n");
        QCOMPARE(listed(3)[u"engine"][u"priority"].toInt(), 5); // it has taken the class of what it stands before
        QCOMPARE(listed(2)[u"engine"][u"priority"].toInt(), 5);
        QCOMPARE(listed(1)[u"engine"][u"priority"].toInt(), 0);
        moved = f.ctl({u"move"_s, u"third"_s, u"--before"_s, u"fourth"_s});
        QCOMPARE(moved.err, "trainyardctl: #3 third starts before #4 fourth now.\n");
        QCOMPARE(f.ctl({u"resume"_s, u"third"_s}).status, 0);
        QTRY_COMPARE(order(), "first third fourth second");
        QVERIFY(f.ctl({u"top"_s}).out.contains("local"));
        QCOMPARE(f.ctl({u"top"_s, u"fourth"_s}).status, 2);
        f.write(u"work/go"_s, {});
        QCOMPARE(f.ctl({u"wait"_s, u"fourth"_s, u"second"_s, u"third"_s}).status, 0);
    }

    void saysHowToGiveSecrets()
    {
        ProgramsFixture f;
        const auto run = f.ctl({u"run"_s, u"-"_s},
            EngineFixture::document("hidden", EngineFixture::role("worker", 1, {"echo <% $secrets.word %>"}),
                "secrets: {word: '******'}\n"));
        QCOMPARE(run.status, 4);
        QVERIFY2(run.err.contains("--secret word=@FILE"), run.err.constData());
    }

    void retriesWithEditsAndSecrets()
    {
        ProgramsFixture f;
        const QByteArray mended = f.path(u"work/mended"_s).toUtf8();
        const auto text = [&](const QByteArray &command) {
            return EngineFixture::document("hidden",
                EngineFixture::role(
                    "worker", 1, {command, "[ <% $secrets.word %> = open-sesame ] && [ -e " + mended + " ]"}),
                "secrets: {word: '******'}\n");
        };
        f.write(u"secret"_s, "open-sesame\n");
        const QString secret = u"--secret=word=@"_s + f.path(u"secret"_s);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s, secret}, text("echo first")).status, 1);
        f.write(u"work/mended"_s, {});
        // They were forgotten with the end of the job; without a terminal nobody can be asked.
        const auto without = f.ctl({u"retry"_s, u"hidden"_s, u"--wait"_s});
        QCOMPARE(without.status, 4);
        QVERIFY2(without.err.contains("word"), without.err.constData());
        QCOMPARE(f.ctl({u"retry"_s, u"hidden"_s, u"--wait"_s, u"--secret=word=open-sesame"_s}).status, 2);
        const auto with = f.ctl({u"retry"_s, u"hidden"_s, u"--wait"_s, secret});
        // The file of another job has the value itself, and is still there.
        const QString file = f.write(u"work/own.yaml"_s,
            EngineFixture::document("own", EngineFixture::role("worker", 1, {"echo <% $secrets.word %>"}),
                "secrets: {word: open-sesame}\n"));
        QCOMPARE(f.ctl({u"run"_s, u"--wait"_s, file}).status, 0);
        const auto own = f.ctl({u"retry"_s, u"own"_s, u"--wait"_s});
        QVERIFY2(own.status == 0 && own.err.contains(QByteArray("taken from " + QFile::encodeName(file) + ": word.")),
            own.err.constData());
        QVERIFY2(with.status == 0, with.err.constData());
        const auto edited = f.ctl({u"retry"_s, u"hidden"_s, u"--wait"_s, secret, u"--with=-"_s}, text("echo second"));
        QVERIFY2(edited.status == 0, edited.err.constData());
        const QByteArray log = f.ctl({u"logs"_s, u"hidden"_s}).out;
        QVERIFY2(log.contains("second") && !log.contains("open-sesame"), log.constData());
        const auto broken = f.ctl({u"retry"_s, u"hidden"_s, secret, u"--with=-"_s}, "name: [");
        QCOMPARE(broken.status, 4);
        QVERIFY2(broken.err.contains("1:"), broken.err.constData());
        QCOMPARE(f.ctl({u"retry"_s, u"hidden"_s, u"--with=/nowhere"_s}).status, 2);
    }

    // What was said at the submission stays; what the former text said is for the new one to say.
    void retriesWithAnotherText()
    {
        ProgramsFixture f;
        QDir().mkpath(f.path(u"work/said"_s));
        QDir().mkpath(f.path(u"work/written"_s));
        const auto text = [](const QByteArray &command, const QByteArray &priority, const QByteArray &more = {}) {
            return EngineFixture::document("edited", EngineFixture::role("worker", 1, {command}),
                "defaults: {virtualCluster: of-" + priority
                    + "}\nextras: {hivedScheduler: {jobPriorityClass: " + priority + '}' + more + "}\n");
        };
        const auto said = [&] {
            const QJsonDocument shown = f.ctl({u"show"_s, u"edited"_s, u"--json"_s}).json();
            return QStringList{shown[u"jobPriority"].toString(), shown[u"jobStatus"][u"virtualCluster"].toString()};
        };
        const QString folder = u"--work="_s + f.path(u"work/said"_s);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s, folder}, text("exit 7", "prod")).status, 7);
        QCOMPARE(said(), (QStringList{u"prod"_s, u"of-prod"_s}));
        QCOMPARE(f.ctl({u"ps"_s, u"--all"_s, u"--json"_s}).json().array().at(0)[u"jobPriority"].toString(), u"prod"_s);
        const QStringList with{u"retry"_s, u"edited"_s, u"--wait"_s, u"--with=-"_s};
        QCOMPARE(f.ctl(with, text("pwd; exit 7", "oppo")).status, 7);
        QVERIFY(f.ctl({u"logs"_s, u"edited"_s}).out.contains(f.path(u"work/said"_s).toUtf8()));
        QCOMPARE(said(), (QStringList{u"oppo"_s, u"of-oppo"_s}));
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
        QCOMPARE(said(), (QStringList{u"oppo"_s, u"of-oppo"_s}));

        const auto written = [&](const char *name) -> QByteArray {
            return ", trainyard: {work: \"" + f.path(u"work/"_s + QLatin1StringView(name)).toUtf8() + "\"}";
        };
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, text("exit 7", "test", written("said"))).status, 7);
        QCOMPARE(f.ctl(with, text("pwd", "test", written("written"))).status, 0);
        QVERIFY(f.ctl({u"logs"_s, u"edited"_s}).out.contains(f.path(u"work/written"_s).toUtf8()));
    }

    void pausesAndOrders()
    {
        ProgramsFixture f;
        const QByteArray go = f.path(u"work/go"_s).toUtf8();
        QCOMPARE(
            f.ctl({u"run"_s, u"-"_s}, EngineFixture::job("loops", {"while [ ! -e " + go + " ]; do sleep 0.05; done"}))
                .status,
            0);
        QCOMPARE(f.ctl({u"pause"_s}).status, 2);
        QCOMPARE(f.ctl({u"pause"_s, u"nobody"_s}).status, 2);
        QTRY_COMPARE(f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0)[u"state"].toString(), u"RUNNING"_s);
        QCOMPARE(f.ctl({u"pause"_s, u"loops"_s}).status, 0);
        const auto again = f.ctl({u"pause"_s, u"loops"_s});
        QVERIFY2(again.status == 0 && again.err.contains("already paused"), again.err.constData());
        const QByteArray list = f.ctl({u"ps"_s}).out;
        QVERIFY2(list.contains("Paused"), list.constData());
        const auto shown = f.ctl({u"show"_s, u"loops"_s});
        QVERIFY2(shown.out.contains("Paused"), shown.out.constData());
        const QJsonDocument loops = f.ctl({u"show"_s, u"loops"_s, u"--json"_s}).json();
        QVERIFY(loops[u"engine"][u"paused"].toBool());
        QCOMPARE(loops[u"engine"][u"target"].toString(), u"pool"_s);
        // Another one waits for it.
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--after"_s, u"loops"_s, u"--priority"_s, u"3"_s},
                      EngineFixture::job("then", {"true"}))
                     .status,
            0);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--after"_s, u"nobody"_s}, EngineFixture::job("x", {"true"})).status, 4);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--priority"_s, u"high"_s}, EngineFixture::job("x", {"true"})).status, 2);
        const QByteArray why = f.ctl({u"ps"_s}).out;
        QVERIFY2(why.contains("#1 (loops)"), why.constData());
        QCOMPARE(f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0)[u"engine"][u"priority"].toInt(), 3);
        const auto moved = f.ctl({u"move"_s, u"then"_s, u"--priority"_s, u"8"_s});
        QCOMPARE(moved.status, 0);
        QVERIFY2(moved.err.contains(" then has priority 8 now."), moved.err.constData());
        QCOMPARE(f.ctl({u"move"_s, u"then"_s, u"--priority"_s, u"x"_s}).status, 2);
        QCOMPARE(f.ctl({u"move"_s, u"loops"_s, u"--priority"_s, u"8"_s}).status, 4);
        QCOMPARE(f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0)[u"engine"][u"priority"].toInt(), 8);
        f.write(u"work/go"_s, {});
        QCOMPARE(f.ctl({u"resume"_s, u"loops"_s}).status, 0);
        QCOMPARE(f.ctl({u"wait"_s, u"then"_s}).status, 0);
        QCOMPARE(f.ctl({u"resume"_s, u"loops"_s}).status, 4);
        QCOMPARE(f.ctl({u"pause"_s, u"loops"_s}).status, 4);
    }

    // What a task was before it was tried again is still there.
    void showsEarlierTries()
    {
        ProgramsFixture f;
        const QByteArray text = EngineFixture::document("again",
            EngineFixture::role("worker", 2, {"[ $PAI_TASK_INDEX = 0 ] || exit 7"}, "    taskRetryCount: 2\n"),
            "extras: {gangAllocation: false}\n");
        QVERIFY(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, text).status != 0);
        const QJsonDocument shown = f.ctl({u"show"_s, u"again"_s, u"--tasks"_s, u"--json"_s}).json();
        const QJsonArray tasks = shown[u"taskRoles"][u"worker"][u"taskStatuses"].toArray();
        QCOMPARE(tasks.size(), 2);
        QVERIFY(!tasks.at(0).toObject().contains("attempts"_L1));
        QCOMPARE(tasks.at(1)[u"retries"].toInt(), 2);
        const QJsonArray attempts = tasks.at(1)[u"attempts"].toArray();
        QCOMPARE(attempts.size(), 3);
        qint64 later = std::numeric_limits<qint64>::max();
        for (int i = 0; i < 3; ++i) {
            const QJsonValue one = attempts.at(i);
            QCOMPARE(one[u"attemptId"].toInt(), 2 - i);
            QCOMPARE(one[u"engine"][u"rawExitCode"].toInt(), 7);
            QCOMPARE(one[u"containerNodeName"].toString(), u"local"_s);
            QVERIFY(one[u"engine"][u"usage"][u"cpuMs"].isDouble());
            QVERIFY(one[u"currentAttemptCompletedTime"].toInteger() < later);
            later = one[u"currentAttemptCompletedTime"].toInteger();
        }
    }

    void listsAndShows()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"ps"_s, u"--json"_s}).json().array().size(), 0);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("alpha", {"true"}, 3)).status, 0);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("beta", {"false"})).status, 1);
        const QJsonArray jobs = f.ctl({u"ps"_s, u"--json"_s}).json().array();
        QCOMPARE(jobs.size(), 2);
        const QJsonObject newest = jobs.at(0).toObject();
        QCOMPARE(newest.value("name"_L1).toString(), u"beta"_s);
        QCOMPARE(newest.value("id"_L1).toInt(), 2);
        QCOMPARE(newest.value("state"_L1).toString(), u"FAILED"_s);
        QCOMPARE(newest.value("host"_L1).toString(), u"local"_s);
        QCOMPARE(newest.value("appExitCode"_L1).toInt(), 255);
        QCOMPARE(newest.value("totalTaskNumber"_L1).toInt(), 1);
        QCOMPARE(f.ctl({u"ps"_s, u"--all"_s, u"--json"_s}).json().array(), jobs);
        const auto text = f.ctl({u"ps"_s});
        QVERIFY2(text.out.contains("alpha") && text.out.contains("SUCCEEDED") && !text.out.contains('\x1b'),
            text.out.constData());

        QJsonObject show = f.ctl({u"show"_s, u"2"_s, u"--json"_s}).json().object();
        QCOMPARE(show.value("jobStatus"_L1).toObject().value("appExitType"_L1).toString(), u"Failed"_s);
        QJsonObject task = show.value("taskRoles"_L1)
                               .toObject()
                               .value("worker"_L1)
                               .toObject()
                               .value("taskStatuses"_L1)
                               .toArray()
                               .at(0)
                               .toObject();
        QCOMPARE(task.value("taskState"_L1).toString(), u"FAILED"_s);
        QCOMPARE(task.value("engine"_L1).toObject().value("rawExitCode"_L1).toInt(), 1);
        show = f.ctl({u"show"_s, u"alpha"_s, u"--json"_s}).json().object();
        QJsonObject role = show.value("taskRoles"_L1).toObject().value("worker"_L1).toObject();
        QCOMPARE(role.value("taskStatuses"_L1).toArray().size(), 0); // all have succeeded
        QCOMPARE(role.value("engine"_L1).toObject().value("counts"_L1).toObject().value("succeeded"_L1).toInt(), 3);
        show = f.ctl({u"show"_s, u"alpha"_s, u"--json"_s, u"--tasks"_s, u"--from"_s, u"1"_s, u"--limit"_s, u"1"_s})
                   .json()
                   .object();
        role = show.value("taskRoles"_L1).toObject().value("worker"_L1).toObject();
        QCOMPARE(role.value("taskStatuses"_L1).toArray().size(), 1);
        QCOMPARE(role.value("taskStatuses"_L1).toArray().at(0).toObject().value("taskIndex"_L1).toInt(), 1);
        QVERIFY(!role.value("taskStatuses"_L1).toArray().at(0).toObject().contains("attempts"_L1));
        QVERIFY(f.ctl({u"show"_s, u"2"_s}).out.contains("status 1"));
        QCOMPARE(f.ctl({u"show"_s, u"2"_s, u"--attempt"_s, u"9"_s}).status, 2);

        QCOMPARE(f.ctl({u"rm"_s, u"1"_s}).status, 0);
        QCOMPARE(f.ctl({u"ps"_s, u"--json"_s}).json().array().size(), 1);
    }

    // More than one page of them: each once, in order.
    void showsManyTasks()
    {
        ProgramsFixture f;
        f.write(u"first.yaml"_s, EngineFixture::job("first", {"sleep 100"}));
        f.write(u"many.yaml"_s,
            EngineFixture::document(
                "many", EngineFixture::role("worker", 4500, {"true"}), "extras: {gangAllocation: false}\n"));
        QCOMPARE(f.ctl({u"run"_s, f.path(u"first.yaml"_s)}).status, 0);
        QCOMPARE(f.ctl({u"run"_s, f.path(u"many.yaml"_s), u"--after"_s, u"1"_s}).status, 0);
        const auto indexes = [&f](const QStringList &more) {
            const QJsonObject show
                = f.ctl(QStringList{u"show"_s, u"many"_s, u"--json"_s, u"--tasks"_s} + more).json().object();
            const QJsonObject roles = show.value("taskRoles"_L1).toObject();
            const QJsonArray statuses
                = roles.isEmpty() ? QJsonArray() : roles.begin()->toObject().value("taskStatuses"_L1).toArray();
            QList<int> list;
            for (const QJsonValue &status : statuses) {
                list.append(status[u"taskIndex"].toInt());
            }
            return list;
        };
        const auto numbers = [](int from, int to) {
            QList<int> list(to - from);
            std::iota(list.begin(), list.end(), from);
            return list;
        };
        QCOMPARE(indexes({}), numbers(0, 4500));
        QCOMPARE(indexes({u"--from"_s, u"1999"_s, u"--limit"_s, u"2002"_s}), numbers(1999, 4001));
        QCOMPARE(indexes({u"--from"_s, u"500"_s, u"--limit"_s, u"4000"_s}), numbers(500, 4500));
        QCOMPARE(indexes({u"--from"_s, u"4499"_s}), numbers(4499, 4500));
        QCOMPARE(indexes({u"--from"_s, u"2147483647"_s}), QList<int>());
        QCOMPARE(f.ctl({u"show"_s, u"many"_s, u"--tasks"_s}).out.count("\n  worker/"), 4500);
    }

    void printsLogs()
    {
        ProgramsFixture f;
        QCOMPARE(
            f.ctl({u"run"_s, u"-"_s, u"--wait"_s},
                 EngineFixture::job("chatty", {"for i in 1 2 3 4 5; do echo out$i; echo err$i >&2; done; printf end"}))
                .status,
            0);
        auto logs = f.ctl({u"logs"_s, u"1"_s});
        QCOMPARE(logs.status, 0);
        QCOMPARE(logs.out.count("out"), 5);
        QVERIFY(logs.out.contains("end")); // the two streams are two pipes: no order between them
        logs = f.ctl({u"logs"_s, u"chatty"_s, u"worker/0"_s, u"--stderr"_s});
        QCOMPARE(logs.out, QByteArray("err1\nerr2\nerr3\nerr4\nerr5\n"));
        logs = f.ctl({u"logs"_s, u"1"_s, u"--stdout"_s, u"--tail"_s, u"2"_s});
        QCOMPARE(logs.out, QByteArray("out5\nend")); // as it was written
        logs = f.ctl({u"logs"_s, u"1"_s, u"--tail"_s, u"1"_s});
        QCOMPARE(logs.out.count('\n'), 1);
        logs = f.ctl({u"logs"_s, u"1"_s, u"-f"_s});
        QVERIFY(logs.out.contains("end")); // the two streams are two pipes: no order between them
        logs = f.ctl({u"logs"_s, u"1"_s, u"worker/0"_s, u"--try"_s, u"1"_s});
        QCOMPARE(logs.out.count("err"), 5);
        QVERIFY(f.ctl({u"logs"_s, u"1"_s, u"-t"_s}).out.startsWith("20"));
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"worker/7"_s}).status, 2);
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"nonsense"_s}).status, 2);
    }

    // One stream stands in the middle of a line while the other ends its own.
    void printsLastLinesOfBothStreams()
    {
        ProgramsFixture f;
        const QByteArray go = f.path(u"go"_s).toUtf8();
        QCOMPARE(f.ctl({u"run"_s, u"-"_s},
                      EngineFixture::job("mixed",
                          {"echo first; printf half; until [ -e " + go + " ]; do sleep 0.05; done; echo late >&2"}))
                     .status,
            0);
        QTRY_VERIFY(f.ctl({u"logs"_s, u"1"_s}).out.endsWith("half"));
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"--tail"_s, u"1"_s}).out.trimmed(), "half");
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"--stdout"_s, u"--tail"_s, u"1"_s}).out.trimmed(), "half");
        f.write(u"go"_s, {});
        QCOMPARE(f.ctl({u"wait"_s, u"1"_s}).status, 0);
        const QList<QStringList> whole{{u"logs"_s, u"1"_s}, {u"logs"_s, u"1"_s, u"worker/0"_s},
            {u"logs"_s, u"1"_s, u"-f"_s}, {u"logs"_s, u"1"_s, u"-f"_s, u"--attempt"_s, u"1"_s}};
        for (const QStringList &words : whole) {
            QCOMPARE(f.ctl(words).out, "first\nlate\nhalf"); // each line of one stream, and nothing added
        }
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"--tail"_s, u"1"_s}).out.trimmed(), "half");
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"--tail"_s, u"2"_s}).out.trimmed(), "late\nhalf");
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"--tail"_s, u"3"_s}).out.trimmed(), "first\nlate\nhalf");
    }

    void engineAndHosts()
    {
        ProgramsFixture f;
        const auto hosts = f.ctl({u"hosts"_s, u"list"_s, u"--json"_s});
        QCOMPARE(hosts.status, 0);
        QCOMPARE(hosts.json().array().at(0).toObject().value("id"_L1).toString(), u"local"_s);
        QCOMPARE(f.ctl({u"hosts"_s, u"check"_s, u"local"_s}).status, 0);
        QCOMPARE(f.ctl({u"hosts"_s, u"remove"_s, u"local"_s}).status, 4);
        QCOMPARE(f.ctl({u"hosts"_s, u"add"_s, u"bad target"_s}).status, 4);
        const QByteArray half = f.ctl({u"hosts"_s, u"add"_s, u"me@"_s}).err;
        QVERIFY2(half.contains("me@") && !half.contains("cannot name a host"), half.constData());
        QCOMPARE(f.ctl({u"hosts"_s, u"add"_s}).status, 2);
        QCOMPARE(f.ctl({u"hosts"_s, u"dance"_s}).status, 2);
        const auto nowhere = f.ctl({u"code"_s, u"/no/such/folder"_s}); // it never was there
        QCOMPARE(nowhere.status, 2);
        QVERIFY2(nowhere.err.contains("There is no file or folder /no/such/folder."), nowhere.err.constData());
        const QJsonObject status = f.ctl({u"engine"_s, u"status"_s, u"--json"_s}).json().object();
        QCOMPARE(status.value("pid"_L1).toInteger(), f.daemonPid());
        QVERIFY(!status.value("version"_L1).toString().isEmpty());
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, EngineFixture::job("long", {"sleep 100"})).status, 0);
        const auto stopped = f.ctl({u"engine"_s, u"stop"_s});
        QCOMPARE(stopped.status, 0);
        QVERIFY2(stopped.err.contains("1 job has not ended"), stopped.err.constData());
        QVERIFY(f.waitForNoDaemon());
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 3);
        // Its task ran on.
        QTRY_COMPARE(
            f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0).toObject().value("state"_L1).toString(), u"RUNNING"_s);
        const auto withJobs = f.ctl({u"engine"_s, u"stop"_s, u"--jobs"_s});
        QCOMPARE(withJobs.status, 0);
        QVERIFY2(!withJobs.err.contains("not ended"), withJobs.err.constData());
        QVERIFY(f.waitForNoDaemon());
        QCOMPARE(
            f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0).toObject().value("state"_L1).toString(), u"STOPPED"_s);
        QTRY_VERIFY(f.pidsOf(u"sleep"_s).isEmpty());
    }

    // What does not want to end is killed without waiting for the grace period, whether the stop is new or repeated.
    void stopsWithoutGrace()
    {
        ProgramsFixture f;
        f.setSettings({{u"stop.graceSeconds"_s, 600}});
        const QString file = f.write(u"work/stubborn.yaml"_s,
            EngineFixture::job("stubborn", {"trap : TERM", "until [ -e never ]; do sleep 0.05 || :; done"}));
        const auto state = [&](int row) {
            return f.ctl({u"ps"_s, u"--json"_s}).json().array().at(row)[u"state"].toString();
        };
        QCOMPARE(f.ctl({u"run"_s, file}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(state(0), u"RUNNING"_s, 20000);
        QCOMPARE(f.ctl({u"stop"_s, u"1"_s}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(state(0), u"STOPPING"_s, 20000);
        const auto repeated = f.ctl({u"stop"_s, u"--now"_s, u"--wait"_s, u"1"_s}, {}, 60000);
        QVERIFY2(repeated.status == 0, repeated.err.constData());
        QCOMPARE(state(0), u"STOPPED"_s);
        QCOMPARE(f.ctl({u"run"_s, file}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(state(0), u"RUNNING"_s, 20000);
        const auto first = f.ctl({u"stop"_s, u"--now"_s, u"--wait"_s, u"2"_s}, {}, 60000);
        QVERIFY2(first.status == 0, first.err.constData());
        QCOMPARE(state(0), u"STOPPED"_s);
    }

    // The engine is halted while it has a question to answer: whoever asked is not left to wait for ever.
    void engineThatIsHalted()
    {
        ProgramsFixture f;
        f.setSettings({{u"stop.graceSeconds"_s, 600}});
        const QString file = f.write(u"work/stubborn.yaml"_s,
            EngineFixture::job("stubborn", {"trap : TERM", "until [ -e never ]; do sleep 0.05 || :; done"}));
        QCOMPARE(f.ctl({u"run"_s, file}).status, 0);
        const auto running = [&] {
            return f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0)[u"state"].toString() == "RUNNING"_L1;
        };
        QTRY_VERIFY_WITH_TIMEOUT(running(), 20000);
        const auto asked = f.startCtl({u"engine"_s, u"stop"_s, u"--jobs"_s});
        const auto stopping = [&] {
            return f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0)[u"state"].toString() == "STOPPING"_L1;
        };
        QTRY_VERIFY_WITH_TIMEOUT(stopping(), 20000);
        const qint64 daemon = f.daemonPid();
        QVERIFY(daemon > 0);
        ::kill(static_cast<pid_t>(daemon), SIGSTOP);
        QVERIFY(asked->waitForFinished(40000));
        QCOMPARE(asked->exitCode(), 3);
        const QByteArray said = asked->readAllStandardError();
        const QByteArray process = QByteArray("(process " + QByteArray::number(daemon) + ")");
        QVERIFY2(said.contains(QByteArray("The engine does not answer " + process)), said.constData());
        // Nor does it greet anybody.
        const auto greeted = f.ctl({u"ps"_s}, {}, 40000);
        QCOMPARE(greeted.status, 3);
        QVERIFY2(greeted.err.contains(process), greeted.err.constData());
    }

    void oneDaemonForAll()
    {
        ProgramsFixture f;
        std::vector<std::unique_ptr<QProcess>> all;
        for (int i = 0; i < 5; ++i) {
            all.push_back(f.startCtl({u"ps"_s}));
        }
        for (const auto &process : all) {
            QVERIFY(waitForEnd(*process));
            QCOMPARE(process->exitCode(), 0);
        }
        QTRY_COMPARE(f.pidsOf(u"trainyardd"_s).size(), 1);
        const qint64 pid = f.daemonPid();
        // Its socket file is taken away, garbage comes, and it is still the one.
        QVERIFY(QFile::remove(f.socketPath()));
        QTRY_VERIFY(QFile::exists(f.socketPath()));
        RawClient stranger(f.socketPath());
        QVERIFY(stranger.isConnected());
        for (int i = 0; i < 100; ++i) {
            stranger.write(QByteArray(1000, char(i)) + "\n{\"id\":");
        }
        QCOMPARE(f.ctl({u"ps"_s}).status, 0);
        QCOMPARE(f.daemonPid(), pid);
        QFile log(f.stateFolder() + u"/daemon.log"_s);
        QVERIFY(log.exists());
    }

    // A job keeps its name, also when its text gets another one.
    void retryWithTheTextOfAnotherName()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("first", {"exit 1"})).status, 1);
        const QString file = f.write(u"second.yaml"_s, EngineFixture::job("second", {"true"}));
        const auto again = f.ctl({u"retry"_s, u"1"_s, u"--wait"_s, u"--with"_s, file});
        QVERIFY2(again.status == 0 && again.err.contains("names the job second; #1 first keeps its own name."),
            again.err.constData());
        const QString same = f.write(u"first.yaml"_s, EngineFixture::job("first", {"exit 0"}));
        const auto quiet = f.ctl({u"retry"_s, u"1"_s, u"--wait"_s, u"--with"_s, same});
        QVERIFY2(quiet.status == 0 && !quiet.err.contains("keeps its own name"), quiet.err.constData());
    }

    // Of several jobs of one name, what is done with active jobs means the active one.
    void activeJobsOfOneName()
    {
        ProgramsFixture f;
        const QByteArray job = EngineFixture::job("long", {"exec sleep 1000"});
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, job).status, 0);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, job).status, 0);
        for (const QString &command : {u"stop"_s, u"pause"_s, u"resume"_s}) {
            const auto both = f.ctl({command, u"long"_s});
            QCOMPARE(both.status, 2);
            QVERIFY2(both.err.contains("Several active jobs have the name long: #2 (") && both.err.contains("), #1 (")
                    && both.err.contains("Give the number"),
                both.err.constData());
        }
        QCOMPARE(f.ctl({u"stop"_s, u"2"_s, u"--wait"_s}).status, 0);
        const auto paused = f.ctl({u"pause"_s, u"long"_s});
        QVERIFY2(paused.status == 0 && paused.err.contains("#1 long is paused."), paused.err.constData());
        const auto ended = f.ctl({u"stop"_s, u"2"_s}); // a number means that job
        QVERIFY2(ended.err.contains("#2 long has already ended (STOPPED)."), ended.err.constData());
        const auto stopped = f.ctl({u"stop"_s, u"long"_s, u"--wait"_s});
        QVERIFY2(stopped.status == 0 && stopped.err.contains("#1 long was stopped"), stopped.err.constData());
        const auto none = f.ctl({u"stop"_s, u"long"_s});
        QVERIFY2(none.err.contains("#2 long has already ended (STOPPED)."), none.err.constData());
    }
};

TRAINYARD_TEST(TstCliJobs)
#include "tst_clijobs.moc"
