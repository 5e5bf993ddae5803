// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/mainmenu.h"

#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/page.h"
#include "app/gui/workbench/workbench.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>

namespace trainyard
{
namespace
{
struct MainMenuTexts {
    Q_DECLARE_TR_FUNCTIONS(MainMenu)
};

// Filled each time that it is about to be seen: pages differ in what they can do.
void fillEditMenu(QMenu *menu, const ActionRegistry *actions, const Workbench *workbench)
{
    menu->clear();
    menu->addActions(actions->actions({"undo", "redo"}));
    const Page *front = workbench->front();
    const QList<QAction *> own = front ? front->actions() : QList<QAction *>();
    if (!own.isEmpty()) {
        menu->addSeparator();
        menu->addActions(own);
    }
}
// Lists the exports of the page in front; the entry is there only when that page has any.
void fillPageExports(QMenu *menu, const Workbench *workbench)
{
    const Page *front = workbench->front();
    menu->clear();
    menu->addActions(front ? front->exports() : QList<QAction *>());
    menu->menuAction()->setVisible(!menu->isEmpty());
}
} // namespace

void fillMainMenu(QMenu *menu, const MainMenuParts &parts)
{
    const ActionRegistry *actions = parts.actions;
    const auto add
        = [actions](QMenu *to, std::initializer_list<const char *> ids) { to->addActions(actions->actions(ids)); };
    add(menu, {"new", "newFromTemplate", "newFromClipboard", "open", "openRuns"});
    menu->addMenu(parts.recentFiles);
    add(menu, {"save", "saveAs", "saveAsTemplate"});
    QMenu *share = menu->addMenu(MainMenuTexts::tr("Cop&y as"));
    add(share, {"copyYaml", "copyRunCommand"});
    share->addSeparator();
    add(share, {"copyYamlWithSecrets"});
    add(menu, {"export"});
    QMenu *pageExports = menu->addMenu(MainMenuTexts::tr("Ex&port this page"));
    QObject::connect(menu, &QMenu::aboutToShow, parts.workbench,
        [pageExports, workbench = parts.workbench] { fillPageExports(pageExports, workbench); });
    add(menu->addMenu(MainMenuTexts::tr("C&ompare")), {"compareSaved", "compareLastRun", "compare", "compareRuns"});
    add(menu, {"close", "closeFinished", "reopenClosed"});
    menu->addSeparator();
    QMenu *edit = menu->addMenu(MainMenuTexts::tr("&Edit"));
    QObject::connect(edit, &QMenu::aboutToShow, parts.workbench,
        [edit, actions, workbench = parts.workbench] { fillEditMenu(edit, actions, workbench); });
    QMenu *run = menu->addMenu(MainMenuTexts::tr("&Run"));
    add(run,
        {"run", "rehearse", "runAsSweep", "retryFailed", "retryAll", "retryWithText", "preview", "stop", "runAgain",
            "editAsNew", "submitOriginal"});
    run->addMenu(parts.runIn);
    add(run->addMenu(MainMenuTexts::tr("This &job")), {"jobTags", "jobNote", "jobStar", "jobArchive", "jobDelete"});
    add(run, {"forgetSecrets"});
    run->addSeparator();
    add(run, {"hello", "addHost", "addCluster", "addKubernetes", "addOpenPai", "stopEngine"});
    QMenu *view = menu->addMenu(MainMenuTexts::tr("&View"));
    view->addActions(parts.panes);
    add(view,
        {"commandPalette", "filterJobs", "allJobs", "hosts", "usage", "welcome", "newFromTemplate", "templateFolder"});
    view->addSeparator();
    add(view, {"nextTab", "previousTab"});
    view->addSeparator();
    add(view, {"zoomIn", "zoomOut", "zoomReset"});
    view->addSeparator();
    add(view, {"themeSystem", "themeLight", "themeDark"});
    view->addSeparator();
    add(view, {"logRules", "metricPatterns", "codeEditor"});
    add(menu->addMenu(MainMenuTexts::tr("&Help")), {"documentation", "jobReference", "shortcuts"});
    add(menu, {"settings"});
    menu->addSeparator();
    add(menu, {"quit"});
    // They say why an entry is off.
    menu->setToolTipsVisible(true);
    const QList<QMenu *> below = menu->findChildren<QMenu *>();
    for (QMenu *each : below) {
        each->setToolTipsVisible(true);
    }
}

} // namespace trainyard
