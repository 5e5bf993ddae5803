// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/comparefilter.h"

#include "widgets/common/naturalorder.h"
#include "widgets/compare/comparemodel.h"

#include <algorithm>

namespace trainyard
{

CompareFilter::CompareFilter(CompareRuns *runs, QObject *parent) : QSortFilterProxyModel(parent), m_runs(runs)
{
    setSortRole(CompareModel::SortRole);
    setDynamicSortFilter(true);
    connect(runs, &CompareRuns::brushChanged, this, [this] { invalidateFilter(); });
}

int CompareFilter::rowOf(qsizetype run) const
{
    int row = 0;
    while (row < rowCount() && !CompareModel::runsOf(index(row, 0)).contains(run)) {
        ++row;
    }
    return row;
}

bool CompareFilter::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    const auto runs = index.data(CompareModel::RowRole).value<QList<qsizetype>>();
    return std::any_of(runs.cbegin(), runs.cend(), [this](qsizetype run) { return m_runs->passes(run); });
}

bool CompareFilter::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    const QVariant first = left.data(CompareModel::SortRole), second = right.data(CompareModel::SortRole);
    if (!first.isValid() || !second.isValid()) {
        const bool isLess = first.isValid() && !second.isValid();
        return sortOrder() == Qt::AscendingOrder ? isLess : (second.isValid() && !first.isValid());
    }
    const bool isText = first.typeId() == QMetaType::QString || second.typeId() == QMetaType::QString;
    if (!isText) {
        return first.toDouble() < second.toDouble();
    }
    return naturalLess(first.toString(), second.toString());
}

} // namespace trainyard
