// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

namespace trainyard
{

struct RoleCounts {
    QString role;
    TaskCounts counts;
    friend bool operator==(const RoleCounts &, const RoleCounts &) = default;
};

// A summary of an attempt, however many tasks it has: all roles with their counts, and the first tasks of each role and
// state, in role order. The RPC `outline {id, attempt, limit}`.
struct TaskOutline {
    QList<RoleCounts> roles;
    QList<TaskInfo> tasks;
    QJsonObject toJson() const;
    static TaskOutline fromJson(const QJsonObject &json);
    friend bool operator==(const TaskOutline &, const TaskOutline &) = default;
};

void countState(TaskCounts &counts, State state, int more = 1);

} // namespace trainyard
