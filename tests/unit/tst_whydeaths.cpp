// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/unit/whytests.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// A script goes on after a program that failed, and another one dies: whose end a line tells, and what became of the
// earlier error.
class TstWhyDeaths : public WhyTests
{
    Q_OBJECT

private Q_SLOTS:
    void lastDeath_data();
    void lastDeath();
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
    row("a crash that nothing names", 139, "Segmentation fault (core dumped)\n", "user-code-error", "certain", false);
    row("a command that was started by another", 139, bashSays("Segmentation fault", "(core dumped) srun prep"),
        "user-code-error", "certain", false);
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

TRAINYARD_TEST(TstWhyDeaths)
#include "tst_whydeaths.moc"
