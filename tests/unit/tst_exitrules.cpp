// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/exitclassifier.h"
#include "engine/core/missingcommand.h"
#include "engine/core/outputfindings.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QTest>

#include <cerrno>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using Kind = RawExit::Kind;
using Phase = RawExit::Phase;

class TstExitRules : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void table();
    void classes();
    void fallback();
    void codes_data();
    void codes();
    void harmless_data();
    void harmless();
    void reasons();
    void missingCommands_data();
    void missingCommands();
    void findings_data();
    void findings();
    void pythonErrors_data();
    void pythonErrors();
    void causes_data();
    void causes();
    void upstreamOrder();
    void parse_data();
    void parse();
    void own();
    void ownMistakes_data();
    void ownMistakes();
    void longLog();
};

void TstExitRules::table()
{
    const ExitRules &rules = ExitRules::bundled();
    QCOMPARE(rules.entries().size(), 66);
    for (const ExitSpecEntry &entry : rules.entries()) {
        QVERIFY2(!entry.phrase.isEmpty() && !entry.reason.isEmpty(), qPrintable(QString::number(entry.code)));
        const QMap<QString, QString> reactions{{u"TRANSIENT_NORMAL"_s, u"ALWAYS_RETRY"_s},
            {u"TRANSIENT_CONFLICT"_s, u"ALWAYS_BACKOFF_RETRY"_s}, {u"PERMANENT"_s, u"NEVER_RETRY"_s},
            {u"UNKNOWN"_s, u"RETRY_TO_MAX"_s}, {u"SUCCEEDED"_s, u"NEVER_RETRY"_s}};
        QCOMPARE(entry.reaction, reactions.value(entry.behavior));
    }
    for (const ExitRule &rule : rules.rules()) {
        QVERIFY2(rules.find(rule.code), qPrintable(QString::number(rule.code)));
    }
    qInfo("%d entries, %d rules", int(rules.entries().size()), int(rules.rules().size()));
}

void TstExitRules::classes()
{
    const auto all = [](ExitClass wanted, const QList<int> &codes) {
        for (int code : codes) {
            if (exitClassOf(ExitRules::bundled(), code) != wanted) {
                qWarning("%d", code);
                return false;
            }
        }
        return true;
    };
    QVERIFY(all(ExitClass::Success, {0}));
    QVERIFY(all(ExitClass::Stopped, {-210, -220, -230}));
    QVERIFY(all(ExitClass::Transient,
        {-100, -101, -110, -111, -120, -1000, -1001, -1002, -1003, -1006, -1300, -1205, 130, 131, 137, 143, 223, 250,
            253, -2002, 200}));
    QVERIFY(all(ExitClass::TransientConflict, {251, 201}));
    QVERIFY(all(ExitClass::Permanent,
        {-200, -1004, -1005, -1100, -1200, -1202, -1203, 132, 135, 136, 141, 220, 221, 222, 224, 225, 226, 228, 229,
            230, 231, 232, 233, 234, 235, 249, 252, 254, -2001, 210}));
    QVERIFY(all(
        ExitClass::Unknown, {-300, -310, -1201, -1204, 128, 134, 139, 255, 256, -8000, -2010, -2020, 1, 42, -7777}));
}

void TstExitRules::fallback()
{
    const ExitRules &rules = ExitRules::bundled();
    QCOMPARE(rules.entryFor(137).phrase, u"ContainerSigKillReceived"_s);
    QCOMPARE(rules.entryFor(17).code, 17);
    QCOMPARE(rules.entryFor(17).phrase, rules.find(256)->phrase);
    QCOMPARE(rules.entryFor(-17).code, -17);
    QCOMPARE(rules.entryFor(-17).phrase, rules.find(-8000)->phrase);
    QCOMPARE(rules.entryFor(137).toJson().value("code"_L1).toInt(), 137);
}

