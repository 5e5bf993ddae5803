// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/series.h"

#include <algorithm>
#include <cmath>

namespace trainyard::series
{

void Series::append(const Point &point) { append({&point.x, 1}, {&point.time, 1}, {&point.value, 1}); }

void Series::append(std::span<const double> xs, std::span<const std::int64_t> times, std::span<const double> values)
{
    // Runs of finite x that do not fall.
    std::size_t from = 0;
    while (from < xs.size()) {
        if (!std::isfinite(xs[from])) {
            ++from;
            continue;
        }
        std::size_t to = from + 1;
        while (to < xs.size() && xs[to] >= xs[to - 1] && std::isfinite(xs[to])) {
            ++to;
        }
        const std::size_t count = to - from;
        if (m_stepBack == StepBack::Voids) {
            if (!isEmpty() && xs[from] < m_xs[size() - 1]) {
                voidFrom(xs[from]);
            }
            appendRising(xs.subspan(from, count), times.subspan(from, count), values.subspan(from, count));
        } else {
            appendMixed(xs.subspan(from, count), times.subspan(from, count), values.subspan(from, count));
        }
        from = to;
    }
}

void Series::appendRising(
    std::span<const double> xs, std::span<const std::int64_t> times, std::span<const double> values)
{
    m_xs.append(xs);
    m_times.append(times);
    m_values.append(values);
}

void Series::appendMixed(
    std::span<const double> xs, std::span<const std::int64_t> times, std::span<const double> values)
{
    m_lastMixed = {xs.back(), times.back(), values.back()};
    const std::size_t from = m_xs.upperBound(xs.front());
    if (from == size()) {
        appendRising(xs, times, values);
        return;
    }
    std::vector<Point> above, merged;
    for (std::size_t i = from; i < size(); ++i) {
        above.push_back(at(i));
    }
    std::vector<Point> late;
    for (std::size_t i = 0; i < xs.size(); ++i) {
        late.push_back({xs[i], times[i], values[i]});
    }
    merged.reserve(above.size() + late.size());
    std::merge(above.begin(), above.end(), late.begin(), late.end(), std::back_inserter(merged),
        [](const Point &a, const Point &b) { return a.x < b.x; });
    m_xs.truncate(from);
    m_times.truncate(from);
    m_values.truncate(from);
    m_risingTimes.truncate(from);
    std::vector<double> mergedValues;
    for (const Point &point : merged) {
        m_xs.append(point.x);
        m_times.append(point.time);
        mergedValues.push_back(point.value);
    }
    m_values.append(mergedValues);
}

void Series::reserve(std::size_t count)
{
    m_xs.reserve(count);
    m_times.reserve(count);
    m_values.reserve(count);
}

void Series::voidFrom(double x)
{
    const std::size_t from = std::isnan(x) ? size() : m_xs.lowerBound(x);
    for (std::size_t i = from; i < size(); ++i) {
        m_void.push_back(at(i));
    }
    m_xs.truncate(from);
    m_times.truncate(from);
    m_values.truncate(from);
    m_risingTimes.truncate(from);
    if (m_lastMixed && m_lastMixed->x >= x) {
        m_lastMixed = isEmpty() ? std::nullopt : std::optional(at(size() - 1));
    }
}

const RisingColumn &Series::risingTimes() const
{
    for (std::size_t i = m_risingTimes.size(); i < size(); ++i) {
        const auto time = static_cast<double>(m_times[i]);
        m_risingTimes.append(i == 0 ? time : std::max(time, m_risingTimes[i - 1]));
    }
    return m_risingTimes;
}

std::optional<Point> Series::last() const
{
    if (m_lastMixed || isEmpty()) {
        return m_lastMixed;
    }
    return at(size() - 1);
}

std::optional<Point> Series::firstWith(double value) const
{
    const std::size_t index = m_values.find(value, 0, size());
    return index < size() ? std::optional(at(index)) : std::nullopt;
}

std::optional<Point> Series::smallest() const
{
    const Extent all = m_values.extent(0, size());
    return all.hasFinite() ? firstWith(all.min) : std::nullopt;
}

std::optional<Point> Series::largest() const
{
    const Extent all = m_values.extent(0, size());
    return all.hasFinite() ? firstWith(all.max) : std::nullopt;
}

std::optional<Point> Series::atOrBefore(double x) const
{
    const std::size_t end = std::isnan(x) ? 0 : m_xs.upperBound(x);
    return end > 0 ? std::optional(at(end - 1)) : std::nullopt;
}

std::optional<Point> Series::nearest(double x) const
{
    if (std::isnan(x) || isEmpty()) {
        return std::nullopt;
    }
    const std::size_t above = m_xs.lowerBound(x);
    if (above == 0) {
        return at(0);
    }
    if (above == size() || x - m_xs[above - 1] <= m_xs[above] - x) {
        return at(above - 1);
    }
    return at(above);
}

std::optional<double> Series::mean(double from, double to) const
{
    const std::size_t begin = m_xs.lowerBound(from), end = m_xs.upperBound(to);
    double sum = 0;
    std::size_t count = 0;
    m_values.withValues([&](const auto &values) {
        for (std::size_t i = begin; i < end; ++i) {
            if (std::isfinite(values[i])) {
                sum += static_cast<double>(values[i]);
                ++count;
            }
        }
    });
    return count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
}

std::size_t Series::memory() const
{
    return m_xs.memory() + m_times.memory() + m_values.memory() + m_risingTimes.memory()
        + m_void.capacity() * sizeof(Point);
}

} // namespace trainyard::series
