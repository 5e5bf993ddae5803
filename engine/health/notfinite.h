// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/health/finding.h"
#include "engine/health/sample.h"

#include <string_view>

namespace trainyard::health
{

// Values that are no longer numbers. A single one is a step that mixed precision skipped, and an infinity at the
// beginning is the best value of no values. So a loss counts if this happens twice in a row after it was a number, or
// at its end; other metrics count after ten times.
class NotFinite
{
public:
    explicit NotFinite(bool isLoss) : m_isLoss(isLoss) { }
    void add(const Sample &sample);
    std::optional<Finding> finding(std::string_view metric, bool isOver) const;

private:
    bool m_isLoss;
    std::int64_t m_finite = 0, m_inRow = 0, m_finiteInRow = 0;
    std::optional<Sample> m_first; // of those that are not numbers
    std::optional<double> m_before; // the last that was a number
    bool m_isFound = false;
};

} // namespace trainyard::health
