// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/changedsince.h"

#include "engine/contract/systemtimes.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <ctime>

namespace trainyard::agent
{

using contract::nsOf;

// Files are stamped with the time of the last tick, or with the exact one if it has been looked at (Linux 6.13):
// neither is later than this.
std::int64_t fileClockNs()
{
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return nsOf(now);
}

void awaitLaterStamps(std::int64_t moment)
{
    constexpr int mostMs = 20; // a clock that was set back is not waited for
    for (int waited = 0; waited < mostMs; ++waited) {
        timespec tick{};
        ::clock_gettime(CLOCK_REALTIME_COARSE, &tick);
        if (nsOf(tick) > moment) {
            return;
        }
        const timespec pause{0, contract::nsOfSecond / 1000};
        ::nanosleep(&pause, nullptr);
    }
}

bool isChangedSince(std::string path, std::int64_t moment)
{
    struct stat info;
    // A program can set the time of the contents, but not this one.
    while (::lstat(path.c_str(), &info) != 0) {
        const std::size_t slash = path.rfind('/');
        if ((errno != ENOENT && errno != ENOTDIR) || slash == std::string::npos || slash == 0) {
            return false;
        }
        path.resize(slash);
    }
    return nsOf(info.st_ctim) > moment;
}

bool isMadeSince(const std::string &path, std::int64_t moment)
{
    struct statx info;
    if (::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW | AT_STATX_DONT_SYNC, STATX_BTIME | STATX_CTIME, &info)
        != 0) {
        return isChangedSince(path, moment);
    }
    return ((info.stx_mask & STATX_BTIME) != 0 ? nsOf(info.stx_btime) : nsOf(info.stx_ctime)) > moment;
}

} // namespace trainyard::agent
