// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench/page.h"
#include "engine/api/values.h"

#include <QSet>

namespace trainyard
{
namespace api
{
struct JobPage;
}

class ActionRegistry;
class EngineClient;
class JobController;
class JobsTablePage;
class PageRegistry;
class RunTabs;
class Workbench;

// All jobs that the engine has, as a table. They are read page by page while the first ones are shown.
class AllJobsTab final : public Page
{
    Q_OBJECT
public:
    static constexpr QLatin1StringView kind{"alljobs"}; // in PageRegistry and in sessions

    AllJobsTab(Workbench *workbench, EngineClient *client, JobController *jobs, RunTabs *runs);
    // Adds the kind and the action "allJobs".
    static void install(PageRegistry *pages, ActionRegistry *actions, Workbench *workbench, EngineClient *client,
        JobController *jobs, RunTabs *runs);

    QString title() const override;
    QIcon icon() const override;
    void focus() override; // the filter
    QList<QAction *> exports() const override { return {m_export}; }
    std::optional<SessionTab> place() const override;
    QStringList chosenJobs() const override;

private:
    void loadAll();
    void load(const api::JobPage &page); // and those after it
    void finishLoading();
    void exportTable();
    void restore(const SessionTab &place);

    Workbench *m_workbench;
    EngineClient *m_client;
    JobsTablePage *m_page;
    QAction *m_export;
    int m_round = 0; // of reading: an older one ends when the next begins
    QSet<QString> m_seen; // in this round
};

} // namespace trainyard
