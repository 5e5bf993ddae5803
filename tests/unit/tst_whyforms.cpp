// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/unit/whytests.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Forms of errors and of places that one program or language has for itself.
class TstWhyForms : public WhyTests
{
    Q_OBJECT

private Q_SLOTS:
    void programs_data();
    void programs() { check(); }
    void places_data();
    void places() { check(); }
    void arguments();
    void modules_data();
    void modules();
};

void TstWhyForms::programs_data()
{
    columns();
    row("what an error is, below a line that announces it", 1,
        "Setting the seed to 7\n\n----------\nProgram: mdprep, version 3\n\nFatal error:\nNo such residue type "
        "QXZ\n\nFor more information see the manual\n----------\n",
        "program-error", "No such residue type QXZ");
    row("an announcement with a version", 1,
        "Create mesh\n\n--> FLOW FATAL ERROR: (v12)\ncannot read the patch \"inlet\"\n\n    in file mesh.C at line "
        "9.\n\nFLOW exiting\n",
        "program-error", "cannot read the patch");
    row("a routine in a frame of signs, before MPI_ABORT", 1,
        "     iteration 1\n %%%%%%%%%%%%%%%\n     Error in routine  solve (1):\n     the matrix is "
        "singular\n %%%%%%%%%%%%%%%\n\n     stopping ...\n----------\nMPI_ABORT was invoked on rank 0 in communicator "
        "MPI_COMM_WORLD\nwith errorcode 1.\n----------\n",
        "program-error", "the matrix is singular");
    row("what the client of a tracking server says after the end of its program", 1,
        traceback({"/w/train.py:99:main"}, "KeyError: 'labels'")
            + "\x1b[1;34mwandb\x1b[0m: \nwandb: ERROR Failed to upload file x.json: 503 Service Unavailable\n",
        "user-code-error", "KeyError: 'labels'", "train.py:99");
    row("what CMake says below the place of its error", 1,
        "-- Detecting C compiler ABI info - done\nCMake Error at CMakeLists.txt:9 (project):\n  No CMAKE_CUDA_COMPILER "
        "could be found.\n\n\n-- Configuring incomplete, errors occurred!\n",
        "build-failed", "No CMAKE_CUDA_COMPILER could be found");
    QByteArray padded;
    for (const QByteArray &line :
        traceback({"/w/t.py:9:<module>"}, "ZeroDivisionError\nError: 1 step failed").trimmed().split('\n')) {
        padded += line.leftJustified(120) + '\n';
    }
    row("lines that a terminal has filled with spaces", 1, padded, "user-code-error", "ZeroDivisionError", "t.py:9");
    row("an abort of a library after the traceback", 1,
        traceback({"/opt/env/lib/python3.11/site-packages/torch/serialization.py:850:save"},
            "OSError: [Errno 122] Disk quota exceeded")
            + during
            + traceback(
                {"/w/tr.py:201:save", "/opt/env/lib/python3.11/site-packages/torch/serialization.py:690:__exit__"},
                "RuntimeError: [enforce fail at inline_container.cc:659] . unexpected pos 64 vs 0")
            + "terminate called after throwing an instance of 'c10::Error'\n  what():  [enforce fail at "
              "inline_container.cc:659] . unexpected pos 64 vs 0\n",
        "quota-exceeded", "Disk quota exceeded", "tr.py:201");
    row("last words of Fortran before MPI_ABORT", 1,
        " step 40 dt 1.0e-4\n rank 3: negative density at cell 1811\n----------\nMPI_ABORT was invoked on rank 3 in "
        "communicator MPI_COMM_WORLD\nwith errorcode 1.\n----------\n",
        "program-error", "negative density at cell");
    row("packages that a solver concludes not to fit", 1,
        "  × No solution found when resolving dependencies:\n  ╰─▶ Because your project depends on a>=2 and b==1 "
        "depends on\n      a<2, we can conclude that b==1 and your project are incompatible.\n",
        "pip-conflict", "your project are incompatible");
    row("a budget behind what git says of its filter", 128,
        "Error downloading object: m.bin (1a2b): Smudge error: Error downloading m.bin: batch response: This "
        "repository exceeded its LFS budget.\n\nerror: external filter 'git-lfs filter-process' failed\nfatal: "
        "m.bin: smudge filter lfs failed\n",
        "git-lfs", "exceeded its LFS budget");
    row("a traceback that the end cuts off", 1,
        "step 1\nTraceback (most recent call last):\n  File \"/w/train.py\", line 88, in main\n    loss.back",
        "unknown", "", "train.py:88");
    row("lines of Fortran", 1, " cycle 9\n ERROR: basis set is not defined\n cpu time 3.1\n", "program-error",
        "basis set");
    row("Fortran of Intel", 174,
        " begin\nforrtl: severe (174): SIGSEGV, segmentation fault occurred\nImage              PC                "
        "Routine  "
        "          Line        Source             \nflow.exe          000000000045E3A1  upwind_                   "
        "212  upwind.f90\nlibc.so.6          00002B2F1B1C8555  __libc_start_main     Unknown  Unknown\n",
        "segfault", "severe (174)", "upwind.f90:212");
    row("an assertion in the C library", 134,
        "init\nsolve: malloc.c:2617: sysmalloc: Assertion `(old_top == initial_top (av))' failed.\nAborted\n",
        "assertion-failed", "malloc.c:2617");
    row(".NET", 134,
        "begin\nUnhandled exception. System.NullReferenceException: Object reference not set to an instance of an "
        "object.\n   at System.Linq.First(Object x)\n   at Sim.Loader.Read(String path) in /w/Loader.cs:line 44\n   at "
        "Sim.Program.Main(String[] args) in /w/Program.cs:line 12\nAborted (core dumped)\n",
        "uncaught-exception", "NullReferenceException", "Loader.cs:44");
    row("PHP", 255, "PHP Fatal error:  Uncaught Error: Call to undefined function f() in /w/a.php on line 3\n",
        "program-error", "undefined function", "a.php:3");
    row("Lua", 1,
        "luajit: fit.lua:55: attempt to index a nil value (local 'o')\nstack traceback:\n\tfit.lua:55: in function "
        "'step'\n\t[C]: at 0x00405d50\n",
        "program-error", "attempt to index", "fit.lua:55");
    row("Perl that misses a file", 2, "begin\nCan't open ref.fa: No such file or directory at /w/map.pl line 12.\n",
        "file-missing", "Can't open ref.fa", "map.pl:12");
    row("words before a report", 1,
        "allocation is too small: 2 of 8\nsrun: error: n1: task 0: Exited with exit code 1\nsrun: Terminating "
        "StepId=1.0\n",
        "program-error", "allocation is too small");
    row("a report without words", 1, "step 1 loss 0.4\nsrun: error: n1: task 0: Exited with exit code 1\n",
        "process-failed", "task 0: Exited");
    row("what ended after the first of the processes", 1,
        "step 1 loss 0.4\n"
            + torchrunTable().replace("  <NO_OTHER_FAILURES>\n",
                "[1]:\n  time      : 2026-03-12_10:00:04\n  host      : n1\n  rank      : 0 (local_rank: 0)\n"
                "  exitcode  : -6 (pid: 911)\n  error_file: <N/A>\n  traceback : Signal 6 (SIGABRT) received by PID "
                "911\n"),
        "process-failed", "Root Cause (first observed failure)");
    row("a rate of errors", 1, "step 1\nERROR rate 0.03 at 1e-3\n", "unknown", "ERROR rate");
    row("an environment that is not there", 1,
        "job.sh: line 7: venv/bin/activate: No such file or directory\n"
            + traceback({"/w/train.py:1:<module>"}, "ModuleNotFoundError: No module named 'torch'"),
        "venv-missing", "venv/bin/activate", "job.sh:7");
    row("an environment of conda that is not there", 1,
        "setup.sh: line 3: /home/ada/miniconda3/bin/activate: No such file or directory\n", "venv-missing",
        "miniconda3/bin/activate", "setup.sh:3");
    row("a folder without a checkpoint", 1, "No checkpoints found in runs/exp7\n", "file-missing", "runs/exp7");
    row("npm", 1,
        "npm WARN config old\nnpm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree\nnpm ERR! "
        "\nnpm "
        "ERR! A complete log of this run can be found in: /root/a.log\n",
        "program-error", "unable to resolve");
    row("a licence, with advice below", 1,
        "opening\nLicense checkout failed.\nLicense Manager Error -4\nTry again later.\n\nTo see who uses it, visit:\n"
        "https://example.org/lme/4\n",
        "licence-missing", "License checkout failed");
    row("a licence that is not large enough", 1,
        traceback({"/w/opt.py:9:<module>", "src/solver/model.pxi:893:optimize"},
            "solver.SolverError: Model too large for size-limited license"),
        "licence-missing", "size-limited", "opt.py:9");
    row("a licence of a program", 1,
        "Job beam\nFem Error: The following license feature could not be checked out: \"fem\"\nFem/Analysis exited "
        "with "
        "errors\n",
        "licence-missing", "could not be checked out");
    row("licences that nothing is wrong with", 1,
        "License: MIT\nlicense file found\n" + traceback({"/w/a.py:2:<module>"}, "KeyError: 'n'"), "user-code-error",
        "KeyError", "a.py:2");
    row("locked memory", 1,
        "n1:22:90 [0] misc/ibvwrap.cc:190 NCCL WARN Call to ibv_reg_mr failed with error Cannot allocate memory\n"
            + traceback({"/w/a.py:5:main"},
                "torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:1691, unhandled system error")
            + "ncclSystemError: System call or external library call failed.\nLast error:\nCall to ibv_reg_mr failed "
              "with error Cannot allocate memory\n",
        "locked-memory", "ibv_reg_mr", "a.py:5");
    row("enroot, as Slurm shows it", 1,
        "slurmstepd: error: pyxis: child 901 failed with error code: 1\nslurmstepd: error: pyxis: failed to import "
        "docker "
        "image\nslurmstepd: error: pyxis:     [INFO] Authenticating with user: <anonymous>\nslurmstepd: error: pyxis:  "
        "   "
        "curl: (22) The requested URL returned error: 401\nslurmstepd: error: pyxis: couldn't start container\n"
        "slurmstepd: error: spank: required plugin spank_pyxis.so: task_init() failed with rc=-1\nsrun: error: n1: "
        "task 0: "
        "Exited with exit code 1\n",
        "hub-auth", "returned error: 401");
    row("memory of a container of Spark", 1,
        "ERROR YarnScheduler: Lost executor 6 on w7: Container killed by YARN for exceeding memory limits. 8.2 GB of 8 "
        "GB "
        "physical memory used.\nException in thread \"main\" org.apache.spark.SparkException: Job aborted due to stage "
        "failure\n\tat org.apache.spark.scheduler.DAGScheduler.abort(DAGScheduler.scala:1651)\n",
        "host-oom", "exceeding memory limits");
    row("HTCondor, memory", 1,
        "012 (1.0.0) Job was held.\n\tError from slot1@n9: Job has gone over cgroup memory limit of 4096 "
        "megabytes.\n\tCode "
        "34 Subcode 102\n",
        "host-oom", "memory limit of 4096");
    row("a module file, in two lines", 1,
        "Lmod has detected the following error:  The following module(s) are unknown:\n\"cuda/99\"\n\nPlease check the "
        "spelling.\n",
        "modulefile-missing", "module(s) are unknown");
}

