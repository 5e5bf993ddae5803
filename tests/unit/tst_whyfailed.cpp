// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/whyfailed.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QJsonObject>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Outputs as the programs write them, with the cause that a person would name.
class TstWhyFailed : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void python_data();
    void python() { check(); }
    void severalErrors_data();
    void severalErrors() { check(); }
    void programs_data();
    void programs() { check(); }
    void endings_data();
    void endings() { check(); }
    void hardware_data();
    void hardware() { check(); }
    void notCertain_data();
    void notCertain();
    void arguments_data();
    void arguments();
    void lineNumbers();
    void longOutputs();
    void oddBytes_data();
    void oddBytes();
    void badTables_data();
    void badTables();

private:
    static void columns();
    static void row(const char *name, int status, const QByteArray &output, const char *cause, const char *evidence,
        const char *frame = "");
    static void check();
};

namespace
{

// A traceback with frames "file:line:function", the innermost one last.
QByteArray traceback(const QList<QByteArray> &frames, const QByteArray &error, const QByteArray &prefix = {})
{
    QByteArray text = prefix + "Traceback (most recent call last):\n";
    for (const QByteArray &frame : frames) {
        const QList<QByteArray> parts = frame.split(':');
        text += prefix + "  File \"" + parts.at(0) + "\", line " + parts.at(1) + ", in " + parts.at(2) + "\n" + prefix
            + "    " + (parts.size() > 3 ? parts.at(3) : QByteArray("go(x)")) + "\n";
    }
    for (const QByteArray &line : error.split('\n')) {
        text += prefix + line + "\n";
    }
    return text;
}

const QByteArray during = "\nDuring handling of the above exception, another exception occurred:\n\n";
const QByteArray direct = "\nThe above exception was the direct cause of the following exception:\n\n";
const QByteArray torchLib = "/opt/env/lib/python3.11/site-packages/torch/";

QByteArray torchrunTable(const QByteArray &exitCode = "1", const QByteArray &said = "To enable traceback see: docs")
{
    return "E0312 10:00:01.000000 77 site-packages/torch/distributed/elastic/multiprocessing/api.py:874] failed "
           "(exitcode: "
        + exitCode + ") local_rank: 1 (pid: 912) of binary: /opt/env/bin/python\n"
        + traceback({"/opt/env/bin/torchrun:8:<module>", torchLib + "distributed/run.py:918:main",
                        torchLib + "distributed/launcher/api.py:269:launch_agent:raise ChildFailedError("},
            "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ")
        + "============================================================\ntrain.py FAILED\n"
          "------------------------------------------------------------\nFailures:\n  <NO_OTHER_FAILURES>\n"
          "------------------------------------------------------------\nRoot Cause (first observed failure):\n[0]:\n"
          "  time      : 2026-03-12_10:00:01\n  host      : n1\n  rank      : 1 (local_rank: 1)\n  exitcode  : "
        + exitCode + " (pid: 912)\n  error_file: <N/A>\n  traceback : " + said
        + "\n============================================================\n";
}

FailureFacts whyOf(std::optional<int> status, const QByteArray &output)
{
    return core::whyFailed(FailureCauses::bundled(), {.status = status, .output = output});
}

} // namespace

void TstWhyFailed::columns()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("cause");
    QTest::addColumn<QString>("evidence");
    QTest::addColumn<QString>("frame");
}

void TstWhyFailed::row(
    const char *name, int status, const QByteArray &output, const char *cause, const char *evidence, const char *frame)
{
    QTest::newRow(name) << status << output << QString::fromUtf8(cause) << QString::fromUtf8(evidence)
                        << QString::fromUtf8(frame);
}

void TstWhyFailed::check()
{
    QFETCH(int, status);
    QFETCH(QByteArray, output);
    QFETCH(QString, cause);
    QFETCH(QString, evidence);
    QFETCH(QString, frame);
    const FailureFacts facts = whyOf(status, output);
    QVERIFY2(facts.cause == cause && facts.text.contains(evidence),
        qPrintable(u"%1 (%2), line %3: %4"_s.arg(facts.cause, facts.certainty).arg(facts.line).arg(facts.text)));
    QCOMPARE(facts.file.isEmpty() ? QString() : facts.file.section(u'/', -1) + u':' + QString::number(facts.fileLine),
        frame);
    // The line is where it says it is.
    const QList<QByteArray> lines = output.split('\n');
    QVERIFY(facts.line >= 1 && facts.line <= lines.size());
    QVERIFY2(lines.at(facts.line - 1).contains(evidence.toUtf8()), lines.at(facts.line - 1).constData());
}

