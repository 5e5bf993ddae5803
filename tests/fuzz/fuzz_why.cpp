// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as the output of a program that failed: no crash, and the line that is named is there.
#include "engine/core/why/whyfailed.h"
#include "tests/fuzz/textfuzz.h"

#include <QByteArray>

#include <cstdlib>

using namespace trainyard;

namespace
{

constexpr std::string_view words[] = {"\n", "\r\n", "\r", " ", "  ", "    ", ": ", ":", ", ", "'", "\"", "(", ")", "[",
    "]", "Traceback (most recent call last):\n", "  File \"a.py\", line 3, in f\n",
    "  File \"/w/b.py\", line 12, in <module>\n", "    go(x)\n", "KeyError: 'x'\n", "ValueError: bad\n",
    "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n",
    "\nDuring handling of the above exception, another exception occurred:\n\n",
    "\nThe above exception was the direct cause of the following exception:\n\n",
    "[rank0]: ", "[1,0]<stderr>:", "2024-05-01 10:00:00,123 ERROR ", "I0224 00:32:03.396482   655 a.cpp:280] ",
    "Killed\n", "Segmentation fault (core dumped)\n", "bash: line 3: foo: command not found\n",
    "error: ", "Error: ", "ERROR: ", "fatal: ", "panic: ", "goroutine 1 [running]:\n",
    "main.main()\n\t/w/main.go:12 +0x1d\n", "thread 'main' panicked at src/main.rs:4:5:\n",
    "Exception in thread \"main\" ", "java.lang.NullPointerException\n", "\tat a.B.c(D.java:12)\n",
    "Caused by: ", "at f (/w/a.js:3:5)\n", "slurmstepd: error: ", "srun: error: ", "mpirun ",
    "Root Cause (first observed failure):\n", "exitcode  : 1 (pid: 12)\n", "exit code 1", "line 12",
    "{\"level\":\"error\",\"msg\":\"x\"}\n", "No space left on device", "Permission denied", "Connection refused",
    "No such file or directory: 'a.csv'", "No module named 'x'",
    "size mismatch for a.weight: copying a param with shape ", "torch.Size([1, 2])", "\x1b[31m", "\xff", "^\n",
    "-----\n", "=====\n", "WARNING", "NCCL error", "Xid", "0", "12", "```\n", "@@ -1,2 +1,3 @@\n", "+", "-",
    "[ RUN      ] A.b\n", "[       OK ] A.b\n", "test_a (t.T) ... ", "ok\n", "---- Captured stderr call ----\n",
    "{\"sample\": \"", "\"}\n", "sample: ", "==> a.log <==\n", "reconnected\n", "attempt 1/5"};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string text = fuzz::textOf(data, size, words);
    const QByteArray output(text.data(), qsizetype(text.size()));
    static const int statuses[] = {1, 2, 127, 137, 139, 0};
    const core::FailedRun run{.status = statuses[size % 6], .output = output};
    const FailureFacts facts = core::whyFailed(FailureCauses::bundled(), run);
    if (facts.cause.isEmpty() || facts.line < 0 || facts.line > output.count('\n') + output.count('\r') + 1) {
        std::abort();
    }
    return 0;
}
