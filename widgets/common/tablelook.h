// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QAbstractItemView;
class QTreeView;
class QTreeWidget;

namespace trainyard
{

class Ground;

/**
 * The one look of tables: rows of 28 px without grid and stripes, no frame in a frame, a row as one thing for selection
 * and focus, cells that begin where their headers do. Gives the view a CellDelegate; a view that draws its cells with a
 * delegate of its own sets it afterwards.
 */
void setTableLook(QTreeView *view);

/**
 * A list or table on a card: in a form it has an edge of its own, as the other parts of the form do. It is the card
 * that is shown and hidden.
 */
Ground *cardAround(QAbstractItemView *view);

/** Columns of numbers and durations: at the right, head and cells alike. After the heads have been set. */
void setNumberColumns(QTreeWidget *table, const QList<int> &columns);

} // namespace trainyard
