// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include <functional>

namespace trainyard::cli
{

// The exit statuses of trainyardctl, which its help and its manual page document.
enum ExitStatus : int {
    exitOk = 0,
    exitNo = 1, // the answer is no: the check found errors, the job failed
    exitUnusable = 2, // cannot read the input or write the output, or wrong usage
    exitNoEngine = 3, // no engine or no host
    exitRefused = 4, // understood, and refused
    exitInterrupted = 130
};

// One sub-command. `run` gets the arguments after the command's name and returns an exit status; --help is handled
// before.
struct Command {
    QString name;
    QString summary; // one line for the list of commands
    QString usage; // without the program's name; then an empty line and what the options mean
    std::function<int(const QStringList &arguments)> run;
};

// All commands, in the order of the help.
const QList<Command> &commands();

// Each is in a file of its own, cmd_<name>.cpp, and listed in commands.cpp.
Command checkCommand();
Command renderCommand();
Command editCommand();
Command templatesCommand();
Command convertCommand();
Command explainCommand();
Command completionCommand(); // cmd_completion.cpp has these two
Command versionCommand();

} // namespace trainyard::cli