void TstExitRules::codes_data()
{
    QTest::addColumn<RawExit>("exit");
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<int>("code");
    const auto row = [](const char *name, const RawExit &exit, const QByteArray &log, int code) {
        QTest::newRow(name) << exit << log << code;
    };
    const auto exited = [](int value, Phase phase = Phase::User) {
        RawExit exit;
        exit.value = value;
        exit.phase = phase;
        return exit;
    };
    const auto kind = [](Kind what, int value = 0, Phase phase = Phase::User, const QString &reason = {}) {
        RawExit exit;
        exit.kind = what;
        exit.value = value;
        exit.phase = phase;
        exit.reason = reason;
        return exit;
    };
    row("M1", exited(0), "Aborted (core dumped)\n", 0);
    row("M2", exited(1), "", 255);
    row("M3", exited(127), "task.sh: line 3: foo: command not found\n", 220);
    row("M4", exited(127), "", 255);
    row("M5", exited(137), "", 137);
    row("M5 as signal", kind(Kind::Signaled, 9), "", 137);
    row("M6", kind(Kind::Oom, 137), "", -1200);
    row("M7", kind(Kind::Oom, 137, Phase::Preparation), "", -1300);
    row("M8", exited(139), "task.sh: line 2: 77 Segmentation fault      (core dumped) ./x\n", 139);
    row("M9", exited(1), "a\ntask.sh: line 2: 77 Segmentation fault      (core dumped) ./x\n", 234);
    row("M10", exited(1), "Traceback (most recent call last):\nImportError: No module named x\n", 232);
    row("M11", exited(1), "ImportError: y\nNameError: name 'x' is not defined\n", 231);
    RawExit ecc = exited(1);
    ecc.eccErrors = true;
    row("M12", ecc, "ImportError: y\n", 128);
    ecc.value = 139;
    row("M13", ecc, "", 128);
    ecc.eccRose = true;
    row("errors came during the run", ecc, "", 223);
    row("M14", exited(210), "", 255);
    row("M15", exited(210, Phase::Barrier), "", 252);
    row("M16", exited(201, Phase::Barrier), "", 251);
    row("barrier for now", exited(200, Phase::Barrier), "", 250);
    row("M17", exited(10, Phase::PortCheck), "", 253);
    row("M18", exited(10), "", 255);
    row("M19", exited(5, Phase::Preparation), "", 1);
    row("M20", exited(1), "E0 CUDA_ERROR_ECC_UNCORRECTABLE: uncorrectable\n", 223);
    row("M21", exited(1), "RuntimeError: CUDA driver version is insufficient for CUDA runtime version\n", 224);
    row("M22", exited(3, Phase::After), "done\n", 255);
    row("M23", exited(133), "", 255);
    for (int value : {130, 131, 132, 134, 135, 136, 139, 141, 143}) {
        QTest::newRow(qPrintable(u"signal %1"_s.arg(value - 128)))
            << kind(Kind::Signaled, value - 128) << QByteArray() << value;
    }
    row("user cannot fake a class", exited(200), "", 255);
    row("prerequisite", exited(7, Phase::Before), "ImportError: y\n", -2020);
    const auto strictly = [&](int value, Phase phase) {
        RawExit e = exited(value, phase);
        e.strict = true;
        return e;
    };
    row("strict prerequisite", strictly(7, Phase::Before), "", 255);
    row("strict prerequisite, as the user's", strictly(1, Phase::Before), "ImportError: y\n", 232);
    row("strict, command missing", strictly(127, Phase::Before), "bash: foo: command not found\n", 220);
    row("strict, afterwards", strictly(3, Phase::After), "", 255);
    row("prerequisite killed", exited(137, Phase::Before), "", 137);
    row(
        "GPU gone",
        [&] {
            RawExit e = exited(1);
            e.gpuLost = true;
            return e;
        }(),
        "", -1205);
    const auto driverSays = [&](int status, const char *xid) {
        RawExit e = exited(status);
        e.gpuErrors = QByteArray("\nNVRM: Xid (PCI:0000:3b:00): ") + xid + ", pid=7\n";
        return e;
    };
    row("fallen off the bus", driverSays(1, "79"), "ImportError: y\n", -1205);
    row("what came then does not count", driverSays(0, "79"), "", 0);
    row("memory errors, says the driver", driverSays(139, "48"), "", 223);
    row("contained", driverSays(1, "94"), "", 223);
    row("an error of the program", driverSays(1, "31"), "ImportError: y\n", 232);
    row("a number that begins like another", driverSays(1, "795"), "", 255);
    row(
        "no image",
        [&] {
            RawExit e = exited(1, Phase::Image);
            e.imageMissing = true;
            return e;
        }(),
        "", 254);
    row("no shell", kind(Kind::StartFailed, ENOENT), "", -1203);
    row("no permission", kind(Kind::StartFailed, EACCES), "", -1202);
    row("other start failure", kind(Kind::StartFailed, EIO), "", -1204);
    row("no working folder", kind(Kind::StartFailed, ENOENT, Phase::User, u"launch.cwd-missing /data/x"_s), "", -2010);
    row("disk full", kind(Kind::StartFailed, ENOSPC, Phase::User, u"launch.disk-full /tmp"_s), "", -2010);
    row("port busy", kind(Kind::StartFailed, EADDRINUSE, Phase::User, u"launch.port-busy 15000"_s), "", 253);
    row("GPU taken", kind(Kind::StartFailed, 0, Phase::User, u"launch.gpu-busy 0"_s), "", -1002);
    row("no more processes", kind(Kind::StartFailed, EAGAIN, Phase::User, u"launch.processes"_s), "", -1002);
    row("no memory to begin", kind(Kind::StartFailed, ENOMEM, Phase::User, u"launch.memory"_s), "", -1002);
    row("no container service", kind(Kind::StartFailed, 1, Phase::User, u"launch.container-service Cannot connect"_s),
        "", -120);
    row("no keeper", kind(Kind::StartFailed, 0, Phase::User, u"launch.keeper-died"_s), "", -120);
    row("lost", kind(Kind::Lost), "", -101);
    row("PyTorch out of memory", exited(1),
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 23.69 GiB total)\n", 226);
    row("older PyTorch", exited(1), "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n", 226);
    row("memory held by another process", exited(1), "RuntimeError: CUDA error: out of memory\n", 226);
    row("of a rank", exited(1),
        "[rank0]: Traceback (most recent call last):\n[rank0]:   File \"/w/t.py\", line 5, in <module>\n"
        "[rank0]:     x()\n[rank0]: torch.AcceleratorError: CUDA error: out of memory\n"
        "[rank0]: CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace "
        "below might be incorrect.\n[rank0]: Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n",
        226);
    row("AMD", exited(1), "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB. GPU 0 has\n", 226);
    row("JAX", exited(1),
        "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 8 bytes.\n",
        226);
    row("GPU lost, in the output", exited(15),
        "Unable to determine the device handle for GPU 0000:3B:00.0: GPU is lost.  Reboot the system\n", -1205);
    row("off the bus, in the output", exited(1), "RuntimeError: GPU has fallen off the bus\nstep\n", -1205);
    row("driver API", exited(1), "failed to allocate 2G: CUDA_ERROR_OUT_OF_MEMORY: out of memory\n", 226);
    row("TensorFlow", exited(1), "tensorflow.ResourceExhaustedError: OOM when allocating tensor with shape[9]\n", 221);
    row("argparse", exited(2), "usage: x\nx.py: error: unrecognized arguments: --foo\n", 228);
    row("argparse value", exited(2), "x.py: error: argument --n: invalid int value: 'x'\n", 228);
    row("checkpoint", exited(1), "RuntimeError: PytorchStreamReader failed reading zip archive: not a ZIP\n", 229);
    row("index", exited(1), "IndexError: list index out of range\n", 233);
    row("ranks in front", exited(1), "[1,0]<stderr>:ModuleNotFoundError: No module named 'x'\n", 232);
    row("rank in front", exited(1), "[rank3]: SyntaxError: invalid syntax\n", 231);
    row("core dump", exited(1), "task.sh: line 1:  9 Aborted                 (core dumped) ./x\n", 235);
    row("file order, not log order", exited(1), "IndexError: a\nCUDA_ERROR_OUT_OF_MEMORY\n", 226);
}

