// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace trainyard::agent
{

// The resources that a task has used since it started.
struct TreeUsage {
    double cpuSeconds = 0; // user and system
    std::uint64_t readBytes = 0, writtenBytes = 0; // of storage, as far as the kernel reports it
};

// The processes of a task on this host: all below its keeper, and below `main` when that is elsewhere, as the first
// process of a container of Docker is.
std::vector<pid_t> taskProcesses(pid_t keeper, pid_t main);
// The sum over these processes and over those below them that have ended. What ended below the keeper itself counts as
// processor time alone: its files are those of the output.
TreeUsage usageOf(pid_t keeper, const std::vector<pid_t> &processes);

} // namespace trainyard::agent
