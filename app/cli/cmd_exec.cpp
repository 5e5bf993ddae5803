// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"
#include "app/cli/hostcommand.h"
#include "app/cli/jobcommands.h"
#include "app/cli/session.h"
#include "engine/core/jobstate.h"
#include "model/base/shellquote.h"

#include <QFile>

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

int runExec(const QStringList &arguments)
{
    // What follows the task belongs to the command, with or without "--".
    QStringList words = arguments;
    if (words.contains(u"--help"_s) && words.indexOf(u"--help"_s) < 2) {
        words = QStringList{u"--help"_s};
    }
    const QStringList own = words.mid(0, 2);
    QStringList command = words.mid(2);
    QCommandLineParser parser;
    if (!parse(parser, u"exec"_s, own)) {
        return exitUnusable;
    }
    const QStringList names = parser.positionalArguments();
    const QString task = names.value(1);
    bool isNumber = false;
    const int index = task.section(u'/', -1).toInt(&isNumber);
    const QString role = task.section(u'/', 0, -2);
    if (names.size() != 2 || role.isEmpty() || !isNumber) {
        return usageError(u"exec"_s, tr("Give a JOB and a task, ROLE/INDEX."));
    }
    if (command.value(0) == "--"_L1) {
        command.removeFirst();
    }
    QStringList program{
        u"bash"_s, u"--noprofile"_s, u"--norc"_s, u"-c"_s, QString::fromLatin1(enter), u"trainyard-exec"_s};
    QString target;
    {
        Session session;
        JobSummary job;
        if (const int status = session.connectFor(names.first(), job); status != exitOk) {
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
        for (const HostInfo &host : hosts) {
            target = host.id == it->host ? host.target : target;
        }
    }
    program += command;
    if (target.isEmpty()) {
        return become(program);
    }
    QStringList quoted;
    for (const QString &word : std::as_const(program)) {
        quoted.append(QString::fromUtf8(shellQuote(word.toUtf8())));
    }
    return become(sshCommand(target, quoted.join(u' '), ::isatty(0) != 0 && ::isatty(1) != 0));
}

int runRelease(const QStringList &arguments)
{
    QCommandLineParser parser;
    if (!parse(parser, u"release"_s, arguments)) {
        return exitUnusable;
    }
    const QStringList words = parser.positionalArguments();
    if (words.isEmpty()) {
        return usageError(u"release"_s, tr("Which job? Give its number, the beginning of its UUID, or its name."));
    }
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

} // namespace

Command releaseCommand()
{
    return {u"release"_s, tr("Release failed tasks that are kept for inspection"),
        tr("release JOB [ROLE/INDEX ...]\n\n"
           "With holdAfterFailureMinutes, a task whose commands have failed is kept with its shell, GPUs and ports, "
           "so\n"
           "that you can inspect it with 'exec'. This command ends it early, with the status of its commands; without "
           "a\n"
           "task it ends all that are kept.\n\n"
           "Example:\n"
           "  trainyardctl release 41 worker/0\n\n"
           "Exit status: 0 ok; 2 no such job, or wrong usage; 3 no engine; 4 no such task is kept."),
        runRelease};
}

Command execCommand()
{
    return {u"exec"_s, tr("Run a command next to a running task"),
        tr("exec JOB ROLE/INDEX [--] [COMMAND ...]\n\n"
           "Runs COMMAND on the host of a running task, in its environment and work folder; without COMMAND a shell.\n"
           "If the task runs in podman or docker, COMMAND runs inside its container.\n\n"
           "Examples:\n"
           "  trainyardctl exec 41 worker/0 -- nvidia-smi\n"
           "  trainyardctl exec resnet main/0\n\n"
           "Exit status: that of COMMAND; 2 no such job or task, or wrong usage; 3 no engine; 4 the task is not "
           "running."),
        runExec};
}

} // namespace trainyard::cli
