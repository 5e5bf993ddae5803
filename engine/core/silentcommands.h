// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace trainyard::core
{

// The lines of a task's commands that may end it with status 1 and without a message, at most a few: conditions,
// arithmetic with the result 0, searches that find nothing, and what has its errors thrown away. bash ends the commands
// at the first one that fails, unless something decides by its status.
QStringList silentCommands(const QStringList &commands);

// The command if the task has no other one and this starts a single program, which is no shell: its status is that of
// the task. Otherwise empty.
QString onlyProgram(const QStringList &commands);

} // namespace trainyard::core