void TstWhyFailed::python_data()
{
    columns();
    row("an error of the program", 1,
        "epoch 1\n" + traceback({"/w/train.py:30:<module>", "/w/data.py:12:load"}, "KeyError: 'lr'"), "user-code-error",
        "KeyError: 'lr'", "data.py:12");
    row("below a package", 1,
        traceback({"/w/train.py:30:<module>", torchLib + "nn/modules/module.py:1511:_call_impl"},
            "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x512 and 256x10)"),
        "shape-mismatch", "32x512 and 256x10", "train.py:30");
    row("behind a progress bar", 1,
        "  3%|3         | 12/400 [00:03<01:40]\r  4%|4  | 13/400 [00:04<01:39]"
            + traceback({"run.py:5:<module>"}, "ValueError: bad split"),
        "user-code-error", "bad split", "run.py:5");
    row("cut off at the start", 1,
        "    return f(x)\n  File \"/w/model.py\", line 44, in forward\n    return self.a + b\n"
        "RuntimeError: The size of tensor a (77) must match the size of tensor b (64) at non-singleton dimension 1\n",
        "shape-mismatch", "tensor a (77)", "model.py:44");
    row("state dict", 1,
        traceback({"/w/eval.py:9:<module>", torchLib + "nn/modules/module.py:2189:load_state_dict:raise RuntimeError("},
            "RuntimeError: Error(s) in loading state_dict for Net:\n\tsize mismatch for head.weight: copying a param "
            "with "
            "shape torch.Size([10, 64]) from checkpoint, the shape in current model is torch.Size([7, 64])."),
        "checkpoint-mismatch", "Error(s) in loading state_dict", "eval.py:9");
    row("syntax", 1, "  File \"/w/train.py\", line 12\n    def f(:\n          ^\nSyntaxError: invalid syntax\n",
        "syntax-error", "SyntaxError", "train.py:12");
    row("module", 1, traceback({"/w/train.py:3:<module>"}, "ModuleNotFoundError: No module named 'einops'"),
        "module-missing", "einops", "train.py:3");
    row("name from module", 1,
        traceback(
            {"/w/train.py:3:<module>"}, "ImportError: cannot import name 'AdamW' from 'transformers' (/opt/env/x.py)"),
        "import-error", "AdamW", "train.py:3");
    row("shapes of Keras", 1,
        traceback({"/w/a.py:3:<module>"}, "ValueError: Shapes (32, 1) and (32, 10) are incompatible"), "shape-mismatch",
        "(32, 1)", "a.py:3");
    row("a size that is not the expected one", 1,
        traceback(
            {"/w/a.py:3:<module>"}, "RuntimeError: input.size(-1) must be equal to input_size. Expected 10, got 20"),
        "shape-mismatch", "Expected 10", "a.py:3");
    row("an argument that is not the expected one", 1,
        traceback({"/w/a.py:3:<module>"}, "TypeError: run() expected 2 arguments, got 3"), "user-code-error", "got 3",
        "a.py:3");
    row("data that are not finite", 1, traceback({"/w/a.py:3:<module>"}, "ValueError: Input X contains NaN."),
        "data-not-finite", "contains NaN", "a.py:3");
    row("a process that was killed", 1,
        traceback({"/w/a.py:3:<module>", torchLib + "multiprocessing/spawn.py:140:join"},
            "torch.multiprocessing.spawn.ProcessExitedException: process 1 terminated with signal SIGKILL"),
        "killed", "SIGKILL", "a.py:3");
    row("modules that import each other", 1,
        traceback({"/w/a.py:1:<module>", "/w/b.py:1:<module>"},
            "ImportError: cannot import name 'f' from partially initialized module 'a' (most likely due to a circular "
            "import)"),
        "import-error", "circular import", "b.py:1");
    row("file", 1,
        traceback(
            {"/w/train.py:3:<module>"}, "FileNotFoundError: [Errno 2] No such file or directory: '/data/train.json'"),
        "file-missing", "/data/train.json", "train.py:3");
    row("permission", 1,
        traceback({"/w/train.py:3:<module>"}, "PermissionError: [Errno 13] Permission denied: '/out/a'"),
        "permission-denied", "/out/a", "train.py:3");
    row("numpy's memory", 1,
        traceback({"/w/prep.py:3:<module>"},
            "numpy.core._exceptions._ArrayMemoryError: Unable to allocate 74.5 GiB for an array with shape (100000, "
            "100000) "
            "and data type float64"),
        "host-oom", "74.5 GiB", "prep.py:3");
    row("json", 1,
        traceback(
            {"/w/a.py:3:<module>", "/usr/lib/python3.12/json/decoder.py:355:raw_decode:raise JSONDecodeError(\"x\")"},
            "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)"),
        "data-format", "Expecting value", "a.py:3");
    row("assertion without words", 1, traceback({"/w/a.py:3:<module>"}, "AssertionError"), "user-code-error",
        "AssertionError", "a.py:3");
    row("class of a package", 1, traceback({"/w/a.py:3:<module>"}, "lightning.fabric.Strange: no"), "user-code-error",
        "Strange", "a.py:3");
    row("an argument parser", 2, "usage: t.py [-h] [--lr LR]\nt.py: error: argument --lr: invalid float value: 'big'\n",
        "bad-arguments", "--lr");
    row("click", 2, "Usage: t.py [OPTIONS]\nTry 't.py --help' for help.\n\nError: No such option: --bach-size\n",
        "bad-arguments", "--bach-size");
    row("hydra", 1,
        "Could not override 'model.depht'.\nTo append to your config use +model.depht=3\nKey 'depht' is not in struct\n"
        "    full_key: model.depht\n    object_type=dict\n\nSet the environment variable HYDRA_FULL_ERROR=1 for a "
        "complete "
        "stack trace.\n",
        "config-error", "model.depht");
    row("a program that Python starts", 1,
        traceback(
            {"/w/a.py:4:<module>", "/usr/lib/python3.10/subprocess.py:1863:_execute_child:raise child_exception_type("},
            "FileNotFoundError: [Errno 2] No such file or directory: 'ffmpeg'"),
        "command-missing", "ffmpeg", "a.py:4");
    row("a message between rules", 1,
        traceback({"/w/a.py:4:<module>"},
            "LookupError: \n**********\n  Resource punkt not found.\n  Please use the NLTK Downloader to obtain the "
            "resource:"),
        "file-missing", "Resource punkt", "a.py:4");
    row("a display", 1,
        traceback({"/w/a.py:4:<module>"}, "_tkinter.TclError: no display name and no $DISPLAY environment variable"),
        "no-display", "DISPLAY", "a.py:4");
    row("a lock", 1,
        traceback({"/w/d.py:8:<module>", "/opt/e/lib/python3.10/site-packages/h5py/_hl/files.py:561:__init__"},
            "BlockingIOError: [Errno 11] Unable to open file (unable to lock file, errno = 11, error message = "
            "'Resource "
            "temporarily unavailable')"),
        "file-locked", "unable to lock file", "d.py:8");
    row("room for the cache of a server", 1,
        traceback({"/opt/v/lib/python3.12/site-packages/vllm/engine.py:57:run"},
            "ValueError: max seq len (131072): 16.00 GiB KV cache is needed, which is larger than the available KV "
            "cache "
            "memory (7.12 GiB)."),
        "gpu-oom", "KV cache");
    row("what a spawned process cannot read", 1,
        traceback({"/w/run.py:40:<module>", "/usr/lib/python3.10/multiprocessing/reduction.py:60:dump"},
            "AttributeError: Can't pickle local object 'make.<locals>.<lambda>'")
            + traceback({"<string>:1:<module>", "/usr/lib/python3.10/multiprocessing/spawn.py:126:_main"},
                "EOFError: Ran out of input"),
        "user-code-error", "Can't pickle", "run.py:40");
    row("diverged in other words", 1,
        traceback({"/w/tr.py:9:<module>"}, "FloatingPointError: Loss became infinite or NaN at iteration=121!"),
        "diverged", "infinite or NaN", "tr.py:9");
    row("diverged", 1, "step 10 loss 3.1\nLoss is nan, stopping training\n", "diverged", "Loss is nan");
    row("gated", 1,
        traceback({"/w/a.py:3:<module>", "/opt/env/lib/python3.11/site-packages/huggingface_hub/x.py:9:f:raise x"},
            "huggingface_hub.errors.GatedRepoError: 401 Client Error. (Request ID: Root=1-2)")
            + direct
            + traceback(
                {"/w/a.py:3:<module>", "/opt/env/lib/python3.11/site-packages/transformers/hub.py:9:f:raise OSError("},
                "OSError: You are trying to access a gated repo.\nMake sure to have access to it."),
        "hub-auth", "GatedRepoError", "a.py:3");
    row("IPython", 1,
        "---------------------------------------------------------------------------\nModuleNotFoundError              "
        "         "
        "Traceback (most recent call last)\nFile ~/proj/nb.py:3, in <module>\n      1 import os\n----> 3 import "
        "seaborn\n\n"
        "ModuleNotFoundError: No module named 'seaborn'\n",
        "module-missing", "No module named", "nb.py:3");
    row("a frame of rich", 1,
        "╭───────── Traceback (most recent call last) ─────────╮\n│ /w/t.py:40 in <module>                             "
        " │\n"
        "│ ❱ 40 main()                                         │\n│ /w/t.py:12 in main                                 "
        " │\n"
        "╰─────────────────────────────────────────────────────╯\nValueError: bad thing\n",
        "user-code-error", "bad thing", "t.py:12");
    row("loguru", 1,
        "2026-01-01 00:00:00.000 | ERROR    | __main__:<module>:40 - An error has been caught:\nTraceback (most recent "
        "call "
        "last):\n\n> File \"/w/t.py\", line 40, in <module>\n    main()\n    └ <function main at 0x7>\n\n  File "
        "\"/w/t.py\", line "
        "12, in main\n    raise ValueError('bad thing')\n\nValueError: bad thing\n",
        "user-code-error", "bad thing", "t.py:12");
    row("what stands behind the traceback", 1,
        traceback({"/w/k.py:44:<module>", "/opt/env/lib/python3.11/site-packages/keras/t.py:70:error_handler:raise e"},
            "tensorflow.python.framework.errors_impl.ResourceExhaustedError: Graph execution error:")
            + "\nDetected at node 'conv' defined at (most recent call last):\nOOM when allocating tensor with "
              "shape[64,512,112,112] "
              "and type float on GPU:0 by allocator GPU_0_bfc\n",
        "gpu-oom", "OOM when allocating", "k.py:44");
    row("a connection that broke", 1,
        traceback({"/w/a.py:3:<module>"},
            "requests.exceptions.SSLError: HTTPSConnectionPool(host='h', port=443): Max retries exceeded "
            "(Caused by SSLError(SSLEOFError(8, '[SSL: UNEXPECTED_EOF_WHILE_READING] EOF occurred')))"),
        "tls-failed", "SSLEOFError", "a.py:3");
    row("device", 1,
        traceback({"/w/a.py:3:<module>"},
            "RuntimeError: Expected all tensors to be on the same device, but found at least two "
            "devices, cuda:1 and cpu!"),
        "device-mismatch", "cuda:1", "a.py:3");
}