void TstWhyForms::places_data()
{
    columns();
    row("IPython before its version 8", 1,
        "-----------------------------------------------\nRuntimeError              Traceback (most recent call last)\n"
        "<ipython-input-12-8d2b4d1c22b1> in <module>\n      1 for ep in range(3):\n----> 2     model.fit(train)\n\n"
        "~/src/model.py in fit(self, data)\n     80         for x in data:\n---> 81             z = self.pool(x)\n     "
        "82 "
        "\n\n/opt/env/lib/python3.7/site-packages/torch/nn/modules/module.py in _call_impl(self, *input)\n    887      "
        "   "
        "else:\n--> 889             result = self.forward(*input)\n    890 \n\n~/src/pool.py in forward(self, x)\n     "
        "28   "
        "      out = self.buf\n---> 29         out[:3] = x\n     30         return out\n\nRuntimeError: the buffer has "
        "no "
        "room\n",
        "user-code-error", "the buffer has no room", "pool.py:29");
    row("rich, a path that its box breaks", 1,
        "╭──── Traceback (most recent call last) ─────╮\n"
        "│ /w/main.py:44 in main                      │\n"
        "│ ❱ 44 │   trainer.run()                     │\n"
        "│                                            │\n"
        "│ /w/experiments/2025/variable/collate_varia │\n"
        "│ ble.py:57 in collate                       │\n"
        "│ ❱ 57 │   return b[\"mask\"]                  │\n"
        "╰────────────────────────────────────────────╯\nKeyError: 'mask'\n",
        "user-code-error", "KeyError: 'mask'", "collate_variable.py:57");
    row("Cython of a package", 1,
        traceback(
            {"/w/feat.py:12:<module>", "pandas/_libs/hashtable_class_helper.pxi:7089:get_item"}, "KeyError: 'price'"),
        "user-code-error", "KeyError: 'price'", "feat.py:12");
    row("an error that a compiler of kernels passes on", 1,
        traceback({"/w/train.py:75:<module>", torchLib + "_dynamo/eval_frame.py:465:_fn"},
            "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nRuntimeError: Failed to find C "
            "compiler. "
            "Please specify via CC environment variable."),
        "build-failed", "Failed to find C compiler", "train.py:75");
}

