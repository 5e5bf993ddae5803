// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/duejobs.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace trainyard::core
{

using namespace Qt::StringLiterals;

DueJobs whatIsDue(std::vector<EndedJob> jobs, const KeepLimits &limits, qint64 now)
{
    std::sort(jobs.begin(), jobs.end(),
        [](const EndedJob &a, const EndedJob &b) { return std::tie(a.ended, a.id) < std::tie(b.ended, b.id); });
    qint64 left = 0;
    for (const EndedJob &job : jobs) {
        left += job.isStarred ? 0 : job.bytes;
    }
    DueJobs due;
    for (EndedJob &job : jobs) {
        const qint64 age = now - job.ended; // negative while the clock is behind
        const bool isFree = !job.isStarred && age >= limits.youngMs;
        const bool isOld = isFree && limits.ageMs > 0 && age >= limits.ageMs;
        const bool isTooMuch = isFree && limits.bytes > 0 && left > limits.bytes;
        if (!isOld && !isTooMuch) {
            if (job.removal) {
                job.removal.reset();
                due.withdraw.push_back(std::move(job));
            }
            continue;
        }
        left -= job.bytes;
        const QString setting = isOld ? u"jobs.keepDays"_s : u"jobs.keepGiB"_s;
        // An announcement of the future was made by a clock that was wrong: when it really was is not known. One
        // that is not whole cannot be read.
        const bool isKnown = job.removal && job.removal->announced > 0 && job.removal->announced <= now
            && job.removal->due >= job.removal->announced;
        if (!isKnown) {
            job.removal = PlannedRemoval{now, now + limits.graceMs, setting, job.bytes};
            due.announce.push_back(std::move(job));
        } else if (now >= job.removal->due) {
            due.remove.push_back(std::move(job));
        } else if (job.removal->setting != setting) {
            job.removal->setting = setting;
            due.announce.push_back(std::move(job));
        }
    }
    return due;
}

} // namespace trainyard::core
