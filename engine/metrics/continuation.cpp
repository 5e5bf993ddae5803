// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/continuation.h"

#include "engine/metrics/steptrack.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard::metrics
{

Axis Continuation::counted(Axis axis) { return axis == Axis::Iteration || axis == Axis::Batch ? Axis::Step : axis; }

std::optional<Continuation::Place> Continuation::placeOf(const Point &point)
{
    // Times and rows of files are not steps: those of two files cannot be compared with each other.
    const bool isStep = point.axis != Axis::None && point.axis != Axis::Time && point.axis != Axis::Row;
    const std::optional<double> step = point.step ? point.step : point.epoch;
    if (!isStep || !step || !std::isfinite(*step)) {
        return std::nullopt;
    }
    return Place{point.epoch, *step, point.axis == Axis::Batch && point.epoch.has_value()};
}

bool Continuation::isBefore(const Place &one, const Place &other)
{
    if ((one.isInEpoch || other.isInEpoch) && one.epoch && other.epoch && *one.epoch != *other.epoch) {
        return *one.epoch < *other.epoch;
    }
    return one.step < other.step;
}

bool Continuation::note(const Point &point)
{
    bool isNews = !std::exchange(m_hasTold, true);
    const std::optional<Place> place = placeOf(point);
    if (!place) {
        return isNews;
    }
    const auto keepFirst = [&isNews](auto &places, const auto &key, const Place &noted) {
        const auto [known, isNew] = places.try_emplace(key, noted);
        if (!isNew && isBefore(noted, known->second)) {
            known->second = noted;
            isNews = true;
        }
        isNews = isNews || isNew;
    };
    const Axis axis = counted(point.axis);
    keepFirst(m_begins, std::pair(point.name, axis), *place);
    keepFirst(m_first, axis, *place);
    if (axis != Axis::Epoch && point.epoch && std::isfinite(*point.epoch)) {
        keepFirst(m_first, Axis::Epoch, Place{point.epoch, *point.epoch, false});
    }
    return isNews;
}

bool Continuation::startsOver() const
{
    constexpr double first = 1; // or 0
    return hasSteps() && std::all_of(m_first.begin(), m_first.end(), [](const auto &each) {
        const Place &place = each.second;
        return place.step <= first && (!place.isInEpoch || *place.epoch <= first);
    });
}

bool Continuation::isComparable(const Point &point) const
{
    return placeOf(point) && m_first.contains(counted(point.axis));
}

bool Continuation::isVoid(const Point &point) const
{
    const std::optional<Place> place = placeOf(point);
    if (!place) {
        return m_hasTold;
    }
    if (!hasSteps()) {
        return false;
    }
    const Axis axis = counted(point.axis);
    if (const auto own = m_begins.find({point.name, axis}); own != m_begins.end()) {
        return !isBefore(*place, own->second);
    }
    const auto first = m_first.find(axis);
    return first == m_first.end() || !isBefore(*place, first->second);
}

bool EarlierOutput::isVoid(const Point &point)
{
    if (!m_later.hasSteps()) {
        return m_later.isVoid(point);
    }
    if (m_later.isComparable(point)) {
        m_isPast = m_later.isVoid(point);
        return m_isPast;
    }
    const bool countsOther = point.axis == Axis::Epoch || tellsStep(point);
    return m_isPast || !countsOther;
}

} // namespace trainyard::metrics
