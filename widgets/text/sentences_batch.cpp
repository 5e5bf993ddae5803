// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

// clang-format off
std::span<const SentenceRow> batch()
{
    static const SentenceRow rows[] = {
        {"batch.after-steps", QT_TRANSLATE_NOOP("Sentences", "What the script does after its steps in the background is left out. Put it into a job of its own, which waits for this one.")},
        {"batch.all-memory", QT_TRANSLATE_NOOP("Sentences", "Each task of {role} gets {memory}: a job cannot ask for all the memory of a node, as 0 does. This is 16 GiB for each GPU or 4 GiB for each CPU, whichever is more, and at least 8 GiB. Write what it needs in memoryMB.")},
        {"batch.all-tasks", QT_TRANSLATE_NOOP("Sentences", "This step has {tasks} of the {instances} tasks, but each of them runs it here, because the shell goes on with what it says or with more commands.")},
        {"batch.arguments", QT_TRANSLATE_NOOP("Sentences", "The script reads its arguments ({names}), of which a job has none: they are empty here. Write their values into the commands, or make each a parameter of the job: <% $parameters.NAME %>.")},
        {"batch.array", QT_TRANSLATE_NOOP("Sentences", "Each of the {tasks} elements of the array is a task, with its number in SLURM_ARRAY_TASK_ID. One that fails stops no other.")},
        {"batch.array-limit", QT_TRANSLATE_NOOP("Sentences", "As many elements run at a time as there is room for, and not {most} at the most.")},
        {"batch.array-parallel", QT_TRANSLATE_NOOP("Sentences", "The array is left out, because each of its elements has several tasks. 'trainyardctl sweep' runs such a job with several values.")},
        {"batch.array-succeeds", QT_TRANSLATE_NOOP("Sentences", "The job succeeds even when elements of the array have failed, unlike 'sbatch --wait': a job cannot let the others go on and fail at its end. 'trainyardctl show JOB' lists the tasks that failed. With minFailedInstances: 1 the first failure fails the job and stops the others.")},
        {"batch.array-time", QT_TRANSLATE_NOOP("Sentences", "In Slurm, each element of the array has {seconds} seconds. The limit of a job is for all its tasks together, so it is as long as all elements one after another: {all} seconds. To limit each element, put 'timeout {seconds}' in front of its command.")},
        {"batch.bad-value", QT_TRANSLATE_NOOP("Sentences", "'{value}' is not understood as the value of {option}, which is left out.")},
        {"batch.component-unused", QT_TRANSLATE_NOOP("Sentences", "No step runs in component {component} of the heterogeneous job, so the job has no tasks for it.")},
        {"batch.components", QT_TRANSLATE_NOOP("Sentences", "The script is for a heterogeneous job, or its steps have several components. A job can be made of it when each step stands by itself outside of loops and other commands, says its components by --het-group or ':', and no two steps in different components run one after another.")},
        {"batch.container-mounts", QT_TRANSLATE_NOOP("Sentences", "A job does not say which folders its containers see, so '{mounts}' is left out. They see the work folder and what the setting containers.mounts names.")},
        {"batch.container-workdir", QT_TRANSLATE_NOOP("Sentences", "Commands begin in the work folder of the job, in a container as well, and not in '{folder}'. Begin them with 'cd {folder}' where the image has that folder.")},
        {"batch.dependency", QT_TRANSLATE_NOOP("Sentences", "The dependency '{value}' is left out. 'trainyardctl run --after JOB' waits for another job.")},
        {"batch.each-task", QT_TRANSLATE_NOOP("Sentences", "What stands around srun runs in each of the {instances} tasks, and not once for all of them.")},
        {"batch.empty", QT_TRANSLATE_NOOP("Sentences", "The script has no commands.")},
        {"batch.encoding", QT_TRANSLATE_NOOP("Sentences", "The script is not UTF-8. Save it as UTF-8 first.")},
        {"batch.environment", QT_TRANSLATE_NOOP("Sentences", "The script reads variables that it does not set: {names}. sbatch hands over the environment of the shell that it is called in; a job does not. Unless a file or a module that the script loads sets them, set them in extras.trainyard.variables, or in the commands.")},
        {"batch.fewer-tasks", QT_TRANSLATE_NOOP("Sentences", "This step has {tasks} of the {instances} tasks. The others leave it out, and do not wait until it is over.")},
        {"batch.gpu-type", QT_TRANSLATE_NOOP("Sentences", "The GPU type '{type}' is left out: tasks get any GPU, unless labels of hosts choose (extras.trainyard.hosts).")},
        {"batch.ignored", QT_TRANSLATE_NOOP("Sentences", "These options have no meaning here and are left out: {options}.")},
        {"batch.image", QT_TRANSLATE_NOOP("Sentences", "The tasks have the image {image}. They run in it when the job or its host says so (extras.trainyard.runIn, 'trainyardctl run --in podman'), else in the shell of the host.")},
        {"batch.image-file", QT_TRANSLATE_NOOP("Sentences", "'{image}' is not the name of an image in a registry, so the tasks have no image. Add a prerequisite of the type dockerimage with such a name.")},
        {"batch.image-other", QT_TRANSLATE_NOOP("Sentences", "The commands of a task run in one image: '{used}' is taken, and '{image}' is left out.")},
        {"batch.late", QT_TRANSLATE_NOOP("Sentences", "This option stands below the first command, where Slurm does not read it. It has no effect, there or here.")},
        {"batch.mpi", QT_TRANSLATE_NOOP("Sentences", "srun --mpi={value} connects the processes of an MPI program, which nothing does here. Start it by mpirun in one task.")},
        {"batch.mpirun-each", QT_TRANSLATE_NOOP("Sentences", "mpirun runs in each of the {instances} tasks, and starts all its processes there. Start it once: give the task role one instance, with the cores of all processes.")},
        {"batch.multi-prog", QT_TRANSLATE_NOOP("Sentences", "srun --multi-prog starts another program in each task, as a file says that is not read here. Write a step with the number of its tasks for each program, with '&' behind it and 'wait' below.")},
        {"batch.name", QT_TRANSLATE_NOOP("Sentences", "The job is now called {name}: '{from}' has characters that a name must not have.")},
        {"batch.no-barrier", QT_TRANSLATE_NOOP("Sentences", "Each task begins this step when its own part of the step before is over, and does not wait for the other tasks.")},
        {"batch.no-interpreter", QT_TRANSLATE_NOOP("Sentences", "The script does not begin with '#!', which sbatch asks for. It is taken for a script for bash.")},
        {"batch.no-memory", QT_TRANSLATE_NOOP("Sentences", "The script does not say how much memory a task needs, so each gets {memory}.")},
        {"batch.not-shell", QT_TRANSLATE_NOOP("Sentences", "The script is for '{program}'. Only scripts for sh and bash can become a job.")},
        {"batch.one-node", QT_TRANSLATE_NOOP("Sentences", "The script starts nothing with srun, so it runs once, on the first of its {nodes} nodes. The job has one task for it, and none for the other nodes.")},
        {"batch.output", QT_TRANSLATE_NOOP("Sentences", "{option} is left out: the output of each task is kept, and shown as its log.")},
        {"batch.ranks", QT_TRANSLATE_NOOP("Sentences", "Each component of this step is a task role. Ranks and the number of tasks begin anew in each of them.")},
        {"batch.secret", QT_TRANSLATE_NOOP("Sentences", "What is assigned to {name} looks like a secret, and it now stands in the commands of the job, where everybody who gets the job reads it. Make it a secret of the job, and refer to it in the commands.")},
        {"batch.slurm-command", QT_TRANSLATE_NOOP("Sentences", "'{command}' asks Slurm, which does not run this job. Take it out. 'trainyardctl run --after JOB' runs a job behind another one, and jobRetryCount runs a failed one again.")},
        {"batch.srun-behind", QT_TRANSLATE_NOOP("Sentences", "'{program}' starts programs, and does not find the function that stands in for srun. Take srun and its options out of this line.")},
        {"batch.srun-kept", QT_TRANSLATE_NOOP("Sentences", "srun stands inside of loops or other commands. The whole script runs in {instances|task|tasks}, where srun only runs its command.")},
        {"batch.tasks-in-one", QT_TRANSLATE_NOOP("Sentences", "The script starts nothing with srun, so its {tasks} tasks are one task of the job, which has {cpus|core|cores}. SLURM_NTASKS is {tasks} there, as for mpirun.")},
        {"batch.template", QT_TRANSLATE_NOOP("Sentences", "'<%' begins a reference to a parameter or a secret here.")},
        {"batch.too-large", QT_TRANSLATE_NOOP("Sentences", "The script is larger than 1 MiB.")},
        {"batch.unknown", QT_TRANSLATE_NOOP("Sentences", "'{option}' is no option of Slurm that is known here. It is left out.")},
        {"batch.variable", QT_TRANSLATE_NOOP("Sentences", "Nothing sets {name} here. Replace it, or set it in the commands.")},
    };
    return rows;
}
// clang-format on

} // namespace trainyard::sentences
