// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/rooms.h"

#include "model/protocol/gpunames.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace trainyard::core
{

namespace
{

bool hasMemory(const GpuRoom &gpu, qint64 wantedMiB)
{
    return wantedMiB <= 0 || gpu.totalMiB <= 0 || gpu.totalMiB >= wantedMiB;
}

bool isOfType(const GpuRoom &gpu, const Needs &needs)
{
    return needs.gpuType.isEmpty() || isGpuOfType(gpu.name, needs.gpuType);
}

// A process sees one instance of MIG and nothing beside it: several GPUs for one task are whole ones.
bool isOfUse(const GpuRoom &gpu, const Needs &needs)
{
    return isOfType(gpu, needs) && (!gpu.instance || needs.gpu <= 1);
}

// How many tasks with so much memory this GPU still takes.
int slotsOn(const GpuRoom &gpu, qint64 wantedMiB)
{
    if (gpu.totalMiB <= 0) {
        return gpu.whole ? 1 : 0; // what would be left for a second one is not known
    }
    return int(std::min<qint64>(std::max<qint64>(0, gpu.freeMiB - gpu.keptMiB) / wantedMiB, INT_MAX));
}

struct Slot {
    std::size_t at = 0; // of Room::gpus
    int count = 0;
};

// Where tasks that share may go: GPUs that others share already first, the fullest of them before the rest, and of the
// whole ones what is not kept.
std::vector<Slot> slotsOf(const Room &room, const Needs &needs)
{
    std::vector<Slot> shared, whole;
    if (room.gpu < room.keptWhole) {
        return shared; // one that is shared now may be the next that becomes whole
    }
    for (std::size_t i = 0; i < room.gpus.size(); ++i) {
        if (const int count = slotsOn(room.gpus[i], needs.gpuMemoryMiB); count > 0 && isOfUse(room.gpus[i], needs)) {
            (room.gpus[i].whole ? whole : shared).push_back({i, count});
        }
    }
    const auto &gpus = room.gpus;
    std::stable_sort(shared.begin(), shared.end(),
        [&](const Slot &a, const Slot &b) { return gpus[a.at].freeMiB < gpus[b.at].freeMiB; });
    std::stable_sort(whole.begin(), whole.end(), [&](const Slot &a, const Slot &b) {
        return std::tie(gpus[a.at].rank, gpus[a.at].totalMiB) < std::tie(gpus[b.at].rank, gpus[b.at].totalMiB);
    });
    whole.resize(std::min(whole.size(), std::size_t(room.gpu - room.keptWhole)));
    shared.insert(shared.end(), whole.cbegin(), whole.cend());
    return shared;
}

// Tasks that need `each` different GPUs.
qint64 tasksIn(const std::vector<Slot> &slots, int each, qint64 most)
{
    qint64 low = 0;
    qint64 high = most;
    while (low < high) {
        const qint64 tasks = low + (high - low + 1) / 2;
        qint64 sum = 0;
        for (const Slot &slot : slots) {
            sum += std::min<qint64>(slot.count, tasks);
        }
        if (sum >= tasks * each) {
            low = tasks;
        } else {
            high = tasks - 1;
        }
    }
    return low;
}

// Preferred ones first; without any, neighbours.
QList<int> pickWhole(const Room &room, const Needs &needs)
{
    std::vector<std::pair<int, int>> ranked;
    QList<int> indexes;
    for (const GpuRoom &gpu : room.gpus) {
        if (gpu.whole && suits(gpu, needs)) {
            ranked.emplace_back(gpu.rank, gpu.index);
            indexes.append(gpu.index);
        }
    }
    std::sort(ranked.begin(), ranked.end());
    if (ranked.empty() || ranked.front().first == INT_MAX) {
        return pickGpus(indexes, needs.gpu);
    }
    indexes.clear();
    for (std::size_t i = 0; i < ranked.size() && int(i) < needs.gpu; ++i) {
        indexes.append(ranked[i].second);
    }
    std::sort(indexes.begin(), indexes.end());
    return indexes;
}

} // namespace

bool suits(const GpuRoom &gpu, const Needs &needs) { return hasMemory(gpu, needs.gpuMemoryMiB) && isOfUse(gpu, needs); }

int Room::fits(const Needs &needs, int most) const
{
    qint64 count = most;
    if (shares(needs)) {
        count = tasksIn(slotsOf(*this, needs), needs.gpu, count);
    } else if (needs.gpu > 0) {
        qint64 suiting = gpu;
        if (needs.gpuMemoryMiB > 0 || !needs.gpuType.isEmpty() || (needs.gpu > 1 && hasInstances())) {
            suiting = std::count_if(
                gpus.cbegin(), gpus.cend(), [&](const GpuRoom &one) { return one.whole && suits(one, needs); });
        }
        count = std::min<qint64>(count, std::max<qint64>(0, std::min<qint64>(suiting, gpu - keptGpu)) / needs.gpu);
    }
    if (needs.memoryMiB > 0 && memoryKnown) {
        count = std::min<qint64>(count, std::max<qint64>(0, memoryMiB - keptMemoryMiB) / needs.memoryMiB);
    }
    if (const QList<int> ports = fixedPorts(needs); !ports.isEmpty()) {
        const bool anyTaken
            = std::any_of(ports.cbegin(), ports.cend(), [this](int port) { return takenPorts.contains(port); });
        count = std::min<qint64>(count, anyTaken ? 0 : 1); // a second one would want the same
    }
    return int(count);
}

std::vector<QList<int>> Room::take(const Needs &needs, int count)
{
    memoryMiB -= needs.memoryMiB * count;
    cpuUsed += double(needs.cpu) * count;
    for (const int port : fixedPorts(needs)) {
        takenPorts.insert(port);
    }
    std::vector<QList<int>> taken;
    if (needs.gpu <= 0) {
        return taken;
    }
    for (int i = 0; i < count; ++i) {
        QList<int> indexes;
        if (!shares(needs)) {
            indexes = pickWhole(*this, needs);
            for (GpuRoom &one : gpus) {
                if (indexes.contains(one.index)) {
                    one.whole = false;
                    one.freeMiB = 0;
                }
            }
            gpu -= int(indexes.size());
            taken.push_back(std::move(indexes));
            continue;
        }
        std::vector<Slot> slots = slotsOf(*this, needs);
        if (needs.gpu > 1 && i + 1 < count) {
            // Those with the most room first, or the last tasks would find too few different ones.
            std::stable_sort(
                slots.begin(), slots.end(), [](const Slot &a, const Slot &b) { return a.count > b.count; });
        }
        for (std::size_t at = 0; at < slots.size() && int(at) < needs.gpu; ++at) {
            GpuRoom &one = gpus[slots[at].at];
            gpu -= one.whole ? 1 : 0;
            one.whole = false;
            one.freeMiB -= needs.gpuMemoryMiB;
            indexes.append(one.index);
        }
        std::sort(indexes.begin(), indexes.end());
        taken.push_back(std::move(indexes));
    }
    return taken;
}

static int countOfType(const QStringList &names, const QString &type)
{
    return type.isEmpty() ? int(names.size())
                          : int(std::count_if(names.cbegin(), names.cend(),
                              [&type](const QString &name) { return isGpuOfType(name, type); }));
}

int Room::totalOfType(const QString &type) const { return type.isEmpty() ? totalGpu : countOfType(gpuNames, type); }

int Room::totalFor(const Needs &needs) const
{
    return needs.gpu > 1 && hasInstances() ? countOfType(wholeNames, needs.gpuType) : totalOfType(needs.gpuType);
}

int Room::wholeTaken(const Needs &needs) const
{
    if (!shares(needs)) {
        return needs.gpu;
    }
    const std::vector<Slot> slots = slotsOf(*this, needs);
    return int(std::count_if(slots.cbegin(), slots.cbegin() + std::min<std::ptrdiff_t>(needs.gpu, std::ssize(slots)),
        [this](const Slot &slot) { return gpus[slot.at].whole; }));
}

std::vector<std::size_t> largestFirst(const std::vector<Needs> &needs)
{
    std::vector<std::size_t> order(needs.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        // Tasks that ask for a type come first, and tasks that want a GPU for themselves before those that share.
        const auto rank = [](const Needs &of) {
            return std::make_tuple(
                !of.gpuType.isEmpty(), of.gpu > 0 && of.gpuMemoryMiB == 0, of.gpu, of.gpuMemoryMiB, of.memoryMiB);
        };
        return rank(needs[a]) > rank(needs[b]);
    });
    return order;
}