void TstExitRules::codes()
{
    QFETCH(RawExit, exit);
    QFETCH(QByteArray, log);
    QFETCH(int, code);
    const Classified result = classifyExit(ExitRules::bundled(), exit, log);
    QCOMPARE(result.code, code);
    QVERIFY(code == 0 || !result.reason.isEmpty() || !result.rule.isEmpty());
    for (const QByteArray &line : result.matched.isEmpty() ? QList<QByteArray>() : QList<QByteArray>{result.matched}) {
        QVERIFY(log.contains(line));
    }
}

// Lines that a failed job may well have without being failed by them.
void TstExitRules::harmless_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const char *line : {"core dumped", "WARNING: caught ImportError: falling back to the slow path",
             "no core dumped, all is well", "invalid argument: using the default instead", "e2r[no 2] errno 2",
             "FileNotFoundError: [Errno 2] No such file or directory: 'x'",
             "To avoid CUDA out of memory errors, reduce it", "Segmentation fault rate: 0", "parsing NameError: docs",
             "error: argument", "# IndexError: see below", "ResourceExhaustedError: too many requests",
             "unrecognized arguments: none"}) {
        QTest::newRow(line) << QByteArray(line);
    }
}

void TstExitRules::harmless()
{
    QFETCH(QByteArray, line);
    RawExit exit;
    exit.value = 1;
    QCOMPARE(classifyExit(ExitRules::bundled(), exit, QByteArray("begin\n" + line + "\nend\n")).code, 255);
}

