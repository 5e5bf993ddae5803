// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/barteller.h"

#include "engine/pool/tryanswers.h"

#include <QTimer>

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
    // Its job is over, and what it had to hide is forgotten: the files of its metrics are left.
    contract::Stop stop = bar->stop;
    stop.leavesMetrics = true;
    // A stop would make its folder again, which may have been removed with its job since it ended.
    const contract::Message message
        = bar->isNoted ? contract::Message(contract::Observe{stop.dir, {}, true}) : contract::Message(stop);
    at->agent->request(message, [this, tryUuid, host = at->id](const contract::Message &answer) {
        const auto *failure = std::get_if<contract::Failure>(&answer);
        const auto *observed = std::get_if<contract::Observed>(&answer);
        if (failure && (failure->code == "host.gone" || failure->code == pool::notThere)) {
            return; // it is sent again over the next connection
        }
        if (observed && observed->state == "running") {
            m_bars.setNoted(tryUuid, true);
            m_bars.setBegun(tryUuid); // the stop over the next connection does not make its folder again
        }
        if (failure || (observed && !observed->exit && observed->state != "absent")) {
            sendAgain(tryUuid); // until it has ended: what is forgotten before would run on if the agent died now
            return;
        }
        if (observed && observed->started) {
            qInfo("%s answers again, and a task that was given up there has ended.", qUtf8Printable(host));
        }
        m_bars.drop(tryUuid);
    });
}

void BarTeller::sendAgain(const QUuid &tryUuid)
{
    if (m_again.contains(tryUuid)) {
        return;
    }
    m_again.insert(tryUuid);
    QTimer::singleShot(pool::askAgainAfter, this, [this, tryUuid] {
        m_again.remove(tryUuid);
        if (m_bars.find(tryUuid) && !m_live.contains(tryUuid)) {
            sendBar(tryUuid);
        }
    });
}

void BarTeller::hostIsBack(const QString &host)
{
    for (const QUuid &uuid : m_bars.dueOn(host)) {
        if (!m_live.contains(uuid)) { // else it is not written down that it is over
            m_bars.setNoted(uuid, false);
            sendBar(uuid);
        }
    }
}

} // namespace trainyard
