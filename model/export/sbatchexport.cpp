// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/export/jobscript.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::exporting
{

namespace
{

// Tasks that ask for the same are one component of the allocation.
struct Shape {
    qint64 cpu = 1, memoryMiB = 0, gpu = 0;
    qint64 tasks = 0;
    Arrangement arrange = Arrangement::Any; // of its only role
    bool fits(const TaskRole &role) const
    {
        return role.resources.cpu == cpu && role.resources.memoryMiB == memoryMiB && role.resources.gpu == gpu;
    }
};

// Slurm has memory for each core or each node, and none for each task. Whole cores share it evenly, rounded up.
qint64 memoryForCpu(const Shape &shape)
{
    const qint64 cpus = std::max<qint64>(shape.cpu, 1);
    return (shape.memoryMiB + cpus - 1) / cpus;
}

// Those with the most GPUs come first. Components get nodes of their own, the first one the first that fit, and one
// without GPUs must not take those that have some.
QList<Shape> shapesOf(const JobSpec &job)
{
    QList<Shape> shapes;
    for (const TaskRole &role : job.taskRoles) {
        auto shape = std::find_if(shapes.begin(), shapes.end(), [&role](const Shape &each) { return each.fits(role); });
        if (shape == shapes.end()) {
            shapes.append({role.resources.cpu, role.resources.memoryMiB, role.resources.gpu});
            shape = shapes.end() - 1;
        }
        shape->tasks += role.instances;
        if (isArrangedBySlurm(job, role)) {
            shape->arrange = job.trainyard.hostRule(role.name).arrange;
        }
    }
    std::stable_sort(shapes.begin(), shapes.end(), [](const Shape &a, const Shape &b) { return a.gpu > b.gpu; });
    return shapes;
}

const char slurmPart[]
    = R"SH(# --- In an allocation of Slurm. -----------------------------------------------------------------------------------------
#@if many
nodes_of() { # number of the component: a node for each task that fits on it, as Slurm has dealt them
    local nodes=SLURM_JOB_NODELIST counts=SLURM_TASKS_PER_NODE entry count times node=0 i j
    local -a names=()
    if ((COMPONENTS > 1)); then
        nodes=SLURM_JOB_NODELIST_HET_GROUP_$1 counts=SLURM_TASKS_PER_NODE_HET_GROUP_$1
    fi
    mapfile -t names < <(scontrol show hostnames "${!nodes}")
    counts=${!counts}
    for entry in ${counts//,/ }; do
        count=${entry%%(*} times=1
        [[ $entry != *x* ]] || times=${entry##*x} times=${times%)}
        for ((i = 0; i < times; ++i, ++node)); do
            for ((j = 0; j < count; ++j)); do printf '%s\n' "${names[node]}"; done
        done
    done
}

#@end
address_of() { # name of a node: an address that other nodes reach, or the name where there is none
    local address kind rest node
    while read -r address kind rest; do
        if [[ $kind == STREAM* && $address != 127.* ]]; then
            printf '%s' "$address"
            return
        fi
    done < <(getent ahostsv4 "$1")
    # A name that only Slurm knows, as in clusters that are made on demand.
    node=$(scontrol --oneliner show node "$1")
    [[ $node == *" NodeAddr="* ]] || node=" NodeAddr=$1"
    node=${node##* NodeAddr=}
    printf '%s' "${node%% *}"
}

#@if !many
place_tasks() { # the only one is on the first node
    local node
    read -r node < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
    TASK_NODE=("$node") TASK_ADDRESS=("$(address_of "$node")")
}
#@end
#@if many
place_tasks() {
    local component task next
    local -a nodes=()
    local -A addresses=()
    TASK_NODE=() TASK_ADDRESS=()
    for ((component = 0; component < COMPONENTS; ++component)); do
        mapfile -t nodes < <(nodes_of "$component")
        next=0
        for task in "${!TASK_ROLE[@]}"; do
            ((COMPONENT[TASK_ROLE[task]] == component)) || continue
            if ((next >= ${#nodes[@]})); then
                say "the allocation has room for $next tasks only"
                exit 2
            fi
            TASK_NODE[task]=${nodes[next++]}
            if [[ -z ${addresses[${TASK_NODE[task]}]-} ]]; then
                addresses[${TASK_NODE[task]}]=$(address_of "${TASK_NODE[task]}")
            fi
            TASK_ADDRESS[task]=${addresses[${TASK_NODE[task]}]}
        done
    done
}
#@end

# A step for each task. It says what it takes, because steps that do not would take all of the allocation and make others
# wait; and no step ends another one, because the rules of the job decide that.
# srun would kill the task at once when it is asked itself.
ask_to_stop() { # number of the task, process
    : >"$RUN_FOLDER/attempt-$((ATTEMPT + 1))/.stop-$1"
}

launch() { # number of the task, file of its log
    local role=${TASK_ROLE[$1]}
    local -a takes=("--cpus-per-task=${CPUS[role]}")
    if ((MEMORY_PER_CPU[role] > 0)); then
        takes+=("--mem-per-cpu=${MEMORY_PER_CPU[role]}M")
    else
        takes+=(--mem=0 --overlap)
    fi
#@if gpus
    ((!GPUS[role])) || takes+=("--gpus=${GPUS[role]}")
#@end
#@if many
    ((COMPONENTS == 1)) || takes+=("--het-group=${COMPONENT[role]}")
#@end
#@if secrets
    # The step reads the file itself: Slurm is given no secret.
    export -n "${SECRET_NAMES[@]}"
#@end
    exec env "${VARIABLES[@]}" STOP_FILE="$RUN_FOLDER/attempt-$((ATTEMPT + 1))/.stop-$1" srun --nodes=1 --ntasks=1 --nodelist="${TASK_NODE[$1]}" --exact "${takes[@]}" \
        --kill-on-bad-exit=0 --wait=0 --export=ALL --input=none --output="$2" --open-mode=append \
        bash "$SELF" --task "$role" "${TASK_INDEX[$1]}"
}

main() {
    if [[ -z ${SLURM_JOB_ID-} ]]; then
        say "this is a script for Slurm: sbatch $0"
        exit 2
    fi
    # Defaults of the submitter or the site that would change what the steps say for themselves.
    unset SLURM_EXPORT_ENV SLURM_KILL_BAD_EXIT SLURM_WAIT SLURM_GPUS SLURM_GPUS_PER_TASK SLURM_NTASKS_PER_NODE \
        SLURM_CPUS_PER_TASK SLURM_MEM_PER_CPU SLURM_MEM_PER_NODE SLURM_CPU_BIND SLURM_MEM_BIND SLURM_DISTRIBUTION
    JOB_ID=slurm-$SLURM_JOB_ID
    list_tasks
    place_tasks
    # Other jobs may be on the same nodes: the number of the job keeps the ports apart as well as it can.
    choose_ports "${PORT_BASE:-$((20000 + SLURM_JOB_ID % 200 * 60))}"
    run_job
}

)SH";

QByteArray directive(const QByteArray &text) { return "#SBATCH " + text + '\n'; }

QByteArray nodesOf(const Shape &shape)
{
    return shape.arrange == Arrangement::SameHost ? directive("--nodes=1")
        : shape.arrange == Arrangement::DifferentHosts
        ? directive("--nodes=" + QByteArray::number(shape.tasks)) + directive("--ntasks-per-node=1")
        : QByteArray();
}

} // namespace

bool isArrangedBySlurm(const JobSpec &job, const TaskRole &role)
{
    const Arrangement arrange = job.trainyard.hostRule(role.name).arrange;
    const Shape shape{role.resources.cpu, role.resources.memoryMiB, role.resources.gpu};
    return role.instances > 1 && isHard(arrange)
        && std::count_if(job.taskRoles.cbegin(), job.taskRoles.cend(),
               [&shape](const TaskRole &each) { return shape.fits(each); })
        == 1;
}

Result<Exported> sbatchExport(const JobSpec &job, const JobScript &script, const ExportOptions &options)
{
    const QList<Shape> shapes = shapesOf(job);
    QList<QByteArray> components, memory; // of each role
    for (const TaskRole &role : job.taskRoles) {
        const auto shape
            = std::find_if(shapes.cbegin(), shapes.cend(), [&role](const Shape &each) { return each.fits(role); });
        components.append(QByteArray::number(shape - shapes.cbegin()));
        memory.append(QByteArray::number(memoryForCpu(*shape)));
    }
    const bool apptainer = usesApptainer(job, options);
    Exported exported = script.begun();
    noteGang(exported.notes, job);
    if (!apptainer) {
        noteUnusedImages(exported.notes, job);
    }
    noteRoles(exported.notes, job, false, apptainer);
    const std::optional<qint64> &limit = job.trainyard.timeLimitSeconds;
    const qint64 minutes = limit ? std::max<qint64>(1, (*limit + 59) / 60) : 0;
    const QByteArray grace = QByteArray::number(job.trainyard.stop.graceSeconds.value_or(30) + 60);
    QByteArray head;
    for (qsizetype i = 0; i < shapes.size(); ++i) {
        const Shape &shape = shapes.at(i);
        if (i == 0) {
            head += directive("--job-name=" + plainName(job)) + directive("--output=" + plainName(job) + "-%j.out")
                + directive("--open-mode=append") + directive("--no-requeue") + directive("--export=NONE")
                + directive("--signal=B:USR1@" + grace);
        } else {
            head += directive("hetjob");
        }
        head += directive("--ntasks=" + QByteArray::number(shape.tasks)) + nodesOf(shape)
            + directive("--cpus-per-task=" + QByteArray::number(shape.cpu));
        if (shape.memoryMiB > 0) {
            head += directive("--mem-per-cpu=" + QByteArray::number(memoryForCpu(shape)) + 'M');
        }
        if (shape.gpu > 0) {
            head += directive("--gpus-per-task=" + QByteArray::number(shape.gpu));
        }
        if (minutes > 0) {
            head += directive("--time=" + QByteArray::number(minutes));
        }
    }
    // A single task is where the script is.
    const QByteArray allocation = script.needs.contains("many")
        ? "# The component of the allocation that each task role is in, and the MiB of each of its cores.\nCOMPONENTS="
            + QByteArray::number(shapes.size()) + "\nCOMPONENT=(" + components.join(' ') + ")\n"
        : QByteArray("# The MiB of each of its cores.\n");
    const QString canBeSet = script.needs.contains("secrets") ? u"RUN_FOLDER, WORK_FOLDER, PORT_BASE and SECRETS_FILE"_s
                                                              : u"RUN_FOLDER, WORK_FOLDER and PORT_BASE"_s;
    const QString readme = readmeHead(job)
        + u"A batch script for Slurm 22.05 or later: sbatch FILE. Options such as --partition, --account and --time "
          u"can "
          "be "
          "given to sbatch or added below. This script runs on the first node; it starts a step for each task and "
          "decides "
          "when the job is over. It needs a folder that all nodes share: the one that sbatch is called in, or "
          "RUN_FOLDER.\n\n"
          "The variables "_s
        + canBeSet
        + u" can be set below, behind the options: "
          "--export="
          "NONE keeps the environment of the submitter out of the job, and out of what Slurm stores of it. The log of "
          "each "
          "task is attempt-N/ROLE-INDEX.log in RUN_FOLDER, which only you can read."_s;
    exported.text = "#!/usr/bin/env bash\n" + head
        + headComment(exported, readme + secretsHelp(job, script.secrets, false), options)
        + "\nset +o errexit -o nounset\n"
        + folderSettings(job, {"${SLURM_SUBMIT_DIR:-$PWD}", "${SLURM_JOB_ID-}", apptainer}, script.needs) + '\n'
        + script.text + allocation + "MEMORY_PER_CPU=(" + memory.join(' ') + ")\n\n"
        + scriptPart(u"task"_s, script.needs) + scriptPart(u"run"_s, script.needs)
        + neededLines(slurmPart, script.needs) + dispatch("*) main ;;\n", script.needs);
    return exported;
}

} // namespace trainyard::exporting
