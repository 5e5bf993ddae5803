// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/enginefixture.h"
#include "tests/daemon/programsfixture.h"
#include "tests/daemon/rawclient.h"
#include "tests/helpers/testregistry.h"

#include <QDirIterator>
#include <QJsonArray>

#include <signal.h>
#include <sys/stat.h>

using namespace Qt::StringLiterals;

// trainyardctl, trainyardd and trainyard-agent as a user has them.
class TstCliRun : public QObject
{
    Q_OBJECT

    static QByteArray job(const QByteArray &name, const QByteArrayList &commands, int instances = 1)
    {
        return EngineFixture::document(name, EngineFixture::role("worker", instances, commands));
    }

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
    void everyCommandHasHelp()
    {
        ProgramsFixture f;
        const auto all = f.ctl({u"--help"_s});
        QCOMPARE(all.status, 0);
        for (const char *name : {"run", "ps", "show", "logs", "wait", "stop", "rm", "hosts", "engine"}) {
            QVERIFY2(all.out.contains(QByteArray(QByteArray("  ") + name + " ")), name);
            const auto help = f.ctl({QString::fromLatin1(name), u"--help"_s});
            QCOMPARE(help.status, 0);
            QVERIFY2(help.out.contains("Exit status:"), name);
            QVERIFY2(help.out.contains("Example"), name);
            QCOMPARE(f.ctl({QString::fromLatin1(name), u"--no-such-option"_s}).status, 2);
        }
        QCOMPARE(f.daemonPid(), 0);
    }

    void statusesOfRunAndWait()
    {
        ProgramsFixture f;
        const QString good = f.write(u"work/good.yaml"_s, job("good", {"echo hello"}));
        auto run = f.ctl({u"run"_s, good});
        QVERIFY2(run.status == 0, run.err.constData());
        QCOMPARE(run.out, QByteArray("#1\n"));
        QCOMPARE(f.ctl({u"wait"_s, u"1"_s}).status, 0);
        run = f.ctl({u"run"_s, good, u"--wait"_s});
        QCOMPARE(run.status, 0);
        QVERIFY(run.err.contains("succeeded"));

        const QString bad = f.write(u"work/bad.yaml"_s, job("bad", {"exit 7"}));
        run = f.ctl({u"run"_s, u"--wait"_s, u"--json"_s, bad});
        QCOMPARE(run.status, 7);
        QCOMPARE(run.json().object().value("state"_L1).toString(), u"FAILED"_s);
        QCOMPARE(f.ctl({u"wait"_s, u"bad"_s}).status, 7);

        run = f.ctl(
            {u"run"_s, u"-"_s, u"--follow"_s}, job("two", {"echo from $PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX"}, 2));
        QCOMPARE(run.status, 0);
        QVERIFY2(
            run.out.contains("worker-0 | from 0\n") && run.out.contains("worker-1 | from 1\n"), run.out.constData());

        run = f.ctl({u"run"_s, u"--json"_s, good, u"--name"_s, u"renamed"_s});
        const QJsonObject submitted = run.json().object();
        QCOMPARE(submitted.value("id"_L1).toInt(), 5);
        QCOMPARE(submitted.value("uuid"_L1).toString().size(), 36);
        QCOMPARE(f.ctl({u"wait"_s, submitted.value("uuid"_L1).toString().left(8)}).status, 0);
        QCOMPARE(f.ctl({u"show"_s, u"renamed"_s}).status, 0);
    }