void TstExitRules::reasons()
{
    RawExit exit;
    exit.value = 7;
    exit.phase = Phase::Before;
    exit.step = u"data"_s;
    Classified result = classifyExit(ExitRules::bundled(), exit, "");
    QCOMPARE(result.reason, u"exit.step"_s);
    QCOMPARE(result.reasonArgs, (QJsonObject{{u"step"_s, u"data"_s}, {u"status"_s, 7}}));
    exit = RawExit{};
    exit.kind = Kind::StartFailed;
    exit.value = ENOENT;
    exit.reason = u"launch.cwd-missing /data/my files"_s;
    result = classifyExit(ExitRules::bundled(), exit, "");
    QCOMPARE(result.reason, u"launch.cwd-missing"_s);
    QCOMPARE(result.reasonArgs, (QJsonObject{{u"detail"_s, u"/data/my files"_s}, {u"errno"_s, ENOENT}}));
    QVERIFY(!rawExitOf(exit));
    exit = RawExit{};
    exit.value = 1;
    result = classifyExit(ExitRules::bundled(), exit, "a\n  ImportError: x\n");
    QCOMPARE(result.code, 255); // indented: quoted by somebody
    result = classifyExit(ExitRules::bundled(), exit, "a\nImportError: x\r\nb\n");
    QCOMPARE(result.matched, QByteArray("ImportError: x"));
    QCOMPARE(result.rule, u"ContainerImportError"_s);
}

void TstExitRules::findings_data()
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

void TstExitRules::findings()
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

void TstExitRules::pythonErrors_data()
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

void TstExitRules::pythonErrors()
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
void TstExitRules::causes_data()
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

void TstExitRules::causes()
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

// As a server does it: the first rule that matches anywhere.
void TstExitRules::upstreamOrder()
{
    RawExit exit;
    exit.value = 1;
    const QByteArray output = "NameError: x\nImportError: y\n";
    QCOMPARE(classifyExit(ExitRules::bundled(), exit, output).code, 232);
    exit.upstreamOrder = true;
    QCOMPARE(classifyExit(ExitRules::bundled(), exit, output).code, 231);
}

void TstExitRules::parse_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("error");
    const QString invalid = u"exitrules.invalid"_s;
    QTest::newRow("empty object") << QByteArray("{}") << QString();
    QTest::newRow("no JSON") << QByteArray("code: 1") << u"exitrules.json"_s;
    QTest::newRow("nothing") << QByteArray() << u"exitrules.json"_s;
    QTest::newRow("list") << QByteArray("[]") << invalid;
    QTest::newRow("entry without a code") << QByteArray(R"({"entries": [{"phrase": "x"}]})") << invalid;
    QTest::newRow("code of half") << QByteArray(R"({"entries": [{"code": 1.5}]})") << invalid;
    QTest::newRow("code twice") << QByteArray(R"({"entries": [{"code": 1}, {"code": 1}]})") << u"exitrules.twice"_s;
    QTest::newRow("bad pattern") << QByteArray(R"({"rules": [{"code": 1, "hint": "a", "pattern": "("}]})")
                                 << u"exitrules.pattern"_s;
    QTest::newRow("matches everything") << QByteArray(R"({"rules": [{"code": 1}]})") << invalid;
    QTest::newRow("pattern without a hint") << QByteArray(R"({"rules": [{"code": 1, "pattern": "x"}]})") << invalid;
    QTest::newRow("rules as a map") << QByteArray(R"({"rules": {"code": 1}})") << invalid;
    QTest::newRow("a rule as a number") << QByteArray(R"({"rules": [7]})") << invalid;
    QTest::newRow("an exit as a text") << QByteArray(R"({"rules": [{"code": 1, "exits": ["9"]}]})") << invalid;
    QTest::newRow("good") << QByteArray(R"({"rules": [{"code": 240, "exits": [9], "hint": "quota", "pattern": "^q"}]})")
                          << QString();
}

