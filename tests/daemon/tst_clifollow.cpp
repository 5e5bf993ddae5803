// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfolder.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/measuredrun.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/pseudoterminal.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QJsonArray>
#include <QTcpServer>
#include <QThread>

#include <signal.h>

using namespace Qt::StringLiterals;

namespace
{

// For a million lines; sanitizers take up to ten times as long.
#if defined(TRAINYARD_ADDRESS_SANITIZED)
constexpr qint64 stampedMaxMs = 20'000;
#else
constexpr qint64 stampedMaxMs = 2'000;
#endif

} // namespace

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
        f.setSettings({{u"retry.pauseSeconds"_s, 12}, {u"environment.mode"_s, u"clean"_s}});
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
            QVERIFY(waitForEnd(*each, 60000));
            QCOMPARE(each->exitCode(), 0);
            QCOMPARE(each->readAllStandardOutput(), "first\nfirst\nsecond\n");
            QCOMPARE(each->readAllStandardError(), "trainyardctl: Attempt 2 of the job begins.\n");
        }
        // Each log by itself is what it was.
        QCOMPARE(f.ctl({u"logs"_s, u"-f"_s, u"1"_s, u"--attempt"_s, u"1"_s}).out, "first\n");
    }

    // The record of a task's end says how much it wrote. Less is not all.
    void saysWhatIsMissing()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/wrote.yaml"_s,
            EngineFixture::document("wrote", EngineFixture::role("worker", 1, {"echo first", "echo second"})));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 0);
        QDirIterator it(f.stateFolder() + u"/runs"_s, {u"output.log"_s}, QDir::Files, QDirIterator::Subdirectories);
        const QString log = it.next();
        const std::string folder = QFile::encodeName(QFileInfo(log).path()).toStdString();
        const auto whole = trainyard::contract::readExitRecord(folder);
        QVERIFY(whole && whole->bytes == 13 && whole->lost == 0);
        const auto says = [&](const QStringList &words, const QByteArray &out, const QByteArray &why) {
            const auto logs = f.ctl(words);
            QCOMPARE(logs.out, out);
            QCOMPARE(logs.status, why.isEmpty() ? 0 : 1);
            QVERIFY2(logs.err.contains(why) && logs.err.isEmpty() == why.isEmpty(), logs.err.constData());
        };
        const QList<QStringList> ways{
            {u"logs"_s, u"1"_s}, {u"logs"_s, u"1"_s, u"-f"_s}, {u"logs"_s, u"1"_s, u"worker/0"_s, u"--try"_s, u"1"_s}};
        for (const QStringList &way : ways) {
            says(way, "first\nsecond\n", {});
        }
        const QString record = QDir(f.path({})).relativeFilePath(QString::fromStdString(folder) + u"/exit"_s);
        trainyard::contract::ExitRecord full = *whole;
        full.lost = 2048;
        f.write(record, QByteArray::fromStdString(full.format()));
        for (const QStringList &way : ways) {
            says(way, "first\nsecond\n", "The log of worker/0 lacks the last 2 KiB: the disk was full.");
        }
        f.write(record, QByteArray::fromStdString(whole->format()));
        QVERIFY(QFile::resize(log, 6));
        for (const QStringList &way : ways) {
            says(way, "first\n", "The log of worker/0 is incomplete: 6 B are here, and 7 B were removed");
        }
    }

    // Attempts and tries that began and ended between two looks are gone through as well, each before the next.
    void everyAttempt()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        const QByteArray count = QFile::encodeName(f.path(u"count"_s));
        const QByteArray soon
            = "echo >>" + count + "; echo line $(wc -l <" + count + "); [ $(wc -l <" + count + ") = 12 ]";
        const QString file = f.write(u"crashes.yaml"_s,
            EngineFixture::document("crashes", EngineFixture::role("worker", 1, {soon}), "jobRetryCount: 11\n"));
        QProcess run;
        run.setProcessChannelMode(QProcess::MergedChannels);
        run.start(f.program(u"trainyardctl"_s), {u"run"_s, file, u"--follow"_s});
        QVERIFY(waitForEnd(run, 60000));
        QByteArray expected = "trainyardctl: The job is #1.\nline 1\n";
        for (int i = 2; i <= 12; ++i) {
            const QByteArray number = QByteArray::number(i);
            expected += "trainyardctl: Attempt " + number + " of the job begins.\nline " + number + '\n';
        }
        const QByteArray all = run.readAll();
        QVERIFY2(all.startsWith(expected), all.constData());
        QCOMPARE(run.exitCode(), 0);
        QCOMPARE(all.count('\n'), expected.count('\n') + 1); // and how it ended
    }

    void everyTry()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        const QByteArray role = EngineFixture::role("w", 3, {"echo said", "exit 1"},
            "    taskRetryCount: 7\n    completion: {minFailedInstances: -1, minSucceededInstances: -1}\n");
        const QString file
            = f.write(u"tries.yaml"_s, EngineFixture::document("tries", role, "extras: {gangAllocation: false}\n"));
        QProcess run;
        run.setProcessChannelMode(QProcess::MergedChannels);
        run.start(f.program(u"trainyardctl"_s), {u"run"_s, file, u"--follow"_s});
        QVERIFY(waitForEnd(run, 60000));
        const QByteArray all = run.readAll();
        for (int index = 0; index < 3; ++index) {
            const QByteArray number = QByteArray::number(index);
            QByteArray expected = "w/" + number + " | said\n";
            for (int i = 2; i <= 8; ++i) {
                expected += "trainyardctl: Try " + QByteArray::number(i) + " of w/" + number + " begins.\nw/" + number
                    + " | said\n";
            }
            const QByteArray label = "w/" + number;
            const QByteArray beginning = " w/" + number + " begins.";
            QByteArray its;
            for (const QByteArray &line : all.split('\n')) {
                if (line.startsWith(label) || line.contains(beginning)) {
                    its += line + '\n';
                }
            }
            QVERIFY2(its == expected, all.constData());
        }
    }

    // The host is in the list when Ctrl+C ends the waiting for its answer, and how it leaves it is said.
    void interruptedWhileAHostIsAdded()
    {
        ProgramsFixture f;
        QTcpServer silent; // takes the connection and says nothing
        QVERIFY(silent.listen(QHostAddress::LocalHost));
        const auto add = f.startCtl(
            {u"hosts"_s, u"add"_s, u"ssh://nobody@127.0.0.1:%1"_s.arg(silent.serverPort()), u"--name"_s, u"lab9"_s});
        QVERIFY(add->waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(silent.hasPendingConnections(), 20000);
        QCOMPARE(::kill(pid_t(add->processId()), SIGINT), 0);
        QVERIFY(add->waitForFinished(20000));
        const QByteArray said = add->readAllStandardError();
        QCOMPARE(add->exitCode(), 130);
        QVERIFY2(said.contains("lab9 is added and has not answered yet. It stays in the list"), said.constData());
        QVERIFY2(said.contains("'trainyardctl hosts remove lab9' removes it"), said.constData());
        QVERIFY(f.ctl({u"hosts"_s, u"list"_s}).out.contains("lab9"));
        const auto removed = f.ctl({u"hosts"_s, u"remove"_s, u"lab9"_s, u"--json"_s});
        QCOMPARE(removed.status, 0);
        const QJsonObject told = removed.json().object();
        QVERIFY2(
            told.value("ok"_L1).toBool() && told.value("host"_L1).toString() == "lab9"_L1 && told.contains("left"_L1),
            removed.out.constData());
    }

    // The job waits for the host, and the reason is told at once.
    void hostThatIsAway()
    {
        ProgramsFixture f;
        const auto added
            = f.ctl({u"hosts"_s, u"add"_s, u"ssh://nobody@127.0.0.1:9"_s, u"--name"_s, u"lab9"_s}, {}, 60000);
        QVERIFY2(added.status == 3, added.err.constData());
        const QString file = f.write(u"work/x.yaml"_s, job("waits", {"true"}));
        f.write(u"work/train.sh"_s, "true\n"); // something to be copied
        const auto run = f.ctl({u"run"_s, file, u"--on"_s, u"lab9"_s});
        QVERIFY2(run.status == 0, run.err.constData());
        QCOMPARE(run.out, "1\n");
        QVERIFY2(run.err.contains("lab9 cannot be reached now, so the job waits for it; "), run.err.constData());
        QVERIFY2(run.err.contains("hosts check lab9' tries again. "), run.err.constData());
        QVERIFY2(run.err.contains("As soon as lab9 can be reached, the folder "), run.err.constData());
        QVERIFY2(!run.err.contains("is copied to lab9"), run.err.constData()); // nothing is copied yet
        const auto listed = f.ctl({u"ps"_s});
        QVERIFY2(listed.out.contains("Waits for lab9, to which there is no connection at the moment."),
            listed.out.constData());
        const auto why = f.ctl({u"why"_s, u"1"_s});
        QCOMPARE(why.status, 0);
        QVERIFY2(why.out.startsWith("Waits for lab9, to which there is no connection"), why.out.constData());
        const auto whyJson = f.ctl({u"why"_s, u"1"_s, u"--json"_s});
        QCOMPARE(whyJson.status, 0);
        QVERIFY2(whyJson.out.contains("Waits for lab9, to which there is no connection"), whyJson.out.constData());
        const auto wait = f.startCtl({u"wait"_s, u"1"_s});
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT((said += wait->readAllStandardError()).contains("Waits for lab9"), 20000);
        QCOMPARE(::kill(pid_t(wait->processId()), SIGINT), 0);
        QVERIFY(waitForEnd(*wait));
        QCOMPARE(wait->exitCode(), 130);
        said += wait->readAllStandardError();
        QVERIFY2(said.contains("The job keeps waiting.") && !said.contains("keeps running"), said.constData());
        QCOMPARE(f.ctl({u"stop"_s, u"1"_s, u"--wait"_s}).status, 0);
        // One that nobody has added.
        const auto unknown = f.ctl({u"run"_s, file, u"--on"_s, u"lab8"_s});
        QCOMPARE(unknown.status, 3);
        QVERIFY2(unknown.err.contains("There is no host lab8.\ntrainyardctl: The hosts are: local"),
            unknown.err.constData());
    }

    void moreCoresThanThereAre()
    {
        ProgramsFixture f;
        const auto run = f.ctl({u"run"_s, u"-"_s, u"--wait"_s},
            job("wide", {"echo threads $OMP_NUM_THREADS of $(nproc --all)"}, "{cpu: 4000, memoryMB: 16, gpu: 0}"));
        QVERIFY2(run.status == 0, run.err.constData());
        QVERIFY2(run.err.contains("worker asks for 4000 CPU cores, but this computer has "), run.err.constData());
        const QByteArray out = f.ctl({u"logs"_s, u"1"_s}).out;
        const QList<QByteArray> words = out.trimmed().split(' ');
        QVERIFY2(words.value(1).toInt() >= 1 && words.value(1).toInt() <= words.value(3).toInt(), out.constData());
        QVERIFY(!f.ctl({u"run"_s, u"-"_s}, job("narrow", {"true"})).err.contains("CPU"));
    }

    // Each task alone would fit, the job does not.
    void moreCoresThanThereAreTogether()
    {
        ProgramsFixture f;
        const int cores = QThread::idealThreadCount();
        const QByteArray text = EngineFixture::document(
            "pair", EngineFixture::role("chief", 1, {"true"}) + EngineFixture::role("worker", cores, {"true"}));
        const auto run = f.ctl({u"run"_s, u"-"_s}, text);
        QVERIFY2(run.status == 0, run.err.constData());
        QVERIFY2(run.err.contains(QByteArray("together they ask for " + QByteArray::number(cores + 1) + '.')),
            run.err.constData());
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
            QVERIFY2(!terminal.written().contains("keeps running"), terminal.written().constData());
        }
    }

    // A bar lives and a prompt is read before its line ends, on a terminal and by a program that reads; whether the
    // task is followed into its next tries or one of them alone.
    void linesThatHaveBegun_data()
    {
        QTest::addColumn<QStringList>("which");
        QTest::newRow("the task") << QStringList();
        QTest::newRow("one try") << QStringList{u"--try"_s, u"1"_s};
    }

    void linesThatHaveBegun()
    {
        QFETCH(QStringList, which);
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        const auto until = [&](const QString &name) -> QByteArray {
            return "until [ -e " + QFile::encodeName(f.path(name)) + " ]; do sleep 0.05; done; ";
        };
        QCOMPARE(f.ctl({u"run"_s, u"-"_s},
                      job("asks",
                          {until(u"watched"_s) + R"(printf '\r1/2'; )" + until(u"seen"_s)
                              + R"(printf '\r2/2\nname? '; )" + until(u"answered"_s) + "echo; echo end"}))
                     .status,
            0);
        const QStringList follow = QStringList{u"logs"_s, u"-f"_s, u"1"_s, u"worker/0"_s} + which;
        PseudoTerminal terminal(24, 80);
        QVERIFY(terminal.start(f.program(u"trainyardctl"_s), follow, f.environment()));
        const auto reader = f.startCtl(follow);
        QByteArray read;
        const auto shows = [&](const QByteArray &text) {
            return QTest::qWaitFor(
                [&] {
                    read += reader->readAllStandardOutput();
                    return read.endsWith(text) && terminal.written().endsWith(text);
                },
                15000);
        };
        f.write(u"watched"_s, {});
        QVERIFY2(shows("\r1/2"), QByteArray(read + terminal.written()).constData());
        f.write(u"seen"_s, {});
        QVERIFY2(shows("name? "), QByteArray(read + terminal.written()).constData());
        f.write(u"answered"_s, {});
        QVERIFY(waitForEnd(terminal.process()) && waitForEnd(*reader));
        read += reader->readAllStandardOutput();
        QCOMPARE(read, "\r1/2\r2/2\nname? \nend\n");
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

    // Whom nobody listens to goes on to the end of the job for nothing.
    void followsWhileSomebodyReads()
    {
        ProgramsFixture f;
        f.setSettings({{u"stop.graceSeconds"_s, 1}, {u"environment.mode"_s, u"clean"_s}});
        const QString talks = f.write(u"talks.yaml"_s, job("talks", {"while sleep 0.05; do echo word; done"}));
        const QString quiet = f.write(u"quiet.yaml"_s, job("quiet", {"while sleep 0.05; do :; done"}));
        const QString ctl = f.program(u"trainyardctl"_s);
        struct Case {
            QString command;
            QByteArray ending;
        };
        const QList<Case> cases{{u"run "_s + talks + u" --follow | head -n 2"_s, "130"},
            {u"logs -f 1 | head -n 2"_s, "0"}, {u"logs -f 1 worker/0 | head -n 2"_s, "0"},
            {u"run "_s + quiet + u" --follow | true"_s, "130"}, {u"logs -f 2 | true"_s, "0"},
            {u"run "_s + talks + u" --follow >/dev/full"_s, "2"}, {u"logs -f 1 >/dev/full"_s, "2"}};
        for (const Case &each : cases) {
            QProcess shell;
            shell.start(u"bash"_s, {u"-c"_s, QString(ctl + u' ' + each.command + u"; echo ended ${PIPESTATUS[0]}"_s)});
            QVERIFY2(waitForEnd(shell), qPrintable(each.command));
            const QByteArray said = shell.readAllStandardOutput();
            QVERIFY2(said.endsWith(QByteArray("ended " + each.ending + "\n")), said.constData());
            const QByteArray errors = shell.readAllStandardError();
            QCOMPARE(errors.contains("The output cannot be written: No space left on device."), each.ending == "2");
            QVERIFY2(each.command.startsWith("logs"_L1) || errors.contains("The job keeps "), errors.constData());
        }
        QCOMPARE(f.ctl({u"stop"_s, u"1"_s, u"2"_s, u"3"_s, u"--wait"_s}).status, 0);
    }

    // Whose record of its end is gone has none to come: following it ends, and says so.
    void logWithoutAnEnd()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, job("cut", {"echo said"})).status, 0);
        QDirIterator it(f.stateFolder() + u"/runs"_s, {QString::fromLatin1(trainyard::contract::file::exit)},
            QDir::Files, QDirIterator::Subdirectories);
        QVERIFY(it.hasNext());
        const QString folder = QFileInfo(it.next()).path();
        QVERIFY(QFile::remove(it.filePath()));
        const QByteArray missing
            = "trainyardctl: The log of worker/0 is incomplete: 5 B are here, and nothing more is written to it.\n";
        const QStringList follow{u"logs"_s, u"-f"_s, u"1"_s};
        for (const QStringList &more : {QStringList(), QStringList{u"worker/0"_s, u"--attempt"_s, u"1"_s},
                 QStringList{u"worker/0"_s, u"--try"_s, u"1"_s}, QStringList{u"--timestamps"_s}}) {
            const auto said = f.ctl(follow + more);
            QVERIFY2(said.status == 1, qPrintable(more.join(u' ')));
            QVERIFY(said.out.endsWith("said\n"));
            QCOMPARE(said.err, missing);
        }
        const auto plain = f.ctl({u"logs"_s, u"1"_s});
        QCOMPARE(plain.status, 1);
        QCOMPARE(plain.err, missing);
        QVERIFY(QDir(folder).removeRecursively());
        const auto none = f.ctl(follow);
        QCOMPARE(none.status, 1);
        const QByteArray gone
            = "trainyardctl: The log of worker/0 no longer exists. It was in " + QFile::encodeName(folder) + ".\n";
        QCOMPARE(none.err, gone);
        // The same without waiting, where nothing would otherwise look like an output that is empty.
        for (const QStringList &words :
            {QStringList{u"logs"_s, u"1"_s}, QStringList{u"logs"_s, u"1"_s, u"worker"_s, u"--attempt"_s, u"1"_s}}) {
            const auto said = f.ctl(words);
            QCOMPARE(said.status, 1);
            QCOMPARE(said.out, QByteArray());
            QCOMPARE(said.err, gone);
        }
    }

    // A log that is there and empty is nothing to speak of.
    void anEmptyLogIsALog()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, job("quiet", {"true"})).status, 0);
        const auto logs = f.ctl({u"logs"_s, u"1"_s});
        QCOMPARE(logs.status, 0);
        QCOMPARE(logs.out + logs.err, QByteArray());
    }

    // Whoever removes the folder of a job still gets one answer about its metrics.
    void metricsWithoutTheOutput()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, job("short", {"echo 'step 1 loss: 0.5'"})).status, 0);
        QTRY_VERIFY(f.ctl({u"show"_s, u"1"_s}).out.contains("loss: 0.5"));
        QDir runs(f.stateFolder() + u"/runs"_s);
        const QStringList folders = runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QCOMPARE(folders.size(), 1);
        QVERIFY(QDir(runs.filePath(folders.constFirst())).removeRecursively());
        const auto metrics = f.ctl({u"metrics"_s, u"1"_s});
        QCOMPARE(metrics.status, 0);
        QVERIFY2(metrics.err.contains("no longer exists") && metrics.out.contains("loss: 0.5"),
            QByteArray(metrics.out + metrics.err).constData());
        const auto shown = f.ctl({u"show"_s, u"1"_s});
        QVERIFY2(
            shown.out.contains("no longer there") && !shown.out.contains("still being read"), shown.out.constData());
    }

    // Neither does the last line of such a log, when it has no newline.
    void lastLineOfALogWithoutAnEnd()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, job("cut", {"echo said; printf half"})).status, 0);
        QDirIterator it(f.stateFolder() + u"/runs"_s, {QString::fromLatin1(trainyard::contract::file::exit)},
            QDir::Files, QDirIterator::Subdirectories);
        QVERIFY(it.hasNext());
        it.next();
        QVERIFY(QFile::remove(it.filePath()));
        const auto said = f.ctl({u"logs"_s, u"-f"_s, u"1"_s, u"--timestamps"_s});
        QCOMPARE(said.status, 1);
        QVERIFY2(said.out.contains("said\n") && said.out.endsWith(" half\n"), said.out.constData());
    }

    // Behind the size limit only the newest output is kept: what is on both sides of the gap is no line.
    void linesAroundAGap()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}, {u"log.maxBytes"_s, 1 << 20}});
        // 90 MB in lines of one letter each, of a length that divides neither the limit nor the ring.
        const QByteArray program = "awk 'BEGIN { for (i = 0; i < 90000; ++i) { s = sprintf(\"%c\", 97 + i % 26); "
                                   "t = s; while (length(t) < 997) t = t s s s; print substr(t, 1, 997) } }'";
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, job("much", {program}), 120000).status, 0);
        for (const QStringList &more : {QStringList(), QStringList{u"-f"_s}, QStringList{u"--stdout"_s}}) {
            const auto said = f.ctl(QStringList{u"logs"_s, u"1"_s} + more, {}, 120000);
            QVERIFY2(said.status == 0, said.err.constData());
            QVERIFY2(said.err.contains("of output in the middle are gone"), said.err.constData());
            QVERIFY(said.out.size() > 60000000 && said.out.endsWith("\n"));
            int parts = 0;
            for (const QByteArray &line : said.out.chopped(1).split('\n')) {
                QVERIFY2(line.count(line.front()) == line.size(), line.constData());
                parts += line.size() == 997 ? 0 : 1;
            }
            QCOMPARE(parts, 2);
        }
    }

    // Whoever asks for times, or follows, gets the same bytes: the line is longer than what is kept of one in memory.
    void longLinesStayWhole()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        const QByteArray program = "echo begin; head -c 3500000 /dev/zero | tr '\\0' x; echo; echo end";
        const QByteArray whole = "begin\n" + QByteArray(3500000, 'x') + "\nend\n";
        const auto followed = f.ctl({u"run"_s, u"-"_s, u"--follow"_s}, job("long", {program}), 60000);
        QVERIFY2(followed.status == 0, followed.err.constData());
        QVERIFY(followed.out == whole); // the standard output is the job's
        constexpr qsizetype stampLength = 24; // 2026-03-31T14:05:00.123 and a space
        for (const QStringList &more : {QStringList(), QStringList{u"-f"_s}}) {
            const QByteArray stamped = f.ctl(QStringList{u"logs"_s, u"1"_s, u"-t"_s} + more, {}, 60000).out;
            QCOMPARE(stamped.count('\n'), 3);
            QByteArray bytes;
            for (const QByteArray &line : stamped.chopped(1).split('\n')) {
                QVERIFY2(line.startsWith("20") && line.size() > stampLength, line.left(40).constData());
                bytes += line.sliced(stampLength) + '\n';
            }
            QVERIFY(bytes == whole);
        }
    }

    // The times cost a few times of what the bytes alone cost, however short the lines are.
    void timesAreCheap()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        constexpr qsizetype lines = 1'000'000;
        const QByteArray program = "seq -f 'epoch 1 step %.0f loss 1.5 samples/s 1000' 1000000";
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, job("large", {program}), 120000).status, 0);
        const MeasuredRun run
            = measuredRun(f.program(u"trainyardctl"_s), {u"logs"_s, u"1"_s, u"-t"_s}, f.path(u"printed"_s));
        QCOMPARE(run.status, 0);
        QCOMPARE(run.out.count('\n'), lines);
        QVERIFY2(run.processorMs < stampedMaxMs, qPrintable(QString::number(run.processorMs)));
    }

    void logsAsTheyAre()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, job("bytes", {"printf 'a\\r\\nx'; printf y >&2"})).status, 0);
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"--stdout"_s}).out, "a\r\nx");
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"--stderr"_s}).out, "y");
        QCOMPARE(f.ctl({u"logs"_s, u"-f"_s, u"1"_s, u"--stdout"_s}).out, "a\r\nx");
        const QStringList first{u"logs"_s, u"1"_s, u"worker/0"_s, u"--try"_s, u"1"_s};
        QCOMPARE(f.ctl(first).status, 0);
        for (const QStringList &more : {QStringList(), QStringList{u"--attempt"_s, u"1"_s}, QStringList{u"-f"_s}}) {
            const auto none = f.ctl(QStringList{u"logs"_s, u"1"_s, u"worker/0"_s, u"--try"_s, u"9"_s} + more);
            QCOMPARE(none.status, 2);
            QCOMPARE(none.err, "trainyardctl: The task worker/0 has 1 try.\n");
        }
    }

    // A try is one of a task, which need not be named while there is no other.
    void logsOfATryOfTheOnlyTask()
    {
        ProgramsFixture f;
        const QByteArray tries
            = EngineFixture::document("tries",
                  EngineFixture::role("worker", 1, {"echo try $TRAINYARD_TASK_TRY", "[ $TRAINYARD_TASK_TRY = 1 ]"},
                      "    taskRetryCount: 1\n")
                      + EngineFixture::role("server", 2, {"true"}))
            + "extras: {gangAllocation: false}\n"; // else tasks are not tried again
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, job("one", {"echo only"})).status, 0);
        const auto run = f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, tries, 60000);
        QVERIFY2(run.status == 0, run.err.constData());
        QCOMPARE(f.ctl({u"logs"_s, u"one"_s, u"--try"_s, u"1"_s}).out, "only\n");
        QCOMPARE(f.ctl({u"logs"_s, u"one"_s, u"--try"_s, u"2"_s}).err, "trainyardctl: The task worker/0 has 1 try.\n");
        QCOMPARE(f.ctl({u"logs"_s, u"tries"_s, u"worker"_s, u"--try"_s, u"1"_s}).out, "try 0\n");
        QCOMPARE(f.ctl({u"logs"_s, u"tries"_s, u"worker"_s, u"--try"_s, u"2"_s}).out, "try 1\n");
        for (const QStringList &several : {QStringList(), QStringList{u"server"_s}}) {
            const auto refused = f.ctl(QStringList{u"logs"_s, u"tries"_s} + several + QStringList{u"--try"_s, u"1"_s});
            QCOMPARE(refused.status, 2);
            QVERIFY2(refused.err.contains("--try needs the task: ROLE/INDEX."), refused.err.constData());
        }
        QVERIFY(f.ctl({u"logs"_s, u"one"_s, u"srever"_s, u"--try"_s, u"1"_s}).err.contains("no task role 'srever'"));
    }

    // The code of the command, as `run --wait` ends with it.
    void showsTheCommandsCode()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, job("seven", {"exit 7"})).status, 7);
        const auto shown = f.ctl({u"show"_s, u"1"_s});
        QVERIFY2(shown.out.contains("worker/0: The command ended with status 7."), shown.out.constData());
        QVERIFY2(!shown.out.contains("Ended with"), shown.out.constData()); // that would be the same once more
        QVERIFY2(!shown.out.contains("255 ("), shown.out.constData());
        QCOMPARE(f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0).toObject().value("appExitCode"_L1).toInt(), 255);
    }

    void oddWords()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, job("once", {"true"})).status, 0);
        const auto negative = f.ctl({u"settings"_s, u"stop.graceSeconds"_s, u"-1"_s});
        QCOMPARE(negative.status, 2);
        QVERIFY2(negative.err.contains("stop.graceSeconds must be a whole number from 0 to 86400."),
            negative.err.constData());
        const auto refused = f.ctl({u"hosts"_s, u"list"_s, u"--all"_s});
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.contains("--all is an option of hosts clean."), refused.err.constData());
        QCOMPARE(f.ctl({u"wait"_s, u"1"_s, u"once"_s}).err.count("succeeded"), 1);
        const auto removed = f.ctl({u"rm"_s, u"1"_s, u"once"_s});
        QCOMPARE(removed.err, QByteArray());
        QCOMPARE(removed.status, 0);
    }

    void tooManyWords()
    {
        ProgramsFixture f;
        const QList<QStringList> commands{{u"top"_s, u"x"_s}, {u"engine"_s, u"status"_s, u"x"_s},
            {u"hosts"_s, u"list"_s, u"x"_s}, {u"logs"_s, u"1"_s, u"w/0"_s, u"x"_s}, {u"templates"_s, u"list"_s, u"x"_s},
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