void TstWhyFailed::severalErrors_data()
{
    columns();
    const QByteArray oom = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total "
                           "capacity of 23.65 GiB of which 1.1 GiB is free.";
    row("a table of torchrun", 1,
        traceback(
            {"/w/train.py:40:<module>", "/w/train.py:22:step"}, "ZeroDivisionError: division by zero", "[rank1]: ")
            + "[rank0]:[W312 10:00:00.0 ProcessGroupNCCL.cpp:1496] Warning: destroy_process_group() was not called\n"
            + torchrunTable(),
        "user-code-error", "division by zero", "train.py:22");
    row("ranks after the first", 1,
        traceback({"/w/train.py:40:<module>"}, oom, "[rank3]: ")
            + traceback({"/w/train.py:41:<module>", torchLib + "distributed/c.py:9:all_reduce"},
                "torch.distributed.DistBackendError: NCCL error in: NCCLUtils.hpp:219, remote process exited or there "
                "was a "
                "network error",
                "[rank0]: ")
            + torchrunTable(),
        "gpu-oom", "[rank3]: torch.OutOfMemoryError", "train.py:40");
    row("ranks before the first", 1,
        traceback({"/w/train.py:41:<module>"},
            "RuntimeError: [gloo/transport/tcp/pair.cc:534] Connection closed by peer [10.0.0.2]:4")
            + "step 7\nstep 8\n" + traceback({"/w/main.py:9:<module>", "/w/main.py:4:read"}, "KeyError: 'dog'"),
        "user-code-error", "dog", "main.py:4");
    row("interleaved ranks", 1,
        "[rank0]: Traceback (most recent call last):\n[rank1]: Traceback (most recent call last):\n"
        "[rank0]:   File \"/w/a.py\", line 7, in <module>\n[rank1]:   File \"/w/a.py\", line 7, in <module>\n"
        "[rank0]:     f()\n[rank1]:     f()\n[rank1]: IndexError: list index out of range\n"
        "[rank0]: IndexError: list index out of range\n",
        "user-code-error", "IndexError", "a.py:7");
    row("a worker of the data loader", 1,
        traceback({"/w/train.py:50:<module>", torchLib + "_utils.py:722:reraise:raise exception"},
            "ValueError: Caught ValueError in DataLoader worker process 3.")
            + "Original "
            + traceback({torchLib + "utils/data/_utils/worker.py:309:_worker_loop", "/w/ds.py:71:__getitem__"},
                "ValueError: bad label 17")
            + "\n",
        "user-code-error", "bad label 17", "ds.py:71");
    row("spawn", 1,
        traceback(
            {"/w/m.py:9:<module>", torchLib + "multiprocessing/spawn.py:160:join:raise ProcessRaisedException(msg)"},
            "torch.multiprocessing.spawn.ProcessRaisedException: ")
            + "\n-- Process 1 terminated with the following error:\n"
            + traceback({torchLib + "multiprocessing/spawn.py:74:_wrap", "/w/m.py:4:work"}, "RuntimeError: no shard 1"),
        "user-code-error", "no shard 1", "m.py:4");
    row("a pool", 1,
        "multiprocessing.pool.RemoteTraceback: \n\"\"\"\n"
            + traceback(
                {"/usr/lib/python3.10/multiprocessing/pool.py:125:worker", "/w/p.py:6:clean"}, "ValueError: odd row")
            + "\"\"\"\n" + direct
            + traceback(
                {"/w/p.py:12:<module>", "/usr/lib/python3.10/multiprocessing/pool.py:774:get:raise self._value"},
                "ValueError: odd row"),
        "user-code-error", "odd row", "p.py:6");
    row("the script of a script", 1,
        traceback({"/w/inner.py:3:<module>"}, "KeyError: 'acc'")
            + traceback(
                {"/w/outer.py:8:<module>", "/usr/lib/python3.12/subprocess.py:571:run:raise CalledProcessError("},
                "subprocess.CalledProcessError: Command '['python', 'inner.py']' returned non-zero exit status 1."),
        "user-code-error", "acc", "inner.py:3");
    row("a probe before", 1,
        traceback({"/w/a.py:3:get"}, "KeyError: 'resnet9'") + during
            + traceback(
                {"/w/a.py:9:<module>", "/w/a.py:5:get:raise ValueError(\"x\")"}, "ValueError: unknown model resnet9"),
        "user-code-error", "unknown model", "a.py:5");
    row("passed on in other words", 1,
        traceback({"/w/a.py:3:load"}, "FileNotFoundError: [Errno 2] No such file or directory: 'cfg.json'") + direct
            + traceback({"/w/t.py:9:main:raise SystemError('x') from e"}, "SystemError: startup failed"),
        "file-missing", "cfg.json", "a.py:3");
    row("another way that failed", 1,
        traceback({"/w/a.py:3:<module>"}, "ModuleNotFoundError: No module named 'apex'") + during
            + traceback({"/w/t.py:1:<module>", "/w/a.py:5:setup"}, "TypeError: setup() missing 1 required argument"),
        "user-code-error", "setup() missing", "a.py:5");
    row("an error of the handler of a deep one", 1,
        traceback({"/w/t.py:9:main", "/w/d.py:4:get", "/w/d.py:7:deep"}, "KeyError: 'mask'") + during
            + traceback({"/w/t.py:12:main"}, "AttributeError: 'Cfg' object has no attribute 'log'"),
        "user-code-error", "mask", "d.py:7");
    row("an error of the handler", 1,
        traceback({"/w/a.py:3:save"}, "OSError: [Errno 28] No space left on device") + during
            + traceback({"/w/a.py:9:<module>", "/w/a.py:5:save"}, "UnboundLocalError: local variable 'f' referenced"),
        "disk-full", "Errno 28", "a.py:3");
    row("clean-up after", 1,
        traceback({"/w/a.py:3:<module>"}, oom) + "Exception ignored in: <function Loader.__del__ at 0x7f>\n"
            + traceback({"/opt/env/lib/python3.11/site-packages/x.py:3:__del__"},
                "AttributeError: 'NoneType' object has no attribute 'close'"),
        "gpu-oom", "CUDA out of memory", "a.py:3");
    row("clean-up that is printed twice", 1,
        traceback({"/w/a.py:3:<module>", "/w/a.py:2:launch"},
            "gpu.CUDARuntimeError: an illegal memory access was encountered")
            + traceback(
                {"gpu/api/driver.pyx:73:check"}, "gpu.CUDADriverError: an illegal memory access was encountered")
            + "Exception ignored in: 'gpu.Module.__dealloc__'\n"
            + traceback(
                {"gpu/api/driver.pyx:73:check"}, "gpu.CUDADriverError: an illegal memory access was encountered"),
        "gpu-fault", "CUDARuntimeError", "a.py:2");
    row("a group", 1,
        "  + Exception Group Traceback (most recent call last):\n  |   File \"/w/a.py\", line 9, in <module>\n  |     "
        "main()\n"
        "  | ExceptionGroup: unhandled errors (1 sub-exception)\n  +-+---------------- 1 ----------------\n"
        "    | Traceback (most recent call last):\n    |   File \"/w/b.py\", line 2, in g\n    |     x\n"
        "    | KeyError: 'mask'\n    +------------------------------------\n",
        "user-code-error", "mask", "b.py:2");
    row("two runs", 1,
        "Loading modules for training\nUsing host alpha node 3\nReading configuration from conf.yaml\nstep 1\n"
            + traceback({"/w/a.py:3:<module>"}, oom)
            + "Loading modules for training\nUsing host alpha node 4\nReading configuration from conf.yaml\nstep "
              "1\nstep 2\n"
            + traceback({"/w/a.py:8:<module>"}, "NameError: name 'lsos' is not defined"),
        "user-code-error", "lsos", "a.py:8");
    row("a launcher that died before", 1,
        traceback({"/opt/env/bin/torchrun:8:<module>", torchLib + "distributed/run.py:918:main"},
            "RuntimeError: The server socket has failed to bind to [::]:29511 (errno: 98 - Address already in use).")
            + "[rank0]:[E ProcessGroupNCCL.cpp:828] [Rank 0] Watchdog caught collective operation timeout: "
              "WorkNCCL(SeqNum=3, "
              "OpType=BROADCAST, Timeout(ms)=600000) ran for 600123 milliseconds before timing out.\n"
            + torchrunTable("-6", "Signal 6 (SIGABRT) received by PID 912"),
        "nccl-timeout", "OpType=BROADCAST");
    row("survived", 3,
        "ERROR:root:no cache, building it\n"
            + traceback({"/w/c.py:3:load"}, "FileNotFoundError: [Errno 2] No such file or directory: 'cache.pkl'")
            + "building the cache\nstep 1\nstep 2\n" + traceback({"/w/train.py:7:<module>"}, "ValueError: empty batch"),
        "user-code-error", "empty batch", "train.py:7");
    row("an optional command before", 1,
        "/var/spool/job/script: line 4: modul: command not found\n" + traceback({"/w/train.py:7:<module>"}, oom),
        "gpu-oom", "CUDA out of memory", "train.py:7");
    row("see root cause above", 1,
        "(EngineCore_0 pid=71) Process EngineCore_0:\n"
            + traceback({"/opt/env/lib/python3.12/site-packages/vllm/core.py:9:run"},
                "ValueError: No available memory for the cache blocks.", "(EngineCore_0 pid=71) ")
            + traceback(
                {"/w/serve.py:5:<module>", "/opt/env/lib/python3.12/site-packages/vllm/llm.py:9:f:raise RuntimeError("},
                "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}"),
        "gpu-oom", "cache blocks", "serve.py:5");
    row("Ray's frames below the error", 1,
        traceback(
            {"/w/m.py:20:<module>", "/opt/env/lib/python3.11/site-packages/ray/_private/worker.py:930:get:raise value"},
            "ray.exceptions.RayTaskError(ValueError): ray::Trainer.run() (pid=9, ip=10.0.0.1)")
            + "  File \"/w/m.py\", line 11, in run\n    raise ValueError('no data')\nValueError: no data\n",
        "user-code-error", "ValueError: no data", "m.py:11");
    row("a package that was not installed", 1,
        "ERROR: Could not find a version that satisfies the requirement flash-atn (from versions: none)\n"
        "ERROR: No matching distribution found for flash-atn\nstarting\n"
            + traceback({"/w/a.py:1:<module>"}, "ModuleNotFoundError: No module named 'flash_attn'"),
        "pip-not-found", "flash-atn", "a.py:1");
    row("an environment that was not activated", 127,
        "\nCondaError: Run 'conda init' before 'conda activate'\n\n/w/job.sh: line 7: accelerate: command not found\n",
        "conda-not-initialised", "conda init");
    row("nothing was cloned", 2,
        "Cloning into 'trainer'...\nfatal: unable to access 'https://git.example.org/a/trainer.git/': Could not "
        "resolve host: "
        "git.example.org\n/w/job.sh: line 3: cd: trainer: No such file or directory\n"
        "python3: can't open file '/w/train.py': [Errno 2] No such file or directory\n",
        "dns", "Could not resolve host: git.example.org");
    row("what a program did not leave", 1,
        traceback({"/w/train.py:7:<module>"}, oom) + "cp: cannot stat 'out/model.pt': No such file or directory\n",
        "gpu-oom", "CUDA out of memory", "train.py:7");
    row("processes of MPICH", 9,
        "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n=   RANK 3 PID 4321 RUNNING AT n1\n=   KILLED BY "
        "SIGNAL: 9 "
        "(Killed)\n",
        "killed", "KILLED BY SIGNAL");
    row("the thread of a queue", 1,
        "Exception in thread Thread-3 (_pin_memory_loop):\n"
            + traceback({"/usr/lib/python3.10/threading.py:1016:_bootstrap_inner"},
                "ConnectionResetError: [Errno 104] Connection reset by peer")
            + traceback({"/w/t.py:44:<module>"}, "ValueError: boom"),
        "user-code-error", "boom", "t.py:44");
    row("a child process", 1,
        "Process SpawnProcess-1:\n"
            + traceback(
                {"/usr/lib/python3.10/multiprocessing/process.py:314:_bootstrap", "/w/wk.py:3:go"}, "ValueError: nope")
            + traceback(
                {"/w/t.py:44:<module>", "/usr/lib/python3.10/multiprocessing/connection.py:383:_recv"}, "EOFError"),
        "user-code-error", "nope", "wk.py:3");
    row("a chain of a hub", 1,
        traceback({"/usr/lib/python3.10/socket.py:955:getaddrinfo"},
            "socket.gaierror: [Errno -3] Temporary failure in name resolution")
            + direct
            + traceback({"/opt/env/lib/python3.11/site-packages/urllib3/connectionpool.py:787:urlopen:raise new_e"},
                "urllib3.exceptions.NameResolutionError: <x>: Failed to resolve 'hub.example' ([Errno -3] Temporary "
                "failure in name resolution)")
            + during
            + traceback({"/w/run.py:12:<module>",
                            "/opt/env/lib/python3.11/site-packages/transformers/hub.py:446:f:raise EnvironmentError("},
                "OSError: We couldn't connect to 'https://hub.example' to load this file"),
        "dns", "gaierror", "run.py:12");
    row("workers without a reason", 1,
        traceback({"/w/a.py:3:<module>", torchLib + "utils/data/dataloader.py:1163:_try_get_data:raise RuntimeError("},
            "RuntimeError: DataLoader worker (pid(s) 8123, 8124) exited unexpectedly"),
        "process-died-unknown", "exited unexpectedly", "a.py:3");
    row("a rank that the others waited for", 143,
        traceback({"/w/t.py:9:main"}, "KeyError: 'y'", "[rank2]: ")
            + "slurmstepd: error: *** JOB 1 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO TIME LIMIT ***\n",
        "user-code-error", "KeyError", "t.py:9");
    row("cleared away by the time limit", 143,
        "step 1\nslurmstepd: error: *** STEP 1.0 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO TIME LIMIT ***\n"
            + traceback(
                {"/w/t.py:9:main"}, "RuntimeError: DataLoader worker (pid 7) is killed by signal: Terminated. "),
        "time-limit", "TIME LIMIT");
    row("steps of an image that is built", 1,
        "#9 [5/7] RUN pip install -r req.txt\n#9 5.1 Building wheels for collected packages: tools\n#9 7.1   error: "
        "subprocess-exited-with-error\n#9 7.1   \n#9 7.1       m.c:8:10: fatal error: Python.h: No such file or "
        "directory\n"
        "#9 7.1       compilation terminated.\n#9 7.1   ERROR: Failed building wheel for tools\n#9 ERROR: process "
        "\"/bin/sh "
        "-c pip install\" did not complete successfully: exit code: 1\n------\nERROR: failed to solve: process "
        "\"/bin/sh -c pip "
        "install\" did not complete successfully: exit code: 1\n",
        "build-failed", "Python.h");
    row("a file that is not copied into an image", 1,
        "------\n > [3/5] COPY req.txt /w/:\n------\nERROR: failed to solve: failed to calculate checksum of ref "
        "abc::def: "
        "\"/req.txt\": not found\n",
        "file-missing", "/req.txt");
    row("a logger with words of its own on the first line", 137,
        "ERROR 04-16 11:53:49 [core.py:387] The engine hit an exception: Traceback (most recent call last):\n"
        "ERROR 04-16 11:53:49 [core.py:387]   File \"/w/run.py\", line 26, in step\n"
        "ERROR 04-16 11:53:49 [core.py:387]     x.tolist()\n"
        "ERROR 04-16 11:53:49 [core.py:387] RuntimeError: CUDA error: an illegal memory access was "
        "encountered\nKilled\n",
        "gpu-fault", "illegal memory access", "run.py:26");
    row("a check of TensorFlow after the GPU failed", 134,
        "2024-02-19 13:19:11.9: E tensorflow/cuda_driver.cc:1011] could not synchronize: CUDA_ERROR_LAUNCH_FAILED: "
        "unspecified "
        "launch failure ::\n2024-02-19 13:19:12.3: F tensorflow/cuda_dnn.cc:194] Check failed: status == "
        "CUDNN_STATUS_SUCCESS "
        "(7 vs. 0)Failed to set the stream.\n",
        "gpu-fault", "unspecified launch failure");
    row("ranks that mpirun tags", 1,
        "[1,3]<stderr>:" + traceback({"/w/t.py:9:main"}, "KeyError: 'y'").trimmed().replace("\n", "\n[1,3]<stderr>:")
            + "\n----------------------------------------------------------------\nprterun detected that one or more "
              "processes "
              "exited with non-zero status,\nthus causing the job to be terminated.\n",
        "user-code-error", "KeyError", "t.py:9");
    row("services of compose", 1,
        "trainer-1  | " + traceback({"/w/t.py:9:main"}, "KeyError: 'y'").trimmed().replace("\n", "\ntrainer-1  | ")
            + "\ntrainer-1 exited with code 1\n",
        "user-code-error", "KeyError", "t.py:9");
    row("times before each line", 1,
        "2026-05-01T10:00:00.123456789Z "
            + traceback({"/w/t.py:9:main"}, "KeyError: 'y'")
                  .trimmed()
                  .replace("\n", "\n2026-05-01T10:00:00.223456789Z ")
            + "\n",
        "user-code-error", "KeyError", "t.py:9");
    row("a logger before each line", 1,
        traceback({"/opt/env/lib/python3.12/site-packages/vllm/core.py:387:run"},
            "ValueError: Free memory on device (3.1/23.6 GiB) on startup is less than desired GPU memory utilization "
            "(0.9).",
            "ERROR 05-01 12:00:00 [core.py:396] ")
            + traceback(
                {"/w/serve.py:5:<module>", "/opt/env/lib/python3.12/site-packages/vllm/u.py:9:f:raise RuntimeError("},
                "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}"),
        "gpu-oom", "Free memory", "serve.py:5");
    row("a compiler", 1,
        "/x/b.h:5:10: fatal error: cusparse.h: No such file or directory\n    5 | #include <cusparse.h>\n      |       "
        "   ^~~~\n"
        "compilation terminated.\nninja: build stopped: subcommand failed.\n"
            + traceback({"/w/setup.py:9:<module>",
                            torchLib + "utils/cpp_extension.py:1916:_run_ninja_build:raise RuntimeError(m)"},
                "RuntimeError: Error compiling objects for extension"),
        "build-failed", "cusparse.h", "setup.py:9");
    row("its memory", 1, "g++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.\n",
        "host-oom", "Killed signal");
    row("lines of srun", 1,
        "0: " + traceback({"/w/a.py:3:<module>"}, "KeyError: 'x'").trimmed().replace("\n", "\n0: ")
            + "\nsrun: error: n1: task 0: Exited with exit code 1\nsrun: Terminating StepId=12.0\n"
              "1: slurmstepd: error: *** STEP 12.0 ON n2 CANCELLED AT 2026-01-01T00:00:00 ***\n"
              "srun: error: n2: task 1: Terminated\n",
        "user-code-error", "KeyError", "a.py:3");
}

