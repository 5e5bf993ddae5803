// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

std::span<const SentenceRow> waits()
{
    static const SentenceRow rows[] = {
        {"wait.gpu", QT_TRANSLATE_NOOP("Sentences", "Waits for GPUs: {wanted} wanted, {free} free of {total}.")},
        {"wait.gpu-memory",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for GPU memory: {wantedSize} of one GPU wanted, {freeSize} is the most that one GPU has left.")},
        {"wait.gpu-memory.many",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for GPU memory: {wantedSize} on each of {wanted} GPUs of one host wanted, {have|GPU has|GPUs "
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
            QT_TRANSLATE_NOOP("Sentences", "Waits for {wantedSize} of memory; {freeSize} of {totalSize} are free.")},
        {"wait.disk",
            QT_TRANSLATE_NOOP("Sentences",
                "The disk of {host} is nearly full: no task starts there while less than {wantedMiB} MiB are free. "
                "Free some space, or lower the setting disk.holdMiB.")},
        {"wait.drained",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for {host}, which is drained: nothing new starts there. Open it again on the page Hosts, or "
                "with 'trainyardctl hosts drain {host} --off'.")},
        {"wait.closed",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for {host}, where nothing new starts before {until}: its closed hours are {hours}.")},
        {"wait.quarantine",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for {host}, which is in quarantine: {failures|try|tries} in a row failed there because of the "
                "machine. The page Hosts and 'trainyardctl hosts show' say which; release it there, or with "
                "'trainyardctl hosts release {host}'.")},
        {"wait.peers",
            QT_TRANSLATE_NOOP("Sentences",
                "Its tasks talk to each other, and {host} does not reach {other} at {address}. Allow connections "
                "between the hosts (firewall, network), or say by which address {other} is reached: 'trainyardctl "
                "hosts address {other} ADDRESS'. It is tried again each minute.")},
        {"wait.peers.alone",
            QT_TRANSLATE_NOOP("Sentences",
                "Its tasks talk to each other, {host} does not reach {other} at {address}, and no other hosts fit. "
                "Allow connections between the hosts (firewall, network), or say by which address {other} is reached: "
                "'trainyardctl hosts address {other} ADDRESS'. It is tried again {minutes|minute|minutes} after the "
                "last time, and at once after 'trainyardctl hosts check {other}'.")},
        {"wait.peers.others-busy",
            QT_TRANSLATE_NOOP("Sentences",
                "Its tasks talk to each other, {host} does not reach {other} at {address}, and the other hosts that "
                "fit have no room now. Wait until they have, allow connections between the hosts (firewall, network), "
                "or say by which address {other} is reached: 'trainyardctl hosts address {other} ADDRESS'.")},
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
        {"wait.hosts.connecting",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for the hosts on which tasks of {role} may run: the connection to {away} is being made.")},
        {"wait.runtime",
            QT_TRANSLATE_NOOP("Sentences", "Waits for a host with {runIn}: none that can be reached has it.")},
        {"wait.runtime.silent",
            QT_TRANSLATE_NOOP("Sentences", "Waits for {runIn}: the Docker daemon does not answer on {silent}.")},
        {"wait.port",
            QT_TRANSLATE_NOOP(
                "Sentences", "Waits for port {port} on {host}, which the job fixes and a task of job #{job} uses.")},
        {"wait.host.here", QT_TRANSLATE_NOOP("Sentences", "Waits until the engine has started on this computer.")},
        {"wait.host.connecting",
            QT_TRANSLATE_NOOP("Sentences", "Waits for a host; the connection to one is being made.")},
        {"wait.host.connecting-named",
            QT_TRANSLATE_NOOP("Sentences", "Waits for {host}; the connection to it is being made.")},
        {"wait.host.named",
            QT_TRANSLATE_NOOP("Sentences", "Waits for {host}, to which there is no connection at the moment.")},
        {"wait.host.of",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for {hosts}, to which there is no connection at the moment: the hosts that can be reached are "
                "not enough for it.")},
        {"wait.host", QT_TRANSLATE_NOOP("Sentences", "Waits for a host that can be reached.")},
        {"wait.target-removed",
            QT_TRANSLATE_NOOP("Sentences",
                "{target} is no longer in the settings. 'trainyardctl targets add {target}' continues the job.")},
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
        {"after.group",
            QT_TRANSLATE_NOOP("Sentences",
                "A job waits for single jobs, not for the group {group}. Name the jobs of the group instead; 'ps "
                "group:{group}' lists them.")},
        {"after.bad-condition",
            QT_TRANSLATE_NOOP("Sentences",
                "A job cannot wait for '{condition}' of another one, only for its success ({job}, or {job}:succeeded) "
                "or "
                "its end ({job}:ended).")},
        {"task.copy-waits",
            QT_TRANSLATE_NOOP("Sentences",
                "The disk of this computer is nearly full, so the output of the tasks on {host} is not copied here "
                "now. "
                "Nothing of it is lost: it stays on {host}. Free some space here, and it comes.")},
        {"task.disk-full",
            QT_TRANSLATE_NOOP("Sentences",
                "The disk of {host} that has {folder} is full. The tasks wait with their output, and nothing of it is "
                "lost: free some space there, and they continue.")},
    };
    return rows;
}

} // namespace trainyard::sentences
