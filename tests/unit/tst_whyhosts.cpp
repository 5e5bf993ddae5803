// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/unit/whytests.h"
#include "widgets/text/whytexts.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What drivers, containers, launchers and limits of a host say, where the words are like those of another cause; and
// names and numbers that stand in such words.
class TstWhyHosts : public WhyTests
{
    Q_OBJECT

private Q_SLOTS:
    void hosts_data();
    void hosts() { check(); }
    void certainties_data();
    void certainties();
    void sentences_data();
    void sentences();
};

void TstWhyHosts::hosts_data()
{
    columns();
    row("a driver that was updated, seen by a container", 125,
        "docker: Error response from daemon: failed to create task for container: OCI runtime create failed: error "
        "running prestart hook #0: exit status 1, stdout: , stderr: Auto-detected mode as 'legacy'\n"
        "nvidia-container-cli: initialization error: nvml error: driver/library version mismatch: unknown\n",
        "driver-mismatch", "version mismatch");
    row("an image that cannot be read", 255,
        "FATAL:   container creation failed: mount hook function failure: mount /proc/self/fd/3->/session/rootfs "
        "error: while mounting image /proc/self/fd/3: squashfuse_ll exited with status 255: Something went wrong "
        "trying to read the squashfs image.\n",
        "image-damaged", "squashfs image");
    row("a file that is no image", 255, "FATAL:   could not open image /d/a.sif: image format not recognized\n",
        "image-damaged", "/d/a.sif");
    row("an image that is not there", 255,
        "FATAL:   could not open image /d/a.sif: failed to retrieve path for /d/a.sif: lstat /d/a.sif: no such file or "
        "directory\n",
        "image-missing", "/d/a.sif");
    row("an image of somebody else", 255,
        "FATAL:   could not open image /d/a.sif: failed to retrieve path for /d/a.sif: lstat /d/a.sif: permission "
        "denied\n",
        "permission-denied", "/d/a.sif");
    const auto enroot = [](const QByteArray &code) -> QByteArray {
        return "pyxis: importing docker image: nvcr.io#lab/train:9\n"
               "slurmstepd: error: pyxis: child 4412 failed with error code: 1\n"
               "slurmstepd: error: pyxis: failed to import docker image\n"
               "slurmstepd: error: pyxis: printing enroot log file:\n"
               "slurmstepd: error: pyxis:     [INFO] Fetching image manifest list\n"
               "slurmstepd: error: pyxis:     [ERROR] URL https://nvcr.io/v2/lab/train/manifests/9 returned error "
               "code: "
            + code
            + "\nslurmstepd: error: pyxis: couldn't start container\n"
              "slurmstepd: error: spank: required plugin spank_pyxis.so: task_init() failed with rc=-1\n"
              "slurmstepd: error: Failed to invoke spank plugin stack\nsrun: error: n01: task 0: Exited with exit code "
              "1\n";
    };
    row("enroot, no such image", 1, enroot("404 Not Found"), "image-missing", "lab/train/manifests/9");
    row("enroot, no login", 1, enroot("401 Unauthorized"), "registry-auth", "lab/train/manifests/9");
    row("a link between GPUs", 1,
        traceback({"/w/a.py:3:<module>"},
            "RuntimeError: CUDA error: uncorrectable NVLink error detected during the execution"),
        "gpu-link", "NVLink", "a.py:3");
    row("an architecture that the assembler does not know", 1,
        traceback({"/w/a.py:3:<module>"},
            "RuntimeError: Internal Triton PTX codegen error: \nptxas fatal   : Value 'sm_120' is not defined for "
            "option 'gpu-name'"),
        "kernel-image", "codegen error", "a.py:3");
    row("watched files", 1, traceback({"/w/a.py:3:<module>"}, "OSError: [Errno 28] inotify watch limit reached"),
        "watch-limit", "inotify", "a.py:3");
    row("watching programs", 1, traceback({"/w/a.py:3:<module>"}, "OSError: [Errno 24] inotify instance limit reached"),
        "watch-limit", "inotify", "a.py:3");
    row("Open MPI by srun", 1,
        "The application appears to have been direct launched using \"srun\",\nbut OMPI was not built with SLURM's "
        "PMI support and therefore cannot\nexecute. There are several options for building PMI support under\nSLURM\n"
        "*** An error occurred in MPI_Init\n*** on a NULL communicator\n"
        "srun: error: n01: task 0: Exited with exit code 1\n",
        "mpi-launcher", "OMPI was not built");
    row("no launcher", 1,
        traceback({"/w/a.py:3:<module>"},
            "ValueError: Error initializing torch.distributed using env:// rendezvous: environment variable RANK "
            "expected, but not set"),
        "launcher-missing", "RANK", "a.py:3");
    row("no launcher, by a key", 1,
        traceback({"/w/a.py:3:<module>", "<frozen os>:679:__getitem__"}, "KeyError: 'LOCAL_RANK'"), "launcher-missing",
        "LOCAL_RANK", "a.py:3");
    row("a user without a name", 1,
        traceback({"/w/a.py:3:<module>", "/usr/lib/python3.12/getpass.py:169:getuser"},
            "KeyError: 'getpwuid(): uid not found: 1001'"),
        "user-unknown", "1001", "a.py:3");
    row("a watchdog that is stuck", 134,
        "step 1\n[rank0]:[F211 03:48:00.1 ProcessGroupNCCL.cpp:1306] [PG 0 Rank 0] ProcessGroupNCCL's watchdog got "
        "stuck for 480 seconds without making progress in monitoring enqueued collectives.\nAborted (core dumped)\n",
        "nccl-timeout", "watchdog got stuck");
    row("requests of a service", 1,
        traceback({"/w/a.py:3:<module>"},
            "google.api_core.exceptions.ResourceExhausted: 429 Quota exceeded for quota metric 'requests per minute'"),
        "rate-limit", "429", "a.py:3");
    row("JAX, another task died", 134,
        "step 9\nF0211 03:10:20.2 1 client.h:80] Terminating process because the JAX distributed service detected "
        "fatal errors. This most likely indicates that another task died; see the other task logs for more details.\n"
        "Aborted (core dumped)\n",
        "peer-lost", "another task died");
    row("TensorFlow, another task died", 1,
        traceback({"/w/a.py:3:<module>"},
            "tensorflow.python.framework.errors_impl.UnavailableError: Collective ops is aborted by: failed to connect "
            "to all addresses; last error: Failed to connect to remote host: Connection refused"),
        "peer-lost", "Collective ops", "a.py:3");
    row("NCCL, the memory of a GPU", 1,
        traceback({"/w/a.py:3:<module>"},
            "torch.distributed.DistBackendError: NCCL error in: x.cpp:1, unhandled cuda error, NCCL version 2.20.5\n"
            "ncclUnhandledCudaError: Call to CUDA function failed.\nLast error:\nCuda failure 2 'out of memory'"),
        "gpu-oom", "Cuda failure 2", "a.py:3");
    row("the local disk of a pod", 137,
        "step 9\nPod ephemeral local storage usage exceeds the total limit of containers 10Gi.\n", "disk-full",
        "ephemeral");
    row("the controller of Slurm", 1,
        "sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)\n",
        "slurm-unreachable", "connect failure");
    row("Munge", 1,
        "srun: error: Munge encode failed: Failed to access \"/run/munge/munge.socket.2\": No such file or directory\n"
        "srun: error: slurm_auth_get_host: Unable to generate auth cred\n",
        "slurm-unreachable", "munge.socket.2");
    row("JAX, no number", 1,
        traceback({"/w/a.py:3:<module>"}, "FloatingPointError: invalid value (nan) encountered in jit(step)"),
        "diverged", "nan", "a.py:3");
}

