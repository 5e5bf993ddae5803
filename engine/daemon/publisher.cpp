// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/publisher.h"

#include "engine/backend/clock.h"

#include <QElapsedTimer>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr qint64 tellMs = 50; // 20 messages a second per job
// The share of the engine's time for computing reasons; a known reason may be older meanwhile.
constexpr qint64 spanMs = 1000;
constexpr qint64 mostOfSpanUs = 50'000;
constexpr int soonMs = 50;

} // namespace

Publisher::Publisher(const ActiveJobs &jobs, const Backends &backends, const JobViews &views)
    : m_jobs(jobs), m_backends(backends), m_views(views)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Publisher::publish);
    m_waitsTimer.setSingleShot(true);
    connect(&m_waitsTimer, &QTimer::timeout, this, &Publisher::tellWaits);
}

void Publisher::mark(ActiveJob &job)
{
    job.unpublished.job = true;
    m_changed.insert(&job);
}

void Publisher::mark(ActiveJob &job, core::TaskRef task)
{
    job.unpublished.tasks.insert(task);
    mark(job);
}

void Publisher::takeDown(ActiveJob &job)
{
    std::set<core::TaskRef> tasks = std::exchange(job.unpublished.tasks, {});
    tasks.insert(job.unwritten.tasks.cbegin(), job.unwritten.tasks.cend());
    for (const core::TaskRef task : tasks) {
        if (job.state.contains(task)) {
            job.unpublished.former.append(m_views.taskInfoOf(job, task));
        }
    }
}

void Publisher::publish()
{
    // Receivers may call back, so no container is being iterated meanwhile.
    const qint64 now = steadyMs();
    std::vector<QString> due;
    for (auto it = m_changed.begin(); it != m_changed.end();) {
        ActiveJob &job = **it;
        if (now - job.unpublished.toldAt < tellMs && !job.state.isFinished()) {
            ++it;
            continue;
        }
        job.unpublished.toldAt = now;
        due.push_back(job.uuid());
        it = m_changed.erase(it);
    }
    if (!m_changed.empty() && !m_timer.isActive()) {
        m_timer.start(int(tellMs));
    }
    for (const QString &uuid : due) {
        if (ActiveJob *job = m_jobs.find(uuid)) {
            tellJob(*job);
        }
    }
}

void Publisher::tellJob(ActiveJob &job)
{
    const QString uuid = job.uuid();
    const std::set<core::TaskRef> changedTasks = std::exchange(job.unpublished.tasks, {});
    bool changed = std::exchange(job.unpublished.job, false);
    if (m_isWatched) {
        workOutWaits(job);
        // Also where only tasks were to be told.
        changed = changed || job.unpublished.waits != job.unpublished.waitsTold;
    } else if (job.unpublished.waitsOf != m_round) {
        // It would take precedence over the back end's present reason, such as a question. It is computed on request.
        job.unpublished.waits = {};
        job.unpublished.waitsOf = 0;
    }
    job.unpublished.waitsTold = job.unpublished.waits;
    const JobSummary summary = m_views.summaryOf(job); // before anyone hears anything: the job may be gone afterwards
    QList<TaskInfo> tasks = std::exchange(job.unpublished.former, {});
    tasks.reserve(tasks.size() + qsizetype(changedTasks.size()));
    for (const core::TaskRef task : changedTasks) {
        if (job.state.contains(task)) {
            tasks.append(m_views.taskInfoOf(job, task));
        }
    }
    if (!tasks.isEmpty()) {
        Q_EMIT tasksChanged(uuid, tasks);
    }
    if (changed) {
        Q_EMIT jobChanged(summary);
    }
}

void Publisher::dropped(const std::vector<std::unique_ptr<ActiveJob>> &finished)
{
    std::vector<ActiveJob *> untold;
    for (const auto &job : finished) {
        if (m_changed.erase(job.get())) {
            untold.push_back(job.get());
        }
    }
    for (ActiveJob *job : untold) {
        tellJob(*job);
    }
    noteIdle();
}

void Publisher::begin() { m_wasIdle = m_jobs.isEmpty(); }

void Publisher::noteIdle()
{
    if (m_jobs.isEmpty() != m_wasIdle) {
        m_wasIdle = m_jobs.isEmpty();
        Q_EMIT idleChanged(m_wasIdle);
    }
}

// ---- why jobs wait ----

void Publisher::workOutWaits(ActiveJob &job)
{
    ActiveJob::Unpublished &known = job.unpublished;
    const bool isWaiting = std::holds_alternative<core::Active>(job.state.phase) && job.state.counts.waiting > 0;
    if (!isWaiting) {
        known.waits = {};
        known.waitsOf = m_round;
        return;
    }
    if (m_backends.of(job).wantsPlacing() || known.waitsOf == m_round) {
        return; // where it stands in the queue is known after the next round
    }
    const qint64 now = steadyMs();
    if (now - m_waitsSince >= spanMs) {
        m_waitsSince = now;
        m_waitsSpentUs = 0;
    }
    if (m_waitsSpentUs > mostOfSpanUs && known.waitsOf > 0) {
        watchWaits();
        return;
    }
    QElapsedTimer took;
    took.start();
    known.waits = m_backends.of(job).waitReason(job);
    known.waitsOf = m_round;
    m_waitsSpentUs += took.nsecsElapsed() / 1000;
}

void Publisher::outdateWaits(ActiveJob &job)
{
    job.unpublished.waitsOf = std::min(job.unpublished.waitsOf, m_round - 1);
}

void Publisher::placed()
{
    ++m_round;
    watchWaits();
}

void Publisher::watchWaits()
{
    if (m_isWatched && !m_waitsTimer.isActive()) {
        m_waitsTimer.start(m_waitsSpentUs > mostOfSpanUs ? int(spanMs) : soonMs);
    }
}

void Publisher::tellWaits()
{
    if (!m_isWatched) {
        return;
    }
    for (const auto &[uuid, job] : m_jobs) {
        workOutWaits(*job);
        if (job->unpublished.waits != job->unpublished.waitsTold) {
            mark(*job);
        }
    }
    publish();
}

void Publisher::setWatched(bool on)
{
    if (on != m_isWatched) {
        m_isWatched = on;
        watchWaits();
    }
}

} // namespace trainyard
