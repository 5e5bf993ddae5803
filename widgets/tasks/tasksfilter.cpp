// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/tasksfilter.h"

#include "widgets/tasks/tasksmodel.h"
#include "widgets/text/hosttexts.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace trainyard
{

// The most relevant tasks come first: failures, then running ones.
QVariant taskSortKey(
    const TaskInfo &task, int column, const QHash<QString, QString> &hostLabels, std::optional<qint64> ranMs)
{
    constexpr State order[] = {State::Failed, State::Unknown, State::Running, State::Stopping, State::Waiting,
        State::Stopped, State::Succeeded};
    switch (TasksModel::Column(column)) {
    case TasksModel::StateColumn:
        return int(std::find(std::begin(order), std::end(order), task.state) - std::begin(order));
    case TasksModel::HostColumn:
        return hostLabel(task.host, hostLabels);
    case TasksModel::GpuColumn:
        return task.gpus.isEmpty() ? -1 : task.gpus.constFirst();
    case TasksModel::UseColumn:
        return task.usage.gpuPercent.value_or(-1);
    case TasksModel::ExitColumn:
        return task.exitCode ? 2 + std::abs(double(*task.exitCode)) : task.progress.value_or(-1);
    case TasksModel::TimeColumn:
        return ranMs.value_or(-1);
    case TasksModel::NameColumn:
    case TasksModel::columns:
        break;
    }
    return task.index;
}

TasksFilter::TasksFilter(QObject *parent) : WordsFilter(TasksModel::SearchRole, parent) { }

bool TasksFilter::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    if (!left.parent().isValid()) {
        return (left.row() < right.row()) == (sortOrder() == Qt::AscendingOrder);
    }
    const QVariant a = left.data(TasksModel::SortRole), b = right.data(TasksModel::SortRole);
    const QPartialOrdering order = QVariant::compare(a, b);
    if (order == QPartialOrdering::Equivalent || order == QPartialOrdering::Unordered) {
        return (left.row() < right.row()) == (sortOrder() == Qt::AscendingOrder); // by their numbers, whatever the way
    }
    return order == QPartialOrdering::Less;
}

} // namespace trainyard
