// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "engine/client/servedaddress.h"

#include <QObject>

#include <functional>

namespace trainyard
{

class EngineClient;
class HostController;
class PortsMenu;
class RunTab;
class RunTabs;
class Workbench;

// The ports of the tasks of open runs: finds them, has them forwarded, and opens their addresses in the browser.
class PortController : public QObject
{
    Q_OBJECT
public:
    PortController(Workbench *workbench, EngineClient *client, HostController *hosts, RunTabs *runs);

private:
    void serve(RunTab *tab);
    void look(RunTab *tab, const TaskInfo &task);
    void lookInOutput(RunTab *tab, const TaskInfo &task, const JobDetail &detail, const QList<api::TaskPort> &known);
    // Calls `then` with the address on this computer, as soon as there is one.
    void forward(RunTab *tab, const OfferedPort &port, const std::function<void(const QString &address)> &then);
    void stop(RunTab *tab, const OfferedPort &port);
    void openService(RunTab *tab, const QString &address); // of a plugin, as its host names it

    Workbench *m_workbench;
    EngineClient *m_client;
    HostController *m_hosts;
};

} // namespace trainyard
