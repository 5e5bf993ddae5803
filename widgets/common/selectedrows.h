// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QItemSelectionModel>

#include <algorithm>
#include <utility>

namespace trainyard
{

// The selected rows of a list of groups, from the top down.
inline QModelIndexList selectedRows(const QItemSelectionModel *selection)
{
    QModelIndexList rows = selection->selectedRows();
    std::sort(rows.begin(), rows.end(), [](const QModelIndex &a, const QModelIndex &b) {
        return std::pair(a.parent().row(), a.row()) < std::pair(b.parent().row(), b.row());
    });
    return rows;
}

} // namespace trainyard
