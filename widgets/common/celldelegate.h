// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace trainyard
{

// For tables without an indentation of their own: cells begin, or end, where their headers do, rows below others a step
// further in, and the ground of a row reaches to the edge.
class CellDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    // int(StateShape), of a cell with the word of a state, which has the colour of the state.
    static constexpr int stateRole = Qt::UserRole + 0x5700;
    // int(Colour), of a cell whose text has another colour than the others.
    static constexpr int inkRole = Qt::UserRole + 0x5701;
    // int(Qt::TextElideMode), of a cell that is cut elsewhere than the others of its table.
    static constexpr int elideRole = Qt::UserRole + 0x5702;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

} // namespace trainyard
