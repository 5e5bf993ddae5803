// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/barteller.h"

#include "engine/pool/tryanswers.h"

namespace trainyard
{

BarTeller::BarTeller(const QString &folder, HostPool &hosts, const LiveTries &tries)
    : m_hosts(hosts), m_live(tries), m_bars(folder)
{
}

// A launch that was sent before and is still on its way finds an end. That cannot be taken back: an engine that is
// killed before it has written down that it gives the try up would find one that may start, and never can.
void BarTeller::bar(const QUuid &tryUuid)
{
    m_bars.setDue(tryUuid);
    sendBar(tryUuid);
}

void BarTeller::sendBar(const QUuid &tryUuid)
{
    const LaunchBars::Bar *bar = m_bars.find(tryUuid);
    const PoolHost *at = bar ? m_hosts.find(bar->host) : nullptr;
    if (!at) {
        m_bars.drop(tryUuid);
        return;
    }
    if (!at->agent->isOnline()) {
        return; // hostIsBack() sends it
    }
    contract::Stop stop;
    stop.dir = bar->folder.toStdString();
    stop.graceMs = 0;
    at->agent->request(stop, [this, tryUuid](const contract::Message &answer) {
        const auto *failure = std::get_if<contract::Failure>(&answer);
        // Else it is sent again, at the latest over the next connection.
        if (!failure || (failure->code != "host.gone" && failure->code != pool::notThere)) {
            m_bars.drop(tryUuid);
        }
    });
}

void BarTeller::hostIsBack(const QString &host)
{
    for (const QUuid &uuid : m_bars.dueOn(host)) {
        if (!m_live.contains(uuid)) { // else it is not written down that it is over
            sendBar(uuid);
        }
    }
}

} // namespace trainyard
