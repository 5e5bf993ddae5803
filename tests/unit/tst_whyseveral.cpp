// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/unit/whytests.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Outputs with several errors, of which a person would name one as the cause.
class TstWhySeveral : public WhyTests
{
    Q_OBJECT

private Q_SLOTS:
    void severalErrors_data();
    void severalErrors() { check(); }
};

void TstWhySeveral::severalErrors_data()
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

TRAINYARD_TEST(TstWhySeveral)
#include "tst_whyseveral.moc"
