// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/placing.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

namespace trainyard::core
{
namespace
{

using Order = std::vector<std::size_t>;

// The request: tasks of each role.
struct Asked {
    const std::vector<Needs> &needs;
    const std::vector<int> &counts;
    bool preferences = true; // how roles would like to be laid out counts, too
};

// Puts the roles into rooms, one after the other and each into the first rooms that do. Where all of a role has to be
// in one room, the choice of the room is tried again when what follows finds no place.
class Filling
{
public:
    Filling(const Asked &asked, const FreeCapacities &rooms, const Order &roles, const Order &order)
        : m_asked(asked), m_rooms(rooms), m_roles(roles), m_order(order), m_shares(asked.needs.size())
    {
    }
    bool fill() { return fillFrom(0); }
    FreeCapacities &rooms() { return m_rooms; }
    Shares &shares() { return m_shares; }

private:
    bool fillFrom(std::size_t at)
    {
        if (at == m_roles.size()) {
            return true;
        }
        const std::size_t role = m_roles[at];
        const Needs &needs = m_asked.needs[role];
        const int count = m_asked.counts[role];
        if (count == 0) {
            return fillFrom(at + 1);
        }
        const bool prefers = m_asked.preferences;
        switch (needs.hosts.arrange) {
        case Arrangement::SameHost:
            return fillOneRoom(at, needs, count);
        case Arrangement::Pack:
            return (prefers && fillOneRoom(at, needs, count)) || (fillInTurn(role, count, count) && fillFrom(at + 1));
        case Arrangement::DifferentHosts:
            return fillInTurn(role, count, 1) && fillFrom(at + 1);
        case Arrangement::Spread:
            return (prefers ? fillEvenly(role, count) : fillInTurn(role, count, count)) && fillFrom(at + 1);
        case Arrangement::Any:
            break;
        }
        return fillInTurn(role, count, count) && fillFrom(at + 1);
    }

    bool fillOneRoom(std::size_t at, const Needs &needs, int count)
    {
        const std::size_t role = m_roles[at];
        for (const std::size_t room : m_order) {
            if (m_rooms[room].fits(needs, count) < count) {
                continue;
            }
            if (m_choices-- <= 0) {
                return false;
            }
            const FreeCapacities before = m_rooms;
            const Shares sharesBefore = m_shares;
            m_shares[role].push_back({room, count, m_rooms[room].take(needs, count)});
            if (fillFrom(at + 1)) {
                return true;
            }
            m_rooms = before;
            m_shares = sharesBefore;
        }
        return false;
    }

    bool fillInTurn(std::size_t role, int count, int mostInOne)
    {
        const Needs &needs = m_asked.needs[role];
        int left = count;
        for (const std::size_t room : m_order) {
            const int here = left > 0 ? m_rooms[room].fits(needs, std::min(left, mostInOne)) : 0;
            if (here > 0) {
                m_shares[role].push_back({room, here, m_rooms[room].take(needs, here)});
                left -= here;
            }
        }
        return left == 0;
    }

    // One task after the other, each to the room that has the fewest.
    bool fillEvenly(std::size_t role, int count)
    {
        const Needs &needs = m_asked.needs[role];
        std::vector<Share> shares;
        for (const std::size_t room : m_order) {
            shares.push_back({room, 0, {}});
        }
        Order open(shares.size());
        std::iota(open.begin(), open.end(), 0);
        for (int i = 0; i < count; ++i) {
            std::erase_if(open, [&](std::size_t each) { return m_rooms[shares[each].room].fits(needs, 1) < 1; });
            const auto fewest = std::min_element(open.begin(), open.end(),
                [&](std::size_t a, std::size_t b) { return shares[a].count < shares[b].count; });
            if (fewest == open.end()) {
                return false;
            }
            Share &share = shares[*fewest];
            std::vector<QList<int>> gpus = m_rooms[share.room].take(needs, 1);
            std::move(gpus.begin(), gpus.end(), std::back_inserter(share.gpus));
            ++share.count;
        }
        std::erase_if(shares, [](const Share &share) { return share.count == 0; });
        m_shares[role] = std::move(shares);
        return true;
    }

