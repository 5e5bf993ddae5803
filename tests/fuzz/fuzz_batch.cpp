// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a batch script: no crash, places within the script, and a job that can be read wherever there is one.
#include "model/import/batchimport.h"
#include "model/protocol/jobdocument.h"
#include "tests/fuzz/textfuzz.h"

#include <QByteArray>

#include <cstdlib>

using namespace trainyard;

namespace
{

constexpr std::string_view batchWords[] = {"\n", "\r\n", " ", "\t", "\\\n", "'", "\"", "`", "$(", ")", "((", "))", "{",
    "}", "${", "$", "&", "&&", "||", "|", ";", "#", " # ", "=", ",", ":", "-", "--", "\n#SBATCH ", "#!/bin/bash\n",
    "#!/bin/bash -eu\n", "#!/usr/bin/env python3\n", "\n#PBS -l x\n", "-n", "-N", "-c", "-G", "-J", "-D", "-a", "-t",
    "--ntasks=", "--ntasks-per-node=", "--mem=", "--mem-per-cpu=", "--mem-per-gpu=", "--gres=gpu:", "--gres=",
    "--gpus=", "--gpus-per-task=", "--gpus-per-node=", "--cpus-per-gpu=", "--ntasks-per-gpu=", "--tres-per-task=",
    "--exclusive",
    "--export=ALL,A=", "--array=", "--time=", "--chdir=", "--container-image=", "--container-mounts=", "--multi-prog",
    "hetjob", "--het-group=", "srun ", "\nsrun ", "\nwait\n", "wait $!", "if true; then\n", "\nfi\n",
    "for i in 1 2; do ", "; done\n", "f() {\n", "case x in\n", "esac\n", "cat <<EOF\n", "\nEOF\n", "<<-'E'\n",
    "docker run ", "podman run ", "--gpus all ", "-e A=1 ", "-v $PWD:/w ", "--entrypoint ", "-m 8g ", "img:1 ", "./a ",
    "python x.py ", "mpirun ", "scontrol show hostnames ", "$SLURM_JOB_ID", "$SLURM_NTASKS", "SLURM_X",
    "hf_0123456789abcdef0", "TOKEN=", "<% ", "999999999", "999999999999T", "0", "4", "1-3%2", "1-0", "a100:2", "2080ti",
    "\xef\xbb\xbf", "\xff", "\x1b", "key: x\n", "---\n"};

void mustHold(bool holds)
{
    if (!holds) {
        std::abort();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string text = fuzz::textOf(data, size, batchWords);
    const QByteArray script(text.data(), qsizetype(text.size()));
    isBatchScript(script);
    isBatchScript(script, QStringLiteral("a.sh"));
    isShellScript(script);
    const JobImport import = importBatchScript(script, QStringLiteral("name"));
    for (const Diagnostic &each : import.report) {
        mustHold(!each.code.isEmpty());
        mustHold(0 <= each.at.begin && each.at.begin <= each.at.end && each.at.end <= script.size());
    }
    mustHold(!import.yaml.isEmpty() || import.hasErrors());
    if (!import.yaml.isEmpty()) {
        const ParseOutcome outcome = parseJob(import.yaml);
        mustHold(outcome.document.isWellFormed() && outcome.spec && !outcome.spec->taskRoles.isEmpty());
    }
    return 0;
}
