// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/smoothing.h"

#include <algorithm>
#include <cmath>

namespace trainyard::series
{

namespace
{

// How many finite values back the weights are below what a double of the result shows.
std::size_t reachOf(double weight)
{
    constexpr double least = -27.7; // the logarithm of 1e-12, and a little below
    return weight <= 0 ? 1 : static_cast<std::size_t>(std::min(1e15, std::ceil(least / std::log(weight)) + 1));
}

// The walk along the points, from column to column. Where the next one is farther than the reach it starts again.
template <class T> class Walk
{
public:
    Walk(const std::vector<T> &values, double weight) : m_values(values), m_weight(weight), m_reach(reachOf(weight)) { }

    // The curve at this point.
    double at(std::size_t index)
    {
        const auto value = static_cast<double>(m_values[index]);
        if (!std::isfinite(value)) {
            return value;
        }
        const std::size_t next = index + 1;
        if (m_next + m_reach < next) {
            // As many finite values back as matter; the sum starts from zero there.
            std::size_t from = next, finite = 0;
            while (from > m_next && finite < m_reach) {
                finite += std::isfinite(m_values[--from]) ? 1 : 0;
            }
            if (finite >= m_reach) {
                m_next = from;
                m_sum = 0;
                m_count = 0;
            }
        }
        add(m_next, next);
        m_next = next;
        return m_sum / (1 - std::pow(m_weight, static_cast<double>(m_count)));
    }

private:
    // Each step waits for the one before it, so four stretches are walked side by side and joined.
    void add(std::size_t from, std::size_t to)
    {
        constexpr std::size_t lanes = 4;
        const std::size_t length = (to - from) / lanes;
        double sums[lanes] = {};
        std::size_t counts[lanes] = {};
        const double weight = m_weight, rest = 1 - m_weight;
        for (std::size_t i = 0; i < length; ++i) {
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const auto value = static_cast<double>(m_values[from + lane * length + i]);
                if (std::isfinite(value)) {
                    sums[lane] = weight * sums[lane] + rest * value;
                    ++counts[lane];
                }
            }
        }
        for (std::size_t lane = 0; lane < lanes && length > 0; ++lane) {
            m_sum = m_sum * std::pow(weight, static_cast<double>(counts[lane])) + sums[lane];
            m_count += counts[lane];
        }
        for (std::size_t i = from + lanes * length; i < to; ++i) {
            const auto value = static_cast<double>(m_values[i]);
            if (std::isfinite(value)) {
                m_sum = weight * m_sum + rest * value;
                ++m_count;
            }
        }
    }

    const std::vector<T> &m_values;
    double m_weight;
    std::size_t m_reach;
    std::size_t m_next = 0; // the first point that is not in the sum
    double m_sum = 0;
    std::size_t m_count = 0; // of finite values in the sum
};

} // namespace

std::vector<Smoothed> smoothedView(const Series &series, const View &view, double weight)
{
    std::vector<Smoothed> curve;
    curve.reserve(view.columns.size());
    weight = weight > 0 ? std::min(weight, 0.999999) : 0;
    series.values().withValues([&](const auto &values) {
        Walk walk(values, weight);
        for (const Column &column : view.columns) {
            if (column.count() > 0) {
                curve.push_back({column.lastX, walk.at(column.to - 1)});
            }
        }
    });
    return curve;
}

} // namespace trainyard::series
