// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/health/lossjump.h"

#include "engine/health/statistics.h"

#include <algorithm>
#include <cmath>

namespace trainyard::health
{
namespace
{

constexpr std::size_t mostRecent = 64;
constexpr std::size_t fewestRecent = 32; // fewer do not make a band
constexpr std::size_t enoughAbove = 3; // in a row
constexpr int backEnough = 10;
constexpr double farOff = 10; // times the usual distance from the median
constexpr double leastSpread = 0.02; // of the median: a smooth curve is not that exact
constexpr double leastRise = 1.5; // times the median
constexpr double aboveAll = 1.1; // times the greatest of the recent ones

} // namespace

void LossJump::begin()
{
    m_recent.clear();
    m_next = 0;
    m_above.clear();
}

void LossJump::remember(double value)
{
    if (m_recent.size() < mostRecent) {
        m_recent.push_back(value);
    } else {
        m_recent[m_next] = value;
        m_next = (m_next + 1) % mostRecent;
    }
}

// Cheaper than the limit, which is nearly never needed: above zero it is never below this.
bool LossJump::isUsual(double value) const
{
    const auto [least, most] = std::minmax_element(m_recent.begin(), m_recent.end());
    return *least > 0 && value <= aboveAll * *most;
}

double LossJump::limit() const
{
    const double middle = median(m_recent);
    const double spread = std::max(robustSpread(m_recent, middle), leastSpread * std::abs(middle));
    const double most = *std::max_element(m_recent.begin(), m_recent.end());
    double limit = middle + farOff * spread;
    if (middle > 0) {
        limit = std::max({limit, leastRise * middle, aboveAll * most});
    }
    return limit;
}

void LossJump::add(const Sample &sample)
{
    if (!std::isfinite(sample.value)) {
        return;
    }
    // Many losses of batches are means since the epoch began, so each epoch has a band of its own. A step back is a
    // program that was continued from an earlier state.
    const bool isNewEpoch = sample.isBatch && sample.epoch != m_epoch;
    const bool isBack = sample.step && m_step && *sample.step < *m_step;
    if (isNewEpoch || isBack) {
        begin();
        if (isBack && !isNewEpoch) {
            m_jump.reset();
        }
    }
    m_step = sample.step;
    m_epoch = sample.epoch;
    if (m_jump) {
        m_backInRow = sample.value <= m_jump->back ? m_backInRow + 1 : 0;
        if (m_backInRow >= backEnough) {
            m_jump.reset();
            begin();
        }
        return;
    }
    if (m_recent.size() >= fewestRecent && !isUsual(sample.value)) {
        if (const double most = limit(); sample.value > most) {
            m_above.push_back(sample);
            if (m_above.size() >= enoughAbove) {
                const double before = median(m_recent);
                m_jump = Jump{m_above.front(), before, (before + most) / 2};
                m_backInRow = 0;
                m_above.clear();
            }
            return;
        }
    }
    for (const Sample &above : m_above) {
        remember(above.value); // noise, and part of what is usual
    }
    m_above.clear();
    remember(sample.value);
}

std::optional<Finding> LossJump::finding(std::string_view metric) const
{
    if (!m_jump) {
        return std::nullopt;
    }
    Finding found;
    found.code = "health.jump";
    found.subject = found.metric = metric;
    found.at = m_jump->first.at;
    found.step = m_jump->first.step;
    found.line = m_jump->first.line;
    found.args = {{"before", m_jump->before}, {"value", m_jump->first.value}};
    return found;
}

} // namespace trainyard::health
