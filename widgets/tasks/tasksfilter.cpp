// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/tasksfilter.h"

#include "widgets/tasks/tasksmodel.h"

namespace trainyard
{

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
