// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/pseudoterminal.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QRegularExpression>
#include <QScopeGuard>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

using namespace Qt::StringLiterals;

// What a stranger's job can do to the terminal of the person who looks at it: nothing.
class TstCliTerminal : public QObject
{
    Q_OBJECT

    static QByteArray onTerminal(const ProgramsFixture &f, const QStringList &arguments, const QByteArray &answer = {})
    {
        PseudoTerminal terminal(24, 200);
        QProcessEnvironment environment = f.environment();
        environment.insert(u"TERM"_s, u"xterm"_s);
        if (!terminal.start(f.program(u"trainyardctl"_s), arguments, environment)) {
            return "not started";
        }
        terminal.type(answer);
        if (!QTest::qWaitFor([&] { return terminal.process().state() == QProcess::NotRunning; }, 20000)) {
            return "not over: " + terminal.written();
        }
        // What it wrote last may still be in the terminal; nearly all of these commands write something.
        if (!QTest::qWaitFor([&] { return !terminal.written().isEmpty(); }, 5000)) {
            return {};
        }
        qsizetype size = -1;
        while (size != terminal.written().size()) {
            size = terminal.written().size();
            QCoreApplication::processEvents();
        }
        return terminal.written();
    }

    // Anything that acts on a terminal, besides our own colours and what clears the progress line.
    static QString whatActs(QByteArray written)
    {
        static const QList<QByteArray> ours{
            "\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[33m", "\x1b[34m", "\x1b[32m", "\x1b[1;31m"};
        static const QRegularExpression drawing(u"\\x1b\\[[0-9]+A|\\x1b\\[[JK]|\\r"_s); // of the table of tasks
        written = QString::fromUtf8(written).remove(drawing).toUtf8();
        for (const QByteArray &sequence : ours) {
            written.replace(sequence, QByteArray());
        }
        static const QRegularExpression acts(u"[\\x00-\\x08\\x0b-\\x1f\\x7f\\x{80}-\\x{9f}\\x{202e}]"_s);
        const QRegularExpressionMatch match = acts.match(QString::fromUtf8(written));
        return match.hasMatch() ? QString::fromUtf8(
                   written.mid(std::max<qsizetype>(0, match.capturedStart() - 40), 80).toPercentEncoding(" \n"))
                                : QString();
    }

