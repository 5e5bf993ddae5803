// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/hoststab.h"

#include "app/gui/controllers/clustercontroller.h"
#include "app/gui/controllers/hostcontroller.h"
#include "app/gui/controllers/runtabs.h"
#include "app/gui/controllers/taskterminals.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/pageregistry.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/sshnames.h"
#include "widgets/common/icons.h"
#include "widgets/hosts/clusterlist.h"
#include "widgets/hosts/clusterview.h"
#include "widgets/hosts/hostspage.h"

namespace trainyard
{

void HostsTab::install(PageRegistry *pages, ActionRegistry *actions, Workbench *workbench, HostController *hosts,
    ClusterController *clusters, RunTabs *runs)
{
    pages->addSingle(
        kind, [=] { return new HostsTab(hosts, clusters, runs); },
        [](Page *page, const SessionTab &place) { static_cast<HostsTab *>(page)->m_page->choose(place.name); });
    actions->add(
        {"hosts", QStringLiteral("host"), tr("&Hosts"), tr("What each host offers, and why one cannot be used")},
        workbench, [pages] { pages->enter(kind); });
    const auto show = [pages](const QString &id) {
        if (auto *tab = static_cast<HostsTab *>(pages->open(kind))) {
            tab->m_page->choose(id);
        }
    };
    connect(hosts, &HostController::pageRequested, pages, show);
    connect(clusters, &ClusterController::pageRequested, pages, show);
    connect(runs, &RunTabs::hostRequested, pages, show);
}

HostsTab::HostsTab(HostController *hosts, ClusterController *clusters, RunTabs *runs)
    : Page(new HostsPage), m_page(static_cast<HostsPage *>(widget()))
{
    m_page->setKnownNames(sshNames(sshConfigFile()));
    hosts->serve(m_page);
    m_page->setHosts(hosts->hosts());
    connect(hosts, &HostController::changed, m_page, &HostsPage::setHosts);
    connect(m_page, &HostsPage::chosenChanged, this, &Page::edited);
    connect(m_page, &HostsPage::checkRequested, hosts, &HostController::checkHost);
    connect(m_page, &HostsPage::changeRequested, hosts, [this, hosts](const api::HostChange &change) {
        hosts->changeHost(
            change, m_page, [this, id = change.id](const QString &error) { m_page->setUseError(id, error); });
    });
    connect(m_page, &HostsPage::releaseRequested, hosts, &HostController::releaseHost);
    connect(m_page, &HostsPage::removeRequested, hosts, [hosts](const QString &id) { hosts->askAndRemoveHost(id); });
    connect(m_page, &HostsPage::addRequested, hosts, [this, hosts](const QString &target, bool anyway) {
        hosts->addHost(target, anyway, m_page, [this](const HostController::Added &added) {
            m_page->setAddError(added.error, added.mayBeAdded);
            if (added.error.isEmpty()) {
                m_page->choose(added.id);
            }
        });
    });
    connect(m_page, &HostsPage::shellRequested, this, [this](const HostInfo &host) {
        openHostTerminal(host, [this, id = host.id](const QString &sentence) { m_page->setUseError(id, sentence); });
    });
    connect(m_page, &HostsPage::jobRequested, runs, &RunTabs::openNumber);
    serveClusters(clusters);
}

void HostsTab::serveClusters(ClusterController *clusters)
{
    ClusterList *list = m_page->clusters();
    list->setClusters(clusters->clusters());
    connect(clusters, &ClusterController::changed, list, &ClusterList::setClusters);
    connect(list, &ClusterList::wanted, clusters, &ClusterController::ask);
    connect(list, &ClusterList::addRequested, clusters, &ClusterController::chooseKind);
    connect(m_page, &HostsPage::clusterOffered, clusters, &ClusterController::addCluster);
    const ClusterView *chosen = m_page->cluster();
    connect(chosen, &ClusterView::checkRequested, clusters, &ClusterController::checkCluster);
    connect(chosen, &ClusterView::changeRequested, clusters, &ClusterController::changeCluster);
    connect(chosen, &ClusterView::removeRequested, clusters, &ClusterController::removeCluster);
    connect(chosen, &ClusterView::jobsRequested, clusters, &ClusterController::showJobs);
}

QString HostsTab::title() const { return tr("Hosts"); }

QIcon HostsTab::icon() const { return trainyard::icon(QStringLiteral("host"), Colour::Muted); }

std::optional<SessionTab> HostsTab::place() const
{
    SessionTab tab;
    tab.kind = kind;
    tab.name = m_page->chosen();
    return tab;
}

} // namespace trainyard
