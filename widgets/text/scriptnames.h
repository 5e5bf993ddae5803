// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace trainyard
{

// A line of an output as it is shown to people. bash puts the name of the script in front of what it says: of the
// commands of a task that is a long path of ours, or only the descriptor that it reads them from (docs/task-folder.md).
// "task.sh" or "commands" is left of it.
QString withShortScriptName(const QString &line);
// The same for a line of a log, whose bytes stay as they are otherwise, and only for the scripts of runs: the user's
// own may have the same name. Such a message may also be behind other text: a program that is killed leaves its
// progress bar without an end of line.
QByteArray withShortScriptName(const QByteArray &line);
// What that leaves out, in bytes.
struct ScriptFolder {
    qsizetype at = 0, length = 0;
};
std::optional<ScriptFolder> scriptFolderIn(const QByteArray &line);

} // namespace trainyard
