// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/loglayout.h"
#include "widgets/text/linetimes.h"

namespace trainyard
{

// "+0:01:02.345"
QString spanText(qint64 ns);

// What stands before the lines of several tasks when they leave the view as text, as the view shows it: the time, if
// times are shown, and the name of the task. The lines of one task have nothing before them.
class LinePrefix
{
public:
    LinePrefix() = default;
    LinePrefix(const QList<LogPart> &parts, LogTimes times) : m_parts(parts), m_times(times) { }
    bool isEmpty() const { return m_parts.isEmpty(); }
    // `startNs`: when the first line of the log was written; `beforeNs`: the line before this one.
    QByteArray of(const LogSource::Origin &origin, qint64 startNs, qint64 beforeNs);

private:
    QList<LogPart> m_parts;
    LogTimes m_times = LogTimes::None;
    LineTimes m_clock;
};

} // namespace trainyard