    void refusals()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s}).status, 2);
        QCOMPARE(f.ctl({u"run"_s, u"no-such.yaml"_s}).status, 2);
        QCOMPARE(f.ctl({u"engine"_s, u"status"_s}).status, 3);
        QCOMPARE(f.daemonPid(), 0);
        auto run = f.ctl({u"run"_s, u"-"_s}, "name: [");
        QCOMPARE(run.status, 4);
        QVERIFY2(run.err.contains("standard input:"), run.err.constData());
        run = f.ctl({u"run"_s, u"-"_s},
            EngineFixture::document(
                "big", EngineFixture::role("w", 1, {"true"}, {}, "{cpu: 1, memoryMB: 999999999, gpu: 0}")));
        QCOMPARE(run.status, 4);
        QVERIFY2(run.err.contains("999999999"), run.err.constData());
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--on"_s, u"nowhere"_s}, job("x", {"true"})).status, 3);
        QCOMPARE(f.ctl({u"show"_s, u"99"_s}).status, 2);
        QCOMPARE(f.ctl({u"stop"_s, u"nosuch"_s}).status, 2);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--param"_s, u"novalue"_s}, job("x", {"true"})).status, 2);
    }

    void parametersAndSecrets()
    {
        ProgramsFixture f;
        const QByteArray yaml = EngineFixture::document("secretive",
            EngineFixture::role("w", 1,
                {"echo lr=<% $parameters.lr %>; v=\"<% $secrets.token %>\"; [ ${v:0:3}${#v} = tok12 ] && echo "
                 "matched"}),
            "parameters: {lr: 0.1}\nsecrets: {token: \"******\"}\n");
        auto run = f.ctl({u"run"_s, u"-"_s, u"--secret"_s, u"token=tok-en-value"_s}, yaml);
        QCOMPARE(run.status, 2);
        QVERIFY(!run.err.contains("tok-en-value"));
        run = f.ctl({u"run"_s, u"-"_s, u"--secret"_s, u"token=@missing"_s}, yaml);
        QCOMPARE(run.status, 2);
        const QString file = f.write(u"work/token"_s, "tok-en-value\n");
        run = f.ctl(
            {u"run"_s, u"-"_s, u"--follow"_s, u"--param"_s, u"lr=0.5"_s, u"--secret"_s, u"token=@"_s + file}, yaml);
        QVERIFY2(run.status == 0, run.err.constData());
        QVERIFY2(run.out.contains("lr=0.5") && run.out.contains("matched"), run.out.constData());
        qputenv("TY_TEST_SECRET", "tok-en-value");
        run = f.ctl({u"run"_s, u"-"_s, u"--wait"_s, u"--secret"_s, u"token=env:TY_TEST_SECRET"_s}, yaml);
        qunsetenv("TY_TEST_SECRET");
        QVERIFY2(run.status == 0, run.err.constData());
        // Nowhere on the disk but where we put it.
        QVERIFY(QFile::remove(file));
        QDirIterator it(f.path({}), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        int files = 0;
        while (it.hasNext()) {
            const QString name = it.next();
            ++files;
            QVERIFY2(!EngineFixture::contents(name).contains("tok-en-value"), qPrintable(name));
        }
        QVERIFY(files > 5);
    }

    void listsAndShows()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"ps"_s, u"--json"_s}).json().array().size(), 0);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, job("alpha", {"true"}, 3)).status, 0);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, job("beta", {"false"})).status, 1);
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
        QVERIFY(f.ctl({u"show"_s, u"2"_s}).out.contains("status 1"));
        QCOMPARE(f.ctl({u"show"_s, u"2"_s, u"--attempt"_s, u"9"_s}).status, 2);

        QCOMPARE(f.ctl({u"rm"_s, u"1"_s}).status, 0);
        QCOMPARE(f.ctl({u"ps"_s, u"--json"_s}).json().array().size(), 1);
    }

    void printsLogs()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s},
                      job("chatty", {"for i in 1 2 3 4 5; do echo out$i; echo err$i >&2; done; printf end"}))
                     .status,
            0);
        auto logs = f.ctl({u"logs"_s, u"1"_s});
        QCOMPARE(logs.status, 0);
        QCOMPARE(logs.out.count("out"), 5);
        QVERIFY(logs.out.endsWith("end"));
        logs = f.ctl({u"logs"_s, u"chatty"_s, u"worker/0"_s, u"--stderr"_s});
        QCOMPARE(logs.out, QByteArray("err1\nerr2\nerr3\nerr4\nerr5\n"));
        logs = f.ctl({u"logs"_s, u"1"_s, u"--stdout"_s, u"--tail"_s, u"2"_s});
        QCOMPARE(logs.out, QByteArray("out5\nend\n"));
        logs = f.ctl({u"logs"_s, u"1"_s, u"--tail"_s, u"1"_s});
        QCOMPARE(logs.out.count('\n'), 1);
        logs = f.ctl({u"logs"_s, u"1"_s, u"-f"_s});
        QVERIFY(logs.out.endsWith("end"));
        logs = f.ctl({u"logs"_s, u"1"_s, u"worker/0"_s, u"--try"_s, u"1"_s});
        QCOMPARE(logs.out.count("err"), 5);
        QVERIFY(f.ctl({u"logs"_s, u"1"_s, u"-t"_s}).out.startsWith("20"));
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"worker/7"_s}).status, 2);
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"nonsense"_s}).status, 2);
    }

    void followsWhatRuns()
    {
        ProgramsFixture f;
        const QByteArray gate = QFile::encodeName(f.path(u"gate"_s));
        QCOMPARE(::mkfifo(gate.constData(), 0600), 0);
        QCOMPARE(
            f.ctl({u"run"_s, u"-"_s}, job("gated", {"echo before; read x < " + gate + "; echo after $x"})).status, 0);
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
        const QString file = f.write(u"work/long.yaml"_s, job("long", {"echo started; sleep 100"}));
        const auto run = f.startCtl({u"run"_s, u"--follow"_s, file});
        QVERIFY(waitForLine(*run, "started"));
        ::kill(static_cast<pid_t>(run->processId()), SIGINT);
        QVERIFY(waitForEnd(*run));
        QCOMPARE(run->exitCode(), 130);
        QVERIFY(run->readAllStandardError().contains("goes on"));
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

    void foreground()
    {
        ProgramsFixture f;
        auto run = f.ctl({u"run"_s, u"--foreground"_s, u"-"_s}, job("front", {"echo hello"}, 2));
        QVERIFY2(run.status == 0, run.err.constData());
        QVERIFY(run.out.contains("worker-1 | hello"));
        QCOMPARE(f.ctl({u"run"_s, u"--foreground"_s, u"-"_s}, job("front", {"exit 9"})).status, 9);
        QCOMPARE(f.ctl({u"run"_s, u"--foreground"_s, u"-"_s}, "x").status, 4);
        QCOMPARE(f.daemonPid(), 0);
        const QString file
            = f.write(u"work/long.yaml"_s, job("long", {"trap '' TERM; echo started; sleep 100 & wait; sleep 100"}));
        for (int presses = 1; presses <= 2; ++presses) {
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

    void engineAndHosts()
    {
        ProgramsFixture f;
        const auto hosts = f.ctl({u"hosts"_s, u"list"_s, u"--json"_s});
        QCOMPARE(hosts.status, 0);
        QCOMPARE(hosts.json().array().at(0).toObject().value("id"_L1).toString(), u"local"_s);
        QCOMPARE(f.ctl({u"hosts"_s, u"check"_s, u"local"_s}).status, 0);
        QCOMPARE(f.ctl({u"hosts"_s, u"remove"_s, u"local"_s}).status, 4);
        QCOMPARE(f.ctl({u"hosts"_s, u"add"_s, u"bad target"_s}).status, 4);
        QCOMPARE(f.ctl({u"hosts"_s, u"add"_s}).status, 2);
        QCOMPARE(f.ctl({u"hosts"_s, u"dance"_s}).status, 2);
        const QJsonObject status = f.ctl({u"engine"_s, u"status"_s, u"--json"_s}).json().object();
        QCOMPARE(status.value("pid"_L1).toInteger(), f.daemonPid());
        QVERIFY(!status.value("version"_L1).toString().isEmpty());
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, job("long", {"sleep 100"})).status, 0);
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 3);
        // Its task ran on.
        QTRY_COMPARE(
            f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0).toObject().value("state"_L1).toString(), u"RUNNING"_s);
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s, u"--jobs"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
        QCOMPARE(
            f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0).toObject().value("state"_L1).toString(), u"STOPPED"_s);
        QTRY_VERIFY(f.pidsOf(u"sleep"_s).isEmpty());
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
};

TRAINYARD_TEST(TstCliRun)
#include "tst_clirun.moc"
