// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

std::span<const SentenceRow> exports()
{
    static const SentenceRow rows[] = {
        {"export.no-target", QT_TRANSLATE_NOOP("Sentences", "Jobs cannot be exported to that system.")},
        {"export.many-tasks",
            QT_TRANSLATE_NOOP("Sentences", "The job has {tasks} tasks. An export can have at most {most}.")},
        {"export.no-image",
            QT_TRANSLATE_NOOP(
                "Sentences", "Task role {role} has no image, and its tasks can only run in a container there.")},
        {"export.no-images",
            QT_TRANSLATE_NOOP("Sentences",
                "The task roles {roles} have no image, and their tasks can only run in containers there.")},
        {"export.field", QT_TRANSLATE_NOOP("Sentences", "'{field}' has no counterpart and is left out.")},
        {"export.plugin",
            QT_TRANSLATE_NOOP(
                "Sentences", "The plugin '{plugin}' of task role {role} needs Trainyard or OpenPAI and is left out.")},
        {"export.virtual-cluster",
            QT_TRANSLATE_NOOP("Sentences",
                "The virtual cluster '{name}' is left out: choose a partition, queue or project of your own.")},
        {"export.retry-classes",
            QT_TRANSLATE_NOOP("Sentences",
                "Retries count every failure: codes that OpenPAI retries free of charge or never are not told apart.")},
        {"export.data",
            QT_TRANSLATE_NOOP("Sentences",
                "The data '{name}' is not copied: set {variable} to where the tasks find it, or change its path in the "
                "file.")},
        {"export.image",
            QT_TRANSLATE_NOOP("Sentences",
                "Tasks of {role} do not run in the image '{image}': what the commands need has to be installed "
                "there.")},
        {"export.login",
            QT_TRANSLATE_NOOP("Sentences",
                "The login for the image '{image}' of {role} is left out: log in to its registry before you start the "
                "job.")},
        {"export.completion",
            QT_TRANSLATE_NOOP("Sentences",
                "The completion policy of {role} (fails after {failed} failed tasks, succeeds after {succeeded}; -1: "
                "never) cannot be expressed there.")},
        {"export.job-retries",
            QT_TRANSLATE_NOOP(
                "Sentences", "'jobRetryCount' ({count}) is left out: the job is not started again as a whole.")},
        {"export.time-limit", QT_TRANSLATE_NOOP("Sentences", "The time limit of {seconds} seconds is left out.")},
        {"export.checkpoints",
            QT_TRANSLATE_NOOP("Sentences",
                "Each attempt has new pods, in which TRAINYARD_CHECKPOINT_DIR is empty: set RUN_FOLDER to a folder on "
                "a "
                "volume that outlives them.")},
        {"export.gang",
            QT_TRANSLATE_NOOP("Sentences",
                "All {tasks} tasks begin together: the job waits until there is room for all of them at once, and "
                "'gangAllocation: false' is left out. On Slurm, 'trainyardctl run --on slurm:NAME' makes an array of "
                "them.")},
        {"export.ends-apart",
            QT_TRANSLATE_NOOP("Sentences",
                "Tasks end on their own: one that fails or succeeds does not stop the others as the job's rules say.")},
        {"export.no-work-folder",
            QT_TRANSLATE_NOOP("Sentences",
                "The pods have no work folder, so {files} is there only if the image has it: build it into the image, "
                "bring it with a prerequisite (git), or add a volume that has it.")},
        {"export.no-work-folder-dstack",
            QT_TRANSLATE_NOOP("Sentences",
                "dstack takes no folder along by itself, so {files} is there only if the image has it: name it in the "
                "file (files or repos of dstack), build it into the image, or bring it with a prerequisite (git).")},
        {"export.same-nodes",
            QT_TRANSLATE_NOOP("Sentences",
                "Each task gets a machine, and all machines are alike: {cpu} cores, {memoryMiB} MiB of memory and "
                "{gpu} "
                "GPUs, the most that a task role asks for.")},
        {"export.gpu-type",
            QT_TRANSLATE_NOOP(
                "Sentences", "The GPU model must be named there: add that of the {gpu} GPUs of each machine.")},
        {"export.gpu-sku",
            QT_TRANSLATE_NOOP("Sentences",
                "Tasks of {role} ask for GPUs of the type '{type}' and get any GPU there: add the type in the words of "
                "that system.")},
        {"export.infiniband",
            QT_TRANSLATE_NOOP(
                "Sentences", "The containers of {role} do not see the InfiniBand devices that the job asks for.")},
        {"export.one-image",
            QT_TRANSLATE_NOOP("Sentences",
                "All tasks run in the image '{image}': only one image is possible there, and {role} asks for "
                "'{other}'.")},
        {"export.shm",
            QT_TRANSLATE_NOOP(
                "Sentences", "The {shmMiB} MiB of shared memory that the job asks for cannot be expressed there.")},
    };
    return rows;
}

} // namespace trainyard::sentences
