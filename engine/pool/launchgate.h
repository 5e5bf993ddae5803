// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pool/livetry.h"

#include <QHash>

#include <optional>

namespace trainyard
{

// Tasks that start together may have to wait for files that are copied to their hosts, each for a time of its own. The
// gate holds a try back until all tasks of its attempt can be launched. With extras.gangAllocation false it holds none.
class LaunchGate
{
public:
    explicit LaunchGate(LiveTries &live) : m_live(live) { }

    // It is not known any longer that the try lacks nothing.
    static void close(LiveTry &entry) { entry.isReady = false; }
    // The try lacks nothing on its host. True: then no try of its job needs to be held any longer. False: it is held,
    // and takeHeld() names it when it is to be asked for again.
    bool pass(const QUuid &tryUuid, LiveTry &entry);
    QSet<QUuid> takeHeld(const QUuid &job); // after pass()
    QSet<QUuid> takeHeld(); // after a task has ended, for which others may have waited
    bool isEmpty() const { return m_held.isEmpty(); }
    // What a held try waits for.
    std::optional<core::TaskRef> awaitedBy(const QUuid &tryUuid) const;

private:
    struct Held {
        QSet<QUuid> tries;
        mutable core::TaskRef awaited; // by all of them, when that was last looked for
    };
    bool isMissing(const ActiveJob &job, core::TaskRef task) const;
    std::optional<core::TaskRef> missing(const ActiveJob &job, core::TaskRef from) const;

    LiveTries &m_live;
    QHash<QUuid, Held> m_held; // by their jobs
};

} // namespace trainyard
