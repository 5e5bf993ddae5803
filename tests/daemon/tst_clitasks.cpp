// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/podman.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QScopeGuard>

using namespace Qt::StringLiterals;

// One task of a job from the command line: a command inside of it, its files, and letting it go.
class TstCliTasks : public QObject
{
    Q_OBJECT

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
        const QString where = u"[ \"$(pwd -P)\" = \"$(cd \"$PAI_WORK_DIR\" && pwd -P)\" ] && echo at work"_s;
        QTRY_COMPARE_WITH_TIMEOUT(f.ctl(enter + QStringList{where}).out, "at work\n", 30000);
        const auto variables = f.ctl(enter + QStringList{u"sh"_s, u"-c"_s, u"env; exit 7"_s});
        QCOMPARE(variables.status, 7);
        QVERIFY2(variables.out.contains("PAI_TASK_ROLE_NAME=worker\n"), variables.out.constData());
        QCOMPARE(f.ctl(enter + QStringList{u"cat"_s}, "what comes in\n").out, "what comes in\n");
    }

private Q_SLOTS:
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

    // In its environment and its work folder, wherever its commands are, with what comes in and the status that goes
    // out.
    void entersARunningTask()
    {
        ProgramsFixture f;
        const QByteArray text = EngineFixture::job("entered",
            {"export MADE='two words'", "mkdir -p 'a b'", "cd 'a b'", "while [ ! -e ../go ]; do sleep 0.02; done"});
        QCOMPARE(f.ctl({u"run"_s, f.write(u"work/x.yaml"_s, text)}).status, 0);
        const QStringList enter{u"exec"_s, u"entered"_s, u"worker/0"_s, u"--"_s};
        QTRY_COMPARE(f.ctl(enter + QStringList{u"true"_s}).status, 0);
        QTRY_VERIFY(QDir(f.path(u"work/a b"_s)).exists());
        QCOMPARE(f.ctl(enter + QStringList{u"pwd"_s}).out.trimmed(), f.path(u"work"_s).toUtf8());
        QCOMPARE(f.ctl(enter + QStringList{u"cat >sent"_s}, "what goes in\n").status, 0);
        QCOMPARE(EngineFixture::contents(f.path(u"work/sent"_s)), "what goes in\n");
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
        QCOMPARE(unnamed.out.trimmed(), f.path(u"work"_s).toUtf8());
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
        run(f, {u"--on"_s, hosts.name(0)}, "while [ ! -e \"$PAI_WORK_DIR/go\" ]; do sleep 0.1; done");
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
};

TRAINYARD_TEST(TstCliTasks)
#include "tst_clitasks.moc"
