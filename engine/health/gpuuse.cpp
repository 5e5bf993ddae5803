// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/health/gpuuse.h"

namespace trainyard::health
{
namespace
{

constexpr std::int64_t windowMs = 600'000;
constexpr std::int64_t brokenMs = 60'000; // what it did is not known until it is looked at
constexpr std::int64_t brokenOldMs = 120'000; // the same, where a minute is one value
constexpr std::int64_t shortestWindowMs = 540'000;
constexpr std::size_t fewestUses = 270;
constexpr double lowUse = 10, highUse = 50; // percent
constexpr double leastLow = 0.25, leastHigh = 0.15; // shares of the looks
constexpr int fewestTeeth = 10;
constexpr double leastMean = 8, mostMean = 70;

} // namespace

void GpuUse::add(std::int64_t at, double percent)
{
    if (!m_samples.empty() && (at < m_samples.back().at || at - m_samples.back().at > brokenMs)) {
        m_samples.clear();
        m_zeroSince.reset();
    }
    if (m_oldAt && (at < *m_oldAt || at - *m_oldAt > brokenOldMs)) {
        m_zeroSince.reset();
    }
    m_oldAt.reset();
    if (percent > 0) {
        m_wasUsed = true;
        m_zeroSince.reset();
    } else if (!m_zeroSince) {
        m_zeroSince = at;
    }
    m_samples.push_back({at, percent});
    while (at - m_samples.front().at > windowMs) {
        m_samples.pop_front();
    }
}

void GpuUse::addOld(std::int64_t at, double percent)
{
    m_wasUsed = m_wasUsed || percent > 0;
    if (!m_samples.empty()) {
        return; // the copy of the file was not whole before
    }
    if (percent > 0 || (m_oldAt && (at < *m_oldAt || at - *m_oldAt > brokenOldMs))) {
        m_zeroSince.reset();
    }
    if (percent <= 0 && !m_zeroSince) {
        m_zeroSince = at;
    }
    m_oldAt = at;
}

std::optional<double> GpuUse::sawTooth() const
{
    if (m_samples.size() < fewestUses || m_samples.back().at - m_samples.front().at < shortestWindowMs) {
        return std::nullopt;
    }
    double sum = 0;
    int lows = 0, highs = 0, teeth = 0;
    bool isLow = false;
    for (const Use &use : m_samples) {
        sum += use.percent;
        if (use.percent <= lowUse) {
            ++lows;
            isLow = true;
        } else if (use.percent >= highUse) {
            ++highs;
            teeth += isLow ? 1 : 0;
            isLow = false;
        }
    }
    const auto count = double(m_samples.size());
    const double mean = sum / count;
    const bool takesTurns = lows >= leastLow * count && highs >= leastHigh * count && teeth >= fewestTeeth;
    return takesTurns && mean >= leastMean && mean <= mostMean ? std::optional(mean) : std::nullopt;
}

} // namespace trainyard::health
