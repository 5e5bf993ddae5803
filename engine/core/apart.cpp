// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/apart.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace trainyard::core
{
namespace
{

using Positions = std::vector<std::size_t>; // of rooms

constexpr int firstMinutes = 1, mostMinutes = 8;
constexpr qint64 msOfMinute = 60'000;
constexpr qint64 countsAsAgainMs = 60 * msOfMinute; // a pair that is found apart later starts over

bool areApart(const PairsApart &apart, const QString &one, const QString &other)
{
    return apart.contains(pairOf(one, other));
}

// In these rooms only.
std::optional<Shares> placeIn(
    const std::vector<Needs> &needs, const std::vector<int> &counts, FreeCapacities &rooms, const Positions &chosen)
{
    FreeCapacities part;
    std::transform(
        chosen.cbegin(), chosen.cend(), std::back_inserter(part), [&rooms](std::size_t at) { return rooms[at]; });
    std::optional<Shares> shares = placeTogether(needs, counts, part);
    if (!shares) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        rooms[chosen[i]] = std::move(part[i]);
    }
    for (std::vector<Share> &ofRole : *shares) {
        for (Share &share : ofRole) {
            share.room = chosen[share.room];
        }
    }
    return shares;
}

bool isInReach(const Shares &shares, const FreeCapacities &rooms, const PairsApart &apart)
{
    QStringList hosts;
    for (const std::vector<Share> &ofRole : shares) {
        for (const Share &share : ofRole) {
            hosts.append(rooms[share.room].host);
        }
    }
    return !firstApart(apart, hosts);
}

// The largest sets of hosts that all reach each other, one after the other until one of them does (Bron and Kerbosch).
class SetsInReach
{
public:
    SetsInReach(
        const FreeCapacities &rooms, const PairsApart &apart, const std::function<bool(const Positions &)> &does)
        : m_rooms(rooms), m_apart(apart), m_does(does)
    {
    }
    // `open` in the order of preference.
    bool find(const Positions &open) { return grow({}, open, {}); }

private:
    bool reach(std::size_t one, std::size_t other) const
    {
        return one != other && !areApart(m_apart, m_rooms[one].host, m_rooms[other].host);
    }
    Positions inReachOf(std::size_t one, const Positions &of) const
    {
        Positions inReach;
        std::copy_if(of.cbegin(), of.cend(), std::back_inserter(inReach),
            [this, one](std::size_t other) { return reach(one, other); });
        return inReach;
    }
    // `over`: with one of these the sets have been tried.
    bool grow(const Positions &chosen, Positions open, Positions over)
    {
        if (open.empty()) {
            return over.empty() && m_sets-- > 0 && m_does(chosen);
        }
        // A set has one of those that this host does not reach, or the host itself.
        std::size_t pivot = open.front();
        std::size_t most = inReachOf(pivot, open).size();
        for (const Positions &all : {open, over}) {
            for (const std::size_t each : all) {
                if (const std::size_t count = inReachOf(each, open).size(); count > most) {
                    pivot = each;
                    most = count;
                }
            }
        }
        const Positions candidates = open;
        for (const std::size_t each : candidates) {
            if (reach(pivot, each)) {
                continue;
            }
            Positions more = chosen;
            more.push_back(each);
            if (m_sets <= 0 || m_steps-- <= 0) {
                return false;
            }
            if (grow(more, inReachOf(each, open), inReachOf(each, over))) {
                return true;
            }
            std::erase(open, each);
            over.push_back(each);
        }
        return false;
    }

    const FreeCapacities &m_rooms;
    const PairsApart &m_apart;
    const std::function<bool(const Positions &)> &m_does;
    int m_sets = 64, m_steps = 1000; // it is worked out again in every tick
};

} // namespace

HostPair pairOf(const QString &one, const QString &other)
{
    return one < other ? HostPair(one, other) : HostPair(other, one);
}

const NoWay *firstApart(const PairsApart &apart, const QStringList &hosts)
{
    for (const auto &[pair, way] : apart) {
        if (hosts.contains(pair.first) && hosts.contains(pair.second)) {
            return &way;
        }
    }
    return nullptr;
}

std::optional<Shares> placeInReach(const std::vector<Needs> &needs, const std::vector<int> &counts,
    FreeCapacities &rooms, const PairsApart &apart, const QStringList &fixed)
{
    if (apart.empty()) {
        return placeTogether(needs, counts, rooms);
    }
    Positions open;
    for (std::size_t at = 0; at < rooms.size(); ++at) {
        const bool isReached = std::none_of(
            fixed.cbegin(), fixed.cend(), [&](const QString &host) { return areApart(apart, host, rooms[at].host); });
        if (isReached) {
            open.push_back(at);
        }
    }
    // Mostly the best places are in reach of each other.
    FreeCapacities trial = rooms;
    std::optional<Shares> shares = placeIn(needs, counts, trial, open);
    if (!shares || isInReach(*shares, rooms, apart)) {
        if (shares) {
            rooms = std::move(trial);
        }
        return shares;
    }
    Positions any, torn; // torn: out of reach of one of the others
    for (const std::size_t at : open) {
        bool isOfUse = false;
        for (std::size_t role = 0; role < needs.size() && !isOfUse; ++role) {
            isOfUse = counts[role] > 0 && rooms[at].fits(needs[role], 1) > 0;
        }
        const bool isTorn = isOfUse && std::any_of(open.cbegin(), open.cend(), [&](std::size_t other) {
            return other != at && areApart(apart, rooms[at].host, rooms[other].host);
        });
        (isTorn ? torn : any).push_back(at);
    }
    std::stable_sort(
        torn.begin(), torn.end(), [&rooms](std::size_t a, std::size_t b) { return rooms[a].gpu > rooms[b].gpu; });
    shares.reset();
    const std::function<bool(const Positions &)> does = [&](const Positions &set) {
        Positions chosen = any;
        chosen.insert(chosen.end(), set.cbegin(), set.cend());
        std::sort(chosen.begin(), chosen.end());
        shares = placeIn(needs, counts, rooms, chosen);
        return shares.has_value();
    };
    SetsInReach(rooms, apart, does).find(torn);
    return shares;
}

void PairMemory::note(const NoWay &way, qint64 now)
{
    std::erase_if(m_kept, [now](const auto &each) { return each.second.until + countsAsAgainMs < now; });
    const auto [it, isNew] = m_kept.try_emplace(pairOf(way.from, way.to));
    Kept &kept = it->second;
    int minutes = kept.way.minutes;
    if (isNew || kept.until <= now) {
        minutes = isNew ? firstMinutes : std::min(2 * minutes, mostMinutes);
        kept.until = now + minutes * msOfMinute;
    }
    kept.way = way;
    kept.way.minutes = minutes;
}

void PairMemory::reached(const QString &one, const QString &other) { m_kept.erase(pairOf(one, other)); }

bool PairMemory::forget(const QString &host)
{
    return std::erase_if(m_kept, [&host](const auto &each) {
        return each.first.first == host || each.first.second == host;
    }) > 0;
}

PairsApart PairMemory::at(qint64 now) const
{
    PairsApart apart;
    for (const auto &[pair, kept] : m_kept) {
        if (kept.until > now) {
            apart.emplace(pair, kept.way);
        }
    }
    return apart;
}

std::optional<qint64> PairMemory::nextEnd(qint64 now) const
{
    std::optional<qint64> next;
    for (const auto &[pair, kept] : m_kept) {
        if (kept.until > now) {
            next = std::min(next.value_or(kept.until), kept.until);
        }
    }
    return next;
}

} // namespace trainyard::core
