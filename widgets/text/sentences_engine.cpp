// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

std::span<const SentenceRow> engine()
{
    static const SentenceRow rows[] = {
        {"engine.already-running",
            QT_TRANSLATE_NOOP("Sentences", "Another engine is using {folder} and does not answer. End it, or wait.")},
        {"engine.folder",
            QT_TRANSLATE_NOOP("Sentences", "The engine cannot use its folder {folder}: {message}. Make it writable.")},
        {"engine.gone", QT_TRANSLATE_NOOP("Sentences", "The connection to the engine was lost. Try again.")},
        {"engine.leaving", QT_TRANSLATE_NOOP("Sentences", "The engine is about to end. Try again in a moment.")},
        {"engine.newer",
            QT_TRANSLATE_NOOP("Sentences",
                "The running engine is newer than this program (version {build}). Start the newer program.")},
        {"engine.no-agent",
            QT_TRANSLATE_NOOP(
                "Sentences", "The program trainyard-agent, which starts tasks, is missing. Install Trainyard again.")},
        {"engine.no-program",
            QT_TRANSLATE_NOOP("Sentences",
                "The program {program} is missing or cannot be started. Install Trainyard "
                "again.")},
        {"engine.not-answering",
            QT_TRANSLATE_NOOP("Sentences",
                "The engine does not answer (process {pid}). If that stays so, end that process; running tasks go "
                "on.")},
        {"engine.not-running", QT_TRANSLATE_NOOP("Sentences", "The engine is not running.")},
        {"engine.not-started", QT_TRANSLATE_NOOP("Sentences", "The engine did not start. {log} may say why.")},
        {"engine.submit-unanswered",
            QT_TRANSLATE_NOOP("Sentences",
                "The engine does not answer (process {pid}), so it is not known whether it has the job. If that stays "
                "so, end that process; running tasks go on. Look at the list of jobs before you run it again.")},
        {"engine.submit-unknown",
            QT_TRANSLATE_NOOP("Sentences",
                "The connection to the engine was lost before it answered, so it is not known whether it has the job. "
                "Look at the list of jobs before you run it again.")},
        {"engine.stopped",
            QT_TRANSLATE_NOOP("Sentences", "The engine was stopped. Running tasks go on; the next start finds them.")},

        {"rpc.failed", QT_TRANSLATE_NOOP("Sentences", "The engine could not do that.")},
        {"rpc.hello-first", QT_TRANSLATE_NOOP("Sentences", "The engine was asked before it was greeted.")},
        {"rpc.invalid", QT_TRANSLATE_NOOP("Sentences", "The engine did not understand the request.")},
        {"rpc.no-method",
            QT_TRANSLATE_NOOP("Sentences",
                "The engine does not know the request {method}. Is it older "
                "than this program?")},
        {"rpc.params", QT_TRANSLATE_NOOP("Sentences", "The engine did not understand the arguments of the request.")},
        {"rpc.parse", QT_TRANSLATE_NOOP("Sentences", "The engine could not read the request.")},
        {"rpc.too-long", QT_TRANSLATE_NOOP("Sentences", "The request or its answer is longer than 16 MiB.")},
        {"rpc.version",
            QT_TRANSLATE_NOOP("Sentences", "The engine has version {build}, which this program does not understand.")},

        {"socket.cannot-listen", QT_TRANSLATE_NOOP("Sentences", "The engine cannot listen at {path}: {message}")},
        {"socket.path-too-long",
            QT_TRANSLATE_NOOP("Sentences",
                "The socket's path {path} has {bytes} bytes; {limit} are possible. Set "
                "XDG_RUNTIME_DIR to a shorter folder.")},
        {"folder.cannot-make", QT_TRANSLATE_NOOP("Sentences", "Cannot make the folder {folder}: {message}")},
        {"folder.cannot-write",
            QT_TRANSLATE_NOOP("Sentences",
                "The folder {folder}, in which the engine keeps its jobs, cannot be written to: {message}")},
        {"folder.not-private",
            QT_TRANSLATE_NOOP("Sentences",
                "{folder} must be a folder that only you may enter, and is not. Remove it or "
                "make it yours.")},
        {"settings.bad-value", QT_TRANSLATE_NOOP("Sentences", "That is not a possible value of {key}. {help}")},
        {"settings.cannot-write", QT_TRANSLATE_NOOP("Sentences", "Cannot write the settings {file}: {message}")},
        {"settings.unknown", QT_TRANSLATE_NOOP("Sentences", "There is no setting {key}.")},
        {"settings.broken",
            QT_TRANSLATE_NOOP("Sentences",
                "Cannot read the settings {file}: {message}. The engine goes by what it had before, and after its "
                "next start by the defaults. Mend the file, or move it away.")},
        {"settings.ignored-int",
            QT_TRANSLATE_NOOP("Sentences",
                "The setting {key} in {file} must be a whole number from {min} to {max}. Until it is, its default "
                "counts, {default}.")},
        {"settings.ignored-bool",
            QT_TRANSLATE_NOOP("Sentences",
                "The setting {key} in {file} must be true or false. Until it is, its default counts, {default}.")},
        {"settings.ignored-list",
            QT_TRANSLATE_NOOP("Sentences",
                "The setting {key} in {file} is no list, or holds something that is not possible; its default counts. "
                "What it is: {help}")},
        {"settings.ignored-text",
            QT_TRANSLATE_NOOP("Sentences",
                "The setting {key} in {file} must be a text in quotation marks; its default counts. What it is: "
                "{help}")},
        {"settings.misspelt",
            QT_TRANSLATE_NOOP(
                "Sentences", "There is no setting {key}, so the one in {file} does nothing. Is {similar} meant?")},
        {"settings.unreadable", QT_TRANSLATE_NOOP("Sentences", "Cannot read the settings {file}: {message}")},
        {"exitrules.not-used", QT_TRANSLATE_NOOP("Sentences", "Your exit rules in {file} are not used. {why}")},
        {"hosts.unreadable",
            QT_TRANSLATE_NOOP("Sentences",
                "Cannot read the list of hosts {file}: {message}. Mend the file; without it the engine does not begin, "
                "since tasks may run on them.")},
        {"hosts.cannot-write", QT_TRANSLATE_NOOP("Sentences", "Cannot write the list of hosts {file}: {message}.")},
        {"stop.host-unreachable",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} could not be reached for so long that the task was given up. It may still be running there.")},
        {"store.damaged",
            QT_TRANSLATE_NOOP(
                "Sentences", "The engine's store {path} is damaged: {detail}. Move it away to begin anew.")},
        {"store.newer",
            QT_TRANSLATE_NOOP("Sentences",
                "The engine's store {path} was written by a newer version. Start the newer program, or move the file "
                "away to begin anew.")},
        {"store.no-room",
            QT_TRANSLATE_NOOP(
                "Sentences", "The disk of the engine's store {path} is full. Make room there, then try again.")},
        {"store.open",
            QT_TRANSLATE_NOOP("Sentences",
                "Cannot open the engine's store {path}: {detail}. Make it a file that you may read and write, or move "
                "it away to begin anew.")},
        {"store.write",
            QT_TRANSLATE_NOOP("Sentences",
                "Cannot write the engine's store {path}: {detail}. Is the disk "
                "full?")},

        {"job.active", QT_TRANSLATE_NOOP("Sentences", "The job is not over. Stop it first.")},
        {"job.ambiguous", QT_TRANSLATE_NOOP("Sentences", "Several jobs begin with {job}. Give more of the UUID.")},
        {"job.bad-name",
            QT_TRANSLATE_NOOP("Sentences",
                "'{name}' is no name of a job: it may have letters, digits, '_' and '-' only, at most 255.")},
        {"job.host-out-of-reach",
            QT_TRANSLATE_NOOP("Sentences", "{host} cannot be reached at the moment; what runs there runs on.")},
        {"job.invalid", QT_TRANSLATE_NOOP("Sentences", "The job has errors and was not taken.")},
        {"job.role-missing", QT_TRANSLATE_NOOP("Sentences", "The job has no task role {role}.")},
        {"job.container-image",
            QT_TRANSLATE_NOOP("Sentences",
                "The task role {role} names no image, so it cannot run in {runIn}. Give it a dockerImage, or run the "
                "job in the host's shell.")},
        {"job.run-in-unknown",
            QT_TRANSLATE_NOOP(
                "Sentences", "'{runIn}' is nothing that tasks can run in: host, podman, docker and apptainer are.")},
        {"job.runtime-missing",
            QT_TRANSLATE_NOOP(
                "Sentences", "{runIn} was not found on {host}. Install it there, or run the job in the host's shell.")},
        {"job.runtime-missing-everywhere",
            QT_TRANSLATE_NOOP(
                "Sentences", "{runIn} was not found on any host. Install it, or run the job in the host's shell.")},
        {"job.secrets-missing", QT_TRANSLATE_NOOP("Sentences", "The job needs values of these secrets: {names}.")},
        {"job.unknown", QT_TRANSLATE_NOOP("Sentences", "There is no job {job}.")},
        {"job.unreadable", QT_TRANSLATE_NOOP("Sentences", "The job's stored text cannot be read any more.")},
        {"job.work-no-folder",
            QT_TRANSLATE_NOOP(
                "Sentences", "The work folder {folder} is a file. Give the folder in which the commands are to run.")},
        {"job.work-missing", QT_TRANSLATE_NOOP("Sentences", "The work folder {folder} does not exist.")},
        {"job.work-relative",
            QT_TRANSLATE_NOOP("Sentences",
                "The work folder {folder} is relative, and the job comes from no file. Give a "
                "path that begins with /.")},
        {"task.unknown", QT_TRANSLATE_NOOP("Sentences", "The job has no task {task}, or no such try of it.")},

        {"refuse.runtime",
            QT_TRANSLATE_NOOP("Sentences",
                "{runIn} was not found on any host where the job may run, and the settings want tasks with an image to "
                "run in it. Install it, or run the job in the host's shell.")},
        {"refuse.host", QT_TRANSLATE_NOOP("Sentences", "There is no host {host}.")},
        {"refuse.gpu",
            QT_TRANSLATE_NOOP("Sentences",
                "A task of {role} asks for {wanted|GPU|GPUs}; the most that one host has is {most} "
                "({host}). Ask for fewer.")},
        {"refuse.gpu.excluded",
            QT_TRANSLATE_NOOP("Sentences",
                "A task of {role} asks for {wanted|GPU|GPUs}; the most that one host has for jobs is {most} "
                "({host}). The settings gpu.exclude and gpu.keepHours keep {excluded|GPU|GPUs} of {excludedHost} from "
                "jobs: change them, or ask for fewer.")},
        {"refuse.gpu-memory",
            QT_TRANSLATE_NOOP("Sentences",
                "A task of {role} asks for {wanted|GPU|GPUs} with {wantedMiB} MiB of memory each; the most that so "
                "many "
                "GPUs of one host have is {mostMiB} MiB ({host}). Ask for less.")},
        {"refuse.gpu-type",
            QT_TRANSLATE_NOOP("Sentences",
                "A task of {role} asks for {wanted|GPU|GPUs} of the type {type}; the most that one host has is {most} "
                "({host}). Ask for fewer, or remove skuType (extras.hivedScheduler).")},
        {"refuse.gang-type",
            QT_TRANSLATE_NOOP("Sentences",
                "All tasks together ask for {wanted|GPU|GPUs} of the type {type}; all hosts together have {most}, and "
                "the "
                "tasks must start together. Ask for fewer, remove skuType (extras.hivedScheduler), or set "
                "gangAllocation to false.")},
        {"cpu.more-than-there",
            QT_TRANSLATE_NOOP("Sentences",
                "{role} asks for {wanted} CPU cores, and {host} has {most|core|cores}: its tasks run with what there "
                "is.")},
        {"host.away",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} cannot be reached now, so the job waits for it; 'trainyardctl hosts check {host}' tries "
                "again. {why}")},
        {"gpu.type-nowhere",
            QT_TRANSLATE_NOOP("Sentences",
                "{role} asks for GPUs of the type {type}, and no host has one (there are: {names}): its tasks get any "
                "GPU. Attach a host that has them, or remove skuType (extras.hivedScheduler).")},
        {"refuse.memory",
            QT_TRANSLATE_NOOP("Sentences",
                "A task of {role} asks for {wantedMiB} MiB of memory; the most that one host "
                "can give is {mostMiB} MiB ({host}). Ask for less.")},
        {"refuse.gang",
            QT_TRANSLATE_NOOP("Sentences",
                "All tasks together ask for {wanted} ({resource}); all hosts together have "
                "{most}, and the tasks must start together. Ask for less, or set "
                "gangAllocation to false.")},
        {"refuse.gang.gpu",
            QT_TRANSLATE_NOOP("Sentences",
                "All tasks together ask for {wanted|GPU|GPUs}; the hosts together have {most}, and the tasks must "
                "start "
                "together. Ask for fewer, or set gangAllocation to false.")},
        {"refuse.gang.memory",
            QT_TRANSLATE_NOOP("Sentences",
                "All tasks together ask for {wanted} MiB of memory; the hosts together can give {most} MiB, and the "
                "tasks must start together. Ask for less, or set gangAllocation to false.")},
        {"refuse.gang.gpuMemoryMiB",
            QT_TRANSLATE_NOOP("Sentences",
                "All tasks together ask for {wanted} MiB of GPU memory; the GPUs of the hosts together have {most} "
                "MiB, "
                "and the tasks must start together. Ask for less, or set gangAllocation to false.")},
        {"refuse.ports",
            QT_TRANSLATE_NOOP("Sentences",
                "{wanted} tasks must start together and want the port {port}, which the job fixes for '{label}' of "
                "{role}; a port of a host belongs to one task, and {most|host is|hosts are} there. Remove the number "
                "(extras.trainyard.legacy.roles) so that the engine chooses, or use more hosts.")},
        {"ports.none",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} has no {wanted} free ports in a row between {first} and "
                "{last}.")},
        {"ports.fixed-held",
            QT_TRANSLATE_NOOP("Sentences",
                "Port {port} on {host}, which the job fixes for '{label}', belongs to another task now. Wait for it to "
                "end, or remove the number (extras.trainyard.legacy.roles) so that the engine chooses.")},
        {"ports.fixed-busy",
            QT_TRANSLATE_NOOP("Sentences",
                "Port {port} on {host}, which the job fixes for '{label}', is in use by another program. End that, or "
                "remove the number (extras.trainyard.legacy.roles) so that the engine chooses.")},
        {"ports.fixed-twice",
            QT_TRANSLATE_NOOP("Sentences",
                "Two tasks on {host} cannot both have the port {port}, which the job fixes for '{label}'. Remove the "
                "number (extras.trainyard.legacy.roles) so that the engine chooses, or use more hosts.")},
        {"ports.fixed-range",
            QT_TRANSLATE_NOOP("Sentences",
                "The ports that the job fixes for '{label}' begin at {port} and go beyond 65535, the last there is.")},
        {"ports.busy", QT_TRANSLATE_NOOP("Sentences", "The ports that were chosen are in use again and again.")},

        {"wait.gpu", QT_TRANSLATE_NOOP("Sentences", "Waits for GPUs: {wanted} wanted, {free} free of {total}.")},
        {"left.processes",
            QT_TRANSLATE_NOOP("Sentences",
                "It was stopped, but these of its processes could not be ended: {processes}. They wait in the kernel, "
                "or belong to another user.")},
        {"left.gpu",
            QT_TRANSLATE_NOOP("Sentences",
                "It was stopped, but GPU {gpu} still holds {memoryMiB} MiB more than before it began, used by "
                "{processes}.")},
        {"left.gpu-unknown",
            QT_TRANSLATE_NOOP("Sentences",
                "It was stopped, but GPU {gpu} still holds {memoryMiB} MiB more than before it began, and no process "
                "that uses them can be seen.")},
        {"stop.not-ended", QT_TRANSLATE_NOOP("Sentences", "It could not be ended, and may still be running.")},
        {"wait.gpu-memory",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for GPU memory: {wantedMiB} MiB of one GPU wanted, {freeMiB} MiB are the most that is left of "
                "one.")},
        {"wait.gpu-memory.many",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for GPU memory: {wantedMiB} MiB on each of {wanted} GPUs of one host wanted, {have|GPU has|GPUs "
                "have} so much left.")},
        {"wait.gpu-unknown",
            QT_TRANSLATE_NOOP(
                "Sentences", "Waits until the GPUs of {host} are known: nvidia-smi has not answered yet.")},
        {"wait.gpu-type",
            QT_TRANSLATE_NOOP(
                "Sentences", "Waits for GPUs of the type {type}: {wanted} wanted, {free} free of {total}.")},
        {"wait.gpu-type-away",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for a host with GPUs of the type {type}: none that can be reached now has one. Attach one, or "
                "remove skuType (extras.hivedScheduler) and run the job again.")},
        {"wait.memory",
            QT_TRANSLATE_NOOP(
                "Sentences", "Waits for memory: {wantedMiB} MiB wanted, {freeMiB} MiB free of {totalMiB}.")},
        {"wait.disk",
            QT_TRANSLATE_NOOP("Sentences",
                "The disk of {host} is nearly full: nothing new starts while less than {wantedMiB} MiB are free. Make "
                "room, "
                "or lower the setting disk.holdMiB.")},
        {"disk.low",
            QT_TRANSLATE_NOOP("Sentences", "The disk of {host} has only {freeMiB} MiB left for the output of tasks.")},
        {"wait.runtime",
            QT_TRANSLATE_NOOP("Sentences", "Waits for a host with {runIn}: none that can be reached has it.")},
        {"wait.port",
            QT_TRANSLATE_NOOP(
                "Sentences", "Waits for port {port} on {host}, which the job fixes and a task of job #{job} has.")},
        {"wait.host.named", QT_TRANSLATE_NOOP("Sentences", "Waits for {host}, which cannot be reached now.")},
        {"wait.host", QT_TRANSLATE_NOOP("Sentences", "Waits for a host that can be reached.")},
        {"wait.parallel",
            QT_TRANSLATE_NOOP("Sentences",
                "Only {limit|task|tasks} of the job may run at the same time (setting tasks.maxParallel); the others "
                "wait.")},
        {"wait.queue", QT_TRANSLATE_NOOP("Sentences", "Waits for its turn behind {ahead} jobs, first #{job}.")},
        {"wait.queue.one", QT_TRANSLATE_NOOP("Sentences", "Waits for its turn behind #{job}.")},
        {"wait.queue-far", QT_TRANSLATE_NOOP("Sentences", "Waits for its turn behind more than {ahead} jobs.")},

        {"wait.after",
            QT_TRANSLATE_NOOP(
                "Sentences", "Waits until job #{job} ({name}) has succeeded. If it does not, this one fails.")},
        {"wait.after-end", QT_TRANSLATE_NOOP("Sentences", "Waits until job #{job} ({name}) is over.")},
        {"wait.paused",
            QT_TRANSLATE_NOOP("Sentences", "Paused before its tasks were started. Resume it to let it run.")},
        {"job.paused",
            QT_TRANSLATE_NOOP("Sentences",
                "Paused. Its processes are stopped and keep their memory, GPU memory included. Resume or stop it.")},
        {"after.failed",
            QT_TRANSLATE_NOOP(
                "Sentences", "The job was to run after job #{job} ({name}) had succeeded, which ended as {state}.")},
        {"after.gone",
            QT_TRANSLATE_NOOP("Sentences",
                "The job was to run after job #{job} ({name}), which is not there any more; nobody knows how it "
                "ended.")},
        {"after.unknown",
            QT_TRANSLATE_NOOP("Sentences",
                "There is no job {job} to wait for. Give the number, UUID or name of a job that was submitted.")},
        {"limit.time",
            QT_TRANSLATE_NOOP("Sentences",
                "It had run for {seconds|second|seconds}, which is its time limit. Raise limits.timeSeconds or make it "
                "quicker.")},
        {"retry.other-tasks",
            QT_TRANSLATE_NOOP("Sentences",
                "The edited job has other tasks ({now}, was {was}), so results of the old ones cannot be kept. Run it "
                "as "
                "a new job.")},
        {"job.minFailed", QT_TRANSLATE_NOOP("Sentences", "{role}/{index} failed: {exit}.")},
        {"job.minFailed.many",
            QT_TRANSLATE_NOOP("Sentences",
                "{count} tasks of {role} failed, which ends the job. The last was {role}/{index}: {exit}.")},
        {"job.completedTasks",
            QT_TRANSLATE_NOOP("Sentences",
                "{count|task has|tasks have} ended, which ends the job. The last was {role}/{index}: {exit}.")},
        {"job.startFailed", QT_TRANSLATE_NOOP("Sentences", "The tasks could not be started (code {code}).")},
        {"question.unknown",
            QT_TRANSLATE_NOOP("Sentences", "That question was answered already, or is not asked any more.")},
        {"retry.nothing",
            QT_TRANSLATE_NOOP("Sentences", "No task of the job has failed: there is nothing to run again.")},
        {"retry.cap",
            QT_TRANSLATE_NOOP(
                "Sentences", "It was tried again {retries|time|times} without success, which is the limit.")},
        {"run.folder-missing",
            QT_TRANSLATE_NOOP("Sentences", "The folder of the try is gone; nobody knows how it ended.")},
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
            QT_TRANSLATE_NOOP(
                "Sentences", "The command that makes the environment failed with status {status}. The log says why.")},
        {"exit.ssh-barrier",
            QT_TRANSLATE_NOOP("Sentences", "The job's tasks did not reach each other by ssh in time.")},
        {"exit.ssh-no-key",
            QT_TRANSLATE_NOOP("Sentences",
                "The tasks wait for each other by ssh, but ssh-keygen is missing where the engine runs. Install "
                "openssh-client there.")},
        {"exit.ssh-no-sshd",
            QT_TRANSLATE_NOOP("Sentences",
                "The tasks wait for each other by ssh, but the host has no sshd. Install openssh-server there; its "
                "service need not run.")},
        {"exit.ssh-start", QT_TRANSLATE_NOOP("Sentences", "The task's ssh server did not start. The log says why.")},
        {"exit.git-clone",
            QT_TRANSLATE_NOOP("Sentences", "The repository of {step} was not cloned. The log has git's own words.")},
        {"exit.git-disk",
            QT_TRANSLATE_NOOP("Sentences", "The repository of {step} was not cloned: the disk of the host is full.")},
        {"exit.git-folder",
            QT_TRANSLATE_NOOP("Sentences",
                "The repository of {step} was not cloned: clone_dir is not an empty folder, or may not be written.")},
        {"exit.git-login",
            QT_TRANSLATE_NOOP("Sentences",
                "The repository of {step} was not cloned: the server refused the login. Add the key to your ssh agent, "
                "or let git store the login on the host.")},
        {"exit.git-missing",
            QT_TRANSLATE_NOOP(
                "Sentences", "The repository of {step} was not cloned: git is not installed on the host.")},
        {"exit.git-network",
            QT_TRANSLATE_NOOP(
                "Sentences", "The repository of {step} was not cloned: its server was not reached from the host.")},
        {"exit.git-repository",
            QT_TRANSLATE_NOOP("Sentences",
                "The repository of {step} was not cloned: it is not at that address, or not for this login.")},
        {"exit.git-revision",
            QT_TRANSLATE_NOOP("Sentences", "The repository of {step} has no such branch, tag or commit.")},
        {"exit.storage-missing",
            QT_TRANSLATE_NOOP("Sentences",
                "The folder of the storage '{about}' is not there on the host. The setting storages.{about} names "
                "it.")},
        {"exit.storage-place",
            QT_TRANSLATE_NOOP("Sentences",
                "The storage '{about}' cannot be found at {path}: something else is there. Use another mountPath.")},
        {"exit.storage-unmapped",
            QT_TRANSLATE_NOOP("Sentences",
                "No folder is known for the storage '{about}'. Say which it is with the setting storages.{about}.")},
        {"storage.unmapped",
            QT_TRANSLATE_NOOP("Sentences",
                "No folder is known for the storage '{name}'. Say which it is with the setting storages.{name}, for "
                "example trainyardctl settings storages.{name} /data.")},
        {"exit.step-after",
            QT_TRANSLATE_NOOP("Sentences", "The command succeeded, but {step} failed after it with status {status}.")},
        {"exit.preparation",
            QT_TRANSLATE_NOOP("Sentences", "The preparation of the task failed with status {status}.")},
        {"exit.barrier", QT_TRANSLATE_NOOP("Sentences", "The tasks did not find each other in time.")},
        {"exit.ports", QT_TRANSLATE_NOOP("Sentences", "A port of the task was in use.")},
        {"exit.image", QT_TRANSLATE_NOOP("Sentences", "The image is missing or may not be used.")},
        {"exit.oom", QT_TRANSLATE_NOOP("Sentences", "The task ran out of memory. Ask for more, or use less.")},
        {"exit.lost", QT_TRANSLATE_NOOP("Sentences", "The process is gone and left no record of how it ended.")},
        {"exit.gpu-lost", QT_TRANSLATE_NOOP("Sentences", "The GPU was lost while the task ran.")},
        {"exit.gpu-ecc", QT_TRANSLATE_NOOP("Sentences", "The GPU reported memory errors while the task ran.")},
        {"keeper.died",
            QT_TRANSLATE_NOOP(
                "Sentences", "What watched the task was killed from outside; nobody knows how it ended.")},
        {"keeper.status-lost", QT_TRANSLATE_NOOP("Sentences", "The exit status of the task got lost.")},
        {"host.restarted",
            QT_TRANSLATE_NOOP("Sentences", "The host was restarted while the task ran; nobody knows how it ended.")},
        {"oom.limit",
            QT_TRANSLATE_NOOP(
                "Sentences", "The task needed more memory than it asked for. Ask for more, or use less.")},
        {"oom.host",
            QT_TRANSLATE_NOOP(
                "Sentences", "The host ran out of memory and ended the task. Ask for more, or run less at once.")},
        {"launch.failed", QT_TRANSLATE_NOOP("Sentences", "The task could not be started.")},
        {"launch.malformed",
            QT_TRANSLATE_NOOP("Sentences", "The host's helper did not understand how to start the task.")},
        {"launch.keeper-died", QT_TRANSLATE_NOOP("Sentences", "What watches the task was killed before it began.")},
        {"launch.cwd-missing", QT_TRANSLATE_NOOP("Sentences", "The work folder {detail} is not there on the host.")},
        {"launch.cwd-denied", QT_TRANSLATE_NOOP("Sentences", "The work folder {detail} may not be entered.")},
        {"launch.folder-unwritable",
            QT_TRANSLATE_NOOP(
                "Sentences", "The folder for the task's output cannot be written on the host ({detail}).")},
        {"launch.disk-full",
            QT_TRANSLATE_NOOP(
                "Sentences", "The disk of the host is full ({detail}). Make room on it and run the job again.")},
        {"launch.port-busy", QT_TRANSLATE_NOOP("Sentences", "Port {detail} of the task is in use.")},
        {"launch.gpu-busy", QT_TRANSLATE_NOOP("Sentences", "GPU {detail} is in use by somebody else's task.")},
        {"launch.gpu-lock-failed",
            QT_TRANSLATE_NOOP("Sentences", "The GPUs of the task could not be locked on the host.")},
        {"launch.shell-missing", QT_TRANSLATE_NOOP("Sentences", "The shell {detail} is not there on the host.")},
        {"launch.shell-failed", QT_TRANSLATE_NOOP("Sentences", "The shell could not be started on the host.")},
        {"launch.runtime-missing",
            QT_TRANSLATE_NOOP("Sentences", "{detail} was not found on the host. Install it there.")},
        {"stop.disk-full",
            QT_TRANSLATE_NOOP("Sentences",
                "The disk of {host} is full: what its tasks wrote last and how they ended cannot be written there. "
                "Make "
                "room, and the job ends.")},
        {"task.disk-full",
            QT_TRANSLATE_NOOP("Sentences",
                "The disk of {host} is full. Tasks wait with their output, and nothing of it is lost: make room, and "
                "they "
                "go on.")},
        {"launch.pulling", QT_TRANSLATE_NOOP("Sentences", "The image {image} is fetched. {detail}")},
        {"launch.pull-failed",
            QT_TRANSLATE_NOOP(
                "Sentences", "The image could not be fetched, because its registry did not answer: {detail}")},
        {"launch.image-missing",
            QT_TRANSLATE_NOOP("Sentences",
                "There is no image {detail}. Look at the name and the tag of the dockerimage prerequisite.")},
        {"launch.image-unauthorized",
            QT_TRANSLATE_NOOP("Sentences",
                "The registry gives the image {detail} only to those who log in, if it has it at all. Give the "
                "dockerimage prerequisite an auth with user name and password.")},
        {"launch.image-denied",
            QT_TRANSLATE_NOOP(
                "Sentences", "The account that the job gives may not fetch the image {detail}, or there is none.")},
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
        {"launch.container-gpu",
            QT_TRANSLATE_NOOP("Sentences",
                "The container was refused its GPUs: {detail}. podman needs a CDI file (nvidia-ctk cdi generate), "
                "docker "
                "the NVIDIA container toolkit.")},
        {"launch.container-left",
            QT_TRANSLATE_NOOP(
                "Sentences", "The container {detail} of an earlier start is still there and does not go.")},
        {"launch.container-mount",
            QT_TRANSLATE_NOOP("Sentences",
                "'{detail}' in the setting containers.mounts is no mount: write /folder, /folder:/in/container or "
                "/folder:ro.")},
        {"launch.container-folder",
            QT_TRANSLATE_NOOP("Sentences",
                "The folder {detail} is not there on the host, so it cannot be shown in the container. A storage of "
                "the "
                "job or the setting containers.mounts names it.")},
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
        {"launch.stopped", QT_TRANSLATE_NOOP("Sentences", "It was stopped before it began.")},
        {"container.removed",
            QT_TRANSLATE_NOOP(
                "Sentences", "Somebody removed the container {detail}; nobody knows how its task ended.")},
        {"launch.memory", QT_TRANSLATE_NOOP("Sentences", "The host had no memory left to start the task.")},
        {"launch.descriptors",
            QT_TRANSLATE_NOOP("Sentences", "The host had no file descriptors left to start the task.")},
        {"launch.processes", QT_TRANSLATE_NOOP("Sentences", "The host allows no more processes.")},
        {"launch.environment-too-long",
            QT_TRANSLATE_NOOP("Sentences", "The environment of the task is longer than the system allows.")},

        {"host.agent-died", QT_TRANSLATE_NOOP("Sentences", "The helper on the host ended: {message}")},
        {"host.agent-does-not-run",
            QT_TRANSLATE_NOOP("Sentences", "The helper does not run on {host} (machine {machine}).")},
        {"host.agent-gone",
            QT_TRANSLATE_NOOP("Sentences",
                "The helper that was copied to {host} is gone at once. Does something remove "
                "it?")},
        {"host.agent-not-started", QT_TRANSLATE_NOOP("Sentences", "The helper could not be started: {message}")},
        {"host.agent-version", QT_TRANSLATE_NOOP("Sentences", "The helper on the host has another version.")},
        {"host.bad-frame", QT_TRANSLATE_NOOP("Sentences", "The helper on the host said something not understood.")},
        {"host.bad-name",
            QT_TRANSLATE_NOOP("Sentences", "'{name}' is no name for a host: letters, digits, '-', '.' and '_' are.")},
        {"host.bad-target",
            QT_TRANSLATE_NOOP("Sentences",
                "'{target}' is no target for ssh. Give user@host, or a name of your ssh "
                "configuration.")},
        {"host.cut", QT_TRANSLATE_NOOP("Sentences", "The connection to the host was cut; its tasks run on.")},
        {"host.exists", QT_TRANSLATE_NOOP("Sentences", "There is a host {host} already.")},
        {"host.gone", QT_TRANSLATE_NOOP("Sentences", "The connection to the host was lost.")},
        {"host.in-use", QT_TRANSLATE_NOOP("Sentences", "{host} runs tasks of these jobs: {jobs}. Stop them first.")},
        {"host.key-changed",
            QT_TRANSLATE_NOOP("Sentences",
                "The key of {host} has changed. If you know why, remove the old one with "
                "'ssh-keygen -R' and log in once with ssh.")},
        {"host.key-unknown",
            QT_TRANSLATE_NOOP("Sentences", "The key of {host} is not known yet. Log in once with 'ssh {host}'.")},
        {"host.local", QT_TRANSLATE_NOOP("Sentences", "This computer cannot be removed.")},
        {"host.name-unknown", QT_TRANSLATE_NOOP("Sentences", "No computer is called {host}.")},
        {"host.needs-login",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} wants a password or another key. See that 'ssh {host}' works without "
                "a question, for instance with ssh-copy-id.")},
        {"host.no-answer", QT_TRANSLATE_NOOP("Sentences", "The host does not answer.")},
        {"host.no-inventory", QT_TRANSLATE_NOOP("Sentences", "The host did not say what it has.")},
        {"host.removed", QT_TRANSLATE_NOOP("Sentences", "The host {host} was removed while the task ran there.")},
        {"host.shell-failed",
            QT_TRANSLATE_NOOP("Sentences",
                "The login on {host} works, but commands fail there with status {status}: "
                "{message}")},
        {"host.ssh-config", QT_TRANSLATE_NOOP("Sentences", "ssh does not accept its configuration: {message}")},
        {"host.ssh-failed", QT_TRANSLATE_NOOP("Sentences", "ssh could not connect to {host}: {message}")},
        {"host.ssh-missing", QT_TRANSLATE_NOOP("Sentences", "The program ssh cannot be started: {message}")},
        {"host.unknown", QT_TRANSLATE_NOOP("Sentences", "There is no host {host}.")},
        {"host.unreachable", QT_TRANSLATE_NOOP("Sentences", "{host} cannot be reached: {message}")},
    };
    return rows;
}

} // namespace trainyard::sentences
