// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

std::span<const SentenceRow> hosts()
{
    static const SentenceRow rows[] = {
        {"hosts.unreadable",
            QT_TRANSLATE_NOOP("Sentences",
                "Cannot read the list of hosts {file}: {message}. Fix the file; the engine does not start without it, "
                "since tasks may be running on these hosts.")},
        {"hosts.cannot-write", QT_TRANSLATE_NOOP("Sentences", "Cannot write the list of hosts {file}: {message}.")},
        {"host.away",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} cannot be reached now, so the job waits for it; 'trainyardctl hosts check {host}' tries "
                "again. {why}")},
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
        {"forward.no-way",
            QT_TRANSLATE_NOOP("Sentences",
                "The task {task} runs on a cluster whose nodes Trainyard cannot connect to, so none of its ports can "
                "be "
                "forwarded.")},
        {"forward.not-running",
            QT_TRANSLATE_NOOP("Sentences", "The task {task} is not running, so none of its ports can be forwarded.")},
        {"forward.refused",
            QT_TRANSLATE_NOOP("Sentences",
                "Nothing listens on port {port} on {host}. The program may still be starting, or may have ended.")},
        {"forward.too-many",
            QT_TRANSLATE_NOOP("Sentences", "{most} ports are being forwarded, and no more can be. Stop some of them.")},
        {"disk.low",
            QT_TRANSLATE_NOOP("Sentences", "The disk of {host} has only {freeMiB} MiB left for the output of tasks.")},
        {"host.restarted",
            QT_TRANSLATE_NOOP(
                "Sentences", "The host was restarted while the task ran, so how the task ended is not known.")},
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
                "'{hours}' are not valid hours. Write them as 'Mon-Fri 09:00-17:00', several with a semicolon between; "
                "hours without days apply to every day.")},
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
        {"host.closed-at-login",
            QT_TRANSLATE_NOOP("Sentences",
                "The server of {host} closed the connection during the login, and did not refuse it. The account may "
                "have expired, the host may take no logins at the moment (/etc/nologin), or the login took too long. "
                "ssh says: {message}")},
        {"host.closed-early",
            QT_TRANSLATE_NOOP("Sentences",
                "The server of {host} closed the connection before the login. It has too many logins that have not "
                "finished (MaxStartups of sshd), blocks the address of this computer (such as by fail2ban), or its "
                "sshd does not work. ssh says: {message}")},
        {"host.bad-name",
            QT_TRANSLATE_NOOP("Sentences",
                "'{name}' cannot name a host. Use English letters, digits, '-', '.' and '_'; 'local', 'any' and 'pool' "
                "are "
                "taken.")},
        {"host.bad-target",
            QT_TRANSLATE_NOOP("Sentences",
                "'{target}' is not a target for ssh. Give user@host, user@host:port (1 to 65535), or a name from "
                "your ssh configuration.")},
        {"host.cut",
            QT_TRANSLATE_NOOP("Sentences", "The connection to the host was lost. Tasks there may still be running.")},
        {"host.same",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} is {other} already: the same account on the same computer, with its files in {folder}. Use "
                "{other}; 'trainyardctl hosts remove {host}' removes the second name.")},
        {"host.exists",
            QT_TRANSLATE_NOOP("Sentences",
                "A host named {host} already exists. 'trainyardctl hosts check {host}' tries to reach it.")},
        {"host.files-away",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} is not connected, so the files of tasks there can be neither seen nor brought at the moment. "
                "They stay there. Check the host, then try again.")},
        {"host.gone", QT_TRANSLATE_NOOP("Sentences", "The connection to the host was lost.")},
        {"host.in-use", QT_TRANSLATE_NOOP("Sentences", "{host} is in use by these jobs: {jobs}. Stop them first.")},
        {"host.in-use-stopping",
            QT_TRANSLATE_NOOP("Sentences", "Jobs on {host} have been stopped and have not ended: {jobs}. {why}")},
        {"host.login-node",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} is the login node of {targets}. If it is removed, jobs can no longer be "
                "handed over there.")},
        {"host.logs-pending",
            QT_TRANSLATE_NOOP("Sentences",
                "The output of tasks on {host} has not been fetched completely ({logs|log|logs}). Wait until it is "
                "here; if the host is removed now, the rest stays there.")},
        {"host.logs-coming",
            QT_TRANSLATE_NOOP("Sentences",
                "The output of tasks on {host} has not been fetched completely ({logs|log|logs}). Wait until it is "
                "here, then change its address.")},
        {"host.results-pending",
            QT_TRANSLATE_NOOP("Sentences",
                "Results of {tasks|task|tasks} on {host} have not come to this computer yet. Wait until they are here; "
                "if the host is removed now, they stay there.")},
        {"host.results-coming",
            QT_TRANSLATE_NOOP("Sentences",
                "Results of {tasks|task|tasks} on {host} are still coming to this computer. Wait until they are here, "
                "then change its address.")},
        {"host.is-local",
            QT_TRANSLATE_NOOP("Sentences",
                "'local' is this computer, which is always in the list. To add another one, give user@host, or a name "
                "from your ssh configuration.")},
        {"host.key-changed",
            QT_TRANSLATE_NOOP("Sentences",
                "The host key of {name} has changed. If you know why, remove the old one with "
                "'{remove}' and log in once with '{ssh}'.")},
        {"host.key-changed.seen",
            QT_TRANSLATE_NOOP("Sentences",
                "The host key of {name} has changed: its fingerprint is {fingerprint} now. Compare it with what the "
                "administrator of the host says. If it is right, remove the old one with '{remove}' and log in once "
                "with "
                "'{ssh}'.")},
        {"host.key-unknown",
            QT_TRANSLATE_NOOP("Sentences", "The host key of {name} is not known yet. Log in once with '{ssh}'.")},
        {"host.local", QT_TRANSLATE_NOOP("Sentences", "This computer cannot be removed.")},
        {"host.name-unknown", QT_TRANSLATE_NOOP("Sentences", "The name {name} cannot be resolved.")},
        {"host.needs-login",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} asks for a password or another key. Make sure that '{ssh}' works without a question, for "
                "instance by setting up a key with ssh-copy-id.")},
        {"host.needs-login.key",
            QT_TRANSLATE_NOOP("Sentences",
                "{computer} does not let the user {user} in: it accepts only {methods}, and none of the keys that ssh "
                "has. Make sure that {user} is the right user and that its ~/.ssh/authorized_keys there has your "
                "public key, so that '{ssh}' works without a question.")},
        {"host.needs-login.key.file",
            QT_TRANSLATE_NOOP("Sentences",
                "{computer} does not let the user {user} in: it accepts only {methods}, and none of the keys that ssh "
                "has tried: {keys}. Make sure that {user} is the right user, and have the public key ({publicKeys}) "
                "added to ~/.ssh/authorized_keys of that user there. Then check the host again.")},
        {"host.needs-login.key.agent",
            QT_TRANSLATE_NOOP("Sentences",
                "{computer} does not let the user {user} in: it accepts only {methods}, and none of the keys that your "
                "ssh agent has: {keys}. Make sure that {user} is the right user, and have the public key, which "
                "'ssh-add -L' prints, added to ~/.ssh/authorized_keys of that user there. Then check the host again.")},
        {"host.needs-login.key.none",
            QT_TRANSLATE_NOOP("Sentences",
                "{computer} does not let the user {user} in: it accepts only {methods}, and ssh has offered no key. "
                "Create one with ssh-keygen, or name yours with IdentityFile in ~/.ssh/config. Make sure that {user} "
                "is the right user, and have the public key added to ~/.ssh/authorized_keys of that user there. Then "
                "check the host again.")},
        {"host.needs-login.password",
            QT_TRANSLATE_NOOP("Sentences",
                "{computer} does not let the user {user} in without a password or another key (it accepts {methods}). "
                "Make sure that {user} is the right user and that '{ssh}' works without a question, for instance by "
                "setting up a key with ssh-copy-id.")},
        {"host.needs-login.password.keys",
            QT_TRANSLATE_NOOP("Sentences",
                "{computer} does not let the user {user} in without a password or another key: it accepts {methods}, "
                "and none of the keys that ssh has tried: {keys}. Make sure that {user} is the right user and that "
                "'{ssh}' works without a question, for instance by setting up a key with ssh-copy-id.")},
        {"host.needs-login.locked",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} is reached with the key {key}, which needs its pass phrase, and none was given. Check the host "
                "again to type it, or load the key into your ssh agent with ssh-add.")},
        {"host.needs-login.locked-wrong",
            QT_TRANSLATE_NOOP("Sentences",
                "The pass phrase of the key {key}, with which {host} is reached, was wrong. Check the host again to "
                "type it.")},
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
            QT_TRANSLATE_NOOP(
                "Sentences", "{host} is not connected, so it cannot be asked at the moment. Check the host first.")},
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
                "The login on {host} works, but in {seconds|second|seconds} its shell has neither run a command nor "
                "printed anything. Its start-up files take longer than that, or wait for something that does not come. "
                "Find out with '{ssh} echo ok', which must print ok.")},
        {"host.shell-silent",
            QT_TRANSLATE_NOOP("Sentences",
                "The login on {host} works, but the host ends the connection without running a command (status "
                "{status}). The account may have no login shell or be meant for file transfers only, or its start-up "
                "files may end the shell. Use an account with an ordinary login shell, or ask the administrator for "
                "one: '{ssh} echo ok' must print ok.")},
        {"host.shell-waits",
            QT_TRANSLATE_NOOP("Sentences",
                "The login on {host} works, but in {seconds|second|seconds} the host has run no command, and shows "
                "this instead: '{message}'. If it is a gateway, give the computer behind it as the target, with "
                "ProxyJump in your ssh configuration. Otherwise its start-up files take longer than that. '{ssh} echo "
                "ok' must print ok.")},
        {"host.ssh-config", QT_TRANSLATE_NOOP("Sentences", "ssh does not accept its configuration: {message}")},
        {"host.ssh-failed", QT_TRANSLATE_NOOP("Sentences", "ssh could not connect to {host}: {message}")},
        {"host.ssh-missing", QT_TRANSLATE_NOOP("Sentences", "The program ssh cannot be started: {message}")},
        {"host.unknown", QT_TRANSLATE_NOOP("Sentences", "There is no host {host}.")},
        {"host.unreachable", QT_TRANSLATE_NOOP("Sentences", "{host} cannot be reached: {message}")},
    };
    return rows;
}

} // namespace trainyard::sentences
