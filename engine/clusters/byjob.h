// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <set>

namespace trainyard
{

struct ActiveJob;

// An index of the entries of each job by their keys: news of one job looks only at the entries of that job, however
// many others there are. Kept beside the table that has the keys.
template <typename Key> class ByJob
{
public:
    void add(const ActiveJob *job, const Key &key) { m_keys[job].insert(key); }
    void remove(const ActiveJob *job, const Key &key)
    {
        const auto it = m_keys.find(job);
        if (it != m_keys.end() && it->second.erase(key) > 0 && it->second.empty()) {
            m_keys.erase(it);
        }
    }
    const std::set<Key> &of(const ActiveJob *job) const // in their order
    {
        static const std::set<Key> none;
        const auto it = m_keys.find(job);
        return it == m_keys.end() ? none : it->second;
    }

private:
    std::map<const ActiveJob *, std::set<Key>> m_keys;
};

} // namespace trainyard
