// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/health/finding.h"

#include <deque>

namespace trainyard::health
{

// The recent use of one GPU of a task, second by second.
class GpuUse
{
public:
    void add(std::int64_t at, double percent);
    // Adds values from before all others: the maximum of some seconds, whose single values are no longer known.
    void addOld(std::int64_t at, double percent);

    // Since when it has done nothing at all, ms UTC; nothing when it works, or has not been looked at for a while.
    std::optional<std::int64_t> idleSince() const { return m_zeroSince; }
    std::int64_t lookedAt() const { return m_samples.empty() ? 0 : m_samples.back().at; }
    bool wasUsed() const { return m_wasUsed; }

    // If work and waits alternate, the share of the last minutes in which it worked, in percent; otherwise nothing.
    std::optional<double> sawTooth() const;
    std::int64_t windowFrom() const { return m_samples.empty() ? 0 : m_samples.front().at; }

private:
    struct Use {
        std::int64_t at = 0;
        double percent = 0;
    };
    std::deque<Use> m_samples; // of the last minutes
    std::optional<std::int64_t> m_zeroSince;
    std::optional<std::int64_t> m_oldAt; // the newest of what is old
    bool m_wasUsed = false;
};

} // namespace trainyard::health
