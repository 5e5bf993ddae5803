// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/unit/whytests.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// The words of compilers, servers, shells and libraries, and the places that they name in their own ways.
class TstWhyTools : public WhyTests
{
    Q_OBJECT

private Q_SLOTS:
    void wordsOfTools_data();
    void wordsOfTools() { check(); }
    void namedPlaces_data();
    void namedPlaces() { check(); }
};

void TstWhyTools::wordsOfTools_data()
{
    columns();
    row("a process that ended by a signal, in the words of its parent", 1,
        traceback({"/w/t.py:7:main"}, "RuntimeError: loader died with exitcode -11"), "segfault", "exitcode -11",
        "t.py:7");
    row("one with another number", 1, traceback({"/w/t.py:7:main"}, "RuntimeError: loader died with exitcode -115"),
        "user-code-error", "exitcode -115", "t.py:7");
    const QByteArray einops = "/opt/env/lib/python3.11/site-packages/einops/einops.py:";
    row("a pattern of axes", 1,
        traceback({einops + "187:_shape:raise EinopsError("},
            "einops.EinopsError: Shape mismatch, can't divide axis of length 65 in chunks of 2")
            + during
            + traceback({"/w/vit.py:40:forward", einops + "542:reduce:raise EinopsError("},
                "einops.EinopsError:  Error while processing rearrange-reduction pattern \"b (h p) c -> b h p c\"."),
        "shape-mismatch", "can't divide axis", "vit.py:40");
    row("a store of objects without disk", 1,
        traceback({"/w/prep.py:40:main", "/opt/env/lib/python3.11/site-packages/ray/worker.py:9:put"},
            "ray.exceptions.OutOfDiskError: Local disk is full"),
        "disk-full", "OutOfDiskError", "prep.py:40");
    row("a damaged package of conda", 1,
        "Verifying transaction: failed\n\nCondaVerificationError: The package for pytorch located at "
        "/c/pkgs/p\nappears "
        "to be corrupted. The path 'lib/a.so'\nspecified in the package manifest cannot be found.\n",
        "data-corrupt", "CondaVerificationError");
    row("xz", 1, "xz: shard.xz: File format not recognized\n", "data-corrupt", "not recognized");
    row("a server behind curl", 22, "curl: (22) The requested URL returned error: 503\n", "server-error", "503");
    row("workers of a server that were killed", 1,
        "[2026-01-01 10:01:00 +0000] [7] [ERROR] Worker (pid:12) was sent SIGKILL! Perhaps out of memory?\n"
        "[2026-01-01 10:01:01 +0000] [7] [INFO] Shutting down: Master\n",
        "host-oom", "was sent SIGKILL");
    row("a port of a notebook", 1,
        "[C 2026-01-01 10:00:01.000 ServerApp] ERROR: the server could not be started because port 8888 is not "
        "available.\n",
        "port-in-use", "port 8888");
    row("a port of a web server", 1,
        "APPLICATION FAILED TO START\n\nDescription:\n\nWeb server failed to start. Port 8080 was already in "
        "use.\n\nAction:\n\nStop what listens there.\n",
        "port-in-use", "Port 8080");
    row("a compiler behind Maven", 1,
        "[ERROR] COMPILATION ERROR : \n[ERROR] /w/src/A.java:[7,9] cannot find symbol\n  symbol:   class Foo\n[INFO] 1 "
        "error\n[ERROR] Failed to execute goal compile on project k: Compilation failure\n[ERROR] -> [Help 1]\n",
        "build-failed", "cannot find symbol");
    row("TypeScript", 2, "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.\n",
        "build-failed", "TS2322");
    row("TypeScript, in colours", 2, "src/a.ts:3:5 - error TS2322: Type 'string' is not assignable.\n", "build-failed",
        "TS2322");
    row("options of a configuration", 2,
        "usage: train.py [-h] [-c CONFIG] {fit,validate} ...\nerror: Parser key \"model.lr\":\n  Expected a <class "
        "'float'>. Got value: high\n",
        "bad-arguments", "model.lr");
    row("a queue of ROCm", 134,
        ":0:rocdevice.cpp :2786: 88 us: Callback: Queue 0x7f00 aborting with error : "
        "HSA_STATUS_ERROR_OUT_OF_RESOURCES: "
        "The runtime failed to allocate the necessary resources.\nAborted (core dumped)\n",
        "gpu-oom", "OUT_OF_RESOURCES");
    row("a place of a container that is no path", 255,
        "FATAL:   container creation failed: unable to add data to mount list: destination must be an absolute path\n",
        "container-mount", "mount list");
    row("threads that an image needs", 255,
        "INFO:    Starting build...\nFATAL:   While making image: while creating squashfs: create command failed: exit "
        "status 1: FATAL ERROR:Failed to create thread\n",
        "process-limit", "Failed to create thread");
    row("a user that a container does not know", 255,
        "FATAL:   Couldn't determine user account information: user: unknown userid 606\n", "user-unknown", "606");
    row("a login of a cloud", 1, "ERROR: Please run 'az login' to setup account.\n", "hub-auth", "az login");
    row("a quota of a drive", 1,
        "2026/01/01 10:00:02 Failed to copy: googleapi: Error 403: The quota has been exceeded., "
        "storageQuotaExceeded\n",
        "quota-exceeded", "storageQuotaExceeded");
    row("a number of an error", 1, "Failed to copy: api: Error 403: The owner has left., ownerGone\n", "program-error",
        "Error 403");
    row("a count of none", 1, "reading\nmissing values: 0\n", "unknown", "missing values");
    row("a measure with a number in its name", 1, "reading\nerror 1: 0.25\n", "unknown", "error 1");
    row("a solver", 1,
        "  \u00d7 failed to solve the environment\n  \u2570\u2500\u25b6 Cannot solve the request because of: No "
        "candidates "
        "were found for torchx 9.9.*.\n",
        "pip-not-found", "No candidates");
    row("a network that gave up, before a launcher reports an end by a signal", 1,
        "[n4:22110:0:22110] ib_mlx5_log.c:174  Transport retry count exceeded on mlx5_0:1/IB (synd 0x15)\n[n4:22110] "
        "*** "
        "Process received signal ***\n[n4:22110] Signal: Aborted (6)\nmpirun noticed that process rank 3 with PID "
        "22110 on "
        "node n4 exited on signal 6 (Aborted).\n",
        "mpi-network", "Transport retry");
    row("fish", 127, "start\nfish: Unknown command: trainx\nrun.fish (line 2): \ntrainx --lr 1\n^~~~~^\n",
        "command-missing", "Unknown command");
}

