// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curveband.h"

#include <algorithm>
#include <cmath>

namespace trainyard
{
namespace
{

const series::RisingColumn &placesOf(const BandMember &member, bool alongTime)
{
    return alongTime ? member.series->risingTimes() : member.series->xs();
}

// On the line between the points beside the place; nothing beyond the ends.
std::optional<double> valueAt(const BandMember &member, bool alongTime, double place)
{
    const series::RisingColumn &places = placesOf(member, alongTime);
    const double at = alongTime ? place + double(member.start) : place;
    const std::size_t right = places.lowerBound(at);
    if (right == places.size() || (right == 0 && places[0] > at)) {
        return std::nullopt;
    }
    const double value = member.series->values()[right];
    if (right == 0 || places[right] <= at) {
        return value;
    }
    const double before = member.series->values()[right - 1];
    const double part = (at - places[right - 1]) / (places[right] - places[right - 1]);
    return before + (value - before) * part;
}

} // namespace

CurveBand bandOf(const std::vector<BandMember> &members, bool alongTime, std::size_t most)
{
    CurveBand band;
    const BandMember *longest = nullptr;
    for (const BandMember &member : members) {
        if (!longest || member.series->size() > longest->series->size()) {
            longest = &member;
        }
    }
    if (!longest || longest->series->isEmpty()) {
        return band;
    }
    const series::RisingColumn &places = placesOf(*longest, alongTime);
    const std::size_t count = std::min(places.size(), std::max<std::size_t>(most, 2));
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t from = count == places.size() ? i : i * (places.size() - 1) / (count - 1);
        const double place = alongTime ? places[from] - double(longest->start) : places[from];
        double sum = 0, low = 0, high = 0;
        int n = 0;
        for (const BandMember &member : members) {
            const std::optional<double> value = valueAt(member, alongTime, place);
            if (!value || !std::isfinite(*value)) {
                continue;
            }
            low = n == 0 ? *value : std::min(low, *value);
            high = n == 0 ? *value : std::max(high, *value);
            sum += *value;
            ++n;
        }
        if (n > 0) {
            const auto time = alongTime ? static_cast<std::int64_t>(place) : longest->series->at(from).time;
            band.mean.append({place, time, sum / n});
            band.low.append({place, time, low});
            band.high.append({place, time, high});
        }
    }
    return band;
}

} // namespace trainyard
