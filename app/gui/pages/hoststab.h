// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench/page.h"

namespace trainyard
{

class ActionRegistry;
class ClusterController;
class HostController;
class HostsPage;
class PageRegistry;
class RunTabs;
class Workbench;

// The hosts and clusters in the window: what each has to offer, and why one cannot be used.
class HostsTab final : public Page
{
    Q_OBJECT
public:
    static constexpr QLatin1StringView kind{"hosts"}; // in PageRegistry and in sessions

    // Adds the kind of page and the action "hosts".
    static void install(PageRegistry *pages, ActionRegistry *actions, Workbench *workbench, HostController *hosts,
        ClusterController *clusters, RunTabs *runs);

    HostsTab(HostController *hosts, ClusterController *clusters, RunTabs *runs);

    QString title() const override;
    QIcon icon() const override;
    std::optional<SessionTab> place() const override;

private:
    void serveClusters(ClusterController *clusters);

    HostsPage *m_page;
};

} // namespace trainyard