void TstWhyHosts::certainties_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("certainty");
    const auto row = [](const char *name, int status, const QByteArray &output, const QString &certainty) {
        QTest::newRow(name) << status << output << certainty;
    };
    // Programs that answer in words, and their references, write of crashes, too.
    row("a crash in a sentence", 1, "sample 9\nIn the text: Segmentation fault happened\n", u"likely"_s);
    row("a crash", 139, "sample 9\nSegmentation fault (core dumped)\n", u"certain"_s);
    row("a crash of a program of the script", 139,
        "run.sh: line 3:  4411 Segmentation fault      (core dumped) ./solve\n", u"certain"_s);
    row("a crash, told by Python", 139, "Fatal Python error: Segmentation fault\n", u"certain"_s);
    row("a crash, told by Fortran", 139,
        "Program received signal SIGSEGV: Segmentation fault - invalid memory reference.\n", u"certain"_s);
}

void TstWhyHosts::certainties()
{
    QFETCH(const int, status);
    QFETCH(const QByteArray, output);
    const FailureFacts facts = whyOf(status, output);
    QCOMPARE(facts.cause, u"segfault"_s);
    QTEST(facts.certainty, "certainty");
}

void TstWhyHosts::sentences_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *name, const QByteArray &output, const QString &said) {
        QTest::newRow(name) << output << said;
    };
    row("a version at the end of a sentence",
        "E0211 03:10:20.1 1 cuda_dnn.cc:535] Loaded runtime CuDNN library: 9.1.0 but source was compiled with: 9.8.0.  "
        "CuDNN library needs to have matching major version.\n",
        u"(9.1.0) does not match the one that the program was built with (9.8.0)."_s);
    row("where a proxy was to lead",
        traceback({"/w/a.py:3:<module>"},
            "requests.exceptions.ProxyError: HTTPSConnectionPool(host='pypi.org', port=443): Max retries exceeded with "
            "url: / (Caused by ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed')))"),
        u"The proxy on the way to pypi.org could not be used"_s);
    row("the proxy itself", "curl: (5) Could not resolve proxy: proxy.lab\n"_ba,
        u"The proxy proxy.lab could not be used."_s);
    row("words in a box", "╭─ Error ─────────────────────────╮\n│ No such option: --lrr           │\n╰──────────╯\n"_ba,
        u"--lrr (No such option: --lrr)"_s);
    const auto loader = [&row](const char *name, const QByteArray &ended, const QString &said) {
        row(name,
            traceback({"/w/a.py:3:<module>", torchLib + "utils/data/dataloader.py:1163:_try_get_data:raise "},
                "RuntimeError: DataLoader worker " + ended),
            said);
    };
    loader("a worker of the data loader for memory", "(pid 4711) is killed by signal: Killed. ",
        u"ran out: a data loader worker (pid 4711) was killed."_s);
    loader("one for shared memory",
        "(pid 81) is killed by signal: Bus error. It is possible that dataloader's "
        "workers are out of shared memory. Please try to raise your shared memory limit.",
        u"a data loader worker (pid 81) was killed by a bus error."_s);
    loader("one that crashed", "(pid 82) is killed by signal: Segmentation fault. ",
        u"A data loader worker (pid 82) crashed with a segmentation fault"_s);
    loader("one without a reason", "(pid 83) is killed by signal: Aborted. ",
        u"A data loader worker (pid 83) died or was killed"_s);
    loader(
        "one that is gone", "(pid(s) 84) exited unexpectedly", u"A data loader worker (pid 84) died or was killed"_s);
    loader("several", "(pid(s) 8123, 8124) exited unexpectedly",
        u"Data loader workers (pids 8123, 8124) died or were killed"_s);
}

void TstWhyHosts::sentences()
{
    QFETCH(const QByteArray, output);
    QFETCH(const QString, said);
    const QString words = failureWords(whyOf(1, output)).explanation();
    QVERIFY2(words.contains(said), qPrintable(words));
}

TRAINYARD_TEST(TstWhyHosts)
#include "tst_whyhosts.moc"
