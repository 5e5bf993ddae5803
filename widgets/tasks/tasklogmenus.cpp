// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/tasklogmenus.h"

#include "engine/api/tasklabel.h"
#include "widgets/common/labels.h"
#include "widgets/common/statepainter.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/tasks/tasktries.h"
#include "widgets/text/texts.h"

#include <QMap>
#include <QMenu>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr qsizetype mostInMenu = 40;
}

TaskLogMenus::TaskLogMenus(TasksPane *tasks, LogPane *log, const TaskTries *tries, QObject *parent)
    : QObject(parent), m_tasks(tasks), m_log(log), m_tries(tries)
{
}

void TaskLogMenus::add()
{
    if (m_log->titleButton()->menu()) {
        return;
    }
    auto *tasksMenu = new QMenu(m_log->titleButton());
    m_log->titleButton()->setMenu(tasksMenu);
    connect(tasksMenu, &QMenu::aboutToShow, this, &TaskLogMenus::fillTasks);
    auto *tryMenu = new QMenu(m_log->tryButton());
    m_log->tryButton()->setMenu(tryMenu);
    connect(tryMenu, &QMenu::aboutToShow, this, &TaskLogMenus::fillTries);
}

void TaskLogMenus::fillTasks()
{
    QMenu *menu = m_log->titleButton()->menu();
    menu->clear();
    const QList<TaskInfo> tasks = m_tasks->model()->tasks();
    QMap<QString, QList<TaskInfo>> roles;
    for (const TaskInfo &task : tasks) {
        roles[task.role].append(task);
    }
    if (roles.size() > 1) {
        addTogether(menu, tr("All tasks together"), tasks);
    }
    for (auto role = roles.cbegin(); role != roles.cend(); ++role) {
        addTogether(menu, tr("All tasks of %1 together").arg(role.key()), role.value());
    }
    QList<TaskInfo> selected;
    const QModelIndexList rows = m_tasks->view()->selectionModel()->selectedRows();
    for (const QModelIndex &row : rows) {
        if (const QVariant task = row.data(TasksModel::TaskRole); task.canConvert<TaskInfo>()) {
            selected.append(task.value<TaskInfo>());
        }
    }
    addTogether(menu, tr("Selected tasks together"), selected);
    menu->addSeparator();
    for (const TaskInfo &task : tasks.mid(0, mostInMenu)) {
        menu->addAction(stateIcon(shapeOf(task.state)), plainCaption(taskLabel(task)), this,
            [this, role = task.role, index = task.index] { Q_EMIT taskChosen(role, index); });
    }
    if (tasks.size() > mostInMenu) {
        menu->addAction(tr("%n more in the list", nullptr, int(tasks.size() - mostInMenu)))->setEnabled(false);
    }
}

void TaskLogMenus::addTogether(QMenu *menu, const QString &text, const QList<TaskInfo> &tasks)
{
    if (tasks.size() < 2) {
        return;
    }
    QList<std::pair<QString, int>> names;
    for (const TaskInfo &task : tasks) {
        names.append({task.role, task.index});
    }
    menu->addAction(plainCaption(text), this, [this, names] { Q_EMIT togetherChosen(names); });
}

void TaskLogMenus::fillTries()
{
    QMenu *menu = m_log->tryButton()->menu();
    menu->clear();
    const std::optional<TaskInfo> shown = m_tries->shown();
    const QList<TaskInfo> tries = m_tries->all();
    for (const TaskInfo &one : tries.mid(std::max<qsizetype>(0, tries.size() - mostInMenu))) {
        const QString exit = TasksModel::exitText(one, m_tasks->model()->attemptExit());
        const QString text = tr("Try %1: %2").arg(QString::number(one.tries + 1), stateText(one.state));
        QAction *action
            = menu->addAction(stateIcon(shapeOf(one.state)), exit.isEmpty() ? text : tr("%1, %2").arg(text, exit), this,
                [this, number = one.tries] { Q_EMIT tryChosen(number); });
        if (one.tries == shown->tries) {
            menu->setDefaultAction(action); // a check mark would hide the shape of its state
        }
    }
}

} // namespace trainyard
