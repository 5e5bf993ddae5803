// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/taskpages.h"

#include <utility>

namespace trainyard
{

void TaskPages::begin()
{
    m_tasks.clear();
    m_places.clear();
    m_isUnderWay = true;
}

void TaskPages::add(const QList<TaskInfo> &page)
{
    for (const TaskInfo &task : page) {
        m_places.insert({task.role, task.index}, m_tasks.size());
        m_tasks.append(task);
    }
}

void TaskPages::apply(const QList<TaskInfo> &changed)
{
    for (const TaskInfo &task : changed) {
        const auto place = m_places.constFind({task.role, task.index});
        if (place != m_places.cend() && m_tasks.at(*place).attempt == task.attempt) {
            m_tasks[*place] = task;
        }
    }
}

QList<TaskInfo> TaskPages::take()
{
    m_places.clear();
    m_isUnderWay = false;
    return std::exchange(m_tasks, {});
}

} // namespace trainyard
