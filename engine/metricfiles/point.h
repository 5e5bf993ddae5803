// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/point.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace trainyard::metricfiles
{

using metrics::Axis;

// One value of one series, as a file gives it.
struct Point {
    std::uint32_t series = 0; // counted from zero within the file
    Axis axis = Axis::Step;
    bool isSingle = false; // of single precision: 0.1, not 0.10000000149011612
    double x = 0; // what the axis counts; of Axis::Time, seconds since 1970
    std::optional<double> epoch;
    std::optional<std::int64_t> time; // UTC, in milliseconds since 1970
    double value = 0; // may be NaN or infinite
};

enum class SeriesKind {
    Metric, // what the program measured
    Machine // processors, memory, GPUs
};

// Takes what a file gives, in the order of the file. The texts are valid during the call only.
class Sink
{
public:
    virtual ~Sink() = default;

    // Before the first point of a series.
    virtual void addSeries(std::uint32_t series, std::string_view name, SeriesKind kind) = 0;
    virtual void addPoint(const Point &point) = 0;
    // The program went back to this step: all points of the run so far, from this step on, are void.
    virtual void voidFrom(double step) = 0;
    // "config/lr", "exit-code"; a later value replaces an earlier one.
    virtual void setFact(std::string_view name, std::string_view value) = 0;
    // The file was rewritten: series, points and facts that it gave are void.
    virtual void startOver() = 0;
};

} // namespace trainyard::metricfiles
