// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/statepainter.h"

#include <QStyledItemDelegate>
#include <QTreeView>

#include <optional>

namespace trainyard
{

class CompareRuns;

// Draws the cells of the table of a comparison.
class CompareDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
public:
    CompareDelegate(CompareRuns *runs, QObject *parent) : QStyledItemDelegate(parent), m_runs(runs) { }
    static int stateWidth(int words); // of a cell with a state whose words are so wide
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    static void paintText(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index, QRect area,
        bool isBest, std::optional<StateShape> shape); // no shape: of a state that is not known
    CompareRuns *m_runs;
};

// A selection is drawn up to the edge, also beyond the columns.
class CompareRowsView final : public QTreeView
{
    Q_OBJECT
protected:
    void drawRow(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace trainyard