// What NCCL and the network say of the reason becomes part of the sentence.
void TstWhyForms::arguments()
{
    const FailureFacts nccl = whyOf(1,
        traceback(
            {"/w/a.py:5:main"}, "torch.distributed.DistBackendError: NCCL error in: NCCLUtils.hpp:268, internal error")
            + "ncclInternalError: Internal check failed.\nLast error:\nBootstrap : no socket interface found\n");
    QCOMPARE(nccl.cause, u"nccl-error"_s);
    QCOMPARE(nccl.args.value("reason"_L1), u"Bootstrap : no socket interface found"_s);
    const FailureFacts refused = whyOf(1,
        traceback({"/opt/env/lib/python3.11/site-packages/urllib3/connection.py:198:_new_conn"},
            "ConnectionRefusedError: [Errno 111] Connection refused")
            + during
            + traceback({"/w/a.py:5:main"},
                "tracking.TrackingError: failed with HTTPConnectionPool(host='ml.lab', port=5000): Max retries "
                "exceeded"));
    QCOMPARE(refused.cause, u"connection-refused"_s);
    QCOMPARE(refused.args.value("host"_L1), u"ml.lab"_s);
    QCOMPARE(refused.args.value("port"_L1), u"5000"_s);
    const FailureFacts solver = whyOf(1,
        "Solving environment: failed\n\nLibMambaUnsatisfiableError: Encountered problems while solving:\n  - nothing "
        "provides __cuda needed by libtorch-2.4.0\n\nCould not solve for environment specs\n");
    QCOMPARE(solver.cause, u"pip-conflict"_s);
    QCOMPARE(solver.args.value("said"_L1), u"nothing provides __cuda needed by libtorch-2.4.0"_s);
    const FailureFacts modules = whyOf(1,
        "Lmod has detected the following error:  The following module(s) are unknown:\n\"cuda/13.9\"\n\nPlease check "
        "the spelling.\n");
    QCOMPARE(modules.cause, u"modulefile-missing"_s);
    QCOMPARE(modules.args.value("name"_L1), u"cuda/13.9"_s);
}

