// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/taskshell.h"

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/hostcommand.h"
#include "app/cli/words.h"
#include "engine/clusters/slurmallocation.h"
#include "engine/core/jobstate.h"

#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>

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
// takes over the environment and the work folder of the task, inside the container if there is one, and then becomes
// the command.
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
# Where its commands are now may be anywhere.
if ! { [[ ${PAI_WORK_DIR-} == /* ]] && cd -- "$PAI_WORK_DIR" 2>/dev/null; }; then
    cd "/proc/$1/cwd" && cd "$(pwd -P)"
fi
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

// $1: a folder; $2: what to say when it is not there; the rest is the command, or a login shell.
constexpr const char *enterFolder = R"SH(
cd -- "$1" 2>/dev/null || { printf 'trainyardctl: %s\n' "$2" >&2; exit 4; }
shift 2
[ $# -gt 0 ] || set -- "${SHELL:-/bin/sh}" -l
exec "$@"
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

// Like become(), on another host; but what ssh says of a host that cannot be reached is put into words.
int becomeThere(const HostInfo &host, const QStringList &program)
{
    // A shell that stays makes a status of a signal that ends the command; ssh by itself says 255 then.
    const QString kept = shellWords(program) + u"; exit $?"_s;
    HostCommand there(host, kept, ::isatty(0) != 0 && ::isatty(1) != 0);
    QProcess ssh;
    ssh.setProcessChannelMode(QProcess::ForwardedChannels);
    ssh.setInputChannelMode(QProcess::ForwardedInputChannel);
    // Keys that end the command go to ssh, which passes them on; ssh ends with this program.
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

// The command line that runs a command beside the task of a cluster: another step of its allocation, on the task's
// node. Empty when it has no allocation, or the cluster has not said where it is. `loginHost`: where it is to be run;
// empty: here.
QStringList besideTaskOf(const QString &logFolder, QString &loginHost)
{
    const std::optional<SlurmAllocation::Link> link = SlurmAllocation::linkOf(logFolder);
    std::optional<SlurmAllocation> allocation = link ? SlurmAllocation::load(link->folder) : std::nullopt;
    const contract::LeadPlaces *places = allocation ? allocation->places(link->position) : nullptr;
    if (!places || std::size_t(link->position) >= places->tasks.size()) {
        return {};
    }
    loginHost = SlurmAllocation::loginHostOf(link->folder);
    const QString job
        = places->jobId.empty() ? allocation->idOf(link->position) : QString::fromStdString(places->jobId);
    QStringList srun{u"srun"_s, u"--jobid="_s + job, u"--overlap"_s, u"--nodes=1"_s, u"--ntasks=1"_s, u"--mem=0"_s,
        u"--mpi=none"_s, u"--nodelist="_s + QString::fromStdString(places->tasks[std::size_t(link->position)].node)};
    if (::isatty(0) != 0 && ::isatty(1) != 0) {
        srun.append(u"--pty"_s);
    }
    return srun;
}

std::function<int()> on(const HostInfo &host, const QStringList &program)
{
    return [host, program] { return host.target.isEmpty() ? become(program) : becomeThere(host, program); };
}

} // namespace

std::optional<TaskWord> taskWord(const QString &word)
{
    bool isNumber = false;
    const int index = word.section(u'/', -1).toInt(&isNumber);
    const QString role = word.section(u'/', 0, -2);
    return role.isEmpty() || !isNumber || index < 0 ? std::nullopt : std::optional(TaskWord{role, index});
}

int findTask(Session &session, const JobSummary &job, const TaskWord &word, TaskInfo &found, int attempt)
{
    const Result<QList<TaskInfo>> tasks = session.allTasks(job.uuid, attempt);
    if (!tasks) {
        return report(tasks.error());
    }
    const auto it = std::find_if(tasks->cbegin(), tasks->cend(),
        [&word](const TaskInfo &one) { return one.role == word.role && one.index == word.index; });
    if (it == tasks->cend()) {
        errorLine(tr("The job has no task %1.").arg(word.role + u'/' + QString::number(word.index)));
        return exitUnusable;
    }
    found = *it;
    return exitOk;
}

int findOnlyTask(Session &session, const JobSummary &job, TaskInfo &found, int attempt)
{
    const Result<QList<TaskInfo>> tasks = session.allTasks(job.uuid, attempt);
    if (!tasks) {
        return report(tasks.error());
    }
    QList<TaskInfo> running = *tasks;
    running.removeIf([](const TaskInfo &one) { return one.state != State::Running; });
    const QList<TaskInfo> &which = tasks->size() > 1 && running.size() == 1 ? running : *tasks;
    if (which.isEmpty()) {
        errorLine(tr("The job has no tasks yet."));
        return exitRefused;
    }
    if (which.size() > 1) {
        errorLine(tr("The job has %1 tasks. Give one of them: ROLE/INDEX.").arg(which.size()));
        return exitUnusable;
    }
    found = which.constFirst();
    return exitOk;
}

QStringList commandOf(const QStringList &words)
{
    static const QRegularExpression shellSigns(QStringLiteral("[\\s;|&<>$`(){}*?\"'\\\\]"));
    const bool isLine = words.size() == 1 && words.constFirst().contains(shellSigns);
    return isLine ? QStringList{QStringLiteral("sh"), QStringLiteral("-c"), words.constFirst()} : words;
}

bool isEnterable(const TaskInfo &task) { return task.state == State::Running && task.pid > 0; }

std::function<int()> shellInTask(
    Session &session, const JobSummary &job, const TaskInfo &task, const QStringList &command)
{
    const QUuid running = core::tryUuid(QUuid::fromString(job.uuid), task.attempt, task.role, task.index, task.tries);
    const QStringList program
        = QStringList{u"bash"_s, u"--noprofile"_s, u"--norc"_s, u"-c"_s, QString::fromLatin1(enter),
              u"trainyard-exec"_s, QString::number(task.pid), u"trainyard-"_s + running.toString(QUuid::WithoutBraces)}
        + command;
    QString loginHost;
    if (const QStringList srun = besideTaskOf(task.logFolder, loginHost); !srun.isEmpty()) {
        return on(loginHost.isEmpty() ? HostInfo() : hostNamed(session, loginHost), srun + program);
    }
    return on(hostNamed(session, task.host), program);
}

std::function<int()> shellInFolder(Session &session, const TaskFolder &folder, const QStringList &command)
{
    HostInfo host = hostNamed(session, folder.host);
    host.id = folder.host;
    host.target = folder.target;
    const QString missing = host.target.isEmpty()
        ? tr("The folder %1, in which the task ran, no longer exists.").arg(folder.work)
        : tr("The folder %1, in which the task ran, is no longer on %2.").arg(folder.work, host.id);
    return on(host,
        QStringList{u"sh"_s, u"-c"_s, QString::fromLatin1(enterFolder), u"trainyard-shell"_s, folder.work, missing}
            + command);
}

} // namespace trainyard::cli