void TstExitRules::parse()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, error);
    const auto rules = ExitRules::parse(json);
    QCOMPARE(rules ? QString() : rules.error().code, error);
    if (!rules) {
        return;
    }
    RawExit exit;
    exit.value = 9;
    if (!rules->rules().isEmpty()) {
        QCOMPARE(classifyExit(*rules, exit, "quota exceeded\n").code, 240);
        QCOMPARE(classifyExit(*rules, exit, "the quota\n").code, 255);
        exit.value = 8;
        QCOMPARE(classifyExit(*rules, exit, "quota exceeded\n").code, 255);
    }
}

// A user's own table, before the bundled one.
void TstExitRules::own()
{
    const Result<ExitRules> rules = ExitRules::bundled().withOwn(R"json({
        "about": "of our lab",
        "entries": [
            {"code": 240, "phrase": "QuotaExceeded", "behavior": "PERMANENT", "reason": "The quota is used up."},
            {"code": 241, "phrase": "LicenceBusy", "behavior": "TRANSIENT_NORMAL", "reason": "No licence is free."},
            {"code": 137, "behavior": "UNKNOWN", "reason": "Killed."}],
        "rules": [
            {"code": 241, "exits": [42]},
            {"code": 240, "hint": "ImportError: quota"}],
        "findings": [
            {"name": "quota", "reason": "{1} has no room left.", "lines": [{"hint": "quota", "pattern": "quota of (\\w+)"}]
},
            {"name": "port-in-use", "reason": "Ask Ada.", "lines": [{"hint": "Address already in use"}]}]
})json");
    QVERIFY2(rules, rules ? "" : qPrintable(rules.error().code));
    QCOMPARE(rules->entries().size(), ExitRules::bundled().entries().size() + 2);
    QCOMPARE(rules->entryFor(240).reaction, u"NEVER_RETRY"_s);
    QCOMPARE(rules->entryFor(241).reaction, u"ALWAYS_RETRY"_s);
    // What was not named stays.
    QCOMPARE(rules->entryFor(137).phrase, u"ContainerSigKillReceived"_s);
    QCOMPARE(rules->entryFor(137).reaction, u"RETRY_TO_MAX"_s);
    QCOMPARE(rules->entryFor(137).reason, u"Killed."_s);
    RawExit exit;
    exit.value = 42;
    QCOMPARE(classifyExit(*rules, exit, "").code, 241);
    // A rule without a finding says what its entry says.
    QVERIFY(classifyExit(*rules, exit, "").saysOwnWords);
    QCOMPARE(classifyExit(*rules, exit, "").reason, u"exit.found"_s);
    QCOMPARE(classifyExit(*rules, exit, "").reasonArgs.value("reason"_L1).toString(), u"No licence is free."_s);
    QVERIFY(!classifyExit(*rules, exit, "the quota of ada\n").saysOwnWords); // the finding says more
    exit.value = 1;
    QCOMPARE(classifyExit(*rules, exit, "ImportError: quota of ada\n").code, 240);
    QCOMPARE(classifyExit(*rules, exit, "ImportError: quota of ada\n").rule, u"QuotaExceeded"_s);
    QCOMPARE(classifyExit(*rules, exit, "ImportError: x\n").code, 232); // the bundled ones come after
    QCOMPARE(classifyExit(*rules, exit, "the quota of ada\n").reasonArgs.value("reason"_L1).toString(),
        u"ada has no room left."_s);
    QCOMPARE(
        classifyExit(*rules, exit, "Address already in use\n").reasonArgs.value("reason"_L1).toString(), u"Ask Ada."_s);
    exit.value = 0;
    QCOMPARE(classifyExit(*rules, exit, "ImportError: quota\n").code, 0); // no table makes a success fail

    const Result<ExitRules> alone
        = ExitRules::bundled().withOwn(R"({"onlyOwnRules": true, "rules": [{"code": 220, "exits": [42]}]})");
    QVERIFY(alone);
    exit.value = 42;
    QCOMPARE(classifyExit(*alone, exit, "").code, 220);
    QVERIFY(!classifyExit(*alone, exit, "").saysOwnWords); // the words of 220 are the bundled ones
    exit.value = 1;
    QCOMPARE(classifyExit(*alone, exit, "ImportError: x\n").code, 255);
    QCOMPARE(alone->entryFor(232).phrase, u"ContainerImportError"_s); // codes keep their meaning

    // What the engine decides by.
    QCOMPARE(exitClassOf(ExitRules::bundled(), 241), ExitClass::Unknown);
    QCOMPARE(exitClassOf(ExitRules::bundled(), 137), ExitClass::Transient);
    QCOMPARE(exitClassOf(*rules, 241), ExitClass::Transient);
    QCOMPARE(exitClassOf(*rules, 240), ExitClass::Permanent);
    QCOMPARE(exitClassOf(*rules, 137), ExitClass::Unknown);
    QVERIFY(decideRetry(*rules, true, 0, 0, 241).retry);
    QVERIFY(!decideRetry(ExitRules::bundled(), true, 0, 0, 241).retry);
}

