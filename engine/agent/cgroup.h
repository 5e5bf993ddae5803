// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace trainyard::agent
{

// Looks up where groups can be made, and removes empty ones that nobody cleared up. Called by the agent before its
// first task, it spares every keeper that.
void prepareTaskCgroups();

// A cgroup for one task: to limit its memory, to weigh its processors, and to know that the kernel killed in it.
// Version 2 where the keeper's own group is delegated to the user, version 1 where it can be written (a group for each
// of the two); else there is none and nothing is said to be limited.
class TaskCgroup
{
public:
    // memoryBytes 0: no limit; cpuWeight is 100 a core, 0: as all others. False when
    // there is none.
    bool create(const std::string &tryUuid, std::int64_t memoryBytes, std::int64_t cpuWeight = 0);
    // The groups, separated by ':'.
    void adopt(const std::string &paths);
    std::string path() const;
    // False when the process could not be put into all of them.
    bool add(pid_t pid) const;
    // Nobody is in it, nobody was killed in it, and it holds next to nothing of what it may use.
    bool isAsNew() const;
    bool sawOomKill() const;
    void remove();

private:
    bool createUnified(const std::string &name, std::int64_t memoryBytes, std::int64_t cpuWeight);
    std::string m_memory; // the only one with version 2
    std::string m_cpu; // of version 1
};

// Kills by the kernel for want of memory on this host since boot; -1 when it does not tell.
std::int64_t hostOomKills();
// The memory this process may use because of the cgroups it is in; 0: no limit.
std::int64_t cgroupMemoryLimit();

} // namespace trainyard::agent
