// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/backfill.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

namespace trainyard::core
{
namespace
{

// Sums of what may end together. When there are too many, nothing is known.
class Releases
{
public:
    explicit Releases(const std::vector<qint64> &amounts)
    {
        constexpr std::size_t mostAmounts = 100;
        constexpr std::size_t mostSums = 1000;
        for (std::size_t i = 0; i < amounts.size() && m_isKnown; ++i) {
            std::vector<qint64> more;
            std::transform(
                m_sums.cbegin(), m_sums.cend(), std::back_inserter(more), [&](qint64 sum) { return sum + amounts[i]; });
            std::vector<qint64> all;
            std::set_union(m_sums.cbegin(), m_sums.cend(), more.cbegin(), more.cend(), std::back_inserter(all));
            m_sums = std::move(all);
            m_isKnown = amounts.size() <= mostAmounts && m_sums.size() <= mostSums;
        }
    }
    // The least that is released when it is as much as that.
    qint64 least(qint64 wanted) const
    {
        const auto sum = std::lower_bound(m_sums.cbegin(), m_sums.cend(), wanted);
        return wanted <= 0 || !m_isKnown || sum == m_sums.cend() ? 0 : *sum;
    }

private:
    std::vector<qint64> m_sums{0};
    bool m_isKnown = true;
};

// The sum of the needs of a number of the head's tasks.
struct Amount {
    qint64 gpu = 0;
    qint64 memoryMiB = 0;
};

struct Amounts {
    std::vector<Amount> all{Amount()};
    bool isCoarse = false; // less memory than this may be asked for as well
};

// The most that the head may request from a host: all of a gang at once if only this host is of use to it, otherwise
// any part. If there are several kinds of tasks, this takes for each number of GPUs the most memory.
Amounts amountsOf(const Head &head, const std::vector<int> &most, const FreeCapacity &room, bool isAllAtOnce)
{
    constexpr int mostSteps = 1000;
    Amounts amounts;
    int tasks = 0;
    for (const int count : most) {
        amounts.isCoarse = amounts.isCoarse || (count > 0 && tasks > 0) || count > mostSteps;
        tasks += count > 0 ? count : 0;
    }
    amounts.isCoarse = amounts.isCoarse && !isAllAtOnce;
    for (std::size_t role = 0; role < most.size(); ++role) {
        const Needs &needs = head.needs[role];
        const int gpu = room.shares(needs) ? 0 : needs.gpu;
        if (isAllAtOnce || (amounts.isCoarse && gpu == 0)) {
            for (Amount &amount : amounts.all) {
                amount.gpu += qint64(gpu) * most[role];
                amount.memoryMiB += needs.memoryMiB * most[role];
            }
            continue;
        }
        if (!amounts.isCoarse) {
            for (int i = 1; i <= most[role]; ++i) {
                amounts.all.push_back({qint64(gpu) * i, needs.memoryMiB * i});
            }
            continue;
        }
        for (int i = 0; i < most[role]; ++i) {
            // One more of them with each of what there was.
            const std::vector<Amount> before = amounts.all;
            for (const Amount &amount : before) {
                const Amount more{amount.gpu + gpu, amount.memoryMiB + needs.memoryMiB};
                if (more.gpu > room.totalGpu) {
                    continue;
                }
                const auto same = std::find_if(
                    amounts.all.begin(), amounts.all.end(), [&](const Amount &other) { return other.gpu == more.gpu; });
                if (same == amounts.all.end()) {
                    amounts.all.push_back(more);
                } else {
                    same->memoryMiB = std::max(same->memoryMiB, more.memoryMiB);
                }
            }
        }
    }
    return amounts;
}

// The memory that is released at least with so many GPUs, by their number.
std::vector<qint64> memoryWithGpus(const InUse &inUse, int gpus)
{
    constexpr qint64 never = std::numeric_limits<qint64>::max() / 2;
    std::vector<qint64> least(std::size_t(gpus) + 1, never);
    least.front() = 0;
    qint64 sum = 0;
    for (const InUse::Task &task : inUse.tasks) {
        sum += task.memoryMiB;
        for (qsizetype gpu = gpus; !task.gpus.isEmpty() && gpu > 0; --gpu) {
            const qint64 before = least[std::size_t(std::max<qsizetype>(0, gpu - task.gpus.size()))];
            least[std::size_t(gpu)] = std::min(least[std::size_t(gpu)], before + task.memoryMiB);
        }
    }
    for (qint64 &memory : least) {
        memory = std::min(memory, sum);
    }
    return least;
}

qint64 keptMemory(const Amounts &amounts, const FreeCapacity &room, const InUse &inUse)
{
    std::vector<qint64> held;
    for (const InUse::Task &task : inUse.tasks) {
        if (task.memoryMiB > 0 && !amounts.isCoarse) {
            held.push_back(task.memoryMiB);
        }
    }
    const Releases releases(held);
    const std::vector<qint64> withGpus = memoryWithGpus(inUse, room.totalGpu);
    qint64 kept = 0;
    for (const Amount &amount : amounts.all) {
        const qint64 lacking = std::clamp<qint64>(amount.gpu - inUse.otherGpus, 0, room.totalGpu);
        const qint64 released
            = std::max(withGpus[std::size_t(lacking)], releases.least(amount.memoryMiB - room.memoryMiB));
        kept = std::max(kept, amount.memoryMiB - released);
    }
    return std::min(kept, room.totalMemoryMiB);
}

qint64 keptGpus(const Amounts &amounts, const FreeCapacity &room, const InUse &inUse)
{
    std::vector<qint64> held(std::size_t(std::max(0, inUse.otherGpus - room.gpu)), 1);
    std::set<int> shared;
    for (const InUse::Task &task : inUse.tasks) {
        if (task.gpuShareMiB > 0) {
            shared.insert(task.gpus.cbegin(), task.gpus.cend()); // free when the last one leaves it
        } else if (!task.gpus.isEmpty()) {
            held.push_back(task.gpus.size());
        }
    }
    held.insert(held.end(), shared.size(), 1);
    const Releases releases(held);
    qint64 kept = 0;
    for (const Amount &amount : amounts.all) {
        kept = std::max(kept, amount.gpu - releases.least(amount.gpu - room.gpu));
    }
    return kept;
}

// The memory kept on a GPU that up to `count` of the head's tasks would share.
qint64 keptOn(const GpuRoom &gpu, int count, qint64 each, const InUse *inUse)
{
    std::vector<qint64> held;
    for (std::size_t i = 0; inUse && i < inUse->tasks.size(); ++i) {
        const InUse::Task &task = inUse->tasks[i];
        if (task.gpuShareMiB > 0 && task.gpus.contains(gpu.index)) {
            held.push_back(task.gpuShareMiB);
        }
    }
    const Releases releases(held);
    qint64 kept = 0;
    for (qint64 tasks = std::min<qint64>(count, gpu.totalMiB / each); tasks > 0; --tasks) {
        kept = std::max(kept, tasks * each - releases.least(tasks * each - gpu.freeMiB));
    }
    return kept;
}

// As many tasks of each role as the room could have, were nothing else in it.
std::vector<int> mostIn(const FreeCapacity &room, const Head &head)
{
    std::vector<int> most;
    for (std::size_t role = 0; role < head.needs.size(); ++role) {
        const Needs &needs = head.needs[role];
        const int gpus = room.totalFor(needs);
        const bool joins = role >= head.others.size() || mayJoin(needs.hosts, room.host, head.others[role]);
        int count = needs.gpu > gpus || !room.admits(needs) || !joins ? 0 : head.counts[role];
        if (needs.gpu > 0 && !room.shares(needs)) {
            count = std::min(count, gpus / needs.gpu);
        }
        if (needs.memoryMiB > 0 && room.memoryKnown) {
            count = int(std::min<qint64>(count, room.totalMemoryMiB / needs.memoryMiB));
        }
        const bool isAlone = !fixedPorts(needs).isEmpty() || needs.hosts.arrange == Arrangement::DifferentHosts;
        count = isAlone ? std::min(count, 1) : count;
        // All of them here, or none.
        const bool isCut = head.gang && needs.hosts.arrange == Arrangement::SameHost && count < head.counts[role];
        most.push_back(isCut ? 0 : count);
    }
    return most;
}

// Any GPU of the room will do, and all of it: then only their number counts, and which ones it gets is left open.
bool isPlain(const Head &head, const std::vector<int> &most, const FreeCapacity &room)
{
    for (std::size_t role = 0; role < most.size(); ++role) {
        const Needs &needs = head.needs[role];
        const bool isAny = needs.gpuMemoryMiB <= 0 && room.totalFor(needs) == room.totalGpu;
        if (most[role] > 0 && needs.gpu > 0 && !isAny) {
            return false; // what ends may hold GPUs that are of no use to it
        }
    }
    return true;
}

// The free GPUs are enough: they are reserved for the head, which waits for something else.
bool takeGpus(const Head &head, const std::vector<int> &most, FreeCapacity &room)
{
    FreeCapacity trial = room;
    trial.memoryKnown = false;
    for (const std::size_t role : largestFirst(head.needs)) {
        Needs gpus;
        gpus.gpu = head.needs[role].gpu;
        gpus.gpuMemoryMiB = head.needs[role].gpuMemoryMiB;
        gpus.gpuType = head.needs[role].gpuType;
        if (most[role] == 0 || gpus.gpu == 0) {
            continue;
        }
        if (trial.fits(gpus, most[role]) < most[role]) {
            return false;
        }
        trial.take(gpus, most[role]);
    }
    room.gpus = std::move(trial.gpus);
    room.gpu = trial.gpu;
    return true;
}

// The head waits for GPUs here: no other job gets one that it could use and that may become its own.
void keepGpus(const Head &head, const std::vector<int> &most, FreeCapacity &room, const InUse &inUse)
{
    const auto isSharing = [&](std::size_t role) { return most[role] > 0 && room.shares(head.needs[role]); };
    int sharing = 0;
    for (std::size_t role = 0; role < most.size(); ++role) {
        sharing += isSharing(role) ? 1 : 0;
    }
    qint64 gpu = 0;
    qint64 whole = 0;
    for (std::size_t role = 0; role < most.size(); ++role) {
        const Needs &needs = head.needs[role];
        if (most[role] == 0 || needs.gpu == 0) {
            continue;
        }
        const auto isIts = [&needs](const GpuRoom &one) { return suits(one, needs); };
        const bool isRare = !std::all_of(room.gpus.cbegin(), room.gpus.cend(), isIts);
        if (isSharing(role)) {
            for (GpuRoom &one : room.gpus) {
                if (isIts(one)) {
                    one.keptMiB += keptOn(one, most[role], needs.gpuMemoryMiB, sharing == 1 ? &inUse : nullptr);
                    room.gpu -= isRare && one.whole ? 1 : 0;
                    one.whole = one.whole && !isRare; // for tasks that do not need all of it
                }
            }
            gpu += isRare ? 0 : qint64(std::min(most[role], room.totalGpu)) * needs.gpu;
        } else if (isRare) {
            std::erase_if(room.gpus, [&](const GpuRoom &one) {
                room.gpu -= isIts(one) && one.whole ? 1 : 0;
                return isIts(one);
            });
        } else {
            gpu += qint64(most[role]) * needs.gpu;
            whole += qint64(most[role]) * needs.gpu;
        }
    }
    room.keptGpu = int(std::min<qint64>(gpu, room.totalGpu));
    room.keptWhole = int(std::min<qint64>(whole, room.totalGpu));
}

} // namespace

void keepForHead(const Head &head, FreeCapacities &rooms, const std::map<QString, InUse> &inUse)
{
    std::vector<std::pair<FreeCapacity *, std::vector<int>>> useful; // with what the head could have of each
    for (FreeCapacity &room : rooms) {
        if (std::vector<int> most = head.mayUse(room) ? mostIn(room, head) : std::vector<int>();
            std::any_of(most.cbegin(), most.cend(), [](int count) { return count > 0; })) {
            useful.emplace_back(&room, std::move(most));
        }
    }
    const bool isAllAtOnce = head.gang && useful.size() == 1;
    for (const auto &[at, most] : useful) {
        FreeCapacity &room = *at;
        for (std::size_t role = 0; role < most.size(); ++role) {
            if (const QList<int> ports = fixedPorts(head.needs[role]); most[role] > 0) {
                room.takenPorts.unite(QSet<int>(ports.cbegin(), ports.cend()));
            }
        }
        const auto used = inUse.find(room.host);
        const InUse here = used == inUse.cend() ? InUse() : used->second;
        const Amounts amounts = amountsOf(head, most, room, isAllAtOnce);
        room.keptMemoryMiB = keptMemory(amounts, room, here);
        if (isPlain(head, most, room)) {
            room.keptGpu = int(std::min<qint64>(keptGpus(amounts, room, here), room.totalGpu));
            // A task that shares a GPU in use could keep it from becoming whole.
            for (const Amount &amount : amounts.all) {
                room.keptWhole = std::max(room.keptWhole, int(std::min<qint64>(amount.gpu, room.totalGpu)));
            }
        } else if (!takeGpus(head, most, room)) {
            keepGpus(head, most, room, here);
        }
    }
}

} // namespace trainyard::core
