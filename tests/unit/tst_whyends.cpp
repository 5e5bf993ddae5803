// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/trystreams.h"
#include "engine/contract/taskfolder.h"
#include "engine/core/streamlines.h"
#include "engine/core/why/whyfailed.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/whytexts.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What else is known of a run than its output: which lines went to standard error, and how much memory it used. And how
// sure an explanation is that comes from the last words of a program.
class TstWhyEnds : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void certainty_data();
    void certainty();
    void onlyLast_data();
    void onlyLast();
    void theKernelNeedsNoLine();
    void lastErrors_data();
    void lastErrors();
    void memory_data();
    void memory();
    void refusedMemory_data();
    void refusedMemory();
    void anEarlierErrorIsMentioned();
    void silentCommands();
    void emptyOutputs();
    void streams();
    void linesOfStreams_data();
    void linesOfStreams();
};

void TstWhyEnds::certainty_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("cause");
    QTest::addColumn<QString>("certainty");
    const auto row = [](const char *name, int status, const QByteArray &output, const QString &cause,
                         const QString &certainty) { QTest::newRow(name) << status << output << cause << certainty; };
    row("a sentence at the end", 1, "epoch 1\nthe data folder has no images\n", u"program-error"_s, u"likely"_s);
    row("a measure at the end", 1, "epoch 1\nfinal accuracy 0.1\n", u"unknown"_s, u"unknown"_s);
    row("advice behind the reason", 1,
        "epoch 1\ncannot read the index of the shards\n\nAsk Ada, or see:\nhttps://example.org/shards\n",
        u"program-error"_s, u"likely"_s);
    row("no errors, and then advice", 1, "10 shards, 0 errors\nsee https://example.org/shards\n", u"unknown"_s,
        u"unknown"_s);
    row("an error before the work went on", 1, "cannot read the index\nepoch 1: loss 0.7\ndone with it\n", u"unknown"_s,
        u"unknown"_s);
    const QByteArray goesOn = QByteArray("epoch 1: loss 0.7\n").repeated(12);
    row("what is not there and is made", 1, "cache miss: file does not exist, computing features\n" + goesOn,
        u"unknown"_s, u"unknown"_s);
    row("what is not there and is fetched", 1, "Dataset not found locally, downloading\n" + goesOn, u"unknown"_s,
        u"unknown"_s);
    row("a folder that Slurm does without", 1,
        "slurmstepd: error: Unable to create TMPDIR [/scratch/1]: No such file or directory\n" + goesOn, u"unknown"_s,
        u"unknown"_s);
    row("another language", 1, "cat: a.csv: Datei oder Verzeichnis nicht gefunden\n", u"program-error"_s, u"likely"_s);
    row("progress at the end", 1, "epoch 1: loss 0.7\nepoch 2: no loss 0.6\n", u"unknown"_s, u"unknown"_s);
    row("division", 1, "bash: line 1: 1/0: division by 0 (error token is \"0\")\n", u"shell-error"_s, u"certain"_s);
    row("a shell that goes on", 1, "run.sh: line 2: [: ==: unary operator expected\ntrain\n", u"unknown"_s,
        u"unknown"_s);
    row("awk is no shell", 1, "awk: line 1: no program\n", u"program-error"_s, u"likely"_s);
    row("timeout", 124, "epoch 1\n", u"timeout-command"_s, u"likely"_s);
    row("timeout after an error that was ignored", 124, "curl: (6) Could not resolve host: a.invalid\nepoch 1\n",
        u"timeout-command"_s, u"likely"_s);
    row("a limit of Slurm is told by itself", 124,
        "slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-01-01T10:00:00 DUE TO TIME LIMIT ***\n", u"time-limit"_s,
        u"certain"_s);
    row("differences", 1, "1c1\n< a\n---\n> b\n", u"files-differ"_s, u"likely"_s);
    row("a list that looks like a difference", 2, "1c1\n< a\n---\n> b\n", u"unknown"_s, u"unknown"_s);
    // What stands in quotes may be data, whatever the quotes are.
    row("a record", 1, goesOn + "{'id': 4, 'text': 'No space left on device'}\n" + goesOn.first(36), u"unknown"_s,
        u"unknown"_s);
    row("a record with an apostrophe", 1, goesOn + "{'id': 4, 'text': \"it's: No space left on device\"}\n",
        u"unknown"_s, u"unknown"_s);
    row("a text with its label", 1, "gpu: 0\ntext: 'RuntimeError: CUDA out of memory' -> label bug\n", u"gpu-oom"_s,
        u"likely"_s);
    row("bytes", 1, "row 7: b'CUDA out of memory'\n", u"gpu-oom"_s, u"likely"_s);
    row("marks of a page", 1, "see: `CUDA out of memory` is a bug\n", u"unknown"_s, u"unknown"_s);
    row("apostrophes quote nothing", 1, "can't save the users' models: No space left on device, that's it\n",
        u"disk-full"_s, u"certain"_s);
    row("a name in quotes before it", 1, "cp: error writing '/data/a.pt': No space left on device\n", u"disk-full"_s,
        u"certain"_s);
    row("a quote that does not end", 1, "tar: 'a.pt: No space left on device\n", u"disk-full"_s, u"certain"_s);
    // A script goes on after a program that failed.
    const QByteArray failed = "Traceback (most recent call last):\n  File \"/w/net.py\", line 3, in <module>\n    "
                              "a[9]\nIndexError: list index out of range\n";
    row("another program works after it", 1, failed + "starting fresh\nepoch 1: loss 0.7\nepoch 2: loss 0.6\n",
        u"user-code-error"_s, u"likely"_s);
    row("a shell error before more work", 1,
        "cp: error writing 'a.pt': No space left on device\nepoch 1: loss 0.7\nepoch 2: loss 0.6\n", u"disk-full"_s,
        u"likely"_s);
    row("a script begins again", 1, failed + "starting fresh\n", u"user-code-error"_s, u"likely"_s);
    row("one line that came late", 1, failed + "epoch 2: loss 0.7\n", u"user-code-error"_s, u"certain"_s);
    row("bars that are drawn again", 1,
        failed + "Epoch 1:  40%|####      | 4/10 [00:02<00:03, 2.00it/s]\nEpoch 1:  40%|####      | 4/10\n",
        u"user-code-error"_s, u"certain"_s);
    row("a word of the script at its end", 1, failed + "the training failed\n", u"user-code-error"_s, u"certain"_s);
    // What a host does not have is said by the script of the engine.
    row("no conda", 127, "trainyard: n1 has no conda, which 'conda activate torch' needs.\n", u"command-missing"_s,
        u"certain"_s);
    row("held open", 1, "trainyard: The commands ended with 1. The task is held open for 5 minutes.\n", u"unknown"_s,
        u"unknown"_s);
    // A measure is no reason by itself, but what is said against it is.
    row("a measure that is too low", 1,
        goesOn + "Validation accuracy 0.40 is below the required 0.80, not publishing\n", u"program-error"_s,
        u"likely"_s);
    row("a gate", 1, goesOn + "Model rejected by the gate: accuracy 0.31 < 0.50\n", u"program-error"_s, u"likely"_s);
    row("a best value", 1, goesOn + "epoch 13: accuracy 0.41, best 0.45, no new best\n", u"unknown"_s, u"unknown"_s);
    row("curl ended the run", 6, "curl: (6) Could not resolve host: a.invalid\nis not there\n", u"dns"_s, u"certain"_s);
}

