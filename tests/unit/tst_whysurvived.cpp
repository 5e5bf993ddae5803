// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/exitblame.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/whytests.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What a program may have survived: it is not called certain, and gives way to what the program says at its end.
class TstWhySurvived : public WhyTests
{
    Q_OBJECT

private Q_SLOTS:
    void errors_data();
    void errors();
    void standardError();
    void refusedMemory();
    void variablesByName();
};

void TstWhySurvived::errors_data()
{
    columns();
    QTest::addColumn<QString>("certainty");
    const auto add = [](const char *name, int status, const QByteArray &output, const char *cause, const char *evidence,
                         const char *certainty, const char *frame = "") {
        QTest::newRow(name) << status << output << QString::fromUtf8(cause) << QString::fromUtf8(evidence)
                            << QString::fromUtf8(frame) << QString::fromUtf8(certainty);
    };
    const QByteArray cache
        = traceback({"/w/t.py:3:<module>"}, "FileNotFoundError: [Errno 2] No such file or directory: 'cache.bin'");
    const QByteArray key = traceback({"/w/t.py:3:<module>"}, "KeyError: 'lr'");
    const QByteArray rank = traceback({"/w/t.py:3:<module>"}, "KeyError: 'lr'", "[rank1]: ");
    const QByteArray giveUp = "no cache, building it\nvalidation accuracy below target, giving up\n";

    add("an exception that ends its program", 1, cache, "file-missing", "cache.bin", "certain", "t.py:3");
    add("a file with the name of a recovery", 1, "start\ncat: data/ignored.txt: No such file or directory\n",
        "file-missing", "data/ignored.txt", "certain");
    add("a key with the name of a recovery", 1, traceback({"/w/t.py:3:<module>"}, "KeyError: 'fallback'"),
        "user-code-error", "'fallback'", "certain", "t.py:3");
    add("one that was handled, and a reason", 4, cache + giveUp, "program-error", "below target", "likely");
    add("one that was handled, and an error in words", 4, cache + "no cache, building it\nfatal: config is missing\n",
        "program-error", "config is missing", "likely");
    add("one that a script gives up after", 4, cache + "fatal: the training failed\n", "file-missing", "cache.bin",
        "likely", "t.py:3");
    add("one that was handled, and no reason", 4, key + "recovered; now exit\n", "user-code-error", "'lr'", "likely",
        "t.py:3");
    add("one with a status that is not Python's", 4, key, "user-code-error", "'lr'", "likely", "t.py:3");
    add("one that make reports with its own status", 2, key + "make: *** [Makefile:2: train] Error 1\n",
        "user-code-error", "'lr'", "certain", "t.py:3");
    add("one that xargs reports with its own status", 123, key, "user-code-error", "'lr'", "certain", "t.py:3");
    add("one of a rank, with the status of the launcher", 4, rank, "user-code-error", "'lr'", "certain", "t.py:3");
    add("one of a rank, before what others say", 1, rank + "[rank0]: 3 rows\n[rank0]: 4 rows\n", "user-code-error",
        "'lr'", "certain", "t.py:3");
    add("one of a rank that goes on", 1, rank + "[rank1]: 3 rows\n[rank1]: 4 rows\n", "user-code-error", "'lr'",
        "likely", "t.py:3");
    add("one that was handled before a reason, with the status of Python", 1, cache + giveUp, "file-missing",
        "cache.bin", "likely", "t.py:3");
    add("one before another reason", 1, key + "the validation set is empty\n", "user-code-error", "'lr'", "likely",
        "t.py:3");
    add("one of a program that was stopped while it ended", 143, key, "user-code-error", "'lr'", "certain", "t.py:3");
    add("one of a program that went on until it was stopped", 143, key + "going on\n", "user-code-error", "'lr'",
        "likely", "t.py:3");
    add("one before a crash", 139, key, "user-code-error", "'lr'", "likely", "t.py:3");

    add("one of a process whose parent says nothing", 1, "Process Process-2:\n" + key, "user-code-error", "'lr'",
        "likely", "t.py:3");

    const QByteArray crash = "run.sh: line 3: 812 Segmentation fault      (core dumped) ./probe\n";
    add("a crash that ended the run", 139, crash, "segfault", "Segmentation", "certain");
    add("a crash that it went on after", 1, crash, "segfault", "Segmentation", "likely");
    const QByteArray empty = "reading\nthe validation set is empty\n";
    add("a tool that failed", 1, "mkdir: cannot create directory '/a': Permission denied\n", "permission-denied",
        "mkdir", "certain");
    add("a tool that failed before another reason", 1,
        "mkdir: cannot create directory '/a': Permission denied\n" + empty, "permission-denied", "mkdir", "likely");
    add("a file that a shell misses", 1, "run.sh: line 3: a.txt: No such file or directory\n", "file-missing", "a.txt",
        "certain", "run.sh:3");
    add("a file that a shell misses before another reason", 1,
        "run.sh: line 3: a.txt: No such file or directory\n" + empty, "file-missing", "a.txt", "likely", "run.sh:3");
}

void TstWhySurvived::errors()
{
    QFETCH(int, status);
    QFETCH(QByteArray, output);
    check();
    QTEST(whyOf(status, output).certainty, "certainty");
}

// What comes on the same output as an exception was surely written after it.
void TstWhySurvived::standardError()
{
    const QByteArray output = traceback({"/w/t.py:3:<module>"}, "KeyError: 'lr'") + "using the default\n";
    const auto certaintyWith = [&](qint64 lastLine) {
        return core::whyFailed(
            FailureCauses::bundled(), {.status = 1, .output = output, .errors = core::WrittenErrors{lastLine, false}})
            .certainty;
    };
    QCOMPARE(certaintyWith(4), u"certain"_s);
    QCOMPARE(certaintyWith(5), u"likely"_s);
}

// A program may have asked for more memory than any host has: only what it used tells.
void TstWhySurvived::refusedMemory()
{
    const QByteArray output = traceback({"/w/t.py:3:<module>"}, "MemoryError");
    const auto factsWith = [&](const core::UsedMemory &memory) {
        return core::whyFailed(FailureCauses::bundled(), {.status = 1, .output = output, .memory = memory});
    };
    QCOMPARE(factsWith({}).cause, u"host-oom"_s);
    QCOMPARE(factsWith({}).certainty, u"likely"_s);
    QCOMPARE(factsWith({7900, 8192, 64000}).cause, u"host-oom"_s);
    QCOMPARE(factsWith({7900, 8192, 64000}).certainty, u"certain"_s);
}

// A key may have the name of a variable that the task does not get.
void TstWhySurvived::variablesByName()
{
    FailureFacts facts;
    facts.cause = u"user-code-error"_s;
    facts.certainty = u"certain"_s;
    facts.text = u"KeyError: 'USER'"_s;
    QCOMPARE(blamingLeftOut(facts, {u"USER"_s}).cause, u"variable-left-out"_s);
    QCOMPARE(blamingLeftOut(facts, {u"USER"_s}).certainty, u"likely"_s);
    facts.cause = u"environment-missing"_s;
    QCOMPARE(blamingLeftOut(facts, {u"USER"_s}).certainty, u"certain"_s);
}

TRAINYARD_TEST(TstWhySurvived)
#include "tst_whysurvived.moc"
