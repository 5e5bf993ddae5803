// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/curvex.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace trainyard::metrics
{

// Whether the point says where in the training it is, in something smaller than an epoch.
bool tellsStep(const Point &point);

// The step at which an epoch has ended whose value was told at a time between two steps. The later one had not begun
// then, so between whole steps it is a whole one before it.
double epochPlace(double from, std::int64_t fromTime, double to, std::int64_t toTime, std::int64_t at);

// Where the epoch of a point begins that counts the batches of it: `step` is its place. Nothing for any other point.
std::optional<double> epochBegin(const Point &point, double step);

// Where the values of one series have stood that were told once an epoch. Behind the last step that is known, epochs
// that were of one length go on so: programs that name every fifth step do not name the one at which they end.
class EpochEnds
{
public:
    void add(double place); // in their order
    // `last`: the last step; `stride`: how far it is from the one before, as the next one would have been named.
    double after(double last, double stride) const;

private:
    int m_count = 0;
    double m_last = 0, m_length = 0;
    bool m_areEven = false;
};

// Gives all values of one output their place on one axis, the same as in the plots: beside metrics that count steps,
// what is told once an epoch stands at the step that its epoch had come to, and batches count on from epoch to epoch.
// Where that is becomes known when the next step is told; until then such a value waits, at the step that EpochEnds
// takes it for.
class StepTrack
{
public:
    struct Placed {
        Point point; // its step is the position, and its axis what that counts
        std::int64_t time = 0;
    };
    void add(const Point &point, std::int64_t time); // in the order of the output
    void finish(); // nothing follows
    std::vector<Placed> take(); // whose position is known; those of one series in their order
    std::vector<Placed> waiting() const; // where they would stand if nothing followed

private:
    struct Known {
        CurveX x;
        std::size_t count = 0;
    };
    struct Waiting {
        Placed placed;
        std::int64_t from = 0; // when the step before it was told
    };
    Placed placedAtEnd(Placed placed) const;
    void settle(const std::string &name);
    // `end`: of the epoch that is over, where the step is of another one; what was told before it stands no further.
    void settleAll(double step, std::int64_t time, double end);
    void put(Placed placed); // of an epoch

    std::unordered_map<std::string, Known> m_known;
    const Known *m_leader = nullptr; // of the series that tells the steps best: the longest
    std::unordered_map<std::string, EpochEnds> m_ends;
    double m_step = 0; // its last one
    double m_stride = 0; // from the one before
    double m_epochBegin = 0; // where its epoch begins, if it counts batches
    Axis m_axis = Axis::Step; // what it counts
    std::int64_t m_time = 0;
    std::vector<Waiting> m_waiting; // at most one of each series
    std::vector<Placed> m_placed;
};

} // namespace trainyard::metrics