void TstWhyEnds::certainty()
{
    QFETCH(int, status);
    QFETCH(QByteArray, output);
    const FailureFacts facts = core::whyFailed(FailureCauses::bundled(), {.status = status, .output = output});
    QTEST(facts.cause, "cause");
    QTEST(facts.certainty, "certainty");
}

// What a signal leaves unsaid is not said by what happens to stand last.
void TstWhyEnds::onlyLast_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isOnlyLast");
    const auto row = [](const char *name, int status, const QByteArray &output, const QString &text, bool isOnlyLast) {
        QTest::newRow(name) << status << output << text << isOnlyLast;
    };
    row("a crash", 139, "step 1\nsaved checkpoint 17\n", u"saved checkpoint 17"_s, true);
    row("killed", 137, "saved model.pt\n", u"saved model.pt"_s, true);
    row("stopped", 143, "step 2\n", u"step 2"_s, true);
    row("by the command timeout", 124, "step 2\n", u"step 2"_s, true);
    row("without a word", 1, "epoch 1\nfinal accuracy 0.1\n", u"final accuracy 0.1"_s, true);
    row("without a failure", 0, "done\n", u"done"_s, true);
    row("a crash that is told", 139, "step 1\nSegmentation fault (core dumped)\n",
        u"Segmentation fault (core dumped)"_s, false);
    row("killed, as it says", 137, "step 1\nKilled\n", u"Killed"_s, false);
    row("killed, and the last line tells of memory", 137, "step 1\nmemory is full\n", u"memory is full"_s, false);
    row("an error before a crash", 139,
        "Traceback (most recent call last):\n  File \"/w/net.py\", line 3, in <module>\n    a[9]\nIndexError: too "
        "far\n",
        u"IndexError: too far"_s, false);
    row("last words", 1, "epoch 1\nthe data folder has no images\n", u"the data folder has no images"_s, false);
    // bash repeats a command that a signal has ended, with its whole here-document: no program has written that.
    const QByteArray script = "import time\nraise RuntimeError(\"CUDA out of memory\")\n";
    const QByteArray signalled = "task.sh: line 6:  812 User defined signal 1  python3 - <<'P'";
    row("a script that bash repeats", 138, "step 1\n" + signalled + '\n' + script + "P\n\n",
        QString::fromLatin1(signalled), true);
    row("a script that bash repeats, and the job goes on", 3, "step 1\n" + signalled + '\n' + script + "P\n\n",
        QString::fromLatin1(signalled), true);
    row("a script that bash repeats at the only message", 138, signalled + '\n' + script + 'P',
        QString::fromLatin1(signalled), true);
    row("differences", 1, "1c1\n< a\n---\n> b\n", u"> b"_s, false);
}