void TstWhyFailed::programs_data()
{
    columns();
    row("a compiler, any error", 1,
        "a.c: In function ‘main’:\na.c:4:12: error: ‘x’ undeclared (first use in this function)\n    4 | return x;\n"
        "      |        ^\na.c:4:12: note: each undeclared identifier is reported only once for each function\n",
        "build-failed", "a.c:4:12: error");
    row("nvcc", 1,
        "nvcc -c k.cu\nk.cu(7): error: identifier \"tid\" is undefined\n\n1 error detected in the compilation of "
        "\"k.cu\".\nmake: *** [Makefile:3: k.o] Error 255\n",
        "build-failed", "k.cu(7): error");
    row("a linker", 1,
        "/usr/bin/ld: /tmp/c.o: in function `main':\nc.c:(.text+0xa): undefined reference to `solve'\ncollect2: error: "
        "ld "
        "returned 1 exit status\n",
        "build-failed", "undefined reference");
    row("make, nothing to do", 2, "make: *** No rule to make target 'train', needed by 'all'.  Stop.\n", "build-failed",
        "No rule to make target");
    row("a package that the build of another needs", 1,
        "Collecting fast-attn\n  error: subprocess-exited-with-error\n\n  × python setup.py egg_info did not run "
        "successfully.\n  │ exit code: 1\n  ╰─> [5 lines of output]\n"
            + traceback(
                {"/tmp/pip/fast-attn/setup.py:9:<module>"}, "ModuleNotFoundError: No module named 'torch'", "      ")
            + "      [end of output]\n\n  note: This error originates from a subprocess.\nerror: "
              "metadata-generation-failed\n",
        "module-missing", "No module named 'torch'", "setup.py:9");
    row("Julia, a package", 1,
        "ERROR: LoadError: ArgumentError: Package Flux not found in current path.\n- Run `import Pkg`\nStacktrace:\n "
        "[1] top\n",
        "module-missing", "Flux");
    row("Perl, a package", 2,
        "Can't locate JSON/XS.pm in @INC (@INC contains: /usr/share/perl5) at prep.pl line 3.\nBEGIN "
        "failed--compilation "
        "aborted at prep.pl line 3.\n",
        "module-missing", "JSON/XS.pm");
    row("Perl, words of its own", 255, "reading\nno such tokenizer at prep.pl line 12.\n", "program-error",
        "no such tokenizer", "prep.pl:12");
    row("R, its memory", 1, "Error: cannot allocate vector of size 7.5 Gb\nExecution halted\n", "host-oom", "7.5 Gb");
    row("R, an error", 1, "Error in fit(x) : object 'y' not found\nCalls: main\nExecution halted\n", "program-error",
        "object 'y' not found");
    row("a program behind another", 127, "xargs: prep: No such file or directory\n", "command-missing", "prep");
    row("a container of another machine", 1, "exec /usr/bin/python: exec format error\n", "not-executable",
        "exec format");
    row("git, a conflict", 1,
        "Auto-merging a.py\nCONFLICT (content): Merge conflict in a.py\nAutomatic merge failed; fix conflicts and then "
        "commit the result.\n",
        "git-conflict", "CONFLICT");
    row("cargo", 101,
        "error[E0382]: borrow of moved value: `xs`\n --> src/main.rs:7:20\n  |\n7 |     go(xs);\n  |        ^^ value "
        "borrowed here "
        "after move\n\nerror: could not compile `prep` (bin \"prep\") due to 1 previous error\n",
        "build-failed", "error[E0382]");
    row("go, the compiler", 1, "# example.org/prep\n./main.go:9:2: undefined: foo\n", "build-failed", "undefined: foo");
    row("sudo", 1, "sudo: a terminal is required to read the password\nsudo: a password is required\n",
        "permission-denied", "sudo");
    row("two errors in its own words", 3, "ERROR: the frobnicator is jammed\nERROR: stopping\n", "program-error",
        "jammed");
    row("git, nothing to push", 1,
        "error: src refspec main does not match any\nerror: failed to push some refs to 'origin'\n", "git-repository",
        "src refspec main");
    row("git, a private repository", 128,
        "Cloning into 'x'...\nremote: Invalid username or token. Password authentication is not supported for Git "
        "operations.\n"
        "fatal: Authentication failed for 'https://github.com/a/x.git/'\n",
        "git-auth", "Authentication failed for");
    row("git, no repository", 128,
        "Cloning into 'x'...\nremote: Repository not found.\nfatal: repository 'https://github.com/a/x.git/' not "
        "found\n",
        "git-repository", "x.git/' not found");
    row("git over ssh", 128,
        "Cloning into 'x'...\ngit@github.com: Permission denied (publickey).\nfatal: Could not read from remote "
        "repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n",
        "ssh-auth", "publickey");
    row("git, a branch", 128,
        "Cloning into 'x'...\nwarning: Could not find remote branch dev to clone.\nfatal: Remote branch "
        "dev not found in upstream origin\n",
        "git-repository", "Remote branch dev");
    row("ssh, refused", 255, "ssh: connect to host n7 port 22: Connection refused\n", "connection-refused", "n7");
    row("ssh, silent", 255, "ssh: connect to host n7 port 22: Connection timed out\n", "connection-timeout", "n7");
    row("a port of another program", 1, "ERROR: Could not bind: Port 6006 is in use by another program.\n",
        "port-in-use", "6006");
    row("kubectl", 1,
        "The connection to the server localhost:8080 was refused - did you specify the right host or port?\n",
        "connection-refused", "localhost:8080");
    row("ssh, closed", 255,
        "kex_exchange_identification: Connection closed by remote host\nConnection closed by 10.0.0.5 port 22\n",
        "connection-closed", "10.0.0.5");
    row("ssh, unknown key", 255, "Host key verification failed.\n", "ssh-host-key", "Host key");
    row("curl", 6, "curl: (6) Could not resolve host: data.example.org\n", "dns", "data.example.org");
    row("wget", 8,
        "--2026-01-01 10:00:00--  https://e.org/x.tar\nHTTP request sent, awaiting response... 404 Not Found\n"
        "2026-01-01 10:00:00 ERROR 404: Not Found.\n\n",
        "hub-not-found", "ERROR 404");
    row("pip behind a proxy", 1,
        "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection "
        "broken by "
        "'ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed: 407 Proxy Authentication "
        "Required'))': "
        "/simple/einops/\nERROR: Could not install packages due to an OSError: HTTPSConnectionPool(host='pypi.org', "
        "port=443): "
        "Max retries exceeded with url: /simple/einops/ (Caused by ProxyError('Cannot connect to proxy.', "
        "OSError('Tunnel "
        "connection failed: 407 Proxy Authentication Required')))\n",
        "proxy", "ERROR: Could not install");
    row("pip, conflict", 1,
        "ERROR: Cannot install a==1 and b==2 because these package versions have conflicting dependencies.\nERROR: "
        "ResolutionImpossible: for help visit https://pip.pypa.io/\n",
        "pip-conflict", "conflicting dependencies");
    row("pip of the system", 1, "error: externally-managed-environment\n\n× This environment is externally managed\n",
        "pip-managed", "externally-managed");
    row("pip, a wheel", 1,
        "  error: subprocess-exited-with-error\n  \n  × Building wheel for apex did not run successfully.\n  note: "
        "This error "
        "originates from a subprocess\n  ERROR: Failed building wheel for apex\nERROR: Failed to build installable "
        "wheels for "
        "some pyproject.toml based projects (apex)\n",
        "build-failed", "");
    row("conda", 1,
        "\nEnvironmentNameNotFound: Could not find conda environment: trian\nYou can list all discoverable "
        "environments with `conda info --envs`.\n\n",
        "conda-environment", "trian");
    row("modules", 1,
        "Lmod has detected the following error: The following module(s) are unknown: \"cuda/99\"\n\nPlease check "
        "the spelling or version number.\n",
        "modulefile-missing", "cuda/99");
    row("docker, an image", 125,
        "Unable to find image 'acme/train:v9' locally\ndocker: Error response from daemon: manifest for acme/train:v9 "
        "not "
        "found: manifest unknown: manifest unknown.\n\nRun 'docker run --help' for more information\n",
        "image-missing", "manifest for acme/train:v9");
    row("docker, a private image", 125,
        "Unable to find image 'acme/x:latest' locally\ndocker: Error response from daemon: pull access denied for "
        "acme/x, "
        "repository does not exist or may require 'docker login': denied: requested access to the resource is "
        "denied.\n",
        "registry-auth", "pull access denied");
    row("docker, the GPU", 125,
        "docker: Error response from daemon: could not select device driver \"\" with capabilities: [[gpu]].\n",
        "container-gpu", "device driver");
    row("docker, the command", 127,
        "docker: Error response from daemon: failed to create task for container: failed to create shim task: OCI "
        "runtime "
        "create failed: runc create failed: unable to start container process: exec: \"trian\": executable file not "
        "found in "
        "$PATH: unknown.\n",
        "command-missing", "trian");
    row("podman", 125,
        "Error: short-name \"nosuch\" did not resolve to an alias and no unqualified-search registries are defined in "
        "\"/etc/containers/registries.conf\"\n",
        "image-missing", "nosuch");
    row("podman, a mount", 125, "Error: statfs /data/none: no such file or directory\n", "container-mount",
        "/data/none");
    row("mpirun, the program", 134,
        "--------------------------------------------------------------------------\nmpirun was unable to find the "
        "specified "
        "executable file, and therefore\ndid not launch the job.  This error was first reported for process\nrank 0; "
        "it may have "
        "occurred for other processes as well.\n\nNOTE: A common cause for this error is misspelling a mpirun "
        "command\n      "
        "line parameter option.\n\nNode:       n1\nExecutable: ./trainr\n"
        "--------------------------------------------------------------------------\n",
        "command-missing", "unable to find the specified executable");
    row("mpirun, a crash", 139,
        "step 3\n--------------------------------------------------------------------------\nmpirun noticed that "
        "process rank 1 "
        "with PID 0 on node n1 exited on signal 11 (Segmentation fault).\n"
        "--------------------------------------------------------------------------\n",
        "segfault", "signal 11");
    row("slurm, a partition", 1,
        "sbatch: error: invalid partition specified: gpuu\nsbatch: error: Batch job submission failed: "
        "Invalid partition name specified\n",
        "slurm-request", "Batch job submission failed");
    row("srun, the program", 2,
        "slurmstepd: error: execve(): ./trainr: No such file or directory\nsrun: error: n1: task 0: "
        "Exited with exit code 2\n",
        "command-missing", "./trainr");
    row("bash, a command", 127, "job.sh: line 3: tarin: command not found\n", "command-missing", "tarin", "job.sh:3");
    row("bash, a folder", 1, "job.sh: line 3: cd: /dta: No such file or directory\n", "file-missing", "/dta",
        "job.sh:3");
    row("bash, Windows", 127, "job.sh: line 2: $'\\r': command not found\njob.sh: line 3: python: command not found\n",
        "crlf", "\\r", "job.sh:2");
    row("env, Windows", 127, "/usr/bin/env: ‘bash\\r’: No such file or directory\n", "crlf", "bash");
    row("bash, syntax", 2, "job.sh: line 9: syntax error: unexpected end of file\n", "syntax-error", "unexpected end",
        "job.sh:9");
    row("held open", 9, "step 1\ntrainyard: The commands ended with 9. The task is held open for 30 minutes.\n",
        "unknown", "step 1");
    row("bash, reference without a value", 2,
        "job.sh: line 4: syntax error near unexpected token `newline'\n"
        "job.sh: line 4: `python train.py --token <% $secrets.tok %>'\n",
        "reference-unresolved", "<% $secrets.tok %>", "job.sh:4");
    row("bash, unset", 1, "job.sh: line 9: DATA_DIR: unbound variable\n", "unset-variable", "DATA_DIR", "job.sh:9");
    row("bash, rights", 126, "job.sh: line 9: ./run.sh: Permission denied\n", "not-executable", "./run.sh", "job.sh:9");
    row("tar", 2,
        "tar: data.tar.gz: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now\n",
        "file-missing", "data.tar.gz");
    row("gzip", 1,
        "\ngzip: stdin: not in gzip format\ntar: Child returned status 1\ntar: Error is not recoverable: exiting now\n",
        "data-corrupt", "gzip format");
    row("make", 2,
        "gcc -c a.c\na.c:1:10: fatal error: nccl.h: No such file or directory\ncompilation terminated.\nmake: *** "
        "[Makefile:3: a.o] Error 1\n",
        "build-failed", "nccl.h");
    row("a library", 127,
        "./trainer: error while loading shared libraries: libcudart.so.12: cannot open shared object file: No "
        "such file or directory\n",
        "library-missing", "libcudart.so.12");
    row("the C library", 1,
        "./trainer: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by ./trainer)\n",
        "abi-mismatch", "GLIBC_2.38");
    row("wandb", 1,
        "wandb: ERROR api_key not configured (no-tty). call wandb.login(key=[your_api_key])\n"
            + traceback({"/w/a.py:3:<module>"},
                "wandb.errors.errors.UsageError: api_key not configured (no-tty). call "
                "wandb.login(key=[your_api_key])"),
        "hub-auth", "UsageError", "a.py:3");
    row("a C++ exception", 134,
        "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::_M_range_check: "
        "__n (which is 9) >= this->size() (which is 9)\nrun.sh: line 2:   812 Aborted                 (core dumped) "
        "./t\n",
        "uncaught-exception", "range_check");
    row("Rust", 101,
        "thread 'main' panicked at src/main.rs:4:10:\nno tokenizer.json\nnote: run with `RUST_BACKTRACE=1`\n",
        "uncaught-exception", "no tokenizer.json", "main.rs:4");
    row("an unknown program", 3, "reading input\nmyprog: error code 17 in the frobnicator\n", "program-error",
        "frobnicator");
    row("an error in its own words", 3, "reading input\nERROR: the frobnicator is jammed\n", "program-error", "jammed");
}

