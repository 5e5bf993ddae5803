// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/controllers/underway.h"
#include "engine/api/values.h"

#include <QList>
#include <QObject>

namespace trainyard
{

class ActionRegistry;
class CompareRuns;
class CompareTab;
class EngineClient;
class ForeignRuns;
class JobRemoval;
class PageRegistry;
class RunController;
class RunTabs;
class Secrets;
class Workbench;

// Comparisons of runs: opens them, and does what is asked for in them.
class RunComparisons : public QObject
{
    Q_OBJECT
public:
    // Adds the action "compareRuns".
    RunComparisons(Workbench *workbench, ActionRegistry *actions, PageRegistry *pages, EngineClient *client,
        const JobRemoval *removal, ForeignRuns *foreign, RunTabs *runs, RunController *runner, Secrets *secrets);

    CompareTab *compare(const QStringList &uuids); // one run alone: asks for others first, and gives null
    CompareTab *compareGroup(const QString &group); // to the front when it is open
    // The question before runs are stopped: which ones, and whether the best one is among them.
    static QString stopText(const CompareRuns &runs, const QStringList &uuids, bool isRest);

private:
    void compareFront();
    // Among all runs that are mirrored, and those of `also` that are older.
    void choose(QList<JobSummary> also, const QStringList &chosen, int least,
        const std::function<void(const QStringList &chosen, const QStringList &listed)> &use);
    CompareTab *open(const QString &group, const QStringList &uuids);
    void connectTab(CompareTab *tab);
    void openRun(const QString &uuid);
    void addTo(CompareTab *tab);
    void askToStop(CompareTab *tab, const QStringList &uuids, bool isRest);
    void stop(CompareTab *tab, const QStringList &uuids);
    void askForSeeds(CompareTab *tab, const QString &uuid);
    void runWithSeeds(CompareTab *tab, const QString &uuid, const QString &parameter, const QList<qint64> &seeds);
    void save(CompareTab *tab, bool asHtml);

    Workbench *m_workbench;
    PageRegistry *m_pages;
    EngineClient *m_client;
    const JobRemoval *m_removal;
    ForeignRuns *m_foreign;
    RunTabs *m_runs;
    RunController *m_runner;
    Secrets *m_secrets;
    QList<CompareTab *> m_tabs;
    UnderWay m_underWay;
};

} // namespace trainyard
