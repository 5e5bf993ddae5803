// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/point.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace trainyard::metrics
{

// Where a program that was started again goes on: what its earlier outputs say from there on is void, as it is within
// one output that names a step again. What stands at no step cannot be compared, and is void as soon as a later output
// says anything. An output that names no step goes on nowhere: what was said at steps before it still counts.
class Continuation
{
public:
    bool note(const Point &point); // of a later output; whether it says something new about where that goes on
    bool isVoid(const Point &point) const; // of an earlier one
    bool hasSteps() const { return !m_first.empty(); } // at which it goes on
    bool startsOver() const; // at the first step: nothing before counts
    bool isComparable(const Point &point) const; // whether the later output counts the same

private:
    struct Place {
        std::optional<double> epoch;
        double step = 0;
        bool isInEpoch = false; // starts over in each
    };
    static std::optional<Place> placeOf(const Point &point);
    static bool isBefore(const Place &one, const Place &other);
    static Axis counted(Axis axis); // whether steps start over in each epoch often shows late: they are one

    bool m_hasTold = false; // a later output said something
    std::map<std::pair<std::string, Axis>, Place> m_begins; // of each series
    std::map<Axis, Place> m_first; // of all, for a series that the later output does not have yet
};

// One earlier output, point by point in its order. What the later one does not count yet, as it has come to no end of
// an epoch, goes by what stands in front of it here.
class EarlierOutput
{
public:
    explicit EarlierOutput(Continuation later) : m_later(std::move(later)) { }
    bool isVoid(const Point &point);

private:
    Continuation m_later;
    bool m_isPast = true; // where the later one goes on
};

} // namespace trainyard::metrics
