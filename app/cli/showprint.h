// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QStringList>

namespace trainyard::cli
{

inline constexpr int tasksShown = 50; // of a job, where not all are asked for

// Prints a job as 'show' does, or an attempt of it; `tasks` of `total` are those that may be chosen.
void printJob(const JobDetail &detail, bool ofAttempt, const QList<TaskInfo> &tasks, int total, bool allTasks,
    const QStringList &missingLogs, const QStringList &sharedMetrics, const QStringList &resultsHere);

} // namespace trainyard::cli
