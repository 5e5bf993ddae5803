// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcpwatch.h"

#include "app/cli/mcpchanges.h"
#include "widgets/text/texts.h"

#include <QSet>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard::cli::mcp
{

ResourceWatch::ResourceWatch(QObject *parent) : QObject(parent)
{
    m_client.setReadsOnly(true);
    connect(&m_client, &EngineClient::reset, this, &ResourceWatch::takeAll);
    connect(&m_client, &EngineClient::jobChanged, this, &ResourceWatch::takeJob);
    connect(&m_client, &EngineClient::jobRemoved, this, &ResourceWatch::takeRemoved);
    connect(&m_client, &EngineClient::logsGrew, this, &ResourceWatch::takeGrowth);
}

void ResourceWatch::add(const QList<ResourceUri> &uris, const Done &done)
{
    if (m_client.status() == EngineClient::Status::Offline || m_client.status() == EngineClient::Status::Failed) {
        m_client.start(EngineClient::Start::IfNeeded);
    }
    // Also if there is nothing to look up: notifications of changes need a connection.
    m_client.call<api::Ping>({}, this, [this, uris, done](const Result<bool> &answer) {
        if (answer) {
            lookUpNext({uris, {}, done});
        } else {
            done({LookedUp::How::NoEngine, {}, errorText(answer.error())});
        }
    });
}

void ResourceWatch::lookUpNext(Lookup lookup)
{
    while (!lookup.left.isEmpty() && lookup.left.constFirst().kind == ResourceUri::Kind::Jobs) {
        lookup.found.append({lookup.left.takeFirst(), {}});
    }
    if (lookup.left.isEmpty()) {
        finish(lookup);
        return;
    }
    const ResourceUri uri = lookup.left.takeFirst();
    m_client.call<api::FindJob>({uri.job}, this, [this, uri, lookup](const Result<JobSummary> &job) {
        if (!job) {
            const QString &code = job.error().code;
            const bool isUnknown = code == "job.unknown"_L1 || code == "job.ambiguous"_L1;
            lookup.done({isUnknown ? LookedUp::How::Unknown : LookedUp::How::NoEngine, uri, errorText(job.error())});
            return;
        }
        if (!m_jobs.contains(job->uuid)) {
            m_jobs.insert(job->uuid, *job);
        }
        Lookup next = lookup;
        next.found.append({uri, job->uuid});
        lookUpNext(std::move(next));
    });
}

void ResourceWatch::finish(const Lookup &lookup)
{
    LookedUp result;
    for (const Watched &each : lookup.found) {
        const bool isKnown = std::any_of(
            m_watched.cbegin(), m_watched.cend(), [&each](const Watched &other) { return other.uri == each.uri; });
        if (!isKnown) {
            m_watched.append(each);
        }
        if (!each.uuid.isEmpty() && isFinal(m_jobs.value(each.uuid).state)) {
            result.over.append(each.uri);
        }
        if (isOutputWatched(each.uuid)) {
            m_client.watchTasks(each.uuid, true);
        }
    }
    lookup.done(result);
}

bool ResourceWatch::isOutputWatched(const QString &uuid) const
{
    return !uuid.isEmpty() && std::any_of(m_watched.cbegin(), m_watched.cend(), [&uuid](const Watched &each) {
        return each.uuid == uuid
            && (each.uri.kind == ResourceUri::Kind::Log || each.uri.kind == ResourceUri::Kind::Metrics);
    });
}

void ResourceWatch::keepOnly(const QList<ResourceUri> &uris)
{
    QSet<QString> jobs; // of which less is watched
    m_watched.removeIf([&](const Watched &each) {
        const bool isGone = !uris.contains(each.uri);
        if (isGone) {
            jobs.insert(each.uuid);
        }
        return isGone;
    });
    for (const QString &uuid : std::as_const(jobs)) {
        if (!isOutputWatched(uuid)) {
            m_client.watchTasks(uuid, false);
        }
    }
}

void ResourceWatch::takeJob(const JobSummary &job)
{
    const auto known = m_jobs.constFind(job.uuid);
    const bool isNew = known == m_jobs.cend(); // or an old one, which has changed as well
    const JobSummary before = isNew ? job : *known;
    m_jobs.insert(job.uuid, job);
    const QList<Watched> watched = m_watched; // the receiver may change it
    for (const Watched &each : watched) {
        const bool isOfAll = each.uri.kind == ResourceUri::Kind::Jobs;
        const bool isChange = isChangeOf(each.uri.kind, before, job) || (isOfAll && isNew);
        if (isChange && (isOfAll || each.uuid == job.uuid)) {
            Q_EMIT changed(each.uri);
        }
    }
}

void ResourceWatch::takeRemoved(const QString &uuid)
{
    m_jobs.remove(uuid);
    const QList<Watched> watched = m_watched;
    for (const Watched &each : watched) {
        if (each.uri.kind == ResourceUri::Kind::Jobs || each.uuid == uuid) {
            Q_EMIT changed(each.uri);
        }
    }
}

// After a new connection, changes in the meantime are reported as if they had just happened.
void ResourceWatch::takeAll()
{
    const QList<JobSummary> jobs = m_client.jobs();
    if (m_hasAll) {
        for (const JobSummary &job : jobs) {
            takeJob(job);
        }
        const QList<Watched> watched = m_watched;
        for (const Watched &each : watched) { // jobs that are not in the mirror may have changed, or be removed
            if (!m_client.job(each.uuid)) {
                Q_EMIT changed(each.uri);
            }
        }
        return;
    }
    m_hasAll = true;
    for (const JobSummary &job : jobs) {
        m_jobs.insert(job.uuid, job);
    }
}

void ResourceWatch::takeGrowth(const QString &uuid, const QList<LogGrowth> &logs)
{
    const QList<Watched> watched = m_watched;
    for (const Watched &each : watched) {
        if (each.uuid == uuid && isGrowthOf(each.uri, logs)) {
            Q_EMIT changed(each.uri);
        }
    }
}

} // namespace trainyard::cli::mcp
