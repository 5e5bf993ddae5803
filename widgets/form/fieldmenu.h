// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

QT_BEGIN_NAMESPACE
class QMenu;
QT_END_NAMESPACE

namespace trainyard
{

// One of the entries Undo and Redo.
struct FieldMenuStep {
    bool isEnabled = false;
    std::function<void()> run;
};

// Lets the entries Undo and Redo of a menu, as text fields make it, do these steps instead of those of the field. Other
// menus are left alone. For the life of the menu.
void redirectUndo(QMenu *menu, const FieldMenuStep &undo, const FieldMenuStep &redo);

} // namespace trainyard
