// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/failurefacts.h"

#include <QJsonObject>

namespace trainyard
{

// What a task found when it started (CapturedEnvironment), as compareRuns() takes it: without what is of its own in
// every run. Empty when nothing was captured, or it has not come here from its host. Reads files: not for the GUI
// thread.
QJsonObject capturedEnvironmentIn(const QString &logFolder);
// Adds to a missing module the Python with which the commands began (`python`), as far as the record of the task is
// here. Other facts stay as they are. Reads files, too.
FailureFacts namingPython(FailureFacts facts, const QString &logFolder);

} // namespace trainyard