void TstWhyEnds::onlyLast()
{
    QFETCH(int, status);
    QFETCH(QByteArray, output);
    QFETCH(QString, text);
    QFETCH(bool, isOnlyLast);
    const FailureFacts facts = core::whyFailed(FailureCauses::bundled(), {.status = status, .output = output});
    QCOMPARE(facts.text, text);
    QCOMPARE(facts.onlyLast, isOnlyLast);
    QCOMPARE(facts.showsLine(), !isOnlyLast);
    QCOMPARE(FailureFacts::fromJson(facts.toJson()).showsLine(), !isOnlyLast);
}

void TstWhyEnds::theKernelNeedsNoLine()
{
    const FailureFacts facts
        = core::whyFailed(FailureCauses::bundled(), {.status = 137, .output = "saved model.pt\n", .outOfMemory = true});
    QCOMPARE(facts.cause, u"host-oom"_s);
    QVERIFY(!facts.showsLine());
    QVERIFY2(!failureWords(facts).explanation().contains("saved"_L1), qPrintable(failureWords(facts).explanation()));
}

void TstWhyEnds::lastErrors_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<int>("lastLine");
    QTest::addColumn<bool>("isOnlyOne");
    QTest::addColumn<QString>("cause");
    QTest::addColumn<qint64>("line");
    QTest::newRow("all that it says of an error")
        << QByteArray("epoch 1\nGoodbye, world\n") << 2 << true << u"program-error"_s << qint64(2);
    QTest::newRow("one word, and all that it says of an error")
        << QByteArray("epoch 1\nboo\n") << 2 << true << u"program-error"_s << qint64(2);
    QTest::newRow("nothing but one word") << QByteArray("boo\n") << 1 << true << u"program-error"_s << qint64(1);
    QTest::newRow("one word of several") << QByteArray("epoch 1\nboo\n") << 2 << false << u"unknown"_s << qint64(2);
    QTest::newRow("no word") << QByteArray("epoch 1\n42\n") << 2 << true << u"unknown"_s << qint64(2);
    QTest::newRow("one of many") << QByteArray("epoch 1\nGoodbye, world\n") << 2 << false << u"unknown"_s << qint64(2);
    QTest::newRow("before what was still to be written")
        << QByteArray("the split is empty\nepoch 1\nepoch 2\n") << 1 << false << u"program-error"_s << qint64(1);
    QTest::newRow("long before") << QByteArray("the cache is empty\n1\n2\n3\n4\n5\n6\n") << 1 << true << u"unknown"_s
                                 << qint64(7);
    const QByteArray cache
        = "WARNING: error while loading cache: [Errno 2] No such file or directory: cache.bin, rebuilding it\n";
    const QByteArray work = "epoch 1: loss 0.7\nepoch 2: loss 0.6\n";
    QTest::newRow("a measure that is too low")
        << cache + work + "Validation accuracy 0.40 is below the required 0.80, not publishing\n"
        << 4 << false << u"program-error"_s << qint64(4);
    QTest::newRow("a measure that is too low, and giving up")
        << cache + work + "accuracy 0.40 is below the required 0.80, aborting\n"
        << 4 << false << u"program-error"_s << qint64(4);
    QTest::newRow("a gate, and nothing else") << work + "Model rejected by the gate: accuracy 0.31 < 0.50\n"
                                              << 3 << true << u"program-error"_s << qint64(3);
    QTest::newRow("a warning before the work")
        << "WARNING: cannot use the cache: [Errno 2] No such file or directory: cache.bin\n" + work << 1 << true
        << u"unknown"_s << qint64(3);
    QTest::newRow("none") << QByteArray("no more files\n") << 0 << false << u"unknown"_s << qint64(1);
}

