// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/tasks/tasksmodel.h"

#include <QWidget>

class QLabel;
class QTreeView;

namespace trainyard
{

class PortsMenu;
class SearchField;
class TaskActions;
class TaskUse;
class TasksFilter;

// The tasks of an attempt as a tree with a head. Says which task was chosen.
class TasksPane : public QWidget
{
    Q_OBJECT
public:
    explicit TasksPane(QWidget *parent = nullptr);
    TasksModel *model() const { return m_model; }
    QTreeView *view() const { return m_view; }
    PortsMenu *ports() const { return m_ports; } // of the current task
    void setTasks(const QList<TaskInfo> &tasks); // keeps the choice where it can
    void apply(const QList<TaskInfo> &changed);
    std::optional<TaskInfo> currentTask() const;
    void setCurrentTask(const QString &role, int index); // by hand; chosen when it comes, if it is not there yet
    std::optional<std::pair<QString, int>> chosenTask() const; // by hand
    void suggestTask(const QString &role, int index); // unless the user has chosen one
    void setPaused(bool on); // the job is
    void tick(qint64 now); // running times

    void setRetryBlocker(const QString &sentence); // why chosen tasks cannot be retried; empty: they can

Q_SIGNALS:
    void currentTaskChanged(const trainyard::TaskInfo &task);
    void retryRequested(const QStringList &tasks); // "role/index"
    void terminalRequested(const trainyard::TaskInfo &task); // in its folder, where it ran
    void hostRequested(const QString &id); // on which a task is
    void problem(const QString &sentence); // a file could not be written
    void saved(const QString &file);
    void openRequested(const QString &file); // a log, with the program for text files

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fitColumns();
    void updateCount();
    void select(const QString &role, int index);
    bool selectWanted();
    void suggestFailed();
    void showMenu(const QPoint &at);
    QList<TaskInfo> chosenTasks() const; // one at least, unless there is none
    TasksModel *m_model;
    TasksFilter *m_filter;
    QLabel *m_count;
    SearchField *m_field;
    QTreeView *m_view;
    TaskUse *m_use;
    TaskActions *m_actions;
    PortsMenu *m_ports;
    bool m_setting = false;
    bool m_selecting = false;
    bool m_chosen = false;
    std::optional<std::pair<QString, int>> m_wanted; // chosen before it was there
};

} // namespace trainyard
