// SPDX-License-Identifier: GPL-3.0-or-later
// Which jobs have to end so that one that waits can start.
#include "engine/core/schedulerdata.h"

#include <algorithm>
#include <set>

using namespace Qt::StringLiterals;

namespace trainyard::core
{
namespace
{

constexpr std::size_t mostHolders = 40;
constexpr qsizetype mostTasks = 256; // it is worked out anew at every turn
constexpr int mostTrials = 60; // of sets of several; with more the first set that does is taken

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

// As if these jobs were gone.
bool Scheduler::Private::fitsWithout(const Waiter &waiter, const std::set<qint64> &jobs, Look look) const
{
    Private trial;
    trial.hosts = hosts;
    for (const Reservation &reservation : reservations) {
        if (jobs.contains(reservation.jobId)) {
            giveBack(trial.hosts[reservation.host], reservation);
        }
    }
    return trial.fitsNow(waiter, trial.freeRooms(waiter.asked.where, look));
}

// {ends: [job], any}: a smallest set of jobs, or (any) all of those of which each alone is enough. Nothing when none
// is, or there are too many to tell.
QJsonObject Scheduler::Private::whatEnds(const Waiter &waiter, Look look) const
{
    std::set<qint64> found;
    for (const Reservation &reservation : reservations) {
        const auto host = hosts.find(reservation.host);
        if (host != hosts.end() && waiter.asked.where.allows(host->second.capacity)) {
            found.insert(reservation.jobId);
        }
    }
    if (found.empty() || found.size() > mostHolders || reservations.size() > mostTasks
        || !fitsWithout(waiter, found, look)) {
        return {};
    }
    const std::vector<qint64> holders(found.cbegin(), found.cend());
    const auto answer = [](const auto &jobs, bool any) {
        QJsonArray numbers;
        for (const qint64 job : jobs) {
            numbers.append(job);
        }
        return QJsonObject{{u"ends"_s, numbers}, {u"any"_s, any}};
    };
    std::vector<qint64> enough;
    for (const qint64 job : holders) {
        if (fitsWithout(waiter, {job}, look)) {
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
            if (fitsWithout(waiter, jobs, look)) {
                return answer(jobs, false);
            }
        } while (++trials < mostTrials && nextCombination(positions, holders.size()));
    }
    // Without those that are not needed.
    std::set<qint64> left = found;
    for (const qint64 job : holders) {
        std::set<qint64> fewer = left;
        fewer.erase(job);
        if (fitsWithout(waiter, fewer, look)) {
            left = fewer;
        }
    }
    return answer(left, false);
}

} // namespace trainyard::core
