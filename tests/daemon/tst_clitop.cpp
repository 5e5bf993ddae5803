// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/fakegpus.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/pseudoterminal.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/columns.h"

#include <QRegularExpression>

#include <signal.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

// `trainyardctl top` on a terminal: what it shows, and what it leaves behind.
class TstCliTop : public QObject
{
    Q_OBJECT

    static QByteArray job(const QByteArray &name, const QByteArray &command)
    {
        return EngineFixture::document(name, EngineFixture::role("worker", 1, {command}));
    }

    static bool start(const ProgramsFixture &f, PseudoTerminal &terminal, const char *type = "xterm-256color")
    {
        QProcessEnvironment environment = f.environment();
        environment.insert(u"TERM"_s, QString::fromLatin1(type));
        return terminal.start(f.program(u"trainyardctl"_s), {u"top"_s}, environment);
    }

    static bool isOver(PseudoTerminal &terminal)
    {
        return QTest::qWaitFor([&] { return terminal.process().state() == QProcess::NotRunning; }, 15000);
    }

    // The shell that goes on behind it has the terminal as it was.
    static QString whatIsWrong(const PseudoTerminal &terminal)
    {
        return terminal.isOtherPage()   ? u"the other page is still in front"_s
            : !terminal.isCursorShown() ? u"there is no cursor"_s
            : !terminal.isEcho()        ? u"what is typed does not show"_s
                                        : QString();
    }

private Q_SLOTS:
    void showsJobsInEverySize()
    {
        ProgramsFixture f;
        const QByteArray name = "a_very_long_name_of_a_job_that_has_no_room_on_a_small_terminal_0042";
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, job(name, "sleep 600")).status, 0);
        for (int i = 0; i < 12; ++i) {
            QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--after"_s, u"1"_s}, job("later", "true")).status, 0);
        }
        PseudoTerminal terminal(24, 80);
        QVERIFY(start(f, terminal));
        const auto shown = [&] { return terminal.lines().join(u'\n'); };
        static const QRegularExpression running(u"\n1 .*42 +RUNNING +0/1 "_s);
        QTRY_VERIFY2_WITH_TIMEOUT(running.match(shown()).hasMatch(), qPrintable(shown()), 15000);
        QVERIFY(terminal.isOtherPage() && !terminal.isCursorShown() && !terminal.isEcho());
        const auto fits = [&](int rows, int columns) {
            const QStringList lines = terminal.lines();
            return lines.size() <= rows && lines.first().startsWith(u"HOST"_s)
                && std::all_of(lines.cbegin(), lines.cend(),
                    [columns](const QString &line) { return columnsOf(line) <= columns; });
        };
        QVERIFY2(fits(24, 80), qPrintable(shown()));
        QVERIFY2(shown().contains(u"a_very_"_s) && shown().contains(u'…'), qPrintable(shown()));

        // Less room, at once: no timer has to run out for it, and what has none is counted.
        terminal.resize(10, 40);
        QTRY_VERIFY2(fits(10, 40) && shown().contains(u"more"_s), qPrintable(shown()));
        QVERIFY2(running.match(shown()).hasMatch(), qPrintable(shown()));
        terminal.resize(40, 160);
        QTRY_VERIFY2(shown().contains(QString::fromLatin1(name)), qPrintable(shown()));
        QTRY_VERIFY2(fits(40, 160) && !shown().contains(u"more"_s), qPrintable(shown())); // and the rest of it

        // What is typed does not get into the picture.
        terminal.type("hello\r\r\r");
        const qsizetype before = terminal.written().size();
        QTRY_VERIFY(terminal.written().size() > before); // the next picture
        QVERIFY2(!shown().contains(u"hello"_s), qPrintable(shown()));

        terminal.type("q");
        QVERIFY(isOver(terminal));
        QCOMPARE(terminal.process().exitCode(), 0);
        QTRY_COMPARE(whatIsWrong(terminal), QString());
        QCOMPARE(shown(), QString());
    }

    void leavesTheTerminalAsItWas_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<int>("signal");
        QTest::newRow("Ctrl+C") << QByteArray("\x03") << 0;
        QTest::newRow("TERM") << QByteArray() << SIGTERM;
        QTest::newRow("HUP") << QByteArray() << SIGHUP;
    }

    void leavesTheTerminalAsItWas()
    {
        QFETCH(const QByteArray, key);
        QFETCH(const int, signal);
        const ProgramsFixture f;
        PseudoTerminal terminal(24, 80);
        QVERIFY(start(f, terminal));
        QTRY_VERIFY_WITH_TIMEOUT(terminal.lines().join(u'\n').contains(u"No job runs or waits."_s), 15000);
        if (signal != 0) {
            ::kill(static_cast<pid_t>(terminal.process().processId()), signal);
        } else {
            terminal.type(key);
        }
        QVERIFY(isOver(terminal));
        QCOMPARE(terminal.process().exitStatus(), QProcess::NormalExit);
        QTRY_COMPARE(whatIsWrong(terminal), QString());
        QVERIFY(!terminal.written().contains("^C"));
    }

    // The sentence stands on the page that stays.
    void saysWhenTheEngineIsGone()
    {
        const ProgramsFixture f;
        PseudoTerminal terminal(24, 80);
        QVERIFY(start(f, terminal));
        QTRY_VERIFY_WITH_TIMEOUT(terminal.lines().join(u'\n').contains(u"No job runs or waits."_s), 15000);
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(isOver(terminal));
        QCOMPARE(terminal.process().exitCode(), 3);
        QTRY_COMPARE(whatIsWrong(terminal), QString());
        QTRY_VERIFY2(terminal.lines().join(u' ').contains(u"engine"_s), qPrintable(terminal.lines().join(u'\n')));
    }

    // Ctrl+Z and fg.
    void stoppedAndContinued()
    {
        const ProgramsFixture f;
        PseudoTerminal terminal(24, 80);
        QVERIFY(start(f, terminal));
        QTRY_VERIFY_WITH_TIMEOUT(terminal.lines().join(u'\n').contains(u"No job runs or waits."_s), 15000);
        const auto pid = static_cast<pid_t>(terminal.process().processId());
        ::kill(pid, SIGTSTP);
        QTRY_COMPARE_WITH_TIMEOUT(whatIsWrong(terminal), QString(), 15000);
        ::kill(pid, SIGCONT);
        QTRY_VERIFY_WITH_TIMEOUT(
            terminal.isOtherPage() && terminal.lines().join(u'\n').contains(u"No job runs or waits."_s), 15000);
        terminal.type("q");
        QVERIFY(isOver(terminal));
        QTRY_COMPARE(whatIsWrong(terminal), QString());
    }

    // Each of those that share a GPU, and of the others the one that has it.
    void whoHasTheGpus()
    {
        const ProgramsFixture f;
        f.setSettings({{u"gpu.share"_s, true}, {u"stop.graceSeconds"_s, 1}});
        const FakeGpus gpus(f);
        const auto take = [&](const QByteArray &name, const QByteArray &extras) {
            return f.ctl({u"run"_s, u"-"_s},
                EngineFixture::document(
                    name, EngineFixture::role("main", 1, {"sleep 600"}, {}, "{cpu: 1, memoryMB: 16, gpu: 1}"))
                    + extras);
        };
        const QByteArray part = "extras: {trainyard: {gpuMemoryMB: {main: 2000}}}\n";
        QCOMPARE(take("one", part).status, 0);
        QCOMPARE(take("two", part).status, 0);
        QCOMPARE(take("alone", {}).status, 0);
        QByteArray seen;
        static const QRegularExpression all(u"GPU 0 .* #1, #2\n +GPU 1 .* #3\n"_s);
        QTRY_VERIFY2_WITH_TIMEOUT(all.match(QString::fromUtf8(seen = f.ctl({u"top"_s, u"--once"_s}).out)).hasMatch(),
            seen.constData(), 15000);
    }

    // One that cannot be painted over gets the picture once.
    void plainTerminal()
    {
        const ProgramsFixture f;
        PseudoTerminal terminal(24, 80);
        QVERIFY(start(f, terminal, "dumb"));
        QVERIFY(isOver(terminal));
        QCOMPARE(terminal.process().exitCode(), 0);
        QTRY_VERIFY(terminal.written().contains("No job runs or waits."));
        QVERIFY2(!terminal.written().contains('\x1b'), terminal.written().constData());
    }
};

TRAINYARD_TEST(TstCliTop)
#include "tst_clitop.moc"
