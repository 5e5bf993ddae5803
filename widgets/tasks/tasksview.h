// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/tokens.h"

#include <QStyledItemDelegate>
#include <QTreeView>

namespace trainyard
{

class TaskUse;

// Draws the rows of roles, and of their tasks with state, use and progress.
class TasksDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
public:
    static constexpr int leastExit = 56; // a code; its words are in the tip
    static constexpr int progressWidth = 52; // of the bar in front of its words
    static constexpr int healthWidth = 16; // of the sign that something is wrong with a task
    static constexpr int cellSpace = 6; // at both sides of a cell's text
    static constexpr int timeEdge = metrics::space2; // where the head of a number column ends
    static constexpr int numberIndent = 32; // below the name of the role

    TasksDelegate(const TaskUse *use, QObject *parent) : QStyledItemDelegate(parent), m_use(use) { }
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintUse(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index, bool isOver) const;
    void paintRole(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const;
    void paintTask(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const;
    const TaskUse *m_use;
};

// Role rows span all columns.
class TasksView final : public QTreeView
{
    Q_OBJECT
public:
    using QTreeView::QTreeView;
    int sizeHintForColumn(int column) const override { return QTreeView::sizeHintForColumn(column); }

protected:
    void drawRow(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace trainyard