namespace
{

using Order = std::vector<std::size_t>;

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
                shares[role].push_back({room, count, trial[room].take(needs[role], count)});
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
    // What is asked for as if it were one task; what shares GPUs, asks for a type or fixes ports has to be tried.
    Needs all;
    all.cpu = 0;
    bool mustTry = false;
    const bool anyInstance
        = std::any_of(rooms.cbegin(), rooms.cend(), [](const Room &room) { return room.hasInstances(); });
    for (std::size_t role = 0; role < needs.size(); ++role) {
        all.cpu += needs[role].cpu * counts[role];
        all.memoryMiB += needs[role].memoryMiB * counts[role];
        const bool anyGpu = needs[role].gpuMemoryMiB <= 0 && needs[role].gpuType.isEmpty() && !anyInstance;
        const bool simple = anyGpu || needs[role].gpu <= 0 || counts[role] == 0;
        all.gpu += simple ? needs[role].gpu * counts[role] : 0;
        mustTry = mustTry || !simple || (counts[role] > 0 && !needs[role].firstPorts.isEmpty());
    }
    // One host: of those with room the one with the fewest GPUs left over, then with the least load.
    std::optional<std::size_t> best;
    std::tuple<int, int, double> bestRank;
    for (std::size_t i = 0; i < rooms.size(); ++i) {
        if (rooms[i].fits(all, 1) < 1) {
            continue;
        }
        int whole = all.gpu;
        if (mustTry) {
            Rooms alone{rooms[i]};
            if (!fill(needs, counts, alone, roles, {0})) {
                continue;
            }
            whole = rooms[i].gpu - alone.front().gpu;
        }
        const auto rank = std::make_tuple(
            whole, all.gpu > 0 || mustTry ? rooms[i].gpu : 0, (rooms[i].cpuUsed + all.cpu) / rooms[i].cpus);
        if (!best || rank < bestRank) {
            best = i;
            bestRank = rank;
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
        return std::make_tuple(room.host != preferHost, room.wholeTaken(needs), needs.gpu > 0 ? room.gpu : 0,
            (room.cpuUsed + needs.cpu) / room.cpus);
    };
    for (std::size_t i = 0; i < rooms.size(); ++i) {
        if (rooms[i].fits(needs, 1) > 0 && (!best || rank(rooms[i]) < rank(rooms[*best]))) {
            best = i;
        }
    }
    return best;
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
