// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/point.h"

#include <cstdint>
#include <vector>

namespace trainyard::series
{

// How old figures of a machine are thinned. What a training program prints is never thinned.
struct ThinRule {
    std::int64_t olderThan = 0; // ms
    std::int64_t width = 0; // ms of a bucket
};

// The first day as it was measured, a week in buckets of 10 s, then of a minute.
inline std::vector<ThinRule> usualThinning()
{
    constexpr std::int64_t day = 86400000;
    return {{day, 10000}, {7 * day, 60000}};
}

// Several points in one. Buckets begin at multiples of their width; values that are not finite do not count.
struct Bucket {
    std::int64_t time = 0; // of its beginning, ms UTC
    double mean = 0, min = 0, max = 0; // NaN where nothing was finite
    std::uint64_t count = 0; // of finite values
};

struct Thinned {
    std::vector<Bucket> buckets; // by time
    std::vector<Point> points; // those that stay as they are
};

// Pure. Buckets of a finer width, as an earlier thinning left them, go into coarser ones. Only buckets that are old as
// a whole are made, so that a second thinning finds no half of one: thinned twice is thinned once, at the later time.
Thinned thinned(const Thinned &from, std::int64_t now, const std::vector<ThinRule> &rules);

} // namespace trainyard::series
