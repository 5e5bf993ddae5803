// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench/commandpalette.h"
#include "engine/api/values.h"
#include "model/base/result.h"

#include <QHash>
#include <QObject>
#include <QStringList>

#include <functional>

namespace trainyard
{
namespace api
{
struct JobPage;
}

class ActionRegistry;
class EngineClient;
class EngineController;
class HostController;
class JobLabelController;
class JobRemoval;
class JobsPane;
class Page;
class RunController;
class RunTab;
class RunTabs;
class UndoBars;
class Workbench;

// Jobs that the engine has: the list at the side, and what can be done with one that runs, waits or is over.
class JobController : public QObject
{
    Q_OBJECT
public:
    // Adds the actions "stop", "retryFailed", "retryAll" and "filterJobs", which brings the pane into sight by
    // `showPane`.
    JobController(Workbench *workbench, ActionRegistry *actions, EngineClient *client, EngineController *engine,
        HostController *hosts, RunTabs *runs, RunController *runner, JobsPane *pane,
        const std::function<void()> &showPane);

    QList<CommandPalette::Entry> paletteEntries(); // jobs that are not open
    JobLabelController *labels() const { return m_labels; }
    JobRemoval *removal() const { return m_removal; }
    UndoBars *undoBars() const { return m_undo; }
    void stop(const QStringList &uuids); // several are asked about once
    void retry(const QStringList &uuids); // all tasks of jobs that are over
    void finish(); // the program ends: what waits for a regret is done

Q_SIGNALS:
    void allJobsRequested(const QString &filter); // as a table
    void compareRequested(const QStringList &uuids);
    void compareGroupRequested(const QString &group);

private:
    void makeActions(ActionRegistry *actions, const std::function<void()> &showPane);
    void enableActions(ActionRegistry *actions) const;
    void enableRetries(ActionRegistry *actions) const;
    QString jobMeant() const; // of the page in front, else the current one of the list; may be empty
    void followEngine(EngineController *engine, HostController *hosts);
    void connectPane();
    void completeSweeps();
    void loadSweep(const QString &group, const api::JobPage &page); // and its jobs after that
    void markFront(const Page *front);
    void connectTab(RunTab *tab);
    void stopOne(const QString &uuid); // asks first when it has run for long
    void stopNow(const QString &uuid);
    void withJobs(const QStringList &uuids, const std::function<void(const QHash<QString, JobSummary> &found)> &use);
    void askAboutSuccesses(const QStringList &uuids, const QStringList &others); // that have no results to be lost
    void retryNow(const QStringList &uuids);
    void pause(const QString &uuid, bool on);
    void move(const QString &uuid, const QString &before);
    void release(const QString &uuid, const QStringList &tasks);
    void openFolder(const QString &uuid);
    std::function<void(const Result<bool> &)> sayErrorsOf(const QString &uuid);

    Workbench *m_workbench;
    EngineClient *m_client;
    RunTabs *m_runs;
    RunController *m_runner;
    JobsPane *m_pane;
    UndoBars *m_undo; // before those that speak there
    JobLabelController *m_labels;
    JobRemoval *m_removal;
};

} // namespace trainyard
