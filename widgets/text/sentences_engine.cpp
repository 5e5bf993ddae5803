// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

std::span<const SentenceRow> engine()
{
    static const SentenceRow rows[] = {
        {"assistant.decided",
            QT_TRANSLATE_NOOP("Sentences", "The proposal {id} does not wait for an approval any more: {state}.")},
        {"assistant.expired", QT_TRANSLATE_NOOP("Sentences", "The proposal {id} has expired. Propose the job again.")},
        {"assistant.not-approved",
            QT_TRANSLATE_NOOP("Sentences",
                "Nobody has approved the proposal {id} yet. The user can do that in the window or with 'trainyardctl "
                "approvals approve {id}'.")},
        {"assistant.not-one", QT_TRANSLATE_NOOP("Sentences", "Only the server of an assistant can ask for that.")},
        {"assistant.not-yours",
            QT_TRANSLATE_NOOP("Sentences", "An assistant can propose to stop only the jobs that it has submitted.")},
        {"assistant.off",
            QT_TRANSLATE_NOOP("Sentences",
                "Assistants may submit nothing. The user can allow it with 'trainyardctl settings "
                "assistants.submit ask'.")},
        {"assistant.over-gpus",
            QT_TRANSLATE_NOOP("Sentences",
                "The jobs of assistants may ask for {most} GPUs at a time (assistants.maxGpus). They have {used}, and "
                "this job wants {wanted}.")},
        {"assistant.over-jobs",
            QT_TRANSLATE_NOOP(
                "Sentences", "Assistants may have {most} jobs at a time (assistants.maxJobs), and have {used}.")},
        {"assistant.refused", QT_TRANSLATE_NOOP("Sentences", "The user has refused the proposal {id}.")},
        {"assistant.secrets-given",
            QT_TRANSLATE_NOOP(
                "Sentences", "An assistant cannot give the values of secrets. The user gives them with the approval.")},
        {"assistant.too-fast",
            QT_TRANSLATE_NOOP(
                "Sentences", "There were {most} proposals in a minute, which is the most. Wait before the next one.")},
        {"assistant.too-long",
            QT_TRANSLATE_NOOP("Sentences", "The proposed job is longer than {most} bytes, or its parameters are.")},
        {"assistant.too-many",
            QT_TRANSLATE_NOOP("Sentences",
                "{most} proposals wait already, which is the most. Wait until the user has decided about them.")},
        {"assistant.unknown", QT_TRANSLATE_NOOP("Sentences", "There is no proposal {id}.")},
        {"assistant.used",
            QT_TRANSLATE_NOOP(
                "Sentences", "The proposal {id} is done already. An approval is good for one submission.")},
        {"assistant.wrong-digest",
            QT_TRANSLATE_NOOP(
                "Sentences", "The digest is not that of the proposal {id}: what was shown is not what is asked for.")},
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
            QT_TRANSLATE_NOOP(
                "Sentences", "The engine was stopped. Running tasks continue; the next start finds them.")},

        {"rpc.failed", QT_TRANSLATE_NOOP("Sentences", "The engine could not do that.")},
        {"rpc.hello-first", QT_TRANSLATE_NOOP("Sentences", "The engine received a request before the greeting.")},
        {"rpc.reads-only",
            QT_TRANSLATE_NOOP("Sentences", "This connection only reads: the engine changes nothing for it.")},
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
                "The socket's path {path} has {bytes} bytes, but only {limit} are possible. Set XDG_RUNTIME_DIR to a "
                "shorter folder.")},
        {"folder.cannot-make", QT_TRANSLATE_NOOP("Sentences", "Cannot make the folder {folder}: {message}")},
        {"folder.cannot-write",
            QT_TRANSLATE_NOOP("Sentences",
                "The folder {folder}, in which the engine keeps its jobs, cannot be written to: {message}")},
        {"folder.not-private",
            QT_TRANSLATE_NOOP("Sentences",
                "{folder} must be a folder that only you can enter, but it is not. Remove it, or make it yours (chown, "
                "chmod 700); to use another place, set XDG_RUNTIME_DIR to a folder of your own.")},
        {"folder.taken",
            QT_TRANSLATE_NOOP("Sentences",
                "{folder} belongs to another user, so nothing private can be kept there. Only that user or an "
                "administrator can remove it. Until then, set XDG_RUNTIME_DIR and XDG_STATE_HOME to folders of your "
                "own on a local disk.")},
        {"settings.bad-value", QT_TRANSLATE_NOOP("Sentences", "This is not a valid value of {key}. {help}")},
        {"settings.bad-value.int",
            QT_TRANSLATE_NOOP("Sentences", "{key} must be a whole number from {min} to {max}. {help}")},
        {"settings.bad-value.bool",
            QT_TRANSLATE_NOOP("Sentences", "{key} is true or false; '{wrong}' is neither. {help}")},
        {"settings.bad-value.word",
            QT_TRANSLATE_NOOP("Sentences", "'{wrong}' is no value of {key}. Its values are: {values}. {help}")},
        {"settings.bad-value.items",
            QT_TRANSLATE_NOOP("Sentences",
                "'{wrong}' cannot stand in the list {key}. It takes any of these, with blanks or commas between them: "
                "{values}. {help}")},
        {"settings.bad-value.item", QT_TRANSLATE_NOOP("Sentences", "'{wrong}' cannot stand in the list {key}. {help}")},
        {"settings.reversed",
            QT_TRANSLATE_NOOP("Sentences",
                "{low} ({lowValue}) must not be larger than {high} ({highValue}). To move both, begin with the one "
                "that "
                "widens the range.")},
        {"settings.reversed-in-file",
            QT_TRANSLATE_NOOP("Sentences",
                "In {file}, {low} ({lowValue}) is larger than {high} ({highValue}), so there is nothing between them. "
                "Correct one of the two.")},
        {"settings.cannot-write", QT_TRANSLATE_NOOP("Sentences", "Cannot write the settings {file}: {message}")},
        {"settings.unknown", QT_TRANSLATE_NOOP("Sentences", "There is no setting {key}.")},
        {"settings.broken",
            QT_TRANSLATE_NOOP("Sentences",
                "Cannot read the settings {file}: {message}. The engine keeps the previous settings, and uses the "
                "defaults after its next start. Fix the file, or move it away.")},
        {"settings.ignored-int",
            QT_TRANSLATE_NOOP("Sentences",
                "The setting {key} in {file} must be a whole number from {min} to {max}. Until it is, the default "
                "{default} is used.")},
        {"settings.ignored-bool",
            QT_TRANSLATE_NOOP("Sentences",
                "The setting {key} in {file} must be true or false. Until it is, the default {default} is used.")},
        {"settings.ignored-list",
            QT_TRANSLATE_NOOP("Sentences",
                "The setting {key} in {file} is not a list, or contains an invalid item; the default is used. Its "
                "meaning: {help}")},
        {"settings.ignored-text",
            QT_TRANSLATE_NOOP("Sentences",
                "The setting {key} in {file} must be a text in quotation marks; the default is used. Its meaning: "
                "{help}")},
        {"settings.misspelt",
            QT_TRANSLATE_NOOP("Sentences",
                "There is no setting {key}, so the entry in {file} has no effect. Did you mean {similar}?")},
        {"settings.unreadable", QT_TRANSLATE_NOOP("Sentences", "Cannot read the settings {file}: {message}")},
        {"exitrules.not-used", QT_TRANSLATE_NOOP("Sentences", "Your exit rules in {file} are not used. {why}")},
        {"hosts.unreadable",
            QT_TRANSLATE_NOOP("Sentences",
                "Cannot read the list of hosts {file}: {message}. Fix the file; the engine does not start without it, "
                "since tasks may be running on these hosts.")},
        {"hosts.cannot-write", QT_TRANSLATE_NOOP("Sentences", "Cannot write the list of hosts {file}: {message}.")},
        {"stop.host-unreachable",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} could not be reached for so long that the task was given up. It may still be running there.")},
        {"store.damaged",
            QT_TRANSLATE_NOOP(
                "Sentences", "The engine's store {path} is damaged: {detail}. Move it away to start over.")},
        {"store.newer",
            QT_TRANSLATE_NOOP("Sentences",
                "The engine's store {path} was written by a newer version. Start the newer program, or move the file "
                "away to start over.")},
        {"store.full",
            QT_TRANSLATE_NOOP("Sentences",
                "The disk of the state folder {folder} is full, so the engine cannot write this down and does not do "
                "it. Free at least {neededMiB} MiB there, then try again. Running tasks continue.")},
        {"store.no-room",
            QT_TRANSLATE_NOOP(
                "Sentences", "The disk of the engine's store {path} is full. Free some space there, then try again.")},
        {"store.no-driver",
            QT_TRANSLATE_NOOP("Sentences",
                "The engine's store {path} cannot be opened, because Qt's driver for SQLite is not installed. Install "
                "it (on Debian and Ubuntu the package libqt6sql6-sqlite), then try again.")},
        {"store.open",
            QT_TRANSLATE_NOOP("Sentences",
                "Cannot open the engine's store {path}: {detail}. Make the file readable and writable for you, or move "
                "it away to start over.")},
        {"store.write",
            QT_TRANSLATE_NOOP("Sentences",
                "Cannot write the engine's store {path}: {detail}. Is the disk "
                "full?")},

        {"store.write-unsure",
            QT_TRANSLATE_NOOP("Sentences",
                "Cannot write the engine's store {path}: {detail}. The job {name} is refused, but if the engine is "
                "restarted before it can write again, the job may be found there and run. Is the disk full? Look at "
                "'trainyardctl ps' before you submit it again.")},

        {"submit.bad-key",
            QT_TRANSLATE_NOOP("Sentences", "The key of a submission may have at most {most} characters.")},
        {"submit.known",
            QT_TRANSLATE_NOOP("Sentences", "Job #{job} ({name}) was already submitted with the key '{key}'.")},
        {"submit.other-job",
            QT_TRANSLATE_NOOP("Sentences",
                "The key '{key}' belongs to job #{job} ({name}), which was submitted with another text or other "
                "parameters. Use another key, or remove that job.")},
        {"rehearsal.not-one",
            QT_TRANSLATE_NOOP("Sentences",
                "#{job} {name} is no rehearsal. 'trainyardctl rehearse FILE' makes one, and it can then be submitted "
                "elsewhere.")},
        {"job.active", QT_TRANSLATE_NOOP("Sentences", "The job is still active. Stop it first.")},
        {"job.ambiguous", QT_TRANSLATE_NOOP("Sentences", "Several jobs begin with {job}. Give more of the UUID.")},
        {"job.bad-name",
            QT_TRANSLATE_NOOP("Sentences",
                "'{name}' is not a valid job name: use English letters, digits, '_' and '-' only, at most 255 "
                "characters.")},
        {"job.host-out-of-reach",
            QT_TRANSLATE_NOOP(
                "Sentences", "{host} cannot be reached at the moment; tasks there may still be running.")},
        {"job.helper-begins",
            QT_TRANSLATE_NOOP("Sentences", "The engine looks for its tasks on this computer, which run on meanwhile.")},
        {"job.invalid", QT_TRANSLATE_NOOP("Sentences", "The job has errors and was not accepted.")},
        {"job.role-missing", QT_TRANSLATE_NOOP("Sentences", "The job has no task role {role}.")},
        {"job.container-image",
            QT_TRANSLATE_NOOP("Sentences",
                "The task role {role} names no image, so it cannot run in {runIn}. Give it a dockerImage, or run the "
                "job in the host's shell.")},
        {"job.run-in-unknown",
            QT_TRANSLATE_NOOP("Sentences", "Unknown runtime '{runIn}'; use host, podman, docker or apptainer.")},
        {"job.runtime-missing",
            QT_TRANSLATE_NOOP(
                "Sentences", "{runIn} was not found on {host}. Install it there, or run the job in the host's shell.")},
        {"job.runtime-missing-everywhere",
            QT_TRANSLATE_NOOP(
                "Sentences", "{runIn} was not found on any host. Install it, or run the job in the host's shell.")},
        {"job.secrets-missing", QT_TRANSLATE_NOOP("Sentences", "The job needs values for these secrets: {names}.")},
        {"job.target-absent",
            QT_TRANSLATE_NOOP("Sentences",
                "The job runs on the target '{target}', which this version of Trainyard does not have, so nothing new "
                "is known about it. Start the version that has it.")},
        {"job.unknown", QT_TRANSLATE_NOOP("Sentences", "There is no job {job}.")},
        {"job.unreadable", QT_TRANSLATE_NOOP("Sentences", "The job's stored text cannot be read.")},
        {"job.work-no-folder",
            QT_TRANSLATE_NOOP(
                "Sentences", "The work folder {folder} is a file. Give the folder in which the commands run.")},
        {"job.work-own",
            QT_TRANSLATE_NOOP("Sentences",
                "The work folder {folder} is in {own}, where Trainyard keeps its own files. Tasks could damage them. "
                "Give another folder.")},
        {"work.copied",
            QT_TRANSLATE_NOOP("Sentences",
                "A copy of the folder {folder} goes along to {host}, without what git ignores; if {host} has the same "
                "folder by a shared file system, the tasks work in the folder itself. 'trainyardctl code {folder}' "
                "lists its files.")},
        {"work.copied-anywhere",
            QT_TRANSLATE_NOOP("Sentences",
                "A copy of the folder {folder} goes along to other hosts, without what git ignores; where a host has "
                "the same folder by a shared file system, the tasks work in the folder itself. 'trainyardctl code "
                "{folder}' lists its files.")},
        {"work.stays",
            QT_TRANSLATE_NOOP("Sentences",
                "The folder {folder} is not copied to {host}: tasks there find its files only if they are already "
                "there.")},
        {"work.stays-anywhere",
            QT_TRANSLATE_NOOP("Sentences",
                "The folder {folder} is not copied to other hosts: tasks that run there find its files only if they "
                "are already there.")},
        {"job.work-missing", QT_TRANSLATE_NOOP("Sentences", "The work folder {folder} does not exist.")},
        {"job.work-relative",
            QT_TRANSLATE_NOOP("Sentences",
                "The work folder {folder} is relative, and the job does not come from a file. Give a path that begins "
                "with /.")},
        {"task.not-started",
            QT_TRANSLATE_NOOP("Sentences", "The task {task} has not been started, so it has no files.")},
        {"task.unknown", QT_TRANSLATE_NOOP("Sentences", "The job has no task {task}, or no such try of it.")},
        {"target.unknown",
            QT_TRANSLATE_NOOP(
                "Sentences", "There is no target '{target}'. Name a host, 'any', or one of these targets: {known}.")},
        {"target.no-documents",
            QT_TRANSLATE_NOOP("Sentences",
                "{target} does not keep the documents of jobs, so that there is nothing to open. Clusters of OpenPAI "
                "do.")},
        {"target.absent",
            QT_TRANSLATE_NOOP("Sentences",
                "The job belongs to the target '{target}', which this version of Trainyard does not have. Run it again "
                "with the version that has it, or submit it anew to another target.")},

        {"refuse.runtime",
            QT_TRANSLATE_NOOP("Sentences",
                "{runIn} was not found on any host where the job may run, and the settings want tasks with an image to "
                "run in it. Install it, or run the job in the host's shell.")},
        {"refuse.host", QT_TRANSLATE_NOOP("Sentences", "There is no host {host}.")},
        {"refuse.hosts",
            QT_TRANSLATE_NOOP("Sentences", "No host is as the job asks for {role} (extras.trainyard.hosts).")},
        {"refuse.hosts.names",
            QT_TRANSLATE_NOOP("Sentences",
                "Tasks of {role} may run on {names} only, and there is no such host. Add it with 'trainyardctl hosts "
                "add', or change extras.trainyard.hosts.")},
        {"refuse.hosts.labels",
            QT_TRANSLATE_NOOP("Sentences",
                "No host on which tasks of {role} may run has the label {missing}. Give a host this label with "
                "'trainyardctl hosts label HOST WORD', or change extras.trainyard.hosts.")},
        {"refuse.hosts.both",
            QT_TRANSLATE_NOOP("Sentences",
                "No host on which tasks of {role} may run has all of the labels {labels}. Give a host all of them with "
                "'trainyardctl hosts label HOST WORD', or change extras.trainyard.hosts.")},
        {"refuse.hosts.target",
            QT_TRANSLATE_NOOP("Sentences",
                "The job was submitted for {host}, and tasks of {role} may not run there (extras.trainyard.hosts). "
                "Choose another host, or change what the job asks for.")},
        {"refuse.same-host",
            QT_TRANSLATE_NOOP("Sentences",
                "{tasks|task|tasks} of {role} must run on one host; the most that one host can have is {most} "
                "({host}). Ask for less, or remove same-host (extras.trainyard.hosts).")},
        {"refuse.different-hosts",
            QT_TRANSLATE_NOOP("Sentences",
                "{tasks|task|tasks} of {role} must each have a host of its own, and {hosts|host|hosts} can have one. "
                "Use more hosts, or remove different-hosts (extras.trainyard.hosts).")},
        {"refuse.hosts-together",
            QT_TRANSLATE_NOOP("Sentences",
                "All tasks must start together, and the hosts that extras.trainyard.hosts allows have no room for all "
                "of them. Allow more hosts, ask for less, or set gangAllocation to false.")},
        {"refuse.hosts-together.role",
            QT_TRANSLATE_NOOP("Sentences",
                "All tasks must start together, and the hosts on which tasks of {role} may run "
                "(extras.trainyard.hosts) have no room for all of these. Allow more hosts, ask for less, or set "
                "gangAllocation to false.")},
        {"refuse.gpu",
            QT_TRANSLATE_NOOP("Sentences",
                "A task of {role} asks for {wanted|GPU|GPUs}; the most that one host has is {most} "
                "({host}). Ask for fewer.")},
        {"refuse.gpu.none",
            QT_TRANSLATE_NOOP("Sentences",
                "A task of {role} asks for {wanted|GPU|GPUs}, but no host on which the job may run has a GPU. Set gpu "
                "to "
                "0 if it can do without, or add a host that has one.")},
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
        {"secrets.in-parameter",
            QT_TRANSLATE_NOOP("Sentences",
                "The parameter {parameter} has the value of the secret {secret}. Parameters are stored in clear; use "
                "<% $secrets.{secret} %> in the commands instead.")},
        {"secrets.given-short",
            QT_TRANSLATE_NOOP("Sentences",
                "Values with fewer than {shortest} bytes are not masked in output and logs. This applies to: "
                "{names}.")},
        {"cpu.more-than-there",
            QT_TRANSLATE_NOOP("Sentences",
                "{role} asks for {wanted} CPU cores, but {host} has {most|core|cores}; its tasks share them.")},
        {"cpu.more-than-there-together",
            QT_TRANSLATE_NOOP("Sentences",
                "The tasks of this job share {most|CPU core|CPU cores}, but together they ask for {wanted}.")},
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
        {"ports.no-range",
            QT_TRANSLATE_NOOP("Sentences",
                "No task can get a port: the setting ports.first ({first}) is larger than ports.last ({last}). Correct "
                "one of the two.")},
        {"ports.fixed-held",
            QT_TRANSLATE_NOOP("Sentences",
                "Port {port} on {host}, which the job fixes for '{label}', is in use by another task. Wait until that "
                "task ends, or remove the number (extras.trainyard.legacy.roles) so that the engine chooses one.")},
        {"ports.fixed-busy",
            QT_TRANSLATE_NOOP("Sentences",
                "Port {port} on {host}, which the job fixes for '{label}', is in use by another program. End that "
                "program, or remove the number (extras.trainyard.legacy.roles) so that the engine chooses one.")},
        {"ports.fixed-twice",
            QT_TRANSLATE_NOOP("Sentences",
                "Two tasks on {host} cannot both have the port {port}, which the job fixes for '{label}'. Remove the "
                "number (extras.trainyard.legacy.roles) so that the engine chooses, or use more hosts.")},
        {"ports.fixed-range",
            QT_TRANSLATE_NOOP("Sentences",
                "The ports that the job fixes for '{label}' begin at {port} and go beyond 65535, the last there is.")},
        {"ports.busy", QT_TRANSLATE_NOOP("Sentences", "The chosen ports are repeatedly in use by other programs.")},
        {"forward.bad-port",
            QT_TRANSLATE_NOOP("Sentences", "{port} is not a port. Ports are numbers from 1 to 65535.")},
        {"forward.busy",
            QT_TRANSLATE_NOOP("Sentences",
                "Port {port} of this computer is in use by another program. Choose another one, or none, so that the "
                "next free one is taken.")},
        {"forward.cannot-listen",
            QT_TRANSLATE_NOOP("Sentences", "Nothing can listen on port {port} of this computer: {message}")},
        {"forward.denied",
            QT_TRANSLATE_NOOP(
                "Sentences", "Port {port} of this computer is reserved for the system. Choose one from 1024 on.")},
        {"forward.failed",
            QT_TRANSLATE_NOOP(
                "Sentences", "The connection to port {port} on {host} could not be made. Try again in a moment.")},
        {"forward.host-away",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} cannot be reached at the moment. The port stays forwarded; reload as soon as the host is "
                "back.")},
        {"forward.none-free",
            QT_TRANSLATE_NOOP("Sentences", "This computer has no free port for port {port} of the host.")},
        {"forward.not-running",
            QT_TRANSLATE_NOOP("Sentences", "The task {task} is not running, so none of its ports can be forwarded.")},
        {"forward.refused",
            QT_TRANSLATE_NOOP("Sentences",
                "Nothing listens on port {port} on {host}. The program may still be starting, or may have ended.")},
        {"forward.too-many",
            QT_TRANSLATE_NOOP(
                "Sentences", "{most} ports are forwarded already, which is the most. Stop some of them.")},

        {"wait.gpu", QT_TRANSLATE_NOOP("Sentences", "Waits for GPUs: {wanted} wanted, {free} free of {total}.")},
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
        {"stop.not-ended", QT_TRANSLATE_NOOP("Sentences", "The task could not be ended and may still be running.")},
        {"wait.gpu-memory",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for GPU memory: {wantedMiB} MiB of one GPU wanted, {freeMiB} MiB is the most that one GPU has "
                "left.")},
        {"wait.gpu-memory.many",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for GPU memory: {wantedMiB} MiB on each of {wanted} GPUs of one host wanted, {have|GPU has|GPUs "
                "have} this much left.")},
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
                "The disk of {host} is nearly full: no task starts there while less than {wantedMiB} MiB are free. "
                "Free some space, or lower the setting disk.holdMiB.")},
        {"wait.drained",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for {host}, which is drained: nothing new starts there. Open it again on the page Hosts, or "
                "with 'trainyardctl hosts drain HOST --off'.")},
        {"wait.closed",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for {host}, where nothing new starts before {until}: its closed hours are {hours}.")},
        {"wait.quarantine",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for {host}, which is in quarantine: {failures|task|tasks} in a row failed there because of the "
                "machine. The page Hosts and 'trainyardctl hosts show' tell which; release it there, or with "
                "'trainyardctl hosts release HOST'.")},
        {"wait.peers",
            QT_TRANSLATE_NOOP("Sentences",
                "Its tasks talk to each other, and {host} does not reach {other} at {address}. Open the way between "
                "the "
                "hosts (firewall, network), or say by which address {other} is reached: 'trainyardctl hosts address "
                "{other} ADDRESS'. It is tried again each minute.")},
        {"wait.peers.alone",
            QT_TRANSLATE_NOOP("Sentences",
                "Its tasks talk to each other, {host} does not reach {other} at {address}, and no other hosts fit. "
                "Open the way between the hosts (firewall, network), or say by which address {other} is reached: "
                "'trainyardctl hosts address {other} ADDRESS'. It is tried again {minutes|minute|minutes} after the "
                "last time, and at once after 'trainyardctl hosts check {other}'.")},
        {"wait.peers.others-busy",
            QT_TRANSLATE_NOOP("Sentences",
                "Its tasks talk to each other, {host} does not reach {other} at {address}, and the other hosts that "
                "fit have no room now. Wait until they have, open the way between the hosts (firewall, network), or "
                "say by which address {other} is reached: 'trainyardctl hosts address {other} ADDRESS'.")},
        {"wait.peer-interface",
            QT_TRANSLATE_NOOP("Sentences",
                "Other hosts are to reach {host} by its interface {interface}, which has no address now. Set it up, or "
                "choose another one: 'trainyardctl hosts address {host} auto'.")},
        {"wait.hosts",
            QT_TRANSLATE_NOOP(
                "Sentences", "Waits for hosts on which tasks of {role} may run (extras.trainyard.hosts).")},
        {"wait.hosts.names",
            QT_TRANSLATE_NOOP(
                "Sentences", "Waits for the hosts on which tasks of {role} may run: {names}. Others would have room.")},
        {"wait.hosts.labels",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for a host with the labels that {role} asks for: {labels}. Others would have room.")},
        {"wait.hosts.same-host",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for one host with room for {tasks|task|tasks} of {role}, which must run on the same host.")},
        {"wait.hosts.different-hosts",
            QT_TRANSLATE_NOOP(
                "Sentences", "Waits until {tasks|task|tasks} of {role} can each have a host of its own.")},
        {"wait.hosts.away",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for the hosts on which tasks of {role} may run: there is no connection to {away} at the "
                "moment.")},
        {"disk.low",
            QT_TRANSLATE_NOOP("Sentences", "The disk of {host} has only {freeMiB} MiB left for the output of tasks.")},
        {"wait.runtime",
            QT_TRANSLATE_NOOP("Sentences", "Waits for a host with {runIn}: none that can be reached has it.")},
        {"wait.port",
            QT_TRANSLATE_NOOP(
                "Sentences", "Waits for port {port} on {host}, which the job fixes and a task of job #{job} uses.")},
        {"wait.host.here", QT_TRANSLATE_NOOP("Sentences", "Waits until the engine has begun on this computer.")},
        {"wait.host.named",
            QT_TRANSLATE_NOOP("Sentences", "Waits for {host}, to which there is no connection at the moment.")},
        {"wait.host", QT_TRANSLATE_NOOP("Sentences", "Waits for a host that can be reached.")},
        {"wait.target",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for the target '{target}', which this version of Trainyard does not have. Start the version "
                "that "
                "has it, or stop the job.")},
        {"wait.parallel",
            QT_TRANSLATE_NOOP("Sentences",
                "Only {limit|task|tasks} of the job may run at the same time (setting tasks.maxParallel); the others "
                "wait.")},
        {"wait.queue", QT_TRANSLATE_NOOP("Sentences", "Waits for its turn behind {ahead} jobs, first #{job}.")},
        {"wait.queue.one", QT_TRANSLATE_NOOP("Sentences", "Waits for its turn behind #{job}.")},
        {"wait.queue-far", QT_TRANSLATE_NOOP("Sentences", "Waits for its turn behind more than {ahead} jobs.")},

        {"wait.retry",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits to try again ({number} of {limit}), in {in}, because the attempt ended with exit code {exit}.")},
        {"wait.retry.task",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits to try again ({number} of {limit}), in {in}, because {role}/{index} ended with exit code "
                "{exit}.")},
        {"wait.retry.endless",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits to try again (retry {number}), in {in}, because the attempt ended with exit code {exit}.")},
        {"wait.retry.task.endless",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits to try again (retry {number}), in {in}, because {role}/{index} ended with exit code {exit}.")},
        {"wait.retry.start", QT_TRANSLATE_NOOP("Sentences", "It is tried again ({number} of {limit}) in {in}.")},
        {"wait.retry.start.endless", QT_TRANSLATE_NOOP("Sentences", "It is tried again (retry {number}) in {in}.")},
        {"wait.retry.free",
            QT_TRANSLATE_NOOP("Sentences",
                "After a failure of this kind the job is retried even if it has no retries. Stop the job to give "
                "up.")},
        {"wait.after",
            QT_TRANSLATE_NOOP(
                "Sentences", "Waits until job #{job} ({name}) has succeeded. If it does not, this one fails.")},
        {"wait.after-end", QT_TRANSLATE_NOOP("Sentences", "Waits until job #{job} ({name}) has ended.")},
        {"wait.paused",
            QT_TRANSLATE_NOOP("Sentences", "Paused before its tasks were started. Resume it to let it run.")},
        {"job.paused",
            QT_TRANSLATE_NOOP("Sentences",
                "Paused. Its processes are stopped and keep their memory, GPU memory included. Resume or stop it.")},
        {"task.kept",
            QT_TRANSLATE_NOOP("Sentences",
                "{role}/{index} ended with status {status} and is kept for inspection for another {in}. Open a shell "
                "in it, or release it.")},
        {"after.failed",
            QT_TRANSLATE_NOOP("Sentences", "Job #{job} ({name}), which this job depends on, ended as {state}.")},
        {"after.gone",
            QT_TRANSLATE_NOOP("Sentences",
                "Job #{job} ({name}), which this job depends on, no longer exists; how it ended is not known.")},
        {"after.unknown",
            QT_TRANSLATE_NOOP(
                "Sentences", "There is no job {job} to depend on. Give the number, UUID or name of a submitted job.")},
        {"after.bad-condition",
            QT_TRANSLATE_NOOP("Sentences",
                "A job cannot wait for '{condition}' of another one, only for its success ({job}, or {job}:succeeded) "
                "or "
                "its end ({job}:ended).")},
        {"limit.time",
            QT_TRANSLATE_NOOP("Sentences",
                "The job ran for {seconds|second|seconds}, which is its time limit. Raise limits.timeSeconds, or make "
                "the job faster.")},
        {"retry.other-tasks",
            QT_TRANSLATE_NOOP("Sentences",
                "The edited job has other tasks ({now}, was {was}), so the results of the old ones cannot be kept. Run "
                "it as a new job.")},
        {"job.minFailed", QT_TRANSLATE_NOOP("Sentences", "{role}/{index} failed: {exit}.")},
        {"job.minFailed.many",
            QT_TRANSLATE_NOOP("Sentences",
                "{count} tasks of {role} failed, which ends the job. The last was {role}/{index}: {exit}.")},
        {"job.completedTasks",
            QT_TRANSLATE_NOOP("Sentences",
                "{count|task has|tasks have} ended, which ends the job. The last was {role}/{index}: {exit}.")},
        {"job.startFailed", QT_TRANSLATE_NOOP("Sentences", "The tasks could not be started (code {code}).")},
        {"question.unknown",
            QT_TRANSLATE_NOOP("Sentences", "This question has already been answered, or is no longer asked.")},
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
        {"host.restarted",
            QT_TRANSLATE_NOOP(
                "Sentences", "The host was restarted while the task ran, so how the task ended is not known.")},
        {"oom.limit",
            QT_TRANSLATE_NOOP(
                "Sentences", "The task needed more memory than it asked for. Ask for more, or use less.")},
        {"oom.host",
            QT_TRANSLATE_NOOP(
                "Sentences", "The host ran out of memory and ended the task. Ask for more, or run less at once.")},
        {"launch.failed", QT_TRANSLATE_NOOP("Sentences", "The task could not be started.")},
        {"await.failed",
            QT_TRANSLATE_NOOP("Sentences", "The host cannot open a port on which others could try to reach it.")},
        {"reach.malformed", QT_TRANSLATE_NOOP("Sentences", "The helper was asked to try an address that is none.")},
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
        {"stop.disk-full",
            QT_TRANSLATE_NOOP("Sentences",
                "The disk of {host} is full, so the last output of its tasks and their results cannot be written "
                "there. Free some space, and the job ends.")},
        {"task.disk-full",
            QT_TRANSLATE_NOOP("Sentences",
                "The disk of {host} is full. The tasks wait with their output, and nothing of it is lost: free some "
                "space, and they continue.")},
        {"launch.pulling", QT_TRANSLATE_NOOP("Sentences", "The image {image} is being fetched. {detail}")},
        {"launch.copying", QT_TRANSLATE_NOOP("Sentences", "The folder {folder} is being copied to {host}.")},
        {"launch.copying.part",
            QT_TRANSLATE_NOOP("Sentences", "The folder {folder} is being copied to {host}: {part} of {all}.")},
        {"checkpoints.copying",
            QT_TRANSLATE_NOOP("Sentences", "The checkpoints are being copied from {from} to {host}.")},
        {"checkpoints.copying.part",
            QT_TRANSLATE_NOOP("Sentences", "The checkpoints are being copied from {from} to {host}: {part} of {all}.")},
        {"checkpoints.waiting",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for {from}, which has the checkpoints and cannot be reached. Without them it begins on {host} "
                "in {minutes} min (setting checkpoints.waitMinutes).")},
        {"checkpoints.left",
            QT_TRANSLATE_NOOP("Sentences",
                "It began without its checkpoints, because {host} could not be reached. They are still in {folder} "
                "there.")},
        {"checkpoints.left-removed",
            QT_TRANSLATE_NOOP("Sentences",
                "It began without its checkpoints, because the host {host}, which has them in {folder}, was removed "
                "from the list of hosts.")},
        {"checkpoints.left-missing",
            QT_TRANSLATE_NOOP("Sentences",
                "It began without its checkpoints, because their folder {folder} on {host} is not there any more.")},
        {"checkpoints.too-big",
            QT_TRANSLATE_NOOP("Sentences",
                "The checkpoints on {from} are too large to be copied to {host}: {size}, and the setting "
                "checkpoints.maxGiB allows {limit}. Raise it, or set it to 0 to begin without them.")},
        {"checkpoints.too-many",
            QT_TRANSLATE_NOOP("Sentences",
                "The checkpoints on {from} are more than {most} files, so they are not copied to {host}. Remove what "
                "the task does not need, or set checkpoints.maxGiB to 0 to begin without them.")},
        {"checkpoints.no-room",
            QT_TRANSLATE_NOOP("Sentences",
                "The checkpoints on {from} do not fit on the disk of {host}. Free some space for {folder}, or choose "
                "another host.")},
        {"checkpoints.unreadable",
            QT_TRANSLATE_NOOP("Sentences",
                "The checkpoints could not be copied to {host}, because {from} cannot read {path}: {reason}")},
        {"checkpoints.unwritable",
            QT_TRANSLATE_NOOP("Sentences",
                "The checkpoints of {from} could not be copied, because {host} cannot write {path}: {reason}")},
        {"checkpoints.host-failed",
            QT_TRANSLATE_NOOP("Sentences",
                "The checkpoints could not be copied from {from} to {host}, because {path} was not answered for: "
                "{reason}")},
        {"data.reading",
            QT_TRANSLATE_NOOP("Sentences",
                "The data {name} is being read on this computer, to see what of it {host} has: {part} so far. What was "
                "read once is not read again.")},
        {"data.queued", QT_TRANSLATE_NOOP("Sentences", "The data {name} waits for another copy to {host} to end.")},
        {"data.checking", QT_TRANSLATE_NOOP("Sentences", "The data {name} is being looked at on {host}.")},
        {"data.copying", QT_TRANSLATE_NOOP("Sentences", "The data {name} is being copied to {host}.")},
        {"data.copying.part",
            QT_TRANSLATE_NOOP("Sentences", "The data {name} is being copied to {host}: {part} of {all}.")},
        {"data.nowhere",
            QT_TRANSLATE_NOOP("Sentences",
                "The job does not say where {host} has the data {name}. Add the host or one of its labels to 'paths', "
                "or write in 'from' where the data is on this computer.")},
        {"data.relative",
            QT_TRANSLATE_NOOP("Sentences",
                "The path {path} of the data {name} begins nowhere, because the job has neither a file nor a work "
                "folder. Write the whole path.")},
        {"data.missing",
            QT_TRANSLATE_NOOP("Sentences",
                "The data {name} is not there: {path} does not exist on {on}. Correct the path in the job, or put the "
                "data there.")},
        {"data.unreadable", QT_TRANSLATE_NOOP("Sentences", "The data {name} cannot be read: {path} on {on}: {reason}")},
        {"data.link",
            QT_TRANSLATE_NOOP("Sentences",
                "The data {name} cannot be copied to {host}, because the link {path} leads out of it or nowhere. Name "
                "the folder with everything in it, or replace the link by what it leads to.")},
        {"data.odd-name",
            QT_TRANSLATE_NOOP("Sentences",
                "The data {name} cannot be copied to {host}, because the name of {path} is no text without control "
                "characters. Rename it.")},
        {"data.too-many",
            QT_TRANSLATE_NOOP("Sentences",
                "The data {name} has more than {most} files and cannot be copied to {host}. Pack {path} into archives, "
                "or put the data on the host yourself and name its path in 'paths'.")},
        {"data.cancelled", QT_TRANSLATE_NOOP("Sentences", "Reading {path} was cancelled.")},
        {"data.changes",
            QT_TRANSLATE_NOOP("Sentences",
                "The data {name} changed each time it was copied to {host}. Wait until nothing writes to {path}.")},
        {"data.wrong-sum",
            QT_TRANSLATE_NOOP("Sentences",
                "The data {name} is not what the job expects: {path} on {on} has the SHA-256 {sum}, and the job says "
                "{wanted}.")},
        {"data.too-big",
            QT_TRANSLATE_NOOP("Sentences",
                "The data {name} does not fit on {host}: {size} of it are to be copied, and the setting data.maxGiB "
                "allows {limit} of copies there, with those that are in use. Raise it, or put the data on the host "
                "yourself and name its path in 'paths'.")},
        {"data.no-room",
            QT_TRANSLATE_NOOP("Sentences",
                "The data {name} does not fit on the disk of {host}, even without the copies that no task uses. Free "
                "some space there, or choose another host.")},
        {"data.unwritable",
            QT_TRANSLATE_NOOP(
                "Sentences", "The data {name} could not be copied, because {host} cannot write {path}: {reason}")},
        {"data.host-failed",
            QT_TRANSLATE_NOOP("Sentences",
                "The data {name} could not be brought to {host}, because {path} was not answered for: {reason}")},
        {"code.folder-missing",
            QT_TRANSLATE_NOOP(
                "Sentences", "The work folder {folder} does not exist any more, so it cannot be copied.")},
        {"code.git-missing",
            QT_TRANSLATE_NOOP("Sentences",
                "The folder {folder} says in .gitignore or .trainyardignore which files stay here, and git, which "
                "reads that, is not installed. Install git.")},
        {"code.git-failed", QT_TRANSLATE_NOOP("Sentences", "git could not list the files of {folder}: {reason}")},
        {"code.slow",
            QT_TRANSLATE_NOOP("Sentences",
                "Listing the files of {folder} takes too long. Name large folders of data in .gitignore or "
                ".trainyardignore, or choose a smaller work folder.")},
        {"code.cancelled", QT_TRANSLATE_NOOP("Sentences", "Listing the files of {folder} was cancelled.")},
        {"code.unreadable",
            QT_TRANSLATE_NOOP("Sentences",
                "The file {file} cannot be read, or changes all the time, so the work folder cannot be copied. Name it "
                "in .trainyardignore if tasks do not need it.")},
        {"code.too-big",
            QT_TRANSLATE_NOOP("Sentences",
                "The folder {folder} is too large to be copied without a question: {size} in {files|file|files}, and "
                "up to "
                "{limit} in {limitFiles|file|files} are copied without one. The largest are {biggest}. Name what tasks "
                "do "
                "not need in .gitignore or .trainyardignore, or raise the setting code.maxMiB or code.maxFiles.")},
        {"code.asks",
            QT_TRANSLATE_NOOP("Sentences",
                "The work folder {folder} has {size} in {files|file|files}, and up to {limit} in "
                "{limitFiles|file|files} are "
                "copied without a question. The largest are {biggest}. The job waits for you to say whether the folder "
                "is copied to {host}.")},
        {"code.refused",
            QT_TRANSLATE_NOOP("Sentences",
                "You did not want the work folder {folder} copied: {size} in {files|file|files}, of which the largest "
                "are "
                "{biggest}. Name what tasks do not need in .gitignore or .trainyardignore, or raise the setting "
                "code.maxMiB or code.maxFiles, and run the job again.")},
        {"code.no-question",
            QT_TRANSLATE_NOOP("Sentences",
                "The job does not ask whether its work folder is copied: it was answered, or it went on.")},
        {"code.is-here",
            QT_TRANSLATE_NOOP("Sentences",
                "Jobs on this computer work in the folder itself, so nothing is copied. Name a host that is reached by "
                "ssh.")},
        {"code.host-away",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} is not connected, so nothing can be copied there. 'trainyardctl hosts check {host}' connects "
                "it.")},
        {"code.not-copied",
            QT_TRANSLATE_NOOP("Sentences",
                "The folder {folder} is never copied to other hosts, because it has your home folder, files of the "
                "system or files of Trainyard in it. Choose the folder of your project.")},
        {"code.changes",
            QT_TRANSLATE_NOOP("Sentences",
                "Files of {folder} changed each time they were copied. Wait until nothing writes there, or name the "
                "files in .trainyardignore.")},
        {"code.host-failed",
            QT_TRANSLATE_NOOP(
                "Sentences", "The work folder could not be copied, because the host cannot write {path}: {reason}")},
        {"launch.pull-failed",
            QT_TRANSLATE_NOOP(
                "Sentences", "The image could not be fetched, because its registry did not answer: {detail}")},
        {"launch.image-missing",
            QT_TRANSLATE_NOOP("Sentences",
                "There is no image {detail}. Check the name and the tag of the dockerimage prerequisite.")},
        {"launch.image-unauthorized",
            QT_TRANSLATE_NOOP("Sentences",
                "The registry gives the image {detail} only to those who log in, if it has it at all. Give the "
                "dockerimage prerequisite an auth with user name and password.")},
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
                "The monitor of the container {detail} (conmon) was ended from outside, so nobody knows how its task "
                "ended.")},
        {"launch.memory", QT_TRANSLATE_NOOP("Sentences", "The host had no memory left to start the task.")},
        {"launch.descriptors",
            QT_TRANSLATE_NOOP("Sentences", "The host had no file descriptors left to start the task.")},
        {"launch.processes", QT_TRANSLATE_NOOP("Sentences", "The host allows no more processes.")},
        {"launch.environment-too-long",
            QT_TRANSLATE_NOOP("Sentences", "The environment of the task is longer than the system allows.")},

        {"files.failed", QT_TRANSLATE_NOOP("Sentences", "The files on {host} cannot be looked through: {message}.")},
        {"files.silent",
            QT_TRANSLATE_NOOP("Sentences",
                "The files on {host} could not be looked through in time: a disk or a file server there does not "
                "answer, or there are very many. Try again later.")},
        {"host.agent-died", QT_TRANSLATE_NOOP("Sentences", "The helper on the host ended: {message}")},
        {"host.agent-cannot-run",
            QT_TRANSLATE_NOOP("Sentences",
                "The helper cannot be run on {host}: no folder there takes programs and lets them run. Set "
                "XDG_CACHE_HOME there to a folder that is not mounted with noexec, or ask the administrator for one.")},
        {"host.agent-does-not-run",
            QT_TRANSLATE_NOOP("Sentences", "The helper does not run on {host} (machine {machine}).")},
        {"host.agent-none",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} is a machine ({machine}) for which this Trainyard has no helper; it has one for {known}. "
                "Install "
                "a package of Trainyard that has it, or use another host.")},
        {"host.agent-no-room",
            QT_TRANSLATE_NOOP("Sentences",
                "The helper cannot be copied to {host}: {folder} has {freeMiB} MiB free, and {neededMiB} MiB are "
                "needed. Make room there.")},
        {"host.agent-not-written",
            QT_TRANSLATE_NOOP("Sentences", "The helper cannot be copied to {host}: {message}. Make room there.")},
        {"host.agent-gone",
            QT_TRANSLATE_NOOP("Sentences",
                "The helper that was copied to {host} disappeared at once. Check whether something removes it.")},
        {"host.agent-not-started", QT_TRANSLATE_NOOP("Sentences", "The helper could not be started: {message}")},
        {"host.agent-version", QT_TRANSLATE_NOOP("Sentences", "The helper on the host has another version.")},
        {"host.bad-frame",
            QT_TRANSLATE_NOOP("Sentences", "The helper on the host sent a message that cannot be understood.")},
        {"host.bad-label",
            QT_TRANSLATE_NOOP("Sentences",
                "'{label}' is not a label: labels have no blanks, commas or semicolons, and at most 64 characters.")},
        {"host.bad-hours",
            QT_TRANSLATE_NOOP("Sentences",
                "'{hours}' are not hours. Write them as 'Mon-Fri 09:00-17:00', several with a semicolon between; hours "
                "without days are those of every day.")},
        {"host.always-closed",
            QT_TRANSLATE_NOOP("Sentences",
                "The hours {hours} leave no hour of the week. Drain the host instead, or give fewer hours.")},
        {"host.bad-address",
            QT_TRANSLATE_NOOP("Sentences",
                "'{address}' is neither an address nor the name of an interface. Write it as 10.1.2.3, fd00::3 or "
                "ib0; 'auto' leaves the choice to Trainyard.")},
        {"host.no-interface",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} has no interface '{address}' by which other hosts could reach it. It has: {interfaces}.")},
        {"host.no-quarantine",
            QT_TRANSLATE_NOOP("Sentences", "There is nothing in quarantine on {host} that this would release.")},
        {"host.drained", QT_TRANSLATE_NOOP("Sentences", "It is drained: nothing new starts there.")},
        {"host.draining",
            QT_TRANSLATE_NOOP(
                "Sentences", "It is draining: nothing new starts there, and {tasks|task goes|tasks go} on.")},
        {"host.closed",
            QT_TRANSLATE_NOOP("Sentences", "Nothing new starts there before {until}; its closed hours are {hours}.")},
        {"host.bad-name",
            QT_TRANSLATE_NOOP("Sentences",
                "'{name}' cannot name a host. Use English letters, digits, '-', '.' and '_'; 'local', 'any' and 'pool' "
                "are "
                "taken.")},
        {"host.bad-target",
            QT_TRANSLATE_NOOP("Sentences",
                "'{target}' is not a target for ssh. Give user@host, or a name from your ssh "
                "configuration.")},
        {"host.cut",
            QT_TRANSLATE_NOOP("Sentences", "The connection to the host was lost. Tasks there may still be running.")},
        {"host.exists", QT_TRANSLATE_NOOP("Sentences", "A host named {host} already exists.")},
        {"host.gone", QT_TRANSLATE_NOOP("Sentences", "The connection to the host was lost.")},
        {"host.in-use", QT_TRANSLATE_NOOP("Sentences", "{host} is in use by these jobs: {jobs}. Stop them first.")},
        {"host.logs-pending",
            QT_TRANSLATE_NOOP("Sentences",
                "The output of tasks on {host} has not been fetched completely ({logs|log|logs}). Wait until it is "
                "here; if the host is removed now, the rest stays there.")},
        {"host.results-pending",
            QT_TRANSLATE_NOOP("Sentences",
                "Results of {tasks|task|tasks} on {host} have not come to this computer yet. Wait until they are here; "
                "if the host is removed now, they stay there.")},
        {"host.results-coming",
            QT_TRANSLATE_NOOP("Sentences",
                "Results of {tasks|task|tasks} on {host} are still coming to this computer. Wait until they are here, "
                "then change its address.")},
        {"results.stay",
            QT_TRANSLATE_NOOP("Sentences",
                "The tasks work in {folder} on this computer and their results stay there: nothing is copied to "
                "{to}.")},
        {"results.no-room",
            QT_TRANSLATE_NOOP(
                "Sentences", "The disk of {folder} is full. Make room there; what is missing comes then.")},
        {"results.not-writable", QT_TRANSLATE_NOOP("Sentences", "{path} cannot be written on this computer: {reason}")},
        {"results.folder-unwritable",
            QT_TRANSLATE_NOOP("Sentences",
                "Nothing can be written to {folder} on this computer now: {reason}. What is missing comes when the "
                "folder can be written to.")},
        {"results.host-failed",
            QT_TRANSLATE_NOOP("Sentences",
                "The host could not read {path} just now: {reason}. What is missing is tried again for some minutes.")},
        {"results.unreadable", QT_TRANSLATE_NOOP("Sentences", "{path} cannot be read on its host: {reason}")},
        {"results.vanished", QT_TRANSLATE_NOOP("Sentences", "{path} is not on its host any more.")},
        {"results.no-folder",
            QT_TRANSLATE_NOOP(
                "Sentences", "The folder {folder} is not on its host: it was never made there, or has been removed.")},
        {"results.mismatch", QT_TRANSLATE_NOOP("Sentences", "The file {path} did not arrive as it is.")},
        {"results.changes",
            QT_TRANSLATE_NOOP("Sentences",
                "{path} changed each time it was read, or has grown beyond the limit of one file. It is looked at "
                "again while its task runs.")},
        {"results.too-large",
            QT_TRANSLATE_NOOP("Sentences",
                "{files|file|files} with {size} remained on the host, because one file may have {limit} MiB (maxFileMB "
                "of "
                "the job's results). 'trainyardctl pull {job} {task} {path}' brings one of them.")},
        {"results.beyond",
            QT_TRANSLATE_NOOP("Sentences",
                "{files|file|files} with {size} remained on the host, because the results of a task may have {limit} "
                "MiB "
                "together (maxMB of the job's results). 'trainyardctl pull {job} {task} {path}' brings one of them.")},
        {"results.beside",
            QT_TRANSLATE_NOOP("Sentences",
                "{path} was changed on this computer, or was there before: what came from the task is in {name} beside "
                "it.")},
        {"results.links",
            QT_TRANSLATE_NOOP("Sentences", "{files|link|links} remained on the host: links are not followed.")},
        {"results.special",
            QT_TRANSLATE_NOOP("Sentences",
                "{files|pipe, socket or device stays|pipes, sockets and devices stay} on the host: only files come.")},
        {"results.odd-names",
            QT_TRANSLATE_NOOP("Sentences",
                "{files|file stays|files stay} on the host because of control characters, invalid text or a way out of "
                "the folder in the name.")},
        {"results.too-many",
            QT_TRANSLATE_NOOP("Sentences",
                "There are more files than are looked at for one task ({most} at most). Name fewer in the job's "
                "results, or pack them into one file.")},
        {"results.host-away",
            QT_TRANSLATE_NOOP(
                "Sentences", "{host} cannot be reached. The results that are still there come when it is back.")},
        {"results.host-removed",
            QT_TRANSLATE_NOOP("Sentences", "The host {host} was removed before all results were here.")},
        {"host.is-local",
            QT_TRANSLATE_NOOP("Sentences",
                "'local' is this computer, which is always in the list. To add another one, give user@host, or a name "
                "from your ssh configuration.")},
        {"host.key-changed",
            QT_TRANSLATE_NOOP("Sentences",
                "The host key of {name} has changed. If you know why, remove the old one with "
                "'{remove}' and log in once with '{ssh}'.")},
        {"host.key-unknown",
            QT_TRANSLATE_NOOP("Sentences", "The host key of {name} is not known yet. Log in once with '{ssh}'.")},
        {"host.local", QT_TRANSLATE_NOOP("Sentences", "This computer cannot be removed.")},
        {"host.name-unknown", QT_TRANSLATE_NOOP("Sentences", "The name {name} cannot be resolved.")},
        {"host.needs-login",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} asks for a password or another key. Make sure that '{ssh}' works without a question, for "
                "instance by setting up a key with ssh-copy-id.")},
        {"host.security-key-absent",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} is reached with a security key ({key}) that is not plugged in. Plug it in, then check the "
                "host again.")},
        {"host.security-key-pin",
            QT_TRANSLATE_NOOP("Sentences",
                "The PIN of the security key for {host} is wrong, or was not given. Check the host again to type it; "
                "after several wrong ones, a key locks itself.")},
        {"host.security-key-agent",
            QT_TRANSLATE_NOOP("Sentences",
                "The ssh agent did not sign with the security key for {host}: the key was not touched in time, or the "
                "agent cannot ask for its PIN. Make sure that '{ssh}' works, then check the host again.")},
        {"host.security-key-failed",
            QT_TRANSLATE_NOOP("Sentences",
                "The security key for {host} did not sign: it was not touched in time, or it is another one than that "
                "of {key}. Check the host again, and touch the key when you are told to. ssh says: '{message}'")},
        {"host.no-answer", QT_TRANSLATE_NOOP("Sentences", "The host does not answer.")},
        {"host.no-inventory", QT_TRANSLATE_NOOP("Sentences", "The host did not report its resources.")},
        {"host.not-connected",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} is not connected, so its files can be neither seen nor removed. Check the host first.")},
        {"host.only-ssh",
            QT_TRANSLATE_NOOP(
                "Sentences", "{host} is this computer: its jobs and their files are removed in the list of jobs.")},
        {"host.not-answering",
            QT_TRANSLATE_NOOP("Sentences",
                "The helper on the host has not answered since {time}. Tasks there may still be running.")},
        {"host.removed", QT_TRANSLATE_NOOP("Sentences", "The host {host} was removed while the task ran there.")},
        {"host.shell-failed",
            QT_TRANSLATE_NOOP("Sentences",
                "The login on {host} works, but no command can be run there (status {status}). The host says: "
                "'{message}'. Use an account with an ordinary login shell, or ask the administrator for one: "
                "'{ssh} echo ok' must print ok.")},
        {"host.shell-hangs",
            QT_TRANSLATE_NOOP("Sentences",
                "The login on {host} works, but its shell neither runs a command nor prints anything. Its start-up "
                "files may wait for something that does not come. Find out with '{ssh} echo ok', which must print "
                "ok.")},
        {"host.shell-silent",
            QT_TRANSLATE_NOOP("Sentences",
                "The login on {host} works, but the host ends the connection without running a command (status "
                "{status}). The account may have no login shell or be meant for file transfers only, or its start-up "
                "files may end the shell. Use an account with an ordinary login shell, or ask the administrator for "
                "one: '{ssh} echo ok' must print ok.")},
        {"host.shell-waits",
            QT_TRANSLATE_NOOP("Sentences",
                "The login on {host} works, but instead of running a command the host shows this: '{message}'. If it "
                "is a gateway, give the computer behind it as the target, with ProxyJump in your ssh configuration. "
                "'{ssh} echo ok' must print ok.")},
        {"host.ssh-config", QT_TRANSLATE_NOOP("Sentences", "ssh does not accept its configuration: {message}")},
        {"host.ssh-failed", QT_TRANSLATE_NOOP("Sentences", "ssh could not connect to {host}: {message}")},
        {"host.ssh-missing", QT_TRANSLATE_NOOP("Sentences", "The program ssh cannot be started: {message}")},
        {"host.unknown", QT_TRANSLATE_NOOP("Sentences", "There is no host {host}.")},
        {"host.unreachable", QT_TRANSLATE_NOOP("Sentences", "{host} cannot be reached: {message}")},
    };
    return rows;
}

} // namespace trainyard::sentences
