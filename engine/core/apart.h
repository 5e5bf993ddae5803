// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/placing.h"

#include <map>
#include <utility>

namespace trainyard::core
{

// The evidence that two hosts cannot reach each other: the last address of one at which the other has tried to reach
// it.
struct NoWay {
    QString from, to; // which does not reach which
    QString address, how; // as reason::WaitPeers has it
    int minutes = 0; // for which it is remembered
    friend bool operator==(const NoWay &, const NoWay &) = default;
};

// In either order, two hosts are the same pair.
using HostPair = std::pair<QString, QString>;
HostPair pairOf(const QString &one, const QString &other);
using PairsApart = std::map<HostPair, NoWay>;

// The first two of these hosts that are apart.
const NoWay *firstApart(const PairsApart &apart, const QStringList &hosts);

// placeTogether() for tasks that talk to each other: no two of their hosts are apart, nor one of them and one of
// `fixed`, where other tasks of the job are already. The number of trials is bounded: with very many overlapping pairs,
// it may find no allocation although there is one.
std::optional<Shares> placeInReach(const std::vector<Needs> &needs, const std::vector<int> &counts,
    FreeCapacities &rooms, const PairsApart &apart, const QStringList &fixed = {});

// Remembers pairs of hosts that did not reach each other: for a minute at first, and for twice as long each time that
// they are found apart again, up to eight minutes. Times are of a steady clock, in ms.
class PairMemory
{
public:
    void note(const NoWay &way, qint64 now); // its minutes do not count
    void reached(const QString &one, const QString &other); // the next time is the first one again
    bool forget(const QString &host); // and all its pairs; false: there are none
    PairsApart at(qint64 now) const;
    std::optional<qint64> nextEnd(qint64 now) const; // when the next pair may be tried again

private:
    struct Kept {
        NoWay way;
        qint64 until = 0;
    };
    std::map<HostPair, Kept> m_kept; // also those whose time has passed, for the next time
};

} // namespace trainyard::core
