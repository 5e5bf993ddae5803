// SPDX-License-Identifier: GPL-3.0-or-later
// Finds what has to happen so that a waiting job can start.
#include "engine/core/schedulerdata.h"

#include <algorithm>
#include <functional>
#include <set>

using namespace Qt::StringLiterals;

namespace trainyard::core
{
namespace
{

constexpr std::size_t mostHolders = 40;
constexpr qsizetype mostTasks = 256; // it is worked out again in every tick
constexpr int mostTrials = 60; // of sets of several; with more the first set that does is taken
constexpr int mostRounds = 40; // of the whole queue, for one job

// Takes the next larger combination of `size` positions below `count`; false after the last.
bool nextCombination(std::vector<std::size_t> &positions, std::size_t count)
{
    for (std::size_t i = positions.size(); i-- > 0;) {
        if (positions[i] + (positions.size() - i) < count) {
            ++positions[i];
            for (std::size_t j = i + 1; j < positions.size(); ++j) {
                positions[j] = positions[j - 1] + 1;
            }
            return true;
        }
    }
    return false;
}

} // namespace

// Conditions that cannot be influenced from here.
struct Scheduler::Private::Outside {
    bool foreign = false; // other programs leave the GPUs
    bool held = false; // tasks of other engines end
    bool hours = false; // GPUs are for jobs again
    std::set<std::pair<QString, int>> lost; // GPUs that their drivers list again

    static constexpr int kinds = 4;
    bool includes(const Outside &other) const
    {
        return (foreign || !other.foreign) && (held || !other.held) && (hours || !other.hours)
            && (!lost.empty() || other.lost.empty());
    }
    // Only these kinds, given as bits.
    Outside only(unsigned bits) const
    {
        return {foreign && (bits & 1), held && (bits & 2), hours && (bits & 4),
            bits & 8 ? lost : std::set<std::pair<QString, int>>()};
    }
    int size() const { return int(foreign) + int(held) + int(hours) + int(!lost.empty()); }

    void happen(HostData &host) const
    {
        for (GpuSlot &slot : host.capacity.gpus) {
            slot.foreign = slot.foreign && !foreign;
            slot.held = slot.held && !held;
            slot.othersMiB = held ? 0 : slot.othersMiB;
            if (hours) {
                slot.keptUntil.clear();
            }
            slot.lost = slot.lost && !lost.contains({host.capacity.id, slot.index});
        }
    }
};

// Finds out what would happen if some jobs were over.
class Scheduler::Private::UnblockAnalysis
{
public:
    UnblockAnalysis(const Private &now, const Waiter &waiter, CapacityFilter look)
        : m_now(now), m_waiter(waiter), m_look(look)
    {
        for (auto it = now.queue.begin(); it != now.queue.end() && it->second != waiter.asked.job; ++it) {
            if (!now.blockedJobs.contains(it->second)) { // no job waits for those
                m_inOrder.push_back(it->first.jobId);
                m_ahead.insert(it->first.jobId);
            }
        }
    }
    const std::vector<qint64> &ahead() const { return m_inOrder; } // the first in the queue first

    bool starts(const std::set<qint64> &over, const Outside &outside)
    {
        Private trial;
        trial.hosts = m_now.hosts;
        trial.apart = m_now.apart;
        for (auto it = m_now.reservations.cbegin(); it != m_now.reservations.cend(); ++it) {
            if (over.contains(it->jobId)) {
                giveBack(trial.hosts[it->host], *it);
            } else if (it->job == m_waiter.asked.job) {
                keep(trial, it.key(), *it); // where its other tasks are may matter
            }
        }
        for (auto &[id, host] : trial.hosts) {
            outside.happen(host);
        }
        if (!trial.fitsNow(m_waiter, trial.freeRooms(m_waiter.asked.where, m_look))) {
            return false;
        }
        const bool isFirst = std::includes(over.cbegin(), over.cend(), m_ahead.cbegin(), m_ahead.cend());
        return isFirst || (m_rounds++ < mostRounds && startsInTurn(std::move(trial), over));
    }

private:
    // The present resources of the hosts are part of the trial already.
    static void keep(Private &trial, const QUuid &tryUuid, const Reservation &reservation)
    {
        if (trial.reservations.contains(tryUuid)) {
            return;
        }
        trial.reservations.insert(tryUuid, reservation);
        ++trial.held[reservation.job];
        if (!reservation.group.isEmpty()) {
            trial.active[reservation.group].insert(reservation.job);
        }
    }

