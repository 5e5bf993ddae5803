// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/daemon/backends.h"

namespace trainyard
{

// Jobs that are not final, as clients see them: the core's state and what the back end adds to it.
class JobViews
{
public:
    explicit JobViews(const Backends &backends) : m_backends(backends) { }
    // With the reason of waiting that is known; Publisher::workOutWaits() brings it up to date.
    JobSummary summaryOf(const ActiveJob &job) const;
    TaskInfo taskInfoOf(const ActiveJob &job, core::TaskRef task) const;
    // What the first tasks of the roles say that they serve, while they run.
    QList<ServiceInfo> servicesOf(const ActiveJob &job) const;

private:
    const Backends &m_backends;
};

} // namespace trainyard
