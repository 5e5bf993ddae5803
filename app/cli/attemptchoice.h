// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <optional>

namespace trainyard::cli
{

// The attempt of a job that a command uses: the one of --attempt, counted from 1, or the newest that has begun
// (newestThatRan). Nothing: there is no such attempt, which it has reported.
std::optional<int> chosenAttempt(const JobSummary &job, const std::optional<qint64> &wanted);
// Says that the tasks are those of a former attempt, unless the user has asked for it.
void sayIfFormer(const JobSummary &job, const std::optional<qint64> &wanted, const QList<TaskInfo> &tasks);

} // namespace trainyard::cli