    // Jobs ahead of it get resources first.
    bool startsInTurn(Private trial, const std::set<qint64> &over) const
    {
        trial.blockedJobs = m_now.blockedJobs;
        for (auto it = m_now.reservations.cbegin(); it != m_now.reservations.cend(); ++it) {
            if (!over.contains(it->jobId)) {
                keep(trial, it.key(), *it);
            }
        }
        for (const auto &[key, job] : m_now.queue) {
            if (!over.contains(key.jobId) || job == m_waiter.asked.job) {
                trial.waiters.insert(job, m_now.waiters.value(job));
                trial.setKey(job, key);
            }
            if (job == m_waiter.asked.job) {
                break;
            }
        }
        Scheduler scheduler;
        *scheduler.d = std::move(trial);
        const std::vector<JobGrants> grants = scheduler.schedule();
        return std::any_of(
            grants.cbegin(), grants.cend(), [this](const JobGrants &each) { return each.job == m_waiter.asked.job; });
    }

    const Private &m_now;
    const Waiter &m_waiter;
    CapacityFilter m_look;
    std::vector<qint64> m_inOrder;
    std::set<qint64> m_ahead;
    int m_rounds = 0;
};

// A smallest set of jobs that have to end, or (any) all jobs of which each alone is enough. Of several such sets, it is
// the one with the first of `holders`. Nothing if there is none, or if there are too many.
static std::optional<reason::Way> enoughJobs(
    const std::vector<qint64> &holders, const std::function<bool(const std::set<qint64> &)> &starts)
{
    const std::set<qint64> found(holders.cbegin(), holders.cend());
    if (found.empty() || !starts(found)) {
        return std::nullopt;
    }
    const auto answer = [](const auto &jobs, bool any) {
        reason::Way way;
        way.ends = QList<qint64>(jobs.begin(), jobs.end());
        way.any = any;
        return way;
    };
    std::vector<qint64> enough;
    for (const qint64 job : holders) {
        if (starts({job})) {
            enough.push_back(job);
        }
    }
    if (!enough.empty()) {
        return answer(enough, enough.size() > 1);
    }
    int trials = 0;
    for (std::size_t size = 2; size < holders.size() && trials < mostTrials; ++size) {
        std::vector<std::size_t> positions(size);
        for (std::size_t i = 0; i < size; ++i) {
            positions[i] = i;
        }
        do {
            std::set<qint64> jobs;
            for (const std::size_t at : positions) {
                jobs.insert(holders[at]);
            }
            if (starts(jobs)) {
                return answer(jobs, false);
            }
        } while (++trials < mostTrials && nextCombination(positions, holders.size()));
    }
    // The same without jobs that are not needed.
    std::set<qint64> left = found;
    for (const qint64 job : holders) {
        std::set<qint64> fewer = left;
        fewer.erase(job);
        if (starts(fewer)) {
            left = fewer;
        }
    }
    return answer(left, false);
}

// The possible events on the hosts that it may use. There are none for a job that asks for no GPU.
Scheduler::Private::Outside Scheduler::Private::outsideOf(const Waiter &waiter) const
{
    Outside all;
    const std::vector<Needs> &needs = waiter.asked.needs;
    if (std::none_of(needs.cbegin(), needs.cend(), [](const Needs &each) { return each.gpu > 0; })) {
        return all;
    }
    for (const auto &[id, host] : hosts) {
        if (!host.capacity.usable || !waiter.asked.where.allows(host.capacity)) {
            continue;
        }
        for (const GpuSlot &slot : host.capacity.gpus) {
            if (slot.excluded) {
                continue;
            }
            all.foreign = all.foreign || slot.foreign;
            all.held = all.held || slot.held || slot.othersMiB > 0;
            all.hours = all.hours || !slot.keptUntil.isEmpty();
            if (slot.lost) {
                all.lost.emplace(id, slot.index);
            }
        }
    }
    return all;
}

reason::Unblock Scheduler::Private::unblockOf(const Waiter &waiter, CapacityFilter look) const
{
    std::set<qint64> running;
    for (const Reservation &reservation : reservations) {
        const auto host = hosts.find(reservation.host);
        if (host != hosts.end() && waiter.asked.where.allows(host->second.capacity)) {
            running.insert(reservation.jobId);
        }
    }
    if (running.size() > mostHolders || reservations.size() > mostTasks) {
        return {};
    }
    UnblockAnalysis analysis(*this, waiter, look);
    std::vector<qint64> found(running.cbegin(), running.cend());
    std::copy_if(analysis.ahead().cbegin(), analysis.ahead().cend(), std::back_inserter(found),
        [&running](qint64 job) { return !running.contains(job); });

    const Outside all = outsideOf(waiter);
    std::vector<Outside> sets; // the smallest first
    for (unsigned bits = 1; bits < 1U << Outside::kinds; ++bits) {
        const Outside some = all.only(bits);
        if (std::none_of(sets.cbegin(), sets.cend(),
                [&some](const Outside &known) { return known.includes(some) && some.includes(known); })
            && some.size() > 0) {
            sets.push_back(some);
        }
    }
    std::stable_sort(sets.begin(), sets.end(), [](const Outside &a, const Outside &b) { return a.size() < b.size(); });

    const auto jobsWith = [&](const Outside &outside) {
        return enoughJobs(found, [&](const std::set<qint64> &over) { return analysis.starts(over, outside); });
    };
    std::vector<std::pair<reason::Way, Outside>> ways;
    if (const std::optional<reason::Way> jobs = jobsWith({})) {
        ways.emplace_back(*jobs, Outside());
    }
    for (const Outside &some : sets) {
        const bool isKnown = std::any_of(ways.cbegin(), ways.cend(),
            [&some](const auto &way) { return way.second.size() > 0 && some.includes(way.second); });
        if (!isKnown && analysis.starts({}, some)) {
            ways.emplace_back(reason::Way(), some);
        }
    }
    for (auto some = sets.cbegin(); ways.empty() && some != sets.cend(); ++some) {
        if (const std::optional<reason::Way> jobs = jobsWith(*some)) {
            ways.emplace_back(*jobs, *some);
        }
    }

    QList<reason::Way> listed;
    std::set<qint64> before;
    for (auto &[way, outside] : ways) {
        const QList<qint64> jobs = way.ends.value_or(QList<qint64>());
        const std::set<qint64> ends(jobs.cbegin(), jobs.cend());
        std::copy_if(jobs.cbegin(), jobs.cend(), std::inserter(before, before.end()),
            [&running](qint64 job) { return !running.contains(job); });
        // Only the lost GPUs that are needed.
        const std::set<qint64> tried = way.any.value_or(false) ? std::set<qint64>{*ends.begin()} : ends;
        for (const auto &gpu : all.lost) {
            Outside fewer = outside;
            if (fewer.lost.erase(gpu) > 0 && analysis.starts(tried, fewer)) {
                outside = fewer;
            }
        }
        const auto told = [](bool happens) { return happens ? std::optional(true) : std::nullopt; };
        way.foreign = told(outside.foreign);
        way.held = told(outside.held);
        way.hours = told(outside.hours);
        if (!outside.lost.empty()) {
            QList<reason::LostGpu> &lost = way.lost.emplace();
            for (const auto &[host, index] : outside.lost) {
                lost.append({host, index});
            }
        }
        listed.append(way);
    }
    reason::Unblock unblock;
    if (!listed.isEmpty()) {
        unblock.ways = listed;
    }
    if (!before.empty()) {
        unblock.before = QList<qint64>(before.cbegin(), before.cend());
    }
    return unblock;
}

} // namespace trainyard::core
