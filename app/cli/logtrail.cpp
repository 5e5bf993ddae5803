// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/logtrail.h"

#include "engine/api/tasklabel.h"

namespace trainyard::cli
{
namespace
{

QString folderOfTry(const QString &other, int taskTry)
{
    return other.section(u'/', 0, -2) + u'/' + QString::number(taskTry);
}

} // namespace

LogPlace placeOfLog(const QString &folder)
{
    return {folder.section(u'/', -3, -3).toInt(), folder.section(u'/', -1).toInt()};
}

LogTrail::LogTrail(EngineClient &client, const JobWatcher &watcher, LogFollow &logs, const QString &role, int index)
    : m_client(client), m_watcher(watcher), m_logs(logs), m_role(role), m_index(index)
{
    connect(&watcher, &JobWatcher::taskChanged, this, &LogTrail::take);
    connect(&watcher, &JobWatcher::over, this, &LogTrail::end);
}

void LogTrail::startAt(const QList<TaskInfo> &tasks)
{
    for (const TaskInfo &task : tasks) {
        m_attempt = m_seen = task.attempt;
        if (!task.keptFrom && !task.logFolder.isEmpty()) {
            m_next.insert({task.role, task.index}, placeOfLog(task.logFolder).taskTry);
        }
        add(task, LogFollow::From::Tail);
    }
}

void LogTrail::take(const TaskInfo &task)
{
    if (task.attempt > m_attempt) {
        m_seen = std::max(m_seen, task.attempt);
        if (!m_catchingUp) {
            m_catchingUp = true;
            catchUp(0);
        }
    } else if (task.attempt == m_attempt) {
        add(task, LogFollow::From::Start);
    }
}

void LogTrail::add(const TaskInfo &task, LogFollow::From from)
{
    if (task.logFolder.isEmpty()
        || (!m_role.isEmpty() && (task.role != m_role || (m_index >= 0 && task.index != m_index)))) {
        return;
    }
    const QString label = taskLabel(task);
    if (task.keptFrom) {
        m_logs.add({label, task.logFolder}, {}, from);
        return;
    }
    const int shown = placeOfLog(task.logFolder).taskTry;
    int &next = m_next[{task.role, task.index}];
    for (; next <= shown; ++next) {
        const bool isFirst = next == 0 || from == LogFollow::From::Tail;
        m_logs.add({label, folderOfTry(task.logFolder, next)},
            isFirst ? QString() : tr("Try %1 of %2 begins.").arg(QString::number(next + 1), taskLabel(task)), from);
    }
}

// Reads what is missing of m_attempt: its last events may have been overtaken by the next attempt.
void LogTrail::catchUp(int from)
{
    m_client.call<api::ListTasks>({m_watcher.uuid(), m_attempt, from, EngineClient::tasksAtOnce}, this,
        [this, from](const Result<QList<TaskInfo>> &tasks) {
            if (!tasks && tasks.error().code == QLatin1String("engine.gone") && !m_over) {
                m_catchingUp = false; // the watcher reads all of them again
                return;
            }
            for (const TaskInfo &task : tasks.value_or(QList<TaskInfo>())) {
                add(task, LogFollow::From::Start);
            }
            if (tasks && tasks->size() == EngineClient::tasksAtOnce) {
                catchUp(from + EngineClient::tasksAtOnce);
            } else {
                beginNext();
            }
        });
}

void LogTrail::beginNext()
{
    ++m_attempt;
    m_next.clear();
    m_logs.addBorder(tr("Attempt %1 of the job begins.").arg(m_attempt + 1));
    if (m_attempt < m_seen) {
        catchUp(0);
        return;
    }
    m_catchingUp = false;
    const QList<TaskInfo> tasks = m_watcher.tasks();
    for (const TaskInfo &task : tasks) {
        take(task);
    }
    if (m_over && !m_catchingUp) {
        m_logs.close();
    }
}

void LogTrail::end()
{
    m_over = true;
    if (!m_catchingUp) {
        m_logs.close();
    }
}

} // namespace trainyard::cli
