// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QAbstractItemView;
class QMenu;
class QPoint;
class QWidget;

namespace trainyard
{

// Shows the menu at a place on the screen. One that is still open closes: the key that opens a menu reaches the window
// also while there is one, and would put the next one upon it. An open menu takes all other keys, and those of the
// window do nothing then. With this, a function key, or a key with Ctrl, that is one of an action of the window of
// `widget` closes the menu and triggers the action.
void popUpAlone(QMenu *menu, const QWidget *widget, const QPoint &at);

// By key it is the menu of the row that has the focus, wherever the pointer is: `show` is called with the middle of it,
// in the viewport.
void onMenuKey(QAbstractItemView *view, const std::function<void(const QPoint &at)> &show);

} // namespace trainyard
