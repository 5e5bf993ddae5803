// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/portcontroller.h"

#include "app/gui/controllers/hostcontroller.h"
#include "app/gui/controllers/runtabs.h"
#include "app/gui/pages/runtab.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/engineclient.h"
#include "widgets/common/aside.h"
#include "widgets/tasks/portsmenu.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/text/texts.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QUrl>

#include <algorithm>

namespace trainyard
{

PortController::PortController(Workbench *workbench, EngineClient *client, HostController *hosts, RunTabs *runs)
    : QObject(workbench->window()), m_workbench(workbench), m_client(client), m_hosts(hosts)
{
    connect(runs, &RunTabs::opened, this, &PortController::serve);
}

void PortController::serve(RunTab *tab)
{
    const PortsMenu *menu = tab->run()->tasksPane()->ports();
    connect(menu, &PortsMenu::portsWanted, tab, [this, tab](const TaskInfo &task) { look(tab, task); });
    connect(menu, &PortsMenu::openRequested, tab, [this, tab](const OfferedPort &port) {
        forward(tab, port, [this, tab](const QString &address) { m_workbench->openOutside(QUrl(address), tab); });
    });
    connect(menu, &PortsMenu::copyRequested, tab, [this, tab](const OfferedPort &port) {
        forward(tab, port, [](const QString &address) { QGuiApplication::clipboard()->setText(address); });
    });
    connect(menu, &PortsMenu::stopRequested, tab, [this, tab](const OfferedPort &port) { stop(tab, port); });
    connect(tab->run(), &RunPage::addressRequested, tab,
        [this, tab](const QString &address) { openService(tab, address); });
}

void PortController::look(RunTab *tab, const TaskInfo &task)
{
    m_client->call<api::ListPorts>(
        {tab->jobUuid(), task.role, task.index}, tab, [this, tab, task](const Result<QList<api::TaskPort>> &known) {
            if (!known) {
                tab->run()->tasksPane()->ports()->setProblem(task, errorText(known.error()));
                return;
            }
            m_client->call<api::GetJob>(
                {tab->jobUuid()}, tab, [this, tab, task, known = *known](const Result<JobDetail> &detail) {
                    lookInOutput(tab, task, detail.value_or(JobDetail()), known);
                });
        });
}

void PortController::lookInOutput(
    RunTab *tab, const TaskInfo &task, const JobDetail &detail, const QList<api::TaskPort> &known)
{
    QStringList names{task.host, task.address};
    api::TaskPort own;
    own.role = task.role;
    own.index = task.index;
    own.host = task.host;
    const QList<HostInfo> hosts = m_client->hosts(); // with the names that programs there print
    for (const HostInfo &host : hosts) {
        if (host.id == task.host) {
            own.isHere = host.target.isEmpty();
            names += {host.label, host.target.section(QLatin1Char('@'), -1)};
        }
    }
    const QList<ServedAddress> served = servedByPlugins(detail.services, task.role, task.index);
    PortsMenu *menu = tab->run()->tasksPane()->ports();
    runAside(menu, [menu, task, known, own, served, names]() -> std::function<void()> {
        const QList<OfferedPort> ports = offeredPorts(known, served + servedAddressesIn(task.logFolder, names), own);
        return [menu, task, ports] { menu->setPorts(task, ports); };
    });
}

void PortController::forward(
    RunTab *tab, const OfferedPort &port, const std::function<void(const QString &address)> &then)
{
    if (const QString address = port.address(); !address.isEmpty()) {
        then(address);
        return;
    }
    api::PortToForward wanted;
    wanted.id = tab->jobUuid();
    wanted.role = port.port.role;
    wanted.index = port.port.index;
    wanted.port = port.port.port;
    m_client->call<api::ForwardPort>(wanted, tab, [this, tab, port, then](const Result<api::TaskPort> &forwarded) {
        if (!forwarded) {
            m_workbench->sayOf(tab, errorText(forwarded.error()));
            return;
        }
        then(OfferedPort{*forwarded, port.served}.address());
    });
}

void PortController::stop(RunTab *tab, const OfferedPort &port)
{
    api::ForwardToStop which;
    which.id = tab->jobUuid();
    which.role = port.port.role;
    which.index = port.port.index;
    which.port = port.port.port;
    m_client->call<api::StopForward>(which, tab, [this, tab](const Result<bool> &stopped) {
        if (!stopped) {
            m_workbench->sayOf(tab, errorText(stopped.error()));
        }
    });
}

// Where it runs on another host, its address may be one that only that host knows: it is forwarded.
void PortController::openService(RunTab *tab, const QString &address)
{
    m_client->call<api::GetJob>({tab->jobUuid()}, tab, [this, tab, address](const Result<JobDetail> &detail) {
        const QList<HostInfo> hosts = m_hosts->hosts();
        const QList<ServiceInfo> services = detail ? detail->services : QList<ServiceInfo>();
        for (const ServiceInfo &service : services) {
            const bool isElsewhere = std::any_of(hosts.cbegin(), hosts.cend(),
                [&service](const HostInfo &host) { return host.id == service.host && !host.target.isEmpty(); });
            const std::optional<ServedAddress> served = servedByPlugin(service);
            if (service.address == address && isElsewhere && served) {
                OfferedPort port;
                port.port.role = service.role;
                port.port.index = service.index;
                port.port.port = served->port;
                port.served = *served;
                forward(tab, port, [this, tab](const QString &here) { m_workbench->openOutside(QUrl(here), tab); });
                return;
            }
        }
        m_workbench->openOutside(QUrl(address), tab);
    });
}

} // namespace trainyard
