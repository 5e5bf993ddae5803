// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/unit/whytests.h"

#include <QTest>

#include <functional>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Texts that a program prints whole, such as settings, tables, pages of help and mails, explain nothing. An error right
// below them does.
class TstWhyQuoted : public WhyTests
{
    Q_OBJECT

private Q_SLOTS:
    void texts_data();
    void texts();
    void errorsBelow_data();
    void errorsBelow();
    void survived_data();
    void survived();
};

static void addTexts(const std::function<void(const char *, const QByteArray &)> &add)
{
    add("a list of Python", "['CUDA out of memory', 'No space left on device']\n");
    add("a record over several lines", "{'a': 'No space left on device',\n 'b': 'Killed'}\n");
    add("settings of YAML", "alerts:\n  retry_on: \"CUDA out of memory\"\n  other: 'bash: nvcc: command not found'\n");
    add("settings of TOML", "[alerts]\noom = \"CUDA out of memory\"\nnet = \"connect: Connection refused\"\n");
    add("messages to translate", "msgid \"Permission denied\"\nmsgstr \"x\"\n\nmsgid \"No space left on device\"\n");
    add("code of reStructuredText", "``bash: nvcc: command not found``\n    Load it.\n``Killed``\n    Wait.\n");
    add("code in a sentence", "After `cp: error writing '/a': No space left on device`, ask.\n");
    add("lines below a heading", "Known problems:\n- bash: nvcc: command not found\n- CUDA out of memory\n");
    add("a table of Markdown", "| message | n |\n|---|---|\n| `CUDA out of memory` | 3 |\n| Killed | 1 |\n");
    add("a table of a database",
        "\u2502 1 \u2502 ssh: Could not resolve hostname a: Name or service not known \u2502\n"
        "\u2502 2 \u2502 connect: Connection refused \u2502\n");
    add("counts before", "     12 RuntimeError: CUDA out of memory.\n      3 connect: Connection refused\n");
    add("counts behind", "CUDA out of memory           12   40.0%\nPermission denied             1    4.1%\n");
    add("counts with colons", "CUDA out of memory: 12 (40%)\nNo space left on device: 3 (10%)\n");
    add("columns", "1    FAILED  No space left on device\n2    FAILED  Permission denied\n3    OK      -\n");
    add("numbered lines", "     1\tKilled\n     2\tCUDA out of memory\n");
    add("what grep has found", "src/a.py:2:    raise OSError(\"No space left on device\")\nsrc/b.py:9:# Killed\n");
    add("what grep has found without numbers", "a.log:CUDA out of memory\nb.log:Permission denied\n");
    add("comments", "# OSError: [Errno 28] No space left on device: '/a'\n# Killed\nx = 1\n");
    add("variables", "LAST_ERROR=ModuleNotFoundError: No module named 'x'\nSTATE=Killed\n");
    add("commits",
        "commit 3fa12c9be1f04d5c6a7b8c9d0e1f2a3b4c5d6e7f\nAuthor: A <a@b.example>\nDate:   Mon\n\n    Fix it\n\n"
        "    OSError: [Errno 28] No space left on device\n\n");
    add("a difference with context",
        "*** a\n--- b\n***************\n*** 1,2 ****\n! CUDA out of memory\n  z\n--- 1,2 ----\n! No space left on "
        "device\n  z\n");
    add("texts side by side", "alpha\t\t\talpha\nNo space left on device\t  |\tKilled\nbeta\t\t\tbeta\n");
    add("a page of help",
        "usage: t.py [-h] [--skip S]\n\nSorts runs.\n\noptions:\n  -h, --help  show this\n  --skip S    e.g. "
        "'Segmentation fault (core dumped)'\n\npatterns:\n  bash: nvcc: command not found\n");
    add("a page", "<ul>\n<li>Segmentation fault (core dumped)</li>\n<li>Permission denied</li>\n</ul>\n");
    add("an element",
        "<system-err>Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    x\n"
        "ModuleNotFoundError: No module named 'x'\n</system-err>\n");
    add("a chat",
        "<|user|>\nbash: nvcc: command not found\n<|assistant|>\n    Out of memory: Killed process 8 (python)\n"
        "<|end|>\n");
    add("a response", "### Response:\nModuleNotFoundError: No module named 'x'\n### End\n");
    add("an earlier run", "--- log of the previous run ---\n" + QByteArray("No space left on device\n--- end ---\n"));
    add("definitions", "Killed:: No memory.\nbash: nvcc: command not found:: Load the module.\n");
    add("causes that have nothing in common",
        "CUDA out of memory\nNo space left on device\nconnect: Connection refused\n");
    add("nothing of it", "[1/2] Permission denied: 0, No space left on device: 0\n");
    add("an assignment", "Killed => oom\nNo space left on device => disk\n");
    add("marked words", "ends with [-Killed-]{+No space left on device+}\n");
    add("words in a list", "stop words: killed, aborted, busy, no space left on device\n");
    add("names of exceptions", "ConnectionError\nFileExistsError\nFileNotFoundError\n");
    add("text of data", "{\"text\": \"ERROR: the shard is broken\", \"label\": 1}\n");
}

