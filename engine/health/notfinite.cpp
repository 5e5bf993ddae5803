// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/health/notfinite.h"

#include <cmath>

namespace trainyard::health
{
namespace
{

constexpr int enoughOfLoss = 2;
constexpr int enoughOfNew = 3; // of a loss that never was a number
constexpr int enoughOfOther = 10;
constexpr int finiteEnough = 5;

} // namespace

void NotFinite::add(const Sample &sample)
{
    if (std::isfinite(sample.value)) {
        m_before = sample.value;
        ++m_finite;
        m_inRow = 0;
        if (++m_finiteInRow >= finiteEnough) {
            m_isFound = false;
        }
        return;
    }
    if (m_inRow == 0 && !m_isFound) {
        m_first = sample;
    }
    m_finiteInRow = 0;
    ++m_inRow;
    const int enough = !m_isLoss ? enoughOfOther : m_finite > 0 ? enoughOfLoss : enoughOfNew;
    m_isFound = m_isFound || (m_inRow >= enough && (m_isLoss || m_finite > 0));
}

std::optional<Finding> NotFinite::finding(std::string_view metric, bool isOver) const
{
    const bool endsSo = isOver && m_isLoss && m_finite > 0 && m_inRow > 0;
    if (!m_first || !(m_isFound || endsSo)) {
        return std::nullopt;
    }
    Finding found;
    found.code = "health.not-finite";
    found.subject = found.metric = metric;
    found.at = m_first->at;
    found.step = m_first->step;
    found.line = m_first->line;
    found.args.emplace_back("value", std::isnan(m_first->value) ? "NaN" : m_first->value > 0 ? "inf" : "-inf");
    if (m_before) {
        found.args.emplace_back("before", *m_before);
    }
    return found;
}

} // namespace trainyard::health
