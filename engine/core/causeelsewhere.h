// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/failurefacts.h"

namespace trainyard::core
{

// Of several tasks that fail together, the first one to end is often not the one that failed first: it only reports
// that another one did not answer.

// Whether the output of a task shows for certain why that task failed, by the arguments of its reason.
bool showsCause(const QJsonObject &reasonArgs);

// Puts the cause of `task` (ROLE/INDEX), by the arguments of its reason, and replaces one that only follows from it.
// False: what is there is a cause itself, or the task shows none.
bool takeCauseOf(const QString &task, const QJsonObject &reasonArgs, QJsonObject *ofAttempt);

} // namespace trainyard::core
