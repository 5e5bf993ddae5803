// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace trainyard
{

struct SweepRow;

// The rows of the list of jobs at the side: star, state, name, number, and how far a job is or why it failed; of a
// sweep how many of its jobs are over or failed, or what the best one came to.
class JobsDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    // From the left edge: a click there is for the star, in the row of a sweep for what unfolds it.
    static constexpr int starZone = 21;

    // Pixels for the words on why a job failed, in a row of that width whose name, written whole, is as long: the name
    // has its room first, up to a half of the row. `taken` is what the rest has.
    static int causeRoom(int row, int taken, int name);

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    static void paintSweep(
        QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index, const SweepRow &sweep);
};

} // namespace trainyard
