// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/rawclient.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QScopeGuard>

#include <signal.h>

using namespace Qt::StringLiterals;

// The engine behind the command line: what each command says without one, one for all, halted, and stopped.
class TstCliEngine : public QObject
{
    Q_OBJECT

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

    // Notices wait for others for some seconds. An engine that ends meanwhile tells them first.
    void noticesBeforeTheEnd()
    {
        ProgramsFixture f;
        const QString said = f.path(u"said.json"_s);
        f.setSettings({{u"engine.idleSeconds"_s, 30}, {u"environment.mode"_s, u"clean"_s},
            {u"notify.on"_s, QJsonArray{u"succeeded"_s}},
            {u"notify.command"_s,
                QJsonArray{u"sh"_s, u"-c"_s, u"cat > \"$1\".tmp && mv \"$1\".tmp \"$1\""_s, u"-"_s, said}}});
        const auto run = f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("told", {"true"}));
        QVERIFY2(run.status == 0, run.err.constData());
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
        QVERIFY2(EngineFixture::contents(said).contains("told #1 has succeeded"), EngineFixture::contents(said));
    }

    // A setting counts for the engine that runs.
    void idleTimeIsChanged()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"settings"_s, u"engine.idleSeconds"_s, u"1"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
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
};

TRAINYARD_TEST(TstCliEngine)
#include "tst_cliengine.moc"
