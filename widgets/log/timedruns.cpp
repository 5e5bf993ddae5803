// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/timedruns.h"

#include <algorithm>

namespace trainyard
{

std::optional<qint64> TimedRuns::timeAt(qint64 offset) const
{
    const auto at = std::lower_bound(m_times.cbegin(), m_times.cend(), offset,
        [](const LineTime &each, qint64 wanted) { return each.offset < wanted; });
    return at != m_times.cend() && at->offset == offset ? std::optional(at->timeNs) : std::nullopt;
}

void TimedRuns::append(int part, qint64 from, qint64 length, qint64 timeNs)
{
    breakLine();
    m_runs.append(part, from, length);
    m_lastNs = timeNs;
}

void TimedRuns::setTimeOfLast(qint64 timeNs)
{
    m_times.push_back({m_runs.size() - 1, timeNs});
    m_lastNs = timeNs;
}

void TimedRuns::endLine(qint64 timeNs)
{
    setTimeOfLast(timeNs);
    m_unbrokenNs = timeNs;
}

void TimedRuns::breakLine()
{
    if (m_unbrokenNs) {
        m_runs.appendBreak();
        setTimeOfLast(*m_unbrokenNs);
        m_unbrokenNs.reset();
    }
}

} // namespace trainyard
