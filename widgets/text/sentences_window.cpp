// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

// clang-format off
std::span<const SentenceRow> window()
{
    static const SentenceRow rows[] = {
        {"batch.array-parallel.window", QT_TRANSLATE_NOOP("Sentences", "The array is left out, because each of its elements has several tasks. 'Run as sweep' in the menu Run runs such a job with several values.")},
        {"batch.array-succeeds.window", QT_TRANSLATE_NOOP("Sentences", "The job fails only if all elements of the array fail. If some of them fail, it succeeds, unlike 'sbatch --wait': a job cannot let the other tasks continue and fail at its end. The page of the run lists the tasks that failed. With minFailedInstances: 1 the first failure fails the job and stops the others.")},
        {"batch.image.window", QT_TRANSLATE_NOOP("Sentences", "The tasks have the image {image}. They run in it if the job or its host says so (extras.trainyard.runIn, or 'Run in' in the menu of the Run button), and otherwise in the shell of the host.")},
        {"batch.slurm-command.window", QT_TRANSLATE_NOOP("Sentences", "'{command}' asks Slurm, which does not run this job. Remove it. A job can wait for another one (extras.trainyard.after), and jobRetryCount runs a failed one again.")},
        {"code.host-away.window", QT_TRANSLATE_NOOP("Sentences", "{host} is not connected, so nothing can be copied there. 'Check again' on the page Hosts connects it.")},
        {"export.gang.window", QT_TRANSLATE_NOOP("Sentences", "All {tasks} tasks begin together: the job waits until there is room for all of them at once, and 'gangAllocation: false' is left out. On Slurm, running the job here, with the cluster as its target, makes an array of them.")},
        {"extras.host-label-nowhere.window", QT_TRANSLATE_NOOP("Sentences", "No host has the label '{name}' (the hosts have: {known}). Give it to a host on the page Hosts; until then the job is refused or waits.")},
        {"extras.host-no-labels.window", QT_TRANSLATE_NOOP("Sentences", "No host has the label '{name}', nor any other label. Give it to a host on the page Hosts; until then the job is refused or waits.")},
        {"extras.host-unknown.window", QT_TRANSLATE_NOOP("Sentences", "There is no host '{name}' (the hosts are: {known}). Add it on the page Hosts; until then the job waits or is refused.")},
        {"host.away.window", QT_TRANSLATE_NOOP("Sentences", "{host} cannot be reached now, so the job waits for it; 'Check again' on the page Hosts tries again. {why}")},
        {"host.same.window", QT_TRANSLATE_NOOP("Sentences", "{host} is {other} already: the same account on the same computer, with its files in {folder}. Use {other}, and remove {host}.")},
        {"host.exists.window", QT_TRANSLATE_NOOP("Sentences", "A host named {host} already exists. 'Check again' on its page tries to reach it.")},
        {"job.stopping.window", QT_TRANSLATE_NOOP("Sentences", "#{id} {name} is being stopped. Wait until it has ended.")},
        {"kubernetes.removed.window", QT_TRANSLATE_NOOP("Sentences", "{target} has been removed from the settings and accepts no more jobs. Add the cluster again on the page Hosts, or choose another target.")},
        {"openpai.bad-user.window", QT_TRANSLATE_NOOP("Sentences", "The name of the user at the cluster is missing or cannot be used: '{user}'. 'Change' on the page of the cluster sets it.")},
        {"openpai.invalid.window", QT_TRANSLATE_NOOP("Sentences", "{target} refused the job: {detail}. Change the job.")},
        {"openpai.no-token.window", QT_TRANSLATE_NOOP("Sentences", "{target} needs your token. Enter it with 'Change' on the page of the cluster.")},
        {"openpai.no-token-removed.window", QT_TRANSLATE_NOOP("Sentences", "{target} has been removed from the settings. To follow the jobs that it still has, it needs your token. Add the cluster again on the page Hosts, with the same name, address and user, and enter the token there.")},
        {"openpai.no-virtual-cluster.window", QT_TRANSLATE_NOOP("Sentences", "{target} has no such virtual cluster: {detail}. The page of the cluster shows those that it has.")},
        {"openpai.removed.window", QT_TRANSLATE_NOOP("Sentences", "{target} has been removed from the settings and accepts no more jobs. Add the cluster again on the page Hosts, or choose another target.")},
        {"openpai.unauthorized.window", QT_TRANSLATE_NOOP("Sentences", "{target} does not accept your token: {detail}. Make a new one on the website of the cluster, and enter it, or log in with your password, with 'Change' on the page of the cluster.")},
        {"openpai.unauthorized-removed.window", QT_TRANSLATE_NOOP("Sentences", "{target} has been removed from the settings, and no longer accepts your token: {detail}. To follow the jobs that it still has, make a new one on the website of the cluster, and add the cluster again on the page Hosts with it.")},
        {"refuse.hosts.both.window", QT_TRANSLATE_NOOP("Sentences", "No host on which tasks of {role} may run has all of the labels {labels}. Give a host all of them on the page Hosts, or change extras.trainyard.hosts.")},
        {"refuse.hosts.labels.window", QT_TRANSLATE_NOOP("Sentences", "No host on which tasks of {role} may run has the label {missing}. Give a host this label on the page Hosts, or change extras.trainyard.hosts.")},
        {"refuse.hosts.names.window", QT_TRANSLATE_NOOP("Sentences", "Tasks of {role} may run on {names} only, and there is no such host. Add it on the page Hosts, or change extras.trainyard.hosts.")},
        {"results.beyond.window", QT_TRANSLATE_NOOP("Sentences", "{files|file|files} with {size} remained on the host, because the results of a task may have {limit} MiB together (maxMB of the job's results). 'Bring here' under Files brings one of them.")},
        {"results.on-host.window", QT_TRANSLATE_NOOP("Sentences", "If the folder is copied, what the tasks write in the copy stays on {host} until you choose 'Bring here' under Files.")},
        {"results.on-hosts.window", QT_TRANSLATE_NOOP("Sentences", "If the folder is copied, what tasks on another host write in the copy stays there until you choose 'Bring here' under Files.")},
        {"results.too-large.window", QT_TRANSLATE_NOOP("Sentences", "{files|file|files} with {size} remained on the host, because one file may have {limit} MiB (maxFileMB of the job's results). 'Bring here' under Files brings one of them.")},
        {"role.script-unsaved.window", QT_TRANSLATE_NOOP("Sentences", "This command needs the file '{file}', but the job is not saved and would start in an empty folder. Save it beside the file.")},
        {"slurm.image-unused.window", QT_TRANSLATE_NOOP("Sentences", "The images of the job are not used on {target}: its tasks run in the environment of the nodes. 'Change' on the page of the cluster says how images are entered, where the nodes have apptainer or pyxis.")},
        {"slurm.login-away.window", QT_TRANSLATE_NOOP("Sentences", "{host}, through which the cluster is reached, is not connected at the moment. The page Hosts says why. Jobs on the cluster continue.")},
        {"slurm.login-unknown.window", QT_TRANSLATE_NOOP("Sentences", "{host} is named as the login node of a cluster but is not a host of Trainyard. Add it on the page Hosts.")},
        {"slurm.no-containers.window", QT_TRANSLATE_NOOP("Sentences", "The job asks to run in {runIn}, which {target} is not set to do. Leave extras.trainyard.runIn out or set it to host, choose another target, or say with 'Change' on the page of the cluster how images are entered there.")},
        {"job.host-out-of-reach.key.window",
            QT_TRANSLATE_NOOP("Sentences",
                "The host key of {host} has changed, so the engine does not connect to it until you have looked into "
                "that; tasks there may still be running. The page Hosts says what to do.")},
        {"job.host-out-of-reach.login.window",
            QT_TRANSLATE_NOOP("Sentences",
                "The engine can connect to {host} only when you have logged in there; tasks there may still be "
                "running. Log in on the page Hosts asks for it.")},
        {"job.host-out-of-reach.refused.window",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} accepts none of your keys, so the engine cannot connect to it; tasks there may still be "
                "running. The page Hosts says what to do.")},
        {"job.host-out-of-reach.unstarted.person.window",
            QT_TRANSLATE_NOOP("Sentences",
                "The engine cannot connect to {host} before you have done something about it. Nothing of the job runs "
                "there yet. The page Hosts says what to do.")},
        {"stop.host-away.connecting.window", QT_TRANSLATE_NOOP("Sentences", "The connection to {host} is being made, so it is not known yet whether the tasks there have ended. They are given up at {time} (setting stop.forceMinutes), unless it is made before; they may still be running then. Give up on the page of the job does not wait for that.")},
        {"stop.host-away.window", QT_TRANSLATE_NOOP("Sentences", "{host} cannot be reached, so it is not known whether the tasks there have ended. They are given up at {time} (setting stop.forceMinutes), unless {host} is back before; they may still be running then. Give up on the page of the job does not wait for that.")},
        {"stop.slurm-silent.window", QT_TRANSLATE_NOOP("Sentences", "{target} does not answer. Tasks that run end nevertheless, usually within a minute: their helper on the node finds the stop in the shared folder. If the job still waits there, it is stopped as soon as {target} answers. Give up ends it here before that; it may continue there.")},
        {"stop.target-silent.window", QT_TRANSLATE_NOOP("Sentences", "{target} does not answer. The job is stopped there as soon as it does. Give up ends it here before that; it may continue there.")},
        {"stop.target-unsure.window", QT_TRANSLATE_NOOP("Sentences", "{target} does not answer, and whether the job is there is not known. It is asked for, and not handed over again. Give up ends it here without knowing.")},
        {"job.target-removed.window", QT_TRANSLATE_NOOP("Sentences", "{target} is no longer in the settings, so nothing new is known about the job. Add the cluster again on the page Hosts to continue it. Give up ends it here.")},
        {"wait.slurm-submit-limit.window", QT_TRANSLATE_NOOP("Sentences", "{target} takes no more jobs of this user at the moment ({detail}). It is tried again with growing pauses.")},
        {"wait.target-removed.window", QT_TRANSLATE_NOOP("Sentences", "{target} is no longer in the settings. Add the cluster again on the page Hosts to continue the job, or stop it.")},
        {"slurm.removed.window", QT_TRANSLATE_NOOP("Sentences", "{target} has been removed from the settings and accepts no more jobs. Add the cluster again on the page Hosts, or choose another target.")},
        {"storage.unmapped.window", QT_TRANSLATE_NOOP("Sentences", "No folder is known for the storage '{name}'. Name it with the setting storages.{name}.")},
        {"store.write-unsure.window", QT_TRANSLATE_NOOP("Sentences", "Cannot write the engine's store {path}: {detail}. The job {name} is refused, but if the engine is restarted before it can write again, the job may be found there and run. Is the disk full? Look at the list of jobs before you submit it again.")},
        {"wait.drained.window", QT_TRANSLATE_NOOP("Sentences", "Waits for {host}, which is drained: nothing new starts there. Open it again on the page Hosts.")},
        {"wait.peer-interface.window", QT_TRANSLATE_NOOP("Sentences", "Other hosts are to reach {host} by its interface {interface}, which has no address now. Set it up, or change 'Address for others' of {host} on the page Hosts.")},
        {"wait.peers.alone.window", QT_TRANSLATE_NOOP("Sentences", "Its tasks talk to each other, {host} does not reach {other} at {address}, and no other hosts fit. Allow connections between the hosts (firewall, network), or set 'Address for others' of {other} on the page Hosts. It is tried again {minutes|minute|minutes} after the last time, and at once after 'Check again' there.")},
        {"wait.peers.others-busy.window", QT_TRANSLATE_NOOP("Sentences", "Its tasks talk to each other, {host} does not reach {other} at {address}, and the other hosts that fit have no room now. Wait until they have, allow connections between the hosts (firewall, network), or set 'Address for others' of {other} on the page Hosts.")},
        {"wait.peers.window", QT_TRANSLATE_NOOP("Sentences", "Its tasks talk to each other, and {host} does not reach {other} at {address}. Allow connections between the hosts (firewall, network), or set 'Address for others' of {other} on the page Hosts. It is tried again each minute.")},
        {"wait.quarantine.window", QT_TRANSLATE_NOOP("Sentences", "Waits for {host}, which is in quarantine: {failures|try|tries} in a row failed there because of the machine. The page Hosts says which, and has the button that releases it.")},
        {"work.copied-anywhere.window", QT_TRANSLATE_NOOP("Sentences", "The folder {folder} is copied to other hosts, without what git ignores, unless a host has the same folder on a shared file system; then the tasks work in the folder itself.")},
        {"work.copied-later.window", QT_TRANSLATE_NOOP("Sentences", "As soon as {host} can be reached, the folder {folder} is copied there, without what git ignores, unless {host} has the same folder on a shared file system; then the tasks work in the folder itself.")},
        {"work.copied.window", QT_TRANSLATE_NOOP("Sentences", "The folder {folder} is copied to {host}, without what git ignores, unless {host} has the same folder on a shared file system; then the tasks work in the folder itself.")},
    };
    return rows;
}
// clang-format on

} // namespace trainyard::sentences
