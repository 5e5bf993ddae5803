// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/tasksmodel.h"

#include "engine/api/jobfacts.h"
#include "widgets/common/statepainter.h"
#include "widgets/text/healthtexts.h"

#include <algorithm>

namespace trainyard
{

TasksModel::TasksModel(QObject *parent) : QAbstractItemModel(parent) { }

ShapeCounts TasksModel::countsOf(const RoleTasks &role) const
{
    ShapeCounts counts = role.counts;
    if (m_paused && counts.contains(StateShape::Running)) {
        counts[StateShape::Paused] += counts.take(StateShape::Running);
    }
    return counts;
}

void TasksModel::setTasks(const QList<TaskInfo> &tasks)
{
    beginResetModel();
    m_roles.clear();
    m_roleRows.clear();
    m_count = int(tasks.size());
    for (const TaskInfo &task : tasks) {
        auto row = m_roleRows.constFind(task.role);
        if (row == m_roleRows.constEnd()) {
            row = m_roleRows.insert(task.role, int(m_roles.size()));
            m_roles.append({task.role, {}, {}});
        }
        m_roles[*row].tasks.append(task);
    }
    m_withProgress = int(std::count_if(tasks.cbegin(), tasks.cend(), hasProgress));
    for (RoleTasks &role : m_roles) {
        std::stable_sort(role.tasks.begin(), role.tasks.end(),
            [](const TaskInfo &a, const TaskInfo &b) { return a.index < b.index; });
        for (const TaskInfo &task : std::as_const(role.tasks)) {
            ++role.counts[shapeOf(task)];
        }
    }
    endResetModel();
}

void TasksModel::add(const TaskInfo &task)
{
    auto found = m_roleRows.constFind(task.role);
    if (found == m_roleRows.constEnd()) {
        const int row = int(m_roles.size());
        beginInsertRows({}, row, row);
        m_roles.append({task.role, {}, {}});
        found = m_roleRows.insert(task.role, row);
        endInsertRows();
    }
    RoleTasks &role = m_roles[*found];
    const auto at = std::lower_bound(
        role.tasks.begin(), role.tasks.end(), task.index, [](const TaskInfo &t, int index) { return t.index < index; });
    const int row = int(at - role.tasks.begin());
    beginInsertRows(index(*found, 0), row, row);
    role.tasks.insert(row, task);
    ++role.counts[shapeOf(task)];
    ++m_count;
    endInsertRows();
    countProgress(int(hasProgress(task)));
}

void TasksModel::apply(const QList<TaskInfo> &changed)
{
    // One signal per role and call: a burst of thousands is one repaint.
    struct Span {
        int first = INT_MAX;
        int last = -1;
    };
    QHash<int, Span> spans;
    int progress = 0;
    for (const TaskInfo &task : changed) {
        const QModelIndex at = indexOf(task.role, task.index);
        if (!at.isValid()) {
            add(task);
            continue;
        }
        const int roleRow = int(at.internalId() - 1);
        RoleTasks &role = m_roles[roleRow];
        TaskInfo &old = role.tasks[at.row()];
        if (old == task) {
            continue;
        }
        if (--role.counts[shapeOf(old)] == 0) {
            role.counts.remove(shapeOf(old));
        }
        ++role.counts[shapeOf(task)];
        progress += int(hasProgress(task)) - int(hasProgress(old));
        old = task;
        Span &span = spans[roleRow];
        span.first = std::min(span.first, at.row());
        span.last = std::max(span.last, at.row());
    }
    for (auto it = spans.cbegin(); it != spans.cend(); ++it) {
        const QModelIndex role = index(it.key(), 0);
        Q_EMIT dataChanged(index(it->first, 0, role), index(it->last, columns - 1, role));
        Q_EMIT dataChanged(role, role.siblingAtColumn(columns - 1), {CountsRole});
    }
    countProgress(progress);
}

bool TasksModel::hasProgress(const TaskInfo &task)
{
    return task.state == State::Running && (task.progress || task.endExpected);
}

// While a task says how far it is, its column is headed by that.
void TasksModel::countProgress(int change)
{
    const bool before = m_withProgress > 0;
    m_withProgress += change;
    if (before != (m_withProgress > 0)) {
        Q_EMIT headerDataChanged(Qt::Horizontal, ExitColumn, ExitColumn);
    }
}

int TasksModel::mostDigits() const
{
    qsizetype most = 1;
    for (const RoleTasks &role : m_roles) {
        most = std::max(most, role.tasks.isEmpty() ? 1 : QString::number(role.tasks.constLast().index).size());
    }
    return int(most);
}

void TasksModel::columnChanged(int column)
{
    for (int row = 0; row < rowCount(); ++row) {
        const QModelIndex role = index(row, 0);
        if (const int count = rowCount(role); count > 0) {
            Q_EMIT dataChanged(index(0, column, role), index(count - 1, column, role));
        }
    }
}

void TasksModel::setAttemptExit(std::optional<int> code)
{
    if (m_attemptExit == code) {
        return;
    }
    m_attemptExit = code;
    columnChanged(ExitColumn);
}

// A task that ended because its job did says by itself no more than that.
QModelIndex TasksModel::indexOf(const QString &role, int number) const
{
    const auto row = m_roleRows.constFind(role);
    if (row == m_roleRows.constEnd()) {
        return {};
    }
    const QList<TaskInfo> &tasks = m_roles.at(*row).tasks;
    const auto at = std::lower_bound(
        tasks.cbegin(), tasks.cend(), number, [](const TaskInfo &t, int index) { return t.index < index; });
    if (at == tasks.cend() || at->index != number) {
        return {};
    }
    return index(int(at - tasks.cbegin()), 0, index(*row, 0));
}

std::optional<TaskInfo> TasksModel::task(const QModelIndex &at) const
{
    if (!at.isValid() || at.internalId() == roleId) {
        return {};
    }
    return m_roles.at(qsizetype(at.internalId()) - 1).tasks.value(at.row());
}

StateShape TasksModel::shapeOfTask(const TaskInfo &task) const
{
    return m_paused && task.state == State::Running ? StateShape::Paused : shapeOf(task);
}

void TasksModel::setPauses(const QList<PauseSpan> &pauses)
{
    if (m_pauses == pauses) {
        return;
    }
    m_pauses = pauses;
    columnChanged(TimeColumn);
}

std::optional<qint64> TasksModel::ranMs(const TaskInfo &task) const
{
    return task.launched ? std::optional(ranMsIn(m_pauses, *task.launched, clockEnd(task, m_now))) : std::nullopt;
}

void TasksModel::setPaused(bool on)
{
    if (m_paused == on) {
        return;
    }
    m_paused = on;
    columnChanged(StateColumn);
    for (int row = 0; row < rowCount(); ++row) {
        if (const QModelIndex role = index(row, 0); rowCount(role) > 0) {
            Q_EMIT dataChanged(role, role);
        }
    }
}

void TasksModel::setHealth(const QList<HealthMark> &marks)
{
    if (marks == m_health) {
        return;
    }
    const bool isOther = m_health.isEmpty() != marks.isEmpty();
    m_health = marks;
    if (isOther) {
        Q_EMIT healthShown();
    }
    columnChanged(StateColumn);
}

QStringList TasksModel::healthOf(const TaskInfo &task) const
{
    QStringList lines;
    for (const HealthMark &mark : m_health) {
        if (mark.index == task.index && mark.role == task.role) {
            lines.append(healthText(mark, m_now));
        }
    }
    return lines;
}

void TasksModel::setHostLabels(const QHash<QString, QString> &labels)
{
    if (labels == m_hostLabels) {
        return;
    }
    m_hostLabels = labels;
    columnChanged(HostColumn);
}

void TasksModel::setHostsAway(const QSet<QString> &ids)
{
    if (ids != m_hostsAway) {
        m_hostsAway = ids;
        columnChanged(HostColumn);
        columnChanged(ExitColumn); // when it ends is not known then
    }
}

bool TasksModel::isAway(const TaskInfo &task) const
{
    return task.launched && !isFinal(task.state) && m_hostsAway.contains(task.host);
}

QList<TaskInfo> TasksModel::tasks() const
{
    QList<TaskInfo> all;
    for (const RoleTasks &role : m_roles) {
        all += role.tasks;
    }
    return all;
}

QModelIndex TasksModel::index(int row, int column, const QModelIndex &parent) const
{
    if (row < 0 || column < 0 || column >= columns || row >= rowCount(parent)) {
        return {};
    }
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) + 1 : roleId);
}

QModelIndex TasksModel::parent(const QModelIndex &child) const
{
    if (!child.isValid() || child.internalId() == roleId) {
        return {};
    }
    return createIndex(int(child.internalId() - 1), 0, roleId);
}

int TasksModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid()) {
        return int(m_roles.size());
    }
    if (parent.internalId() != roleId || parent.column() != 0) {
        return 0;
    }
    return int(m_roles.at(parent.row()).tasks.size());
}

int TasksModel::columnCount(const QModelIndex &) const { return columns; }

} // namespace trainyard