void TstWhyFailed::endings_data()
{
    columns();
    row("time", 143,
        "step 1\nslurmstepd: error: *** JOB 5 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO TIME LIMIT ***\n",
        "time-limit", "TIME LIMIT");
    row("time, and then a signal", 143,
        "step 1\nslurmstepd: error: *** STEP 5.0 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO TIME LIMIT ***\n"
            + traceback({"/w/a.py:3:<module>", torchLib + "distributed/elastic/api.py:62:_h:raise SignalException("},
                "torch.distributed.elastic.multiprocessing.api.SignalException: Process 71 got signal: 15"),
        "time-limit", "TIME LIMIT");
    row("PBS", 271, "=>> PBS: job killed: walltime 3605 exceeded limit 3600\n", "time-limit", "walltime");
    row("node", 1,
        "slurmstepd: error: *** JOB 5 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO NODE FAILURE, SEE SLURMCTLD LOG "
        "FOR DETAILS ***\n",
        "node-failure", "NODE FAILURE");
    row("cancelled", 143, "step 1\nslurmstepd: error: *** JOB 5 ON n1 CANCELLED AT 2026-01-01T00:00:00 ***\n",
        "cancelled", "CANCELLED AT");
    row("memory of a step", 137,
        "step 1\nslurmstepd: error: Detected 1 oom_kill event in StepId=5.0. Some of the step tasks have been OOM "
        "Killed.\n"
        "srun: error: n1: task 0: Out Of Memory\n",
        "host-oom", "oom_kill");
    row("memory, as older ones say it", 137,
        "/var/spool/slurmd/job5/slurm_script: line 9:  2211 Killed                  python train.py\nslurmstepd: "
        "error: Detected "
        "1 oom-kill event(s) in step 5.batch cgroup. Some of your processes may have been killed by the cgroup "
        "out-of-memory "
        "handler.\n",
        "host-oom", "oom-kill event");
    row("killed", 137, "step 1\njob.sh: line 9:  2211 Killed                  python train.py\n", "killed",
        "2211 Killed");
    row("killed without a word", 137, "step 1\nstep 2\n", "killed", "step 2");
    row("killed in a table", 1, "step 1\n" + torchrunTable("-9", "Signal 9 (SIGKILL) received by PID 912"), "killed",
        "-9");
    row("a worker of the data loader", 1,
        traceback({"/w/a.py:3:<module>",
                      torchLib + "utils/data/_utils/signal_handling.py:66:handler:_error_if_any_worker_fails()"},
            "RuntimeError: DataLoader worker (pid 4711) is killed by signal: Killed. "),
        "host-oom", "is killed by signal", "a.py:3");
    row("a file that a killed program did not leave", 137,
        "job.sh: line 12:  3312 Killed                  python t.py\ncp: cannot stat 'out/model.pt': No such file or "
        "directory\n",
        "killed", "3312 Killed");
    row("tests", 1,
        "E       assert 2.0 < 1\n\ntest_a.py:4: AssertionError\n==== short test summary info ====\nFAILED "
        "test_a.py::test_loss - "
        "assert 2.0 < 1\n==== 1 failed in 0.12s ====\n",
        "program-error", "FAILED test_a.py");
    row("MPI without a network", 1,
        "At least one pair of MPI processes are unable to reach each other for\nMPI communications.\n", "mpi-network",
        "unable to reach");
    row("hung up", 1,
        traceback({torchLib + "distributed/elastic/multiprocessing/api.py:62:_terminate_process_handler"},
            "torch.distributed.elastic.multiprocessing.api.SignalException: Process 139 got signal: 1"),
        "cancelled", "got signal: 1");
    row("interrupted", 130, "step 1\n^C" + traceback({"/w/a.py:3:<module>"}, "KeyboardInterrupt"), "cancelled",
        "KeyboardInterrupt", "a.py:3");
    row("terminated", 143, "step 1\nstep 2\n", "cancelled", "step 2");
    row("timeout", 124, "step 1\nstep 2\n", "timeout-command", "step 2");
    row("crash", 139, "step 1\njob.sh: line 2:  3310 Segmentation fault      (core dumped) ./t\n", "segfault", "3310");
    row("Python's fault handler", 139,
        "Fatal Python error: Segmentation fault\n\nThread 0x00007e (most recent call first):\n  File \"/w/other.py\", "
        "line 9 in "
        "wait\n\nCurrent thread 0x00007f (most recent call first):\n  File "
        "\"/opt/env/lib/python3.11/site-packages/x.py\", line 12 "
        "in run\n  File \"/w/t.py\", line 44 in main\nSegmentation fault (core dumped)\n",
        "segfault", "Fatal Python error", "t.py:44");
    row("a measure that is called error", 137, "error: 0.25\nError: 0.24\n", "killed", "0.24");
    row("crash behind an error", 139,
        traceback({"/w/a.py:3:<module>"}, "KeyError: 'x'") + "Segmentation fault (core dumped)\n", "user-code-error",
        "KeyError", "a.py:3");
    row("aborted by the heap", 134,
        "step 1\nmalloc(): corrupted top size\njob.sh: line 2:  3310 Aborted                 ./t\n", "heap-corruption",
        "corrupted top size");
    row("an assertion of C", 134, "t: src/feed.c:88: feed_next: Assertion `n > 0' failed.\nAborted (core dumped)\n",
        "assertion-failed", "n > 0");
    row("a crash that only the launcher saw", 139,
        "step 1\n--------\nPrimary job  terminated normally, but 1 process returned\na non-zero exit code. Per "
        "user-direction, the job has been aborted.\n--------\n",
        "segfault", "Primary job");
    row("nothing", 9, "step 1\n", "unknown", "step 1");
    row("long before the end, beside a peer that was lost", 5,
        traceback({"/w/a.py:3:load"}, "KeyError: 'x'") + "Connection reset by peer, trying again\n"
            + QByteArray("step\n").repeated(500),
        "unknown", "step");
    row("long after what was survived", 5,
        "retry later: urlopen error\n" + QByteArray("Could not resolve host: a.example\n") + "  1%|1  | 1/400\r"
            + QByteArray("  2%|2  | 2/400 [00:03<01:40]\r").repeated(300) + "\nbye\n",
        "unknown", "bye");
    row("long after an error", 5, traceback({"/w/a.py:3:load"}, "KeyError: 'x'") + QByteArray("step\n").repeated(300),
        "unknown", "step");
}