void TstWhyEnds::lastErrors()
{
    QFETCH(QByteArray, output);
    QFETCH(int, lastLine);
    QFETCH(bool, isOnlyOne);
    const FailureFacts facts = core::whyFailed(
        FailureCauses::bundled(), {.status = 1, .output = output, .errors = core::WrittenErrors{lastLine, isOnlyOne}});
    QTEST(facts.cause, "cause");
    QTEST(facts.line, "line");
}

void TstWhyEnds::memory_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<qint64>("used");
    QTest::addColumn<qint64>("limit");
    QTest::addColumn<qint64>("host");
    QTest::addColumn<QString>("cause");
    const QByteArray killed = "epoch 1\ntrain.sh: line 4:  7797 Killed                  python3 train.py\n";
    QTest::newRow("not measured") << killed << qint64(0) << qint64(8192) << qint64(64000) << u"killed"_s;
    QTest::newRow("near the limit") << killed << qint64(7900) << qint64(8192) << qint64(64000) << u"host-oom"_s;
    QTest::newRow("near what the host has") << killed << qint64(60000) << qint64(0) << qint64(64000) << u"host-oom"_s;
    QTest::newRow("far from both") << killed << qint64(30) << qint64(8192) << qint64(64000) << u"killed"_s;
    QTest::newRow("without a word") << QByteArray("epoch 1\n") << qint64(30) << qint64(8192) << qint64(64000)
                                    << u"killed"_s;
    QTest::newRow("without a word, not measured")
        << QByteArray("epoch 1\n") << qint64(0) << qint64(8192) << qint64(64000) << u"killed"_s;
    QTest::newRow("no limit is known") << killed << qint64(30) << qint64(0) << qint64(0) << u"killed"_s;
    QTest::newRow("the kernel says so") << QByteArray("slurmstepd: error: Detected 1 oom_kill event in StepId=1.0.\n")
                                        << qint64(30) << qint64(8192) << qint64(64000) << u"host-oom"_s;
}

