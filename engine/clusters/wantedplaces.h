// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/backend.h"

#include <functional>
#include <map>
#include <set>

namespace trainyard
{

// The tasks for which jobs want places on a cluster. It does the scheduling, so that all of them get places at once.
class WantedPlaces
{
public:
    bool isEmpty() const { return m_tasks.empty(); }
    // Returns whether the effect asks for places, or no longer does.
    bool take(ActiveJob &job, const core::Effect &effect);
    void forget(ActiveJob &job) { m_tasks.erase(&job); }

    using Enter = std::function<void(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid)>;
    // Grants what is wanted, in the order in which the jobs came, by which the cluster goes too. `enter` is called for
    // each task.
    std::vector<JobEvent> grantAll(const QString &target, const Enter &enter);

private:
    std::map<ActiveJob *, std::set<core::TaskRef>> m_tasks;
};

} // namespace trainyard
