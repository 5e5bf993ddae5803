// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

std::span<const SentenceRow> submission()
{
    static const SentenceRow rows[] = {
        {"stop.host-unreachable",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} could not be reached for so long that the task was given up. It may still be running there. It "
                "is "
                "stopped there as soon as {host} answers again.")},
        {"stop.host-back",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} could not be reached for so long that the task was given up. It has ended there, too, since "
                "{host} answers again.")},

        {"stop.given-up",
            QT_TRANSLATE_NOOP("Sentences",
                "The job was given up here while {target} did not answer. It may be there, and may still run. '{look}' "
                "shows it there, once the cluster answers.")},
        {"stop.given-up-absent",
            QT_TRANSLATE_NOOP("Sentences", "The job was given up here. What {target} has of it may still run there.")},
        {"stop.slurm-silent",
            QT_TRANSLATE_NOOP("Sentences",
                "{target} does not answer. Tasks that run end nevertheless, usually within a minute: their helper on "
                "the "
                "node finds the stop in the shared folder. If the job still waits there, it is stopped as soon as "
                "{target} answers. 'trainyardctl stop --give-up' ends it here before that; it may continue there.")},
        {"stop.target-silent",
            QT_TRANSLATE_NOOP("Sentences",
                "{target} does not answer. The job is stopped there as soon as it does. 'trainyardctl stop --give-up' "
                "ends it here before that; it may continue there.")},
        {"stop.target-unsure",
            QT_TRANSLATE_NOOP("Sentences",
                "{target} does not answer, and whether the job is there is not known. It is asked for, and not handed "
                "over again. 'trainyardctl stop --give-up' ends it here without knowing.")},

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
                "#{job} {name} is not a rehearsal. 'trainyardctl rehearse FILE' makes one, and it can then be "
                "submitted elsewhere.")},
        {"stop.assistant",
            QT_TRANSLATE_NOOP(
                "Sentences", "Stopped because the assistant {name} proposed it, and this was approved in the window.")},
        {"stop.assistant-terminal",
            QT_TRANSLATE_NOOP(
                "Sentences", "Stopped because the assistant {name} proposed it, and this was approved on a terminal.")},
        {"stop.host-away",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} cannot be reached, so it is not known whether the tasks there have ended. They are given up at "
                "{time} (setting stop.forceMinutes), unless {host} is back before; they may still be running then. "
                "'trainyardctl stop --give-up' does not wait for that.")},
        {"stop.host-away.connecting",
            QT_TRANSLATE_NOOP("Sentences",
                "The connection to {host} is being made, so it is not known yet whether the tasks there have ended. "
                "They are "
                "given up at {time} (setting stop.forceMinutes), unless it is made before; they may still "
                "be running then. 'trainyardctl stop --give-up' does not wait for that.")},
        {"job.stopping",
            QT_TRANSLATE_NOOP(
                "Sentences", "#{id} {name} is being stopped. Wait until it has ended: 'trainyardctl wait {id}'.")},
        {"job.stopping-waits",
            QT_TRANSLATE_NOOP("Sentences", "#{id} {name} has been stopped and has not ended. {why}")},
        {"job.active", QT_TRANSLATE_NOOP("Sentences", "#{id} {name} is still active. Stop it first.")},
        {"job.archive-active",
            QT_TRANSLATE_NOOP("Sentences",
                "#{id} {name} is still active, and lists would no longer show what runs. Archive it when it has "
                "ended.")},
        {"job.ambiguous", QT_TRANSLATE_NOOP("Sentences", "Several jobs begin with {job}. Give more of the UUID.")},
        {"tag.too-long",
            QT_TRANSLATE_NOOP("Sentences",
                "The tag that begins with '{tag}' has {characters} characters; at most {limit} are possible. Put "
                "longer "
                "texts into the note.")},
        {"note.too-long",
            QT_TRANSLATE_NOOP("Sentences",
                "The note has {characters} characters; at most {limit} are possible. Keep the rest in a file, and name "
                "the file in the note.")},
        {"job.several-active",
            QT_TRANSLATE_NOOP(
                "Sentences", "Several active jobs have the name {job}: {jobs}. Give the number of the one you mean.")},
        {"job.bad-name",
            QT_TRANSLATE_NOOP("Sentences",
                "'{name}' is not a valid job name: use English letters, digits, '_' and '-' only, at most 255 "
                "characters.")},
        {"job.host-out-of-reach",
            QT_TRANSLATE_NOOP(
                "Sentences", "{host} cannot be reached at the moment; tasks there may still be running.")},
        {"job.host-out-of-reach.key",
            QT_TRANSLATE_NOOP("Sentences",
                "The host key of {host} has changed, so the engine does not connect to it until you have looked into "
                "that; tasks there may still be running. 'trainyardctl hosts check {host}' says what to do.")},
        {"job.host-out-of-reach.login",
            QT_TRANSLATE_NOOP("Sentences",
                "The engine can connect to {host} only when you have logged in there; tasks there may still be "
                "running. 'trainyardctl hosts check {host}' asks for it.")},
        {"job.host-out-of-reach.refused",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} accepts none of your keys, so the engine cannot connect to it; tasks there may still be "
                "running. 'trainyardctl hosts check {host}' says what to do.")},
        {"job.host-out-of-reach.unstarted",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} cannot be reached at the moment. Nothing of the job runs there yet; it starts when {host} is "
                "back.")},
        {"job.host-out-of-reach.unstarted.person",
            QT_TRANSLATE_NOOP("Sentences",
                "The engine cannot connect to {host} before you have done something about it. Nothing of the job runs "
                "there yet. 'trainyardctl hosts check {host}' says what to do.")},
        {"job.host-connecting.unstarted",
            QT_TRANSLATE_NOOP(
                "Sentences", "The connection to {host} is being made. Nothing of the job runs there yet.")},
        {"job.host-connecting",
            QT_TRANSLATE_NOOP(
                "Sentences", "The connection to {host} is being made; tasks there may still be running.")},
        {"job.helper-begins",
            QT_TRANSLATE_NOOP(
                "Sentences", "The engine is looking for its tasks on this computer; they continue meanwhile.")},
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
        {"job.target-removed",
            QT_TRANSLATE_NOOP("Sentences",
                "{target} is no longer in the settings, so nothing new is known about the job. 'trainyardctl targets "
                "add {target}' continues it, and 'trainyardctl stop --give-up' ends it here.")},
        {"job.removed", QT_TRANSLATE_NOOP("Sentences", "{job} was removed meanwhile.")},
        {"job.unknown", QT_TRANSLATE_NOOP("Sentences", "There is no job {job}.")},
        {"job.unknown-near", QT_TRANSLATE_NOOP("Sentences", "There is no job {job}. Did you mean {near}?")},
        {"job.unknown-term",
            QT_TRANSLATE_NOOP("Sentences", "There is no job {job}. Did you mean the jobs of '{term}'?")},
        {"jobs.none", QT_TRANSLATE_NOOP("Sentences", "No job matches '{word}'.")},
        {"jobs.only-archived",
            QT_TRANSLATE_NOOP(
                "Sentences", "Only archived jobs match '{word}'. To mean them, write '{word} is:archived'.")},
        {"jobs.no-filter",
            QT_TRANSLATE_NOOP("Sentences", "'{word}' is neither a job nor a condition that finds jobs. {detail}")},
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
                "The folder {folder} is copied to {host} unless it is shared. 'trainyardctl code {folder|shell}' lists "
                "its files.")},
        {"work.copied-anywhere",
            QT_TRANSLATE_NOOP("Sentences",
                "The folder {folder} is copied to other hosts unless it is shared. 'trainyardctl code {folder|shell}' "
                "lists its files.")},
        {"work.copied-later",
            QT_TRANSLATE_NOOP("Sentences",
                "As soon as {host} can be reached, the folder {folder} is copied there, without what git ignores, "
                "unless {host} has the same folder on a shared file system; then the tasks work in the folder itself. "
                "'trainyardctl code {folder|shell}' lists its files.")},
        {"work.shared",
            QT_TRANSLATE_NOOP("Sentences",
                "The tasks work in {folder} itself, which {host} has on a shared file system, as it had when it was "
                "last asked: nothing is copied.")},
        {"work.stays",
            QT_TRANSLATE_NOOP("Sentences",
                "The folder {folder} is not copied to {host}: tasks there find its files only if they are already "
                "there.")},
        {"work.stays-anywhere",
            QT_TRANSLATE_NOOP("Sentences",
                "The folder {folder} is not copied to other hosts: tasks that run there find its files only if they "
                "are already there.")},
        {"job.file-folder-missing",
            QT_TRANSLATE_NOOP("Sentences",
                "The folder of the job's file, {folder}, does not exist on this computer, and the tasks would work in "
                "it. Put it back, or give another work folder ('run --work FOLDER').")},
        {"job.work-missing", QT_TRANSLATE_NOOP("Sentences", "The work folder {folder} does not exist.")},
        {"job.work-missing-here",
            QT_TRANSLATE_NOOP("Sentences",
                "The work folder {folder} does not exist on this computer. Correct the path, or make the folder. If it "
                "is on other hosts only, name one that has it: 'run --on HOST', or extras.trainyard.hosts in the "
                "job.")},
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
                "{target} does not keep the documents of jobs, so there is nothing to open. OpenPAI clusters keep "
                "them.")},
        {"target.no-login",
            QT_TRANSLATE_NOOP(
                "Sentences", "{target} needs no token, so there is nothing to log in to with a password.")},
        {"target.absent",
            QT_TRANSLATE_NOOP("Sentences",
                "The job belongs to the target '{target}', which this version of Trainyard does not have. Run it again "
                "with the version that has it, or submit it again to another target.")},

        {"refuse.runtime",
            QT_TRANSLATE_NOOP("Sentences",
                "{runIn} was not found on any host where the job may run, and the settings require tasks with an image "
                "to run in it. Install it, or run the job in the host's shell.")},
        {"refuse.host", QT_TRANSLATE_NOOP("Sentences", "There is no host {host}.")},
        {"refuse.hosts",
            QT_TRANSLATE_NOOP("Sentences", "No host meets what the job asks for {role} (extras.trainyard.hosts).")},
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
        {"refuse.gpu.none.rehearsal",
            QT_TRANSLATE_NOOP("Sentences",
                "A task of {role} asks for {wanted|GPU|GPUs}, but no host on which the job may run has a GPU.")},
        {"refuse.gpu.rehearsal",
            QT_TRANSLATE_NOOP("Sentences",
                "A task of {role} asks for {wanted|GPU|GPUs}; the most that one host has is {most} ({host}).")},
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
                "{wanted} tasks must start together and need the port {port}, which the job fixes for '{label}' of "
                "{role}; a port of a host belongs to one task, and {most|host is|hosts are} there. Remove the number "
                "(extras.trainyard.legacy.roles) so that the engine chooses, or use more hosts.")},
        {"stop.not-ended", QT_TRANSLATE_NOOP("Sentences", "The task could not be ended and may still be running.")},
        {"job.paused",
            QT_TRANSLATE_NOOP("Sentences",
                "Paused. Its processes are stopped and keep their memory, GPU memory included. Resume or stop it.")},
        {"job.minFailed", QT_TRANSLATE_NOOP("Sentences", "{role}/{index} failed: {exit}.")},
        {"job.minFailed.many",
            QT_TRANSLATE_NOOP("Sentences",
                "{count} tasks of {role} failed, which ends the job. The last was {role}/{index}: {exit}.")},
        {"job.completedTasks",
            QT_TRANSLATE_NOOP("Sentences",
                "{count|task has|tasks have} ended, which ends the job. The last was {role}/{index}: {exit}.")},
        {"job.startFailed", QT_TRANSLATE_NOOP("Sentences", "The tasks could not be started (code {code}).")},
        {"stop.disk-full",
            QT_TRANSLATE_NOOP("Sentences",
                "The disk of {host} that has {folder} is full, so the last output of its tasks and their results "
                "cannot be written. Free some space there, and the job ends.")},
    };
    return rows;
}

} // namespace trainyard::sentences