void TstWhyFailed::hardware_data()
{
    columns();
    const auto error = [](const QByteArray &said) { return traceback({"/w/a.py:3:<module>"}, said); };
    row("old driver", 1,
        error("RuntimeError: The NVIDIA driver on your system is too old (found version 11040). Please update "
              "your GPU driver"),
        "driver-too-old", "11040", "a.py:3");
    row("driver and library", 1,
        "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 550.54\n", "driver-mismatch",
        "mismatch");
    row("cuDNN", 1,
        "Loaded runtime CuDNN library: 8.0.5 but source was compiled with: 8.1.0.  CuDNN library needs to have "
        "matching "
        "major version\n"
            + error("tensorflow.python.framework.errors_impl.UnknownError: Failed to get convolution algorithm."),
        "user-code-error", "convolution algorithm", "a.py:3");
    row("toolkit", 1,
        error("RuntimeError: \nThe detected CUDA version (12.4) mismatches the version that was used to compile\n"
              "PyTorch (11.8). Please make sure to use the same CUDA versions."),
        "cuda-toolkit", "detected CUDA version", "a.py:3");
    row("no GPU", 1, error("RuntimeError: No CUDA GPUs are available"), "no-gpu", "No CUDA GPUs", "a.py:3");
    row("a device that is not there", 1,
        error("RuntimeError: CUDA error: invalid device ordinal\nCUDA kernel errors might be "
              "asynchronously reported at some other API call"),
        "invalid-gpu", "ordinal", "a.py:3");
    row("architecture", 1, error("RuntimeError: CUDA error: no kernel image is available for execution on the device"),
        "kernel-image", "kernel image", "a.py:3");
    row("assert", 1,
        "/pytorch/aten/src/ATen/native/cuda/Loss.cu:250: nll_loss_forward: block: [0,0,0], thread: [3,0,0] Assertion "
        "`t "
        ">= 0 && t < n_classes` failed.\n"
            + error("RuntimeError: CUDA error: device-side assert triggered"),
        "device-assert", "device-side", "a.py:3");
    row("descriptors", 1, error("OSError: [Errno 24] Too many open files: '/data/3.bin'"), "too-many-open-files",
        "Errno 24", "a.py:3");
    row("shared memory", 1,
        "ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).\n"
            + error("RuntimeError: DataLoader worker (pid 99) is killed by signal: Bus error. It is possible that "
                    "dataloader's "
                    "workers are out of shared memory. Please try to raise your shared memory limit."),
        "shared-memory", "DataLoader worker", "a.py:3");
    row("quota", 1, error("OSError: [Errno 122] Disk quota exceeded"), "quota-exceeded", "quota", "a.py:3");
    row("Paddle", 1,
        error("MemoryError: ")
            + "\n------\nError Message Summary:\n------\nResourceExhaustedError: \n\nOut of memory error on GPU 0. "
              "Cannot allocate "
              "512.000000MB memory on GPU 0, 31.500000GB memory has been allocated.\n",
        "gpu-oom", "Out of memory error on GPU", "a.py:3");
    row("JAX without its cuDNN", 1,
        "E external/xla/cuda_dnn.cc:427] Loaded runtime CuDNN library: 8.6.0 but source was compiled with: 8.9.4.  "
        "CuDNN library "
        "needs to have a matching major version.\n"
            + error("jaxlib.xla_extension.XlaRuntimeError: FAILED_PRECONDITION: DNN library initialization failed. "
                    "Look at the "
                    "errors above for more details."),
        "cudnn-mismatch", "CuDNN library", "a.py:3");
    row("JAX", 1,
        error("jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate "
              "8589934592 bytes."),
        "gpu-oom", "RESOURCE_EXHAUSTED", "a.py:3");
    row("threads", 1, error("RuntimeError: can't start new thread"), "process-limit", "thread", "a.py:3");
    row("certificate", 1,
        error("requests.exceptions.SSLError: HTTPSConnectionPool(host='h.example', port=443): Max retries exceeded "
              "with url: /x (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] "
              "certificate verify failed: self-signed certificate')))"),
        "ssl-verify", "CERTIFICATE", "a.py:3");
    row("port", 1, error("OSError: [Errno 98] Address already in use"), "port-in-use", "Errno 98", "a.py:3");
    row("rendezvous", 1,
        error("torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients. 1/2 clients joined."),
        "rendezvous-timeout", "1/2 clients", "a.py:3");
}

