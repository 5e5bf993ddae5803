// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

// A line of an output as it is shown to people. bash puts the name of the script in front of what it says: of the
// commands of a task that is a long path of ours, or only the descriptor that it reads them from (docs/task-folder.md).
// "task.sh" or "commands" is left of it.
QString withShortScriptName(const QString &line);

} // namespace trainyard
