// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/chooserow.h"

#include <QAbstractItemView>
#include <QItemSelectionModel>

namespace trainyard
{

void chooseRow(QAbstractItemView *view, const QModelIndex &at)
{
    view->selectionModel()->setCurrentIndex(at, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void enterRows(QAbstractItemView *view, const QModelIndex &first)
{
    if (first.isValid()) {
        view->setFocus(Qt::OtherFocusReason);
        chooseRow(view, first);
    }
}

} // namespace trainyard