// Modules of the environment exclude each other, or need others: which ones.
void TstWhyForms::modules_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("loaded");
    QTest::addColumn<QString>("needed");
    const QByteArray lmod = "Lmod has detected the following error:  ";
    QTest::newRow("Lmod, one in the way")
        << lmod + "Cannot load module \"mpi-a/4.1\" because these module(s) are loaded:\n   mpi-b\n\n"
        << u"mpi-a/4.1"_s << u"mpi-b"_s << QString();
    QTest::newRow("Lmod, broken where the terminal ends")
        << lmod + "Cannot load module \"mpi-a/4.1\" because these\nmodule(s) are loaded:\n   mpi-b\n"
        << u"mpi-a/4.1"_s << u"mpi-b"_s << QString();
    QTest::newRow("Lmod, one that is needed")
        << lmod + "Cannot load module \"grid/4.9\" without these module(s) loaded:\n   array\n"
        << u"grid/4.9"_s << QString() << u"array"_s;
    QTest::newRow("Lmod, one of several that are needed")
        << lmod + "Cannot load module \"grid/4.9\". At least one of these module(s) must be loaded:\n   array old\n"
        << u"grid/4.9"_s << QString() << u"array old"_s;
    QTest::newRow("Lmod, not as it is asked for") << lmod
            + "These module(s) or extension(s) exist but cannot be loaded as requested: \"mpi-a/5\"\n   Try: \"module "
              "spider mpi-a/5\"\n" << u"mpi-a/5"_s << QString()
                                                  << QString();
    QTest::newRow("Tcl, one in the way") << QByteArray(
        "mpi-a/4.1(12):ERROR:150: Module 'mpi-a/4.1' conflicts with the currently loaded module(s) "
        "'mpi-b'\n") << u"mpi-a/4.1"_s << u"mpi-b"_s
                                         << QString();
    QTest::newRow("Tcl, a conflict without a name")
        << QByteArray("Loading mpi-a/4.1\n  ERROR: Module cannot be loaded due to a conflict.\n    HINT: Might try "
                      "\"module unload mpi-b\" first.\n")
        << QString() << QString() << QString();
    QTest::newRow("Tcl, one that is needed")
        << QByteArray("Loading grid/4.9\n  ERROR: Requirement array/1 is not loaded\n") << QString() << QString()
        << u"array/1"_s;
}

void TstWhyForms::modules()
{
    QFETCH(QByteArray, output);
    const FailureFacts facts = whyOf(1, output);
    QCOMPARE(facts.cause, u"modulefile-conflict"_s);
    QTEST(facts.args.value("name"_L1).toString(), "name");
    QTEST(facts.args.value("loaded"_L1).toString(), "loaded");
    QTEST(facts.args.value("needed"_L1).toString(), "needed");
    // A command that the module would have brought is missing because of it.
    QCOMPARE(whyOf(127, output + "./run.sh: line 3: gridinfo: command not found\n").cause, u"modulefile-conflict"_s);
}

TRAINYARD_TEST(TstWhyForms)
#include "tst_whyforms.moc"
