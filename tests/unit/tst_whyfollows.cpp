// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/unit/whytests.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Which of several errors the others follow from, what a program has survived or only shows, and how certain that is.
class TstWhyFollows : public WhyTests
{
    Q_OBJECT

private Q_SLOTS:
    void rootOfSeveral_data();
    void rootOfSeveral();
};

void TstWhyFollows::rootOfSeveral_data()
{
    columns();
    QTest::addColumn<QString>("certainty");
    const auto add = [](const char *name, int status, const QByteArray &output, const char *cause, const char *evidence,
                         const char *certainty, const char *frame = "") {
        QTest::newRow(name) << status << output << QString::fromUtf8(cause) << QString::fromUtf8(evidence)
                            << QString::fromUtf8(frame) << QString::fromUtf8(certainty);
    };
    const QByteArray lib = "/opt/env/lib/python3.11/";

    const QByteArray child = "Process Process-2:\n"
        + traceback({lib + "multiprocessing/process.py:314:_bootstrap", "/w/load.py:9:fill"}, "KeyError: 'path'");
    const QByteArray waiting
        = traceback({"/w/train.py:40:<module>", lib + "multiprocessing/queues.py:114:get:raise Empty"}, "_queue.Empty");
    add("a process that its parent waits for", 1, child + waiting, "user-code-error", "'path'", "likely", "load.py:9");
    add("two of them", 1, child + QByteArray(child).replace("Process-2", "Process-3").replace("path", "size") + waiting,
        "user-code-error", "'path'", "likely", "load.py:9");
    add("a process that its parent went on after", 1, child + "3 rows\n" + waiting, "user-code-error", "Empty",
        "likely", "train.py:40");
    add("a spawned process", 1,
        traceback({"<string>:1:<module>", lib + "multiprocessing/spawn.py:122:spawn_main", "/w/t.py:4:<module>"},
            "RuntimeError: no idiom of a main module")
            + traceback({"/w/t.py:5:<module>"}, "AssertionError: worker failed"),
        "user-code-error", "no idiom", "likely", "t.py:4");
    add("a spawned process without code of the user", 1,
        traceback({"<string>:1:<module>", lib + "multiprocessing/spawn.py:122:spawn_main",
                      lib + "multiprocessing/synchronize.py:110:__setstate__"},
            "FileNotFoundError: [Errno 2] No such file or directory")
            + traceback({"/w/t.py:5:<module>"}, "ValueError: no rows"),
        "user-code-error", "no rows", "certain", "t.py:5");

    const QByteArray handled = traceback({"/w/amp.py:8:<module>"}, "ModuleNotFoundError: No module named 'apex'");
    const QByteArray work = "epoch 1 loss 0.9\nepoch 2 loss 0.8\n";
    const QByteArray oneTask = "srun: error: n1: task 0: Exited with exit code 1\n";
    add("an error that the program has survived, before a report", 1,
        handled + work + traceback({"/w/train.py:97:main"}, "KeyError: 'lr'") + oneTask, "user-code-error", "'lr'",
        "certain", "train.py:97");
    add("work after the only error before a report", 1, handled + work + oneTask, "module-missing", "apex", "likely",
        "amp.py:8");
    add("the last one of several errors before a report of one process", 1,
        handled + "without it\n" + traceback({"/w/train.py:97:main"}, "KeyError: 'lr'")
            + "make: *** [Makefile:12: train] Error 1\n",
        "user-code-error", "'lr'", "certain", "train.py:97");
    const QByteArray noVersion = "fatal: not a git repository (or any of the parent directories): .git\n";
    add("git, long before what another process reports", 1, noVersion + work + torchrunTable(), "process-failed",
        "Root Cause", "unknown");
    add("git, right before a report", 128, noVersion + "make: *** [Makefile:3: version] Error 128\n", "git-folder",
        "not a git repository", "certain");

    const QByteArray commError
        = traceback({"/w/train.py:14:<module>", lib + "site-packages/wandb/sdk/wandb_init.py:1195:init:raise error"},
            "wandb.errors.CommError: Error communicating with wandb process, exiting...");
    add("what the client of a tracking server said", 1,
        "wandb: ERROR Error while calling W&B API: permission denied (<Response [403]>)\n" + commError, "hub-auth",
        "permission denied", "likely", "train.py:14");
    add("the library of that client alone", 1, commError, "user-code-error", "CommError", "likely", "train.py:14");

    const QByteArray fatal
        = "2026-01-01 10:00:00.1: F core/guard.cc:37] The library was compiled for other processors\n";
    add("a library that logs why it aborts", 134, fatal + "Aborted (core dumped)\n", "program-error",
        "other processors", "likely");
    add("one that logged it long before", 134, fatal + "step 1\nstep 2\nAborted (core dumped)\n", "abort", "Aborted",
        "likely");

    const QByteArray ecc
        = traceback({"/w/train.py:9:f"}, "RuntimeError: CUDA error: uncorrectable ECC error encountered");
    add("what a driver clears up after an error", 1,
        ecc
            + "[81.2] NVRM: Xid (PCI:0000:3b:00): 48, pid=9, DBE\n"
              "[81.3] NVRM: Xid (PCI:0000:3b:00): 45, pid=9, Ch 8\n",
        "gpu-memory-error", "uncorrectable ECC", "certain", "train.py:9");
    add("only that", 1, "step 1\n[81.3] NVRM: Xid (PCI:0000:3b:00): 45, pid=9, Ch 8\n", "gpu-xid", "): 45", "likely");
    add("an assertion of a kernel before a library that cannot begin", 1,
        "/src/Indexing.cu:12: select: block: [1,0,0], thread: [32,0,0] Assertion `index < size` failed.\n"
            + traceback({"/w/emb.py:12:forward"},
                "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`"),
        "device-assert", "Assertion `index", "likely", "emb.py:12");

    const QByteArray docker = lib + "site-packages/docker/";
    add("a socket that is named by what passes it on", 1,
        traceback(
            {docker + "transport/unixconn.py:26:connect"}, "FileNotFoundError: [Errno 2] No such file or directory")
            + during
            + traceback({lib + "site-packages/requests/adapters.py:711:send:raise ConnectionError(err)"},
                "requests.exceptions.ConnectionError: ('Connection aborted.', FileNotFoundError(2, 'No such file or "
                "directory'))")
            + direct
            + traceback({"/w/t.py:3:<module>", docker + "api/client.py:230:_version:raise DockerException("},
                "docker.errors.DockerException: Error while fetching server API version: ('Connection aborted.', "
                "FileNotFoundError(2, 'No such file or directory'))"),
        "docker-daemon", "DockerException", "certain", "t.py:3");
    add("a file that is named by its own error", 1,
        traceback({lib + "pathlib.py:1044:open"}, "FileNotFoundError: [Errno 2] No such file or directory: '/w/c.json'")
            + direct
            + traceback({"/w/t.py:3:<module>", docker + "api/client.py:230:_version:raise DockerException("},
                "docker.errors.DockerException: Error while fetching server API version"),
        "file-missing", "/w/c.json", "certain", "t.py:3");
    add("a coroutine that was cancelled for the time", 1,
        traceback({lib + "asyncio/tasks.py:500:wait_for", lib + "asyncio/tasks.py:649:sleep", "/w/q.py:3:ask"},
            "asyncio.exceptions.CancelledError")
            + direct
            + traceback(
                {"/w/t.py:8:<module>", lib + "asyncio/tasks.py:502:wait_for:raise exceptions.TimeoutError() from exc"},
                "TimeoutError"),
        "user-code-error", "TimeoutError", "certain", "t.py:8");

    const QByteArray cancelled = "slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-01-01T10:00:00 ***\n";
    const QByteArray unsaved = traceback({"/w/train.py:81:save"},
        "RuntimeError: [enforce fail at inline_container.cc:603] . unexpected pos 1088 vs 982");
    add("what fails once the job was cancelled", 143, "step 1\n" + cancelled + unsaved, "cancelled", "CANCELLED AT",
        "likely");
    add("what failed before it was", 143, unsaved + cancelled, "disk-full", "unexpected pos", "likely", "train.py:81");
    const QByteArray killed = "/w/run.sh: line 5: 8100 Killed                  python worker.py\n";
    add("a program that misses another one, which was killed", 1,
        killed + traceback({"/w/coord.py:20:wait"}, "RuntimeError: worker 3 stopped answering"), "killed", "Killed",
        "likely");
    add("a program behind another one that was killed", 1, killed + traceback({"/w/t.py:20:f"}, "ValueError: no rows"),
        "user-code-error", "no rows", "likely", "t.py:20");
    add("one that wrote something between", 1,
        killed + "reading\n" + traceback({"/w/t.py:20:f"}, "ValueError: no rows"), "user-code-error", "no rows",
        "certain", "t.py:20");
    add("an exception of Java behind one that was logged", 1,
        "10:00:00 ERROR Reader - cannot read row 7\njava.lang.NumberFormatException: For input string: \"x\"\n\tat "
        "lab.Reader.row(Reader.java:9)\n10:00:01 INFO Main - 99 rows\nException in thread \"main\" "
        "java.lang.IllegalStateException: no folds\n\tat lab.CV.run(CV.java:8)\n\tat lab.Main.main(Main.java:4)\n",
        "uncaught-exception", "no folds", "certain", "CV.java:8");

    const QByteArray probe = traceback({"/w/t.py:6:probe"}, "RuntimeError: no fast kernel");
    add("an error behind a line of a logger, after one that was survived before", 1,
        probe + "using the slow one\nstep 0 loss 1.0\n" + probe + "using the slow one\nstep 1 loss 0.5\n"
            + "ERROR:root:shard 3 has few rows\n" + traceback({"/w/norm.py:12:norm"}, "ValueError: negative spread"),
        "user-code-error", "negative spread", "likely", "norm.py:12");
    add("a script that begins with another program", 1,
        "epoch 1 loss 0.3\n" + traceback({"/w/a.py:2:f"}, "RuntimeError: cannot sync") + "evaluating\n",
        "user-code-error", "cannot sync", "likely", "a.py:2");
    add("a program that looks for a short name that was not fetched", 2,
        "fatal: unable to access 'https://git.example/lab/ml.git/': Could not resolve host: git.example\n"
        "run.sh: line 4: cd: ml: No such file or directory\n"
        "python3: can't open file '/w/train.py': [Errno 2] No such file or directory\n",
        "dns", "Could not resolve host", "likely");
    add("one that looks for another short name", 2,
        "fatal: unable to access 'https://git.example/lab/ml.git/': Could not resolve host: git.example\n"
        "run.sh: line 4: cd: nl: No such file or directory\n",
        "file-missing", "cd: nl", "certain", "run.sh:4");

    const QByteArray limit
        = "slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-01-01T10:00:00 DUE TO TIME LIMIT ***\n";
    const QByteArray steps = "eval step 20: accuracy 0.43\neval step 30: accuracy 0.44\n";
    add("what a model has written", 1,
        "[generated] RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n[generated] " + limit + steps,
        "unknown", "step 30", "unknown");
    add("what a model has written at the end", 1, steps + "[generated] " + limit, "time-limit", "[generated]",
        "likely");
    const QByteArray failed = traceback({"/w/t.py:2:f"}, "ValueError: empty table");
    for (const char *told :
        {"[81.1] Out of memory: Killed process 412 (chrome) total-vm:1kB", "note: the last job was preempted, resuming",
            " 2 OOMKilled", "sacct: 881 NODE_FAIL", "last pod: reason: DeadlineExceeded"}) {
        add(told, 1, QByteArray(told) + '\n' + failed, "user-code-error", "empty table", "certain", "t.py:2");
    }
    add("the kernel alone", 137, "step 1\n[81.1] Out of memory: Killed process 412 (python3) total-vm:1kB\n",
        "host-oom", "Killed process", "certain");
    add("the kernel about another program", 1,
        "epoch 1 loss 0.5\n[81.1] Out of memory: Killed process 412 (chrome) total-vm:1kB\nepoch 2 loss 0.4\nepoch 3 "
        "loss 0.4\n",
        "unknown", "epoch 3", "unknown");
    add("a worker that the kernel killed", 1,
        "[81.1] Out of memory: Killed process 412 (python3) total-vm:1kB\n"
            + traceback({"/w/t.py:2:f"}, "RuntimeError: DataLoader worker (pid 412) is killed by signal: Killed. "),
        "host-oom", "Killed process", "certain");
    add("the state of a container", 137, "step 1\n  Reason: OOMKilled\n", "host-oom", "OOMKilled", "certain");
    add("a tool of a script whose work goes on", 1, "cat: /proc/driver/version: No such file or directory\nepoch 1\n",
        "file-missing", "/proc/driver", "likely");
    add("a tool of a script at its end", 1, "epoch 1\ncat: /proc/driver/version: No such file or directory\n",
        "file-missing", "/proc/driver", "certain");
    add("git in a script that goes on", 1,
        "fatal: not a git repository (or any of the parent directories): .git\nversion 1.2 of the tool\n", "git-folder",
        "not a git repository", "likely");
    add("a row of a table", 1, "row,level,text\n2,ERROR,Connection refused by 10.0.0.2\n", "connection-refused",
        "2,ERROR", "likely");
    add("a row with tabs", 1, "label\ttext\noom\tCUDA out of memory\n", "gpu-oom", "oom\tCUDA", "likely");
    add("a logger with tabs", 1, "ERROR\tmain.go:12\tdial tcp 10.0.0.2:80: connect: connection refused\n",
        "connection-refused", "connection refused", "certain");
    add("a logger with a tab behind the time", 1,
        "2026-01-01 10:00:00,001\tERROR net.py:12 -- connect: connection refused\n", "connection-refused",
        "connection refused", "certain");
    add("a row with bars", 3, "| run | end |\n| 2 | CUDA out of memory |\n", "unknown", "| 2 |", "unknown");
    add("a title of a change", 1, "a1b2c3d Fix CUDA out of memory in eval\nclean\n", "unknown", "clean", "unknown");
    add("an item of a configuration", 1, "retry_on:\n  - Connection refused\nepochs: 3\n", "connection-refused",
        "- Connection", "likely");
    add("a line that was found in a file", 1, "notes.md:40:Permission denied for guests\n", "unknown", "guests",
        "unknown");
    add("an error in a sentence", 1, "reading stopped with an Input/output error\nerror Disk quota exceeded\n",
        "quota-exceeded", "error Disk", "certain");
    add("what a script prints, traced by its shell", 1,
        "+ echo 'disk full? No space left on device'\ndisk full? No space left on device\n+ cp data/x.bin "
        "/tmp/x.bin\ncp: "
        "cannot stat 'data/x.bin': No such file or directory\n",
        "file-missing", "cannot stat", "certain");
    add("a job that began again", 1,
        "slurmstepd: error: *** JOB 81 ON g1 CANCELLED AT 2026-01-01T10:00:00 DUE TO PREEMPTION ***\nresuming from "
        "ck/10.pt\n"
            + traceback({"/w/ck.py:8:load"}, "KeyError: 'epoch'"),
        "user-code-error", "'epoch'", "certain", "ck.py:8");
    add("what a help supposes", 1,
        "serve 1.2\n  --data D  if the disk is full (No space left on device), choose another folder\nno model given\n",
        "program-error", "no model given", "likely");
    add("a program that marks all that it writes", 1,
        "[prep] OSError: [Errno 28] No space left on device\n[prep] loss 0.4\n[prep] loss 0.3\n", "disk-full",
        "No space", "likely");
    add("a list of what may happen", 1,
        "Known problems:\n  - Segmentation fault: update the driver.\n  - CUDA out of memory: lower the batch.\n"
            + steps,
        "unknown", "step 30", "unknown");
    add("the limit itself, while the steps go on", 1, limit + steps, "time-limit", "DUE TO TIME LIMIT", "certain");
    add("the limit in the file of a daemon", 1,
        "[2026-01-01T10:00:00.003] error: *** JOB 7 ON n1 CANCELLED AT 2026-01-01T10:00:00 DUE TO TIME LIMIT ***\n",
        "time-limit", "DUE TO TIME LIMIT", "certain");
}

void TstWhyFollows::rootOfSeveral()
{
    QFETCH(int, status);
    QFETCH(QByteArray, output);
    check();
    QTEST(whyOf(status, output).certainty, "certainty");
}

TRAINYARD_TEST(TstWhyFollows)
#include "tst_whyfollows.moc"
