// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace trainyard::health
{

double median(std::vector<double> values); // 0 of none
// How far values usually are from their median: as the standard deviation, but a few that are far off do not count.
double robustSpread(const std::vector<double> &values, double around);

struct Line {
    double slope = 0, offset = 0;
    double fit = 0; // 1 where all points are on it, 0 where it says nothing
};
Line lineThrough(const std::vector<double> &xs, const std::vector<double> &ys); // of the same size

} // namespace trainyard::health
