// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pool/hostpool.h"
#include "engine/pool/launchbars.h"
#include "engine/pool/livetry.h"

#include <QObject>
#include <QSet>

namespace trainyard
{

// Tells hosts of tries that were given up, until they have ended there: what runs of them is stopped, and a launch that
// is still on its way finds an end.
class BarTeller : public QObject
{
    Q_OBJECT
public:
    BarTeller(const QString &folder, HostPool &hosts, const LiveTries &tries); // `folder`: of LaunchBars
    void add(const QUuid &tryUuid, const QString &host, const contract::Stop &stop) { m_bars.add(tryUuid, host, stop); }
    void drop(const QUuid &tryUuid) { m_bars.drop(tryUuid); } // it is launched after all
    void bar(const QUuid &tryUuid); // it is over, and this is written down: nothing of it may start any longer
    void hostIsBack(const QString &host);

private:
    void sendBar(const QUuid &tryUuid);
    void sendAgain(const QUuid &tryUuid);

    HostPool &m_hosts;
    const LiveTries &m_live;
    LaunchBars m_bars;
    QSet<QUuid> m_again; // are sent again in a while
};

} // namespace trainyard
