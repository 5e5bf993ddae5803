// SPDX-License-Identifier: GPL-3.0-or-later
// How jobs are stopped, given up, released and removed.
#include "engine/daemon/jobservice.h"

#include <unistd.h>

namespace trainyard
{

using namespace Qt::StringLiterals;

// Tasks that were asked to end before are asked again: a repetition can only shorten their grace period.
bool JobService::cutGrace(ActiveJob &job)
{
    std::vector<JobEffect> stops;
    for (std::size_t i = 0; i < job.state.tasks.size(); ++i) {
        const core::TaskRef ref = job.state.refAt(i);
        if (std::holds_alternative<core::Stopping>(job.state.task(ref).state)) {
            stops.push_back({&job, core::effect::StopTry{ref, core::tryUuid(job.state, ref)}});
        }
    }
    m_backends.of(job).perform(stops);
    return !stops.empty();
}

Result<bool> JobService::stop(const QString &uuid, bool now, const Error &why)
{
    if (ActiveJob *job = m_jobs.find(uuid)) {
        job->killNow = job->killNow || now;
        if (job->state.stopRequested) {
            return now && cutGrace(*job);
        }
        if (m_tick.isBlocked() && m_reserve.give()) {
            m_tick.rewrite();
        }
        m_tick.post(*job, core::event::StopRequested{why});
        m_tick.run(); // saved before the caller gets the answer
        if (m_tick.isBlocked()) {
            // The store cannot be written, perhaps because of what this very job writes: its tasks end at once.
            m_backends.of(*job).stopUnwritten(*job);
        }
        return true;
    }
    const Result<qint64> id = m_queries.idOf(uuid);
    return id ? Result<bool>(false) : tl::unexpected<Error>(id.error());
}

Result<bool> JobService::giveUp(const QString &uuid)
{
    const Result<bool> stopped = stop(uuid);
    ActiveJob *job = m_jobs.find(uuid);
    if (!stopped || !job || !job->state.stopRequested) {
        return stopped ? Result<bool>(false) : stopped;
    }
    const bool isAny = m_backends.of(*job).giveUp(*job);
    m_tick.run(); // written down before the caller is told
    return isAny ? m_tick.whetherWritten() : Result<bool>(false);
}

void JobService::stopAll()
{
    for (const auto &[uuid, job] : m_jobs) {
        if (!job->state.stopRequested) {
            m_tick.post(*job, core::event::StopRequested{});
        }
    }
    m_tick.run();
}

Result<bool> JobService::release(const QString &uuid, const QStringList &tasks)
{
    if (ActiveJob *job = m_jobs.find(uuid)) {
        return m_backends.of(*job).release(*job, tasks);
    }
    const Result<qint64> id = m_queries.idOf(uuid);
    return id ? Result<bool>(false) : tl::unexpected<Error>(id.error());
}

// A job that was stopped and has not ended says what is waited for: to be told to stop it is of no use.
Error JobService::stillActive(const QString &uuid) const
{
    const ActiveJob *job = m_jobs.find(uuid);
    const JobSummary told = m_queries.summary(uuid).value_or(JobSummary());
    QJsonObject args{{u"job"_s, uuid}, {u"id"_s, told.id}, {u"name"_s, told.name}};
    if (!job || !job->state.stopRequested) {
        return {u"job.active"_s, args};
    }
    if (told.reason.isEmpty()) {
        return {u"job.stopping"_s, args};
    }
    args.insert(u"error"_s, QJsonObject{{u"code"_s, told.reason}, {u"args"_s, told.reasonArgs}});
    return {u"job.stopping-waits"_s, args};
}

Result<bool> JobService::remove(const QString &uuid)
{
    const Result<qint64> id = m_queries.idOf(uuid);
    if (!id) {
        return tl::unexpected<Error>(id.error());
    }
    if (m_jobs.find(uuid)) {
        return tl::unexpected<Error>(stillActive(uuid));
    }
    const QStringList hosts = m_store.hostsOf(*id);
    const std::optional<JobSummary> job = m_store.job(*id);
    Backend &backend = m_backends.of(job ? job->target : QString());
    const auto removeFromStore = [&] {
        m_store.removeJob(*id);
        return m_store.commit();
    };
    const auto isFull = [](const Result<void> &written) { return !written && written.error().code == "store.full"_L1; };
    Result<void> written = removeFromStore();
    // On a full disk this is what makes room: with what is kept for it, and then by its files. These go only for room:
    // a job that stays in the list keeps them.
    if (isFull(written) && m_reserve.give()) {
        written = removeFromStore();
    }
    if (isFull(written)) {
        backend.makeRoom(uuid);
        written = removeFromStore();
    }
    if (!written) {
        return tl::unexpected<Error>(written.error());
    }
    m_secrets.forget(QUuid(uuid)); // its end may not have come to that
    backend.removeRun(uuid, hosts);
    Q_EMIT removed(uuid);
    return true;
}

} // namespace trainyard
