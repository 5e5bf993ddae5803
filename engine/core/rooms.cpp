// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/rooms.h"

#include "model/protocol/gpunames.h"

#include <algorithm>
#include <iterator>
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
std::vector<Slot> slotsOf(const FreeCapacity &room, const Needs &needs)
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
QList<int> pickWhole(const FreeCapacity &room, const Needs &needs)
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

bool FreeCapacity::admits(const Needs &needs) const
{
    const HostRule &rule = needs.hosts;
    return (rule.names.isEmpty() || rule.names.contains(host))
        && std::all_of(
            rule.labels.cbegin(), rule.labels.cend(), [this](const QString &label) { return labels.contains(label); });
}

int FreeCapacity::fits(const Needs &needs, int most) const
{
    if (!admits(needs)) {
        return 0;
    }
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

std::vector<QList<int>> FreeCapacity::take(const Needs &needs, int count)
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
            // Hosts with the most room come first, because the last tasks would otherwise find too few different hosts.
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

int FreeCapacity::totalOfType(const QString &type) const
{
    return type.isEmpty() ? totalGpu : countOfType(gpuNames, type);
}

int FreeCapacity::totalFor(const Needs &needs) const
{
    return needs.gpu > 1 && hasInstances() ? countOfType(wholeNames, needs.gpuType) : totalOfType(needs.gpuType);
}

int FreeCapacity::wholeTaken(const Needs &needs) const
{
    if (!shares(needs)) {
        return needs.gpu;
    }
    const std::vector<Slot> slots = slotsOf(*this, needs);
    return int(std::count_if(slots.cbegin(), slots.cbegin() + std::min<std::ptrdiff_t>(needs.gpu, std::ssize(slots)),
        [this](const Slot &slot) { return gpus[slot.at].whole; }));
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
