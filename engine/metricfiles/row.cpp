// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/row.h"

#include "engine/metricfiles/values.h"
#include "engine/metrics/words.h"

#include <array>

namespace trainyard::metricfiles
{

namespace
{

struct KnownCounter {
    std::string_view name;
    Axis axis;
};
// The first one that is there counts.
constexpr std::array<KnownCounter, 16> knownCounters{
    {{"_step", Axis::Step}, {"step", Axis::Step}, {"global_step", Axis::Step}, {"trainer/global_step", Axis::Step},
        {"iter", Axis::Iteration}, {"iteration", Axis::Iteration}, {"iterations", Axis::Iteration},
        {"epoch", Axis::Epoch}, {"epochs", Axis::Epoch}, {"time/total_timesteps", Axis::Step},
        {"total_timesteps", Axis::Step}, {"timesteps_total", Axis::Step}, {"training_iteration", Axis::Iteration},
        {"num_env_steps_sampled_lifetime", Axis::Step}, {"episode", Axis::Episode}, {"round", Axis::Round}}};
constexpr std::array<std::string_view, 5> timeNames{"_timestamp", "timestamp", "time", "wall_time", "ts"};

} // namespace

std::optional<CounterName> counterName(std::string_view name)
{
    if (name.size() > 40) {
        return {};
    }
    const std::string lower = metrics::lowered(metrics::trimmed(name));
    for (std::size_t i = 0; i < knownCounters.size(); ++i) {
        if (knownCounters[i].name == lower) {
            return CounterName{static_cast<int>(i), knownCounters[i].axis};
        }
    }
    return {};
}

bool isTimeName(std::string_view name)
{
    if (name.size() > 20) {
        return false;
    }
    const std::string lower = metrics::lowered(metrics::trimmed(name));
    for (const std::string_view known : timeNames) {
        if (known == lower) {
            return true;
        }
    }
    return false;
}

void Row::add(std::string_view name, double value)
{
    if (m_size >= mostValues) {
        return;
    }
    if (m_size == m_values.size()) {
        m_values.emplace_back();
    }
    m_values[m_size].name = name;
    m_values[m_size].value = value;
    ++m_size;
}

void Row::give(std::uint64_t number, std::uint64_t offset, Output &output)
{
    constexpr std::size_t none = mostValues;
    std::size_t counter = none, time = none, epoch = none;
    int rank = 0;
    Point point;
    point.axis = Axis::Row;
    point.x = static_cast<double>(number);
    for (std::size_t i = 0; i < m_size; ++i) {
        const Value &value = m_values[i];
        if (const std::optional<CounterName> name = counterName(value.name)) {
            if (name->axis == Axis::Epoch) {
                epoch = i;
                point.epoch = value.value;
            }
            if (counter == none || name->rank < rank) {
                counter = i;
                rank = name->rank;
                point.axis = name->axis;
                point.x = value.value;
            }
        } else if (time == none && isTimeName(value.name)) {
            if (const std::optional<std::int64_t> stamp = timeOfStamp(value.value)) {
                time = i;
                point.time = stamp;
            }
        }
    }
    for (std::size_t i = 0; i < m_size; ++i) {
        if (i == counter || i == time || i == epoch) {
            continue;
        }
        if (const std::optional<std::uint32_t> series = output.series(m_values[i].name, offset)) {
            point.series = *series;
            point.value = m_values[i].value;
            output.point(point);
        }
    }
}

} // namespace trainyard::metricfiles
