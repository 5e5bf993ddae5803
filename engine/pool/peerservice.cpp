// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/peerservice.h"

#include "engine/api/reasons.h"
#include "engine/backend/clock.h"
#include "engine/core/placedtasks.h"
#include "model/protocol/peers.h"

#include <QTimer>

#include <algorithm>
#include <chrono>
#include <memory>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr auto lookAgainAfter = std::chrono::minutes(1);

// By host: those that the other tasks of a job have been told.
QMap<QString, QString> toldAddresses(const ActiveJob &job)
{
    QMap<QString, QString> addresses;
    core::forEachPlaced(job.state, [&](core::TaskRef, const core::TaskState &, const core::Allocation &place) {
        addresses.insert(place.host, place.address);
    });
    return addresses;
}

bool tellsAddresses(const PoolHost &host) { return !host.agent->inventory().addresses.empty(); }

} // namespace

PeerService::PeerService(const Settings &settings, core::Scheduler &scheduler, const ActiveJobs &jobs, HostPool &hosts)
    : m_settings(settings), m_scheduler(scheduler), m_jobs(jobs), m_hosts(hosts), m_pairs(scheduler, hosts)
{
    connect(&m_pairs, &PeerPairs::placingWanted, this, &PeerService::placingWanted);
}

// ---- the choice ----

// The places of a gang whose tasks are on several hosts; else nothing.
PeerService::Addresses PeerService::placesOf(const ActiveJob &job) const
{
    const Addresses addresses = job.state.policy.gang ? toldAddresses(job) : Addresses();
    return addresses.size() > 1 ? addresses : Addresses();
}

core::PeerHost PeerService::peerOf(const PoolHost &host, const QStringList &hosts) const
{
    core::PeerHost peer;
    peer.id = host.id;
    peer.boot = QString::fromStdString(host.agent->hello().bootId);
    peer.wanted = host.use.address;
    for (const contract::HostAddress &each : host.agent->inventory().addresses) {
        peer.addresses.append(
            {QString::fromStdString(each.interface), QString::fromStdString(each.address), each.prefix});
    }
    if (!host.isLocal()) {
        peer.reachedBy = {host.address};
        return peer;
    }
    for (const QString &id : hosts) { // by the address that the ssh connections use
        const PoolHost *other = m_hosts.find(id);
        if (other && !other->isLocal() && !other->ownAddress.isEmpty() && !peer.reachedBy.contains(other->ownAddress)) {
            peer.reachedBy.append(other->ownAddress);
        }
    }
    return peer;
}

QStringList PeerService::candidatesOf(const QString &id, const QStringList &hosts) const
{
    const PoolHost *host = m_hosts.find(id);
    if (!host) {
        return {};
    }
    QList<core::PeerHost> others;
    for (const QString &other : hosts) {
        if (const PoolHost *at = other == id ? nullptr : m_hosts.find(other)) {
            others.append(peerOf(*at, hosts));
        }
    }
    return core::peerAddresses(peerOf(*host, hosts), others);
}

void PeerService::choose(const ActiveJob &job, std::vector<core::event::Grant> &grants) const
{
    if (!job.state.policy.gang) {
        return;
    }
    Addresses addresses = toldAddresses(job);
    const QStringList fixed = addresses.keys();
    for (const core::event::Grant &grant : grants) {
        if (!addresses.contains(grant.place.host)) {
            addresses.insert(grant.place.host, grant.place.address);
        }
    }
    const QStringList hosts = addresses.keys();
    if (hosts.size() < 2) {
        return;
    }
    for (const QString &host : hosts) {
        const QStringList candidates = fixed.contains(host) ? QStringList() : candidatesOf(host, hosts);
        const auto isOpen = [&](const QString &address) {
            return std::none_of(hosts.cbegin(), hosts.cend(), [&](const QString &from) {
                return m_found.isBlocked({from, host, address});
            });
        };
        const auto open = std::find_if(candidates.cbegin(), candidates.cend(), isOpen);
        if (!candidates.isEmpty()) {
            addresses[host] = open == candidates.cend() ? candidates.constFirst() : *open;
        }
    }
    for (core::event::Grant &grant : grants) {
        grant.place.address = addresses.value(grant.place.host);
    }
}

// ---- what was found ----

// The addresses that can be tested: an older agent cannot do that, and no agent looks up names.
QList<PeerService::Way> PeerService::waysOf(const Addresses &addresses) const
{
    QList<Way> ways;
    for (auto to = addresses.cbegin(); to != addresses.cend(); ++to) {
        const PoolHost *at = m_hosts.find(to.key());
        if (!at || !tellsAddresses(*at) || !core::isAddress(to.value())) {
            continue;
        }
        for (auto from = addresses.cbegin(); from != addresses.cend(); ++from) {
            const PoolHost *other = from == to ? nullptr : m_hosts.find(from.key());
            if (other && tellsAddresses(*other)) {
                ways.append({from.key(), to.key(), to.value()});
            }
        }
    }
    return ways;
}

