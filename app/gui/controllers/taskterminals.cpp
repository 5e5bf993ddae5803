// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/taskterminals.h"

#include "engine/api/tasklabel.h"
#include "engine/client/engineclient.h"
#include "engine/client/paths.h"
#include "model/base/shellquote.h"
#include "widgets/text/texts.h"

#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>

namespace trainyard
{
namespace
{

QString quotedWord(const QString &word) { return QString::fromUtf8(shellQuote(word.toUtf8())); }

// A terminal that closes at once shows nothing of what went wrong. A shell that was used ends with the status of its
// last command, which says nothing about the terminal.
QStringList staying(const QStringList &program)
{
    QStringList words;
    for (const QString &word : program) {
        words.append(quotedWord(word));
    }
    const QString script = QStringLiteral("began=$(date +%s)\n") + words.join(QLatin1Char(' '))
        + QStringLiteral("\nstatus=$?\n[ $status = 0 ] || [ $(($(date +%s) - began)) -gt 3 ] || "
                         "{ printf '\\n[%s] ' $status; read -r _; }");
    return {QStringLiteral("sh"), QStringLiteral("-c"), script};
}

} // namespace

QStringList terminalCommand(
    const QString &wanted, const QStringList &program, const std::function<QString(const QString &name)> &find)
{
    struct Known {
        const char *name, *before;
    };
    constexpr Known known[] = {{"x-terminal-emulator", "-e"}, {"gnome-terminal", "--"}, {"kgx", "--"}, {"ptyxis", "--"},
        {"konsole", "-e"}, {"xfce4-terminal", "-x"}, {"mate-terminal", "-x"}, {"kitty", nullptr}, {"alacritty", "-e"},
        {"foot", nullptr}, {"wezterm", "start"}, {"xterm", "-e"}};
    const auto command = [&program](const QString &path, const char *before) {
        QStringList words{path};
        if (before) {
            words.append(QString::fromLatin1(before));
        }
        return words + program;
    };
    if (const QString path = wanted.isEmpty() ? QString() : find(wanted); !path.isEmpty()) {
        const QString name = QFileInfo(path).fileName();
        for (const Known &one : known) {
            if (name == QLatin1String(one.name)) {
                return command(path, one.before);
            }
        }
        return command(path, "-e");
    }
    for (const Known &one : known) {
        if (const QString path = find(QString::fromLatin1(one.name)); !path.isEmpty()) {
            return command(path, one.before);
        }
    }
    return {};
}

QStringList shellInFolder(const TaskFolder &folder, const QString &shell)
{
    const QString place = folder.work.isEmpty() ? folder.folder : folder.work;
    if (folder.target.isEmpty()) {
        const QString script = QStringLiteral("cd ") + quotedWord(place) + QStringLiteral(" && exec ")
            + quotedWord(shell.isEmpty() ? QStringLiteral("bash") : shell);
        return {QStringLiteral("sh"), QStringLiteral("-c"), script};
    }
    const QString script
        = QStringLiteral("cd ") + quotedWord(place) + QStringLiteral(" && exec \"${SHELL:-/bin/sh}\" -l");
    return {QStringLiteral("ssh"), QStringLiteral("-t"), QStringLiteral("--"), folder.target,
        QStringLiteral("sh -c ") + quotedWord(script)};
}

TaskTerminals::TaskTerminals(EngineClient *client, QObject *parent) : QObject(parent), m_client(client) { }

void TaskTerminals::open(
    const JobSummary &job, const TaskInfo &task, const std::function<void(const QString &sentence)> &problem)
{
    const auto start = [problem](const QStringList &program) {
        const QStringList words = terminalCommand(qEnvironmentVariable("TERMINAL"), staying(program),
            [](const QString &name) { return QStandardPaths::findExecutable(name); });
        if (words.isEmpty()) {
            problem(tr("No terminal program was found. Install one, or name it in the variable TERMINAL."));
        } else if (!QProcess::startDetached(words.constFirst(), words.mid(1))) {
            problem(tr("%1 could not be started.").arg(words.constFirst()));
        }
    };
    if (const QString control = paths::program(QStringLiteral("trainyardctl"));
        task.state == State::Running && task.pid > 0 && !control.isEmpty()) {
        start({control, QStringLiteral("exec"), QString::number(job.id), taskLabel(task)});
        return;
    }
    m_client->call<api::GetTaskFolder>({job.uuid, task.role, task.index}, this,
        [start, problem, logs = task.logFolder](const Result<TaskFolder> &folder) {
            if (folder) {
                start(shellInFolder(*folder, qEnvironmentVariable("SHELL")));
            } else if (QFileInfo(logs).isDir()) {
                start(shellInFolder({{}, {}, logs, {}}, qEnvironmentVariable("SHELL")));
            } else {
                problem(errorText(folder.error()));
            }
        });
}

} // namespace trainyard