    // What it prints when it fails goes into the reason, too.
    static QByteArray hostileJob()
    {
        const QByteArray commands
            = "printf '\\033[31mred\\033[0m \\033]0;owned\\007\\033[2Jx\\n'; printf 'Traceback (most recent call "
              "last):\\n  File \"a.py\", line 1, in <module>\\nValueError: bad \\033]0;owned\\007\\033[31mvalue\\n' "
              ">&2; exit 1";
        return EngineFixture::document("hostile", EngineFixture::role("worker", 1, {commands}),
            "description: \"a \\e]0;owned\\a\\e[31m job \\x9b31m \\u202e x\"\n"
            "parameters: {\"\\e]0;owned\\a\": \"\\e[31m\"}\n\"odd\\e]0;owned\\akey\": 1\n");
    }

private Q_SLOTS:
    // What is typed is seen again, however the question for a secret ends.
    void interruptedQuestion()
    {
        const ProgramsFixture f;
        const QString file = f.write(u"asks.yaml"_s,
            EngineFixture::document(
                "asks", EngineFixture::role("w", 1, {"echo <% $secrets.token %>"}), "secrets: {token: '******'}\n"));
        PseudoTerminal terminal(24, 200);
        QVERIFY(terminal.start(f.program(u"trainyardctl"_s), {u"run"_s, file}, f.environment()));
        QTRY_VERIFY_WITH_TIMEOUT(terminal.written().contains("Secret token: "), 20000);
        QVERIFY(!terminal.isEcho());
        // An empty value is asked for again.
        terminal.type("\n");
        QTRY_VERIFY_WITH_TIMEOUT(terminal.written().count("Secret token: ") == 2, 20000);
        terminal.type("\x03");
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 20000);
        QVERIFY(terminal.isEcho());
    }

    // Ctrl+D ends the question, and is answered as what it is.
    void questionWithoutAnAnswer()
    {
        const ProgramsFixture f;
        const QString file = f.write(u"asks.yaml"_s,
            EngineFixture::document(
                "asks", EngineFixture::role("w", 1, {"echo <% $secrets.token %>"}), "secrets: {token: '******'}\n"));
        for (const QStringList &more : {QStringList(), QStringList{u"--secret"_s, u"token"_s}}) {
            PseudoTerminal terminal(24, 200);
            QVERIFY(terminal.start(f.program(u"trainyardctl"_s), QStringList{u"run"_s, file} + more, f.environment()));
            QTRY_VERIFY_WITH_TIMEOUT(terminal.written().contains("Secret token: "), 20000);
            terminal.type("\x04");
            QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 20000);
            QCOMPARE(terminal.process().exitCode(), more.isEmpty() ? 4 : 2);
            const QByteArray wanted = more.isEmpty() ? "The question was ended without a value."
                                                     : "No value was typed for the secret token";
            QTRY_VERIFY2(terminal.written().contains(wanted), terminal.written().constData());
            QVERIFY2(!terminal.written().contains("There is no terminal"), terminal.written().constData());
        }
    }

    // What is read for long says how far it is, and leaves nothing of that behind.
    void metricsOfALongOutput()
    {
        const ProgramsFixture f;
        const QString log = f.write(u"output.log"_s, {});
        const QByteArray path = QFile::encodeName(log);
        QVERIFY(::unlink(path.constData()) == 0 && ::mkfifo(path.constData(), 0600) == 0);
        PseudoTerminal terminal(24, 200);
        QProcessEnvironment environment = f.environment();
        environment.insert(u"TERM"_s, u"xterm"_s);
        QVERIFY(terminal.start(f.program(u"trainyardctl"_s), {u"metrics"_s, u"--log"_s, log}, environment));
        int pipe = -1;
        const auto close = qScopeGuard([&pipe] { ::close(pipe); });
        const auto isOpen = [&] { // once the program reads
            pipe = pipe >= 0 ? pipe : ::open(path.constData(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
            return pipe >= 0;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isOpen(), 20000);
        const QByteArray line = "step 1 loss=0.5\n";
        const auto saysMore = [&] {
            return ::write(pipe, line.constData(), std::size_t(line.size())) == line.size()
                && terminal.written().contains("Reading the output: ");
        };
        QTRY_VERIFY_WITH_TIMEOUT(saysMore(), 20000);
        ::close(std::exchange(pipe, -1));
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 20000);
        QTRY_VERIFY(terminal.lines().join(u'\n').contains(u"loss"_s));
        QVERIFY2(!terminal.lines().join(u'\n').contains(u"Reading"_s), terminal.written().constData());
    }

    // Rows are as wide as the terminal, unless somebody wants them whole or another program reads them.
    void rowsFitTheTerminal()
    {
        const ProgramsFixture f;
        const QByteArray name(60, 'n');
        const QString file = f.write(
            u"long.yaml"_s, EngineFixture::document(name, EngineFixture::role("worker", 1, {"echo said; exit 3"})));
        QCOMPARE(f.ctl({u"run"_s, u"--wait"_s, file}).status, 3);
        const auto widest = [&f](const QStringList &arguments) {
            PseudoTerminal terminal(24, 60);
            qsizetype width = 0;
            if (terminal.start(f.program(u"trainyardctl"_s), arguments, f.environment())
                && QTest::qWaitFor([&] { return terminal.process().state() == QProcess::NotRunning; }, 20000)
                && QTest::qWaitFor([&] { return terminal.written().contains("FAILED"); }, 5000)) {
                QString text = QString::fromUtf8(terminal.written());
                text.remove(QRegularExpression(u"\x1b\\[[0-9;]*[A-Za-z]|\r"_s));
                for (const QString &line : text.split(u'\n')) {
                    width = std::max(width, line.size());
                }
            }
            return width;
        };
        const qsizetype width = widest({u"ps"_s});
        QVERIFY2(width > 30 && width <= 60, qPrintable(QString::number(width)));
        QVERIFY(widest({u"ps"_s, u"--wide"_s}) > 100);
        // A sentence goes on below, at a word; a program that reads it gets it whole.
        PseudoTerminal terminal(24, 60);
        QVERIFY(terminal.start(f.program(u"trainyardctl"_s), {u"why"_s, u"1"_s}, f.environment()));
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 20000);
        const QByteArray unbroken = f.ctl({u"why"_s, u"1"_s}).out.simplified();
        QTRY_COMPARE_WITH_TIMEOUT(QByteArray(terminal.written())
                                      .replace("\x1b[1m", QByteArray())
                                      .replace("\x1b[0m", QByteArray())
                                      .simplified(),
            unbroken, 5000);
        for (const QByteArray &line : terminal.written().split('\n')) {
            QVERIFY2(line.size() <= 60 + 10, line.constData()); // with the codes of a colour
        }
        // The few words of the cause have room where its sentence has none.
        const QString shown = QString::fromUtf8(onTerminal(f, {u"ps"_s}));
        QVERIFY2(shown.contains(u"Exit status 3"_s) && !shown.contains(u"worker/0:"_s), qPrintable(shown));
        const QByteArray piped = f.ctl({u"ps"_s}).out;
        QVERIFY2(piped.contains(name) && piped.contains("3"), piped.constData());
    }

    // The folder of a run hides what bash says; a file gets what the program wrote.
    void scriptsHaveShortNames()
    {
        const ProgramsFixture f;
        const QString file = f.write(u"work/misspelt.yaml"_s,
            EngineFixture::document("misspelt", EngineFixture::role("w", 1, {"no_such_command_here"})));
        QCOMPARE(f.ctl({u"run"_s, u"--wait"_s, file}).status, 1); // 127 has a meaning of its own
        const QStringList logs{u"logs"_s, u"1"_s};
        const QByteArray shown = onTerminal(f, logs);
        QVERIFY2(shown.contains("task.sh: line 1: no_such_command_here: ") && !shown.contains("/task.sh"),
            shown.constData());
        const QByteArray piped = f.ctl(logs).out;
        QVERIFY2(piped.startsWith('/') && piped.contains("/0/w-0/0/task.sh: line 1: "), piped.constData());
    }

    // What draws over itself needs a terminal that understands it, whatever the command.
    void terminalThatCannotDraw()
    {
        const ProgramsFixture f;
        const QString file
            = f.write(u"work/plain.yaml"_s, EngineFixture::document("plain", EngineFixture::role("w", 1, {"sleep 1"})));
        QProcessEnvironment environment = f.environment();
        environment.insert(u"TERM"_s, u"dumb"_s);
        PseudoTerminal terminal(24, 200);
        QVERIFY(terminal.start(f.program(u"trainyardctl"_s), {u"run"_s, u"--wait"_s, file}, environment));
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 30000);
        QTRY_VERIFY(terminal.written().contains("plain succeeded"));
        QVERIFY2(!terminal.written().contains('\x1b'), terminal.written().constData());
    }

    // The jobs of a group go on as a single one does, and the command says so.
    void interruptedWaitForAGroup()
    {
        const ProgramsFixture f;
        const QString file = f.write(u"work/long.yaml"_s,
            EngineFixture::document("long", EngineFixture::role("w", 1, {"sleep 300"}), "parameters: {i: 1}\n"));
        PseudoTerminal terminal(24, 200);
        QVERIFY(terminal.start(f.program(u"trainyardctl"_s),
            {u"sweep"_s, file, u"--name"_s, u"both"_s, u"--param"_s, u"i=1,2"_s, u"--wait"_s}, f.environment()));
        QTRY_VERIFY2_WITH_TIMEOUT(terminal.written().contains("running"), terminal.written().constData(), 20000);
        terminal.type("\x03");
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 20000);
        QCOMPARE(terminal.process().exitCode(), 130);
        QTRY_VERIFY2(terminal.written().contains("The jobs keep running. 'trainyardctl wait group:both'"),
            terminal.written().constData());
    }

    // The table shows for what a job waits; what can be done about it stands below, once.
    void retriesOnATerminal()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}, {u"retry.pauseSeconds"_s, 2}, {u"retry.freeCap"_s, 2}});
        const QString file = f.write(
            u"work/killed.yaml"_s, EngineFixture::document("killed", EngineFixture::role("w", 1, {"kill -9 $$"})));
        PseudoTerminal terminal(24, 200);
        QVERIFY(terminal.start(f.program(u"trainyardctl"_s), {u"run"_s, u"--wait"_s, file}, f.environment()));
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 60000);
        QTRY_VERIFY(terminal.written().contains("killed failed"));
        QCOMPARE(terminal.written().count("'trainyardctl stop 1' gives the job up"), 1);
        QCOMPARE(terminal.written().count("'trainyardctl settings retry.freeCap 0' forbids"), 1);
    }

    // The number is that of a store which nobody else reads: 'show 1' would show another job.
    void foregroundHasNoNumber()
    {
        const ProgramsFixture f;
        const QString file
            = f.write(u"work/fore.yaml"_s, EngineFixture::document("fore", EngineFixture::role("w", 1, {"echo said"})));
        PseudoTerminal terminal(24, 200);
        QVERIFY(terminal.start(f.program(u"trainyardctl"_s), {u"run"_s, u"--foreground"_s, file}, f.environment()));
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 30000);
        QTRY_VERIFY(terminal.written().contains("fore succeeded"));
        QVERIFY2(terminal.written().contains("with --follow it is printed as it is written"),
            terminal.written().constData());
        QVERIFY2(!terminal.written().contains('#'), terminal.written().constData());
    }

    // The keys of the terminal are for the command alone: what it has started for its hosts does not get them.
    void interruptsInTheForeground()
    {
        const ProgramsFixture f;
        f.setSettings({{u"stop.graceSeconds"_s, 600}, {u"environment.mode"_s, u"clean"_s}});
        const QString file = f.write(u"work/deaf.yaml"_s,
            EngineFixture::document(
                "deaf", EngineFixture::role("w", 1, {"trap '' TERM INT; echo started; sleep 600 & wait; sleep 600"})));
        PseudoTerminal terminal(24, 200);
        QVERIFY(terminal.start(
            f.program(u"trainyardctl"_s), {u"run"_s, u"--foreground"_s, u"--follow"_s, file}, f.environment()));
        QTRY_VERIFY_WITH_TIMEOUT(terminal.written().contains("started"), 30000);
        const auto agent = [&]() -> qint64 {
            const QList<qint64> all = f.pidsOf(u"trainyard-agent"_s); // keepers, too
            for (const qint64 pid : all) {
                const QByteArray stat = EngineFixture::contents(u"/proc/%1/stat"_s.arg(pid));
                const qint64 parent = stat.mid(stat.lastIndexOf(')') + 2).split(' ').value(1).toLongLong();
                if (parent == terminal.process().processId()) {
                    return pid;
                }
            }
            return 0;
        };
        const qint64 first = agent();
        QVERIFY(first > 0);
        terminal.type("\x03");
        QTRY_VERIFY_WITH_TIMEOUT(terminal.written().contains("press Ctrl+C again"), 30000);
        QCOMPARE(agent(), first);
        terminal.type("\x03");
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 30000);
        QVERIFY2(terminal.written().contains("Killing the tasks.")
                && !terminal.written().contains("is looking for its tasks on this computer"),
            terminal.written().constData());
        QTRY_VERIFY(f.pidsOf(u"sleep"_s).isEmpty());
    }

    // The table is drawn again and again, and neither over what is said nor below what it was.
    void interruptsBelowTheTable()
    {
        const ProgramsFixture f;
        f.setSettings({{u"stop.graceSeconds"_s, 600}, {u"environment.mode"_s, u"clean"_s}});
        const QString file = f.write(u"work/deaf.yaml"_s,
            EngineFixture::document(
                "deaf", EngineFixture::role("w", 1, {"trap '' TERM INT; touch started; sleep 600 & wait; sleep 600"})));
        PseudoTerminal terminal(24, 120);
        QProcessEnvironment environment = f.environment();
        environment.insert(u"TERM"_s, u"xterm"_s);
        QVERIFY(terminal.start(f.program(u"trainyardctl"_s), {u"run"_s, u"--foreground"_s, file}, environment));
        const auto shown = [&terminal] { return terminal.lines().join(u'\n'); };
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(f.path(u"work/started"_s)), 30000);
        QTRY_VERIFY2_WITH_TIMEOUT(shown().contains(u"RUNNING"_s), qPrintable(shown()), 30000);
        terminal.type("\x03");
        QTRY_VERIFY2_WITH_TIMEOUT(
            shown().contains(u"STOPPING"_s) && !shown().contains(u"RUNNING"_s), qPrintable(shown()), 30000);
        QTRY_COMPARE_WITH_TIMEOUT(shown().count(u"press Ctrl+C again to kill it."_s), 1, 5000);
        terminal.type("\x03");
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 30000);
        QTRY_VERIFY2(shown().contains(u"deaf was stopped"_s), qPrintable(shown()));
        QVERIFY2(!shown().contains(u"RUNNING"_s) && !shown().contains(u"STOPPING"_s), qPrintable(shown()));
        QCOMPARE(shown().count(u"press Ctrl+C again to kill it."_s), 1);
        QCOMPARE(shown().count(u"Killing the tasks."_s), 1);
    }

    void textsOfStrangers()
    {
        const ProgramsFixture f;
        const QString file = f.write(u"a\x1b]0;owned\x07.yaml"_s, hostileJob());
        const QList<QStringList> commands{{u"check"_s, file}, {u"check"_s, file, u"--json"_s}, {u"render"_s, file},
            {u"edit"_s, u"--set"_s, u"/description=x"_s, file}, {u"check"_s, file + u"\x1b[31m"_s},
            {u"\x1b]0;owned\x07"_s}, {u"ps"_s, u"--\x1b]0;owned\x07"_s}, {u"explain"_s, u"\x1b]0;owned\x07"_s},
            {u"run"_s, file, u"--wait"_s}, {u"ps"_s}, {u"ps"_s, u"--json"_s}, {u"ps"_s, u"--csv"_s},
            {u"show"_s, u"1"_s}, {u"top"_s, u"--once"_s}, {u"wait"_s, u"1"_s}, {u"logs"_s, u"1"_s, u"--runtime"_s},
            {u"note"_s, u"1"_s, u"a \x1b[2J\x1b]0;owned\x07 note"_s}, {u"note"_s, u"1"_s}, {u"show"_s, u"1"_s},
            {u"ps"_s, u"--all"_s, u"--format"_s, u"{note} {why} {param:\x1b]0;owned\x07}"_s}, {u"why"_s, u"1"_s},
            {u"why"_s, u"1"_s, u"--json"_s}, {u"metrics"_s, u"1"_s}, {u"metrics"_s, u"1"_s, u"--csv"_s},
            {u"show"_s, u"1"_s, u"--yaml"_s}, {u"show"_s, u"1"_s, u"--environment"_s}, {u"run"_s, file, u"--wait"_s},
            {u"compare"_s, u"1"_s, u"2"_s}, {u"compare"_s, u"1"_s, u"2"_s, u"--csv"_s}};
        for (const QStringList &arguments : commands) {
            const QByteArray written = onTerminal(f, arguments);
            // Nothing happened around the commands, and nothing is said of what went well.
            const bool mayBeEmpty
                = arguments.contains(u"--runtime"_s) || (arguments.constFirst() == "note"_L1 && arguments.size() == 3);
            QVERIFY2((mayBeEmpty || !written.isEmpty()) && !written.startsWith("not "),
                QByteArray(arguments.join(u' ').toUtf8() + ": " + written).constData());
            QVERIFY2(
                whatActs(written).isEmpty(), qPrintable(QString(arguments.join(u' ') + u": "_s + whatActs(written))));
        }
        // The escapes can be read, and the texts are those of the job.
        QVERIFY(onTerminal(f, {u"check"_s, file}).contains("odd^[]0;owned^Gkey"));
        QVERIFY(onTerminal(f, {u"note"_s, u"1"_s}).contains("a ^[[2J^[]0;owned^G note"));
        const ProgramsFixture::Output piped = f.ctl({u"check"_s, file});
        QVERIFY2(whatActs(piped.out + piped.err).isEmpty() && piped.out.contains("odd^[]0;owned^Gkey"),
            QByteArray(piped.out + piped.err).constData());
    }

    // Colours are a part of an output; what draws elsewhere or sets the title is not. A file gets all of it.
    void logs()
    {
        const ProgramsFixture f;
        const QString file = f.write(u"hostile.yaml"_s, hostileJob());
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 1);
        const QByteArray whole = "\x1b[31mred\x1b[0m \x1b]0;owned\x07\x1b[2Jx\n";
        const QByteArray filtered = "\x1b[31mred\x1b[0m x\r\n";
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"--stdout"_s}).out, whole);
        QVERIFY(f.ctl({u"logs"_s, u"1"_s}).out.contains(whole));
        const QList<QStringList> commands{{u"logs"_s, u"1"_s}, {u"logs"_s, u"1"_s, u"-f"_s},
            {u"logs"_s, u"1"_s, u"--stdout"_s}, {u"logs"_s, u"1"_s, u"-t"_s}, {u"logs"_s, u"1"_s, u"--tail"_s, u"9"_s},
            {u"run"_s, file, u"--follow"_s}};
        for (const QStringList &arguments : commands) {
            const QByteArray written = onTerminal(f, arguments);
            QVERIFY2(
                written.contains(filtered), QByteArray(arguments.join(u' ').toUtf8() + ": " + written).constData());
            QVERIFY2(!written.contains("owned\x07") && !written.contains("\x1b[2J"), written.constData());
        }
    }

    // A colour that the output does not end by itself does not go on into what follows on the terminal.
    void openColours()
    {
        const ProgramsFixture f;
        const QByteArray commands = "printf '\\033[31mred\\n'";
        const QString file
            = f.write(u"red.yaml"_s, EngineFixture::document("red", EngineFixture::role("worker", 1, {commands})));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 0);
        const QList<QStringList> all{{u"logs"_s, u"1"_s}, {u"logs"_s, u"1"_s, u"-f"_s},
            {u"logs"_s, u"1"_s, u"worker/0"_s, u"-f"_s}, {u"run"_s, file, u"--follow"_s}};
        for (const QStringList &arguments : all) {
            const QByteArray written = onTerminal(f, arguments);
            const qsizetype red = written.lastIndexOf("\x1b[31mred");
            QVERIFY2(red >= 0, written.constData());
            const QByteArray behind = written.mid(red + 8).trimmed();
            QVERIFY2(
                behind.startsWith("\x1b[0m"), QByteArray(arguments.join(u' ').toUtf8() + ": " + written).constData());
        }
    }

    // Who sees the new text may take it for written. A program that reads it, and who pipes it in, needs no word.
    void editsThatAreOnlyShown()
    {
        const ProgramsFixture f;
        const QByteArray job = EngineFixture::document("shown", EngineFixture::role("worker", 1, {"true"}));
        const QString file = f.write(u"shown.yaml"_s, job);
        const QStringList edit{u"edit"_s, file, u"--set"_s, u"/description=new"_s};
        const QByteArray written = onTerminal(f, edit);
        QVERIFY2(written.contains("description: new"), written.constData());
        const QByteArray hint = "No file was written. --in-place writes the new text to " + file.toUtf8() + '.';
        QVERIFY2(written.contains(hint), written.constData());
        QCOMPARE(f.ctl(edit).err, QByteArray());
        QCOMPARE(f.ctl({u"edit"_s, u"-i"_s, file, u"--set"_s, u"/name=again"_s}).status, 0);
        const QByteArray after = f.ctl(edit).out;
        QVERIFY2(after.contains("name: again"), after.constData());
    }

    // A document goes to a file or pipe as it is.
    void documentsStayExact()
    {
        const ProgramsFixture f;
        const QByteArray job = hostileJob() + "# a comment with \xc2\xa0 and \xe2\x80\xae\n";
        const QString file = f.write(u"hostile.yaml"_s, job);
        QCOMPARE(f.ctl({u"edit"_s, file, u"--set"_s, u"/name=hostile"_s}).out, job);
    }
};

TRAINYARD_TEST(TstCliTerminal)
#include "tst_cliterminal.moc"
