// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace trainyard::agent
{

// Keeps the groups of ended tasks for the next tasks with the same limits: making and removing a group costs more than
// a short task. Keepers return a group only when it is as good as new (TaskCgroup::isAsNew()).
class CgroupPool
{
public:
    struct Limits {
        std::int64_t memoryBytes = 0, cpuWeight = 0; // TaskCgroup::create()
        friend bool operator<(const Limits &a, const Limits &b)
        {
            return std::pair(a.memoryBytes, a.cpuWeight) < std::pair(b.memoryBytes, b.cpuWeight);
        }
    };

    CgroupPool() = default;
    CgroupPool(const CgroupPool &) = delete;
    CgroupPool &operator=(const CgroupPool &) = delete;
    ~CgroupPool() { clear(); }

    // A group with these limits, as TaskCgroup::path() names it; empty when there is none.
    std::string take(const Limits &limits);
    // Removes the group instead when there are enough.
    void give(const Limits &limits, const std::string &paths);
    void clear();

private:
    std::map<Limits, std::vector<std::string>> m_groups;
    std::size_t m_count = 0;
};

} // namespace trainyard::agent