void TstWhyEnds::memory()
{
    QFETCH(QByteArray, output);
    QFETCH(qint64, used);
    QFETCH(qint64, limit);
    QFETCH(qint64, host);
    const FailureFacts facts
        = core::whyFailed(FailureCauses::bundled(), {.status = 137, .output = output, .memory = {used, limit, host}});
    QTEST(facts.cause, "cause");
    if (facts.cause == "killed"_L1) {
        QCOMPARE(facts.certainty, u"likely"_s);
        const QString said = failureWords(facts).sentence;
        const bool isKnown = used > 0 && limit > 0;
        QVERIFY2(said.contains("SIGKILL"_L1) && said.contains("30 MiB of 8192 MiB"_L1) == isKnown, qPrintable(said));
        QVERIFY2(said.contains("does not say by whom"_L1) != isKnown, qPrintable(said));
        QVERIFY2(!said.contains("ran out"_L1), qPrintable(said));
        // The status alone is no proof: a program may give it itself.
        const QString head = output.contains("Killed") ? u"The process was ended by SIGKILL"_s
                                                       : u"The program ended with status 137: "_s;
        QVERIFY2(said.startsWith(head), qPrintable(said));
        // Nobody knows who it was: the kernel is no less likely than somebody else, unless the memory rules it out.
        QVERIFY2(!said.contains("from outside"_L1), qPrintable(said));
        QVERIFY2(said.contains("kernel"_L1) != isKnown, qPrintable(said));
    }
}

// A limit of the task ends it without a word: what lives on and says that it got no memory was refused it elsewhere.
void TstWhyEnds::refusedMemory_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<qint64>("used");
    QTest::addColumn<qint64>("limit");
    QTest::addColumn<bool>("isRefused");
    const QByteArray python = "Traceback (most recent call last):\n  File \"/w/a.py\", line 1, in <module>\n";
    const QByteArray plain = python + "MemoryError\n";
    const QByteArray sized
        = python + "MemoryError: Unable to allocate 7.50 GiB for an array with shape (1006632960,)\n";
    QTest::newRow("far from the limit") << plain << qint64(30) << qint64(8192) << true;
    QTest::newRow("near the limit") << plain << qint64(7900) << qint64(8192) << false;
    QTest::newRow("not measured") << plain << qint64(0) << qint64(8192) << false;
    QTest::newRow("no limit is known") << plain << qint64(30) << qint64(0) << false;
    QTest::newRow("would fit") << sized << qint64(30) << qint64(32000) << true;
    QTest::newRow("would not fit") << sized << qint64(30) << qint64(8192) << false;
    const QByteArray bytes = "memory allocation of 8053063680 bytes failed\n";
    QTest::newRow("would fit, in bytes") << bytes << qint64(30) << qint64(32000) << true;
    QTest::newRow("would not fit, in bytes") << bytes << qint64(30) << qint64(8192) << false;
    // Such a heap has a limit of its own, which grows with the memory of the task.
    QTest::newRow("Java") << QByteArray("Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space\n")
                          << qint64(30) << qint64(8192) << false;
}

void TstWhyEnds::refusedMemory()
{
    QFETCH(QByteArray, output);
    QFETCH(qint64, used);
    QFETCH(qint64, limit);
    QFETCH(bool, isRefused);
    const FailureFacts facts
        = core::whyFailed(FailureCauses::bundled(), {.status = 1, .output = output, .memory = {used, limit, 0}});
    QCOMPARE(facts.cause, isRefused ? u"memory-refused"_s : u"host-oom"_s);
    const QString said = failureWords(facts).sentence;
    QCOMPARE(said.contains(u"30 MiB of %1 MiB"_s.arg(limit)), isRefused);
}

