// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/apart.h"
#include "engine/core/scheduler.h"
#include "engine/pool/hostpool.h"

#include <QTimer>

namespace trainyard
{

// Pairs of hosts that did not reach each other: the scheduler knows them and gives no gang whose tasks talk to each
// other both hosts of one. A pair is forgotten after a while (core::PairMemory), and when one of its hosts has changed.
class PeerPairs : public QObject
{
    Q_OBJECT
public:
    PeerPairs(core::Scheduler &scheduler, HostPool &hosts);
    void note(const QList<core::NoWay> &ways);
    void reached(const QStringList &hosts); // each other
    void forget(const QString &host);

Q_SIGNALS:
    void placingWanted(); // a pair was forgotten

private:
    void tell();
    void look();

    core::Scheduler &m_scheduler;
    HostPool &m_hosts;
    core::PairMemory m_memory;
    core::PairsApart m_told;
    QTimer m_timer;
};

} // namespace trainyard
