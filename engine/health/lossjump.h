// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/health/finding.h"
#include "engine/health/sample.h"

#include <string_view>
#include <vector>

namespace trainyard::health
{

// A loss that has left the band in which it was: several values in a row far above the recent ones, by their median and
// their usual distance from it. It is forgotten when the loss is back.
class LossJump
{
public:
    void add(const Sample &sample);
    std::optional<Finding> finding(std::string_view metric) const;

private:
    void begin(); // what was before says nothing about what comes
    void remember(double value);
    bool isUsual(double value) const; // and therefore not above limit(), for sure
    double limit() const; // above it a value is far off

    std::vector<double> m_recent; // a ring
    std::size_t m_next = 0;
    std::vector<Sample> m_above; // in a row, and not sure yet
    std::optional<double> m_step, m_epoch; // the last
    struct Jump {
        Sample first;
        double before = 0, back = 0; // the median, and below what it is over
    };
    std::optional<Jump> m_jump;
    int m_backInRow = 0;
};

} // namespace trainyard::health
