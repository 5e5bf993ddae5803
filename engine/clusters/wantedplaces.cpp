// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/wantedplaces.h"

#include "engine/backend/activejob.h"
#include "engine/backend/clock.h"

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{

// The GPUs that a task asks for, by which it is counted: the cluster does not say which ones it gets.
int gpusOf(const ActiveJob &job, core::TaskRef task)
{
    return std::max(0, job.state.policy.roles[std::size_t(task.role)].needs.gpu);
}

} // namespace

bool WantedPlaces::take(ActiveJob &job, const core::Effect &effect)
{
    if (const auto *wanted = std::get_if<core::effect::RequestPlacement>(&effect)) {
        m_tasks[&job].insert(wanted->tasks.begin(), wanted->tasks.end());
        return true;
    }
    if (std::holds_alternative<core::effect::CancelPlacement>(effect)) {
        m_tasks.erase(&job);
        return true;
    }
    return false;
}

std::vector<JobEvent> WantedPlaces::grantAll(const QString &target, const Enter &enter)
{
    const std::map<ActiveJob *, std::set<core::TaskRef>> wanted = std::exchange(m_tasks, {});
    std::vector<ActiveJob *> jobs;
    for (const auto &each : wanted) {
        jobs.push_back(each.first);
    }
    std::sort(jobs.begin(), jobs.end(),
        [](const ActiveJob *a, const ActiveJob *b) { return a->state.meta.id < b->state.meta.id; });
    std::vector<JobEvent> events;
    for (ActiveJob *job : jobs) {
        core::event::PlacementGranted granted;
        for (const core::TaskRef task : wanted.at(job)) {
            const QUuid tryUuid = core::tryUuid(job->state, task);
            granted.grants.push_back({task, tryUuid, {target, {}, {}, {}, 0, gpusOf(*job, task)}});
            enter(*job, task, tryUuid);
        }
        events.push_back({job, core::Event{nowMs(), granted}});
    }
    return events;
}

} // namespace trainyard
