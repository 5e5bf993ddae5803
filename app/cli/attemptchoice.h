// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <optional>

namespace trainyard::cli
{

// Which attempt of a job a command is about: the one of --attempt, counted from 1, or the newest that has begun
// (newestThatRan). Nothing: there is no such attempt, which it has said.
std::optional<int> chosenAttempt(const JobSummary &job, const std::optional<qint64> &wanted);
// Says that the tasks are those of a former attempt, if nobody has asked for it.
void sayIfFormer(const JobSummary &job, const std::optional<qint64> &wanted, const QList<TaskInfo> &tasks);

} // namespace trainyard::cli
