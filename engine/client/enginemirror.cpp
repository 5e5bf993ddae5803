// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/enginemirror.h"

#include <utility>

namespace trainyard
{
namespace
{

constexpr qsizetype pruneSlack = 100;

} // namespace

bool EngineMirror::take(const api::Snapshot &all)
{
    if (all.isPart) {
        m_arriving += all.jobs;
        return false;
    }
    const QList<JobSummary> before = std::exchange(m_arriving, {});
    m_jobs.clear();
    m_order.clear();
    m_hosts = all.hosts;
    for (const QList<JobSummary> &part : {before, all.jobs}) {
        for (const JobSummary &job : part) {
            m_jobs.insert(job.uuid, job);
            m_order.insert(job.id, job.uuid);
        }
    }
    return true;
}

void EngineMirror::put(const JobSummary &job)
{
    m_jobs.insert(job.uuid, job);
    m_order.insert(job.id, job.uuid);
    if (m_order.size() <= m_newestHeld + pruneSlack) {
        return;
    }
    qsizetype finals = 0;
    for (const JobSummary &each : std::as_const(m_jobs)) {
        finals += isFinal(each.state) ? 1 : 0;
    }
    for (auto it = m_order.begin(); it != m_order.end() && finals > m_newestHeld + pruneSlack;) {
        if (isFinal(m_jobs.value(it.value()).state)) {
            m_jobs.remove(it.value());
            it = m_order.erase(it);
            --finals;
        } else {
            ++it;
        }
    }
}

void EngineMirror::put(const HostInfo &host)
{
    for (HostInfo &each : m_hosts) {
        if (each.id == host.id) {
            each = host;
            return;
        }
    }
    m_hosts.append(host);
}

void EngineMirror::dropJob(const QString &uuid)
{
    const JobSummary old = m_jobs.take(uuid);
    m_order.remove(old.id);
}

void EngineMirror::dropHost(const QString &id)
{
    m_hosts.removeIf([&](const HostInfo &host) { return host.id == id; });
}

QList<JobSummary> EngineMirror::jobs() const
{
    QList<JobSummary> list;
    list.reserve(m_order.size());
    for (auto it = m_order.constEnd(); it != m_order.constBegin();) {
        --it;
        list.append(m_jobs.value(it.value()));
    }
    return list;
}

std::optional<JobSummary> EngineMirror::job(const QString &uuid) const
{
    const auto it = m_jobs.constFind(uuid);
    return it == m_jobs.constEnd() ? std::nullopt : std::optional<JobSummary>(*it);
}

} // namespace trainyard
