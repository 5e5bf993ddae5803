// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/groupwatcher.h"

namespace trainyard::cli
{
namespace
{

constexpr int mostForResultsMs = 10'000; // after the last end

} // namespace

GroupWatcher::GroupWatcher(EngineClient &client, const QList<JobSummary> &jobs, QObject *parent)
    : QObject(parent), m_client(client)
{
    for (const JobSummary &job : jobs) {
        m_order.append(job.uuid);
        m_jobs.insert(job.uuid, job);
        m_left += isDone(job) ? 0 : 1;
    }
    connect(&client, &EngineClient::jobChanged, this, &GroupWatcher::take);
    connect(&client, &EngineClient::jobRemoved, this, &GroupWatcher::drop);
    connect(&client, &EngineClient::reset, this, &GroupWatcher::readAgain);
    connect(&client, &EngineClient::statusChanged, this, [this](EngineClient::Status status) {
        // Connecting passes; Offline means that the user stopped the engine, which must not be started against that.
        if (status == EngineClient::Status::Failed) {
            Q_EMIT failed(m_client.lastError());
        } else if (status == EngineClient::Status::Offline) {
            Q_EMIT failed({QStringLiteral("engine.stopped"), {}});
        }
    });
}

void GroupWatcher::start()
{
    if (isOver()) {
        Q_EMIT over();
    } else {
        m_patience.start(mostForResultsMs, this); // for those that have ended already
        readAgain();
    }
}

QList<JobSummary> GroupWatcher::jobs() const
{
    QList<JobSummary> jobs;
    for (const QString &uuid : m_order) {
        if (const auto job = m_jobs.constFind(uuid); job != m_jobs.cend()) {
            jobs.append(*job);
        }
    }
    return jobs;
}

// One that has ended long ago is not in the mirror of the client any more.
void GroupWatcher::readAgain()
{
    for (const QString &uuid : std::as_const(m_order)) {
        const auto known = m_jobs.constFind(uuid);
        if (known == m_jobs.cend() || isDone(*known)) {
            continue;
        }
        m_client.call<api::FindJob>({uuid}, this, [this, uuid](const Result<JobSummary> &job) {
            if (job) {
                take(*job);
            } else if (job.error().code == QLatin1String("job.unknown")) {
                drop(uuid);
            }
        });
    }
}

void GroupWatcher::take(const JobSummary &job)
{
    const auto known = m_jobs.find(job.uuid);
    if (known == m_jobs.end() || isDone(*known)) {
        return;
    }
    const bool hadEnded = isFinal(known->state);
    *known = job;
    if (isFinal(job.state) && !hadEnded) {
        m_patience.start(mostForResultsMs, this);
        Q_EMIT ended(job);
    }
    if (isDone(job)) {
        countDown();
    } else {
        Q_EMIT jobChanged(job);
        Q_EMIT changed();
    }
}

// Those that are still read have had their time, since nothing has ended for so long.
void GroupWatcher::timerEvent(QTimerEvent *)
{
    m_patience.stop();
    qsizetype pending = 0;
    for (const JobSummary &job : std::as_const(m_jobs)) {
        if (isFinal(job.state) && !isDone(job)) {
            m_givenUp.insert(job.uuid);
            ++pending;
        }
    }
    for (; pending > 0; --pending) {
        countDown();
    }
}

void GroupWatcher::drop(const QString &uuid)
{
    const auto known = m_jobs.find(uuid);
    if (known == m_jobs.end()) {
        return;
    }
    const bool wasAwaited = !isDone(*known);
    m_jobs.erase(known);
    if (wasAwaited) {
        countDown();
    }
}

void GroupWatcher::countDown()
{
    --m_left;
    Q_EMIT changed();
    if (isOver()) {
        Q_EMIT over();
    }
}

} // namespace trainyard::cli
