// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/tasktries.h"

#include "engine/api/outputtries.h"

#include <algorithm>

namespace trainyard
{
namespace
{
// A task whose result is that of a former attempt had its tries there.
int attemptOf(const TaskInfo &task) { return task.keptFrom.value_or(task.attempt); }

bool isSameTask(const TaskInfo &a, const TaskInfo &b)
{
    return a.index == b.index && a.role == b.role && a.attempt == b.attempt && attemptOf(a) == attemptOf(b);
}

bool isBegun(const TaskInfo &task) { return newestBegunTry(task) == task.tries; }
} // namespace

bool TaskTries::setTask(const TaskInfo &task)
{
    if (!m_task || !isSameTask(*m_task, task)) {
        clear();
    }
    const bool isRetried = task.tries > (m_task ? m_task->tries : 0);
    m_task = task;
    if (m_chosen == task.tries && isBegun(task)) {
        m_chosen.reset(); // chosen before it began: from now on it is the newest
    }
    return isRetried;
}

bool TaskTries::setEarlier(int attempt, const QString &role, int index, const QList<TaskInfo> &tries)
{
    if (!m_task || attemptOf(*m_task) != attempt || m_task->role != role || m_task->index != index) {
        return false;
    }
    m_earlier = tries;
    return true;
}

void TaskTries::choose(int number)
{
    const bool isNewest = m_task && m_task->tries == number && isBegun(*m_task);
    m_chosen = isNewest ? std::nullopt : std::optional(number);
}

int TaskTries::attempt() const { return m_task ? attemptOf(*m_task) : 0; }

QList<TaskInfo> TaskTries::all() const
{
    QList<TaskInfo> tries;
    if (!m_task) {
        return tries;
    }
    for (const TaskInfo &one : m_earlier) {
        if (one.tries < m_task->tries) {
            tries.append(one);
        }
    }
    tries.append(*m_task);
    if (!isBegun(*m_task)) {
        tries.last().logFolder.clear();
    }
    return tries;
}

int TaskTries::newestBegun(const TaskInfo &task) { return newestBegunTry(task); }

std::optional<TaskInfo> TaskTries::shown() const
{
    if (!m_task) {
        return std::nullopt;
    }
    const int number = m_chosen.value_or(newestBegun(*m_task));
    const QList<TaskInfo> tries = all();
    const auto at
        = std::find_if(tries.cbegin(), tries.cend(), [number](const TaskInfo &one) { return one.tries == number; });
    return at == tries.cend() ? *m_task : *at;
}

} // namespace trainyard
