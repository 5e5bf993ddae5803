// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenu;
class QWidget;

namespace trainyard
{

// An open menu takes all keys, and those of the window do nothing then. With this, a function key, or a key with Ctrl,
// that is one of an action of the window of `widget` closes the menu and triggers the action.
void passWindowKeysOn(QMenu *menu, const QWidget *widget);

} // namespace trainyard
