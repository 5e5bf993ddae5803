// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/place.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace trainyard::metrics
{

// The series of an output: what is said twice is one value, and equal names of several parts of the data are
// distinguished.
class KeptSeries
{
public:
    bool keep(const Pair &pair, const Place &place, const Record &record, std::uint64_t line);
    // The steps of the line may start over in each epoch, as the last values of its series tell.
    void noteInside(const Record &record, Place &own);
    // Whether the value is the last one of its series, told for an earlier step of the same epoch.
    bool goesOnWith(const Pair &pair, const Place &place) const;

    bool isEmpty() const { return m_series.empty(); }
    bool contains(const std::string &name) const { return m_series.contains(name); }
    std::vector<Point> takePoints(); // since the last call

private:
    struct Series {
        std::string context; // the part of the data
        std::string told; // what else its line says in front of the name
        int others = 0; // series of the same name that say something else there
        Axis axis = Axis::None;
        std::optional<double> step, epoch;
        double value = 0;
        bool isAmidEpoch = false; // the last value stands below a count that goes on in the epoch
        int withoutStep = 0; // points before any step was named
        bool countsInEpochs = false; // its steps start over in each epoch
        bool countsOn = false; // from one epoch to the next
    };
    std::vector<Point> m_points;
    std::unordered_map<std::string, Series> m_series;
};

} // namespace trainyard::metrics
