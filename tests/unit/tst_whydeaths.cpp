// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/unit/whytests.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// How a program died: whose end a line tells if a script went on after an earlier error, what a process left that was
// killed while it printed, and whether the same once more may help.
class TstWhyDeaths : public WhyTests
{
    Q_OBJECT

private Q_SLOTS:
    void lastDeath_data();
    void lastDeath();
    void cutTraceback_data();
    void cutTraceback();
    void mayHelpAgain_data();
    void mayHelpAgain();
};

namespace
{

const QByteArray thrown = "terminate called after throwing an instance of 'std::out_of_range'\n  what():  "
                          "basic_string::substr: __pos (which is 17) > this->size() (which is 4)\n";

QByteArray bashSays(const QByteArray &what, const QByteArray &command)
{
    return "./run.sh: line 12: 88123 " + what + "        " + command + "\n";
}

} // namespace

void TstWhyDeaths::lastDeath_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QString>("cause");
    QTest::addColumn<QString>("certainty");
    QTest::addColumn<bool>("isEarlier"); // the traceback is only mentioned
    const auto row = [](const char *name, int status, const QByteArray &after, const char *cause, const char *certainty,
                         bool isEarlier) {
        QTest::newRow(name) << status << after << QString::fromUtf8(cause) << QString::fromUtf8(certainty) << isEarlier;
    };
    const QByteArray index = bashSays("Aborted", "(core dumped) ./bin/index --in rows.bin");
    row("thrown by a program that the shell names", 134, thrown + index, "uncaught-exception", "certain", true);
    row("thrown by one that nothing names", 134, thrown, "uncaught-exception", "likely", true);
    row("thrown behind what the script says", 134, "building the index\n" + thrown + index, "uncaught-exception",
        "certain", true);
    row("thrown behind a trace of the shell", 134, "+ ./bin/index\n" + thrown, "uncaught-exception", "likely", true);
    row("a file that the other program misses", 134,
        "terminate called after throwing an instance of 'std::filesystem::filesystem_error'\n  what():  filesystem "
        "error: cannot open directory: No such file or directory [/data/shards]\n"
            + index,
        "file-missing", "certain", true);
    row("a check of a program that glibc names", 134, "index: src/k.cpp:2: int main(): Assertion `n > 0' failed.\n",
        "assertion-failed", "certain", true);
    row("a panic of Rust", 101, "thread 'main' panicked at src/load.rs:19:44:\nbad row 7: unknown column\n",
        "uncaught-exception", "certain", true);
    row("a panic of Go", 2,
        "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\nmain.main()\n"
        "\t/w/main.go:12 +0x1d\n",
        "uncaught-exception", "likely", true);
    row("a damaged heap of another program", 134, "free(): double free detected in tcache 2\n" + index,
        "heap-corruption", "certain", true);
    row("a crash of another program", 139, bashSays("Segmentation fault", "(core dumped) ./bin/index"), "segfault",
        "certain", true);
    row("another program that was killed", 137, bashSays("Killed", "./bin/index"), "killed", "likely", true);

    row("a crash of Python at its end", 139, bashSays("Segmentation fault", "(core dumped) python3 prep.py"),
        "user-code-error", "certain", false);
    row("thrown in Python at its end", 134, thrown + bashSays("Aborted", "(core dumped) python3 prep.py"),
        "user-code-error", "certain", false);
    row("thrown by a library of Python", 134,
        "terminate called after throwing an instance of 'c10::Error'\n  what():  CUDA error: driver shutting down\n",
        "user-code-error", "likely", false);
    row("thrown with the words of the exception", 134,
        "terminate called after throwing an instance of 'std::runtime_error'\n  what():  KeyError: 'bucket'\n",
        "user-code-error", "likely", false);
    row("a thread that Python left", 134, "terminate called without an active exception\n", "user-code-error", "likely",
        false);
    row("a check of a library of Python", 134, "python3: src/queue.cpp:9: ~Queue(): Assertion `empty' failed.\n",
        "user-code-error", "likely", false);
    row("a crash that nothing names", 139, "Segmentation fault (core dumped)\n", "user-code-error", "likely", false);
    row("a crash of what a variable of the script names", 139,
        bashSays("Segmentation fault", "(core dumped) $PY -m pkg.tr"), "user-code-error", "likely", false);
    row("a crash of a quoted variable, behind one that is set", 139,
        bashSays("Segmentation fault", "(core dumped) OMP_NUM_THREADS=4 \"${cmd[@]}\""), "user-code-error", "likely",
        false);
    row("a crash of what eval starts", 139, bashSays("Segmentation fault", "(core dumped) eval \"$run\""),
        "user-code-error", "likely", false);
    row("a thread that was left by what a variable names", 134,
        "terminate called without an active exception\n" + bashSays("Aborted", "(core dumped) \"${cmd[@]}\""),
        "user-code-error", "certain", false);
    row("a command that was started by another", 139, bashSays("Segmentation fault", "(core dumped) srun prep"),
        "user-code-error", "likely", false);
}