// What may be so and may not: it is never called certain.
void TstWhyFailed::notCertain_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("certainty");
    QTest::newRow("killed") << 137 << QByteArray("step\nKilled\n") << u"likely"_s;
    QTest::newRow("killed without a word") << 137 << QByteArray("step\n") << u"likely"_s;
    QTest::newRow("terminated") << 143 << QByteArray("step\n") << u"likely"_s;
    QTest::newRow("peers") << 1
                           << traceback({"/w/a.py:3:<module>"}, "RuntimeError: Connection reset by peer", "[rank1]: ")
                           << u"likely"_s;
    QTest::newRow("only a warning") << 1 << QByteArray("WARNING: Could not resolve host: a.example\n") << u"likely"_s;
    QTest::newRow("one that it did without")
        << 1 << QByteArray("Checkpoint /w/ck.pt does not exist. Training from scratch.\nstep 1\n") << u"unknown"_s;
    QTest::newRow("one that it tried again after")
        << 1 << QByteArray("Connection refused, retrying\nstep 1\n") << u"unknown"_s;
    QTest::newRow("noise of TensorFlow") << 137
                                         << QByteArray("2026-01-01 00:00:00.0: E tensorflow/a.cc:271] failed call to "
                                                       "cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable "
                                                       "device is detected\nstep 1\n")
                                         << u"likely"_s;
    QTest::newRow("an error in a log") << 1 << QByteArray("ERROR: it is broken\n") << u"likely"_s;
    QTest::newRow("one that was logged") << 1
                                         << "ERROR:root:reading failed\n" + traceback({"/w/a.py:3:f"}, "KeyError: 'x'")
            + "next file\n" << u"likely"_s;
    QTest::newRow("a command that the script went on after")
        << 1 << QByteArray("job.sh: line 2: foo: command not found\nsome more\n") << u"likely"_s;
    QTest::newRow("words in quotes") << 1
                                     << QByteArray("sample 0: \"Permission denied, said the guard.\"\nscore: 0.5\n")
                                     << u"likely"_s;
    QTest::newRow("words of the data")
        << 1 << QByteArray("sample 1: \"The network is unreachable and the bus was late.\"\nscore: 0.5\n")
        << u"unknown"_s;
    QTest::newRow("nothing") << 1 << QByteArray("step\n") << u"unknown"_s;
    QTest::newRow("no output") << 1 << QByteArray() << u"unknown"_s;
    QTest::newRow("a table without a traceback") << 1 << torchrunTable() << u"unknown"_s;
    QTest::newRow("success") << 0 << QByteArray("ERROR: Connection refused\n") << u"unknown"_s;
}

