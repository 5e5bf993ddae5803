// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <ctime>
#include <vector>

// Processor time in milliseconds: what a program did, however busy the machine is meanwhile.
namespace processortime
{

inline double msOf(clockid_t clock)
{
    timespec now{};
    ::clock_gettime(clock, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

inline double threadMs() { return msOf(CLOCK_THREAD_CPUTIME_ID); } // of the calling thread
inline double processMs() { return msOf(CLOCK_PROCESS_CPUTIME_ID); } // of all threads of this program

// 0 without values.
inline double median(std::vector<double> values)
{
    if (values.empty()) {
        return 0;
    }
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace processortime
