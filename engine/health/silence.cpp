// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/health/silence.h"

#include <algorithm>

namespace trainyard::health
{
namespace
{

constexpr int fewestGaps = 5; // with fewer, nobody knows how a program prints
constexpr std::int64_t timesLonger = 4;
constexpr std::int64_t aliveMs = 180'000;

} // namespace

std::optional<Finding> silence(const Rhythm &rhythm, std::int64_t now, std::int64_t alive, std::int64_t allowedMs)
{
    const std::int64_t limit = std::max(allowedMs, timesLonger * rhythm.longestGapMs);
    if (allowedMs <= 0 || rhythm.gaps < fewestGaps || now - rhythm.last < limit || now - alive > aliveMs) {
        return std::nullopt;
    }
    Finding found;
    found.code = "health.silent";
    found.at = rhythm.last;
    found.args = {{"limitMs", limit}, {"longestMs", rhythm.longestGapMs}};
    return found;
}

} // namespace trainyard::health
