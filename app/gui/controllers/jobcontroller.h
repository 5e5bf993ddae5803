// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench/commandpalette.h"
#include "engine/api/values.h"
#include "model/base/result.h"

#include <QObject>
#include <QStringList>

#include <functional>

namespace trainyard
{

class ActionRegistry;
class EngineClient;
class EngineController;
class HostController;
class JobsPane;
class RunController;
class RunTab;
class RunTabs;
class Workbench;

// Jobs that the engine has: the list at the side, and what can be done with one that runs, waits or is over.
class JobController : public QObject
{
    Q_OBJECT
public:
    // Adds the actions "stop" and "filterJobs", which brings the pane into sight by `showPane`.
    JobController(Workbench *workbench, ActionRegistry *actions, EngineClient *client, EngineController *engine,
        HostController *hosts, RunTabs *runs, RunController *runner, JobsPane *pane,
        const std::function<void()> &showPane);

    QList<CommandPalette::Entry> paletteEntries(); // jobs that are not open

private:
    void makeActions(ActionRegistry *actions, const std::function<void()> &showPane);
    void enableActions(ActionRegistry *actions) const;
    void followEngine(EngineController *engine, HostController *hosts);
    void connectPane();
    void connectTab(RunTab *tab);
    void stop(const QString &uuid); // asks first when it has run for long
    void stopNow(const QString &uuid);
    void pause(const QString &uuid, bool on);
    void move(const QString &uuid, const QString &before);
    void release(const QString &uuid, const QStringList &tasks);
    void openFolder(const QString &uuid);
    void remove(const QString &uuid);
    std::function<void(const Result<bool> &)> sayErrorsOf(const QString &uuid);

    Workbench *m_workbench;
    EngineClient *m_client;
    RunTabs *m_runs;
    RunController *m_runner;
    JobsPane *m_pane;
};

} // namespace trainyard
