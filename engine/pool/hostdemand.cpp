// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/hostdemand.h"

#include "engine/api/reasons.h"

#include <algorithm>

namespace trainyard
{

QStringList HostDemand::awaited(const core::WaitReason &why)
{
    if (const auto any = reason::as<reason::WaitHost>(why.code, why.args)) {
        return any->host.isEmpty() ? any->hosts : QStringList(any->host);
    }
    const auto chosen = reason::as<reason::WaitHosts>(why.code, why.args);
    return chosen ? chosen->away : QStringList();
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
    const QList<QUuid> queue = m_scheduler.queue();
    for (const QUuid &job : queue) {
        needed += awaited(m_scheduler.waitReason(job));
    }
    for (const auto &host : hosts) {
        if (!isOpen(host)) {
            continue;
        }
        // What goes to a cluster by way of it is not in this queue.
        const bool isOnTheWay = !m_figures.clustersBehind(host->id).isEmpty();
        if (isOnTheWay || !host->tries.isEmpty() || needed.contains(host->id)) {
            m_hosts.want(*host);
        }
    }
}

} // namespace trainyard
