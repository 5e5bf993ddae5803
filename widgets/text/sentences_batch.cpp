// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

// clang-format off
std::span<const SentenceRow> batch()
{
    static const SentenceRow rows[] = {
        {"batch.after-steps", QT_TRANSLATE_NOOP("Sentences", "Commands that the script runs after its steps in the background are left out. Put them into a job of their own that waits for this one.")},
        {"batch.all-memory", QT_TRANSLATE_NOOP("Sentences", "Each task of {role} gets {memory}: a job cannot ask for all the memory of a node, as 0 does. This is 16 GiB for each GPU or 4 GiB for each CPU, whichever is more, and at least 8 GiB. Write what it needs in memoryMB.")},
        {"batch.all-tasks", QT_TRANSLATE_NOOP("Sentences", "This step has {tasks} of the {instances} tasks, but here each of them runs it, because the shell uses its output or continues with more commands.")},
        {"batch.arguments", QT_TRANSLATE_NOOP("Sentences", "The script reads its arguments ({names}), but a job has none: they are empty here. Write their values into the commands, or make each a parameter of the job: <% $parameters.NAME %>.")},
        {"batch.array", QT_TRANSLATE_NOOP("Sentences", "Each of the {tasks} elements of the array is a task, with its number in SLURM_ARRAY_TASK_ID. A task that fails does not stop the others.")},
        {"batch.array-limit", QT_TRANSLATE_NOOP("Sentences", "As many elements run at a time as there is room for: the limit of {most} is left out. For such a limit, make the number of the element a parameter, and run its values as jobs of a group: 'trainyardctl sweep --limit {most}'.")},
        {"batch.array-parallel", QT_TRANSLATE_NOOP("Sentences", "The array is left out, because each of its elements has several tasks. 'trainyardctl sweep' runs such a job with several values.")},
        {"batch.array-succeeds", QT_TRANSLATE_NOOP("Sentences", "The job fails only if all elements of the array fail. If some of them fail, it succeeds, unlike 'sbatch --wait': a job cannot let the other tasks continue and fail at its end. 'trainyardctl show JOB' lists the tasks that failed. With minFailedInstances: 1 the first failure fails the job and stops the others.")},
        {"batch.array-time", QT_TRANSLATE_NOOP("Sentences", "In Slurm, each element of the array has {seconds} seconds. The limit of a job is for all its tasks together, so it is as long as all elements one after another: {all} seconds. To limit each element, put 'timeout {seconds}' in front of its command.")},
        {"batch.bad-value", QT_TRANSLATE_NOOP("Sentences", "'{value}' is not understood as the value of {option}, which is left out.")},
        {"batch.component-unused", QT_TRANSLATE_NOOP("Sentences", "No step runs in component {component} of the heterogeneous job, so the job has no tasks for it.")},
        {"batch.components", QT_TRANSLATE_NOOP("Sentences", "The script is for a heterogeneous job, or its steps have several components. It can become a job if each step is outside of loops and other commands, names its components by --het-group or ':', and no two steps in different components run one after another.")},
        {"batch.container-mounts", QT_TRANSLATE_NOOP("Sentences", "A job does not say which folders its containers see, so '{mounts}' is left out. They see the work folder and the folders that the setting containers.mounts names.")},
        {"batch.container-workdir", QT_TRANSLATE_NOOP("Sentences", "Commands begin in the work folder of the job, even in a container, and not in '{folder}'. Begin them with 'cd {folder}' if the image has that folder.")},
        {"batch.dependency", QT_TRANSLATE_NOOP("Sentences", "The dependency '{value}' is left out. 'trainyardctl run --after JOB' waits for another job.")},
        {"batch.different-hosts", QT_TRANSLATE_NOOP("Sentences", "The {instances} tasks of {role} run on different hosts, as on the nodes of the script. Remove 'arrange' from extras.trainyard.hosts if they may share a host.")},
        {"batch.docker", QT_TRANSLATE_NOOP("Sentences", "'{program} run' has become the job: the tasks run in the image {image} by {program} (extras.trainyard.runIn). The image's entry point is not used.")},
        {"batch.docker-all-gpus", QT_TRANSLATE_NOOP("Sentences", "'{option}' asks for all GPUs of the host. A job cannot ask for that: the task gets 1 GPU. Write how many it needs in gpu.")},
        {"batch.docker-around", QT_TRANSLATE_NOOP("Sentences", "The other commands of the script run in the container, too, and not before and after it. Remove those that are for the host, such as '{program} pull'.")},
        {"batch.docker-gpus", QT_TRANSLATE_NOOP("Sentences", "'{option}' chooses GPUs by their names. The task gets {gpus|GPU|GPUs} that are free.")},
        {"batch.docker-ipc", QT_TRANSLATE_NOOP("Sentences", "'{option}' shares the /dev/shm of the host. The task has one of its own, whose size is shmMB in extraContainerOptions (512 MiB without it).")},
        {"batch.docker-kept", QT_TRANSLATE_NOOP("Sentences", "'{program} run' stays a command of the task: the job knows neither its image nor its GPUs, and asks for none. It becomes the job's image and resources if it is the only such call, has a program and not only options behind its image, and is neither in the background nor with loops, conditions or functions. Otherwise write dockerImage and gpu yourself, and only the command that runs in the image.")},
        {"batch.docker-memory", QT_TRANSLATE_NOOP("Sentences", "'{program} run' does not limit the memory, and /dev/shm is part of it, so the task gets {memory}.")},
        {"batch.docker-option", QT_TRANSLATE_NOOP("Sentences", "'{option}' of '{program} run' has no counterpart in a job, and is left out.")},
        {"batch.docker-unknown", QT_TRANSLATE_NOOP("Sentences", "'{option}' is not an option of '{program} run' that is known here, so the call stays a command of the task, and the job asks for no image and no GPU. Remove the option, or write dockerImage and gpu yourself, and only the command that runs in the image.")},
        {"batch.docker-variable", QT_TRANSLATE_NOOP("Sentences", "The container gets the values of {names} from the shell that starts it. A job does not have that environment: set them in extras.trainyard.variables, or in the commands.")},
        {"batch.docker-work", QT_TRANSLATE_NOOP("Sentences", "'{mount}' is the work folder of the job. A task sees it at the path that it has on the host, and begins there: '{folder}' does not exist, so paths in it have to be relative.")},
        {"batch.each-task", QT_TRANSLATE_NOOP("Sentences", "The commands around srun run in each of the {instances} tasks, and not once for all of them.")},
        {"batch.empty", QT_TRANSLATE_NOOP("Sentences", "The script has no commands.")},
        {"batch.encoding", QT_TRANSLATE_NOOP("Sentences", "The script is not UTF-8. Save it as UTF-8 first.")},
        {"batch.environment", QT_TRANSLATE_NOOP("Sentences", "The script reads variables that it does not set: {names}. sbatch hands over the environment of the shell that it is called in; a job does not. Unless a file or a module that the script loads sets them, set them in extras.trainyard.variables, or in the commands.")},
        {"batch.exclusive", QT_TRANSLATE_NOOP("Sentences", "Each task of {role} gets {cpus|core|cores}: a job cannot ask for all the cores of a node, as --exclusive does. This is 4 for each GPU, or what the script's tasks need at least. Write what it needs in cpu.")},
        {"batch.few-hosts", QT_TRANSLATE_NOOP("Sentences", "The script has {nodes} nodes for the {instances} tasks of {role}. A job cannot say how many tasks a host gets: they run on as few hosts as there is room for ('arrange: pack' in extras.trainyard.hosts), which may be another number.")},
        {"batch.fewer-tasks", QT_TRANSLATE_NOOP("Sentences", "This step has {tasks} of the {instances} tasks. The others skip it, and do not wait until it is over.")},
        {"batch.gpu-type", QT_TRANSLATE_NOOP("Sentences", "The GPU type '{type}' is now the skuType of the task role. Tasks get such GPUs only when a host has them; otherwise they get any GPU.")},
        {"batch.ignored", QT_TRANSLATE_NOOP("Sentences", "These options have no meaning here and are left out: {options}.")},
        {"batch.image", QT_TRANSLATE_NOOP("Sentences", "The tasks have the image {image}. They run in it if the job or its host says so (extras.trainyard.runIn, 'trainyardctl run --in podman'), and otherwise in the shell of the host.")},
        {"batch.image-file", QT_TRANSLATE_NOOP("Sentences", "'{image}' is not the name of an image in a registry, so the tasks have no image. Add a prerequisite of the type dockerimage with such a name.")},
        {"batch.image-other", QT_TRANSLATE_NOOP("Sentences", "The commands of a task run in one image: '{used}' is used, and '{image}' is left out.")},
        {"batch.late", QT_TRANSLATE_NOOP("Sentences", "This option is below the first command, where Slurm does not read it. It has no effect, in Slurm or here.")},
        {"batch.mpi", QT_TRANSLATE_NOOP("Sentences", "srun --mpi={value} connects the processes of an MPI program, which is not possible here. Start the program with mpirun in one task.")},
        {"batch.mpirun-each", QT_TRANSLATE_NOOP("Sentences", "mpirun runs in each of the {instances} tasks, and starts all its processes there. Start it once: give the task role one instance, with the cores of all processes.")},
        {"batch.multi-prog", QT_TRANSLATE_NOOP("Sentences", "srun --multi-prog starts a different program in each task, from a file that is not read here. Write a step with its number of tasks for each program, with '&' at its end, and 'wait' below.")},
        {"batch.name", QT_TRANSLATE_NOOP("Sentences", "The job is now called {name}: '{from}' has characters that a name must not have.")},
        {"batch.no-barrier", QT_TRANSLATE_NOOP("Sentences", "Each task begins this step when its own part of the previous step is over, and does not wait for the other tasks.")},
        {"batch.no-interpreter", QT_TRANSLATE_NOOP("Sentences", "The script does not begin with '#!', which sbatch requires. It is treated as a bash script.")},
        {"batch.no-memory", QT_TRANSLATE_NOOP("Sentences", "The script does not say how much memory a task needs, so each gets {memory}.")},
        {"batch.no-wait", QT_TRANSLATE_NOOP("Sentences", "The script waits for its steps in the background before this one begins. The job does not: all its task roles begin together. Put this step into a job of its own, which 'trainyardctl run --after JOB' starts after the other one.")},
        {"batch.not-shell", QT_TRANSLATE_NOOP("Sentences", "The script is for '{program}'. Only scripts for sh and bash can become a job.")},
        {"batch.one-host", QT_TRANSLATE_NOOP("Sentences", "The {instances} tasks of {role} run on one host, as on the node of the script. Remove 'arrange' from extras.trainyard.hosts if they may run on several hosts.")},
        {"batch.one-node", QT_TRANSLATE_NOOP("Sentences", "The script starts nothing with srun, so it runs once, on the first of its {nodes} nodes. The job has one task for it, and none for the other nodes.")},
        {"batch.other-shell", QT_TRANSLATE_NOOP("Sentences", "The script is for {program}, but bash runs the commands of a job. Start what bash does not understand with '{program} -c', or put it into a file that {program} runs.")},
        {"batch.other-system", QT_TRANSLATE_NOOP("Sentences", "Lines with '{mark}' have options of another batch system and are left out. Write what they ask for into the job.")},
        {"batch.output", QT_TRANSLATE_NOOP("Sentences", "{option} is left out: the output of each task is kept, and shown as its log.")},
        {"batch.own-export", QT_TRANSLATE_NOOP("Sentences", "This is an export of the job {job}: it has the commands for another system, and not the text of the job, so it cannot become that job again. Use the file from which it was exported.")},
        {"batch.processes", QT_TRANSLATE_NOOP("Sentences", "'{option}' starts {processes|process|processes} in the task, which usually use a GPU each, but the task asks for no GPU. If they use GPUs, write their number in gpu.")},
        {"batch.processes-all", QT_TRANSLATE_NOOP("Sentences", "'{option}' starts a process for each GPU that the task has, but the task asks for no GPU. Write how many it needs in gpu.")},
        {"batch.processes-more", QT_TRANSLATE_NOOP("Sentences", "'{option}' starts {processes|process|processes} in the task, which usually use a GPU each, but the task asks for {gpus|GPU|GPUs}. If each needs one, write more in gpu; otherwise start fewer.")},
        {"batch.ranks", QT_TRANSLATE_NOOP("Sentences", "Each component of this step is a task role. Ranks and the number of tasks start over in each of them.")},
        {"batch.secret", QT_TRANSLATE_NOOP("Sentences", "The value of {name} looks like a secret, and is now in the commands of the job, where everyone who gets the job can read it. Make it a secret of the job, and refer to it in the commands.")},
        {"batch.secret-text", QT_TRANSLATE_NOOP("Sentences", "This line has a text that begins with '{begin}' and looks like a token. It is now in the commands of the job, where everyone who gets the job can read it. Make it a secret of the job, and refer to it in the commands.")},
        {"batch.signal", QT_TRANSLATE_NOOP("Sentences", "Tasks get {signal} when the job is stopped or its time limit is over, and what still runs {seconds} seconds later is killed (extras.trainyard.stop). In Slurm, they get it that long before the limit.")},
        {"batch.slurm-command", QT_TRANSLATE_NOOP("Sentences", "'{command}' asks Slurm, which does not run this job. Remove it. 'trainyardctl run --after JOB' runs a job after another one, and jobRetryCount runs a failed one again.")},
        {"batch.srun-behind", QT_TRANSLATE_NOOP("Sentences", "'{program}' starts programs, and does not find the function that replaces srun. Remove srun and its options from this line.")},
        {"batch.srun-kept", QT_TRANSLATE_NOOP("Sentences", "srun is inside of loops or other commands. The whole script runs in {instances|task|tasks}, where srun only runs its command.")},
        {"batch.srun-variables", QT_TRANSLATE_NOOP("Sentences", "Each task of srun is like a node of its own, and gets the variables by which programs find their rank: {names}. SLURM_LOCALID is 0, and SLURM_NNODES is the number of tasks. On a Slurm cluster, SLURM_JOB_ID is the number that the job has there.")},
        {"batch.step-takes-more", QT_TRANSLATE_NOOP("Sentences", "This step asks for more than each task of the job gets, which is what the step with the most tasks asks for. Write more into resourcePerInstance, or put this step into a job of its own.")},
        {"batch.steps-in-one", QT_TRANSLATE_NOOP("Sentences", "Each call of srun starts one task, so the script is one task of the job, with what all {tasks} tasks have: {cpus|core|cores}. The programs share it. Where they use GPUs, choose one for each by CUDA_VISIBLE_DEVICES.")},
        {"batch.tasks-in-one", QT_TRANSLATE_NOOP("Sentences", "The script starts nothing with srun, so its {tasks} tasks are one task of the job, which has {cpus|core|cores}. SLURM_NTASKS is {tasks} there, as for mpirun.")},
        {"batch.template", QT_TRANSLATE_NOOP("Sentences", "'<%' begins a reference to a parameter or a secret here.")},
        {"batch.too-large", QT_TRANSLATE_NOOP("Sentences", "The script is larger than 1 MiB.")},
        {"batch.unknown", QT_TRANSLATE_NOOP("Sentences", "'{option}' is not an option of Slurm that is known here. It is left out.")},
        {"batch.variable", QT_TRANSLATE_NOOP("Sentences", "Nothing sets {name} here. Replace it, or set it in the commands.")},
        {"batch.variable-either", QT_TRANSLATE_NOOP("Sentences", "In the tasks of {role}, {name} has the value of Slurm on a Slurm cluster. Elsewhere it is set from the job: {value}.")},
        {"batch.variable-set", QT_TRANSLATE_NOOP("Sentences", "In the tasks of {role}, {name} is set from the job: {value}.")},
        {"batch.variable-slurm", QT_TRANSLATE_NOOP("Sentences", "{name} has a value only on a Slurm cluster, where Slurm sets it. Replace it, or set it in the commands, if the job is to run elsewhere.")},
    };
    return rows;
}
// clang-format on

} // namespace trainyard::sentences
