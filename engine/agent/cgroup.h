// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace trainyard::agent
{

// Looks up where groups can be made, and removes empty ones that were left behind. The agent calls it before its first
// task, so that no keeper has to.
void prepareTaskCgroups();

// A cgroup for one task: it limits the memory, gives a weight for the processors, and shows when the kernel has killed
// a process in it. Uses version 2 where the keeper's own group is delegated to the user, and version 1 where it can be
// written (a group for each of the two controllers). Elsewhere there is no group, and no limit is reported.
class TaskCgroup
{
public:
    // `memoryBytes` 0 means no limit; `cpuWeight` is 100 for each core, and 0 means the same as other tasks. Returns
    // false when no group can be made.
    bool create(const std::string &tryUuid, std::int64_t memoryBytes, std::int64_t cpuWeight = 0);
    // The groups, separated by ':'.
    void takeOver(const std::string &paths);
    std::string path() const;
    // False when the process could not be put into all of them.
    bool add(pid_t pid) const;
    // No process is in it, none was killed in it, and it uses almost nothing of its limits.
    bool isAsNew() const;
    // Whether the kernel has killed a process in it for lack of memory; nullopt if no group reports it.
    std::optional<bool> sawOomKill() const;
    void remove();

private:
    bool createUnified(const std::string &name, std::int64_t memoryBytes, std::int64_t cpuWeight);
    std::string m_memory; // the only one with version 2
    std::string m_cpu; // of version 1
};

// How often the kernel has killed for lack of memory in the cgroup of this process or, if that has no count, on this
// host; -1 when neither has one. A lack of memory in other groups of the host has nothing to do with a task that was
// killed.
std::int64_t oomKillsAround();
// The memory that the cgroups of this process allow it; 0 means no limit.
std::int64_t cgroupMemoryLimit();

} // namespace trainyard::agent
