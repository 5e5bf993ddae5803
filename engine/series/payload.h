// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/point.h"
#include "engine/series/pyramid.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The contents of the blocks.
namespace trainyard::series
{

// Some points of one series, in the order in which they came.
struct Run {
    std::uint32_t id = 0;
    std::vector<double> xs;
    std::vector<std::int64_t> times;
    std::vector<double> values;

    std::size_t size() const { return values.size(); }
    void append(const Point &point)
    {
        xs.push_back(point.x);
        times.push_back(point.time);
        values.push_back(point.value);
    }
};

constexpr std::size_t mostRows = 8192; // of a run in a block

// Payloads of blocks of points. Runs with the same x and times share those columns. The runs have at most `mostRows`
// points, at least one, and ascending ids.
void encodePoints(const std::vector<const Run *> &runs, const std::function<void(std::string_view payload)> &put);

// Where a run is in a payload, and what can be said of it without decoding it.
struct StoredRun {
    std::uint32_t id = 0;
    std::uint32_t rows = 0;
    std::uint32_t xAt = 0, xSize = 0; // no bytes: x is the time
    std::uint32_t timeAt = 0, timeSize = 0;
    std::uint32_t valueAt = 0, valueSize = 0;
    bool hasSummary = false; // of runs that are worth it
    bool isRising = false; // x never falls
    double firstX = 0, lastX = 0, lastValue = 0;
    Extent extent;
};

// False, and what was found before that, when something does not fit.
bool listRuns(std::string_view payload, std::vector<StoredRun> &runs);

bool decodeRun(const StoredRun &stored, std::string_view xs, std::string_view times, std::string_view values, Run &run);

// Infos of the series from `first` on.
std::string encodeNames(std::uint32_t first, const std::vector<Info> &infos);
bool decodeNames(std::string_view payload, std::uint32_t &first, std::vector<Info> &infos);

std::string encodeVoid(std::uint32_t id, double x);
bool decodeVoid(std::string_view payload, std::uint32_t &id, double &x);

// The file from which, and from how much of it, a rewritten file was made.
struct Origin {
    std::uint64_t generation = 0;
    std::uint64_t size = 0;
    friend bool operator==(const Origin &, const Origin &) = default;
};
std::string encodeOrigin(const Origin &origin);
bool decodeOrigin(std::string_view payload, Origin &origin);

} // namespace trainyard::series
