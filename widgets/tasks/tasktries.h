// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <optional>

namespace trainyard
{

// The tries of the chosen task within an attempt, and which of them is shown: the newest that has begun, unless
// another one is chosen. Values only.
class TaskTries
{
public:
    // The chosen task as it is now. True: it was begun again, and its earlier tries are to be asked for.
    bool setTask(const TaskInfo &task);
    // The tries that were not its last, in their order. False: they are of another task.
    bool setEarlier(int attempt, const QString &role, int index, const QList<TaskInfo> &tries);
    void choose(int number); // from 0
    void clear() { *this = {}; }

    const std::optional<TaskInfo> &task() const { return m_task; }
    int attempt() const; // in which the task had its tries
    QList<TaskInfo> all() const; // oldest first; none without a task
    std::optional<TaskInfo> shown() const;
    static int newestBegun(const TaskInfo &task); // the number of its newest try that has begun: the one with the log

private:
    std::optional<TaskInfo> m_task;
    QList<TaskInfo> m_earlier;
    std::optional<int> m_chosen; // by hand
};

} // namespace trainyard
