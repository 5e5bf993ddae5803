// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/health/statistics.h"

#include <algorithm>
#include <cmath>

namespace trainyard::health
{

double median(std::vector<double> values)
{
    if (values.empty()) {
        return 0;
    }
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double robustSpread(const std::vector<double> &values, double around)
{
    constexpr double asDeviation = 1.4826; // of a normal distribution
    std::vector<double> distances;
    distances.reserve(values.size());
    for (const double value : values) {
        distances.push_back(std::abs(value - around));
    }
    return asDeviation * median(std::move(distances));
}

Line lineThrough(const std::vector<double> &xs, const std::vector<double> &ys)
{
    Line line;
    const auto count = double(xs.size());
    if (xs.size() < 2) {
        return line;
    }
    double meanX = 0, meanY = 0;
    for (std::size_t i = 0; i < xs.size(); ++i) {
        meanX += xs[i] / count;
        meanY += ys[i] / count;
    }
    double xx = 0, xy = 0, yy = 0;
    for (std::size_t i = 0; i < xs.size(); ++i) {
        xx += (xs[i] - meanX) * (xs[i] - meanX);
        xy += (xs[i] - meanX) * (ys[i] - meanY);
        yy += (ys[i] - meanY) * (ys[i] - meanY);
    }
    if (xx <= 0 || yy <= 0) {
        return line;
    }
    line.slope = xy / xx;
    line.offset = meanY - line.slope * meanX;
    line.fit = xy * xy / (xx * yy);
    return line;
}

} // namespace trainyard::health
