// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/taskoutline.h"
#include "engine/api/values.h"
#include "model/runtime/exitrules.h"

namespace trainyard::openpai
{

// Jobs in the field names of OpenPAI's REST API, as `ps --json` and `show --json` print them. Fields that OpenPAI does
// not have are under "engine" (and `id`, `uuid`, `host` at the top of a list entry).

QJsonObject toListEntry(const JobSummary &job);

// Which tasks `taskStatuses` holds. The counts per role are always of all tasks.
struct TaskSelection {
    bool notSucceededOnly = true; // the first `limit` of each role that have not succeeded
    int from = 0; // counts over all roles, in role order
    int limit = 50; // <= 0: all
};

// `tasks` are all tasks of the attempt, in role order; `attempt` -1 is the newest. With `roles`, which has the counts,
// they need only be those that the selection chooses from; its `from` then counts from the first of them. `earlier` are
// tries that were not the last of their task; such tasks list all their tries as `attempts`, the latest first. `rules`
// say what the exit codes mean.
QJsonObject toDetail(const JobDetail &job, const QList<TaskInfo> &tasks, const ExitRules &rules, int attempt = -1,
    const TaskSelection &selection = {}, const QList<RoleCounts> &roles = {}, const QList<TaskInfo> &earlier = {});

} // namespace trainyard::openpai
