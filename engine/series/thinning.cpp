// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/thinning.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace trainyard::series
{

namespace
{

std::int64_t floorTo(std::int64_t time, std::int64_t width)
{
    const std::int64_t rest = time % width;
    return time - (rest < 0 ? rest + width : rest);
}

// The beginning of the bucket into which something of this time goes; nothing is as old as that otherwise.
bool bucketOf(std::int64_t time, std::int64_t now, const std::vector<ThinRule> &rules, std::int64_t &begin)
{
    std::int64_t widest = 0;
    for (const ThinRule &rule : rules) {
        if (rule.width > widest && floorTo(time, rule.width) + rule.width <= now - rule.olderThan) {
            widest = rule.width;
        }
    }
    begin = widest > 0 ? floorTo(time, widest) : time;
    return widest > 0;
}

void addToBucket(Bucket &to, double mean, double min, double max, std::uint64_t count)
{
    if (count == 0) {
        return;
    }
    if (to.count == 0) {
        to.mean = mean;
        to.min = min;
        to.max = max;
        to.count = count;
        return;
    }
    to.min = std::min(to.min, min);
    to.max = std::max(to.max, max);
    to.count += count;
    to.mean += (mean - to.mean) * (static_cast<double>(count) / static_cast<double>(to.count));
}

} // namespace

Thinned thinned(const Thinned &from, std::int64_t now, const std::vector<ThinRule> &rules)
{
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    std::map<std::int64_t, Bucket> buckets;
    const auto bucketAt = [&buckets](std::int64_t begin) -> Bucket & {
        return buckets.try_emplace(begin, Bucket{begin, none, none, none, 0}).first->second;
    };
    Thinned result;
    for (const Bucket &bucket : from.buckets) {
        std::int64_t begin = 0;
        bucketOf(bucket.time, now, rules, begin);
        addToBucket(bucketAt(begin), bucket.mean, bucket.min, bucket.max, bucket.count);
    }
    for (const Point &point : from.points) {
        std::int64_t begin = 0;
        if (bucketOf(point.time, now, rules, begin)) {
            addToBucket(bucketAt(begin), point.value, point.value, point.value, std::isfinite(point.value) ? 1 : 0);
        } else {
            result.points.push_back(point);
        }
    }
    result.buckets.reserve(buckets.size());
    for (const auto &[time, bucket] : buckets) {
        result.buckets.push_back(bucket);
    }
    return result;
}

} // namespace trainyard::series
