// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QObject>

#include <functional>

class QMenu;
class QToolButton;

namespace trainyard
{

class TasksModel;

// The actions for the chosen tasks of a table, for its menus: of a row, and of a button in its head.
class TaskActions : public QObject
{
    Q_OBJECT
public:
    // `chosen` gives the tasks that the button and copy() are about.
    TaskActions(TasksModel *model, std::function<QList<TaskInfo>()> chosen, QWidget *parent);
    QToolButton *makeButton();
    void fill(QMenu *menu, const QList<TaskInfo> &tasks);
    void copy(); // as a table
    void setRetryBlocker(const QString &sentence) { m_retryBlocker = sentence; } // why not; empty: they can be retried

Q_SIGNALS:
    void retryRequested(const QStringList &tasks); // "role/index"
    void terminalRequested(const trainyard::TaskInfo &task); // in its folder, where it ran
    void hostRequested(const QString &id); // on which they are
    void openRequested(const QString &file); // a log, with the program for text files
    void problem(const QString &sentence); // a file could not be written
    void saved(const QString &file);

private:
    void save();
    void write(const QString &name);
    TasksModel *m_model;
    std::function<QList<TaskInfo>()> m_chosen;
    QString m_retryBlocker;
};

} // namespace trainyard
