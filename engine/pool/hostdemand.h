// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/scheduler.h"
#include "engine/pool/hostfigures.h"
#include "engine/pool/hostpool.h"
#include "engine/pool/resultservice.h"

namespace trainyard
{

// Determines which of the hosts that wait for a login are needed now: ssh asks the user about those, and about no
// others. A host that nothing needs can wait until its user requests it.
class HostDemand
{
public:
    HostDemand(HostPool &hosts, const HostFigures &figures, const core::Scheduler &scheduler, const ActiveJobs &jobs,
        const ResultService &results)
        : m_hosts(hosts), m_figures(figures), m_scheduler(scheduler), m_jobs(jobs), m_results(results)
    {
    }
    void look(); // after the scheduler has placed what it can, and when a host has changed

    // The hosts for which a job with this reason waits.
    static QStringList awaited(const core::WaitReason &why);
    // Whether it says that what is in reach is of no use, now or ever, and not that it is taken: then a host that is
    // out of reach may be.
    static bool isForOthers(const core::WaitReason &why);

private:
    static bool mayTake(const PoolHost &host, const ActiveJob &job);

    HostPool &m_hosts;
    const HostFigures &m_figures;
    const core::Scheduler &m_scheduler;
    const ActiveJobs &m_jobs;
    const ResultService &m_results;
};

} // namespace trainyard
