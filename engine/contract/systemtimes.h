// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/stat.h>

#include <array>
#include <cstdint>
#include <ctime>

// Times of the system as numbers, and back; those of files are UTC, and before 1970 where an archive says so.
namespace trainyard::contract
{

constexpr std::int64_t nsOfSecond = 1'000'000'000;

template <class Time> std::int64_t nsOf(const Time &time) // timespec, statx_timestamp
{
    return static_cast<std::int64_t>(time.tv_sec) * nsOfSecond + time.tv_nsec;
}

template <class Time> std::int64_t msOf(const Time &time)
{
    constexpr std::int64_t msOfSecond = 1000, nsOfMs = 1'000'000;
    return static_cast<std::int64_t>(time.tv_sec) * msOfSecond + static_cast<std::int64_t>(time.tv_nsec) / nsOfMs;
}

inline std::int64_t changedNsOf(const struct stat &info) { return nsOf(info.st_mtim); }
inline std::int64_t changedMsOf(const struct stat &info) { return msOf(info.st_mtim); }

// For utimensat() and futimens(): the file changed at that time, and the time at which it was read stays as it is.
inline std::array<timespec, 2> timesOfChange(std::int64_t changedNs)
{
    std::array<timespec, 2> times{};
    times[0].tv_nsec = UTIME_OMIT;
    times[1].tv_nsec = static_cast<long>(((changedNs % nsOfSecond) + nsOfSecond) % nsOfSecond);
    times[1].tv_sec = static_cast<time_t>((changedNs - times[1].tv_nsec) / nsOfSecond);
    return times;
}

} // namespace trainyard::contract
