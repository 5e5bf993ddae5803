// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace trainyard
{

struct JobSummary;
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

    // The words on why a job failed, for a row that has `room` for them and for its name: all of them where the name,
    // which is `name` wide, stays whole beside them, else a word or two, for which the name gives way.
    static QString causeWords(const JobSummary &job, const QFontMetrics &letters, int room, int name);

    // A result for a row that has `room` for it, "dev_wer 17.28": where that is too little, the name gives way.
    static QString resultWords(const QString &result, const QFontMetrics &letters, int room);

    // How many jobs a group has; where not all of them are in its state, because those of a sweep stay together, how
    // many are: "7 of 24".
    static QString countText(const QModelIndex &group);

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    static void paintSweep(
        QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index, const SweepRow &sweep);
};

} // namespace trainyard
