// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/dueremovals.h"

#include "engine/backend/clock.h"
#include "engine/client/diskuse.h"

#include <algorithm>
#include <utility>

namespace trainyard
{

using namespace Qt::StringLiterals;

DueRemovals::DueRemovals(const RemovalTimes &times, const RunFolders &folders, const ActiveJobs &jobs, Store &store,
    Tick &tick, JobService &service, const JobQueries &queries, const Settings &settings)
    : m_times(times), m_folders(folders), m_jobs(jobs), m_store(store), m_tick(tick), m_service(service),
      m_queries(queries), m_settings(settings)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &DueRemovals::look);
}

void DueRemovals::begin()
{
    m_startedAt = steadyMs();
    m_limits = limits();
    m_timer.start(int(m_times.firstLookMs));
}

core::KeepLimits DueRemovals::limits() const
{
    return {.ageMs = m_settings.integer(u"jobs.keepDays"_s) * core::dayMs,
        .bytes = m_settings.integer(u"jobs.keepGiB"_s) << 30,
        .graceMs = m_times.graceMs,
        .youngMs = m_times.youngMs};
}

void DueRemovals::settingsChanged()
{
    if (m_startedAt != 0 && limits() != m_limits) {
        look();
    }
}

void DueRemovals::whenLooked(QObject *context, std::function<void(const RemovalOutlook &)> then)
{
    m_waiting.emplace_back(context, std::move(then));
    if (!m_isLooking) {
        answer();
    }
}

std::vector<core::EndedJob> DueRemovals::endedJobs() const
{
    std::vector<core::EndedJob> jobs = m_store.ended();
    // The store may not know yet that a job runs again.
    std::erase_if(jobs, [this](const core::EndedJob &job) { return m_jobs.find(job.uuid) != nullptr; });
    return jobs;
}

void DueRemovals::look()
{
    if (m_isLooking) {
        m_isWantedAgain = true;
        return;
    }
    m_isLooking = true;
    m_limits = limits();
    if (m_limits.ageMs == 0 && m_limits.bytes == 0) {
        if (m_store.removals().isEmpty()) {
            finish();
        } else {
            decide({}); // what is announced is taken back
        }
        return;
    }
    std::vector<core::EndedJob> jobs = endedJobs();
    if (m_limits.bytes == 0) {
        // Only what is said of those that go.
        jobs = core::whatIsDue(std::move(jobs), m_limits, nowMs()).announce;
    }
    QStringList uuids, folders;
    for (const core::EndedJob &job : jobs) {
        uuids.append(job.uuid);
        folders.append(m_folders.ofJob(job.uuid));
    }
    measureEach(folders, this, [this, uuids](const QList<qint64> &found) {
        QHash<QString, qint64> bytes;
        for (qsizetype i = 0; i < uuids.size(); ++i) {
            bytes.insert(uuids.at(i), found.at(i));
        }
        decide(bytes);
    });
}

void DueRemovals::decide(const QHash<QString, qint64> &bytes)
{
    // Measuring takes its time: jobs and settings may be others meanwhile.
    m_isWantedAgain = m_isWantedAgain || limits() != m_limits;
    const qint64 now = nowMs();
    core::DueJobs due;
    if (!m_isWantedAgain) {
        std::vector<core::EndedJob> jobs = endedJobs();
        for (core::EndedJob &job : jobs) {
            job.bytes = bytes.value(job.uuid);
        }
        due = core::whatIsDue(std::move(jobs), m_limits, now);
    }
    if (m_store.readError() || !write(due, now)) {
        due.remove.clear(); // the next look goes on
    }
    m_leaving = sinceStartMs() < m_times.firstLookMs ? std::vector<core::EndedJob>() : std::move(due.remove);
    std::reverse(m_leaving.begin(), m_leaving.end());
    removeNext();
}

// An announcement is on the disk before it is sent to any client.
bool DueRemovals::write(const core::DueJobs &due, qint64 now)
{
    if (due.announce.empty() && due.withdraw.empty()) {
        return true;
    }
    if (!m_tick.writable()) {
        return false;
    }
    for (const std::vector<core::EndedJob> *jobs : {&due.announce, &due.withdraw}) {
        for (const core::EndedJob &job : *jobs) {
            m_store.saveRemoval(job.id, job.removal);
        }
    }
    if (!m_store.commit(true)) {
        return false;
    }
    QList<JobSummary> fresh;
    for (const core::EndedJob &job : due.announce) {
        const Result<JobSummary> summary = m_queries.summary(job.uuid);
        if (summary && job.removal->announced == now) {
            fresh.append(*summary);
        }
    }
    for (const std::vector<core::EndedJob> *jobs : {&due.announce, &due.withdraw}) {
        for (const core::EndedJob &job : *jobs) {
            Q_EMIT changed(job.uuid);
        }
    }
    if (!fresh.isEmpty()) {
        Q_EMIT announced(fresh);
    }
    return true;
}

// One in each turn: others must not wait for hundreds.
void DueRemovals::removeNext()
{
    if (m_leaving.empty()) {
        finish();
        return;
    }
    const core::EndedJob job = std::move(m_leaving.back());
    m_leaving.pop_back();
    // It may have been marked with a star since, or run again: that takes the announcement back.
    if (m_store.removal(job.id) == job.removal && limits() == m_limits) {
        if (const Result<bool> removed = m_service.remove(job.uuid); removed) {
            qInfo("Job %lld is removed, because of the setting %s.", static_cast<long long>(job.id),
                qPrintable(job.removal->setting));
        }
    }
    QTimer::singleShot(0, this, &DueRemovals::removeNext);
}

void DueRemovals::finish()
{
    m_isLooking = false;
    // A look that came before the first regular one does not stand in for it.
    const qint64 untilFirst = m_times.firstLookMs - sinceStartMs();
    m_timer.start(int(untilFirst > 0 ? untilFirst : m_times.everyMs));
    if (std::exchange(m_isWantedAgain, false)) {
        look();
    } else {
        answer();
    }
}

void DueRemovals::answer()
{
    if (m_waiting.empty()) {
        return;
    }
    const RemovalOutlook outlook = outlookOf(m_store.removals());
    for (const auto &[context, then] : std::exchange(m_waiting, {})) {
        if (context) {
            then(outlook);
        }
    }
}

qint64 DueRemovals::sinceStartMs() const { return steadyMs() - m_startedAt; }

} // namespace trainyard
