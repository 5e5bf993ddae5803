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

// Groups of tasks that have ended, kept for the next ones with the same limits: to make and to remove one costs more
// than a short task does. Only keepers that found a group as new give it (TaskCgroup::isAsNew()).
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

    // One of these limits, as TaskCgroup::path() gives it; empty: there is none.
    std::string take(const Limits &limits);
    // Removes it when there are enough.
    void give(const Limits &limits, const std::string &paths);
    void clear();

private:
    std::map<Limits, std::vector<std::string>> m_groups;
    std::size_t m_count = 0;
};

} // namespace trainyard::agent
