// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/export/jobscript.h"

using namespace Qt::StringLiterals;

namespace trainyard::exporting
{

namespace
{

const char localPart[]
    = R"SH(# --- On this machine. ---------------------------------------------------------------------------------------------------
port_is_free() { # nothing listens there
    ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

#@if gpus
# The GPUs of this machine, one after the other: those of CUDA_VISIBLE_DEVICES, else all that nvidia-smi lists.
deal_gpus() {
    local task wanted next=0
    local -a gpus=()
    if [[ -n ${CUDA_VISIBLE_DEVICES+set} ]]; then
        IFS=, read -r -a gpus <<<"$CUDA_VISIBLE_DEVICES"
    elif type -P nvidia-smi >/dev/null; then
        mapfile -t gpus < <(nvidia-smi --query-gpu=index --format=csv,noheader)
    fi
    for task in "${!TASK_ROLE[@]}"; do
        wanted=${GPUS[TASK_ROLE[task]]}
        if ((next + wanted > ${#gpus[@]})); then
            say "the job needs more GPUs than the ${#gpus[@]} of this machine"
            exit 2
        fi
        TASK_GPUS[task]=$(
            IFS=,
            printf '%s' "${gpus[*]:next:wanted}"
        )
        ((next += wanted))
    done
}

launch() { # number of the task, file of its log
    exec env "${VARIABLES[@]}" CUDA_VISIBLE_DEVICES="${TASK_GPUS[$1]}" \
        NVIDIA_VISIBLE_DEVICES="${TASK_GPUS[$1]:-none}" \
        bash "$SELF" --task "${TASK_ROLE[$1]}" "${TASK_INDEX[$1]}" >>"$2" 2>&1
}
#@end
#@if !gpus
launch() { # number of the task, file of its log
    exec env "${VARIABLES[@]}" bash "$SELF" --task "${TASK_ROLE[$1]}" "${TASK_INDEX[$1]}" >>"$2" 2>&1
}
#@end

main() {
    local task
    JOB_ID=$(</proc/sys/kernel/random/uuid)
    list_tasks
#@if gpus
    TASK_GPUS=()
    deal_gpus
#@end
    choose_ports "${PORT_BASE:-20000}"
    TASK_ADDRESS=()
    for task in "${!TASK_ROLE[@]}"; do TASK_ADDRESS[task]=127.0.0.1; done
    run_job
}

)SH";

} // namespace

Result<Exported> bashExport(const JobSpec &job, const JobScript &script, const ExportOptions &options)
{
    const bool apptainer = usesApptainer(job, options);
    Exported exported = script.begun();
    noteGang(exported.notes, job);
    if (!apptainer) {
        noteUnusedImages(exported.notes, job);
    }
    noteRoles(exported.notes, job, false, apptainer);
    const QString readme = readmeHead(job)
        + u"This script runs all of them on this machine: bash FILE. It needs bash 4.4 or later and coreutils, and "
          u"ends "
          "with "
          "status 0 when the job has succeeded, else with the status of the task that decided it, 124 after the time "
          "limit, "
          "130 or 143 when it was interrupted.\n\n"
          "These environment variables change where things are:\n"
          "  WORK_FOLDER   where the commands start (the current folder, unless the job names one)\n"
          "  RUN_FOLDER    logs and checkpoints (a new folder in the current one)\n"
          "  PORT_BASE     the first port that tasks get (20000)\n"
          "The log of each task is RUN_FOLDER/attempt-N/ROLE-INDEX.log, which only you can read."_s;
    exported.text = "#!/usr/bin/env bash\n"
        + headComment(exported, readme + secretsHelp(job, script.secrets, true), options)
        + "\nset +o errexit -o nounset\n"
        + folderSettings(job, {"$PWD", "$(date +%Y%m%d-%H%M%S)-$$", apptainer}, script.needs) + '\n' + script.text
        + scriptPart(u"task"_s, script.needs) + scriptPart(u"run"_s, script.needs)
        + neededLines(localPart, script.needs)
        + dispatch("'') main ;;\n"
                   "-h | --help) sed -n '1d; /^#/!q; s/^# \\{0,1\\}//p' \"${BASH_SOURCE[0]}\" ;;\n"
                   "*)\n"
                   "    printf '%s takes no arguments; --help says how it is used.\\n' \"${0##*/}\" >&2\n"
                   "    exit 2\n"
                   "    ;;\n",
            script.needs);
    return exported;
}

} // namespace trainyard::exporting
