// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/health/memorygrowth.h"

#include "engine/health/statistics.h"

#include <algorithm>

namespace trainyard::health
{
namespace
{

constexpr std::size_t mostMeans = 512;
constexpr std::size_t fewestMeans = 64;
constexpr double warmUp = 0.4; // of the run; what comes after it counts
constexpr std::int64_t shortestCreepMs = 20 * 60'000;
constexpr std::size_t creepParts = 8;
constexpr double leastFit = 0.9;
constexpr double steadyShare = 0.6; // of the slope of the first half that the second one has to have
constexpr double leastShare = 0.03; // of the limit
constexpr double leastMiB = 100;
constexpr std::int64_t dayMs = 86'400'000;
constexpr double hourMs = 3'600'000;

} // namespace

void MemoryGrowth::add(std::int64_t at, double mebibytes)
{
    if (!m_means.empty() && at < m_means.back().at) {
        m_means.clear(); // the clock was set back
        m_size = 1;
    }
    if (m_means.empty() || m_means.back().count >= m_size) {
        if (m_means.size() >= mostMeans) {
            for (std::size_t i = 0; i < mostMeans / 2; ++i) {
                const Mean &one = m_means[2 * i], &other = m_means[2 * i + 1];
                m_means[i] = {(one.at + other.at) / 2, (one.mebibytes + other.mebibytes) / 2, one.count + other.count};
            }
            m_means.resize(mostMeans / 2);
            m_size *= 2;
        }
        m_means.push_back({at, 0, 0});
    }
    Mean &mean = m_means.back();
    mean.mebibytes = (mean.mebibytes * mean.count + mebibytes) / (mean.count + 1);
    ++mean.count;
}

std::optional<MemoryGrowth::Creep> MemoryGrowth::creep(double limitMiB) const
{
    if (m_means.size() < fewestMeans || limitMiB <= 0) {
        return std::nullopt;
    }
    const auto from = std::size_t(double(m_means.size()) * warmUp);
    const std::int64_t began = m_means[from].at;
    const Mean &newest = m_means.back();
    if (newest.at - began < shortestCreepMs) {
        return std::nullopt;
    }
    std::vector<double> hours, memory;
    for (std::size_t i = from; i < m_means.size(); ++i) {
        hours.push_back(double(m_means[i].at - began) / hourMs);
        memory.push_back(m_means[i].mebibytes);
    }
    // Each part has more than the one before.
    double before = 0;
    for (std::size_t part = 0; part < creepParts; ++part) {
        const auto begin = memory.begin() + std::ptrdiff_t(part * memory.size() / creepParts);
        const auto end = memory.begin() + std::ptrdiff_t((part + 1) * memory.size() / creepParts);
        const double now = median({begin, end});
        if (part > 0 && now <= before) {
            return std::nullopt;
        }
        before = now;
    }
    const std::size_t middle = hours.size() / 2;
    const auto half = [&](std::size_t begin, std::size_t end) {
        return lineThrough({hours.begin() + std::ptrdiff_t(begin), hours.begin() + std::ptrdiff_t(end)},
            {memory.begin() + std::ptrdiff_t(begin), memory.begin() + std::ptrdiff_t(end)});
    };
    const Line line = lineThrough(hours, memory), first = half(0, middle), second = half(middle, hours.size());
    const double growth = line.slope * hours.back();
    if (line.fit < leastFit || second.slope < steadyShare * first.slope
        || growth < std::max(leastMiB, leastShare * limitMiB)) {
        return std::nullopt;
    }
    const double left = std::max(0.0, limitMiB - newest.mebibytes) / second.slope * hourMs;
    if (!(left < double(dayMs))) {
        return std::nullopt;
    }
    return Creep{newest.mebibytes, second.slope, began, newest.at + std::int64_t(left)};
}

} // namespace trainyard::health