void TstWhyDeaths::lastDeath()
{
    QFETCH(int, status);
    QFETCH(QByteArray, after);
    QFETCH(bool, isEarlier);
    const FailureFacts facts
        = whyOf(status, "step 1\n" + traceback({"/w/prep.py:22:main"}, "KeyError: 'bucket'") + after);
    QTEST(facts.cause, "cause");
    QTEST(facts.certainty, "certainty");
    QCOMPARE(facts.args.value("earlier"_L1).toString(), isEarlier ? u"KeyError: 'bucket'"_s : QString());
    QCOMPARE(facts.file == "/w/prep.py"_L1, !isEarlier); // the place belongs to that error
}

// A process that is killed while it prints leaves a traceback without its error.
void TstWhyDeaths::cutTraceback_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("cause");
    QTest::addColumn<QString>("certainty");
    QTest::addColumn<bool>("isCut");
    const auto row = [](const char *name, int status, const QByteArray &output, const char *cause,
                         const char *certainty, bool isCut) {
        QTest::newRow(name) << status << output << QString::fromUtf8(cause) << QString::fromUtf8(certainty) << isCut;
    };
    const QByteArray whole = traceback({"/w/tr.py:9:main"}, "OSError: [Errno 5] Input/output error");
    const QByteArray cut = whole.first(whole.indexOf("OSError"));
    const QByteArray ofRank = traceback({"/w/tr.py:9:main"}, "OSError: x", "[rank1]: ");
    row("before its error", 1, "step 1\n" + cut, "unknown", "unknown", true);
    row("in the name of its error", 1, "step 1\n" + cut + "OSEr", "unknown", "unknown", true);
    row("in a line of code", 1, "step 1\n" + cut.chopped(4), "unknown", "unknown", true);
    row("behind its first line", 1, "step 1\nTraceback (most recent call last):\n", "unknown", "unknown", true);
    row("by a signal", 137, "step 1\n" + cut, "killed", "likely", true);
    row("of a rank", 1, ofRank.first(ofRank.indexOf("[rank1]: OSError")), "unknown", "unknown", true);
    row("while another error was handled", 1, traceback({"/w/tr.py:9:main"}, "KeyError: 'lr'") + during + cut,
        "user-code-error", "likely", true);
    row("behind the time limit", 1, "slurmstepd: error: *** JOB 7 ON n1 CANCELLED DUE TO TIME LIMIT ***\n" + cut,
        "time-limit", "certain", true);
    row("not at all", 1, "step 1\n" + whole, "io-error", "certain", false);
    row("not at all, with lines behind it", 1, cut + "KeyError: 'lr'\nstep 2\n", "user-code-error", "certain", false);
    for (const char *bare : {"AssertionError", "NotImplementedError"}) {
        row(qPrintable("not at all, in "_L1 + QLatin1StringView(bare)), 1, "step 1\n" + cut + bare + "\n",
            "user-code-error", "certain", false);
    }
    row("not at all, in the exception of a library", 1, "step 1\n" + cut + "pkg.StopIt\n", "user-code-error", "likely",
        false);
    row("not at all, in an interrupt", 1, "step 1\n" + cut + "KeyboardInterrupt\n", "cancelled", "likely", false);
    row("in a name behind a dot", 1, "step 1\n" + cut + "torch.cuda.OutOfMem", "user-code-error", "likely", true);
    const QByteArray group = "  + Exception Group Traceback (most recent call last):\n"
                             "  |   File \"/w/tr.py\", line 9, in main\n"
                             "  |     raise ExceptionGroup(\"two\", errors)\n"
                             "  | ExceptionGroup: two (2 sub-exceptions)\n"
                             "  +-+---------------- 1 ----------------\n"
                             "    | Traceback (most recent call last):\n"
                             "    |   File \"/w/tr.py\", line 5, in load\n"
                             "    |     raise ValueError(\"no rows\")\n"
                             "    | ValueError: no rows\n"
                             "    +---------------- 2 ----------------\n"
                             "    | Traceback (most recent call last):\n"
                             "    |   File \"/w/tr.py\", line 6, in load\n"
                             "    |     raise TypeError(\"no columns\")\n";
    row("not at all, in a group", 1, group + "    | TypeError: no columns\n    +------------------------------------\n",
        "user-code-error", "certain", false);
    row("in the second one of a group", 1, group, "user-code-error", "likely", true);
    row("not at all, with all of it indented", 1, "step 1\n" + traceback({"/w/tr.py:9:main"}, "KeyError: 'lr'", "    "),
        "user-code-error", "certain", false);
    row("by a program that went well", 0, cut, "no-failure", "unknown", false);
}