bool PeerService::isAwaited(ActiveJob &job)
{
    const QUuid uuid = job.state.uuid;
    if (const auto it = m_tests.find(uuid); it != m_tests.end() && it->second.attempt == job.state.attempt()) {
        return true;
    }
    const Addresses addresses = placesOf(job);
    if (addresses.isEmpty() || !job.spec || !checksPeers(*job.spec)) {
        return false;
    }
    for (auto it = addresses.cbegin(); it != addresses.cend(); ++it) {
        const PoolHost *host = m_hosts.find(it.key());
        const bool isLacking = host && tellsAddresses(*host) && !host->use.address.isEmpty()
            && candidatesOf(it.key(), addresses.keys()).isEmpty();
        if (isLacking) {
            giveBack(job, addresses, errorOf(reason::WaitPeerInterface{it.key(), host->use.address}));
            return true;
        }
    }
    QList<Way> unknown, blocked;
    for (const Way &way : waysOf(addresses)) {
        if (m_found.isBlocked(way)) {
            blocked.append(way);
        } else if (!m_found.at(way)) {
            unknown.append(way);
        }
    }
    if (!blocked.isEmpty()) {
        giveWay(job, addresses, blocked);
        return true;
    }
    if (unknown.isEmpty()) {
        m_pairs.reached(addresses.keys());
        return false;
    }
    begin(job, unknown);
    return true;
}

// Another address is chosen, or else other hosts; with neither, the job is held back.
void PeerService::giveWay(ActiveJob &job, const Addresses &addresses, const QList<Way> &blocked)
{
    const QString stuck = stuckHost(job, addresses);
    const QList<core::NoWay> apart = stuck.isEmpty() ? QList<core::NoWay>() : pairsApart(addresses.keys());
    if (stuck.isEmpty() || !apart.isEmpty()) {
        m_pairs.note(apart);
        giveBack(job, {}, {});
        return;
    }
    const auto of
        = std::find_if(blocked.cbegin(), blocked.cend(), [&stuck](const Way &way) { return way.to == stuck; });
    const Way &way = of == blocked.cend() ? blocked.constFirst() : *of;
    giveBack(job, addresses,
        errorOf(reason::WaitPeers{way.from, way.to, way.address, m_found.at(way).value_or(QString()), {}, {}}));
}

// The pairs of these hosts of which one has tried each address at which the other may be reached.
QList<core::NoWay> PeerService::pairsApart(const QStringList &hosts) const
{
    QList<core::NoWay> apart;
    for (const QString &to : hosts) {
        const QStringList candidates = candidatesOf(to, hosts);
        for (const QString &from : hosts) {
            const bool isReached = std::any_of(candidates.cbegin(), candidates.cend(), [&](const QString &address) {
                return !m_found.isBlocked({from, to, address});
            });
            if (from != to && !candidates.isEmpty() && !isReached) {
                const QString &last = candidates.constLast();
                apart.append({from, to, last, m_found.at({from, to, last}).value_or(QString()), 0});
            }
        }
    }
    return apart;
}

// One of its hosts that has no address without a blocked way to it. Where a task runs already, the others have been
// told its address.
QString PeerService::stuckHost(const ActiveJob &job, const Addresses &addresses) const
{
    QSet<QString> fixed;
    for (std::size_t i = 0; i < job.state.tasks.size(); ++i) {
        const core::TaskState &state = job.state.task(job.state.refAt(i)).state;
        const core::Allocation *place = core::placeOf(state);
        if (place && !std::holds_alternative<core::Placed>(state) && !std::holds_alternative<core::Ended>(state)) {
            fixed.insert(place->host);
        }
    }
    const QStringList hosts = addresses.keys();
    for (const QString &host : hosts) {
        const QStringList candidates
            = fixed.contains(host) ? QStringList{addresses.value(host)} : candidatesOf(host, hosts);
        const bool isStuck = std::none_of(candidates.cbegin(), candidates.cend(), [&](const QString &address) {
            return std::none_of(hosts.cbegin(), hosts.cend(), [&](const QString &from) {
                return m_found.isBlocked({from, host, address});
            });
        });
        if (isStuck) {
            return host;
        }
    }
    return {};
}

// Without hosts to wait for, it gets places again at once: with other addresses.
void PeerService::giveBack(ActiveJob &job, const Addresses &addresses, const Error &why)
{
    const QUuid uuid = job.state.uuid;
    if (!addresses.isEmpty()) {
        m_scheduler.blockJob(uuid, why);
        m_held.insert(uuid, addresses.keys());
        QTimer::singleShot(lookAgainAfter, this, [this, uuid] { lookAgain(uuid); });
    }
    core::event::PlacementReturned back;
    back.attempt = job.state.attempt();
    Q_EMIT happened(&job, core::Event{nowMs(), std::move(back)});
}

// ---- when it is worth another look ----

void PeerService::hostChanged(const PoolHost &host)
{
    m_found.forget(host.id);
    m_pairs.forget(host.id);
    const QList<QUuid> jobs = m_held.keys();
    for (const QUuid &job : jobs) {
        if (m_held.value(job).contains(host.id)) {
            unblockJob(job);
        }
    }
}

// Its hosts may have got other addresses meanwhile.
void PeerService::lookAgain(const QUuid &job)
{
    const QStringList hosts = m_held.value(job);
    const auto open = std::make_shared<int>(int(hosts.size()));
    for (const QString &id : hosts) {
        const auto answered = [this, job, open](const contract::Message &) {
            if (--*open == 0) {
                unblockJob(job);
            }
        };
        if (PoolHost *at = m_hosts.find(id)) {
            at->agent->request(contract::InventoryRequest{}, answered);
        } else {
            answered(contract::Failure{});
        }
    }
}

void PeerService::unblockJob(const QUuid &job)
{
    const QStringList hosts = m_held.take(job);
    if (hosts.isEmpty()) {
        return;
    }
    m_found.forgetBlocked(hosts);
    m_scheduler.unblockJob(job);
    Q_EMIT placingWanted();
}

void PeerService::forget(const QUuid &job)
{
    m_tests.erase(job);
    m_held.remove(job);
    m_scheduler.unblockJob(job);
}

} // namespace trainyard
