// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/hostadmin.h"

#include "engine/api/hostfiles.h"
#include "engine/api/reasons.h"
#include "engine/backend/backend.h"
#include "engine/core/peeraddress.h"
#include "engine/pool/hostuse.h"

#include <QJsonArray>
#include <QPointer>

namespace trainyard
{

using namespace Qt::StringLiterals;

// The words that a submission may have instead of a host.
static bool isReserved(const QString &name) { return name == anyHost || name == core::poolTarget; }

QList<HostInfo> HostAdmin::hosts() const
{
    QList<HostInfo> list;
    for (const auto &host : m_hosts.all()) {
        list.append(m_figures.infoOf(*host));
        list.last().heard = host->agent->heardAt();
    }
    return list;
}

Result<HostInfo> HostAdmin::addHost(const QString &target, const QString &name)
{
    if (!HostsFile::isTarget(target)) {
        return fail(u"host.bad-target"_s, {{u"target"_s, target}});
    }
    if (name.isEmpty() && target == "local"_L1) {
        return fail(u"host.is-local"_s);
    }
    QString id = name.isEmpty() ? HostsFile::nameFor(target) : name;
    // Another account or port of a host that is known already is a host of its own.
    const auto isKnown = [&](const PoolHost *known) { return known && known->target == target; };
    const auto isTaken = [&] { return isReserved(id) || (m_hosts.find(id) && !isKnown(m_hosts.find(id))); };
    for (int n = 2; name.isEmpty() && isTaken(); ++n) {
        id = u"%1-%2"_s.arg(HostsFile::nameFor(target)).arg(n);
    }
    if (!HostsFile::isName(id) || isReserved(id)) {
        return fail(u"host.bad-name"_s, {{u"name"_s, id}});
    }
    if (m_hosts.find(id)) {
        return fail(u"host.exists"_s, {{u"host"_s, id}});
    }
    const Result<PoolHost *> made = m_hosts.add(id, target);
    return made ? Result<HostInfo>(m_figures.infoOf(**made)) : tl::unexpected<Error>(made.error());
}

Result<HostInfo> HostAdmin::checkHost(const QString &id)
{
    PoolHost *host = m_hosts.find(id);
    if (!host) {
        return fail(u"host.unknown"_s, {{u"host"_s, id}});
    }
    host->mayAsk = host->isWanted = true;
    host->agent->retryNow();
    if (host->agent->isOnline()) {
        host->agent->request(contract::InventoryRequest{}); // a fresh look; its samples tell what it has found
    }
    m_peers.hostChanged(*host); // the ways to it are looked at, too
    return m_figures.infoOf(*host);
}

void HostAdmin::checkHost(
    const QString &id, QObject *context, const std::function<void(const Result<HostInfo> &)> &then)
{
    PoolHost *host = m_hosts.find(id);
    if (!host || !host->agent->isOnline()) {
        then(checkHost(id));
        return;
    }
    host->mayAsk = host->isWanted = true;
    m_hosts.check(*host);
    // The same fresh look, and its answer is waited for: an agent that hangs is found out by its silence.
    host->agent->request(
        contract::InventoryRequest{}, [this, id, here = QPointer<QObject>(context), then](const contract::Message &) {
            if (!here) {
                return;
            }
            const auto tell = [this, id, here, then] {
                const PoolHost *there = here ? m_hosts.find(id) : nullptr;
                if (here) {
                    then(there ? Result<HostInfo>(m_figures.infoOf(*there))
                               : fail(u"host.unknown"_s, {{u"host"_s, id}}));
                }
            };
            if (PoolHost *again = m_hosts.find(id)) {
                m_peers.hostChanged(*again);
                m_clusters.ask(*again, tell);
            } else {
                tell();
            }
        });
}

// A host on which tasks or jobs depend stays as it is; this computer always does.
Result<PoolHost *> HostAdmin::changeable(const QString &id, bool alsoNotTarget) const
{
    PoolHost *of = m_hosts.find(id);
    if (!of) {
        return fail(u"host.unknown"_s, {{u"host"_s, id}});
    }
    if (of->isLocal()) {
        return fail(u"host.local"_s);
    }
    QJsonArray jobs;
    bool areStopped = !of->agent->isOnline(); // all of them, and what they wait for is this host
    qint64 until = 0;
    const QStringList clusters = m_figures.clustersBehind(id); // whose nodes may use what is there
    for (const auto &entry : m_jobs) {
        const auto &job = entry.second;
        int tries = 0, givenUp = 0; // on this host
        for (const QUuid &tryUuid : std::as_const(of->tries)) {
            const auto it = m_live.find(tryUuid);
            if (it != m_live.end() && it->second.job == job.get()) {
                ++tries;
                givenUp += it->second.givenUpAt > 0 ? 1 : 0;
                until = std::max(until, it->second.givenUpAt);
            }
        }
        if (tries > 0 || clusters.contains(job->state.meta.target) || (alsoNotTarget && job->document.target == id)) {
            jobs.append(job->state.meta.id);
            areStopped = areStopped && tries > 0 && givenUp == tries;
        }
    }
    if (!jobs.isEmpty() && areStopped) {
        Error awaited = errorOf(reason::StopHostAway{id, until});
        return fail(u"host.in-use-stopping"_s,
            {{u"host"_s, id}, {u"jobs"_s, jobs},
                {u"error"_s, QJsonObject{{u"code"_s, awaited.code}, {u"args"_s, awaited.args}}}});
    }
    if (!jobs.isEmpty()) {
        return fail(u"host.in-use"_s, {{u"host"_s, id}, {u"jobs"_s, jobs}});
    }
    return of;
}

Result<HostInfo> HostAdmin::setHost(const QString &id, const QString &target)
{
    if (!HostsFile::isTarget(target)) {
        return fail(u"host.bad-target"_s, {{u"target"_s, target}});
    }
    const Result<PoolHost *> found = changeable(id, false);
    if (!found) {
        return tl::unexpected<Error>(found.error());
    }
    // If a host is away, the address may be what keeps it away.
    const bool isThere = (*found)->agent && (*found)->agent->isOnline();
    if (const int logs = (*found)->mirrors->pending(); logs > 0 && isThere) {
        return fail(u"host.logs-coming"_s, {{u"host"_s, id}, {u"logs"_s, logs}});
    }
    if (const int tasks = m_results.pendingOn(id); tasks > 0 && isThere) {
        return fail(u"host.results-coming"_s, {{u"host"_s, id}, {u"tasks"_s, tasks}});
    }
    if (const Result<void> written = m_hosts.setTarget(**found, target); !written) {
        return tl::unexpected<Error>(written.error());
    }
    m_own.forget(id); // it may be another computer, where nothing is missing
    return m_figures.infoOf(**found);
}

// The interfaces of a host that is away are not known.
static std::optional<Error> notAnInterface(const PoolHost &host, const HostUse &use)
{
    const bool isNew = !use.address.isEmpty() && use.address != host.use.address && !core::isAddress(use.address);
    const std::vector<contract::HostAddress> &known = host.agent->inventory().addresses;
    if (!isNew || !host.agent->isOnline() || known.empty()) {
        return std::nullopt;
    }
    QStringList names;
    for (const contract::HostAddress &each : known) {
        if (const QString name = QString::fromStdString(each.interface); !names.contains(name)) {
            names.append(name);
        }
    }
    return names.contains(use.address)
        ? std::nullopt
        : std::optional(Error{u"host.no-interface"_s,
            {{u"host"_s, host.id}, {u"address"_s, use.address}, {u"interfaces"_s, names.join(u", "_s)}}});
}

Result<HostInfo> HostAdmin::changeHost(const api::HostChange &change)
{
    PoolHost *host = m_hosts.find(change.id);
    if (!host) {
        return fail(u"host.unknown"_s, {{u"host"_s, change.id}});
    }
    const Result<HostUse> use = changedUse(host->use, change);
    if (!use) {
        return tl::unexpected<Error>(use.error());
    }
    if (const std::optional<Error> wrong = notAnInterface(*host, *use)) {
        return tl::unexpected<Error>(*wrong);
    }
    if (const Result<void> written = m_hosts.setUse(*host, *use); !written) {
        return tl::unexpected<Error>(written.error());
    }
    return m_figures.infoOf(*host);
}

Result<HostInfo> HostAdmin::releaseHost(const QString &id, int gpu)
{
    PoolHost *host = m_hosts.find(id);
    if (!host) {
        return fail(u"host.unknown"_s, {{u"host"_s, id}});
    }
    if (const Result<void> released = m_quarantine.release(*host, gpu); !released) {
        return tl::unexpected<Error>(released.error());
    }
    return m_figures.infoOf(*host);
}

Result<bool> HostAdmin::mayEmpty(const QString &id, bool force) const
{
    const Result<PoolHost *> found = changeable(id, false);
    if (!found) {
        return tl::unexpected<Error>(found.error());
    }
    if (const int logs = (*found)->mirrors->pending(); logs > 0 && !force) {
        return fail(u"host.logs-pending"_s, {{u"host"_s, id}, {u"logs"_s, logs}});
    }
    if (const int tasks = m_results.pendingOn(id); tasks > 0 && !force) {
        return fail(u"host.results-pending"_s, {{u"host"_s, id}, {u"tasks"_s, tasks}});
    }
    return true;
}

Result<bool> HostAdmin::removeHost(const QString &id, bool force)
{
    const Result<PoolHost *> found = changeable(id, true);
    if (!found) {
        return tl::unexpected<Error>(found.error());
    }
    if (const QStringList clusters = m_figures.clustersBehind(id); !clusters.isEmpty() && !force) {
        return tl::unexpected<Error>(api::isLoginNode(id, clusters));
    }
    if (const Result<bool> may = mayEmpty(id, force); !may) {
        return may;
    }
    m_own.hostChanged(**found); // no answer comes any more
    if (const Result<void> written = m_hosts.remove(**found); !written) {
        return tl::unexpected<Error>(written.error());
    }
    m_scheduler.removeHost(id);
    m_own.forget(id);
    return true;
}

} // namespace trainyard
