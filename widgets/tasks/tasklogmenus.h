// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QObject>

class QMenu;

namespace trainyard
{

class LogPane;
class TaskTries;
class TasksPane;

// The menus in the head of the log of a task: which task is shown, or which ones together, and which of its tries.
class TaskLogMenus : public QObject
{
    Q_OBJECT
public:
    TaskLogMenus(TasksPane *tasks, LogPane *log, const TaskTries *tries, QObject *parent);
    void add(); // when there is a task: a button without a menu has no arrow

Q_SIGNALS:
    void taskChosen(const QString &role, int index);
    void togetherChosen(const QList<std::pair<QString, int>> &tasks);
    void tryChosen(int number);

private:
    void fillTasks();
    void addTogether(QMenu *menu, const QString &text, const QList<TaskInfo> &tasks);
    void fillTries();
    TasksPane *m_tasks;
    LogPane *m_log;
    const TaskTries *m_tries;
};

} // namespace trainyard
