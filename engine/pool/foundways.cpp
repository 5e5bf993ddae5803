// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/foundways.h"

#include "engine/backend/clock.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

std::optional<QString> FoundWays::at(const PeerWay &way) const
{
    const auto it = m_found.constFind(way);
    return it == m_found.cend() || it->until < steadyMs() ? std::nullopt : std::optional(it->state);
}

bool FoundWays::isBlocked(const PeerWay &way) const
{
    const std::optional<QString> known = at(way);
    return known && !known->isEmpty() && *known != "reached"_L1;
}

void FoundWays::note(const PeerWay &way, const QString &state)
{
    constexpr qint64 goodMs = 10 * 60'000, badMs = 50'000, unknownMs = 10'000; // how long it counts
    m_found.insert(way, {state, steadyMs() + (state.isEmpty() ? unknownMs : state == "reached"_L1 ? goodMs : badMs)});
}

void FoundWays::forget(const QString &host)
{
    m_found.removeIf([&host](const auto &each) { return each.key().from == host || each.key().to == host; });
}

void FoundWays::forgetBlocked(const QStringList &hosts)
{
    m_found.removeIf([&hosts](const auto &each) {
        return each.value().state != "reached"_L1 && hosts.contains(each.key().from) && hosts.contains(each.key().to);
    });
}

void FoundWays::dropOld()
{
    m_found.removeIf([now = steadyMs()](const auto &each) { return each.value().until < now; });
}

} // namespace trainyard
