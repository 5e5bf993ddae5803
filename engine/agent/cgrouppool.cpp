// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/cgrouppool.h"

#include "engine/agent/cgroup.h"

namespace trainyard::agent
{
namespace
{

constexpr std::size_t most = 64;

void removeGroup(const std::string &paths)
{
    TaskCgroup group;
    group.takeOver(paths);
    group.remove();
}

} // namespace

std::string CgroupPool::take(const Limits &limits)
{
    const auto it = m_groups.find(limits);
    if (it == m_groups.end()) {
        return {};
    }
    std::string paths = std::move(it->second.back());
    it->second.pop_back();
    if (it->second.empty()) {
        m_groups.erase(it);
    }
    --m_count;
    return paths;
}

void CgroupPool::give(const Limits &limits, const std::string &paths)
{
    if (m_count == most) {
        removeGroup(paths);
        return;
    }
    m_groups[limits].push_back(paths);
    ++m_count;
}

void CgroupPool::clear()
{
    for (const auto &[limits, groups] : m_groups) {
        for (const std::string &paths : groups) {
            removeGroup(paths);
        }
    }
    m_groups.clear();
    m_count = 0;
}

} // namespace trainyard::agent
