// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/scheduler.h"
#include "engine/daemon/jobqueries.h"
#include "engine/daemon/tick.h"

namespace trainyard
{

// Changes of the order of the waiting jobs: each is stored, or the order stays as it was.
class JobQueue
{
public:
    JobQueue(const ActiveJobs &jobs, Store &store, core::Scheduler &scheduler, Backends &backends, Tick &tick,
        Publisher &publisher, const JobQueries &queries);
    Result<bool> move(const QString &uuid, const QString &before); // as Engine::move()
    Result<bool> setPriority(const QString &uuid, int priority); // as Engine::setPriority()

private:
    class Before;
    bool moveAmongAll(const QUuid &job, const QUuid &before);
    void put(ActiveJob &job, int priority, std::optional<double> order);

    const ActiveJobs &m_jobs;
    Store &m_store;
    core::Scheduler &m_scheduler;
    Backends &m_backends;
    Tick &m_tick;
    Publisher &m_publisher;
    const JobQueries &m_queries;
};

} // namespace trainyard