void TstExitRules::ownMistakes_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("error");
    QTest::newRow("wrong name") << QByteArray(R"({"rule": []})") << u"exitrules.unknown"_s;
    QTest::newRow("list") << QByteArray("[]") << u"exitrules.invalid"_s;
    QTest::newRow("failure as success") << QByteArray(R"({"rules": [{"code": 0, "exits": [3]}]})")
                                        << u"exitrules.reserved"_s;
    QTest::newRow("a stop") << QByteArray(R"({"entries": [{"code": -210, "behavior": "UNKNOWN"}]})")
                            << u"exitrules.reserved"_s;
    QTest::newRow("no entry") << QByteArray(R"({"rules": [{"code": 244, "exits": [3]}]})") << u"exitrules.no-entry"_s;
    QTest::newRow("no words") << QByteArray(R"({"entries": [{"code": 244, "phrase": "X", "behavior": "UNKNOWN"}]})")
                              << u"exitrules.invalid"_s;
    QTest::newRow("behaviour") << QByteArray(R"({"entries": [{"code": 137, "behavior": "RETRY"}]})")
                               << u"exitrules.invalid"_s;
    QTest::newRow("behaviour of success")
        << QByteArray(R"({"entries": [{"code": 137, "behavior": "SUCCEEDED"}]})") << u"exitrules.invalid"_s;
    QTest::newRow("number for words") << QByteArray(R"({"entries": [{"code": 137, "reason": 7}]})")
                                      << u"exitrules.invalid"_s;
    QTest::newRow("twice") << QByteArray(R"({"entries": [{"code": 137}, {"code": 137}]})") << u"exitrules.twice"_s;
    QTest::newRow("pattern") << QByteArray(
        R"({"findings": [{"name": "x", "reason": "y", "lines": [{"hint": "a", "pattern": "["}]}]})")
                             << u"exitrules.pattern"_s;
    QTest::newRow("only") << QByteArray(R"({"onlyOwnRules": "yes"})") << u"exitrules.invalid"_s;
}

void TstExitRules::ownMistakes()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, error);
    const Result<ExitRules> rules = ExitRules::bundled().withOwn(json);
    QCOMPARE(rules ? QString() : rules.error().code, error);
}

