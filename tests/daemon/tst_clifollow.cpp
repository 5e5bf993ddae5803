// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/enginefixture.h"
#include "tests/daemon/programsfixture.h"
#include "tests/daemon/pseudoterminal.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;

// What a person at the command line is told while a job runs, waits, or ends.
class TstCliFollow : public QObject
{
    Q_OBJECT

    static QByteArray job(const QByteArray &name, const QByteArrayList &commands,
        const QByteArray &resources = "{cpu: 1, memoryMB: 16, gpu: 0}")
    {
        return EngineFixture::document(name, EngineFixture::role("worker", 1, commands, {}, resources));
    }

    static bool waitForEnd(QProcess &process, int ms = 20000)
    {
        return QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, ms);
    }

    static QString stateOfTask(const ProgramsFixture &f)
    {
        const QByteArray text = f.ctl({u"show"_s, u"1"_s}).out;
        const qsizetype at = text.indexOf("  worker/0  ");
        return at < 0 ? QString() : QString::fromUtf8(text.mid(at + 12)).section(u' ', 0, 0).trimmed();
    }

private Q_SLOTS:
    // The task is over, the job is not: it waits for its next attempt.
    void followsIntoTheNextAttempt()
    {
        ProgramsFixture f;
        f.setSettings({{u"retry.pauseSeconds"_s, 4}, {u"environment.mode"_s, u"clean"_s}});
        // Without a file each attempt has a folder of its own.
        const QByteArray mark = QFile::encodeName(f.path(u"again"_s));
        QCOMPARE(
            f.ctl({u"run"_s, u"-"_s},
                 job("again", {"echo first; [ -e " + mark + " ] || { touch " + mark + "; kill -9 $$; }; echo second"}))
                .status,
            0);
        QTRY_COMPARE_WITH_TIMEOUT(stateOfTask(f), u"FAILED"_s, 15000);
        const auto whole = f.startCtl({u"logs"_s, u"-f"_s, u"1"_s});
        const auto one = f.startCtl({u"logs"_s, u"-f"_s, u"1"_s, u"worker/0"_s});
        for (QProcess *each : {whole.get(), one.get()}) {
            QVERIFY(waitForEnd(*each));
            QCOMPARE(each->exitCode(), 0);
            QCOMPARE(each->readAllStandardOutput(), "first\nfirst\nsecond\n");
            QCOMPARE(each->readAllStandardError(), "trainyardctl: Attempt 2 of the job begins.\n");
        }
        // Each log by itself is what it was.
        QCOMPARE(f.ctl({u"logs"_s, u"-f"_s, u"1"_s, u"--attempt"_s, u"1"_s}).out, "first\n");
    }

    // The job waits for the host, and the reason is told at once.
    void hostThatIsAway()
    {
        ProgramsFixture f;
        const auto added
            = f.ctl({u"hosts"_s, u"add"_s, u"ssh://nobody@127.0.0.1:9"_s, u"--name"_s, u"lab9"_s}, {}, 60000);
        QVERIFY2(added.status == 3, added.err.constData());
        const QString file = f.write(u"work/x.yaml"_s, job("waits", {"true"}));
        const auto run = f.ctl({u"run"_s, file, u"--on"_s, u"lab9"_s});
        QVERIFY2(run.status == 0, run.err.constData());
        QCOMPARE(run.out, "#1\n");
        QVERIFY2(run.err.contains("lab9 cannot be reached now, so the job waits for it; "), run.err.constData());
        QVERIFY2(run.err.contains("hosts check lab9' tries again. "), run.err.constData());
        const auto listed = f.ctl({u"ps"_s});
        QVERIFY2(listed.out.contains("Waits for lab9, which cannot be reached now."), listed.out.constData());
        QCOMPARE(f.ctl({u"stop"_s, u"1"_s, u"--wait"_s}).status, 0);
        // One that nobody has added.
        const auto unknown = f.ctl({u"run"_s, file, u"--on"_s, u"lab8"_s});
        QCOMPARE(unknown.status, 3);
        QVERIFY2(unknown.err.contains("There is no host lab8."), unknown.err.constData());
    }

    void moreCoresThanThereAre()
    {
        ProgramsFixture f;
        const auto run = f.ctl({u"run"_s, u"-"_s, u"--wait"_s},
            job("wide", {"echo threads $OMP_NUM_THREADS of $(nproc --all)"}, "{cpu: 4000, memoryMB: 16, gpu: 0}"));
        QVERIFY2(run.status == 0, run.err.constData());
        QVERIFY2(run.err.contains("worker asks for 4000 CPU cores, and local has "), run.err.constData());
        const QByteArray out = f.ctl({u"logs"_s, u"1"_s}).out;
        const QList<QByteArray> words = out.trimmed().split(' ');
        QVERIFY2(words.value(1).toInt() >= 1 && words.value(1).toInt() <= words.value(3).toInt(), out.constData());
        QVERIFY(!f.ctl({u"run"_s, u"-"_s}, job("narrow", {"true"})).err.contains("CPU"));
    }

    // The stop has been asked for: letting go of it does not make the job go on.
    void stopSaysThatItWaits()
    {
        ProgramsFixture f;
        f.setSettings({{u"stop.graceSeconds"_s, 60}, {u"environment.mode"_s, u"clean"_s}});
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, job("stays", {"trap '' TERM; echo begun; while :; do sleep 0.2 || :; done"}))
                     .status,
            0);
        QTRY_COMPARE_WITH_TIMEOUT(f.ctl({u"logs"_s, u"1"_s}).out, "begun\n", 15000);
        {
            PseudoTerminal terminal(24, 80);
            QVERIFY(terminal.start(f.program(u"trainyardctl"_s), {u"stop"_s, u"1"_s, u"--wait"_s}, f.environment()));
            QVERIFY2(QTest::qWaitFor([&] { return terminal.written().contains("STOPPING"); }, 15000),
                terminal.written().constData());
            terminal.type("\x03");
            QVERIFY(waitForEnd(terminal.process()));
            QCOMPARE(terminal.process().exitCode(), 130);
            QVERIFY2(QTest::qWaitFor([&] { return terminal.written().contains("still being stopped"); }, 5000),
                terminal.written().constData());
            QVERIFY2(!terminal.written().contains("goes on"), terminal.written().constData());
        }
    }

    // A disk that is full is not a success, wherever the output goes to it.
    void outputThatCannotBeWritten()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, job("says", {"echo words"})).status, 0);
        const QList<QStringList> commands{{u"ps"_s}, {u"ps"_s, u"--json"_s}, {u"show"_s, u"1"_s}, {u"logs"_s, u"1"_s},
            {u"logs"_s, u"-f"_s, u"1"_s}, {u"logs"_s, u"-t"_s, u"1"_s}, {u"hosts"_s, u"list"_s}, {u"settings"_s}};
        for (const QStringList &command : commands) {
            QProcess process;
            process.setStandardOutputFile(u"/dev/full"_s);
            process.start(f.program(u"trainyardctl"_s), command);
            QVERIFY(process.waitForFinished(20000));
            QVERIFY2(process.exitCode() == 2, qPrintable(command.join(u' ')));
            QCOMPARE(process.readAllStandardError(),
                "trainyardctl: The output cannot be written: No space left on device.\n");
        }
    }

    // The code of the command, as `run --wait` ends with it.
    void showsTheCommandsCode()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, job("seven", {"exit 7"})).status, 7);
        const auto shown = f.ctl({u"show"_s, u"1"_s});
        QVERIFY2(shown.out.contains("255 (exit status 7)\n"), shown.out.constData());
        QCOMPARE(f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0).toObject().value("appExitCode"_L1).toInt(), 255);
    }

    void tooManyWords()
    {
        ProgramsFixture f;
        const QList<QStringList> commands{{u"ps"_s, u"extra"_s, u"args"_s}, {u"top"_s, u"x"_s},
            {u"engine"_s, u"status"_s, u"x"_s}, {u"hosts"_s, u"list"_s, u"x"_s}, {u"show"_s, u"1"_s, u"2"_s},
            {u"logs"_s, u"1"_s, u"w/0"_s, u"x"_s}, {u"templates"_s, u"list"_s, u"x"_s},
            {u"explain"_s, u"/name"_s, u"/type"_s}, {u"run"_s, u"a"_s, u"b"_s}, {u"move"_s, u"1"_s, u"2"_s},
            {u"settings"_s, u"stop.graceSeconds"_s, u"1"_s, u"2"_s}};
        for (const QStringList &command : commands) {
            const auto said = f.ctl(command);
            QVERIFY2(said.status == 2, qPrintable(command.join(u' ')));
            QVERIFY2(said.err.contains("Try 'trainyardctl "), qPrintable(command.join(u' ')));
        }
    }
};

TRAINYARD_TEST(TstCliFollow)
#include "tst_clifollow.moc"
