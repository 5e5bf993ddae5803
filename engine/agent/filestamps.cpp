// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/filestamps.h"

#include "engine/agent/network.h"
#include "engine/contract/systemtimes.h"
#include "engine/metricfiles/runs.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <ctime>

namespace trainyard::agent
{

std::pair<FileKey, std::int64_t> fileKeyOf(const std::string &path)
{
    struct stat about = {};
    if (::stat(path.c_str(), &about) != 0) {
        return {};
    }
    return {{about.st_dev, about.st_ino}, contract::changedMsOf(about)};
}

std::int64_t clockSlackMs(const std::string &path)
{
    constexpr std::int64_t elsewhere = 1000; // servers stamp by their own clocks
    // The kernel stamps files by its ticks, of which that clock tells the length. The times of tries are cut to 1 ms.
    static const std::int64_t here = [] {
        constexpr std::int64_t longest = 10, nanoseconds = 1000000;
        struct timespec tick = {};
        const bool isKnown = ::clock_getres(CLOCK_REALTIME_COARSE, &tick) == 0 && tick.tv_sec == 0;
        return (isKnown ? tick.tv_nsec / nanoseconds : longest) + 1;
    }();
    return isOnNetwork(path.c_str()) ? elsewhere : here;
}

FileTimes fileTimesOf(const std::string &path, const struct stat &about)
{
    FileTimes times;
    times.changedFrom = contract::changedMsOf(about);
    times.changedUntil = metricfiles::latestChange(about);
    times.slack = clockSlackMs(path);
    struct statx more = {};
    if (::statx(AT_FDCWD, path.c_str(), AT_STATX_DONT_SYNC, STATX_BTIME, &more) == 0
        && (more.stx_mask & STATX_BTIME) != 0) {
        times.born = contract::msOf(more.stx_btime);
    }
    return times;
}

} // namespace trainyard::agent
