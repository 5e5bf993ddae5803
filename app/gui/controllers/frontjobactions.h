// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QObject>

#include <optional>

namespace trainyard
{

class ActionRegistry;
class EngineClient;
class JobLabelController;
class JobRemoval;
class RunTabs;
class Workbench;

// The actions of the list of jobs for the job whose page is in front: its tags, its note, its star, the archive, and
// deleting it. Adds the actions "jobTags", "jobNote", "jobStar", "jobArchive" and "jobDelete".
class FrontJobActions : public QObject
{
    Q_OBJECT
public:
    FrontJobActions(Workbench *workbench, ActionRegistry *actions, EngineClient *client, const RunTabs *runs,
        JobLabelController *labels, JobRemoval *removal);

private:
    std::optional<JobSummary> job() const; // nothing: the page in front is not that of a run
    void update(ActionRegistry *actions) const;

    EngineClient *m_client;
    const RunTabs *m_runs;
};

} // namespace trainyard
