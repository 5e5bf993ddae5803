// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/weekhours.h"

#include <QRegularExpression>
#include <QStringList>

using namespace Qt::StringLiterals;

namespace trainyard::core
{
namespace
{

constexpr int minutesOfDay = 24 * 60;
constexpr int daysOfWeek = 7;

const QStringList &dayNames()
{
    static const QStringList days{
        u"monday"_s, u"tuesday"_s, u"wednesday"_s, u"thursday"_s, u"friday"_s, u"saturday"_s, u"sunday"_s};
    return days;
}

QString shortDay(int day)
{
    const QString &name = dayNames().at(day - 1);
    return name.left(1).toUpper() + name.mid(1, 2);
}

// 0: no such day.
int dayNamed(const QString &word)
{
    constexpr int leastLetters = 2;
    for (int day = 1; word.size() >= leastLetters && day <= daysOfWeek; ++day) {
        if (dayNames().at(day - 1).startsWith(word, Qt::CaseInsensitive)) {
            return day;
        }
    }
    return 0;
}

QString clockTime(int minute)
{
    return u"%1:%2"_s.arg(minute / 60, 2, 10, QLatin1Char('0')).arg(minute % 60, 2, 10, QLatin1Char('0'));
}

bool hasDay(const WeekSpan &span, int day)
{
    return span.firstDay <= span.lastDay ? day >= span.firstDay && day <= span.lastDay
                                         : day >= span.firstDay || day <= span.lastDay;
}

// Until which minute, counted from the beginning of a day, a span lasts that covers a given minute of it; nothing when
// it does not cover that. A span over midnight belongs to the day on which it begins.
std::optional<int> coveredUntil(const WeekSpan &span, int day, int minute)
{
    if (span.from < span.until) {
        return hasDay(span, day) && minute >= span.from && minute < span.until ? std::optional(span.until)
                                                                               : std::nullopt;
    }
    if (hasDay(span, day) && minute >= span.from) {
        return span.until + minutesOfDay;
    }
    return hasDay(span, day == 1 ? daysOfWeek : day - 1) && minute < span.until ? std::optional(span.until)
                                                                                : std::nullopt;
}

// The end of the hours that cover a minute of a day, in minutes since the beginning of that day: the minute itself when
// none does. Nothing when they cover the whole week.
std::optional<int> endOf(const WeekHours &hours, int today, int begin)
{
    int end = begin;
    for (bool isCovered = true; isCovered;) {
        isCovered = false;
        for (const WeekSpan &span : hours) {
            const int passed = end / minutesOfDay;
            const int day = (today - 1 + passed) % daysOfWeek + 1;
            if (const std::optional<int> until = coveredUntil(span, day, end % minutesOfDay)) {
                end = passed * minutesOfDay + *until;
                isCovered = true;
            }
        }
        if (end >= begin + daysOfWeek * minutesOfDay) {
            return std::nullopt;
        }
    }
    return end;
}

} // namespace

std::optional<WeekSpan> weekSpan(const QString &text)
{
    static const QString time = u"([01]?\\d|2[0-4])(?::([0-5]\\d))?"_s;
    static const QString days = u"([A-Za-z]+)(?:\\s*-\\s*([A-Za-z]+))?"_s;
    static const QRegularExpression shape(
        u"\\A\\s*(?:"_s + days + u"\\s+)?"_s + time + u"\\s*-\\s*"_s + time + u"(?:\\s+"_s + days + u")?\\s*\\z"_s);
    const QRegularExpressionMatch match = shape.match(text);
    const bool before = !match.captured(1).isEmpty();
    const bool after = !match.captured(7).isEmpty();
    if (!match.hasMatch() || (before && after)) {
        return std::nullopt;
    }
    WeekSpan span;
    span.from = match.captured(3).toInt() * 60 + match.captured(4).toInt();
    span.until = match.captured(5).toInt() * 60 + match.captured(6).toInt();
    if (span.from > minutesOfDay || span.until > minutesOfDay) {
        return std::nullopt;
    }
    if (before || after) {
        const QString last = match.captured(before ? 2 : 8);
        span.firstDay = dayNamed(match.captured(before ? 1 : 7));
        span.lastDay = last.isEmpty() ? span.firstDay : dayNamed(last);
        if (span.firstDay == 0 || span.lastDay == 0) {
            return std::nullopt;
        }
    }
    return span;
}

std::optional<WeekHours> weekHours(const QString &text)
{
    static const QRegularExpression between(u"[;,]"_s);
    WeekHours hours;
    const QStringList parts = text.split(between);
    for (const QString &part : parts) {
        const std::optional<WeekSpan> span = weekSpan(part);
        if (!span) {
            return std::nullopt;
        }
        hours.push_back(*span);
    }
    return hours;
}

QString weekHoursText(const WeekHours &hours)
{
    QStringList parts;
    for (const WeekSpan &span : hours) {
        const QString time = clockTime(span.from) + u'-' + clockTime(span.until);
        const bool isEveryDay = span.lastDay == (span.firstDay == 1 ? daysOfWeek : span.firstDay - 1);
        const QString days = span.firstDay == span.lastDay ? shortDay(span.firstDay)
                                                           : shortDay(span.firstDay) + u'-' + shortDay(span.lastDay);
        parts.append(isEveryDay ? time : days + u' ' + time);
    }
    return parts.join(u"; "_s);
}

std::optional<HoursEnd> hoursEnd(const WeekHours &hours, const QDateTime &now)
{
    const int today = now.date().dayOfWeek();
    const int begin = now.time().hour() * 60 + now.time().minute();
    const std::optional<int> end = endOf(hours, today, begin);
    if (!end) {
        return HoursEnd{true, {}};
    }
    if (*end == begin) {
        return std::nullopt;
    }
    const QString time = clockTime((*end - 1) % minutesOfDay + 1); // the day ends at 24:00
    const bool isFar = *end > begin + minutesOfDay;
    const int day = (today - 1 + (*end - 1) / minutesOfDay) % daysOfWeek + 1;
    return HoursEnd{false, isFar ? QString(shortDay(day) + u' ' + time) : time};
}

bool isWholeWeek(const WeekHours &hours) { return !endOf(hours, 1, 0); }

} // namespace trainyard::core
