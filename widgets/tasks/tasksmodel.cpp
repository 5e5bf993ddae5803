// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/tasksmodel.h"

#include "engine/api/jobfacts.h"
#include "engine/api/tasklabel.h"
#include "model/base/numberlist.h"
#include "widgets/common/clocktext.h"
#include "widgets/common/labels.h"
#include "widgets/common/statepainter.h"
#include "widgets/tasks/tasksfilter.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/healthtexts.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/resulttexts.h"
#include "widgets/text/texts.h"
#include "widgets/text/waittexts.h"

#include <algorithm>

namespace trainyard
{
namespace
{
// Internal id: 0 for role rows, role row + 1 for tasks.
constexpr quintptr roleId = 0;

// By a user; the same code is of a task whose job had its result.
bool wasStopped(const TaskInfo &task, std::optional<int> attemptExit)
{
    return attemptExit == exitStoppedByUser && task.exitCode == exitEndedWithJob;
}

// A task that was retried says so without being asked.
QString withTry(const QString &text, const TaskInfo &task)
{
    if (task.tries == 0) {
        return text;
    }
    const QString number = TasksModel::tr("try %1").arg(task.tries + 1);
    return text.isEmpty() ? number : TasksModel::tr("%1, %2").arg(text, number);
}
} // namespace

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

QString TasksModel::exitText(const TaskInfo &task, std::optional<int> attemptExit)
{
    if (!task.exitCode) {
        return {};
    }
    if (wasStopped(task, attemptExit)) {
        return tr("Stopped with the job");
    }
    return exitWords(*task.exitCode, task.state == State::Failed ? task.rawExit : std::nullopt);
}

// Whole words that are left out are missed less than words that end in the middle.
QStringList TasksModel::shorterExits(const TaskInfo &task) const
{
    if (hasProgress(task)) {
        return task.progress ? QStringList{percentWords(*task.progress)} : QStringList();
    }
    if (!task.exitCode) {
        return {};
    }
    const std::optional<int> status = task.state == State::Failed ? task.rawExit : std::nullopt;
    const QString brief = wasStopped(task, m_attemptExit) ? exitOf(task) : exitBrief(*task.exitCode, status);
    QStringList shorter{exitOf(task), withTry(brief, task), brief};
    // A number is better than half a word, if it is one that programs end with.
    if (const int number = status.value_or(0) > 0 ? *status : *task.exitCode; number > 0) {
        shorter.append(QString::number(number));
    }
    shorter.removeDuplicates();
    return shorter;
}

QVariant TasksModel::data(const QModelIndex &at, int role) const
{
    if (!at.isValid()) {
        return {};
    }
    if (role == Qt::TextAlignmentRole && at.column() == TimeColumn) {
        return int(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (at.internalId() == roleId) {
        const RoleTasks &tasks = m_roles.at(at.row());
        switch (role) {
        case Qt::DisplayRole:
            return at.column() == NameColumn ? tasks.name : QVariant();
        case Qt::ToolTipRole:
            return plainTip(tasks.name);
        case CountsRole:
            return QVariant::fromValue(countsOf(tasks));
        case IsRoleRole:
            return true;
        default:
            return {};
        }
    }
    const TaskInfo &task = m_roles.at(qsizetype(at.internalId()) - 1).tasks.at(at.row());
    switch (role) {
    case Qt::DisplayRole:
        switch (Column(at.column())) {
        case NameColumn:
            return QString::number(task.index);
        case StateColumn:
            return stateLabel(shapeOfTask(task));
        case HostColumn:
            return task.host.isEmpty() ? QStringLiteral("–")
                : isAway(task)         ? tr("%1, out of reach").arg(hostLabel(task.host, m_hostLabels))
                                       : hostLabel(task.host, m_hostLabels);
        case GpuColumn:
            return task.gpus.isEmpty() ? QStringLiteral("–") : joinedNumbers(task.gpus, QStringLiteral(" "));
        case UseColumn:
            break; // drawn
        case ExitColumn:
            return hasProgress(task)
                ? progressWords(task.progress, isAway(task) ? std::nullopt : task.endExpected, m_now)
                : withTry(exitOf(task), task);
        case TimeColumn:
            return task.launched ? clockText(*ranMs(task)) : QString();
        case columns:
            break;
        }
        return {};
    case Qt::ToolTipRole: {
        QStringList lines{taskLabel(task) + QStringLiteral(": ") + stateText(task.state)};
        if (const QString reason = reasonText(task.reason, withHostLabels(task.reasonArgs, m_hostLabels));
            !reason.isEmpty()) {
            lines.append(reason);
        } else if (isFinal(task.state) && task.exitCode && *task.exitCode != 0) {
            lines.append(wasStopped(task, m_attemptExit)
                    ? tr("The task was stopped, because a user has stopped the job (%1).")
                          .arg(exitNumber(exitEndedWithJob))
                    : exitCodeText(*task.exitCode));
        }
        if (isAway(task)) {
            lines.append(tr("Its host cannot be reached at the moment: the task may have ended."));
        }
        lines += healthOf(task);
        if (const qint64 paused = task.launched ? pausedMsIn(m_pauses, *task.launched, clockEnd(task, m_now)) : 0;
            paused > 0) {
            lines.append(tr("Without the time in which the job was paused: %1").arg(clockText(paused)));
        }
        if (task.tries > 0) {
            lines.append(tr("Retried %n time(s) in this attempt", nullptr, task.tries));
        }
        const TaskUsage &usage = task.usage;
        if (usage.peakMemoryMiB) {
            lines.append(tr("Memory at most %1").arg(formatMiB(*usage.peakMemoryMiB)));
        }
        if (usage.cpuMs) {
            lines.append(tr("Processor time %1").arg(formatDuration(*usage.cpuMs)));
        }
        if (usage.peakGpuMemoryMiB) {
            lines.append(tr("GPU memory at most %1, busy %2 % on average")
                             .arg(formatMiB(*usage.peakGpuMemoryMiB))
                             .arg(usage.gpuPercent.value_or(0)));
        }
        for (const auto &[label, numbers] : task.ports) {
            lines.append(tr("Port %1: %2").arg(label, joinedNumbers(numbers, QStringLiteral(" "))));
        }
        return plainTip(lines.join(QLatin1Char('\n')));
    }
    case TaskRole:
        return QVariant::fromValue(task);
    case StateRole:
        return int(task.state);
    case ShapeRole:
        return int(shapeOfTask(task));
    case ProgressRole:
        return hasProgress(task) && task.progress ? QVariant(*task.progress) : QVariant();
    case SortRole:
        return taskSortKey(task, at.column(), m_hostLabels, ranMs(task));
    case HealthRole:
        return std::any_of(m_health.cbegin(), m_health.cend(),
            [&task](const HealthMark &mark) { return mark.index == task.index && mark.role == task.role; });
    case ShorterRole:
        return at.column() == ExitColumn ? shorterExits(task) : QStringList();
    case IsRoleRole:
        return false;
    case KeyRole:
        return taskLabel(task);
    case SearchRole:
        return QString(taskLabel(task) + QLatin1Char(' ') + stateText(task.state) + QLatin1Char(' ') + task.host
            + QLatin1Char(' ') + exitOf(task)
            + (task.exitCode ? QLatin1Char(' ') + QString::number(*task.exitCode) : QString()));
    default:
        return {};
    }
}

QVariant TasksModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return int((section == TimeColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole && section == UseColumn) {
        return plainTip(tr("The use of the task's GPUs in the last ten minutes that were measured. For a task without "
                           "GPUs, the use of its processors: 400 % means four busy cores."));
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (Column(section)) {
    case NameColumn:
        return tr("Role");
    case StateColumn:
        return tr("State");
    case HostColumn:
        return tr("Host");
    case GpuColumn:
        return tr("GPU");
    case UseColumn:
        return tr("Use");
    case ExitColumn:
        return m_withProgress > 0 ? tr("Progress") : tr("Exit");
    case TimeColumn:
        return tr("Time");
    case columns:
        break;
    }
    return {};
}

} // namespace trainyard
