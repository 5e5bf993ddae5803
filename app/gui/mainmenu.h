// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QAction;
class QMenu;

namespace trainyard
{

class ActionRegistry;
class Workbench;

// What the main menu shows beside the actions of the registry.
struct MainMenuParts {
    const ActionRegistry *actions;
    const Workbench *workbench; // whose page in front has actions of its own
    QMenu *recentFiles;
    QMenu *runIn;
    QList<QAction *> panes; // that show and hide those at the side
};

// The one place that says where an action stands in the main menu.
void fillMainMenu(QMenu *menu, const MainMenuParts &parts);

} // namespace trainyard
