// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/unit/whytests.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Outputs of other programs than Python, and ends without an error, with the cause that a person would name.
class TstWhyPrograms : public WhyTests
{
    Q_OBJECT

private Q_SLOTS:
    void programs_data();
    void programs() { check(); }
    void endings_data();
    void endings() { check(); }
};

void TstWhyPrograms::programs_data()
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
        "module-missing", "JSON/XS.pm", "prep.pl:3");
    row("Perl, words of its own", 255, "reading\nno such tokenizer at prep.pl line 12.\n", "program-error",
        "no such tokenizer", "prep.pl:12");
    row("R, its memory", 1, "Error: cannot allocate vector of size 7.5 Gb\nExecution halted\n", "host-oom", "7.5 Gb");
    row("R, a file", 1,
        "Error in gzfile(file, \"rb\") : cannot open the connection\nCalls: readRDS -> gzfile\nExecution halted\n",
        "file-missing", "cannot open the connection");
    row("R, the rights of a file", 1,
        "Error in file(con, \"w\") : cannot open the connection\nCalls: writeLines -> file\nIn addition: Warning "
        "message:\nIn file(con, \"w\") :\n  cannot open file '/opt/out.txt': Permission denied\nExecution halted\n",
        "permission-denied", "Permission denied");
    row("R, an address", 1,
        "Error in url(\"http://h/x.csv\") : cannot open the connection to 'http://h/x.csv'\nExecution halted\n",
        "program-error", "cannot open the connection");
    row("Java, a native library", 1,
        "16/06/17 13:06:48 ERROR Handler: Uncaught exception in thread Thread[worker-3,5,main]\n"
        "java.lang.UnsatisfiedLinkError: no align in java.library.path\n",
        "library-missing", "no align");
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
    row("MPICH, processes by their number", 139,
        " size 64x64\nrank 2 in job 7  n1_40112   caused collective abort of all ranks\n  exit status of rank 2: "
        "killed "
        "by signal 9 \nrank 1 in job 7  n1_40112   caused collective abort of all ranks\n  exit status of rank 1: "
        "killed "
        "by signal 11 \nrank 0 in job 7  n1_40112   caused collective abort of all ranks\n  exit status of rank 0: "
        "killed by signal 9 \n",
        "segfault", "rank 1: killed by signal 11");
    row("MPICH, all of them killed", 137,
        "rank 1 in job 7  n1_40112   caused collective abort of all ranks\n  exit status of rank 1: killed by signal 9 "
        "\nrank 0 in job 7  n1_40112   caused collective abort of all ranks\n  exit status of rank 0: killed by signal "
        "9 "
        "\n",
        "killed", "rank 1: killed by signal 9");
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
    row("bash, rights of a file to write", 1, "job.sh: line 9: /opt/results.txt: Permission denied\n",
        "permission-denied", "/opt/results.txt", "job.sh:9");
    row("dash, rights of a file to write", 2, "job.sh: 9: cannot create /opt/results.txt: Permission denied\n",
        "permission-denied", "/opt/results.txt", "job.sh:9");
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
    row("a C++ exception that says nothing", 134,
        "step 3\n[10:02:11] src/pool.cc:39: Check failed: e == cudaSuccess CUDA: out of memory\nterminate called after "
        "throwing an instance of 'net::Error'\n",
        "gpu-oom", "CUDA: out of memory");
    row("a C++ exception that says nothing, and no line before it", 134,
        "step 3\nterminate called after throwing an instance of 'net::Error'\n", "uncaught-exception", "net::Error");
    row("Rust", 101,
        "thread 'main' panicked at src/main.rs:4:10:\nno tokenizer.json\nnote: run with `RUST_BACKTRACE=1`\n",
        "uncaught-exception", "no tokenizer.json", "main.rs:4");
    row("an unknown program", 3, "reading input\nmyprog: error code 17 in the frobnicator\n", "program-error",
        "frobnicator");
    row("an error in its own words", 3, "reading input\nERROR: the frobnicator is jammed\n", "program-error", "jammed");
}

void TstWhyPrograms::endings_data()
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
        "user-code-error", "assert 2.0 < 1", "test_a.py:4");
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
        "assertion-failed", "n > 0", "feed.c:88");
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

TRAINYARD_TEST(TstWhyPrograms)
#include "tst_whyprograms.moc"
