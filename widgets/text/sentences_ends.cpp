// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

std::span<const SentenceRow> ends()
{
    static const SentenceRow rows[] = {
        {"left.processes",
            QT_TRANSLATE_NOOP("Sentences",
                "The task was stopped, but these of its processes could not be ended: {processes}. They are blocked in "
                "the kernel, or belong to another user.")},
        {"left.output",
            QT_TRANSLATE_NOOP("Sentences",
                "It was stopped while the disk was full: the last {bytes} bytes of its output could not be written.")},
        {"left.gpu",
            QT_TRANSLATE_NOOP("Sentences",
                "The task was stopped, but GPU {gpu} still holds {memoryMiB} MiB more than before it started, used by "
                "{processes}.")},
        {"left.gpu-unknown",
            QT_TRANSLATE_NOOP("Sentences",
                "The task was stopped, but GPU {gpu} still holds {memoryMiB} MiB more than before it started, and no "
                "process that uses this memory can be seen.")},
        {"limit.time",
            QT_TRANSLATE_NOOP("Sentences",
                "The job ran for {seconds|second|seconds}, which is its time limit. Raise limits.timeSeconds, or make "
                "the job faster.")},
        {"retry.other-tasks",
            QT_TRANSLATE_NOOP("Sentences",
                "The edited job has other tasks ({now}, was {was}), so the results of the old ones cannot be kept. Run "
                "it as a new job.")},
        {"retry.nothing",
            QT_TRANSLATE_NOOP("Sentences", "No task of the job has failed, so there is nothing to retry.")},
        {"retry.cap",
            QT_TRANSLATE_NOOP("Sentences", "It was retried {retries|time|times} without success, which is the limit.")},
        {"run.folder-missing",
            QT_TRANSLATE_NOOP("Sentences", "The folder of the try is missing, so how the task ended is not known.")},
        {"exit.user", QT_TRANSLATE_NOOP("Sentences", "The command ended with status {status}.")},
        {"exit.command-missing",
            QT_TRANSLATE_NOOP("Sentences", "The command '{command}' was not found where the task ran.")},
        {"exit.command-denied",
            QT_TRANSLATE_NOOP("Sentences",
                "'{command}' may not be executed. Make it executable (chmod +x), or put its interpreter in front "
                "(bash, python).")},
        {"exit.found", QT_TRANSLATE_NOOP("Sentences", "{reason}")},
        {"exit.found-in-python",
            QT_TRANSLATE_NOOP("Sentences", "{reason} {type} in {function} ({file}, line {line}).")},
        {"exit.python", QT_TRANSLATE_NOOP("Sentences", "{type}: {message} (in {function}, {file}, line {line})")},
        {"exit.step", QT_TRANSLATE_NOOP("Sentences", "The prerequisite or plugin {step} failed with status {status}.")},
        {"exit.environment",
            QT_TRANSLATE_NOOP("Sentences",
                "The command that creates the environment failed with status {status}. The log says why.")},
        {"exit.environment-of",
            QT_TRANSLATE_NOOP("Sentences",
                "The command that creates the environment failed with status {status}. It is the value of {about}; "
                "correct it there. The log says why.")},
        {"exit.module",
            QT_TRANSLATE_NOOP("Sentences",
                "The module {about} was not loaded on the node. The setting {path} names it; correct it there. The log "
                "says why, and 'module avail' on the cluster shows the modules that there are.")},
        {"exit.module-command",
            QT_TRANSLATE_NOOP("Sentences",
                "The node has no command 'module', which the module {about} needs. The setting {path} names the "
                "module; remove it there, or choose nodes that have modules.")},
        {"exit.module-disk",
            QT_TRANSLATE_NOOP("Sentences",
                "The modules of {about} were not loaded: no temporary file can be made on the node. Its folder for "
                "temporary files may be full or not writable.")},
        {"exit.ssh-barrier",
            QT_TRANSLATE_NOOP("Sentences", "The job's tasks could not reach each other by ssh in time.")},
        {"exit.ssh-no-key",
            QT_TRANSLATE_NOOP("Sentences",
                "The tasks wait for each other by ssh, but the job has no ssh key: ssh-keygen is missing where the "
                "engine runs, or did not make one. The log says which. Install openssh-client there.")},
        {"ssh-key.missing",
            QT_TRANSLATE_NOOP("Sentences",
                "The job has no ssh key: ssh-keygen is missing where the engine runs. Install openssh-client there.")},
        {"ssh-key.slow",
            QT_TRANSLATE_NOOP("Sentences",
                "The job has no ssh key: ssh-keygen did not end within {seconds} seconds where the engine runs.")},
        {"ssh-key.failed",
            QT_TRANSLATE_NOOP(
                "Sentences", "The job has no ssh key: ssh-keygen failed where the engine runs. It said: {said}")},
        {"exit.ssh-no-sshd",
            QT_TRANSLATE_NOOP("Sentences",
                "The tasks wait for each other by ssh, but the host has no sshd. Install openssh-server there; its "
                "service need not run.")},
        {"exit.ssh-start", QT_TRANSLATE_NOOP("Sentences", "The task's ssh server did not start. The log says why.")},
        {"exit.git-clone",
            QT_TRANSLATE_NOOP(
                "Sentences", "The repository of {step} could not be cloned. The log has the messages of git.")},
        {"exit.git-disk",
            QT_TRANSLATE_NOOP(
                "Sentences", "The repository of {step} could not be cloned: the disk of the host is full.")},
        {"exit.git-folder",
            QT_TRANSLATE_NOOP("Sentences",
                "The repository of {step} could not be cloned: clone_dir is not an empty folder, or is not writable.")},
        {"exit.git-login",
            QT_TRANSLATE_NOOP("Sentences",
                "The repository of {step} could not be cloned: the server refused the login. Add the key to your ssh "
                "agent, or let git store the login on the host.")},
        {"exit.git-missing",
            QT_TRANSLATE_NOOP(
                "Sentences", "The repository of {step} could not be cloned: git is not installed on the host.")},
        {"exit.git-network",
            QT_TRANSLATE_NOOP(
                "Sentences", "The repository of {step} could not be cloned: the host could not reach its server.")},
        {"exit.git-repository",
            QT_TRANSLATE_NOOP("Sentences",
                "The repository of {step} could not be cloned: it does not exist at that address, or this login has no "
                "access to it.")},
        {"exit.git-revision",
            QT_TRANSLATE_NOOP("Sentences", "The repository of {step} has no such branch, tag or commit.")},
        {"exit.git-secret",
            QT_TRANSLATE_NOOP("Sentences",
                "The repository of {step} was not cloned: git would show the secret in {about}. Put the secret into "
                "the "
                "login of an http address (https://user:token@host/...) or into an option --config, and other parts "
                "into parameters.")},
        {"exit.storage-missing",
            QT_TRANSLATE_NOOP("Sentences",
                "The folder of the storage '{about}' does not exist on the host. The setting storages.{about} names "
                "it.")},
        {"exit.storage-place",
            QT_TRANSLATE_NOOP("Sentences",
                "The storage '{about}' cannot be made available at {path}: something else is there. Use another "
                "mountPath.")},
        {"exit.storage-unmapped",
            QT_TRANSLATE_NOOP("Sentences",
                "No folder is known for the storage '{about}'. Name it with the setting storages.{about}.")},
        {"storage.unmapped",
            QT_TRANSLATE_NOOP("Sentences",
                "No folder is known for the storage '{name}'. Name it with the setting storages.{name}, for example: "
                "trainyardctl settings storages.{name} /data")},
        {"exit.step-after",
            QT_TRANSLATE_NOOP("Sentences", "The command succeeded, but {step} failed after it with status {status}.")},
        {"exit.preparation",
            QT_TRANSLATE_NOOP("Sentences", "The preparation of the task failed with status {status}.")},
        {"exit.barrier", QT_TRANSLATE_NOOP("Sentences", "The tasks could not find each other in time.")},
        {"exit.ports", QT_TRANSLATE_NOOP("Sentences", "A port of the task was in use.")},
        {"exit.image", QT_TRANSLATE_NOOP("Sentences", "The image is missing or may not be used.")},
        {"exit.oom", QT_TRANSLATE_NOOP("Sentences", "The task ran out of memory. Ask for more, or use less.")},
        {"exit.oom.limit",
            QT_TRANSLATE_NOOP("Sentences",
                "The task ran out of memory: its limit is {limitMiB} MiB, and it used up to {usedMiB} MiB. Ask for "
                "more "
                "(memoryMB), or use less.")},
        {"exit.oom.host",
            QT_TRANSLATE_NOOP("Sentences",
                "The host ran out of memory and ended the task, which used up to {usedMiB} MiB and asked for "
                "{limitMiB} "
                "MiB. Run less at once on that host, or use less.")},
        {"exit.lost", QT_TRANSLATE_NOOP("Sentences", "The process is gone and left no record of how it ended.")},
        {"exit.gpu-lost", QT_TRANSLATE_NOOP("Sentences", "The GPU was lost while the task ran.")},
        {"exit.gpu-ecc", QT_TRANSLATE_NOOP("Sentences", "The GPU reported memory errors while the task ran.")},
        {"keeper.died",
            QT_TRANSLATE_NOOP("Sentences",
                "The process that watched the task was killed from outside, so how the task ended is not known.")},
        {"keeper.status-lost", QT_TRANSLATE_NOOP("Sentences", "The exit status of the task was lost.")},
        {"oom.limit",
            QT_TRANSLATE_NOOP(
                "Sentences", "The task needed more memory than it asked for. Ask for more, or use less.")},
        {"oom.host",
            QT_TRANSLATE_NOOP(
                "Sentences", "The host ran out of memory and ended the task. Ask for more, or run less at once.")},
        {"launch.failed", QT_TRANSLATE_NOOP("Sentences", "The task could not be started.")},
        {"await.failed",
            QT_TRANSLATE_NOOP("Sentences", "The host cannot open a port on which others could try to reach it.")},
        {"reach.malformed",
            QT_TRANSLATE_NOOP("Sentences", "The helper was asked to try something that is not an address.")},
        {"launch.malformed",
            QT_TRANSLATE_NOOP("Sentences", "The host's helper did not understand how to start the task.")},
        {"launch.keeper-died",
            QT_TRANSLATE_NOOP("Sentences", "The process that watches the task was killed before the task started.")},
        {"launch.cwd-missing", QT_TRANSLATE_NOOP("Sentences", "The work folder {detail} does not exist on the host.")},
        {"launch.cwd-denied",
            QT_TRANSLATE_NOOP("Sentences", "The work folder {detail} cannot be entered: permission denied.")},
        {"launch.cwd-missing.here",
            QT_TRANSLATE_NOOP("Sentences",
                "The work folder {detail} does not exist on this computer. Make it, or give a folder that is there.")},
        {"launch.cwd-denied.here",
            QT_TRANSLATE_NOOP(
                "Sentences", "The work folder {detail} on this computer cannot be entered: permission denied.")},
        {"launch.cwd-missing.host",
            QT_TRANSLATE_NOOP("Sentences",
                "The work folder {detail} does not exist on {host}. Make it there, or give a folder that is there.")},
        {"launch.cwd-denied.host",
            QT_TRANSLATE_NOOP("Sentences", "The work folder {detail} on {host} cannot be entered: permission denied.")},
        {"launch.folder-unwritable",
            QT_TRANSLATE_NOOP("Sentences", "The folder for the task's output on the host is not writable ({detail}).")},
        {"launch.disk-full",
            QT_TRANSLATE_NOOP(
                "Sentences", "The disk of the host is full ({detail}). Free some space there and run the job again.")},
        {"launch.port-busy", QT_TRANSLATE_NOOP("Sentences", "Port {detail} of the task is in use.")},
        {"launch.gpu-busy", QT_TRANSLATE_NOOP("Sentences", "GPU {detail} is in use by a task of another user.")},
        {"launch.gpu-lock-failed",
            QT_TRANSLATE_NOOP("Sentences", "The GPUs of the task could not be locked on the host.")},
        {"launch.shell-missing",
            QT_TRANSLATE_NOOP(
                "Sentences", "The shell {detail} does not exist on the host. Tasks run in it: install it there.")},
        {"launch.shell-failed", QT_TRANSLATE_NOOP("Sentences", "The shell could not be started on the host.")},
        {"launch.runtime-missing",
            QT_TRANSLATE_NOOP("Sentences", "{detail} was not found on the host. Install it there.")},
        {"launch.together",
            QT_TRANSLATE_NOOP("Sentences", "All tasks of the attempt start together, and {task} cannot start yet.")},
        {"launch.pulling", QT_TRANSLATE_NOOP("Sentences", "The image {image} is being fetched. {detail}")},
        {"launch.copying", QT_TRANSLATE_NOOP("Sentences", "The folder {folder} is being copied to {host}.")},
        {"launch.copying.part",
            QT_TRANSLATE_NOOP("Sentences", "The folder {folder} is being copied to {host}: {part} of {all}.")},
        {"launch.pull-failed",
            QT_TRANSLATE_NOOP(
                "Sentences", "The image could not be fetched, because its registry did not answer: {detail}")},
        {"launch.image-missing",
            QT_TRANSLATE_NOOP("Sentences",
                "There is no image {detail}. Check the name and the tag of the dockerimage prerequisite.")},
        {"launch.image-unauthorized",
            QT_TRANSLATE_NOOP("Sentences",
                "The registry requires a login for the image {detail}, or does not have it. Give the dockerimage "
                "prerequisite an auth with user name and password.")},
        {"launch.image-denied",
            QT_TRANSLATE_NOOP("Sentences",
                "The job's account is not allowed to fetch the image {detail}, or the image does not exist.")},
        {"launch.image-login",
            QT_TRANSLATE_NOOP("Sentences",
                "The registry {detail} does not accept the user name and password that the job gives. The log of the "
                "task has its answer.")},
        {"launch.image-failed", QT_TRANSLATE_NOOP("Sentences", "The image could not be fetched: {detail}")},
        {"launch.no-memory-folder",
            QT_TRANSLATE_NOOP("Sentences",
                "The host has no folder in memory (/run/user or /dev/shm) for the login at the registry. Fetch the "
                "image "
                "by hand.")},
        {"launch.container-failed", QT_TRANSLATE_NOOP("Sentences", "The container could not be started: {detail}")},
        {"launch.container-service",
            QT_TRANSLATE_NOOP(
                "Sentences", "The container service of the host does not answer. Start it there. It says: {detail}")},
        {"launch.container-service.here",
            QT_TRANSLATE_NOOP(
                "Sentences", "The container service of this computer does not answer. Start it. It says: {detail}")},
        {"launch.container-service.host",
            QT_TRANSLATE_NOOP(
                "Sentences", "The container service of {host} does not answer. Start it there. It says: {detail}")},
        {"launch.container-gpu",
            QT_TRANSLATE_NOOP("Sentences",
                "The container was refused its GPUs: {detail}. podman needs a CDI file (nvidia-ctk cdi generate), "
                "docker "
                "the NVIDIA container toolkit.")},
        {"launch.container-device",
            QT_TRANSLATE_NOOP("Sentences",
                "The job asks for InfiniBand (extraContainerOptions.infiniband), which this host does not have: "
                "{detail}. Choose another host, or leave the option out.")},
        {"launch.container-left",
            QT_TRANSLATE_NOOP(
                "Sentences", "The container {detail} of an earlier start still exists and cannot be removed.")},
        {"launch.container-mount",
            QT_TRANSLATE_NOOP("Sentences",
                "'{detail}' in the setting containers.mounts is not a valid mount: write /folder, "
                "/folder:/in/container or /folder:ro.")},
        {"launch.container-folder",
            QT_TRANSLATE_NOOP("Sentences",
                "The folder {detail} does not exist on the host, so it cannot be mounted in the container. A storage "
                "of the job or the setting containers.mounts names it.")},
        {"launch.container-storage",
            QT_TRANSLATE_NOOP("Sentences",
                "{detail}, where the job wants its storage {name}, is a folder of the system, which a container has of "
                "its own. Choose another mountPath.")},
        {"launch.container-shell-missing",
            QT_TRANSLATE_NOOP("Sentences", "The image {detail} has no bash, which runs the commands.")},
        {"launch.container-work",
            QT_TRANSLATE_NOOP("Sentences",
                "{detail} is a folder of the system and cannot be the work folder of a container. Choose another "
                "one.")},
        {"launch.stopped", QT_TRANSLATE_NOOP("Sentences", "It was stopped before it started.")},
        {"container.removed",
            QT_TRANSLATE_NOOP(
                "Sentences", "The container {detail} was removed from outside, so how its task ended is not known.")},
        {"container.monitor-died",
            QT_TRANSLATE_NOOP("Sentences",
                "The monitor of the container {detail} (conmon) was ended from outside, so it is not known how its "
                "task ended.")},
        {"launch.memory", QT_TRANSLATE_NOOP("Sentences", "The host had no memory left to start the task.")},
        {"launch.descriptors",
            QT_TRANSLATE_NOOP("Sentences", "The host had no file descriptors left to start the task.")},
        {"launch.processes", QT_TRANSLATE_NOOP("Sentences", "The host allows no more processes.")},
        {"launch.environment-too-long",
            QT_TRANSLATE_NOOP("Sentences", "The environment of the task is longer than the system allows.")},
    };
    return rows;
}

} // namespace trainyard::sentences
