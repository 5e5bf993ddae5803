// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>

#include <optional>
#include <vector>

namespace trainyard::core
{

// Hours that come again each week, by the local clock.
struct WeekSpan {
    int from = 0, until = 0; // minutes of the day; until at or before from: over midnight
    int firstDay = 1, lastDay = 7; // on which it begins; Monday is 1, last before first: over Sunday
    friend bool operator==(const WeekSpan &, const WeekSpan &) = default;
};
using WeekHours = std::vector<WeekSpan>;

// "Mo-Fr 09:00-17:00": days in English by at least two letters, before or after the hours; without days, every day.
std::optional<WeekSpan> weekSpan(const QString &text);
// Several spans, separated by ';' or ','. Nothing when there is none, or when one is wrong.
std::optional<WeekHours> weekHours(const QString &text);
QString weekHoursText(const WeekHours &hours); // "Mon-Fri 09:00-17:00; Sat 22:00-06:00"

struct HoursEnd {
    bool never = false; // the week has no other hours
    QString until; // "18:00", "Fri 24:00" when that is more than a day away
    friend bool operator==(const HoursEnd &, const HoursEnd &) = default;
};
// When the hours are over in which `now`, a local time, is: where one span ends, another may continue. Nothing when
// `now` is in none of them.
std::optional<HoursEnd> hoursEnd(const WeekHours &hours, const QDateTime &now);
bool isWholeWeek(const WeekHours &hours);

} // namespace trainyard::core
