// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/gpulistings.h"

#include <algorithm>
#include <utility>

namespace trainyard::agent
{
namespace
{

bool isInstance(const contract::Gpu &gpu) { return gpu.uuid.starts_with("MIG-"); }

int parentOf(const contract::Gpu &instance) { return instance.index / migStep - 1; }

void setMissing(contract::Gpu &gpu)
{
    gpu.missing = true;
    gpu.foreign = false;
    gpu.utilPercent = -1;
    gpu.holders.clear();
}

} // namespace

std::optional<std::set<std::string>> GpuListings::next(int index, const std::string &uuid)
{
    std::optional<std::set<std::string>> before;
    if (index <= m_lastIndex) {
        if (m_isWhole) {
            before = std::move(m_seen);
        }
        m_seen.clear();
        m_isWhole = true;
    }
    m_lastIndex = index;
    m_seen.insert(uuid);
    return before;
}

std::optional<std::set<std::string>> GpuListings::end()
{
    const bool isWhole = m_isWhole && m_lastIndex >= 0;
    std::set<std::string> seen = std::move(m_seen);
    restart();
    return isWhole ? std::optional(std::move(seen)) : std::nullopt;
}

void GpuListings::skip(int index)
{
    m_lastIndex = index;
    m_isWhole = false;
}

std::vector<contract::Gpu> withMissing(
    std::vector<contract::Gpu> listed, const std::vector<contract::Gpu> &known, const std::vector<DividedGpu> &divided)
{
    std::vector<contract::Gpu> gone;
    for (const contract::Gpu &before : known) {
        const auto isIt = [&before](const auto &now) { return now.uuid == before.uuid; };
        // It was divided again, or another GPU has taken its place.
        const int parent = isInstance(before) ? parentOf(before) : before.index;
        const auto isInItsPlace = [parent](const auto &now) { return now.index == parent; };
        const bool isThere = std::any_of(listed.cbegin(), listed.cend(), isIt)
            || std::any_of(listed.cbegin(), listed.cend(), isInItsPlace)
            || std::any_of(divided.cbegin(), divided.cend(), isIt)
            || std::any_of(divided.cbegin(), divided.cend(), isInItsPlace);
        if (!isThere) {
            gone.push_back(before);
            setMissing(gone.back());
        }
    }
    listed.insert(listed.end(), gone.cbegin(), gone.cend());
    std::stable_sort(
        listed.begin(), listed.end(), [](const contract::Gpu &a, const contract::Gpu &b) { return a.index < b.index; });
    return listed;
}

void markMissing(
    std::vector<contract::Gpu> &known, const std::set<std::string> &listed, const std::vector<DividedGpu> &divided)
{
    for (contract::Gpu &gpu : known) {
        std::string uuid = gpu.uuid;
        for (const DividedGpu &one : divided) {
            if (isInstance(gpu) && one.index == parentOf(gpu)) {
                uuid = one.uuid;
            }
        }
        if (!listed.contains(uuid)) {
            setMissing(gpu);
        } else if (isInstance(gpu)) {
            gpu.missing = false; // no row says so itself
        }
    }
}

} // namespace trainyard::agent