    Asked m_asked;
    FreeCapacities m_rooms;
    const Order &m_roles, &m_order;
    Shares m_shares;
    int m_choices = 100; // of a room for all of a role
};

std::optional<Shares> fill(const Asked &asked, FreeCapacities &rooms, const Order &roleOrder, const Order &roomOrder)
{
    Filling filling(asked, rooms, roleOrder, roomOrder);
    if (!filling.fill()) {
        return std::nullopt;
    }
    rooms = std::move(filling.rooms());
    return std::move(filling.shares());
}

} // namespace

std::vector<std::size_t> largestFirst(const std::vector<Needs> &needs)
{
    std::vector<std::size_t> order(needs.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        // Tasks that may have few hosts come first, then those that ask for a type, and tasks that want a GPU for
        // themselves before those that share.
        const auto rank = [](const Needs &of) {
            const bool isOnOne = of.hosts.arrange == Arrangement::SameHost;
            return std::make_tuple(isOnOne, !of.hosts.names.isEmpty() || !of.hosts.labels.isEmpty(),
                !of.gpuType.isEmpty(), of.gpu > 0 && of.gpuMemoryMiB == 0, of.gpu, of.gpuMemoryMiB, of.memoryMiB);
        };
        return rank(needs[a]) > rank(needs[b]);
    });
    return order;
}

// All of it on one host: of those with room the one with the fewest GPUs left over, then with the least load.
static std::optional<Shares> placeOnOneHost(const Asked &asked, FreeCapacities &rooms, const Order &roles)
{
    const auto &[needs, counts, preferences] = asked;
    // The request as if it were one task. Requests that share GPUs, ask for a type, fix ports or have a rule for hosts
    // have to be tried.
    Needs all;
    double cpus = 0; // which no room limits
    bool mustTry = false;
    const bool anyInstance
        = std::any_of(rooms.cbegin(), rooms.cend(), [](const FreeCapacity &room) { return room.hasInstances(); });
    for (std::size_t role = 0; role < needs.size(); ++role) {
        cpus += double(needs[role].cpu) * counts[role];
        all.memoryMiB += needs[role].memoryMiB * counts[role];
        const bool anyGpu = needs[role].gpuMemoryMiB <= 0 && needs[role].gpuType.isEmpty() && !anyInstance;
        const bool simple = anyGpu || needs[role].gpu <= 0 || counts[role] == 0;
        all.gpu += simple ? needs[role].gpu * counts[role] : 0;
        mustTry = mustTry || !simple
            || (counts[role] > 0 && (!needs[role].firstPorts.isEmpty() || !needs[role].hosts.isAny()));
    }
    std::optional<std::size_t> best;
    std::tuple<int, int, double> bestRank;
    for (std::size_t i = 0; i < rooms.size(); ++i) {
        if (rooms[i].fits(all, 1) < 1) {
            continue;
        }
        int whole = all.gpu;
        if (mustTry) {
            FreeCapacities alone{rooms[i]};
            if (!fill(asked, alone, roles, {0})) {
                continue;
            }
            whole = rooms[i].gpu - alone.front().gpu;
        }
        const auto rank = std::make_tuple(
            whole, all.gpu > 0 || mustTry ? rooms[i].gpu : 0, (rooms[i].cpuUsed + cpus) / rooms[i].cpus);
        if (!best || rank < bestRank) {
            best = i;
            bestRank = rank;
        }
    }
    return best ? fill(asked, rooms, roles, {*best}) : std::nullopt;
}

static std::optional<Shares> placeOnSeveral(const Asked &asked, FreeCapacities &rooms, const Order &roles)
{
    Order byGpu(rooms.size());
    std::iota(byGpu.begin(), byGpu.end(), 0);
    Order byMemory = byGpu;
    std::stable_sort(byGpu.begin(), byGpu.end(), [&](std::size_t a, std::size_t b) {
        return std::make_tuple(-rooms[a].gpu, rooms[a].load()) < std::make_tuple(-rooms[b].gpu, rooms[b].load());
    });
    std::stable_sort(byMemory.begin(), byMemory.end(),
        [&](std::size_t a, std::size_t b) { return rooms[a].memoryMiB > rooms[b].memoryMiB; });
    Order tightest(byGpu.rbegin(), byGpu.rend());
    for (const Order &order : {byGpu, byMemory, tightest}) {
        if (std::optional<Shares> shares = fill(asked, rooms, roles, order)) {
            return shares;
        }
    }
    return std::nullopt;
}

