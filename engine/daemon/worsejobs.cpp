// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/worsejobs.h"

#include "engine/api/reasons.h"
#include "engine/results/outputresults.h"

#include <algorithm>

namespace trainyard
{
namespace
{

// A user who runs such a job again intends it to run.
bool wasStoppedByRule(const core::JobState &job)
{
    return std::any_of(job.attempts.begin(), job.attempts.end(), [](const core::AttemptRecord &attempt) {
        return attempt.result && attempt.result->reason == reason::StopWorse::code;
    });
}

} // namespace

WorseJobs::WorseJobs(const ActiveJobs &jobs, const Store &store, const JobReadings &readings, Tick &tick)
    : m_jobs(jobs), m_store(store), m_readings(readings), m_tick(tick)
{
}

WorseJobs::Values &WorseJobs::valuesOf(const QString &group, const WorseRule &rule)
{
    const std::pair key(group, rule.toText());
    if (const auto known = m_values.find(key); known != m_values.end()) {
        return *known;
    }
    Values values;
    JobsQuery query;
    query.group = group;
    query.limit = 0;
    const QList<JobSummary> jobs = m_store.jobs(query);
    for (const JobSummary &job : jobs) {
        if (const std::optional<ValueAtStep> value = valueAtStep(job.results, rule)) {
            values.insert(job.uuid, *value);
        }
    }
    return *m_values.insert(key, values);
}

void WorseJobs::look(const QString &uuid)
{
    const auto job = m_readings.jobs.find(uuid);
    if (job == m_readings.jobs.end() || !job->second.rule || job->second.group.isEmpty()) {
        return;
    }
    const std::optional<ValueAtStep> value = job->second.valueOfRule();
    if (!value) {
        return;
    }
    Values &values = valuesOf(job->second.group, *job->second.rule);
    const auto known = values.constFind(uuid);
    if (known != values.cend() && *known == *value) {
        return;
    }
    values.insert(uuid, *value);
    judge(job->second.group, *job->second.rule, values);
}

void WorseJobs::judge(const QString &group, const WorseRule &rule, const Values &values)
{
    for (const auto &[uuid, active] : m_jobs) {
        if (active->listed.group != group || active->state.stopRequested || wasStoppedByRule(active->state)) {
            continue;
        }
        const auto reading = m_readings.jobs.find(uuid);
        const bool isJudged = reading != m_readings.jobs.end() && reading->second.rule == rule;
        const std::optional<ValueAtStep> own = isJudged ? reading->second.valueOfRule() : std::nullopt;
        if (!own) {
            continue;
        }
        QList<ValueAtStep> others;
        for (auto it = values.cbegin(); it != values.cend(); ++it) {
            if (it.key() != uuid) {
                others.append(*it);
            }
        }
        if (const std::optional<WorseVerdict> verdict = worseThanMedian(rule, *own, others)) {
            const reason::StopWorse why{rule.metric, rule.step, verdict->best, verdict->median, verdict->others};
            m_tick.post(*active, core::event::StopRequested{errorOf(why)});
        }
    }
}

void WorseJobs::forget(const QString &uuid)
{
    for (Values &values : m_values) {
        values.remove(uuid);
    }
}

} // namespace trainyard
