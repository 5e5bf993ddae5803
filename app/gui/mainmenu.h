// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QAction;
class QMenu;

namespace trainyard
{

class ActionRegistry;
class Workbench;

// The contents of the main menu other than the actions of the registry.
struct MainMenuParts {
    const ActionRegistry *actions;
    const Workbench *workbench; // whose page in front has its own actions
    QMenu *recentFiles;
    QMenu *runIn;
    QList<QAction *> panes; // that show and hide those at the side
};

// The only place that defines the position of an action in the main menu.
void fillMainMenu(QMenu *menu, const MainMenuParts &parts);

} // namespace trainyard
