// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of the cells in the table of tasks.
#include "engine/api/failurefacts.h"
#include "engine/api/jobfacts.h"
#include "engine/api/tasklabel.h"
#include "model/base/numberlist.h"
#include "widgets/common/clocktext.h"
#include "widgets/common/labels.h"
#include "widgets/common/statepainter.h"
#include "widgets/tasks/tasksfilter.h"
#include "widgets/tasks/tasksmodel.h"
#include "widgets/text/causenames.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/resulttexts.h"
#include "widgets/text/texts.h"
#include "widgets/text/waittexts.h"

#include <algorithm>

namespace trainyard
{
namespace
{

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

// What the output says of the failure of a task that just ended with a status; nothing where that is not known, or the
// code says as much.
std::optional<FailureFacts> ownFailure(const TaskInfo &task)
{
    constexpr int unclassified = 255;
    if (task.state != State::Failed || task.exitCode != unclassified || task.rawExit.value_or(0) <= 0) {
        return std::nullopt;
    }
    FailureFacts failure = failureFacts(task.reasonArgs);
    return failure.isEmpty() || causeName(failure).isEmpty() ? std::nullopt : std::optional(std::move(failure));
}

} // namespace

QString TasksModel::exitText(const TaskInfo &task, std::optional<int> attemptExit)
{
    if (!task.exitCode) {
        return {};
    }
    if (wasStopped(task, attemptExit)) {
        return tr("Stopped with the job");
    }
    if (const std::optional<FailureFacts> failure = ownFailure(task)) {
        return tr("Exit status %1 (%2)").arg(QString::number(*task.rawExit), causeName(*failure));
    }
    return exitWords(*task.exitCode, task.state == State::Failed ? task.rawExit : std::nullopt);
}

QString TasksModel::whyText(const TaskInfo &task, const QHash<QString, QString> &hostLabels)
{
    const QString reason = reasonText(task.reason, withHostLabels(task.reasonArgs, hostLabels));
    const bool hasCode = isFinal(task.state) && task.exitCode.value_or(0) != 0;
    return reason.isEmpty() && hasCode ? exitCodeText(*task.exitCode) : reason;
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
    QStringList shorter{exitOf(task)};
    if (const std::optional<FailureFacts> failure = ownFailure(task)) {
        shorter.append(causeBrief(*failure)); // says more than the status
    }
    shorter += {withTry(brief, task), brief};
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
