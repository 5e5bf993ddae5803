// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/helpcontroller.h"

#include "app/gui/pages/documentationpage.h"
#include "app/gui/pages/documentationtab.h"
#include "app/gui/pages/settingstab.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/pageregistry.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/engineclient.h"

namespace trainyard
{

HelpController::HelpController(Workbench *workbench, ActionRegistry *actions, PageRegistry *pages, EngineClient *client)
    : QObject(workbench->window()), m_pages(pages)
{
    pages->addSingle(
        SettingsTab::kind, [workbench, actions, client] { return new SettingsTab(workbench, actions, client); },
        [](Page *page, const SessionTab &place) {
            auto *tab = qobject_cast<SettingsTab *>(page);
            if (tab && !place.name.isEmpty()) {
                tab->find(place.name);
            }
        });
    pages->addSingle(
        DocumentationTab::kind, [actions] { return new DocumentationTab(actions); },
        [](Page *page, const SessionTab &place) {
            if (auto *tab = qobject_cast<DocumentationTab *>(page)) {
                tab->open(place.name);
            }
        });
    actions->add({"documentation", QStringLiteral("info"), tr("&Documentation"), tr("Read the documentation"),
                     {Qt::SHIFT | Qt::Key_F1}},
        this, [this] { openPage(DocumentationPage::contents); });
    actions->add({"jobReference", {}, tr("&Job reference"), tr("All fields of a job, with types and examples")}, this,
        [this] { openPage(QStringLiteral("job-reference.md")); });
    actions->add({"shortcuts", {}, tr("&Keyboard shortcuts"), tr("All keys of the window")}, this,
        [this] { openPage(DocumentationPage::shortcuts); });
    actions->add({"settings", QStringLiteral("settings"), tr("S&ettings"),
                     tr("Settings of the window and of the engine"), {Qt::CTRL | Qt::Key_Comma}},
        this, [this, client] {
            if (client->status() == EngineClient::Status::Offline) {
                client->start(EngineClient::Start::IfNeeded);
            }
            m_pages->enter(SettingsTab::kind);
        });
}

void HelpController::openPage(const QString &page)
{
    if (auto *tab = qobject_cast<DocumentationTab *>(m_pages->open(DocumentationTab::kind))) {
        tab->open(page);
        tab->focus();
    }
}

} // namespace trainyard
