// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/activejob.h"

#include <algorithm>

namespace trainyard
{

ActiveJob *ActiveJobs::find(const QString &uuid) const
{
    const auto it = m_jobs.find(uuid);
    return it == m_jobs.end() ? nullptr : it->second.get();
}

ActiveJob &ActiveJobs::add(std::unique_ptr<ActiveJob> job)
{
    const QString uuid = job->uuid();
    for (const core::Dependency &dependency : job->state.after) {
        m_dependents.emplace(dependency.job, uuid);
    }
    return *m_jobs.emplace(uuid, std::move(job)).first->second;
}

std::vector<std::unique_ptr<ActiveJob>> ActiveJobs::takeFinished()
{
    std::vector<std::unique_ptr<ActiveJob>> finished;
    for (auto it = m_jobs.begin(); it != m_jobs.end();) {
        if (!it->second->state.isFinished()) {
            ++it;
            continue;
        }
        m_dependents.erase(it->second->state.uuid);
        finished.push_back(std::move(it->second));
        it = m_jobs.erase(it);
    }
    return finished;
}

std::vector<ActiveJob *> ActiveJobs::dependentsOf(const QUuid &job) const
{
    std::vector<ActiveJob *> dependents;
    const auto [begin, end] = m_dependents.equal_range(job);
    for (auto it = begin; it != end; ++it) {
        ActiveJob *each = find(it->second);
        const auto isMeant = [&job](const core::Dependency &dependency) { return dependency.job == job; };
        if (each && std::any_of(each->state.after.cbegin(), each->state.after.cend(), isMeant)
            && std::find(dependents.cbegin(), dependents.cend(), each) == dependents.cend()) {
            dependents.push_back(each);
        }
    }
    return dependents;
}

} // namespace trainyard
