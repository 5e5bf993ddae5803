// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobdocument.h"

#include <functional>
#include <optional>

namespace trainyard
{

// What bash cannot read in a script.
struct ShellFault {
    int line = 0; // from 1; 0: nothing was found
    QString message;
    friend bool operator==(const ShellFault &, const ShellFault &) = default;
};

// Lets the bash of this computer parse a script, of which nothing is executed. Waits for it, for a few seconds at most:
// call it on a thread that may wait. Without bash, or if it takes longer, there is no fault.
ShellFault shellFaultOf(const QString &script);

// What was found in a script, in a text that it has become since: at the line that has moved with the lines around it.
ShellFault movedFault(const ShellFault &fault, const QString &from, const QString &to);

// Of the script of a role. Nothing: it is not known yet.
using KnownShellFault = std::function<std::optional<ShellFault>(const QString &role, const QString &script)>;

// "role.commands-syntax" {role, line, message} at the commands that bash cannot read. Commands in which references
// remain are left out, and so are further ones behind many different scripts.
QList<Diagnostic> checkShell(const YamlDocument &document, const JobSpec &job, const KnownShellFault &faultOf);

// The same, added in the order of the text. Waits for bash.
void addShellFindings(ParseOutcome &outcome);

} // namespace trainyard
