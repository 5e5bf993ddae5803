// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

// The store of series: curves of training and figures of machines, every point of them.
//
//   a reader of metrics --append--> Writer --blocks--> file --Reader--> runs --SeriesSet--> Series --view()--> columns
//                                                        |                                           of pixels
//                                                        '--Follower--> bytes --LogMirrors--> the same file elsewhere
//
// A file holds all series of one try, or of one host. It is a header and blocks that are only ever appended
// (docs/series-format.md). The bytes that cross ssh are the bytes of the file, so a place in the file is the cursor.
// What is in memory is built from the file and can be thrown away: `Series` has the columns and a pyramid of
// minima and maxima, from which any range is drawn without a look at all of its points.
namespace trainyard::series
{

struct Point {
    double x = 0; // finite: a step, an epoch, or a time in ms UTC
    std::int64_t time = 0; // ms UTC, when the value was made or seen
    double value = 0; // may be NaN or infinite
};

enum class Axis : std::uint8_t { Step, Epoch, Time, Other };

// The meaning of a point whose x is below that of the previous point.
enum class StepBack : std::uint8_t {
    Voids, // one writer: it was resumed, and the points at and above the new x are void
    Mixed // several writers: nothing is void, the points are sorted by x
};

// A thinned figure has four series of one name instead of its older points.
enum class Part : std::uint8_t { Value, Mean, Min, Max, Count };

struct Info {
    std::string name;
    Axis axis = Axis::Step;
    StepBack stepBack = StepBack::Voids;
    Part part = Part::Value;
    bool mayThin = false; // a figure of a machine; what a training program says is never thinned
    bool onlyLast = false; // the newest point replaces those before, of which a file that is rewritten has none
    friend bool operator==(const Info &, const Info &) = default;
};

constexpr std::size_t longestName = 4096; // bytes
constexpr std::size_t mostSeries = 1 << 16; // of a file

} // namespace trainyard::series
