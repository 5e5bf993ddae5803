// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

#include <algorithm>
#include <optional>

namespace trainyard
{

// How much the clock of a host is ahead, by the times that its samples say. Each is too small, by the time for which it
// was under way, so that the greatest difference is the best estimate. Only the last samples count: clocks are
// corrected, and a computer that was suspended reads late what was sent long before.
class ClockDifference
{
public:
    // The time that a sample says, less that of its arrival.
    void add(qint64 differenceMs)
    {
        if (m_last.size() >= mostSamples) {
            m_last.removeFirst();
        }
        m_last.append(differenceMs);
    }

    std::optional<qint64> aheadMs() const // nothing before the first sample
    {
        return m_last.isEmpty() ? std::nullopt : std::optional(*std::max_element(m_last.cbegin(), m_last.cend()));
    }

private:
    static constexpr qsizetype mostSamples = 30; // half a minute

    QList<qint64> m_last;
};

} // namespace trainyard
