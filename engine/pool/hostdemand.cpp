// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/hostdemand.h"

#include "engine/api/reasons.h"
#include "engine/pool/poolplanner.h"
#include "model/protocol/gpunames.h"

#include <algorithm>
#include <iterator>

namespace trainyard
{

using namespace Qt::StringLiterals;

QStringList HostDemand::awaited(const core::WaitReason &why)
{
    if (const auto any = reason::as<reason::WaitHost>(why.code, why.args)) {
        return any->host.isEmpty() ? any->hosts : QStringList(any->host);
    }
    const auto chosen = reason::as<reason::WaitHosts>(why.code, why.args);
    return chosen ? chosen->away : QStringList();
}

bool HostDemand::isForOthers(const core::WaitReason &why)
{
    static const QStringList codes{reason::WaitHosts::code, reason::WaitGpuTypeAway::code, reason::WaitRuntime::code,
        reason::WaitGpuUnknown::code, reason::WaitDisk::code, reason::WaitDrained::code, reason::WaitLoginNode::code,
        reason::WaitClosed::code, reason::WaitQuarantine::code};
    return codes.contains(why.code) || why.code.startsWith("refuse."_L1);
}

// As far as is known of it, which is little of one that has not been online since the engine began.
bool HostDemand::mayTake(const PoolHost &host, const ActiveJob &job)
{
    core::HostCapacity known = host.capacity;
    known.id = host.id;
    const core::NodeSelector where = PoolPlanner::whereOf(job.document, job.spec ? &*job.spec : nullptr);
    if (host.use.drained || !where.allows(known)) {
        return false;
    }
    const std::vector<core::RolePolicy> &roles = job.state.policy.roles;
    return std::any_of(roles.cbegin(), roles.cend(), [&](const core::RolePolicy &role) {
        const HostRule &rule = role.needs.hosts;
        const bool isAdmitted = (rule.names.isEmpty() || rule.names.contains(host.id))
            && std::all_of(rule.labels.cbegin(), rule.labels.cend(),
                [&host](const QString &label) { return host.use.labels.contains(label); });
        const bool hasType = !host.agent->wasOnline() || role.needs.gpuType.isEmpty()
            || std::any_of(known.gpus.cbegin(), known.gpus.cend(),
                [&role](const core::GpuSlot &gpu) { return isGpuOfType(gpu.name, role.needs.gpuType); });
        return isAdmitted && hasType;
    });
}

void HostDemand::look()
{
    const auto isOpen = [](const auto &host) {
        return !host->isLocal() && !host->isWanted && host->agent->state() == HostState::NeedsLogin;
    };
    const HostPool::List &hosts = m_hosts.all();
    if (std::none_of(hosts.cbegin(), hosts.cend(), isOpen)) {
        return;
    }
    QStringList needed;
    QList<const ActiveJob *> searching;
    const QList<QUuid> queue = m_scheduler.queue();
    for (const QUuid &uuid : queue) {
        const core::WaitReason why = m_scheduler.waitReason(uuid);
        const QStringList those = awaited(why);
        std::copy_if(those.cbegin(), those.cend(), std::back_inserter(needed), [this](const QString &id) {
            const PoolHost *host = m_hosts.find(id);
            return host && !host->use.drained; // it would get nothing
        });
        const bool isFar = why.code == reason::WaitQueueFar::code;
        const ActiveJob *job = isFar || isForOthers(why) ? m_jobs.find(uuid) : nullptr;
        if (job && !isFar) {
            searching.append(job);
        } else if (job && !job->document.target.isEmpty() && !needed.contains(job->document.target)) {
            needed.append(job->document.target); // those before it may wait for other hosts
        }
    }
    for (const auto &host : hosts) {
        if (!isOpen(host)) {
            continue;
        }
        // Jobs that go to a cluster through it are not in this queue. Tasks that have ended may have left results
        // there.
        const bool isOnTheWay = !m_figures.clustersBehind(host->id).isEmpty();
        const bool hasTasks = !host->tries.isEmpty() || m_results.pendingOn(host->id) > 0;
        if (isOnTheWay || hasTasks || needed.contains(host->id)
            || std::any_of(
                searching.cbegin(), searching.cend(), [&host](const ActiveJob *job) { return mayTake(*host, *job); })) {
            m_hosts.want(*host);
        }
    }
}

} // namespace trainyard
