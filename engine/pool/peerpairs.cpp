// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/peerpairs.h"

#include "engine/backend/clock.h"

#include <QSet>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr qint64 checkEveryMs = 60'000; // whether the hosts of a pair have other addresses

} // namespace

PeerPairs::PeerPairs(core::Scheduler &scheduler, HostPool &hosts) : m_scheduler(scheduler), m_hosts(hosts)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &PeerPairs::look);
}

void PeerPairs::note(const QList<core::NoWay> &ways)
{
    for (const core::NoWay &way : ways) {
        m_memory.note(way, steadyMs());
    }
    tell();
}

void PeerPairs::reached(const QStringList &hosts)
{
    for (qsizetype i = 0; i < hosts.size(); ++i) {
        for (qsizetype j = i + 1; j < hosts.size(); ++j) {
            m_memory.reached(hosts.at(i), hosts.at(j));
        }
    }
    tell();
}

void PeerPairs::forget(const QString &host)
{
    if (m_memory.forget(host)) {
        tell();
    }
}

void PeerPairs::tell()
{
    const qint64 now = steadyMs();
    const core::PairsApart apart = m_memory.at(now);
    const bool isAnyForgotten = std::any_of(
        m_told.cbegin(), m_told.cend(), [&apart](const auto &each) { return !apart.contains(each.first); });
    if (apart != m_told) {
        m_told = apart;
        m_scheduler.setApart(apart);
    }
    if (const std::optional<qint64> next = m_memory.nextEnd(now); !next) {
        m_timer.stop();
    } else {
        m_timer.start(int(std::min(*next - now, checkEveryMs)));
    }
    if (isAnyForgotten) {
        Q_EMIT placingWanted();
    }
}

// An agent tells its addresses when it is asked; where they are others, HostPool says so.
void PeerPairs::look()
{
    QSet<QString> hosts;
    for (const auto &[pair, way] : m_told) {
        hosts += {pair.first, pair.second};
    }
    for (const QString &id : std::as_const(hosts)) {
        if (PoolHost *at = m_hosts.find(id)) {
            at->agent->request(contract::InventoryRequest{});
        }
    }
    tell();
}

} // namespace trainyard
