// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/frontjobactions.h"

#include "app/gui/controllers/joblabelcontroller.h"
#include "app/gui/controllers/jobremoval.h"
#include "app/gui/controllers/runtabs.h"
#include "app/gui/pages/runtab.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/engineclient.h"
#include "widgets/tasks/runpage.h"

#include <QAction>

#include <functional>

namespace trainyard
{

FrontJobActions::FrontJobActions(Workbench *workbench, ActionRegistry *actions, EngineClient *client,
    const RunTabs *runs, JobLabelController *labels, JobRemoval *removal)
    : QObject(workbench->window()), m_client(client), m_runs(runs)
{
    const auto with = [this](const std::function<void(const JobSummary &job)> &use) {
        return [this, use] {
            if (const std::optional<JobSummary> front = job()) {
                use(*front);
            }
        };
    };
    actions->add({"jobTags", QStringLiteral("tag"), tr("&Tags of this job…"),
                     tr("Words by which this job is found in the list, such as the name of a paper")},
        this, with([labels](const JobSummary &job) { labels->edit({job}, false); }));
    actions->add(
        {"jobNote", QStringLiteral("edit"), tr("&Note on this job…"), tr("What is to be remembered of this job")}, this,
        with([labels](const JobSummary &job) { labels->edit({job}, true); }));
    actions->add({"jobStar", QStringLiteral("star"), tr("Mark this job with a &star"),
                     tr("Jobs with a star can be listed alone")},
        this, with([labels](const JobSummary &job) { labels->star({job.uuid}, !job.labels.isStarred); }));
    actions->add({"jobArchive", QStringLiteral("archive"), tr("&Archive this job"),
                     tr("Jobs in the archive are kept, and only listed when they are asked for")},
        this, with([labels](const JobSummary &job) { labels->archive({job.uuid}, !job.labels.isArchived); }));
    actions->add(
        {"jobDelete", QStringLiteral("remove"), tr("&Delete this job"),
            tr("Delete this job with its logs and files; it can be undone for half a minute"), {}, true, {}, false},
        this, with([removal](const JobSummary &job) { removal->remove({job.uuid}); }));
    connect(workbench, &Workbench::refreshed, this, [this, actions] { update(actions); });
    connect(client, &EngineClient::jobChanged, this, [this, actions](const JobSummary &changed) {
        if (const RunTab *tab = m_runs->current(); tab && tab->jobUuid() == changed.uuid) {
            update(actions);
        }
    });
    update(actions);
}

std::optional<JobSummary> FrontJobActions::job() const
{
    const RunTab *tab = m_runs->current();
    if (!tab) {
        return std::nullopt;
    }
    const std::optional<JobSummary> known = m_client->job(tab->jobUuid());
    const JobSummary &shown = tab->run()->summary();
    return known || shown.id == 0 ? known : std::optional(shown); // too old for the client's list
}

void FrontJobActions::update(ActionRegistry *actions) const
{
    const std::optional<JobSummary> front = job();
    const RunTab *tab = m_runs->current();
    const bool isDeleted = tab && tab->isDeleted(), isThere = front && !isDeleted;
    const QString whyNone = isDeleted ? tr("This job is deleted.")
        : tab                         ? tr("The engine does not know this job.")
                                      : tr("The tab in front is not the page of a run.");
    const bool isOver = isThere && isFinal(front->state), isArchived = isThere && front->labels.isArchived;
    actions->setEnabled({"jobTags", "jobNote", "jobStar"}, isThere, whyNone);
    actions->setEnabled(
        {"jobArchive"}, isOver || isArchived, isThere ? tr("A job can be archived when it has ended.") : whyNone);
    actions->setEnabled({"jobDelete"}, isOver, isThere ? tr("A job can be deleted when it has ended.") : whyNone);
    actions->action("jobStar")->setText(
        front && front->labels.isStarred ? tr("Remove the &star of this job") : tr("Mark this job with a &star"));
    actions->action("jobArchive")
        ->setText(isArchived ? tr("Bring this job back from the &archive") : tr("&Archive this job"));
}

} // namespace trainyard
