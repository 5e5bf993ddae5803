// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/celldelegate.h"

#include "widgets/common/statepainter.h"
#include "widgets/common/stylepaint.h"

#include <QTreeView>

namespace trainyard
{
namespace
{
constexpr int headerInset = 6;
constexpr int step = 12;
constexpr int endInset = 3; // with a cell's own margin as much as a header has
} // namespace

void CellDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    // Under the whole cell, also where it is inset.
    stylepaint::rowGround(painter, option.rect, option.palette, option.state.testFlag(QStyle::State_Selected),
        option.state.testFlag(QStyle::State_MouseOver), index.column() == 0);
    QStyledItemDelegate::paint(painter, option, index);
}

void CellDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const QVariant head = index.model()->headerData(index.column(), Qt::Horizontal, Qt::TextAlignmentRole);
    if (head.isValid() && Qt::Alignment(head.toInt()).testFlag(Qt::AlignRight)) {
        option->displayAlignment = Qt::AlignRight | Qt::AlignVCenter;
        option->rect.setRight(option->rect.right() - endInset);
    }
    if (const QVariant state = index.data(stateRole); state.isValid()) {
        const QColor ink = colour(colourOf(StateShape(state.toInt())), option->palette);
        option->palette.setColor(QPalette::Text, ink);
        option->palette.setColor(QPalette::HighlightedText, ink);
    }
    if (const QVariant ink = index.data(inkRole); ink.isValid()) {
        option->palette.setColor(QPalette::Text, colour(Colour(ink.toInt()), option->palette));
        option->palette.setColor(QPalette::HighlightedText, colour(Colour(ink.toInt()), option->palette));
    }
    if (const QVariant elide = index.data(elideRole); elide.isValid()) {
        option->textElideMode = Qt::TextElideMode(elide.toInt());
    }
    if (index.column() == 0) {
        // A table whose tree is in another column has its steps there.
        const auto *tree = qobject_cast<const QTreeView *>(option->widget);
        const bool isStep = index.parent().isValid() && (!tree || tree->treePosition() <= 0);
        option->rect.setLeft(option->rect.left() + headerInset + (isStep ? step : 0));
        option->viewItemPosition = QStyleOptionViewItem::Middle; // the bar of the row is drawn at its edge
    }
}

} // namespace trainyard