void TstWhyFailed::notCertain()
{
    QFETCH(int, status);
    QFETCH(QByteArray, output);
    const FailureFacts facts = whyOf(status, output);
    QVERIFY(!facts.cause.isEmpty());
    QTEST(facts.certainty, "certainty");
}

void TstWhyFailed::arguments_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
    const auto error = [](const QByteArray &said) { return traceback({"/w/a.py:3:<module>"}, said); };
    const QByteArray cuda
        = error("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 1 has a total "
                "capacity of 39.39 GiB of which 1.2 GiB is free.");
    QTest::newRow("size") << cuda << u"size"_s << u"2.50 GiB"_s;
    QTest::newRow("total") << cuda << u"total"_s << u"39.39 GiB"_s;
    QTest::newRow("total, older") << error(
        "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 7.79 GiB total "
        "capacity; 6.1 GiB already allocated)")
                                  << u"total"_s << u"7.79 GiB"_s;
    const QByteArray sizes
        = error("RuntimeError: Error(s) in loading state_dict for Net:\n\tsize mismatch for fc.weight: copying a "
                "param with shape torch.Size([10, 64]) from checkpoint, the shape in current model is "
                "torch.Size([7, 64]).");
    QTest::newRow("shape of the checkpoint") << sizes << u"shape"_s << u"[10, 64]"_s;
    QTest::newRow("shape of the model") << sizes << u"shape2"_s << u"[7, 64]"_s;
    QTest::newRow("parameter") << sizes << u"name"_s << u"fc.weight"_s;
    QTest::newRow("broadcast") << error("ValueError: operands could not be broadcast together with shapes (3,4) (5,) ")
                               << u"shape2"_s << u"(5,)"_s;
    QTest::newRow("port") << error(
        "RuntimeError: The server socket has failed to listen. bind to [::]:29511 (errno: 98 - Address "
        "already in use).")
                          << u"port"_s << u"29511"_s;
    QTest::newRow("host of a chain") << traceback({"/usr/lib/python3.12/socket.py:976:getaddrinfo"},
                                            "socket.gaierror: [Errno -2] Name or service not known")
            + during
            + error("requests.exceptions.ConnectionError: HTTPSConnectionPool(host='hub.example', port=443): Max "
                    "retries exceeded")
                                     << u"host"_s << u"hub.example"_s;
    QTest::newRow("module") << error("ModuleNotFoundError: No module named 'a.b'") << u"module"_s << u"a.b"_s;
    QTest::newRow("command of mpirun") << QByteArray(
        "mpirun was unable to find the specified executable file, and therefore\n\nNode:       n1\nExecutable: ./x\n")
                                       << u"command"_s << u"./x"_s;
}

void TstWhyFailed::arguments()
{
    QFETCH(QByteArray, output);
    QFETCH(QString, name);
    QTEST(whyOf(1, output).args.value(name).toString(), "value");
}

void TstWhyFailed::lineNumbers()
{
    const QByteArray error = traceback({"/w/a.py:3:<module>"}, "KeyError: 'x'");
    QCOMPARE(whyOf(1, "\n\n\na\n" + error).line, 8);
    QCOMPARE(whyOf(1, "a\rb\rc\n\r\n" + error).line, 6);
    QCOMPARE(whyOf(1, QByteArray(error).replace("\n", "\r\n")).line, 4);
    QCOMPARE(whyOf(1, QByteArray(error).replace("KeyError", "\x1b[31mKeyError\x1b[0m")).text, u"KeyError: 'x'"_s);
    // Of a file whose beginning is not read.
    const FailureFacts facts = core::whyFailed(
        FailureCauses::bundled(), {.status = 1, .output = error, .firstLine = 1001, .outOfMemory = false});
    QCOMPARE(facts.line, 1004);
}

void TstWhyFailed::longOutputs()
{
    const QByteArray steps = QByteArray("step 12 loss 0.25 lr 0.001\n").repeated(500000); // more than is searched
    const QByteArray error = traceback({"/w/a.py:3:<module>"}, "KeyError: 'x'");
    QElapsedTimer timer;
    timer.start();
    FailureFacts facts = whyOf(1, steps + error);
    QCOMPARE(facts.cause, u"user-code-error"_s);
    QCOMPARE(facts.line, 500004);
    facts = whyOf(1, error + steps);
    QCOMPARE(facts.cause, u"unknown"_s);
    // One line, tracebacks only, and what every search finds.
    whyOf(1, QByteArray(inForm(3 << 20), 'x'));
    whyOf(1, QByteArray(error).repeated(inForm(30000)));
    whyOf(1, QByteArray("[rank1]: CUDA out of memory. Connection refused: Killed\n").repeated(inForm(40000)));
    whyOf(1, QByteArray("\n\r").repeated(inForm(700000)));
    qInfo("%lld ms", timer.elapsed());
    QVERIFY2(timer.elapsed() < 90000, "An end is judged in a short time.");
}

void TstWhyFailed::oddBytes_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("newline") << QByteArray("\n");
    QTest::newRow("returns") << QByteArray("\r\r\r");
    QTest::newRow("zeros") << QByteArray(1000, '\0');
    QTest::newRow("no text") << QByteArray("\xff\xfe\x80 CUDA out of memory \xc3\n");
    QTest::newRow("only a mark") << QByteArray("Traceback (most recent call last):");
    QTest::newRow("marks") << QByteArray("Traceback (most recent call last):\n").repeated(50);
    QTest::newRow("a frame") << QByteArray("  File \"a.py\", line 3, in f\n");
    QTest::newRow("a frame and no more") << QByteArray("  File \"a.py\", line 99999999999999999999, in f\nE: x\n");
    QTest::newRow("a link to nothing") << traceback({"a.py:1:f"}, "KeyError: 1") + during;
    QTest::newRow("half a prefix") << QByteArray("[rank1]:\n[rank2]\n[1,0]<stderr>:\n(a pid=1) \n3:\n");
    QTest::newRow("colours") << QByteArray("\x1b[31m\x1b[\x1b");
}

void TstWhyFailed::oddBytes()
{
    QFETCH(QByteArray, output);
    const FailureFacts facts = whyOf(1, output);
    QVERIFY(!facts.cause.isEmpty());
    QVERIFY(facts.line <= output.count('\n') + 1);
    // Every part of it, too.
    for (qsizetype size = 0; size < std::min<qsizetype>(output.size(), 400); size += 7) {
        QVERIFY(!whyOf(std::nullopt, output.first(size)).certainty.isEmpty());
    }
}

void TstWhyFailed::badTables_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("code");
    QTest::newRow("no json") << QByteArray("{") << u"exitrules.json"_s;
    QTest::newRow("no name") << QByteArray(R"({"causes":[{"lines":[{"hint":"x"}]}]})") << u"exitrules.invalid"_s;
    QTest::newRow("no lines") << QByteArray(R"({"causes":[{"name":"x"}]})") << u"exitrules.invalid"_s;
    QTest::newRow("no hint") << QByteArray(R"({"causes":[{"name":"x","lines":[{"pattern":"x"}]}]})")
                             << u"exitrules.invalid"_s;
    QTest::newRow("a role that is none") << QByteArray(R"({"causes":[{"name":"x","role":"y","lines":[{"hint":"x"}]}]})")
                                         << u"exitrules.invalid"_s;
    QTest::newRow("a place that is none")
        << QByteArray(R"({"causes":[{"name":"x","lines":[{"hint":"x","in":"y"}]}]})") << u"exitrules.invalid"_s;
    QTest::newRow("a pattern that is none")
        << QByteArray(R"({"causes":[{"name":"x","lines":[{"hint":"x","pattern":"("}]}]})") << u"exitrules.pattern"_s;
    QTest::newRow("a type of no cause") << QByteArray(
        R"({"causes":[{"name":"x","lines":[{"hint":"x"}]}],"types":{"E":"y"}})")
                                        << u"exitrules.invalid"_s;
}

void TstWhyFailed::badTables()
{
    QFETCH(QByteArray, json);
    const Result<FailureCauses> causes = FailureCauses::parse(json);
    QVERIFY(!causes);
    QTEST(causes.error().code, "code");
}

TRAINYARD_TEST(TstWhyFailed)
#include "tst_whyfailed.moc"
