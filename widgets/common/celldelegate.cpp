// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/celldelegate.h"

#include "widgets/common/stylepaint.h"

namespace trainyard
{
namespace
{
constexpr int headerInset = 6;
constexpr int step = 12;
} // namespace

void CellDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    if (index.column() == 0) {
        stylepaint::rowGround(painter, option.rect, option.palette, option.state.testFlag(QStyle::State_Selected),
            option.state.testFlag(QStyle::State_MouseOver), true);
    }
    QStyledItemDelegate::paint(painter, option, index);
}

void CellDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() == 0) {
        option->rect.setLeft(option->rect.left() + headerInset + (index.parent().isValid() ? step : 0));
        option->viewItemPosition = QStyleOptionViewItem::Middle; // the bar of the row is drawn at its edge
    }
}

} // namespace trainyard
