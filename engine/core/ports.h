// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/jobstate.h"
#include "model/base/result.h"

#include <QHash>
#include <QMap>
#include <QSet>

#include <optional>
#include <vector>

namespace trainyard::core
{

struct PortRange {
    int first = 15000;
    int last = 32767; // below the kernel's ephemeral range, which begins at 32768
    friend bool operator==(const PortRange &, const PortRange &) = default;
};

// The ports that tries of this engine have on each host. The numbers of one label are consecutive, and all numbers of a
// host are distinct. The search starts where the try's UUID says, so that two engines on one host rarely ask for the
// same number.
class PortBook
{
public:
    explicit PortBook(const PortRange &range = {}) : m_range(range) { }
    // Sets the range of later draws. Ports in the new range stay allocated; the others cannot be drawn anyway.
    void setRange(const PortRange &range);

    // Draws ports and allocates them. `busy` are those that the agent's bind test found in use (earlier draws of the
    // same try are given back). `firstPorts` are labels whose numbers are not drawn but begin there, also outside the
    // range. Errors: "ports.none", "ports.no-range" {host, wanted, first, last}; of a fixed one reason::FixedPortHeld,
    // FixedPortBusy or FixedPortRange.
    Result<PortTable> draw(const QString &host, const QUuid &tryUuid, const QList<Port> &wanted,
        const QSet<int> &busy = {}, const QMap<QString, int> &firstPorts = {});
    void restore(const QString &host, const QUuid &tryUuid, const PortTable &ports); // after a restart
    void release(const QUuid &tryUuid); // twice is once
    bool isReserved(const QString &host, int port) const;

private:
    struct Held {
        QString host;
        std::vector<std::pair<int, int>> ranges; // first, count
        std::vector<int> fixed; // numbers
    };
    Result<QList<int>> takeFixed(Held &held, const QUuid &tryUuid, const Port &port, int first, const QSet<int> &busy);
    void giveBack(const Held &held);
    QUuid holderOf(const QString &host, int port) const;

    PortRange m_range;
    QHash<QString, std::vector<bool>> m_used; // per host, by number less the range's first
    QHash<QString, QHash<int, QUuid>> m_fixed; // per host: numbers that were not drawn, and the tries that have them
    QHash<QUuid, Held> m_held;
};

} // namespace trainyard::core
