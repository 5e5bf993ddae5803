// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/logruns.h"

#include <optional>
#include <vector>

namespace trainyard
{

// The stretches of which a log is made, with the times of the lines that were not finished by a line feed at that very
// moment: a line that nothing ends, and one whose line feed was written late. Pure: no file, no clock.
class TimedRuns
{
public:
    const LogRuns &runs() const { return m_runs; }
    qint64 lastNs() const { return m_lastNs; } // the time of the last line; 0: there is none
    // The time of the line that ends with this byte, if it is not the one at which that was written.
    std::optional<qint64> timeAt(qint64 offset) const;

    void append(int part, qint64 from, qint64 length, qint64 timeNs);
    void setTimeOfLast(qint64 timeNs); // the last byte ends a line of this time
    // No line feed follows the last byte in its file: the line ends there, and another one is below it.
    void endLine(qint64 timeNs);
    void breakLine(); // at once, after endLine()

private:
    struct LineTime {
        qint64 offset = 0;
        qint64 timeNs = 0;
    };
    LogRuns m_runs;
    std::vector<LineTime> m_times; // in ascending order
    std::optional<qint64> m_unbrokenNs; // a line was ended, and has no line feed yet
    qint64 m_lastNs = 0;
};

} // namespace trainyard
