// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

// The form in which programs print the name of a task and users type it: "worker/0".
inline QString taskLabel(const QString &role, int index) { return role + QLatin1Char('/') + QString::number(index); }

// The label of anything that has a role and an index: a task, a planned task, a kept one, a service.
template <typename Task> QString taskLabel(const Task &task) { return taskLabel(task.role, task.index); }

// The task that a text names. An empty role means that it names none.
struct TaskName {
    QString role;
    int index = -1;
};
inline TaskName taskNamed(const QString &label)
{
    const qsizetype slash = label.lastIndexOf(QLatin1Char('/'));
    bool isNumber = false;
    const int index = label.mid(slash + 1).toInt(&isNumber);
    return slash > 0 && isNumber && index >= 0 ? TaskName{label.left(slash), index} : TaskName();
}

} // namespace trainyard
