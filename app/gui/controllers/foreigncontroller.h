// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSet>
#include <QStringList>

namespace trainyard
{

class ActionRegistry;
class EngineClient;
class ForeignRuns;
class ForeignTab;
class JobsPane;
class Page;
class PageRegistry;
class Workbench;

// Runs that other programs have recorded: opens their files, and shows them in the list of jobs and on pages.
class ForeignController : public QObject
{
    Q_OBJECT
public:
    // Adds the action "openRuns".
    ForeignController(Workbench *workbench, ActionRegistry *actions, PageRegistry *pages, JobsPane *jobs);

    // The names of files that may have runs in them, for a dialog.
    static QStringList patterns();
    // Opens those of these files and folders that may have runs in them, and gives the others.
    QStringList take(const QStringList &paths);
    void open(const QStringList &paths);
    ForeignRuns *runs() const { return m_runs; }
    void nameByJobs(EngineClient *client); // runs in the folders of its jobs

Q_SIGNALS:
    void shown(trainyard::ForeignTab *tab); // a page that was just made

private:
    void askForFolder();
    void follow();
    Page *show(const QString &uuid);
    void forget(const QString &uuid);

    Workbench *m_workbench;
    JobsPane *m_jobs;
    ForeignRuns *m_runs;
    QStringList m_undoable; // out of the list, as the bar says that is shown
    QSet<QString> m_wanted; // paths that the user has just opened
};

} // namespace trainyard
