// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/jobtimers.h"

#include "engine/backend/clock.h"

#include <algorithm>

namespace trainyard
{

JobTimers::JobTimers(const ActiveJobs &jobs) : m_jobs(jobs)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &JobTimers::tell);
}

void JobTimers::start(const ActiveJob &job, const core::effect::StartTimer &timer)
{
    qint64 most = job.state.policy.guards.maxPauseMs;
    if (!timer.task && !job.state.attempts.empty() && job.state.attempts.back().completed) {
        most = timer.due - *job.state.attempts.back().completed;
    }
    add(job, timer.due, most, core::event::RetryDue{timer.attempt, timer.task, timer.due});
}

void JobTimers::start(const ActiveJob &job, const core::effect::StartLimit &limit)
{
    forget(job);
    m_limits[job.uuid()] = add(job, limit.due, job.state.policy.timeLimitMs, core::event::LimitDue{limit.attempt});
}

void JobTimers::forget(const ActiveJob &job)
{
    if (const auto known = m_limits.find(job.uuid()); known != m_limits.end()) {
        m_due.erase(known->second);
        m_limits.erase(known);
    }
}

// A time of the store may be of a clock that was set since: nothing waits for longer than it was meant to.
JobTimers::Due::iterator JobTimers::add(const ActiveJob &job, qint64 at, qint64 mostMs, What what)
{
    const qint64 wait = std::clamp<qint64>(at - nowMs(), 0, std::max<qint64>(0, mostMs));
    const Due::iterator added = m_due.emplace(steadyMs() + wait, std::pair(job.uuid(), std::move(what)));
    this->wait();
    return added;
}

void JobTimers::tell()
{
    const qint64 now = steadyMs();
    while (!m_due.empty() && m_due.begin()->first <= now) {
        auto [uuid, what] = std::move(m_due.begin()->second);
        m_due.erase(m_due.begin());
        if (std::holds_alternative<core::event::LimitDue>(what)) {
            m_limits.erase(uuid);
        }
        if (ActiveJob *job = m_jobs.find(uuid)) {
            Q_EMIT due(job, core::Event{nowMs(), std::move(what)});
        }
    }
    wait();
}

void JobTimers::wait()
{
    if (m_due.empty()) {
        m_timer.stop();
        return;
    }
    const qint64 left = m_due.begin()->first - steadyMs();
    m_timer.start(int(std::clamp<qint64>(left, 0, 60 * 60 * 1000)));
}

} // namespace trainyard
