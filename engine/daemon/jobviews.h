// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/health.h"
#include "engine/daemon/backends.h"
#include "engine/daemon/jobreadings.h"

namespace trainyard
{

// Jobs that are not final, as clients see them: the core's state and what the back end adds to it.
class JobViews
{
public:
    JobViews(const Backends &backends, const JobReadings &readings) : m_backends(backends), m_readings(readings) { }
    // With the reason of waiting that is known; Publisher::workOutWaits() brings it up to date.
    JobSummary summaryOf(const ActiveJob &job) const;
    // Completes an ended job by what its outputs say that are still being read, without what the settings silence.
    void complete(JobSummary &stored) const
    {
        m_readings.silence(stored.health);
        m_readings.fill(stored.uuid, stored);
        explainByHealth(stored);
    }
    const QStringList &silenced() const { return m_readings.silenced; } // kinds of health marks, by the settings
    TaskInfo taskInfoOf(const ActiveJob &job, core::TaskRef task) const;
    // The services that the first tasks of the roles report while they run.
    QList<ServiceInfo> servicesOf(const ActiveJob &job) const;

private:
    const Backends &m_backends;
    const JobReadings &m_readings;
};

} // namespace trainyard
