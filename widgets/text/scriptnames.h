// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

// A line of an output as it is shown to people. bash puts the name of the script in front of what it says: of the
// commands of a task that is a long path of ours, or only the descriptor that it reads them from (docs/task-folder.md).
// "task.sh" or "commands" is left of it.
QString withShortScriptName(const QString &line);
// The same for a line of a log, whose bytes stay as they are otherwise, and only for the scripts of runs: the user's
// own may have the same name.
QByteArray withShortScriptName(const QByteArray &line);

} // namespace trainyard
