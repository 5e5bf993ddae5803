// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "engine/api/outputtries.h"

namespace trainyard::cli
{

// The tries of tasks of one attempt, in their order: also those in the attempts from `first` on that came before it.
Result<QHash<QString, QList<OutputTry>>> triesOfTasks(
    Session &session, const QString &uuid, int first, const QList<TaskInfo> &tasks);

} // namespace trainyard::cli
