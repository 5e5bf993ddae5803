// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/failurefacts.h"

#include <QJsonObject>

namespace trainyard
{

// The environment that a task found when it started (CapturedEnvironment), in the form for compareRuns(): without the
// parts that differ in every run. Empty when nothing was captured, or when it has not arrived from its host. Reads
// files, so it is not for the GUI thread.
QJsonObject capturedEnvironmentIn(const QString &logFolder);
// Adds to a missing module the Python with which the commands began (`python`), as far as the record of the task is
// here. Other facts stay as they are. Reads files, too.
FailureFacts namingPython(FailureFacts facts, const QString &logFolder);

} // namespace trainyard