void TstWhyQuoted::texts_data()
{
    columns();
    addTexts([](const char *name, const QByteArray &text) {
        row(name, 1, "starting\n" + text + "checked\nbye\n", "unknown", "bye");
    });
}

void TstWhyQuoted::texts()
{
    check();
    QFETCH(QByteArray, output);
    QCOMPARE(whyOf(1, output).certainty, u"unknown"_s);
}

void TstWhyQuoted::errorsBelow_data()
{
    columns();
    addTexts([](const char *name, const QByteArray &text) {
        row(name, 1, text + "cp: cannot stat 'b.bin': No such file or directory\n", "file-missing", "b.bin");
    });
}

void TstWhyQuoted::errorsBelow() { check(); }

void TstWhyQuoted::survived_data()
{
    columns();
    const QByteArray missing = traceback({"/w/io.py:22:write"}, "ModuleNotFoundError: No module named 'apex'");
    const QByteArray key = traceback({"/w/t.py:9:<module>"}, "KeyError: 'lr'");
    const QByteArray work = "step 1 loss 0.5\nstep 2 loss 0.4\nstep 3 loss 0.3\n";

    row("files that tail shows, and words of the program", 1,
        "==> a.err <==\nNo space left on device\n\n==> b.err <==\n" + missing + "merging\nthe parts must sum to 1\n",
        "program-error", "must sum");
    row("an exception below files that tail shows", 1, "==> a.err <==\nx\n\n==> b.err <==\nKilled\n" + key,
        "user-code-error", "'lr'", "t.py:9");
    row("an error below a mail", 1,
        "From: a\nTo: b\nSubject: Segmentation fault (core dumped)\n\nHello\ncp: cannot stat 'b.bin': No such file or "
        "directory\n",
        "file-missing", "b.bin");
    row("what unittest repeats", 1,
        "======================================================================\nFAIL: test_a (t.A.test_a)\n"
        "----------------------------------------------------------------------\n"
            + traceback({"/w/t.py:6:test_a"}, "AssertionError: 3 != 4")
            + "\nStdout:\nRuntimeError: CUDA out of memory.\n\n"
              "----------------------------------------------------------------------\nRan 2 tests in 0.1s\n\n"
              "FAILED (failures=1)\n\nStdout:\nRuntimeError: CUDA out of memory.\n",
        "user-code-error", "3 != 4", "t.py:6");
    row("a logged exception before the work and words", 1,
        "ERROR:root:no cache\n" + missing + work + "accuracy 0.3 is below the required 0.5\n", "program-error",
        "below");
    row("an exception below a page of help", 1, "usage: t.py [-h]\n\noptions:\n  -h, --help  show this\n" + key,
        "user-code-error", "'lr'", "t.py:9");
    row("codes before an error", 1, "codes: ENOSPC, ECONNREFUSED\n" + key, "user-code-error", "'lr'", "t.py:9");
    row("a counter that goes on", 1,
        "[1/3] upload failed: HTTP 503 Service Unavailable\n[2/3] upload finished\nrun 4 has no parent\n",
        "program-error", "no parent");
    row("a frame between steps", 9,
        "step 1 loss 0.5\n----------\nfatal: not a git repository\n----------\nstep 2 loss 0.4\n", "unknown", "step 2");
    row("a caught exception of C++", 9, "what():  CUDA out of memory (halving the batch)\n" + work + work, "unknown",
        "step 3");
    row("an interpreter that is not there", 126,
        "bash: ./t: /opt/x/python: bad interpreter: No such file or directory\n", "interpreter-missing",
        "bad interpreter");
    row("a repeated lookup of Python", 1,
        traceback({"/usr/lib/python3.11/configparser.py:790:get",
                      "/usr/lib/python3.11/collections/__init__.py:1004:"
                      "__getitem__",
                      "/usr/lib/python3.11/collections/__init__.py:996:__missing__"},
            "KeyError: 'epochs'")
            + during
            + traceback({"/w/t.py:4:<module>", "/usr/lib/python3.11/configparser.py:793:get"},
                "configparser.NoOptionError: No option 'epochs' in section: 'train'"),
        "user-code-error", "No option", "t.py:4");
}

void TstWhyQuoted::survived() { check(); }

TRAINYARD_TEST(TstWhyQuoted)
#include "tst_whyquoted.moc"
