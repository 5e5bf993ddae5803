// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/health/silence.h"

#include <algorithm>

namespace trainyard::health
{
namespace
{

// With fewer, it is not known how a program prints. Lines that come close together may be all that it says of its
// start, unless they have values.
constexpr int fewestGaps = 5, fewestTellings = 5;
constexpr std::int64_t timesLonger = 4;
constexpr std::int64_t leastGapMs = 1000; // shorter ones are not measured
constexpr std::int64_t aliveMs = 180'000;

} // namespace

std::optional<Finding> silence(const Rhythm &rhythm, std::int64_t now, std::int64_t alive, std::int64_t allowedMs)
{
    const std::int64_t limit = std::max(allowedMs, timesLonger * rhythm.longestGapMs);
    const bool isKnown = rhythm.gaps >= fewestGaps || rhythm.tellings >= fewestTellings;
    if (allowedMs <= 0 || !isKnown || now - rhythm.last < limit || now - alive > aliveMs) {
        return std::nullopt;
    }
    Finding found;
    found.code = "health.silent";
    found.at = rhythm.last;
    found.args = {{"limitMs", limit}, {"longestMs", std::max(rhythm.longestGapMs, leastGapMs)}};
    return found;
}

} // namespace trainyard::health
