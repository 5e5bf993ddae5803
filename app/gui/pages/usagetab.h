// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench/page.h"

class QTimer;

namespace trainyard
{

class EngineClient;
class HostController;
class RunTabs;
class UsagePage;
class Workbench;

// Whose the GPUs were over days, in the window. It is kept up to date while it is in front.
class UsageTab final : public Page
{
    Q_OBJECT
public:
    static constexpr QLatin1StringView kind{"usage"}; // in PageRegistry and in sessions

    UsageTab(Workbench *workbench, EngineClient *client, HostController *hosts, RunTabs *runs);

    QString title() const override;
    QIcon icon() const override;
    void focus() override;
    std::optional<SessionTab> place() const override;

private:
    void fetch(qint64 from, qint64 to);
    void refresh();
    EngineClient *m_client;
    UsagePage *m_page;
    QTimer *m_timer;
};

} // namespace trainyard
