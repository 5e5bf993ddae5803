// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/exitclassifier.h"
#include "engine/core/missingcommand.h"
#include "engine/core/outputfindings.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using Kind = RawExit::Kind;
using Phase = RawExit::Phase;

// What the output of a failed program says of its end.
class TstExitFindings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findings_data();
    void findings();
    void pythonErrors_data();
    void pythonErrors();
    void causes_data();
    void causes();
};

void TstExitFindings::findings_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("finding");
    QTest::addColumn<QString>("inWords"); // that the reason has
    const auto row = [](const char *name, const QByteArray &output, int code, const QString &finding,
                         const QString &inWords = {}) { QTest::newRow(name) << output << code << finding << inWords; };
    row("cuda memory",
        "Traceback (most recent call last):\n  File \"/home/ada/train.py\", line 88, in <module>\n    main()\n"
        "  File \"/home/ada/train.py\", line 61, in main\n    out = model(x)\n"
        "  File \"/opt/conda/lib/python3.10/site-packages/torch/nn/modules/module.py\", line 1501, in _call_impl\n"
        "    return forward_call(*args, **kwargs)\n"
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB (GPU 0; 23.69 GiB total capacity; "
        "20.11 GiB already allocated; 1.02 GiB free; 21.32 GiB reserved in total by PyTorch)\n",
        226, u"gpu-memory"_s, u"memory of the GPU"_s);
    row("loader killed", "RuntimeError: DataLoader worker (pid 4711) is killed by signal: Killed. \n", 255,
        u"host-memory"_s);
    row("bad_alloc", "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n",
        255, u"host-memory"_s);
    row("numpy",
        "numpy.core._exceptions._ArrayMemoryError: Unable to allocate 74.5 GiB for an array with shape (100000, "
        "100000) "
        "and data type float64\n",
        255, u"host-memory"_s);
    row("shm",
        "RuntimeError: DataLoader worker (pid 81) is killed by signal: Bus error. It is possible that dataloader's "
        "workers are out of shared memory. Please try to raise your shared memory limit.\n",
        255, u"shared-memory"_s);
    row("nccl timeout",
        "[E ProcessGroupNCCL.cpp:828] [Rank 1] Watchdog caught collective operation timeout: "
        "WorkNCCL(SeqNum=1337, OpType=ALLREDUCE, Timeout(ms)=1800000) ran for 1803269 milliseconds before timing "
        "out.\n",
        255, u"nccl-timeout"_s);
    row("nccl",
        "torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:1333, remote process exited or there "
        "was a network error, NCCL version 2.18.1\nncclRemoteError: A call failed possibly due to a network error\n",
        255, u"nccl"_s);
    row("module",
        "Traceback (most recent call last):\n  File \"train.py\", line 1, in <module>\n    import einops\n"
        "ModuleNotFoundError: No module named 'einops'\n",
        232, u"module"_s, u"einops"_s);
    row("library",
        "python: error while loading shared libraries: libcudart.so.11.0: cannot open shared object file: No "
        "such file or directory\n",
        255, u"library"_s, u"libcudart.so.11.0"_s);
    row("disk", "OSError: [Errno 28] No space left on device\n", 255, u"disk-full"_s);
    row("quota", "cp: error writing 'x': Disk quota exceeded\n", 255, u"disk-full"_s);
    row("port",
        "RuntimeError: The server socket has failed to listen on any local network address. The server socket has "
        "failed to bind to [::]:29500 (errno: 98 - Address already in use).\n",
        255, u"port-in-use"_s);
    row("xid", "[1234.5] NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, GPU has fallen off the bus.\n", -1205, u"xid"_s,
        u"Xid 79"_s);
    row("driver", "RuntimeError: CUDA driver version is insufficient for CUDA runtime version\n", 224, u"driver"_s);
    row("unset variable", "/dev/fd/9: line 4: NOPE: unbound variable\n", 255, u"unset-variable"_s,
        u"variable NOPE is"_s);
    row("script of Python",
        "/usr/local/bin/python3: can't open file '/home/ada/run/trian.py': [Errno 2] No such file or directory\n", 255,
        u"script-missing"_s, u"/home/ada/run/trian.py"_s);
    row("script of the shell", "bash: train.sh: No such file or directory\n", 255, u"script-missing"_s, u"train.sh"_s);
    row("script of a job that looks for it first", "There is no train.py in /home/ada/runs/a b.\n", 255,
        u"script-missing"_s, u"train.py"_s);
    row("nothing", "step 1 loss 0.3\nOut of cookies\n", 255, {});
    row("long ago", "CUDA out of memory, trying a smaller batch\n" + QByteArray("step\n").repeated(80000), 255, {});
}

