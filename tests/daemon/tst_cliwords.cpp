// SPDX-License-Identifier: GPL-3.0-or-later
// What scripts and people who come from other schedulers expect of the command line.
#include "tests/daemon/enginefixture.h"
#include "tests/daemon/programsfixture.h"
#include "tests/daemon/pseudoterminal.h"
#include "tests/helpers/testregistry.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

class TstCliWords : public QObject
{
    Q_OBJECT

    static QByteArray jobOf(
        const QByteArray &name, const QByteArrayList &commands, int instances = 1, const QByteArray &more = {})
    {
        return EngineFixture::document(name, EngineFixture::role("worker", instances, commands), more);
    }

    static QByteArrayList linesOf(const QByteArray &text)
    {
        QByteArrayList lines = text.split('\n');
        lines.removeAll(QByteArray());
        return lines;
    }

private Q_SLOTS:
    void typingErrors_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("hint");
        const auto row = [](const QStringList &arguments, const char *hint) {
            QTest::newRow(qPrintable(arguments.join(u' '))) << arguments << QByteArray(hint);
        };
        row({u"lgos"_s, u"1"_s}, "Did you mean 'logs'?");
        row({u"run"_s, u"--folow"_s, u"x"_s}, "Did you mean '--follow'?");
        row({u"ps"_s, u"state:faild"_s}, "Did you mean 'failed'?");
        row({u"ps"_s, u"state:foo"_s},
            "The states are: waiting, running, stopping, succeeded, failed, stopped, unknown.");
        row({u"ps"_s, u"--sort"_s, u"nmae"_s}, "Did you mean 'name'?");
        row({u"ps"_s, u"--format"_s, u"{sate}"_s}, "Did you mean 'state'?");
        row({u"hosts"_s, u"remvoe"_s}, "Did you mean 'remove'?");
        row({u"engine"_s, u"stpo"_s}, "Did you mean 'stop'?");
        row({u"rm"_s, u"--state"_s, u"running"_s}, "The states are: succeeded, failed, stopped.");
        row({u"rm"_s, u"--older-than"_s, u"soon"_s}, "--older-than takes a time span");
        row({u"logs"_s, u"1"_s, u"--since"_s, u"soon"_s}, "--since takes a time span");
        row({u"completion"_s, u"fisch"_s}, "Did you mean 'fish'?");
    }

    void typingErrors()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, hint);
        const ProgramsFixture f;
        const ProgramsFixture::Output said = f.ctl(arguments);
        QCOMPARE(said.status, 2);
        QVERIFY2(said.err.contains(hint), said.err.constData());
        QCOMPARE(said.out, QByteArray());
    }

    // A script can use what is printed, and a shell takes '#' for the beginning of a comment.
    void numbersOfJobs()
    {
        ProgramsFixture f;
        const ProgramsFixture::Output run = f.ctl({u"run"_s, u"-"_s}, jobOf("one", {"echo out"}));
        QCOMPARE(run.out, "1\n");
        for (const QString &word : {u"1"_s, u"#1"_s, u"one"_s}) {
            QCOMPARE(f.ctl({u"wait"_s, word}).status, 0);
        }
        const ProgramsFixture::Output both = f.ctl({u"run"_s, u"-"_s}, jobOf("two", {"exit 3"}));
        QCOMPARE(both.out, "2\n");
        const ProgramsFixture::Output waited = f.ctl({u"wait"_s, u"--json"_s, u"1"_s, u"2"_s});
        QCOMPARE(waited.status, 3);
        QCOMPARE(waited.json().array().size(), 2);
        QCOMPARE(waited.json().array().at(1).toObject().value("name"_L1).toString(), u"two"_s);
        QVERIFY(f.ctl({u"wait"_s, u"--json"_s, u"1"_s}).json().isObject());

        // Sorted and formatted.
        QCOMPARE(f.ctl({u"ps"_s, u"--sort"_s, u"id"_s, u"--format"_s, u"{id}\\t{name}\\t{state}\\t{code}"_s}).out,
            "1\tone\tSUCCEEDED\t0\n2\ttwo\tFAILED\t255\n");
        QCOMPARE(f.ctl({u"ps"_s, u"--sort"_s, u"-name"_s, u"--format"_s, u"{name}"_s}).out, "two\none\n");
        QCOMPARE(f.ctl({u"ps"_s, u"state:failed"_s, u"--format"_s, u"{id}"_s}).out, "2\n");

        const ProgramsFixture::Output late = f.ctl({u"logs"_s, u"1"_s, u"--attempt"_s, u"9"_s});
        QCOMPARE(late.status, 2);
        QVERIFY2(late.err.contains("#1 one has 1 attempt."), late.err.constData());
    }

    // A name may look like a number or an option.
    void jobsWithOddNames()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, jobOf("2", {"echo one"})).status, 0);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, jobOf("-rf", {"echo two"})).status, 0);
        QCOMPARE(f.ctl({u"logs"_s, u"2"_s}).out, "two\n");
        QCOMPARE(f.ctl({u"logs"_s, u"name:2"_s}).out, "one\n");
        QCOMPARE(f.ctl({u"logs"_s, u"--"_s, u"-rf"_s}).out, "two\n");
        QCOMPARE(f.ctl({u"logs"_s, u"--tail"_s, u"5"_s, u"--"_s, u"-rf"_s}).out, "two\n");
        QCOMPARE(f.ctl({u"logs"_s, u"name:-rf"_s}).out, "two\n");
        QCOMPARE(f.ctl({u"logs"_s, u"name:1"_s}).status, f.ctl({u"logs"_s, u"nobody"_s}).status);
        const auto after
            = f.ctl({u"run"_s, u"-"_s, u"--wait"_s, u"--after"_s, u"name:2:ended"_s}, jobOf("later", {"echo three"}));
        QVERIFY2(after.status == 0, after.err.constData());
        const auto plain
            = f.ctl({u"run"_s, u"-"_s, u"--wait"_s, u"--after"_s, u"name:-rf"_s}, jobOf("last", {"echo four"}));
        QVERIFY2(plain.status == 0, plain.err.constData());
        for (const QString &command : {u"show"_s, u"wait"_s, u"stop"_s, u"rm"_s}) {
            const auto said = f.ctl({command, u"--"_s, u"-rf"_s});
            QVERIFY2(!said.err.contains("no option"), said.err.constData());
        }
    }

    // English words have English numbers among them.
    void numbersAreNotLocalised()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, jobOf("one", {"sleep 0.3"})).status, 0);
        QProcessEnvironment environment = f.environment();
        for (const QString &name : {u"LC_ALL"_s, u"LANG"_s, u"LC_NUMERIC"_s}) {
            environment.insert(name, u"de_DE.UTF-8"_s);
        }
        QProcess ctl;
        ctl.setProcessEnvironment(environment);
        ctl.start(f.program(u"trainyardctl"_s), {u"ps"_s});
        QVERIFY(ctl.waitForFinished());
        const QByteArray out = ctl.readAllStandardOutput();
        static const QRegularExpression time(u"SUCCEEDED +1 +[0-9]+\\.[0-9] s "_s);
        QVERIFY2(time.match(QString::fromUtf8(out)).hasMatch(), out.constData());
    }

    void logsOfARole()
    {
        ProgramsFixture f;
        const QByteArray roles
            = EngineFixture::role("worker", 2, {"echo work $PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX"})
            + EngineFixture::role("master", 1, {"echo lead"});
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::document("both", roles)).status, 0);
        for (const QStringList &more : {QStringList(), QStringList{u"-f"_s}}) {
            QByteArrayList lines = linesOf(f.ctl(QStringList{u"logs"_s, u"1"_s, u"worker"_s} + more).out);
            std::sort(lines.begin(), lines.end());
            QCOMPARE(lines, (QByteArrayList{"worker/0 | work 0", "worker/1 | work 1"}));
        }
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"master"_s}).out, "lead\n");
        const ProgramsFixture::Output none = f.ctl({u"logs"_s, u"1"_s, u"boss"_s});
        QCOMPARE(none.status, 2);
        QVERIFY2(none.err.contains("The job has no task role 'boss'. It has: worker, master."), none.err.constData());
    }

    void logsSince()
    {
        ProgramsFixture f;
        const QByteArray job = jobOf("late", {"echo early", "sleep 2.2", "date +%FT%T.%3N >since", "echo late"});
        QCOMPARE(f.ctl({u"run"_s, f.write(u"late.yaml"_s, job), u"--wait"_s}).status, 0);
        QFile mark(f.path(u"since"_s));
        QVERIFY(mark.open(QIODevice::ReadOnly));
        const QString since = QString::fromUtf8(mark.readAll()).trimmed();
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"--since"_s, since}).out, "late\n");
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"-f"_s, u"--since"_s, since}).out, "late\n");
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"--since"_s, u"1h"_s}).out, "early\nlate\n");
    }

    void convertsOnlyTheOldFormat()
    {
        const ProgramsFixture f;
        const QString file = f.write(u"new.yaml"_s, jobOf("new", {"true"}));
        const ProgramsFixture::Output said = f.ctl({u"convert"_s, file});
        QCOMPARE(said.status, 4);
        QVERIFY2(said.err.contains("is a job of version 2 already"), said.err.constData());
        QVERIFY2(!said.err.contains("JSON"), said.err.constData());
    }

    void removesByState()
    {
        ProgramsFixture f;
        for (const QByteArray &command : {QByteArray("true"), QByteArray("exit 1"), QByteArray("exit 2")}) {
            f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, jobOf("job", {command}));
        }
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, jobOf("active", {"sleep 600"})).status, 0);
        // Without a terminal nobody can be asked.
        const ProgramsFixture::Output refused = f.ctl({u"rm"_s, u"--state"_s, u"failed"_s});
        QCOMPARE(refused.status, 4);
        QCOMPARE(f.ctl({u"rm"_s, u"--older-than"_s, u"1h"_s, u"--yes"_s}).status, 0);
        QCOMPARE(f.ctl({u"ps"_s, u"--format"_s, u"{id}"_s, u"--sort"_s, u"id"_s}).out, "1\n2\n3\n4\n");
        QCOMPARE(f.ctl({u"rm"_s, u"--state"_s, u"failed"_s, u"--yes"_s}).status, 0);
        QCOMPARE(f.ctl({u"ps"_s, u"--format"_s, u"{id}"_s, u"--sort"_s, u"id"_s}).out, "1\n4\n");
        QCOMPARE(f.ctl({u"rm"_s, u"--older-than"_s, u"0s"_s, u"-y"_s}).status, 0);
        QCOMPARE(f.ctl({u"ps"_s, u"--format"_s, u"{id}"_s}).out, "4\n");
        QCOMPARE(f.ctl({u"rm"_s, u"1"_s, u"--state"_s, u"failed"_s}).status, 2);
    }

    // A person is asked on the terminal.
    void asksBeforeRemoving()
    {
        ProgramsFixture f;
        f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, jobOf("job", {"true"}));
        PseudoTerminal terminal(24, 80);
        QVERIFY(terminal.start(f.program(u"trainyardctl"_s), {u"rm"_s, u"--state"_s, u"succeeded"_s}, f.environment()));
        QTRY_VERIFY_WITH_TIMEOUT(terminal.written().contains("[y/N]"), 15000);
        terminal.type("y\n");
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 15000);
        QCOMPARE(terminal.process().exitCode(), 0);
        QCOMPARE(f.ctl({u"ps"_s, u"--all"_s, u"--format"_s, u"{id}"_s}).out, QByteArray());
    }

    void watchesTheList()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"ps"_s, u"--watch"_s}).status, 2);
        PseudoTerminal terminal(24, 100);
        QProcessEnvironment environment = f.environment();
        environment.insert(u"TERM"_s, u"xterm"_s);
        QVERIFY(terminal.start(f.program(u"trainyardctl"_s), {u"ps"_s, u"--watch"_s}, environment));
        QTRY_VERIFY_WITH_TIMEOUT(terminal.lines().join(u'\n').startsWith(u"ID"_s), 15000);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, jobOf("seen", {"sleep 600"})).status, 0);
        QTRY_VERIFY_WITH_TIMEOUT(terminal.lines().join(u'\n').contains(u"RUNNING"_s), 15000);
        terminal.type("q");
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 15000);
        QCOMPARE(terminal.process().exitCode(), 0);
        QVERIFY(!terminal.isOtherPage());
    }

    void versionsAgree()
    {
        const ProgramsFixture f;
        const QByteArray version = f.ctl({u"version"_s}).out;
        QVERIFY(version.startsWith("trainyardctl "));
        QCOMPARE(f.ctl({u"--version"_s}).out, version);
        const QString plain = f.ctl({u"version"_s, u"--json"_s}).json().object().value("version"_L1).toString();
        QCOMPARE(QString::fromUtf8(version), QString(u"trainyardctl "_s + plain + u'\n'));
    }

    void completesInBash_data()
    {
        QTest::addColumn<QByteArray>("typed");
        QTest::addColumn<QByteArray>("completed");
        QTest::newRow("command") << QByteArray("lo") << QByteArray("logs");
        QTest::newRow("option") << QByteArray("run --fol") << QByteArray("--follow");
        QTest::newRow("word") << QByteArray("hosts re") << QByteArray("remove");
        QTest::newRow("words") << QByteArray("completion f") << QByteArray("fish");
        QTest::newRow("job") << QByteArray("show 1") << QByteArray("1");
    }

    void completesInBash()
    {
        QFETCH(QByteArray, typed);
        QFETCH(QByteArray, completed);
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, jobOf("job", {"true"})).status, 0);
        const QString script = f.write(u"completion.bash"_s, f.ctl({u"completion"_s, u"bash"_s}).out);
        QProcess bash;
        QProcessEnvironment environment = f.environment();
        environment.insert(
            u"PATH"_s, QFileInfo(f.program(u"trainyardctl"_s)).path() + u':' + environment.value(u"PATH"_s));
        bash.setProcessEnvironment(environment);
        bash.start(u"bash"_s,
            {u"--norc"_s, u"-c"_s,
                u"set -e; source \"$1\"; COMP_WORDS=(trainyardctl $2); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
                "_trainyardctl || true; echo \"${COMPREPLY[*]}\""_s,
                u"bash"_s, script, QString::fromUtf8(typed)});
        QVERIFY(bash.waitForFinished());
        const QByteArray out = bash.readAllStandardOutput().trimmed();
        QVERIFY2(out == completed, QByteArray(out + ' ' + bash.readAllStandardError()).constData());
    }

    // Every command and option is in every script.
    void completionsAreWhole()
    {
        const ProgramsFixture f;
        const QByteArray help = f.ctl({u"--help"_s}).out;
        static const QRegularExpression command(u"\\n  ([a-z]+)  +[A-Z]"_s);
        auto matches = command.globalMatch(QString::fromUtf8(help));
        QStringList names;
        while (matches.hasNext()) {
            names.append(matches.next().captured(1));
        }
        QVERIFY2(names.size() > 20, help.constData());
        for (const QString &shell : {u"bash"_s, u"zsh"_s, u"fish"_s}) {
            const QString script = QString::fromUtf8(f.ctl({u"completion"_s, shell}).out);
            for (const QString &name : std::as_const(names)) {
                QVERIFY2(script.contains(QRegularExpression(QString(u"\\b"_s + name + u"\\b"_s))),
                    qPrintable(QString(shell + name)));
            }
            for (const QString &option : {u"older-than"_s, u"follow"_s, u"as-server"_s, u"set-text"_s}) {
                QVERIFY2(script.contains(option), qPrintable(QString(shell + option)));
            }
        }
    }
};

TRAINYARD_TEST(TstCliWords)
#include "tst_cliwords.moc"
