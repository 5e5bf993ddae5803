// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

// "0.4 s", "12 s", "3 min 05 s", "2 h 07 min", "4 d 3 h": at most two units, rounded down, never negative.
QString formatDuration(qint64 milliseconds);
// The same of what is known roughly: a second unit of zero is left out ("30 min").
QString formatRoughDuration(qint64 milliseconds);
// "1.5": as hours with one decimal, which counts of times are compared in.
QString formatHours(qint64 milliseconds);
// "512 MiB", "1.5 GiB", "64 GiB", "2 TiB".
QString formatMiB(qint64 mebibytes);
// "17 B", "4.0 KiB", "1.2 GiB".
QString formatBytes(qint64 bytes);
// "1 core", "8 cores".
QString formatCores(qint64 count);
// The local date and time in the shortest form that is clear beside `now`: "14:05:09" today, "3 Mar 14:05" this year,
// else with the year.
QString formatTime(qint64 utcMilliseconds, qint64 now);
// "2026-03-14T13:05:09.120Z", for programs.
QString isoTimeWithMs(qint64 utcMilliseconds);

} // namespace trainyard
