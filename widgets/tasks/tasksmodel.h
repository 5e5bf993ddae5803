// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "widgets/common/statepainter.h"

#include <QAbstractItemModel>
#include <QHash>
#include <QMap>
#include <QSet>

#include <algorithm>
#include <functional>

namespace trainyard
{

using ShapeCounts = QMap<StateShape, int>; // how many tasks of a role look so; none is zero

// The tasks of one attempt: roles in the order they came, tasks by index under them. Fed with single changes; nothing
// is reset while a job runs. Large because each column has its text, its order and its tooltip here.
class TasksModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Column { NameColumn, StateColumn, HostColumn, GpuColumn, UseColumn, ExitColumn, TimeColumn, columns };
    enum Role {
        TaskRole = Qt::UserRole, // TaskInfo; nothing for a role row
        CountsRole, // ShapeCounts of a role row
        IsRoleRole,
        StateRole, // State of a task
        KeyRole, // "worker/0"
        SearchRole,
        ShapeRole, // StateShape of a task
        ProgressRole, // of a task that runs and says how far it is: 0 to 1
        SortRole, // of a task, by its column
        HealthRole, // of a task: whether something is wrong with it
        ShorterRole, // shorter forms of the text if there is no room for it, the longest first
    };

    explicit TasksModel(QObject *parent = nullptr);
    void setTasks(const QList<TaskInfo> &tasks);
    void apply(const QList<TaskInfo> &changed); // new ones are added
    void setNow(qint64 ms) { m_now = ms; } // for running times; repaint yourself
    static bool hasProgress(const TaskInfo &task); // it runs, and says how far it is
    void setPaused(bool on); // the job is paused, and so are its running tasks
    void setPauses(const QList<PauseSpan> &pauses); // of the job, that are over: running times are without them
    void setHealth(const QList<HealthMark> &marks); // of the job
    bool hasHealth() const { return !m_health.isEmpty(); } // whether anything is wrong
    void setHostLabels(const QHash<QString, QString> &labels);
    QHash<QString, QString> hostLabels() const { return m_hostLabels; }
    void setHostsAway(const QSet<QString> &ids); // that cannot be reached: what their tasks do is not known
    void setAttemptExit(std::optional<int> code); // of the attempt that the tasks are of: some end with it
    std::optional<int> attemptExit() const { return m_attemptExit; }
    int taskCount() const { return m_count; }
    bool hasTask(const std::function<bool(const TaskInfo &)> &isMeant) const
    {
        return std::any_of(m_roles.cbegin(), m_roles.cend(),
            [&isMeant](const RoleTasks &role) { return std::any_of(role.tasks.cbegin(), role.tasks.cend(), isMeant); });
    }
    int mostDigits() const; // of the number of a task
    QModelIndex indexOf(const QString &role, int index) const;
    std::optional<TaskInfo> task(const QModelIndex &index) const;
    QList<TaskInfo> tasks() const;
    // "Exit status 127 (Command not found)"; the attempt says why a task was stopped.
    static QString exitText(const TaskInfo &task, std::optional<int> attemptExit);
    // Why it waits or has ended, in whole sentences; empty: there is nothing to say.
    static QString whyText(const TaskInfo &task, const QHash<QString, QString> &hostLabels);

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &child) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void healthShown(); // or not any more: the column of states is wider then

private:
    static constexpr quintptr roleId = 0; // the internal id of role rows; that of tasks is the row of the role + 1
    struct RoleTasks {
        QString name;
        QList<TaskInfo> tasks; // by index
        ShapeCounts counts; // as if the job were not paused
    };
    void add(const TaskInfo &task);
    std::optional<qint64> ranMs(const TaskInfo &task) const;
    bool isAway(const TaskInfo &task) const;
    void columnChanged(int column); // of all tasks
    QString exitOf(const TaskInfo &task) const { return exitText(task, m_attemptExit); }
    QStringList shorterExits(const TaskInfo &task) const;
    StateShape shapeOfTask(const TaskInfo &task) const;
    void countProgress(int change);
    QStringList healthOf(const TaskInfo &task) const; // in words
    ShapeCounts countsOf(const RoleTasks &role) const;
    QList<RoleTasks> m_roles;
    QHash<QString, int> m_roleRows;
    QHash<QString, QString> m_hostLabels;
    QSet<QString> m_hostsAway;
    QList<HealthMark> m_health;
    std::optional<int> m_attemptExit;
    int m_count = 0;
    int m_withProgress = 0; // tasks
    qint64 m_now = 0;
    QList<PauseSpan> m_pauses;
    bool m_paused = false;
};

} // namespace trainyard

Q_DECLARE_METATYPE(trainyard::ShapeCounts)
