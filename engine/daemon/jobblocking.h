// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/daemon/jobqueries.h"
#include "engine/daemon/tick.h"

namespace trainyard
{

// The obstacles that keep jobs from running: other jobs that they wait for, and pauses.
class JobBlocking : public QObject
{
    Q_OBJECT
public:
    JobBlocking(const ActiveJobs &jobs, const Store &store, Tick &tick, const JobQueries &queries);
    // The jobs that the job has to wait for. Fails when one is unknown (after.unknown {job}), when the condition is
    // neither its success nor its end (after.bad-condition {job, condition}), when a group is named (after.group
    // {group}), or when it did not end as required (after.failed {job, name, state}).
    Result<std::vector<core::Dependency>> dependenciesOf(const JobSpec &spec, const SubmitRequest &request) const;
    void tellDependents(const core::JobState &over);
    void askForDependencies(ActiveJob &job); // after a restart: those that ended meanwhile
    Result<bool> pause(const QString &uuid, bool on); // as Engine::pause()

private:
    const ActiveJobs &m_jobs;
    const Store &m_store;
    Tick &m_tick;
    const JobQueries &m_queries;
};

} // namespace trainyard
