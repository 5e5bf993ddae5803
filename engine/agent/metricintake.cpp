// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/metricintake.h"

#include "engine/contract/metricbook.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace trainyard::agent
{
namespace
{

constexpr std::uint64_t hashBits = 48;
constexpr std::uint64_t mostHash = (1ULL << hashBits) - 1;
constexpr double everything = std::numeric_limits<double>::lowest();

std::uint64_t mixed(std::uint64_t hash, std::uint64_t with)
{
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ULL;
    hash = (hash ^ with) * odd;
    return hash ^ (hash >> 29);
}

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

series::Axis axisOf(metrics::Axis axis)
{
    switch (axis) {
    case metrics::Axis::Epoch:
        return series::Axis::Epoch;
    case metrics::Axis::Time:
        return series::Axis::Time;
    case metrics::Axis::None:
    case metrics::Axis::Row:
        return series::Axis::Other;
    default:
        return series::Axis::Step;
    }
}

} // namespace

MetricIntake::MetricIntake(const std::unique_ptr<series::Writer> &writer, const contract::Secrets &secrets,
    std::set<std::uint32_t> &ofRun, int run, const Taken &before)
    : m_writer(writer), m_secrets(secrets), m_ofRun(ofRun), m_run(run), m_before(before),
      m_state(before.count > 0 ? State::Same : State::Live)
{
}

void MetricIntake::begin()
{
    // After another agent this file's own series are not known; those of its run are.
    const std::set<std::uint32_t> &own = m_own.empty() ? m_ofRun : m_own;
    for (const std::uint32_t id : own) {
        m_writer->voidFrom(id, everything);
    }
    m_before = m_now = {};
    m_state = State::Live;
    m_known.clear();
    m_waiting.clear();
    m_rows = 0;
    m_epoch.reset();
}

void MetricIntake::write(std::int64_t after, std::int64_t until)
{
    const auto span = static_cast<double>(until - std::min(after, until));
    for (const Waiting &one : m_waiting) {
        if (!one.id) {
            for (const std::uint32_t id : m_ofRun) {
                m_writer->voidFrom(id, one.x);
            }
            continue;
        }
        const double left = span * static_cast<double>(m_rows - one.row) / static_cast<double>(m_rows);
        m_writer->append(*one.id, {one.x, one.time.value_or(until - static_cast<std::int64_t>(left)), one.value});
        ++m_points;
    }
    m_waiting.clear();
    m_rows = 0;
}

void MetricIntake::readAgain()
{
    if (m_state == State::Live) {
        m_before = m_now;
    }
    m_now = {};
    m_state = m_before.count > 0 ? State::Same : State::Live;
    m_known.clear();
}

bool MetricIntake::goesOn(std::uint64_t what)
{
    if (m_state == State::Different) {
        return false;
    }
    ++m_now.count;
    m_now.hash = mixed(m_now.hash, what) & mostHash;
    if (m_state == State::Live) {
        return true;
    }
    if (m_now.count == m_before.count) {
        m_state = m_now.hash == m_before.hash ? State::Live : State::Different;
    }
    return false;
}

void MetricIntake::addSeries(std::uint32_t series, std::string_view name, metricfiles::SeriesKind kind)
{
    if (m_known.size() <= series) {
        m_known.resize(series + 1);
    }
    // The agent itself measures the host.
    m_known[series] = {contract::masked(m_secrets, name), kind == metricfiles::SeriesKind::Metric, {}};
}

void MetricIntake::addPoint(const metricfiles::Point &point)
{
    if (point.series >= m_known.size() || !m_known[point.series].isWanted) {
        return;
    }
    const bool isNew = goesOn(mixed(mixed(point.series, bits(point.x)), bits(point.value)));
    if (m_state == State::Different) {
        return;
    }
    Known &known = m_known[point.series];
    if (!known.id) {
        series::Info info;
        info.name = contract::metricSeries(m_run, known.name);
        info.axis = axisOf(point.axis);
        known.id = m_writer->define(info);
        known.isWanted = known.id.has_value(); // there may be too many
    }
    if (!known.id) {
        return;
    }
    m_ofRun.insert(*known.id);
    m_own.insert(*known.id);
    if (isNew) {
        constexpr double milliseconds = 1000;
        const double x = point.axis == metrics::Axis::Time ? point.x * milliseconds : point.x;
        const bool isSameRow = m_rows > 0 && x == m_waiting.back().x && point.series != m_rowSeries;
        if (!isSameRow) {
            ++m_rows;
            m_rowSeries = point.series;
        }
        m_waiting.push_back({known.id, x, point.value, point.time, m_rows});
        takeEpoch(point);
    }
}

// Once for all values of a step.
void MetricIntake::takeEpoch(const metricfiles::Point &point)
{
    if (!point.epoch || axisOf(point.axis) != series::Axis::Step || m_epoch == std::pair(point.x, *point.epoch)) {
        return;
    }
    m_epoch = {point.x, *point.epoch};
    if (!m_epochs) {
        series::Info info;
        info.name = contract::epochSeries(m_run);
        m_epochs = m_writer->define(info);
    }
    if (m_epochs) {
        m_ofRun.insert(*m_epochs);
        m_own.insert(*m_epochs);
        m_waiting.push_back({m_epochs, point.x, *point.epoch, point.time, m_rows});
    }
}

void MetricIntake::voidFrom(double step)
{
    if (goesOn(mixed(1, bits(step)))) {
        m_waiting.push_back({std::nullopt, step, 0, std::nullopt, m_rows});
        m_epoch.reset();
    }
}

void MetricIntake::setFact(std::string_view name, std::string_view value)
{
    m_facts.emplace_back(contract::masked(m_secrets, name), contract::masked(m_secrets, value));
}

void MetricIntake::startOver() { readAgain(); }

} // namespace trainyard::agent
