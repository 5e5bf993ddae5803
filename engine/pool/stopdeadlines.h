// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "engine/pool/hostpool.h"
#include "engine/pool/livetry.h"
#include "engine/pool/tryreports.h"

#include <QObject>

namespace trainyard
{

// Ends a stop at last, even when the host never answers again, or never says what is there. Until then its GPUs and
// ports stay allocated; afterwards the task may still be running there, and the reason says so. The time goes on while
// the host comes for moments in which it does not answer.
class StopDeadlines : public QObject
{
    Q_OBJECT
public:
    StopDeadlines(const Settings &settings, HostPool &hosts, LiveTries &tries, TryReports &reports);
    void begin(const QUuid &tryUuid); // its stop is asked for, and its host does not answer
    // Its tasks that are being stopped on hosts that are away, now; false: there are none. Those on other hosts are
    // given up as soon as their host turns out to be away.
    bool giveUp(ActiveJob &job);

Q_SIGNALS:
    void givesUp(const QUuid &tryUuid); // at once, as long as it is known
    void described(trainyard::ActiveJob *job, std::optional<trainyard::core::TaskRef> task);

private:
    void giveUpIfWished(const QUuid &tryUuid);
    void giveUpUnlessHeard(const QUuid &tryUuid, qint64 until);
    void giveUp(const QUuid &tryUuid, const QString &host);

    const Settings &m_settings;
    HostPool &m_hosts;
    LiveTries &m_live;
    TryReports &m_reports;
};

} // namespace trainyard
