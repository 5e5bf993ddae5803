// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/columns.h"
#include "engine/series/point.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace trainyard::series
{

// All points of one series in memory. The points that count are sorted by x (those of one x in the order in which they
// came); the void ones are kept beside them. It is not thread-safe.
//
// With StepBack::Voids points come in the order of their x, or begin again below: then the points at and above the new
// x become void first. A second point of the same x voids nothing. With StepBack::Mixed a point goes to its place among
// the others; that costs a move of all that are above it, so late points should come many at a time.
class Series
{
public:
    explicit Series(StepBack stepBack = StepBack::Voids) : m_stepBack(stepBack) { }

    // Points whose x is not finite are left out.
    void append(const Point &point);
    void append(std::span<const double> xs, std::span<const std::int64_t> times, std::span<const double> values);
    void reserve(std::size_t count);
    void voidFrom(double x); // the program itself said that it goes back

    std::size_t size() const { return m_values.size(); }
    bool isEmpty() const { return size() == 0; }
    Point at(std::size_t i) const { return {m_xs[i], m_times[i], m_values[i]}; }
    const RisingColumn &xs() const { return m_xs; }
    const ValueColumn &values() const { return m_values; }
    // Times that never fall: each is the latest so far, as a clock that was set back moves no point to the left.
    const RisingColumn &risingTimes() const;

    // In the order in which they became void; those of one step back are in the order of x.
    const std::vector<Point> &voidPoints() const { return m_void; }

    std::optional<Point> last() const; // the one that came last, void ones aside
    std::optional<Point> smallest() const; // the first of the smallest finite values
    std::optional<Point> largest() const;
    std::optional<Point> atOrBefore(double x) const; // the last point there
    std::optional<Point> nearest(double x) const; // the left one of two that are equally far
    std::optional<double> mean(double from, double to) const; // of the finite values with from <= x <= to

    std::size_t memory() const; // bytes

private:
    void appendRising(std::span<const double> xs, std::span<const std::int64_t> times, std::span<const double> values);
    void appendMixed(std::span<const double> xs, std::span<const std::int64_t> times, std::span<const double> values);
    std::optional<Point> firstWith(double value) const;

    StepBack m_stepBack;
    RisingColumn m_xs;
    TimeColumn m_times;
    ValueColumn m_values;
    std::vector<Point> m_void;
    std::optional<Point> m_lastMixed;
    mutable RisingColumn m_risingTimes; // made when it is asked for
};

} // namespace trainyard::series
