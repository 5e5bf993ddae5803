// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/welcometab.h"

#include "app/gui/controllers/enginecontroller.h"
#include "app/gui/controllers/filecontroller.h"
#include "app/gui/controllers/templatecontroller.h"
#include "app/gui/pages/welcomepage.h"
#include "app/gui/recentfiles.h"
#include "app/gui/templateshelf.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/pageregistry.h"
#include "widgets/common/icons.h"

#include <QAction>

namespace trainyard
{

WelcomeTab::WelcomeTab(
    ActionRegistry *actions, EngineController *engine, FileController *files, TemplateController *templates)
    : Page(new WelcomePage)
{
    auto *page = static_cast<WelcomePage *>(widget());
    connect(page, &WelcomePage::helloRequested, actions->action("hello"), &QAction::trigger);
    connect(page, &WelcomePage::newRequested, actions->action("new"), &QAction::trigger);
    connect(page, &WelcomePage::openRequested, actions->action("open"), &QAction::trigger);
    connect(page, &WelcomePage::fileRequested, files, &FileController::openFile);
    connect(page, &WelcomePage::templateRequested, templates, &TemplateController::openTemplate);
    connect(page, &WelcomePage::galleryRequested, templates, &TemplateController::showGallery);
    const auto showTemplates = [page, templates] { page->setTemplates(templates->shelf()->templates()); };
    const auto showComputer = [page, engine] { page->setComputer(engine->computer(), engine->trouble()); };
    connect(templates->shelf(), &TemplateShelf::changed, this, showTemplates);
    connect(files->recent(), &RecentFiles::changed, page, &WelcomePage::setRecentFiles);
    connect(engine, &EngineController::changed, this, showComputer);
    showTemplates();
    page->setRecentFiles(files->recent()->files());
    showComputer();
}

void WelcomeTab::install(PageRegistry *pages, ActionRegistry *actions, EngineController *engine, FileController *files,
    TemplateController *templates)
{
    pages->addSingle(kind, [=] { return new WelcomeTab(actions, engine, files, templates); });
    actions->add({"welcome", QStringLiteral("trainyard"), tr("&Welcome page"), tr("Show the welcome page")}, pages,
        [pages] { pages->enter(kind); });
}

QString WelcomeTab::title() const { return tr("Welcome"); }

QIcon WelcomeTab::icon() const { return trainyard::icon(QStringLiteral("trainyard"), Colour::Accent); }

std::optional<SessionTab> WelcomeTab::place() const
{
    SessionTab tab;
    tab.kind = kind;
    return tab;
}

} // namespace trainyard
