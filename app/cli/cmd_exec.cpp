// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/session.h"
#include "model/base/shellquote.h"

#include <QCoreApplication>
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

QString tr(const char *text) { return QCoreApplication::translate("trainyardctl", text); }

// Takes on the environment and the folder of the task's process, then becomes the command.
constexpr const char *enter = R"SH(
if ! [[ -r /proc/$1/environ ]]; then
    printf 'trainyardctl: The process %s of the task is not there.\n' "$1" >&2
    exit 3
fi
while IFS= read -r -d '' __ty_e; do
    case $__ty_e in
        TERM=* | SHLVL=* | PWD=* | OLDPWD=* | _=* | BASH_FUNC_*) continue ;;
    esac
    [[ ${__ty_e%%=*} =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]] && export "$__ty_e"
done <"/proc/$1/environ"
cd "/proc/$1/cwd" && cd "$(pwd -P)"
shift
unset __ty_e
[[ $# == 0 ]] && set -- bash -i
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

int run(const QStringList &arguments)
{
    // What follows the task is the command's own, with or without "--".
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
    QStringList program{u"env"_s, u"-i"_s, QString(u"TERM="_s + qEnvironmentVariable("TERM", u"dumb"_s)),
        u"PATH=/usr/local/bin:/usr/bin:/bin"_s, u"bash"_s, u"--noprofile"_s, u"--norc"_s, u"-c"_s,
        QString::fromLatin1(enter), u"trainyard-exec"_s};
    QString target;
    {
        Session session;
        if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
            return status;
        }
        const Result<JobSummary> job = session.findJob(names.first());
        if (!job) {
            return report(job.error());
        }
        const Result<QList<TaskInfo>> tasks = session.allTasks(job->uuid, -1);
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
            errorLine(tr("The task %1 is not running: there is nothing to enter.").arg(task));
            return exitRefused;
        }
        program.append(QString::number(it->pid));
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
    QStringList ssh{u"ssh"_s};
    if (const QString config = qEnvironmentVariable("TRAINYARD_SSH_CONFIG"); !config.isEmpty()) {
        ssh += {u"-F"_s, config};
    }
    if (::isatty(0) != 0 && ::isatty(1) != 0) {
        ssh.append(u"-t"_s);
    }
    return become(ssh + QStringList{u"--"_s, target, quoted.join(u' ')});
}

} // namespace

Command execCommand()
{
    return {u"exec"_s, tr("run a command beside a running task"),
        tr("exec JOB ROLE/INDEX [--] [COMMAND ...]\n\n"
           "Runs COMMAND on the host of a running task, in its environment and work folder; without COMMAND a shell.\n"
           "Of tasks in containers it is the host's side. It ends with the task.\n\n"
           "Examples:\n"
           "  trainyardctl exec 41 worker/0 -- nvidia-smi\n"
           "  trainyardctl exec resnet main/0\n\n"
           "Exit status: that of COMMAND; 2 no such job or task, or wrong usage; 3 no engine; 4 the task does not "
           "run."),
        run};
}

} // namespace trainyard::cli
