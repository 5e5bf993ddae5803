// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace trainyard
{

// The rows of the list of jobs at the side: star, state, name, number, and how far a job is or why it failed.
class JobsDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    static constexpr int starZone = 21; // from the left edge: a click there is for the star

    // Pixels for the words on why a job failed, in a row of that width whose name, written whole, is as long: the name
    // has its room first, up to a half of the row. `taken` is what the rest has.
    static int causeRoom(int row, int taken, int name);

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace trainyard
