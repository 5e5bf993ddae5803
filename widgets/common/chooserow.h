// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAbstractItemView;
class QModelIndex;

namespace trainyard
{

// Makes the row the current one and the only selected one, whatever keys are held. In a list in which several rows may
// be selected, setCurrentIndex() of the view takes Ctrl and Shift for a wish to select more: they may be there for
// another reason, such as the Ctrl of Ctrl+Tab.
void chooseRow(QAbstractItemView *view, const QModelIndex &at);
// The keys are passed to the list, and begin at its first row. Nothing happens while it has no rows.
void enterRows(QAbstractItemView *view, const QModelIndex &first);

} // namespace trainyard
