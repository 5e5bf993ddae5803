// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

// clang-format off
std::span<const SentenceRow> clusters()
{
    static const SentenceRow rows[] = {
        {"cluster.no-srun", QT_TRANSLATE_NOOP("Sentences", "srun was not found on the first node of the allocation, so the task could not be started. Ask those who run the cluster.")},
        {"cluster.step-lost", QT_TRANSLATE_NOOP("Sentences", "The cluster ended the task's step before its end was recorded.")},
        {"cluster.step-refused", QT_TRANSLATE_NOOP("Sentences", "The cluster did not start a step for the task. What srun said is in its runtime log.")},
        {"job.slurm-silent", QT_TRANSLATE_NOOP("Sentences", "{target} does not answer at the moment. What the job does there goes on, and is read from its files.")},
        {"job.slurm-login-away", QT_TRANSLATE_NOOP("Sentences", "{host}, by which {target} is reached, is not connected at the moment. The job goes on there, and what it does is seen when the connection is back.")},
        {"slurm.bad-name", QT_TRANSLATE_NOOP("Sentences", "'{name}' cannot be the name of a cluster. Use letters, digits, - and _, 40 at the most.")},
        {"slurm.cancelled", QT_TRANSLATE_NOOP("Sentences", "The job was cancelled at {target}, and not from here.")},
        {"slurm.cancelled-task", QT_TRANSLATE_NOOP("Sentences", "The task was cancelled at {target}, and not from here.")},
        {"slurm.folder", QT_TRANSLATE_NOOP("Sentences", "The folder {folder} cannot be used for the runs of a cluster: {message}. All nodes have to share it with this computer; the setting slurmFolder.NAME names another one.")},
        {"slurm.folder-relative", QT_TRANSLATE_NOOP("Sentences", "The folder {folder} of the cluster is not a whole path. Give one that begins with / (the setting slurmFolder.NAME).")},
        {"slurm.gone", QT_TRANSLATE_NOOP("Sentences", "{target} does not know the job any more, and the task left no record of its end.")},
        {"slurm.image-unused", QT_TRANSLATE_NOOP("Sentences", "The images of the job are not used on {target}: its tasks run in the environment of the nodes.")},
        {"slurm.login-away", QT_TRANSLATE_NOOP("Sentences", "{host}, by which the cluster is reached, is not connected at the moment. 'trainyardctl hosts check {host}' says why. What runs at the cluster goes on.")},
        {"slurm.login-busy", QT_TRANSLATE_NOOP("Sentences", "{target} has jobs that it was handed in another way. New ones can go by way of the new login node when these have ended.")},
        {"slurm.login-folder", QT_TRANSLATE_NOOP("Sentences", "The folder {folder} on {host} cannot be used for the runs of a cluster: {message}. All nodes have to share it with {host}; the setting slurmFolder.NAME names another one.")},
        {"slurm.login-no-commands", QT_TRANSLATE_NOOP("Sentences", "{program} was not found on {host}, the login node of the cluster. It has to be in PATH there after logging in.")},
        {"slurm.login-unknown", QT_TRANSLATE_NOOP("Sentences", "{host} is named as the login node of a cluster and is no host of Trainyard. 'trainyardctl hosts add USER@{host}' makes it one.")},
        {"slurm.login-work", QT_TRANSLATE_NOOP("Sentences", "The work folder {folder} holds more than the code of a job, so it is not copied to {host}, by which {target} is reached. Use a folder with the code alone, name one of the cluster (extras.trainyard.work: ~/FOLDER), or say extras.trainyard.copyWork: false.")},
        {"slurm.no-commands", QT_TRANSLATE_NOOP("Sentences", "{program} was not found on this computer. Install the commands of Slurm, or start the engine where they are in PATH.")},
        {"slurm.no-containers", QT_TRANSLATE_NOOP("Sentences", "The job asks to run in {runIn}, which is not possible on {target} yet. Set extras.trainyard.runIn to host, or choose another target.")},
        {"slurm.no-data", QT_TRANSLATE_NOOP("Sentences", "The job names data (extras.trainyard.data), which is not brought to {target} yet. Put it where all nodes see it, and name the path in the commands.")},
        {"slurm.no-record", QT_TRANSLATE_NOOP("Sentences", "The job ended at {target} as {state}, and the task left no record of its end. {detail}")},
        {"slurm.no-ssh-plugin", QT_TRANSLATE_NOOP("Sentences", "The job lets its tasks log in to each other by ssh (plugin ssh), which is not possible on {target} yet. srun and MPI start processes on all nodes there.")},
        {"slurm.node-lost", QT_TRANSLATE_NOOP("Sentences", "A node of {target} failed while the task ran on it ({state}).")},
        {"slurm.not-started", QT_TRANSLATE_NOOP("Sentences", "The job ended at {target} as {state} before the task began. {detail}")},
        {"slurm.option-owned", QT_TRANSLATE_NOOP("Sentences", "{option} cannot be set for a cluster, since each job says that itself. Leave it out.")},
        {"slurm.option-strange", QT_TRANSLATE_NOOP("Sentences", "'{option}' is not an option of sbatch. Write options as sbatch takes them, for example --partition=gpu.")},
        {"slurm.out-of-memory", QT_TRANSLATE_NOOP("Sentences", "{target} ended the job because it used more memory than it had asked for. Ask for more memory (resourcePerInstance.memoryMB).")},
        {"slurm.preempted", QT_TRANSLATE_NOOP("Sentences", "The task had to make room for a job with a higher priority at {target}.")},
        {"slurm.refused", QT_TRANSLATE_NOOP("Sentences", "{target} refused the job: {detail}. Change the job, or the options of the target.")},
        {"slurm.removed", QT_TRANSLATE_NOOP("Sentences", "{target} has been taken out of the settings and takes no more jobs. Add it again with 'trainyardctl targets add', or choose another target.")},
        {"slurm.requeued", QT_TRANSLATE_NOOP("Sentences", "{target} put the job into its queue again while it ran, so its tasks were ended. It cannot go on there from where it was.")},
        {"slurm.silent", QT_TRANSLATE_NOOP("Sentences", "The cluster does not answer ({program}): {detail}")},
        {"slurm.time-limit", QT_TRANSLATE_NOOP("Sentences", "The time limit of the job at {target} was reached. Raise --time in the options of the target, or set a time limit in the job (extras.trainyard.timeLimit).")},
        {"wait.login-node", QT_TRANSLATE_NOOP("Sentences", "{host} is the login node of {target}, on which no tasks start: many people share it. Run the job on {target}, or set clusters.trainOnLogin.")},
        {"wait.slurm", QT_TRANSLATE_NOOP("Sentences", "Waits at {target}: {reason}.")},
        {"wait.slurm-account", QT_TRANSLATE_NOOP("Sentences", "Waits at {target}: a limit of the account is reached ({reason}). It starts when other jobs of the account end; 'sacctmgr show assoc' shows the limits.")},
        {"wait.slurm-begin", QT_TRANSLATE_NOOP("Sentences", "Waits at {target} for the time at which it may begin.")},
        {"wait.slurm-constraints", QT_TRANSLATE_NOOP("Sentences", "Waits at {target} for ever: no node has what --constraint asks for. Stop it and change the options of the target.")},
        {"wait.slurm-dependency", QT_TRANSLATE_NOOP("Sentences", "Waits at {target} for other jobs there ({reason}).")},
        {"wait.slurm-held", QT_TRANSLATE_NOOP("Sentences", "Is held at {target} by its user. 'scontrol release' lets it go on.")},
        {"wait.slurm-held-admin", QT_TRANSLATE_NOOP("Sentences", "Is held at {target} ({reason}). Ask those who run the cluster.")},
        {"wait.slurm-invalid", QT_TRANSLATE_NOOP("Sentences", "Waits at {target}, whose accounts do not allow it ({reason}). Stop it and change --account or --qos in the options of the target.")},
        {"wait.slurm-licenses", QT_TRANSLATE_NOOP("Sentences", "Waits at {target} for licenses that others use.")},
        {"wait.slurm-new", QT_TRANSLATE_NOOP("Sentences", "Was handed to {target}, which has not said anything of it yet.")},
        {"wait.slurm-nodes", QT_TRANSLATE_NOOP("Sentences", "Waits at {target} for nodes that are down, drained or reserved ({reason}). 'sinfo -R' says why.")},
        {"wait.slurm-partition-down", QT_TRANSLATE_NOOP("Sentences", "Waits at {target}: its partition takes no jobs at the moment.")},
        {"wait.slurm-partition-nodes", QT_TRANSLATE_NOOP("Sentences", "Waits at {target}: it needs more nodes than its partition allows. Choose another partition in the options of the target, or make the job smaller.")},
        {"wait.slurm-priority", QT_TRANSLATE_NOOP("Sentences", "Waits at {target} behind jobs with a higher priority.")},
        {"wait.slurm-qos", QT_TRANSLATE_NOOP("Sentences", "Waits at {target}: a limit of the quality of service is reached ({reason}). It starts when other jobs end.")},
        {"wait.slurm-reservation", QT_TRANSLATE_NOOP("Sentences", "Waits at {target} for its reservation.")},
        {"wait.slurm-resources", QT_TRANSLATE_NOOP("Sentences", "Waits at {target} for nodes with enough free processors, memory and GPUs.")},
        {"wait.slurm-silent", QT_TRANSLATE_NOOP("Sentences", "{target} does not answer. It is asked again; the job is not handed over twice.")},
        {"wait.slurm-submit-limit", QT_TRANSLATE_NOOP("Sentences", "{target} takes no more jobs of this user at the moment ({detail}). It is tried again.")},
        {"wait.slurm-time-limit", QT_TRANSLATE_NOOP("Sentences", "Waits at {target} for ever: its time limit is longer than its partition allows. Stop it and change --time in the options of the target.")},
    };
    return rows;
}
// clang-format on

} // namespace trainyard::sentences
