// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/taskterminals.h"

#include "engine/api/tasklabel.h"
#include "engine/client/paths.h"
#include "model/base/shellquote.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>

namespace trainyard
{
namespace
{

// A terminal that closes at once shows nothing of what went wrong. A shell that was used ends with the status of its
// last command, which says nothing about the terminal.
QStringList staying(const QStringList &program)
{
    QStringList words;
    for (const QString &word : program) {
        words.append(shellWord(word));
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

static void runInTerminal(const QStringList &program, const std::function<void(const QString &sentence)> &problem)
{
    const QStringList words = terminalCommand(qEnvironmentVariable("TERMINAL"), staying(program),
        [](const QString &name) { return QStandardPaths::findExecutable(name); });
    if (words.isEmpty()) {
        problem(QCoreApplication::translate(
            "TaskTerminals", "No terminal program was found. Install one, or name it in the variable TERMINAL."));
    } else if (!QProcess::startDetached(words.constFirst(), words.mid(1))) {
        problem(QCoreApplication::translate("TaskTerminals", "%1 could not be started.").arg(words.constFirst()));
    }
}

void openHostTerminal(const HostInfo &host, const std::function<void(const QString &sentence)> &problem)
{
    // Its words hold no blanks, as no target of ssh does.
    runInTerminal(host.ssh.split(QLatin1Char(' '), Qt::SkipEmptyParts), problem);
}

void openTerminal(
    const JobSummary &job, const TaskInfo &task, const std::function<void(const QString &sentence)> &problem)
{
    const QString control = paths::program(QStringLiteral("trainyardctl"));
    if (control.isEmpty()) {
        problem(QCoreApplication::translate(
            "TaskTerminals", "The program trainyardctl, which opens the shell, is missing. Install Trainyard again."));
        return;
    }
    runInTerminal({control, QStringLiteral("ssh"), QString::number(job.id), taskLabel(task)}, problem);
}

} // namespace trainyard