// Whether each role would find its places if it were alone: if not, nothing need be tried.
static bool fitAlone(const std::vector<Needs> &needs, const std::vector<int> &counts, const FreeCapacities &rooms)
{
    for (std::size_t role = 0; role < needs.size(); ++role) {
        const Arrangement arrange = needs[role].hosts.arrange;
        const int most = arrange == Arrangement::DifferentHosts ? std::min(1, counts[role]) : counts[role];
        qint64 places = 0;
        for (auto room = rooms.cbegin(); room != rooms.cend() && places < counts[role]; ++room) {
            const int here = room->fits(needs[role], most);
            places = arrange == Arrangement::SameHost ? std::max<qint64>(places, here) : places + here;
        }
        if (places < counts[role]) {
            return false;
        }
    }
    return true;
}

std::optional<Shares> placeTogether(
    const std::vector<Needs> &needs, const std::vector<int> &counts, FreeCapacities &rooms)
{
    if (!fitAlone(needs, counts, rooms)) {
        return std::nullopt;
    }
    const Order roles = largestFirst(needs);
    bool prefers = false;
    bool spreads = false;
    for (std::size_t role = 0; role < needs.size(); ++role) {
        const Arrangement arrange = counts[role] > 1 ? needs[role].hosts.arrange : Arrangement::Any;
        spreads = spreads || arrange == Arrangement::Spread;
        prefers = prefers || spreads || arrange == Arrangement::Pack;
    }
    const auto place = [&](const Asked &asked) {
        std::optional<Shares> shares;
        if (!asked.preferences || !spreads) {
            shares = placeOnOneHost(asked, rooms, roles);
        }
        return shares ? shares : placeOnSeveral(asked, rooms, roles);
    };
    std::optional<Shares> shares;
    if (prefers) {
        shares = place({needs, counts, true});
    }
    return shares ? shares : place({needs, counts, false});
}

// How much a task of the role would like the host, by those of its role that are there; smaller is better. Nothing when
// it must not go there.
static std::optional<int> rankByOthers(const HostRule &rule, const QString &host, const TasksOnHosts &others)
{
    const int here = others.value(host);
    switch (rule.arrange) {
    case Arrangement::SameHost:
        return others.isEmpty() || here > 0 ? std::optional(0) : std::nullopt;
    case Arrangement::DifferentHosts:
        return here == 0 ? std::optional(0) : std::nullopt;
    case Arrangement::Pack:
        return -here;
    case Arrangement::Spread:
        return here;
    case Arrangement::Any:
        break;
    }
    return 0;
}

bool mayJoin(const HostRule &rule, const QString &host, const TasksOnHosts &others)
{
    return rankByOthers(rule, host, others).has_value();
}

std::optional<std::size_t> placeOne(
    const Needs &needs, const FreeCapacities &rooms, const QString &preferHost, const TasksOnHosts &others)
{
    std::optional<std::size_t> best;
    const auto rank = [&](const FreeCapacity &room) {
        return std::make_tuple(room.host != preferHost, rankByOthers(needs.hosts, room.host, others).value_or(0),
            room.wholeTaken(needs), needs.gpu > 0 ? room.gpu : 0, (room.cpuUsed + needs.cpu) / room.cpus);
    };
    for (std::size_t i = 0; i < rooms.size(); ++i) {
        if (rooms[i].fits(needs, 1) > 0 && rankByOthers(needs.hosts, rooms[i].host, others)
            && (!best || rank(rooms[i]) < rank(rooms[*best]))) {
            best = i;
        }
    }
    return best;
}

} // namespace trainyard::core
