// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/rooms.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace trainyard::core
{

int Room::fits(const Needs &needs, int most) const
{
    qint64 count = most;
    if (needs.gpu > 0) {
        count = std::min<qint64>(count, std::max(0, gpu - keptGpu) / needs.gpu);
    }
    if (needs.memoryMiB > 0 && memoryKnown) {
        count = std::min<qint64>(count, std::max<qint64>(0, memoryMiB - keptMemoryMiB) / needs.memoryMiB);
    }
    return int(count);
}

void Room::take(const Needs &needs, int count)
{
    gpu -= needs.gpu * count;
    memoryMiB -= needs.memoryMiB * count;
    cpuUsed += double(needs.cpu) * count;
}

namespace
{

using Order = std::vector<std::size_t>;

// Large tasks first: what is left is easier to fill with small ones.
Order largestFirst(const std::vector<Needs> &needs)
{
    Order order(needs.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tie(needs[a].gpu, needs[a].memoryMiB) > std::tie(needs[b].gpu, needs[b].memoryMiB);
    });
    return order;
}

std::optional<Shares> fill(const std::vector<Needs> &needs, const std::vector<int> &counts, Rooms &rooms,
    const Order &roleOrder, const Order &roomOrder)
{
    Rooms trial = rooms;
    Shares shares(needs.size());
    for (std::size_t role : roleOrder) {
        int left = counts[role];
        for (std::size_t room : roomOrder) {
            const int count = left > 0 ? trial[room].fits(needs[role], left) : 0;
            if (count > 0) {
                trial[room].take(needs[role], count);
                shares[role].push_back({room, count});
                left -= count;
            }
        }
        if (left > 0) {
            return std::nullopt;
        }
    }
    rooms = std::move(trial);
    return shares;
}

} // namespace

std::optional<Shares> placeTogether(const std::vector<Needs> &needs, const std::vector<int> &counts, Rooms &rooms)
{
    const Order roles = largestFirst(needs);
    Needs all;
    all.cpu = 0;
    for (std::size_t role = 0; role < needs.size(); ++role) {
        all.gpu += needs[role].gpu * counts[role];
        all.cpu += needs[role].cpu * counts[role];
        all.memoryMiB += needs[role].memoryMiB * counts[role];
    }
    // One host: of those with room the one with the fewest GPUs left over, then with the least load.
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < rooms.size(); ++i) {
        if (rooms[i].fits(all, 1) < 1) {
            continue;
        }
        const auto rank = [&](const Room &room) {
            return std::make_tuple(all.gpu > 0 ? room.gpu : 0, (room.cpuUsed + all.cpu) / room.cpus);
        };
        if (!best || rank(rooms[i]) < rank(rooms[*best])) {
            best = i;
        }
    }
    if (best) {
        return fill(needs, counts, rooms, roles, {*best});
    }
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
        if (std::optional<Shares> shares = fill(needs, counts, rooms, roles, order)) {
            return shares;
        }
    }
    return std::nullopt;
}

std::optional<std::size_t> placeOne(const Needs &needs, const Rooms &rooms, const QString &preferHost)
{
    std::optional<std::size_t> best;
    const auto rank = [&](const Room &room) {
        return std::make_tuple(
            room.host != preferHost, needs.gpu > 0 ? room.gpu : 0, (room.cpuUsed + needs.cpu) / room.cpus);
    };
    for (std::size_t i = 0; i < rooms.size(); ++i) {
        if (rooms[i].fits(needs, 1) > 0 && (!best || rank(rooms[i]) < rank(rooms[*best]))) {
            best = i;
        }
    }
    return best;
}

void keepForHead(const std::vector<Needs> &needs, const std::vector<int> &counts, Rooms &rooms,
    const std::function<bool(const Room &)> &mayUse)
{
    for (Room &room : rooms) {
        if (!mayUse(room)) {
            continue;
        }
        qint64 gpu = 0;
        qint64 memory = 0;
        for (std::size_t role = 0; role < needs.size(); ++role) {
            qint64 count = counts[role];
            if (needs[role].gpu > 0) {
                count = std::min<qint64>(count, room.totalGpu / needs[role].gpu);
            }
            if (needs[role].memoryMiB > 0 && room.memoryKnown) {
                count = std::min<qint64>(count, room.totalMemoryMiB / needs[role].memoryMiB);
            }
            gpu += count * needs[role].gpu;
            memory += count * needs[role].memoryMiB;
        }
        room.keptGpu = int(std::min<qint64>(gpu, room.totalGpu));
        room.keptMemoryMiB = std::min(memory, room.totalMemoryMiB);
    }
}

QList<int> pickGpus(const QList<int> &freeIndexes, int count)
{
    if (count <= 0) {
        return {};
    }
    qsizetype bestBegin = -1;
    qsizetype bestLength = 0;
    for (qsizetype begin = 0; begin < freeIndexes.size();) {
        qsizetype end = begin + 1;
        while (end < freeIndexes.size() && freeIndexes[end] == freeIndexes[end - 1] + 1) {
            ++end;
        }
        const qsizetype length = end - begin;
        if (length >= count && (bestBegin < 0 || length < bestLength)) {
            bestBegin = begin;
            bestLength = length;
        }
        begin = end;
    }
    return freeIndexes.mid(std::max<qsizetype>(0, bestBegin), count);
}

} // namespace trainyard::core
