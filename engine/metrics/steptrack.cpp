// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/steptrack.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard::metrics
{

bool tellsStep(const Point &point)
{
    switch (point.axis) {
    case Axis::Step:
    case Axis::Iteration:
    case Axis::Batch:
    case Axis::Episode:
    case Axis::Update:
    case Axis::Round:
    case Axis::Tick:
        return point.step && std::isfinite(*point.step);
    case Axis::None:
    case Axis::Epoch:
    case Axis::Time:
    case Axis::Row:
        return false;
    }
    return false;
}

double epochPlace(double from, std::int64_t fromTime, double to, std::int64_t toTime, std::int64_t at)
{
    if (to <= from) {
        return from;
    }
    const double span = static_cast<double>(toTime - fromTime);
    const double share = span > 0 ? std::clamp(static_cast<double>(at - fromTime) / span, 0.0, 1.0) : 0;
    const double place = from + (to - from) * share;
    const bool areWhole = from == std::floor(from) && to == std::floor(to);
    return areWhole ? std::clamp(std::round(place), from, to - 1) : place;
}

std::optional<double> epochBegin(const Point &point, double step)
{
    return point.axis == Axis::Batch && point.step ? std::optional(step - *point.step) : std::nullopt;
}

void EpochEnds::add(double place)
{
    const double length = place - m_last;
    // Steps are counted from one or from zero.
    const bool isLikeFirst = m_count == 1 && (length == m_last || length == m_last + 1);
    m_areEven = length > 0 && (isLikeFirst || (m_count > 1 && length == m_length));
    m_length = length;
    m_last = place;
    ++m_count;
}

double EpochEnds::after(double last, double stride) const
{
    const auto isThere = [&](double place) { return place >= last && place < last + stride; };
    const double next = m_last + m_length;
    return m_areEven && isThere(next) ? next : m_count > 0 && isThere(m_last) ? m_last : last;
}

void StepTrack::add(const Point &point, std::int64_t time)
{
    if (point.axis == Axis::Epoch && m_leader) {
        settle(point.name);
        Placed placed{point, time};
        placed.point.epoch = point.epoch ? point.epoch : point.step;
        placed.point.step = m_step;
        placed.point.axis = m_axis;
        m_waiting.push_back({std::move(placed), m_time});
        return;
    }
    if (!tellsStep(point)) {
        m_placed.push_back({point, time});
        return;
    }
    Known &known = m_known[point.name];
    const double step = known.x.next(point);
    ++known.count;
    // Half as long again, so that two that grow side by side do not take turns.
    if (!m_leader || known.count > m_leader->count + m_leader->count / 2) {
        m_leader = &known;
    }
    if (m_leader == &known) {
        const double begin = epochBegin(point, step).value_or(m_epochBegin);
        settleAll(step, time, begin > m_epochBegin ? begin : step);
        m_epochBegin = begin;
        m_stride = step - m_step;
        m_step = step;
        m_axis = point.axis == Axis::Batch ? Axis::Step : point.axis; // batches count on
        m_time = time;
    } else {
        settle(point.name);
    }
    m_placed.push_back({point, time});
    m_placed.back().point.step = step;
    m_placed.back().point.axis = point.axis == Axis::Batch ? Axis::Step : point.axis;
}

StepTrack::Placed StepTrack::placedAtEnd(Placed placed) const
{
    if (const auto ends = m_ends.find(placed.point.name); ends != m_ends.end()) {
        placed.point.step = ends->second.after(m_step, m_stride);
    }
    return placed;
}

void StepTrack::put(Placed placed)
{
    m_ends[placed.point.name].add(*placed.point.step);
    m_placed.push_back(std::move(placed));
}

// Another value of the same series comes before the next step: nothing more will be known of where this one stands.
void StepTrack::settle(const std::string &name)
{
    const auto found = std::find_if(m_waiting.begin(), m_waiting.end(),
        [&name](const Waiting &waiting) { return waiting.placed.point.name == name; });
    if (found != m_waiting.end()) {
        put(placedAtEnd(std::move(found->placed)));
        m_waiting.erase(found);
    }
}

void StepTrack::settleAll(double step, std::int64_t time, double end)
{
    for (Waiting &waiting : m_waiting) {
        Placed &placed = waiting.placed;
        const double from = *placed.point.step;
        placed.point.step = std::min(epochPlace(from, waiting.from, step, time, placed.time), std::max(from, end));
        put(std::move(placed));
    }
    m_waiting.clear();
}

void StepTrack::finish()
{
    for (Waiting &waiting : m_waiting) {
        put(placedAtEnd(std::move(waiting.placed)));
    }
    m_waiting.clear();
}

std::vector<StepTrack::Placed> StepTrack::take() { return std::exchange(m_placed, {}); }

std::vector<StepTrack::Placed> StepTrack::waiting() const
{
    std::vector<Placed> all;
    for (const Waiting &waiting : m_waiting) {
        all.push_back(placedAtEnd(waiting.placed));
    }
    return all;
}

} // namespace trainyard::metrics
