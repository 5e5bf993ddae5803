// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/stepclock.h"

#include <algorithm>
#include <cmath>

namespace trainyard::stepclock
{

std::optional<qint64> timeAt(const Series &told, double place)
{
    // Of several at one position, the first one.
    std::optional<series::Point> before, after;
    for (const series::Series *series : told) {
        const std::size_t next = series->xs().lowerBound(place);
        if (next < series->size()) {
            const series::Point point = series->at(next);
            if (!after || point.x < after->x || (point.x == after->x && point.time < after->time)) {
                after = point;
            }
        }
        if (next > 0) {
            const series::Point point = series->at(next - 1);
            if (!before || point.x > before->x || (point.x == before->x && point.time < before->time)) {
                before = point;
            }
        }
    }
    if (!before || !after || after->x == place) {
        const std::optional<series::Point> &known = after ? after : before;
        return known ? std::optional(known->time) : std::nullopt;
    }
    const double share = (place - before->x) / (after->x - before->x);
    return before->time + std::llround(double(after->time - before->time) * share);
}

std::optional<double> placeAt(const Series &told, qint64 time)
{
    std::optional<double> first, place;
    double toldAt = 0;
    for (const series::Series *series : told) {
        if (series->isEmpty()) {
            continue;
        }
        first = std::min(first.value_or(series->xs()[0]), series->xs()[0]);
        const series::RisingColumn &times = series->risingTimes();
        const std::size_t next = times.lowerBound(std::nextafter(double(time), HUGE_VAL));
        if (next == 0) {
            continue;
        }
        // The latest, and not the farthest: one that has gone back is where it says now.
        const double x = series->xs()[next - 1], at = times[next - 1];
        if (!place || at > toldAt || (at == toldAt && x > *place)) {
            place = x;
            toldAt = at;
        }
    }
    return place ? place : first;
}

} // namespace trainyard::stepclock
