// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/failurefacts.h"
#include "engine/api/values.h"

#include <QJsonArray>

#include <optional>

namespace trainyard
{

// The kind of a health mark, by which settings and jobs silence it: "jump" of "health.jump". Two codes may be of one
// kind.
QString healthKind(const QString &code);

// The marks as they are stored.
QJsonArray healthJson(const QList<HealthMark> &marks);
QList<HealthMark> healthFrom(const QJsonArray &json);

// The mark that says that a loss of this try was no longer a number; null without one.
const HealthMark *brokenLoss(const QList<HealthMark> &marks, const TaskInfo &task);

// If the output does not show why a task failed, but its loss was no longer a number, that is the likely cause. The
// mark, which is often made after the end, is added to the reason, so that every reader of the reason has it.
void explainByHealth(const QList<HealthMark> &marks, TaskInfo &task);
void explainByHealth(JobSummary &job); // by the task that its reason names
// The mark that explains a failure, if one does.
std::optional<HealthMark> explainingMark(const FailureFacts &facts);

} // namespace trainyard
