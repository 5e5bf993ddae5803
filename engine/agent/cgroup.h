// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace trainyard::agent
{

// A cgroup for one task: to limit its memory and to know that the kernel killed in it. Version 2 where the keeper's own
// group is delegated to the user, version 1 where it can be written; else there is none and nothing is said to be
// limited.
class TaskCgroup
{
public:
    // The path, or empty. `name` must be unique on the host.
    bool create(const std::string &name, std::int64_t memoryBytes);
    void adopt(const std::string &path) { m_path = path; }
    const std::string &path() const { return m_path; }
    bool add(pid_t pid) const;
    bool sawOomKill() const;
    void remove();

private:
    std::string m_path;
};

// Kills by the kernel for want of memory on this host since boot; -1 when it does not tell.
std::int64_t hostOomKills();
// The memory this process may use because of the cgroups it is in; 0: no limit.
std::int64_t cgroupMemoryLimit();

} // namespace trainyard::agent
