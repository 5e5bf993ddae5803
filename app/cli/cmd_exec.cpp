// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/hostcommand.h"
#include "app/cli/jobcommands.h"
#include "app/cli/session.h"
#include "app/cli/sharedoptions.h"
#include "engine/core/jobstate.h"
#include "model/base/shellquote.h"

#include <QFile>
#include <QProcess>

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// $1: the process of the task on its host; $2: the name that its container would have; the rest is the command. It
// takes over the environment and the folder of the task, inside the container if there is one, and then becomes the
// command.
constexpr const char *enter = R"SH(
__ty_pid=$1 __ty_name=$2
shift 2
if ! [[ -r /proc/$__ty_pid/environ ]]; then
    printf 'trainyardctl: The process %s of the task is not there.\n' "$__ty_pid" >&2
    exit 3
fi
# Takes on what the process $1 has; the rest is the command.
__ty_enter='
while IFS= read -r -d "" __ty_e; do
    case $__ty_e in
        TERM=* | SHLVL=* | __ty_*=* | PWD=* | OLDPWD=* | _=* | BASH_FUNC_*) continue ;;
    esac
    [[ ${__ty_e%%=*} =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]] && export "$__ty_e"
done <"/proc/$1/environ"
cd "/proc/$1/cwd" && cd "$(pwd -P)"
shift
unset __ty_e
[[ $# == 0 ]] && set -- bash -i
exec "$@"
'
if [[ $(readlink "/proc/$__ty_pid/ns/mnt") != "$(readlink /proc/self/ns/mnt)" ]]; then
    for __ty_runtime in podman docker; do
        type -P "$__ty_runtime" >/dev/null && "$__ty_runtime" inspect "$__ty_name" >/dev/null 2>&1 || continue
        __ty_options=(-i -e "TERM=${TERM-dumb}")
        [[ -t 0 && -t 1 ]] && __ty_options+=(-t)
        # The first process that has the environment of the task; what began the container has not.
        exec "$__ty_runtime" exec "${__ty_options[@]}" "$__ty_name" bash -c '
            __ty_main=
            for __ty_p in /proc/[0-9]*; do
                __ty_p=${__ty_p#/proc/}
                [[ -z $__ty_main || $__ty_p -lt $__ty_main ]] || continue
                while IFS= read -r -d "" __ty_e; do
                    [[ $__ty_e == TRAINYARD_TRY=* ]] && __ty_main=$__ty_p && break
                done 2>/dev/null <"/proc/$__ty_p/environ"
            done
            set -- "${__ty_main:-1}" "$@"
            unset __ty_main __ty_p'"$__ty_enter" trainyard-exec "$@"
    done
    printf 'trainyardctl: The container of the task cannot be entered; this is the side of its host.\n' >&2
fi
exec env -i "TERM=${TERM-dumb}" PATH=/usr/local/bin:/usr/bin:/bin bash --noprofile --norc -c "$__ty_enter" \
    trainyard-exec "$__ty_pid" "$@"
)SH";

int become(const QStringList &arguments)
{
    std::vector<QByteArray> words;
    for (const QString &argument : arguments) {
        words.push_back(QFile::encodeName(argument));
    }
    std::vector<char *> pointers;
    for (QByteArray &word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    ::execvp(pointers.front(), pointers.data());
    errorLine(tr("%1 cannot be started: %2").arg(arguments.first(), QString::fromLocal8Bit(std::strerror(errno))));
    return exitUnusable;
}

// Like become(), but what ssh says of a host that cannot be reached is put into words.
int runThere(const HostInfo &host, const QString &command)
{
    HostCommand there(host, command, ::isatty(0) != 0 && ::isatty(1) != 0);
    QProcess ssh;
    ssh.setProcessChannelMode(QProcess::ForwardedChannels);
    ssh.setInputChannelMode(QProcess::ForwardedInputChannel);
    // What is typed to end the command is for ssh, which passes it on; and ssh ends with this program.
    ssh.setChildProcessModifier([] {
        ::signal(SIGINT, SIG_DFL);
        ::signal(SIGQUIT, SIG_DFL);
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    });
    ::signal(SIGINT, SIG_IGN);
    ::signal(SIGQUIT, SIG_IGN);
    there.start(ssh);
    ssh.waitForFinished(-1);
    return there.failure(ssh).value_or(statusOf(ssh));
}

struct ExecValues {
    QStringList words;
    QStringList command; // may have options of its own
};
const CommandLine<ExecValues> &execLine();

int runExec(const ExecValues &values)
{
    const QString &task = values.words.at(1);
    bool isNumber = false;
    const int index = task.section(u'/', -1).toInt(&isNumber);
    const QString role = task.section(u'/', 0, -2);
    if (role.isEmpty() || !isNumber) {
        return execLine().wrongUsage(tr("Give a JOB and a task, ROLE/INDEX."));
    }
    QStringList program{
        u"bash"_s, u"--noprofile"_s, u"--norc"_s, u"-c"_s, QString::fromLatin1(enter), u"trainyard-exec"_s};
    HostInfo host;
    {
        Session session;
        JobSummary job;
        if (const int status = session.connectFor(values.words.constFirst(), job); status != exitOk) {
            return status;
        }
        const Result<QList<TaskInfo>> tasks = session.allTasks(job.uuid, -1);
        if (!tasks) {
            return report(tasks.error());
        }
        const auto it = std::find_if(tasks->cbegin(), tasks->cend(),
            [&](const TaskInfo &one) { return one.role == role && one.index == index; });
        if (it == tasks->cend()) {
            errorLine(tr("The job has no task %1.").arg(task));
            return exitUnusable;
        }
        if (it->state != State::Running || it->pid <= 0) {
            errorLine(tr("The task %1 is not running, so no command can run in it.").arg(task));
            return exitRefused;
        }
        const QUuid running = core::tryUuid(QUuid::fromString(job.uuid), it->attempt, it->role, it->index, it->tries);
        program += {QString::number(it->pid), u"trainyard-"_s + running.toString(QUuid::WithoutBraces)};
        const QList<HostInfo> hosts = session.client().hosts();
        for (const HostInfo &each : hosts) {
            if (each.id == it->host) {
                host = each;
            }
        }
    }
    program += values.command;
    if (host.target.isEmpty()) {
        return become(program);
    }
    QStringList quoted;
    for (const QString &word : std::as_const(program)) {
        quoted.append(QString::fromUtf8(shellQuote(word.toUtf8())));
    }
    // A shell that stays makes a status of a signal that ends the command; ssh by itself says 255 then.
    const QByteArray kept = quoted.join(u' ').toUtf8() + "; exit $?";
    return runThere(host, u"sh -c "_s + QString::fromUtf8(shellQuote(kept)));
}

struct ReleaseValues {
    QStringList words;
};

int runRelease(const ReleaseValues &values)
{
    const QStringList &words = values.words;
    Session session;
    JobSummary job;
    if (const int status = session.connectFor(words.first(), job); status != exitOk) {
        return status;
    }
    const Result<bool> released = session.call<api::Release>({job.uuid, words.mid(1)});
    if (!released) {
        return report(released.error());
    }
    if (!*released) {
        errorLine(words.size() > 1 ? tr("None of these tasks is kept for inspection.")
                                   : tr("No task of the job is kept for inspection."));
        return exitRefused;
    }
    return exitOk;
}

const CommandLine<ExecValues> &execLine()
{
    static const CommandLine<ExecValues> line
        = CommandLine<ExecValues>(u"exec"_s, tr("Run a command next to a running task"))
              .runs(runExec, {u"JOB ROLE/INDEX"_s, 2, 2, Word::Job, tr("Give a JOB and a task, ROLE/INDEX.")})
              .rest(u"[--] [COMMAND ...]"_s, &ExecValues::command)
              .text(tr("Runs COMMAND on the host of a running task, in its environment and work folder; without "
                       "COMMAND a shell. If the task runs in podman or docker, COMMAND runs inside its container."))
              .examples({u"trainyardctl exec 41 worker/0 -- nvidia-smi"_s, u"trainyardctl exec resnet main/0"_s})
              .exits({{-1, tr("that of COMMAND")}, {exitUnusable, tr("no such job or task, or wrong usage")},
                  {exitNoEngine, tr("no engine, or its host cannot be reached")},
                  {exitRefused, tr("the task is not running")}});
    return line;
}

} // namespace

Command releaseCommand()
{
    static const CommandLine<ReleaseValues> line
        = CommandLine<ReleaseValues>(u"release"_s, tr("Release failed tasks that are kept for inspection"))
              .runs(runRelease, {u"JOB [ROLE/INDEX...]"_s, 1, anyNumber, Word::Job, whichJob()})
              .text(tr("With holdAfterFailureMinutes, a task whose commands have failed is kept with its shell, GPUs "
                       "and ports, so that you can inspect it with 'exec'. This command ends it early, with the status "
                       "of its commands; without a task it ends all that are kept."))
              .examples({u"trainyardctl release 41 worker/0"_s})
              .exits({{exitOk, tr("ok")}, {exitUnusable, tr("no such job, or wrong usage")},
                  {exitNoEngine, tr("no engine")}, {exitRefused, tr("no such task is kept")}});
    return line.command();
}

Command execCommand() { return execLine().command(); }

} // namespace trainyard::cli
