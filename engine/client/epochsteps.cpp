// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/epochsteps.h"

#include <utility>

namespace trainyard
{
namespace
{

// The last step at which the column has at most this epoch, as its numbers rise with the steps.
std::optional<series::Point> lastOf(const series::Series &epochs, double epoch)
{
    std::size_t from = 0, to = epochs.size(); // the first row behind it is among them
    while (from < to) {
        const std::size_t middle = from + (to - from) / 2;
        if (epochs.at(middle).value <= epoch) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from == 0 ? std::nullopt : std::optional(epochs.at(from - 1));
}

} // namespace

std::optional<series::Series> atStepsOfEpochs(const series::Series &curve, const series::Series &epochs)
{
    if (curve.isEmpty() || epochs.isEmpty()) {
        return std::nullopt;
    }
    const double ahead = curve.at(0).x - epochs.at(0).value; // of what the column calls the same epoch
    // A program that prints every second epoch also begins after the column, but does not end after it.
    const bool isEach = curve.size() < 2 || curve.at(1).x - curve.at(0).x == 1;
    const double offset = ahead == 1 && isEach ? 1 : 0;
    series::Series placed;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const series::Point point = curve.at(i);
        const std::optional<series::Point> row = lastOf(epochs, point.x - offset);
        if (row && row->value == point.x - offset) {
            placed.append({row->x, point.time, point.value});
        }
    }
    return placed.size() * 2 >= curve.size() ? std::optional(std::move(placed)) : std::nullopt;
}

} // namespace trainyard
