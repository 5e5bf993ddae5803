// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/causeelsewhere.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/whytests.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Programs that report the failure of others (workflow engines, schedulers, journals, threads), and libraries that
// raise an exception of their own, with how certain the cause is.
class TstWhyReports : public WhyTests
{
    Q_OBJECT

private Q_SLOTS:
    void reports_data();
    void reports();
    void libraries_data();
    void libraries() { reports(); }
    // Of several tasks, one whose library raised an exception explains the others that lost it.
    void explainsOthers();

private:
    static void withCertainty()
    {
        columns();
        QTest::addColumn<QString>("certainty");
    }
    static void add(const char *name, int status, const QByteArray &output, const char *cause, const char *evidence,
        const char *certainty, const char *frame = "")
    {
        QTest::newRow(name) << status << output << QString::fromUtf8(cause) << QString::fromUtf8(evidence)
                            << QString::fromUtf8(frame) << QString::fromUtf8(certainty);
    }
};

void TstWhyReports::reports_data()
{
    withCertainty();
    const QByteArray rule = "Error in rule tokens:\n    jobid: 3\n    output: out/tokens.bin\n    shell:\n        prep "
                            "--all in/*.txt\n        (one of the commands exited with non-zero exit code; note that "
                            "snakemake uses bash strict mode!)\n\nExiting because a job execution failed. Look above "
                            "for error message\nWorkflowError:\nAt least one job did not complete successfully.\n";
    add("a workflow alone", 1, "rule tokens:\n    jobid: 3\n\n" + rule, "process-failed", "Error in rule", "unknown");
    add("a workflow and what its program says", 1,
        "rule tokens:\n    jobid: 3\n\nprep: in/7.txt: No space left on device\n" + rule, "disk-full", "No space",
        "certain");
    const QByteArray process = "ERROR ~ Error executing process > 'ALIGN (7)'\n\nCaused by:\n  Process `ALIGN (7)` "
                               "terminated with an error exit status (1)\n\nCommand executed:\n\n  align --in 7.fq\n\n"
                               "Command exit status:\n  1\n\n";
    add("a process of a workflow", 1, process + "Command output:\n  (empty)\n", "process-failed", "error exit status",
        "unknown");
    add("a process with its error", 1,
        process + "Command error:\n  .command.sh: line 2: align: command not found\n\nWork dir:\n  /scratch/w/7a\n",
        "command-missing", "align: command not found", "likely", ".command.sh:2");

    add("a step of which a task failed", 1,
        "[2026-01-01T10:00:00.100] error: *** STEP 7.0 ON n1 CANCELLED AT 2026-01-01T10:00:00 DUE TO TASK FAILURE "
        "***\nsrun: error: n1: tasks 0-2,4: Terminated\n",
        "process-failed", "tasks 0-2,4: Terminated", "unknown");
    add("a script that its daemon could not start", 2,
        "slurmstepd: error: execve(): /var/spool/slurmd/job7/slurm_script: No such file or directory\n", "slurm-launch",
        "slurm_script", "certain");
    add("a service that trains", 143,
        "UnexpectedStatusException: Error for Training job net-7: Failed. Reason: AlgorithmError: "
        "ExecuteUserScriptError:\nCommand \"/opt/conda/bin/python -m train --epochs 3\"\n",
        "cancelled", "AlgorithmError", "likely");

    const QByteArray exited = "srun: error: n1: task 0: Exited with exit code 1\n";
    const QByteArray keyError = traceback({"/w/t.py:3:main"}, "KeyError: 'lr'");
    add("a launcher right after the error", 1, keyError + exited, "user-code-error", "'lr'", "certain", "t.py:3");
    add("a launcher after the program was started again", 1, keyError + "--- restarting (2 of 3) ---\n" + exited,
        "user-code-error", "'lr'", "likely", "t.py:3");
    add("an error before the program was started again", 1, keyError + "job requeued\nloading data\n",
        "user-code-error", "'lr'", "likely", "t.py:3");

    add("advice to start the program again", 1, keyError + "To restart from the last checkpoint, add --resume.\n",
        "user-code-error", "'lr'", "certain", "t.py:3");

    const QByteArray poisoned = "thread 'main' panicked at 'called `Result::unwrap()` on an `Err` value: PoisonError "
                                "{ .. }', src/log.rs:14:5\n";
    const QByteArray first = "thread '<unnamed>' panicked at 'no batch 7', src/load.rs:9:31\nnote: run with "
                             "`RUST_BACKTRACE=1` environment variable to display a backtrace\n";
    add("a thread whose lock another left", 101, first + poisoned, "uncaught-exception", "no batch 7", "certain",
        "load.rs:9");
    add("a thread that another one waits for", 101,
        first + QByteArray(poisoned).replace("PoisonError { .. }", "RecvError"), "uncaught-exception", "no batch 7",
        "certain", "load.rs:9");

    const QByteArray head = "Jun 13 10:00:03 n1 ";
    add("the journal of a service", 1,
        head + "systemd[1]: Started prep.\n" + traceback({"/w/prep.py:8:main"}, "KeyError: 'lr'", head + "prep[412]: ")
            + head + "systemd[1]: prep.service: Failed with result 'exit-code'.\n",
        "user-code-error", "'lr'", "certain", "prep.py:8");
    add("the journal of the kernel", 137,
        head + "kernel: python invoked oom-killer: gfp_mask=0xd0, order=0, oom_score_adj=0\n" + head
            + "kernel: CPU: 0 PID: 412 Comm: python  order=0, oom_score_adj=0\n" + head + "kernel: Call Trace:\n"
            + QByteArray(head + "kernel:  [<ffffffff81>] dump_stack+0x19/0x1b\n").repeated(6),
        "host-oom", "invoked oom-killer", "certain");

    const QByteArray dated = "2026-06-13T10:00:03.412087+00:00 n1 ";
    add("the journal of the kernel, with dates", 137,
        dated + "kernel: python invoked oom-killer: gfp_mask=0xd0, order=0, oom_score_adj=0\n" + dated
            + "kernel: CPU: 0 PID: 412 Comm: python  order=0, oom_score_adj=0\n" + dated + "kernel: Call Trace:\n"
            + QByteArray(dated + "kernel:  [<ffffffff81>] dump_stack+0x19/0x1b\n").repeated(6),
        "host-oom", "invoked oom-killer", "certain");

    add("an actor of Ray that died", 1,
        "ray.exceptions.RayTaskError(ActorDiedError): ray::Runner.run() (pid=412, ip=10.0.0.2)\n  File "
        "\"/w/run.py\", line 9, in run\n    trainer.fit()\nray.exceptions.ActorDiedError: The actor died unexpectedly "
        "before finishing this task.\n\tclass_name: Worker\n",
        "process-died-unknown", "The actor died unexpectedly", "likely", "run.py:9");

    const QByteArray cancelled
        = "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.\nslurmstepd: "
          "error: *** STEP 7.1 ON n1 CANCELLED AT 2026-01-01T10:00:00 ***\n";
    add("a step that is cancelled after an error of its task", 1,
        "ERROR on proc 3: Failed to reallocate 412 bytes for array comm:buf (src/memory.cpp:1)\n" + cancelled,
        "host-oom", "Failed to reallocate", "likely");
    add("a step that is cancelled while it works", 1,
        "ERROR: cannot open log: Permission denied\nstep 1 of 9\nstep 2 of 9\n" + cancelled, "cancelled", "CANCELLED",
        "likely");
    add("the steps of a build", 1,
        "3 errors detected in the compilation of \"k.cu\".\nninja: build stopped: subcommand failed.\n"
            + traceback({"/opt/env/lib/python3.11/subprocess.py:516:run:raise CalledProcessError(x)"},
                "subprocess.CalledProcessError: Command '['ninja', '-v']' returned non-zero exit status 1.")
            + direct + traceback({"/w/setup.py:9:<module>"}, "RuntimeError: Error compiling objects for extension")
            + "ERROR: Failed building wheel for k\n",
        "build-failed", "3 errors detected", "certain", "setup.py:9");
    add("a build that only its last steps report", 1,
        traceback({"/opt/env/lib/python3.11/subprocess.py:516:run:raise CalledProcessError(x)"},
            "subprocess.CalledProcessError: Command '['ninja', '-v']' returned non-zero exit status 1.")
            + direct + traceback({"/w/t.py:9:<module>"}, "RuntimeError: Error building extension 'k'"),
        "build-failed", "Error building extension", "likely", "t.py:9");

    add("a stage and its command", 255,
        keyError + "ERROR: failed to reproduce 'train': failed to run: python t.py, exited with 1\n", "user-code-error",
        "'lr'", "certain", "t.py:3");
    add("a command of a scheduler of tasks", 1,
        "airflow.exceptions.AirflowException: Bash command failed. The command returned a non-zero exit code 1.\n",
        "process-failed", "Bash command failed", "unknown");
    add("a worker whose memory was too small", 1,
        "distributed.nanny - WARNING - Worker exceeded 95% memory budget.  Restarting\ndistributed.nanny - WARNING - "
        "Restarting worker\n"
            + traceback({"/w/t.py:9:main"}, "distributed.scheduler.KilledWorker: ('sum-7', 'tcp://127.0.0.1:51000')"),
        "host-oom", "memory budget", "likely", "t.py:9");
    add("MATLAB without memory", 1,
        "Out of memory. Type HELP MEMORY for your options. \nError in spectrum (line 32)\n    y = fft(x);\n",
        "host-oom", "Out of memory", "certain", "spectrum:32");

    const QByteArray yarn
        = "Application application_1_2 failed 2 times due to AM Container for appattempt_1_2_000002 exited with ";
    add("a container of YARN", 1,
        yarn + "exitCode: 1\nContainer id: container_1\nExit code: 1\nContainer exited with a non-zero exit code 1\n",
        "process-failed", "Container exited with", "unknown");
    add("a container of YARN above its limit", 1,
        yarn
            + "exitCode: -103\nDiagnostics: Container [pid=412,containerID=c_1] is running beyond physical memory "
              "limits. Current usage: 1.1 GB of 1 GB physical memory used; 2.2 GB of 2.1 GB virtual memory used. "
              "Killing container.\n",
        "host-oom", "is running beyond", "likely");

    add("MPI that does not begin", 1,
        "*** An error occurred in MPI_Init_thread\n*** on a NULL communicator\n[n1:412] Local abort before MPI_INIT "
        "completed completed successfully, but am not able to aggregate error messages\n",
        "mpi-launcher", "MPI_Init_thread", "likely");
    add("MPI that does not begin, and why", 1,
        "At least one pair of MPI processes are unable to reach each other for\nMPI communications.\n*** An error "
        "occurred in MPI_Init\n",
        "mpi-network", "unable to reach", "certain");
    add("Go, a signal in a library of C", 2,
        "fatal error: unexpected signal during runtime execution\n[signal 0xb code=0x1 addr=0x48 pc=0x7f]\n",
        "segfault", "unexpected signal", "likely");
    add("Julia, a signal in another language", 139, "\n[412] signal (11.1): Speicherzugriffsfehler\n", "segfault",
        "signal (11.1)", "certain");
    add("a container without its GPUs, by another name", 125,
        "docker: Error response from daemon: error running hook: nvidia-container-cli.real: initialization error: "
        "driver error\n",
        "container-gpu", "nvidia-container-cli.real", "certain");
}

