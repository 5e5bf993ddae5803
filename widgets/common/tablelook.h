// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QTreeView;
class QTreeWidget;

namespace trainyard
{

/**
 * The one look of tables: rows of 28 px without grid and stripes, no frame in a frame, a row as one thing for selection
 * and focus, cells that begin where their headers do. Gives the view a CellDelegate; a view that draws its cells with a
 * delegate of its own sets it afterwards.
 */
void setTableLook(QTreeView *view);

/** Columns of numbers and durations: at the right, head and cells alike. After the heads have been set. */
void setNumberColumns(QTreeWidget *table, const QList<int> &columns);

} // namespace trainyard