void TstWhyDeaths::cutTraceback()
{
    QFETCH(int, status);
    QFETCH(QByteArray, output);
    QFETCH(bool, isCut);
    const FailureFacts facts = whyOf(status, output);
    QTEST(facts.cause, "cause");
    QTEST(facts.certainty, "certainty");
    QCOMPARE(facts.args.value("cut"_L1).toBool(), isCut);
    if (isCut && output.contains("/w/tr.py")) {
        QCOMPARE(facts.file, u"/w/tr.py"_s);
    }
}

void TstWhyDeaths::mayHelpAgain_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<int>("transient"); // -1: it depends
    QTest::newRow("an error in the program's words") << QByteArray("solve: cannot find the inlet\n") << 0;
    QTest::newRow("one that passes") << QByteArray("ERROR: the token server is busy, try again later\n") << 1;
    QTest::newRow("last words that ask for it") << QByteArray("Cannot reach the queue, try it again tomorrow.\n") << 1;
    QTest::newRow("one that passes by itself") << QByteArray("ERROR: the queue is temporarily closed\n") << 1;
    QTest::newRow("a version that is too old") << QByteArray("ERROR: this script requires CUDA 12.1 or later\n") << 0;
    QTest::newRow("an option with the name of what passes")
        << QByteArray("ERROR: the temporary directory option is not valid\n") << 0;
    QTest::newRow("an exception") << traceback({"/w/a.py:3:f"}, "ValueError: no") << 0;
    QTest::newRow("a connection that a server closed")
        << traceback({"/w/a.py:3:f"}, "http.client.RemoteDisconnected: Remote end closed connection without response")
        << 1;
    QTest::newRow("a process whose words are not there") << torchrunTable() << -1;
    QTest::newRow("nothing") << QByteArray("step 1\n") << -1;
}

void TstWhyDeaths::mayHelpAgain()
{
    QFETCH(QByteArray, output);
    const FailureFacts facts = whyOf(1, output);
    QTEST(facts.transient ? int(*facts.transient) : -1, "transient");
}

TRAINYARD_TEST(TstWhyDeaths)
#include "tst_whydeaths.moc"
