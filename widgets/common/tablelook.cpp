// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/tablelook.h"

#include "widgets/common/celldelegate.h"

#include <QHeaderView>
#include <QTreeWidget>

namespace trainyard
{
namespace
{
constexpr int leastSection = 24;
} // namespace

void setTableLook(QTreeView *view)
{
    view->setFrameShape(QFrame::NoFrame);
    view->setUniformRowHeights(true);
    view->setRootIsDecorated(false);
    view->setIndentation(0);
    view->setAlternatingRowColors(false);
    view->setAllColumnsShowFocus(true);
    view->setItemDelegate(new CellDelegate(view));
    // By default no section is narrower than the widest letter of the font.
    view->header()->setMinimumSectionSize(leastSection);
}

void setNumberColumns(QTreeWidget *table, const QList<int> &columns)
{
    for (const int column : columns) {
        table->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
}

} // namespace trainyard