void TstWhyTools::namedPlaces_data()
{
    columns();
    row("zsh", 127, "start\nrun.zsh:2: command not found: torchrunx\n", "command-missing", "torchrunx", "run.zsh:2");
    row("bash in German", 127, "run.sh: Zeile 3: torchrunn: Kommando nicht gefunden.\n", "command-missing", "torchrunn",
        "run.sh:3");
    row("bash in French", 127, "run.sh: ligne 3: torchrunn : commande introuvable\n", "command-missing", "torchrunn",
        "run.sh:3");
    row("commands of zsh without a script", 127, "zsh:1: command not found: torchrunx\n", "command-missing",
        "torchrunx");
    row("Fortran without a table of places", 2,
        "At line 4 of file t.f90 (unit = 11, file = 'in.dat')\nFortran runtime error: End of file\n\nError "
        "termination. "
        "Backtrace:\n#0  0x7f54f4e218c2 in ???\n#1  0x5645024ce2ed in ???\n#2  0x7f54f4c45249 in "
        "__libc_start_call_main\n\tat ../sysdeps/nptl/libc_start_call_main.h:58\n#3  0xffffffffffffffff in ???\n",
        "uncaught-exception", "End of file", "t.f90:4");
    row("Fortran without a backtrace", 2,
        "At line 4 of file t.f90 (unit = 11, file = 'in.dat')\nFortran runtime error: Bad real number in item 1\n",
        "uncaught-exception", "Bad real number", "t.f90:4");
    row("Julia, with others that could have been called", 1,
        "ERROR: LoadError: MethodError: no method matching step!(::Float64)\n\nClosest candidates are:\n  step!(::Any, "
        "::Vector)\n   @ Main /w/opt.jl:3\n\nStacktrace:\n [1] train(n::Int64)\n   @ Main /w/train.jl:12\n [2] "
        "top-level "
        "scope\n   @ /w/train.jl:20\nin expression starting at /w/train.jl:20\n",
        "uncaught-exception", "MethodError", "train.jl:12");
    row("Tcl", 1,
        "couldn't open \"rows.txt\": no such file or directory\n    while executing\n\"open $f\"\n    (procedure "
        "\"load\" line 2)\n    invoked from within\n\"load rows.txt\"\n    (file \"t.tcl\" line 6)\n",
        "file-missing", "couldn't open", "t.tcl:6");
    row("the sanitizer of undefined behaviour", 1,
        "k.c:3:31: runtime error: signed integer overflow: 70000 * 70000 cannot be represented in type 'int'\n",
        "program-error", "signed integer overflow", "k.c:3");
    row("the sanitizer of addresses, in a folder of its name", 1,
        "==9==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602\nREAD of size 4 at 0x602 thread T0\n    "
        "#0 "
        "0x564 in get /w/asan/k.c:2\n    #1 0x7f in __interceptor_malloc "
        "../../src/libsanitizer/asan/asan_malloc_linux.cpp:69\n",
        "heap-corruption", "heap-buffer-overflow", "k.c:2");
    row("a checked call of CUDA", 1,
        "CUDA error at main.cu:33 code=2(cudaErrorMemoryAllocation) \"cudaMalloc(&d, n)\" \n", "gpu-oom",
        "cudaErrorMemoryAllocation", "main.cu:33");
    row("a checked call of CUDA, in other words", 1, "GPUassert: an illegal memory access was encountered main.cu 41\n",
        "gpu-fault", "illegal memory access", "main.cu:41");
    row("a checked call of CUDA in a library", 1,
        "CUDA error: out of memory at /opt/pytorch/aten/src/ATen/cuda/a.cu:33\n", "gpu-oom", "out of memory");
    row("PHP, of an exception", 255,
        "PHP Fatal error:  Uncaught TypeError: f(): Argument #1 must be of type int in /w/a.php:9\nStack trace:\n#0 "
        "/w/a.php(12): f()\n#1 {main}\n",
        "program-error", "Uncaught TypeError", "a.php:9");
    row("a file that .NET misses", 134,
        "Unhandled exception. System.IO.FileNotFoundException: Could not find file '/w/c.json'.\n   at "
        "System.IO.File.ReadAllText(String path)\n   at Lab.Train.Main(String[] args) in /w/Train.cs:line 9\nAborted "
        "(core "
        "dumped)\n",
        "file-missing", "Could not find file", "Train.cs:9");
    row("Julia, its memory", 1,
        "epoch 1\nERROR: LoadError: OutOfMemoryError()\nStacktrace:\n [1] Array\n   @ ./boot.jl:479 [inlined]\n [2] "
        "top-level scope\n   @ /w/train.jl:4\nin expression starting at /w/train.jl:4\n",
        "host-oom", "OutOfMemoryError()", "train.jl:4");
    row("a file that MATLAB misses", 1,
        "Error using load\nUnable to find file or directory 'rows.mat'.\n\nError in train (line "
        "3)\nload('rows.mat');\n",
        "file-missing", "Unable to find file", "train:3");
    row("a file that Snakemake misses", 1,
        "Building DAG of jobs...\nMissingInputException in rule align in file /w/Snakefile, line 3:\nMissing input "
        "files for rule align:\n    output: out.sam\n    affected files:\n        reads.fq\n",
        "file-missing", "MissingInputException");
    row("an operator that the installed torchvision does not have", 1,
        "Traceback (most recent call last):\n  File \"/w/t.py\", line 7, in <module>\n    keep = nms(b, s, 0.5)\n"
        "NotImplementedError: Could not run 'torchvision::nms' with arguments from the 'CUDA' backend. This could be "
        "because the operator doesn't exist for this backend.\n",
        "abi-mismatch", "torchvision::nms", "t.py:7");
    row("an operator of torchvision for another PyTorch", 1,
        "Traceback (most recent call last):\n  File \"/w/t.py\", line 2, in <module>\n    import torchvision\n"
        "RuntimeError: operator torchvision::nms does not exist\n",
        "abi-mismatch", "torchvision::nms", "t.py:2");
    row("make, a line that it cannot read", 2, "Makefile:3: *** missing separator.  Stop.\n", "build-failed",
        "missing separator");
    row("numba without a driver", 1,
        "Traceback (most recent call last):\n  File \"/w/n.py\", line 4, in <module>\n    f[1, 1](x)\n"
        "numba.cuda.cudadrv.error.CudaSupportError: Error at driver init: \nCUDA driver library cannot be found.\n",
        "no-gpu", "CudaSupportError", "n.py:4");
    row("an example of doctest", 1,
        "**********\nFile \"/w/m.py\", line 5, in m.f\nFailed example:\n    f(2)\nExpected:\n    5\nGot:\n    "
        "4\n**********\n***Test Failed*** 1 failures.\n",
        "user-code-error", "Failed example", "m.py:5");
    row("what pytest cannot collect", 2,
        "ImportError while importing test module '/w/tests/test_a.py'.\nTraceback:\n/usr/lib/python3.11/importlib/"
        "__init__.py:126: in import_module\n    return go(name)\ntests/test_a.py:1: in <module>\n    import "
        "pkg.core\nE   "
        "ModuleNotFoundError: No module named 'pkg.core'\n=== 1 error in 0.12s ===\n",
        "module-missing", "pkg.core'", "test_a.py:1");
    row("a file that Python cannot read", 1,
        "SyntaxError: Non-UTF-8 code starting with '\\xe9' in file /w/t.py on line 1, but no encoding declared; see "
        "https://peps.python.org/pep-0263/ for details\n",
        "syntax-error", "Non-UTF-8", "t.py:1");
}

TRAINYARD_TEST(TstWhyTools)
#include "tst_whytools.moc"