void TstExitFindings::findings()
{
    QFETCH(QByteArray, output);
    QFETCH(int, code);
    QFETCH(QString, finding);
    QFETCH(QString, inWords);
    RawExit exit;
    exit.value = 1;
    const Classified result = classifyExit(ExitRules::bundled(), exit, output);
    QCOMPARE(result.code, code);
    QCOMPARE(result.reasonArgs.value(u"finding"_s).toString(), finding);
    QCOMPARE(result.reasonArgs.value(u"solution"_s).toString().isEmpty(), finding.isEmpty());
    QVERIFY2(result.reasonArgs.value(u"reason"_s).toString().contains(inWords),
        qPrintable(result.reasonArgs.value(u"reason"_s).toString()));
    if (!finding.isEmpty()) {
        QCOMPARE(result.reasonArgs.value(u"status"_s).toInt(), 1);
        QVERIFY(output.contains(result.reasonArgs.value(u"evidence"_s).toString().toUtf8()));
    }
    // Success is success, whatever was printed.
    exit.value = 0;
    QCOMPARE(classifyExit(ExitRules::bundled(), exit, output).reason, QString());
}

void TstExitFindings::pythonErrors_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("where"); // "type: message @ file:line function", or empty
    QTest::newRow("own frame") << QByteArray(
        "loading\nTraceback (most recent call last):\n  File \"/w/train.py\", line 9, in <module>\n    run(cfg)\n"
        "  File \"/w/lib/run.py\", line 31, in run\n    x = d['lr']\n    ~^^^^^^\nKeyError: 'lr'\n")
                               << u"KeyError: 'lr' @ /w/lib/run.py:31 run"_s;
    QTest::newRow("library below")
        << QByteArray("Traceback (most recent call last):\n  File \"a.py\", line 2, in f\n    x\n"
                      "  File \"/usr/lib/python3.11/json/__init__.py\", line 346, in loads\n    y\n"
                      "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)\n")
        << u"json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0) @ a.py:2 f"_s;
    QTest::newRow("only libraries") << QByteArray(
        "Traceback (most recent call last):\n  File \"<frozen runpy>\", line 198, in _run_module_as_main\n"
        "ValueError\n") << u"ValueError:  @ <frozen runpy>:198 _run_module_as_main"_s;
    QTest::newRow("chained") << QByteArray(
        "Traceback (most recent call last):\n  File \"a.py\", line 2, in f\n    x\nKeyError: 1\n\n"
        "During handling of the above exception, another exception occurred:\n\n"
        "Traceback (most recent call last):\n  File \"a.py\", line 4, in g\n    x\nRuntimeError: two\n")
                             << u"RuntimeError: two @ a.py:4 g"_s;
    QTest::newRow("ranks") << QByteArray(
        "[rank1]: Traceback (most recent call last):\n[rank1]:   File \"/w/t.py\", line 5, in <module>\n"
        "[rank0]: other\n[rank1]:     boom()\n[rank1]: ZeroDivisionError: division by zero\n")
                           << u"ZeroDivisionError: division by zero @ /w/t.py:5 <module>"_s;
    QTest::newRow("launcher") << QByteArray(
        "Traceback (most recent call last):\n  File \"/w/t.py\", line 5, in <module>\n    x\nAssertionError: no data\n"
        "Traceback (most recent call last):\n  File \"/opt/bin/torchrun\", line 8, in <module>\n    sys.exit(main())\n"
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n====\nt.py FAILED\n")
                              << u"AssertionError: no data @ /w/t.py:5 <module>"_s;
    QTest::newRow("carriage returns") << QByteArray(
        "Traceback (most recent call last):\r\n  File \"C.py\", line 1, in x\r\n"
        "    y\r\nOSError: [Errno 5]\r\n")
                                      << u"OSError: [Errno 5] @ C.py:1 x"_s;
    QTest::newRow("cannot be read") << QByteArray(
        "starting\n  File \"/w/s.py\", line 7\n    def f(:\n          ^\nSyntaxError: invalid syntax\n")
                                    << u"SyntaxError: invalid syntax @ /w/s.py:7 "_s;
    QTest::newRow("cannot be read, of a rank")
        << QByteArray("[rank1]:   File \"s.py\", line 2\n[rank0]: other\n[rank1]:     x\n"
                      "[rank1]: IndentationError: unexpected indent\n")
        << u"IndentationError: unexpected indent @ s.py:2 "_s;
    QTest::newRow("cannot be read, of an import")
        << QByteArray("Traceback (most recent call last):\n  File \"/w/t.py\", line 5, in <module>\n    import s\n"
                      "  File \"/w/s.py\", line 7\n    def f(:\n          ^\nSyntaxError: invalid syntax\n")
        << u"SyntaxError: invalid syntax @ /w/s.py:7 "_s;
    QTest::newRow("words of a syntax error") << QByteArray("it said SyntaxError: invalid syntax\n") << QString();
    QTest::newRow("group of errors that nobody raised")
        << QByteArray(
               "  + Exception Group Traceback (most recent call last):\n  |   File \"/w/g.py\", line 3, in <module>\n"
               "  |     raise ExceptionGroup('two', [ValueError(1), KeyError(2)])\n"
               "  | ExceptionGroup: two (2 sub-exceptions)\n  +-+---------------- 1 ----------------\n"
               "    | ValueError: 1\n    +---------------- 2 ----------------\n    | KeyError: 2\n"
               "    +------------------------------------\n")
        << u"ExceptionGroup: two (2 sub-exceptions) @ /w/g.py:3 <module>"_s;
    QTest::newRow("cut off") << QByteArray("Traceback (most recent call last):\n  File \"a.py\", line 2, in f\n    x\n")
                             << QString();
    QTest::newRow("none") << QByteArray("nothing of the kind\n") << QString();
    QTest::newRow("empty") << QByteArray() << QString();
}