void TstWhyReports::reports()
{
    QFETCH(int, status);
    QFETCH(QByteArray, output);
    check();
    QTEST(whyOf(status, output).certainty, "certainty");
}

void TstWhyReports::libraries_data()
{
    withCertainty();
    const QByteArray grid = "/opt/env/lib/python3.11/site-packages/gridlib/core.py";
    add("its own kind", 1,
        traceback({"/w/t.py:3:main", grid + ":9:solve:raise GridError(x)"}, "gridlib.core.GridError: no boundary"),
        "user-code-error", "no boundary", "likely", "t.py:3");
    add("a kind that says nothing", 1,
        traceback({"/w/t.py:3:main", grid + ":9:solve:raise RuntimeError(x)"}, "RuntimeError: no boundary"),
        "user-code-error", "no boundary", "likely", "t.py:3");
    add("compiled, without frames", 1, traceback({"/w/t.py:3:main"}, "RuntimeError: the solver lost its grid"),
        "user-code-error", "lost its grid", "likely", "t.py:3");
    add("raised by the user", 1, traceback({"/w/t.py:3:main:raise mesh.MeshError(x)"}, "mesh.MeshError: no boundary"),
        "user-code-error", "no boundary", "certain", "t.py:3");
    add("a mistake in the call of one", 1,
        traceback({"/w/t.py:3:main", grid + ":9:solve"}, "TypeError: solve() got an unexpected keyword argument 'h'"),
        "user-code-error", "keyword argument", "certain", "t.py:3");
    add("shapes of TensorFlow", 1,
        traceback({"/w/t.py:3:main", grid + ":9:execute"},
            "tensorflow.python.framework.errors_impl.InvalidArgumentError: logits and labels must be broadcastable: "
            "logits_size=[32,5] labels_size=[32,7]"),
        "shape-mismatch", "broadcastable", "certain", "t.py:3");
    add("built without CUDA", 1,
        traceback({"/w/t.py:3:main", grid + ":9:bind"},
            "mxnet.base.MXNetError: [10:00:00] src/storage.cc:119: Compile with USE_CUDA=1 to enable GPU usage"),
        "cpu-only-build", "USE_CUDA", "certain", "t.py:3");
    add("the source of a frame without its place", 1,
        "Traceback (most recent call last):\n w/scan.py\", line 577, in fetch\n    raise ScannerError(None, None,\n"
        "yaml.scanner.ScannerError: mapping values are not allowed here\n",
        "config-error", "mapping values", "certain");
}

void TstWhyReports::explainsOthers()
{
    const auto shows = [](const QByteArray &output) {
        return core::showsCause({{failureKey, whyOf(1, output).toJson()}});
    };
    QVERIFY(shows(traceback({"/w/t.py:3:main", "/opt/env/lib/python3.11/site-packages/gridlib/core.py:9:solve"},
        "gridlib.core.GridError: no boundary")));
    QVERIFY(!shows("srun: error: n1: task 0: Exited with exit code 1\n"));
    QVERIFY(!shows("[rank0]: RuntimeError: Connection closed by peer [10.0.0.2]:29500\n"));
}

TRAINYARD_TEST(TstWhyReports)
#include "tst_whyreports.moc"