// What cannot be linked to the end is told beside it.
void TstWhyEnds::anEarlierErrorIsMentioned()
{
    const QByteArray output
        = "curl: (6) Could not resolve host: a.invalid\ncat: /data/x.csv: No such file or directory\n";
    FailureFacts facts = core::whyFailed(FailureCauses::bundled(), {.status = 1, .output = output});
    QCOMPARE(facts.cause, u"file-missing"_s);
    const QString said = failureWords(facts).sentence;
    QVERIFY2(said.endsWith(u"An error before it may have led to it: curl: (6) Could not resolve host: a.invalid."_s),
        qPrintable(said));
    // An address that names the file is a link.
    const QByteArray named = "wget: http://a.invalid/x.csv\n" + output;
    facts = core::whyFailed(FailureCauses::bundled(), {.status = 1, .output = named});
    QCOMPARE(facts.cause, u"dns"_s);
}

void TstWhyEnds::silentCommands()
{
    const auto sentenceOf = [](int status) {
        return failureWords(core::whyFailed(FailureCauses::bundled(), {.status = status, .output = "step\n"})).sentence;
    };
    QVERIFY2(sentenceOf(1).contains("grep, test, [ ], (( )), diff and cmp"_L1), qPrintable(sentenceOf(1)));
    QCOMPARE(sentenceOf(7), u"The command ended with status 7. The output does not show why."_s);
    FailureFacts facts = core::whyFailed(FailureCauses::bundled(), {.status = 1, .output = "step\n"});
    facts.args.insert(u"program"_s, u"python3 train.py"_s);
    QCOMPARE(
        failureWords(facts).sentence, u"'python3 train.py' ended with status 1, and the output does not show why."_s);
}

// Advice to read the log has no use where it is empty.
void TstWhyEnds::emptyOutputs()
{
    for (const QByteArray &output : {QByteArray(), QByteArray("\n\n")}) {
        const FailureWords words
            = failureWords(core::whyFailed(FailureCauses::bundled(), {.status = 42, .output = output}));
        QCOMPARE(words.sentence, u"The command ended with status 42. There is no output."_s);
        QCOMPARE(words.remedies.size(), 1);
        QVERIFY2(words.remedies.constFirst().startsWith(u"Let the program say more"_s),
            qPrintable(words.remedies.constFirst()));
    }
    const QString silent
        = failureWords(core::whyFailed(FailureCauses::bundled(), {.status = 1, .output = QByteArray()})).sentence;
    QVERIFY2(silent.startsWith(u"The command ended with status 1, and there is no output. Commands such as grep"_s),
        qPrintable(silent));
    FailureFacts away = core::whyFailed(FailureCauses::bundled(), {.status = 42, .output = QByteArray()});
    away.args.insert(u"logOn"_s, u"lab1"_s);
    QVERIFY2(failureWords(away).sentence.contains(u"still on lab1"_s), qPrintable(failureWords(away).sentence));
}