void TstExitFindings::pythonErrors()
{
    QFETCH(QByteArray, output);
    QFETCH(QString, where);
    const std::optional<PythonError> error = causeOf(ExitRules(), 1, output).python; // no rule explains it
    QCOMPARE(error ? error->type + u": "_s + error->message + u" @ "_s + error->file + u':'
                + QString::number(error->line) + u' ' + error->function
                   : QString(),
        where);
}

// What is told has to be what ended the program, and the code has to be of the same.
void TstExitFindings::causes_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("about"); // the type of a Python error or the name of a finding, or both
    const auto row = [](const char *name, int status, const QByteArray &output, int code, const char *reason,
                         const char *about) {
        QTest::newRow(name) << status << output << code << QString::fromLatin1(reason) << QString::fromLatin1(about);
    };
    const auto traceback = [](const QByteArray &error, const QByteArray &prefix = {}) -> QByteArray {
        return prefix + "Traceback (most recent call last):\n" + prefix + "  File \"/w/t.py\", line 5, in f\n" + prefix
            + "    x()\n" + prefix + error + '\n';
    };
    const QByteArray steps = QByteArray("step 1 loss 0.3\n").repeated(200);
    row("survived", 3, traceback("KeyError: 1") + steps, 255, "exit.user", "");
    row("survived, with a rule", 3, traceback("ImportError: x") + steps, 255, "exit.user", "");
    row("survived memory", 3, traceback("torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate") + steps,
        255, "exit.user", "");
    row("at the end", 1, steps + traceback("KeyError: 1"), 255, "exit.python", "KeyError");
    row("passed on by a script", 3, steps + traceback("KeyError: 1"), 255, "exit.python", "KeyError");
    row("a message of several lines", 1,
        traceback("RuntimeError: CUDA error: device-side assert triggered")
            + "CUDA kernel errors might be asynchronously reported at some other API call.\n"
              "For debugging consider passing CUDA_LAUNCH_BLOCKING=1.\n"
              "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n\n",
        255, "exit.found-in-python", "RuntimeError device-assert");
    row("lines of the message", 1,
        traceback("RuntimeError: Error(s) in loading state_dict for Net:")
            + "\tMissing key(s) in state_dict: \"a\".\n\tsize mismatch for b.\n",
        255, "exit.python", "RuntimeError");
    row("torchrun after it", 1,
        traceback("AssertionError: no data") + QByteArray("another rank goes on\n").repeated(40)
            + "E1122 11:00:00.123000 77 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: 1) "
              "local_rank: 0 (pid: 80) of binary: /usr/bin/python3\n"
            + traceback("torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ")
            + "============================================================\nt.py FAILED\n"
              "------------------------------------------------------------\nFailures:\n  <NO_OTHER_FAILURES>\n"
              "------------------------------------------------------------\n"
              "Root Cause (first observed failure):\n[0]:\n  time      : 2026-11-22_11:00:00\n  rank      : 0\n"
              "============================================================\n",
        255, "exit.python", "AssertionError");
    row("mpirun after it", 1,
        traceback("ValueError: x", "[1,0]<stderr>:")
            + "--------------------------------------------------------------------------\n"
              "Primary job  terminated normally, but 1 process returned\na non-zero exit code. Per user-direction, "
              "the job has been aborted.\n"
              "--------------------------------------------------------------------------\n"
              "mpirun detected that one or more processes exited with non-zero status, thus causing\n"
              "the job to be terminated. The first process to do so was:\n\n  Process name: [[1,1],0]\n"
              "  Exit code:    1\n",
        255, "exit.python", "ValueError");
    row("another rank goes on", 1, traceback("ValueError: x", "[rank1]: ") + QByteArray("[rank0]: step\n").repeated(40),
        255, "exit.python", "ValueError");
    row("the other rank misses it", 1,
        traceback("torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB", "[rank0]: ")
            + traceback("torch.distributed.DistBackendError: NCCL error: ncclRemoteError: gone", "[rank1]: "),
        226, "exit.found-in-python", "torch.cuda.OutOfMemoryError gpu-memory");
    row("a command afterwards", 127, traceback("ValueError: x") + "/t/task.sh: line 4: trainn: command not found\n",
        220, "exit.command-missing", "");
    row("the last of two", 1,
        traceback("ModuleNotFoundError: No module named 'apex'") + "without it\n" + traceback("MemoryError"), 255,
        "exit.found-in-python", "MemoryError host-memory");
    row("the last of two, at once", 1,
        traceback("ModuleNotFoundError: No module named 'apex'") + traceback("MemoryError"), 255,
        "exit.found-in-python", "MemoryError host-memory");
    row("the last of two lines", 1, "ModuleNotFoundError: No module named 'apex'\ngoing on\nMemoryError\n", 255,
        "exit.found", "host-memory");
    row("the last of two lines, with a rule", 1, "MemoryError\ngoing on\nModuleNotFoundError: No module named 'apex'\n",
        232, "exit.found", "module");
    row("in passing", 7, "INFO: falls back: No module named foo (optional)\n", 255, "exit.user", "");
    row("a module of python -m", 1, "/usr/bin/python3: No module named foo\n", 255, "exit.found", "module");
    row("killed later", 137, traceback("ValueError: x") + steps, 137, "", "");
    row("a group", 1,
        "  + Exception Group Traceback (most recent call last):\n  |   File \"/w/t.py\", line 9, in <module>\n"
        "  |     main()\n  | ExceptionGroup: two failed (2 sub-exceptions)\n  +-+---------------- 1 ----------------\n"
        "    | Traceback (most recent call last):\n    |   File \"/w/t.py\", line 3, in load\n    |     import apex\n"
        "    | ModuleNotFoundError: No module named 'apex'\n    +---------------- 2 ----------------\n"
        "    | TypeError: x\n    +------------------------------------\n",
        232, "exit.found-in-python", "ModuleNotFoundError module");
    row("coloured", 1,
        "\x1b[1mTraceback (most recent call last):\x1b[0m\n"
        "  File \x1b[35m\"/w/t.py\"\x1b[0m, line \x1b[35m5\x1b[0m, in \x1b[35m<module>\x1b[0m\n"
        "    \x1b[31mx\x1b[0m\n\x1b[1;35mNameError\x1b[0m: \x1b[35mname 'x' is not defined\x1b[0m\n",
        231, "exit.python", "NameError");
    row("far back", 1,
        "E CUDA_ERROR_ECC_UNCORRECTABLE: uncorrectable\n" + QByteArray(99, '.').append('\n').repeated(90000), 223, "",
        "");
}

void TstExitFindings::causes()
{
    QFETCH(int, status);
    QFETCH(QByteArray, output);
    QFETCH(int, code);
    QFETCH(QString, reason);
    QFETCH(QString, about);
    RawExit exit;
    exit.value = status;
    Classified result = classifyExit(ExitRules::bundled(), exit, output);
    nameMissingCommand(exit, output, &result);
    QCOMPARE(result.code, code);
    QCOMPARE(result.reason, reason);
    QCOMPARE(
        QString(result.reasonArgs.value("type"_L1).toString() + u' ' + result.reasonArgs.value("finding"_L1).toString())
            .trimmed(),
        about);
    if (!reason.isEmpty()) {
        QCOMPARE(result.reasonArgs.value("status"_L1).toInt(), status);
    }
}

TRAINYARD_TEST(TstExitFindings)
#include "tst_exitfindings.moc"
