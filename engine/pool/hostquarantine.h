// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "engine/core/machinefault.h"
#include "engine/core/next.h"
#include "engine/pool/hostpool.h"
#include "engine/pool/livetry.h"

namespace trainyard
{

// Takes hosts and GPUs out of use on which tries fail one after the other because of the machine, until the user
// releases them. core::machineFault() decides what counts as such a failure.
class HostQuarantine : public QObject
{
    Q_OBJECT
public:
    HostQuarantine(const Settings &settings, HostPool &hosts, const LiveTries &tries)
        : m_settings(settings), m_hosts(hosts), m_live(tries)
    {
    }
    // Looks at the ends of tries, while these still have their allocations.
    void noteEvent(ActiveJob *job, const core::Event &event);
    void setGap(qint64 ms) { m_rows = core::FaultRows(ms); } // instead of FaultRows::usualGapMs; forgets all rows
    // The host and its GPUs (-1), or one GPU by its index. host.no-quarantine {host, gpu}, HostsFile.
    Result<void> release(PoolHost &host, int gpu);

Q_SIGNALS:
    void quarantined(const QString &host, const trainyard::Quarantine &quarantine);

private:
    void noteEnd(const core::event::TryEnded &end);
    void take(PoolHost &host, const core::FaultRows::Found &found);

    const Settings &m_settings;
    HostPool &m_hosts;
    const LiveTries &m_live;
    core::FaultRows m_rows;
};

} // namespace trainyard
