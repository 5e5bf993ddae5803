// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QStringList>

#include <functional>

namespace trainyard
{

// The words that run `program` in a terminal of the desktop: $TERMINAL if it is set, else the first one that is
// installed. Empty: there is none. `find` gives the path of a program, or nothing.
QStringList terminalCommand(
    const QString &wanted, const QStringList &program, const std::function<QString(const QString &name)> &find);

// A terminal in which `trainyardctl ssh` opens a shell where the task runs or ran. `problem` reports a failure as a
// sentence.
void openTerminal(
    const JobSummary &job, const TaskInfo &task, const std::function<void(const QString &sentence)> &problem);

// A terminal that connects to a host by ssh, as the engine does, so that the user sees what fails.
void openHostTerminal(const HostInfo &host, const std::function<void(const QString &sentence)> &problem);

} // namespace trainyard
