// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>

namespace trainyard
{

// What was captured of a task's surroundings when it started, as it stands beside its output (docs/task-folder.md).
// Empty when nothing was, or it has not come here from its host. Reads a file: not for the GUI thread.
QJsonObject capturedEnvironmentIn(const QString &logFolder);

} // namespace trainyard
