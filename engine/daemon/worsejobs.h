// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/daemon/jobreadings.h"
#include "engine/daemon/tick.h"

namespace trainyard
{

// Stops the jobs of a group that do worse than the others, by the rule that they were submitted with (docs/sweeps.md).
// The values of a job are known from its output, or from its stored results when it has ended, so that the judgement is
// the same after a restart.
class WorseJobs : public QObject
{
    Q_OBJECT
public:
    WorseJobs(const ActiveJobs &jobs, const Store &store, const JobReadings &readings, Tick &tick);

    void look(const QString &uuid); // what the output of the job says has changed
    void forget(const QString &uuid); // it was removed

private:
    // The values that the jobs of a group with a rule have reported, by their UUIDs.
    using Values = QHash<QString, ValueAtStep>;

    Values &valuesOf(const QString &group, const WorseRule &rule);
    void judge(const QString &group, const WorseRule &rule, const Values &values);

    const ActiveJobs &m_jobs;
    const Store &m_store;
    const JobReadings &m_readings;
    Tick &m_tick;
    QHash<std::pair<QString, QString>, Values> m_values;
};

} // namespace trainyard
