// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/activejob.h"

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
        finished.push_back(std::move(it->second));
        it = m_jobs.erase(it);
    }
    return finished;
}

} // namespace trainyard