// The index of a task folder tells which line was the last one on standard error.
void TstWhyEnds::streams()
{
    QTemporaryDir folder;
    const QByteArray output = "epoch 1\nloading\nno images\nbye\n";
    const auto index = [&](const QList<std::pair<int, contract::Stream>> &parts) {
        QFile file(folder.filePath(QLatin1StringView(contract::file::index)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        quint64 offset = 0;
        for (const auto &[length, stream] : parts) {
            const auto bytes = contract::encodeIndexRecord({offset, 0, quint32(length), stream, 0});
            file.write(bytes.data(), qint64(bytes.size()));
            offset += quint64(length);
        }
    };
    using contract::Stream;
    QVERIFY(!tryLines(folder.path(), output, output.size()).errors);
    index({{8, Stream::Out}, {8, Stream::Out}, {10, Stream::Err}, {4, Stream::Out}});
    TryLines lines = tryLines(folder.path(), output, output.size());
    QVERIFY(lines.errors);
    QCOMPARE(lines.text, output);
    QCOMPARE(lines.errors->lastLine, qint64(3));
    QVERIFY(lines.errors->isOnlyOne);
    index({{8, Stream::Err}, {8, Stream::Out}, {10, Stream::Err}, {4, Stream::Out}});
    lines = tryLines(folder.path(), output, output.size());
    QCOMPARE(lines.errors->lastLine, qint64(3));
    QVERIFY(!lines.errors->isOnlyOne);
    index({{30, Stream::Out}});
    QCOMPARE(tryLines(folder.path(), output, output.size()).errors->lastLine, qint64(0));
    // Only the end of a long output is looked at.
    index({{8, Stream::Out}, {8, Stream::Out}, {10, Stream::Err}, {4, Stream::Out}});
    lines = tryLines(folder.path(), output.sliced(8), output.size());
    QCOMPARE(lines.text, output.sliced(8));
    QCOMPARE(lines.errors->lastLine, qint64(2));
    // An index of more than there is says nothing.
    QCOMPARE(tryLines(folder.path(), output.first(20), 20).text, output.first(20));
    QVERIFY(!tryLines(folder.path(), output.first(20), 20).errors);
}

void TstWhyEnds::linesOfStreams_data()
{
    using Parts = QList<std::pair<QByteArray, bool>>; // whether it is of standard error
    QTest::addColumn<Parts>("parts");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("lastError");
    QTest::addColumn<qint64>("errors");
    QTest::newRow("nothing") << Parts() << QByteArray() << qint64(0) << qint64(0);
    QTest::newRow("one stream") << Parts{{"a\nb\n", false}} << QByteArray("a\nb\n") << qint64(0) << qint64(0);
    QTest::newRow("an error in a line that nothing ends")
        << Parts{{"loading...", false}, {"fatal: no config\n", true}} << QByteArray("fatal: no config\nloading...")
        << qint64(1) << qint64(1);
    QTest::newRow("an error in a line that goes on") << Parts{{"loss ", false}, {"bad\nluck\n", true}, {"0.2\n", false}}
                                                     << QByteArray("bad\nluck\nloss 0.2\n") << qint64(2) << qint64(2);
    QTest::newRow("two that nothing ends")
        << Parts{{"bar 9", true}, {"loss 0.2", false}} << QByteArray("loss 0.2\nbar 9") << qint64(2) << qint64(1);
    QTest::newRow("a bar before the errors")
        << Parts{{"Epoch 3\n\r1/20 [>]\r2/20 [>", false}, {"]", false}, {"Traceback\nValueError: no\n", true}}
        << QByteArray("Epoch 3\nTraceback\nValueError: no\n") << qint64(3) << qint64(2);
    QTest::newRow("a bar that went on after the errors") << Parts{{"\r1/20", false}, {"bad\n", true}, {"\r2/20", false}}
                                                         << QByteArray("bad\n\r1/20\r2/20") << qint64(1) << qint64(1);
    QTest::newRow("a bar of errors before a line")
        << Parts{{"\r1/20", true}, {"done\n", false}} << QByteArray("done\n") << qint64(0) << qint64(0);
    QTest::newRow("blank lines of errors") << Parts{{"\n", true}, {"a\n", false}, {"bad\n \n", true}}
                                           << QByteArray("\na\nbad\n \n") << qint64(3) << qint64(1);
}

void TstWhyEnds::linesOfStreams()
{
    using Parts = QList<std::pair<QByteArray, bool>>;
    QFETCH(Parts, parts);
    QByteArray output;
    QList<core::StreamPart> streams;
    for (const auto &[text, isError] : parts) {
        output += text;
        streams.append({text.size(), isError});
    }
    const core::StreamLines lines = core::linesOfStreams(output, streams);
    QTEST(lines.text, "text");
    QTEST(lines.lastError, "lastError");
    QTEST(lines.errors, "errors");
    // What no part covers is of standard output.
    QCOMPARE(core::linesOfStreams(output, {}).text, output);
}

TRAINYARD_TEST(TstWhyEnds)
#include "tst_whyends.moc"
