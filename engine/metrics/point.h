// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trainyard::metrics
{

// What the output itself counts. A batch counts inside its epoch; steps and iterations count on. Only files count by
// time, in seconds, and by rows.
enum class Axis { None, Step, Iteration, Batch, Epoch, Episode, Update, Round, Tick, Time, Row };

std::string_view axisName(Axis axis); // "step"; "none"

// One value of one series, as some line of an output gives it.
struct Point {
    std::string name;
    Axis axis = Axis::None;
    std::optional<double> step; // nothing where the output names none
    std::optional<double> epoch;
    double value = 0; // may be NaN or infinite
    std::uint64_t line = 0; // counted from one
    std::optional<double> total = {}; // of the batches of its epoch, where a bar tells it
    friend bool operator==(const Point &, const Point &) = default;
};

// What the output last said about how far it is.
struct Progress {
    std::optional<double> fraction; // 0 to 1
    std::optional<double> secondsLeft;
    friend bool operator==(const Progress &, const Progress &) = default;
};

} // namespace trainyard::metrics
