// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/unit/whytests.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Errors that a program only shows, because it works on them, tests them or has got over them, are not its cause.
class TstWhyShown : public WhyTests
{
    Q_OBJECT

private Q_SLOTS:
    void outputs_data();
    void outputs();
    void likely_data();
    void likely();
};

void TstWhyShown::outputs_data()
{
    columns();
    const QByteArray key = traceback({"/w/t.py:9:<module>"}, "KeyError: 'lr'");
    const QByteArray missing = traceback({"/w/io.py:22:write"}, "ModuleNotFoundError: No module named 'apex'");
    const QByteArray failures
        = "____ test_sum ____\n\n    def test_sum():\n>       assert total() == 3\nE       assert 2 == 3\n\n"
          "tests/test_m.py:16: AssertionError\n";
    const QByteArray summary = "==== short test summary info ====\nFAILED tests/test_m.py::test_sum - assert 2 == 3\n"
                               "==== 1 failed, 3 passed in 0.07s ====\n";
    const auto captured = [](const QByteArray &what) -> QByteArray { return "---- Captured " + what + " call ----\n"; };
    const auto none
        = [](const char *name, const QByteArray &output, const char *last) { row(name, 1, output, "unknown", last); };

    row("what pytest has captured", 1,
        failures + captured("stderr") + missing + captured("log") + "ERROR    a:a.py:11 CUDA out of memory.\n"
            + summary,
        "user-code-error", "assert 2 == 3", "test_m.py:16");
    row("what tests that passed have printed", 1,
        failures + "==== PASSES ====\n____ test_disk ____\n" + captured("stderr")
            + "OSError: [Errno 28] No space left on device\n____ test_child ____\n" + captured("stdout") + missing
            + summary,
        "user-code-error", "assert 2 == 3", "test_m.py:16");
    row("an error below what was captured", 1,
        "==== PASSES ====\n____ test_disk ____\n" + captured("stderr") + "Killed\n==== 3 passed in 0.07s ====\n" + key,
        "user-code-error", "KeyError: 'lr'", "t.py:9");
    row("a test of unittest that passed", 1,
        "test_oom (test_m.T.test_oom) ... RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\nok\n"
        "test_sum (test_m.T.test_sum) ... FAIL\n\n=====\nFAIL: test_sum (test_m.T.test_sum)\n-----\n"
            + traceback({"/w/test_m.py:12:test_sum"}, "AssertionError: 2 != 3")
            + "\n-----\nRan 2 tests in 0.004s\n\nFAILED (failures=1)\n",
        "user-code-error", "2 != 3", "test_m.py:12");
    row("a test that failed, before another ok", 1,
        "test_disk (test_m.T.test_disk) ... ERROR\nNo space left on device\nloading ... ok\n", "disk-full", "No space");
    none("a test of Google Test that passed",
        "[ RUN      ] Pool.Oom\nterminate called after throwing an instance of 'std::bad_alloc'\n[       OK ] Pool.Oom "
        "(1 ms)\n"
        "[  PASSED  ] 1 test.\nchecked\n",
        "checked");
    none("a test of CTest that passed",
        "    Start 2: segv\nSegmentation fault (core dumped)\n2/2 Test #2: segv ......   Passed    0.10 sec\nchecked\n",
        "checked");
    none("a point that passed", "1..2\nok 1 - a crash: Segmentation fault (core dumped)\nchecked\n", "checked");

    const QByteArray hunk = "@@ -1,2 +1,3 @@\n-ModuleNotFoundError: No module named 'apex'\n+    raise ValueError(1)\n"
                            "+RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n run(cfg)\n";
    row("a diff before an error", 1, "--- a/t.py\n+++ b/t.py\n" + hunk + key, "user-code-error", "'lr'", "t.py:9");
    row("a diff", 1, "--- a/t.py\n+++ b/t.py\n" + hunk, "files-differ", "run(cfg)");
    none("a diff before more", "--- a/t.py\n+++ b/t.py\n" + hunk + "patched\n", "patched");

    none("a prompt", "prompt 1: a haiku\nprompt 3: ModuleNotFoundError: No module named 'x'\nstep 4 of 8\n", "step 4");
    none("a traceback that a model has written", "step 1 loss 2.5\nsample: " + missing + "step 2 loss 2.0\n", "step 2");
    none("a fence", "Generated:\n```python\n" + missing + "bash: nvcc: command not found\n```\nstep 2 loss 2.0\n",
        "step 2");
    row("a fence that does not end", 1, "Generated:\n```python\nprint(1)\n" + key, "user-code-error", "'lr'", "t.py:9");
    none("a talk",
        "User: my job says slurmstepd: error: Detected 1 oom-kill event(s) in StepId=1.batch.\nAssistant: ask for "
        "more.\n",
        "Assistant");
    none("a field of data",
        "{\"step\": 10, \"sample\": \"bash: foo: command not found\"}\n{\"step\": 20, \"loss\": 2.0}\n", "20");
    row("a field of an error", 1, "{\"step\": 10, \"error\": \"No space left on device\"}\n", "disk-full", "No space");
    row("a response of a server", 1, "Error response from daemon: Conflict: no space left on device\n", "disk-full",
        "no space");
    none("what was compared", "expected error: Permission denied ... seen\n3 of 3\n", "3 of 3");
    row("a comparison that ends the program", 1, "expected: 3 rows but got: 4\n", "program-error", "got: 4");
    none("lines that were found", "app.log:99: Permission denied\nnotes:7: No space left on device\n", "notes");
    none("commits",
        "a1b2c3d fix ModuleNotFoundError: No module named 'apex'\nb2c3d4e RuntimeError: CUDA out of memory.\n",
        "b2c3d4e");
    none("a list of errors",
        "  * `CUDA out of memory`: a smaller batch\n  * ModuleNotFoundError: No module named 'x'\n9 rules\n",
        "9 rules");

    none("questions and answers", "Q: what is 137?\nA: Out of memory: Killed process 1 (python)\nexact match 0 of 2\n",
        "exact match");
    none(
        "a page", "<pre>Segmentation fault (core dumped)</pre>\n<code>CUDA out of memory</code>\n3 pages\n", "3 pages");
    none("rows of a database",
        "id | message\n---+--------\n 1 | Connection refused\n 2 | No space left on device\n(2 rows)\n", "2 rows");
    none("a tick", "  \u2713 reports that no space left on device (3 ms)\n1 of 1\n", "1 of 1");
    row("an example that is written", 1, "writing example 7: No space left on device\n", "disk-full", "example 7");
    row("an error in a configuration", 1, "train.yaml:12: error: mapping values are not allowed here\n", "config-error",
        "train.yaml");
    none("a connection that came back",
        "{\"level\":\"error\",\"msg\":\"dial tcp 10.0.0.3:6379: connect: connection refused\"}\n"
        "{\"level\":\"info\",\"msg\":\"reconnected\"}\n{\"level\":\"info\",\"msg\":\"bye\"}\n",
        "bye");
    row("one that did not come back", 1, "ERROR connect: connection refused\nINFO it has not recovered\n",
        "connection-refused", "refused");
    row("an error after one that was got over", 3,
        "ERROR upload failed: No space left on device\nINFO recovered, 3 files removed\nERROR: the split of 9 is odd\n",
        "program-error", "odd");
    none("attempts before one that succeeded",
        "Attempt 1 failed: <urlopen error [Errno 111] Connection refused>\nAttempt 2 succeeded\nchecked\n", "checked");
    none("attempts that others follow",
        "Error: HTTP 503 Service Unavailable (attempt 1/5)\nstep 1 loss 0.5\nstep 2 loss 0.4\n", "step 2");
    row("the last attempt", 1,
        "Error: HTTP 503 Service Unavailable (attempt 1/2)\nError: HTTP 503 Service Unavailable (attempt 2/2)\n",
        "server-error", "2/2");
    none("a folder that was there",
        "mkdir: cannot create directory 'out': File exists\nstep 1 loss 0.5\nstep 2 loss 0.4\n", "step 2");
    row("a small tool with another status", 4,
        "rm: cannot remove '/old': Permission denied\nloading\nindex version 3 is not supported\n", "program-error",
        "not supported");
    row("a clean-up after the reason", 3,
        "the index has no entries\nrm: cannot remove '/tmp/lock': No such file or directory\n", "program-error",
        "no entries");
    row("an exception before another way and another end", 1,
        missing
            + "no apex, using the native one instead\nepoch 1 loss 0.5\nepoch 2 loss 0.4\nepoch 3 loss 0.3\n"
              "no checkpoint was written\n",
        "program-error", "no checkpoint");
    row("what Perl warns of", 255,
        "Use of uninitialized value $x in addition (+) at t.pl line 2.\ncannot split into 0 parts at t.pl line 4.\n",
        "program-error", "cannot split", "t.pl:4");
}

void TstWhyShown::likely_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::newRow("a file that is shown") << QByteArray("==> run.err <==\nNo space left on device\n");
    QTest::newRow("a logger that writes on") << QByteArray("ERROR a: No space left on device\nINFO b\nINFO c\n");
    QTest::newRow("a repetition before more work")
        << QByteArray("a: No space left on device\na: No space left on device\nstep 1 loss 0.5\nstep 2 loss 0.4\n");
}

void TstWhyShown::likely()
{
    QFETCH(QByteArray, output);
    QCOMPARE(whyOf(1, output).certainty, u"likely"_s);
}

void TstWhyShown::outputs()
{
    check();
    QFETCH(int, status);
    QFETCH(QByteArray, output);
    QFETCH(QString, cause);
    if (cause == "unknown"_L1) {
        QCOMPARE(whyOf(status, output).certainty, u"unknown"_s);
    }
}

TRAINYARD_TEST(TstWhyShown)
#include "tst_whyshown.moc"