// The end of a huge log, and one without line ends.
void TstExitRules::longLog()
{
    QByteArray log;
    while (log.size() < 40 * 1024 * 1024) {
        log += "step 17 loss 0.25 caught ImportError: in passing, as often before\n";
    }
    RawExit exit;
    exit.value = 1;
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(classifyExit(ExitRules::bundled(), exit, log).code, 255);
    const qint64 many = timer.restart();
    QCOMPARE(classifyExit(ExitRules::bundled(), exit, QByteArray("IndexError: far away\n" + log)).code, 255);
    QCOMPARE(classifyExit(ExitRules::bundled(), exit, QByteArray(log + "IndexError: x\n")).code, 233);
    timer.restart();
    const QByteArray plain = QByteArray(99, 'x').append('\n').repeated(10 * 1024 * 1024 / 100);
    timer.restart();
    QCOMPARE(classifyExit(ExitRules::bundled(), exit, plain).code, 255);
    const qint64 nothing = timer.restart();
    const QByteArray flat = QByteArray("ImportError: ").repeated(800000);
    classifyExit(ExitRules::bundled(), exit, flat);
    qInfo("10 MiB without a hint %lld ms, with one on every line %lld ms, on one line %lld ms", nothing, many,
        timer.elapsed());
    QVERIFY(many < 10000 && timer.elapsed() < 10000);
}

// The wordings of bash, dash, zsh and env, as they print them.
void TstExitRules::missingCommands_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("command");
    const auto row = [](const char *name, int status, const QByteArray &log, const char *reason, const char *command) {
        QTest::newRow(name) << status << log << QString::fromLatin1(reason) << QString::fromUtf8(command);
    };
    row("bash", 127, "/a b/runs/0/w-0/0/task.sh: line 3: trainn: command not found\n", "exit.command-missing",
        "trainn");
    row("later output", 127, "/t/task.sh: line 3: trainn: command not found\nstill from another process\n",
        "exit.command-missing", "trainn");
    row("the last one", 127, "x: line 1: a: command not found\nx: line 2: b: command not found\n",
        "exit.command-missing", "b");
    row("blanks", 127, "t: line 3: my train: command not found\n", "exit.command-missing", "my train");
    row("a script", 127, "t: line 9: ./train.sh: No such file or directory\n", "exit.command-missing", "./train.sh");
    row("an interpreter", 127, "t: line 9: ./train.sh: /bin/zsh: bad interpreter: No such file or directory\n",
        "exit.command-missing", "/bin/zsh");
    row("bash -c", 127, "bash: trainn: command not found\n", "exit.command-missing", "trainn");
    row("dash", 127, "sh: 1: trainn: not found\n", "exit.command-missing", "trainn");
    row("zsh", 127, "zsh:1: command not found: trainn\n", "exit.command-missing", "trainn");
    row("env", 127, "/usr/bin/env: \xe2\x80\x98python9\xe2\x80\x99: No such file or directory\n",
        "exit.command-missing", "python9");
    row("denied", 126, "t: line 2: ./train.sh: Permission denied\n", "exit.command-denied", "./train.sh");
    row("a folder", 126, "t: line 2: /tmp: Is a directory\n", "exit.command-denied", "/tmp");
    row("not for here", 126, "t: line 2: ./x: cannot execute binary file: Exec format error\n", "exit.command-denied",
        "./x");
    row("a library", 127,
        "./x: error while loading shared libraries: libz.so: cannot open shared object file: No such file or "
        "directory\n",
        "exit.user", "");
    row("says nothing", 127, "step 1\n", "exit.user", "");
    row("empty", 127, "", "exit.user", "");
    row("another status", 1, "t: line 3: trainn: command not found\n", "exit.user", "");
}

void TstExitRules::missingCommands()
{
    QFETCH(int, status);
    QFETCH(QByteArray, log);
    QFETCH(QString, reason);
    QFETCH(QString, command);
    RawExit exit;
    exit.value = status;
    Classified classified;
    classified.code = 255;
    classified.reason = u"exit.user"_s;
    nameMissingCommand(exit, log, &classified);
    QCOMPARE(classified.reason, reason);
    QCOMPARE(classified.reasonArgs.value("command"_L1).toString(), command);
    QCOMPARE(classified.code, 255);
    exit.phase = RawExit::Phase::Before; // a prerequisite's words are not the program's
    classified.reason = u"exit.step"_s;
    nameMissingCommand(exit, log, &classified);
    QCOMPARE(classified.reason, u"exit.step"_s);
}

TRAINYARD_TEST(TstExitRules)
#include "tst_exitrules.moc"
