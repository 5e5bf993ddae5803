// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/tablelook.h"

#include "widgets/common/celldelegate.h"
#include "widgets/common/labels.h"

#include <QHeaderView>
#include <QTreeWidget>
#include <QVBoxLayout>

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

Ground *cardAround(QAbstractItemView *view)
{
    // The corners of the view stay inside of the round ones of the card.
    constexpr int side = 2;
    constexpr int end = metrics::space1;
    auto *card = new Ground(Colour::Surface);
    card->setCard(true);
    auto *column = new QVBoxLayout(card);
    column->setContentsMargins(side, end, side, end);
    column->addWidget(view);
    view->setFrameShape(QFrame::NoFrame);
    return card;
}

void setNumberColumns(QTreeWidget *table, const QList<int> &columns)
{
    for (const int column : columns) {
        table->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
}

} // namespace trainyard
