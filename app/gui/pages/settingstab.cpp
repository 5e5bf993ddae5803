// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/settingstab.h"

#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/engineclient.h"
#include "engine/client/paths.h"
#include "engine/client/settings.h"
#include "widgets/common/icons.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/textsize.h"
#include "widgets/settings/settingspage.h"
#include "widgets/text/texts.h"

#include <QAction>
#include <QActionGroup>
#include <QFileInfo>
#include <QJsonArray>

namespace trainyard
{
namespace
{

// Every size that the text can have, in points.
const QActionGroup *sizeChoices(TextSize *size, QObject *parent)
{
    auto *choices = new QActionGroup(parent);
    for (int steps = TextSize::least; steps <= TextSize::most; ++steps) {
        QAction *action = choices->addAction(QString());
        action->setCheckable(true);
        const QString points = QLocale().toString(size->font(steps).pointSizeF());
        action->setIconText(steps == 0 ? SettingsTab::tr("%1 pt, as usual").arg(points)
                                       : SettingsTab::tr("%1 pt", "size of text").arg(points));
        QObject::connect(action, &QAction::triggered, size, [size, steps] { size->setSteps(steps); });
    }
    const auto check = [choices](int steps) { choices->actions().at(steps - TextSize::least)->setChecked(true); };
    QObject::connect(size, &TextSize::changed, choices, check);
    check(size->steps());
    return choices;
}

} // namespace

SettingsTab::SettingsTab(Workbench *workbench, const ActionRegistry *actions, EngineClient *client)
    : Page(new SettingsPage(Settings::table())), m_client(client), m_page(static_cast<SettingsPage *>(widget()))
{
    connect(m_page, &SettingsPage::changeRequested, this, &SettingsTab::change);
    connect(m_page, &SettingsPage::fileRequested, this, [this, workbench] {
        const QString file = paths::configFolder() + QStringLiteral("/engine.json");
        if (QFileInfo::exists(file)) {
            workbench->openOutside(QUrl::fromLocalFile(file), this);
        } else {
            workbench->sayOf(
                this, tr("There is no settings file yet: %1 is created with the first change.").arg(file), false);
        }
    });
    connect(client, &EngineClient::statusChanged, this, &SettingsTab::load);
    connect(client, &EngineClient::settingsChanged, this, &SettingsTab::load); // by the command line, or in the file
    connect(workbench, &Workbench::frontChanged, this, [this](const Page *front) {
        if (front == this) {
            load(); // an engine of an older version does not tell
        }
    });
    m_page->addWindowChoice(tr("Theme"), tr("Colours of the window. It is also in the menu, under View."),
        actions->action("themeSystem")->actionGroup());
    m_page->addWindowChoice(tr("Font size of code"),
        tr("Of YAML, commands and scripts. Ctrl and the wheel above one of them changes it too."),
        sizeChoices(TextSize::code(), m_page));
    m_page->addWindowChoice(tr("Font size of logs"),
        tr("Of all logs. Ctrl and the wheel above one of them changes it too."), sizeChoices(TextSize::logs(), m_page));
    m_page->addWindowAction(tr("Colours of log lines"),
        tr("Which lines of logs are errors, warnings and so on, by regular expressions."), actions->action("logRules"));
    m_page->addWindowAction(tr("Own metrics"),
        tr("Metrics that are not recognized in the output, tried on the log that is open. The engine keeps them."),
        actions->action("metricPatterns"));
    m_page->addWindowAction(tr("Program for code"),
        tr("Which editor shows the code that a traceback names, on this computer."), actions->action("codeEditor"));
    load();
}

QString SettingsTab::title() const { return tr("Settings"); }

QIcon SettingsTab::icon() const { return trainyard::icon(QStringLiteral("settings"), Colour::Muted); }

void SettingsTab::find(const QString &key) { m_page->searchField()->setText(key); }

void SettingsTab::focus() { m_page->searchField()->setFocus(); }

std::optional<SessionTab> SettingsTab::place() const
{
    SessionTab tab;
    tab.kind = kind;
    return tab;
}

void SettingsTab::load()
{
    if (m_client->status() != EngineClient::Status::Ready) {
        // The contents of the file until the engine answers; only the engine writes it.
        m_page->setValues(Settings(paths::configFolder() + QStringLiteral("/engine.json")).all());
        m_page->setUnavailable(tr("Settings can be changed when the engine is connected."));
        return;
    }
    m_client->call<api::GetSettings>({}, this, [this](const Result<QJsonObject> &values) {
        if (values) {
            m_page->setValues(*values);
            m_page->setUnavailable({});
        } else {
            m_page->setUnavailable(errorText(values.error()));
        }
    });
}

void SettingsTab::change(const QString &key, const QJsonValue &value)
{
    m_client->call<api::SetSetting>({key, value}, this, [this, key](const Result<bool> &done) {
        if (done) {
            load();
        } else {
            m_page->setError(key, errorText(done.error()));
        }
    });
}

} // namespace trainyard
