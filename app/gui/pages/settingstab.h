// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench/page.h"

#include <QJsonValue>

namespace trainyard
{

class ActionRegistry;
class EngineClient;
class SettingsPage;
class Workbench;

// The settings of the engine in the window, and above them those of the window itself. The engine writes them, so they
// are checked as those of the command line.
class SettingsTab final : public Page
{
    Q_OBJECT
public:
    static constexpr QLatin1StringView kind{"settings"}; // in PageRegistry and in sessions

    SettingsTab(Workbench *workbench, const ActionRegistry *actions, EngineClient *client);

    void find(const QString &key); // shows this setting

    QString title() const override;
    QIcon icon() const override;
    void focus() override; // the search
    std::optional<SessionTab> place() const override;

private:
    void load();
    void change(const QString &key, const QJsonValue &value);
    EngineClient *m_client;
    SettingsPage *m_page;
};

} // namespace trainyard
