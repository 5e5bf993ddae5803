// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/gpurules.h"

#include <QRegularExpression>

#include <climits>
#include <vector>

using namespace Qt::StringLiterals;

namespace trainyard::core
{
namespace
{

struct Span {
    QString gpu;
    int from = 0, until = 0; // minutes of the day; until at or before from: over midnight
    int firstDay = 1, lastDay = 7; // Monday is 1; last before first: over Sunday
};

constexpr int minutesOfDay = 24 * 60;

const QStringList &weekdays()
{
    static const QStringList days{u"Mon"_s, u"Tue"_s, u"Wed"_s, u"Thu"_s, u"Fri"_s, u"Sat"_s, u"Sun"_s};
    return days;
}

int dayOf(const QString &word)
{
    const QString name = word.left(1).toUpper() + word.mid(1).toLower();
    return int(weekdays().indexOf(name)) + 1;
}

std::optional<Span> spanOf(const QString &text)
{
    static const QRegularExpression shape(
        u"\\A\\s*(\\S+)\\s+([01]?\\d|2[0-4])(?::([0-5]\\d))?\\s*-\\s*([01]?\\d|2[0-4])(?::([0-5]\\d))?"
        "(?:\\s+([A-Za-z]{3})(?:\\s*-\\s*([A-Za-z]{3}))?)?\\s*\\z"_s);
    const QRegularExpressionMatch match = shape.match(text);
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    Span span;
    span.gpu = match.captured(1);
    span.from = match.captured(2).toInt() * 60 + match.captured(3).toInt();
    span.until = match.captured(4).toInt() * 60 + match.captured(5).toInt();
    if (span.from > minutesOfDay || span.until > minutesOfDay) {
        return std::nullopt;
    }
    if (!match.captured(6).isEmpty()) {
        span.firstDay = dayOf(match.captured(6));
        span.lastDay = match.captured(7).isEmpty() ? span.firstDay : dayOf(match.captured(7));
        if (span.firstDay == 0 || span.lastDay == 0) {
            return std::nullopt;
        }
    }
    return span;
}

bool isNamed(const QString &word, const QString &host, int index, const QString &uuid)
{
    const QString number = QString::number(index);
    return (!uuid.isEmpty() && word.compare(uuid, Qt::CaseInsensitive) == 0) || word == QString(host + u':' + number)
        || (host == "local"_L1 && word == number);
}

bool hasDay(const Span &span, int day)
{
    return span.firstDay <= span.lastDay ? day >= span.firstDay && day <= span.lastDay
                                         : day >= span.firstDay || day <= span.lastDay;
}

// Until which minute, counted from the beginning of a day, a span lasts that covers a given minute of it; nothing when
// it does not cover that. A span over midnight belongs to the day on which it begins.
std::optional<int> heldUntil(const Span &span, int day, int minute)
{
    if (span.from < span.until) {
        return hasDay(span, day) && minute >= span.from && minute < span.until ? std::optional(span.until)
                                                                               : std::nullopt;
    }
    if (hasDay(span, day) && minute >= span.from) {
        return span.until + minutesOfDay;
    }
    return hasDay(span, day == 1 ? 7 : day - 1) && minute < span.until ? std::optional(span.until) : std::nullopt;
}

// Another span may begin where one ends: users want to know when the GPU is free.
std::optional<GpuKept> keptByHours(const std::vector<Span> &spans, const QDateTime &now)
{
    const int today = now.date().dayOfWeek();
    const int begin = now.time().hour() * 60 + now.time().minute();
    int end = begin;
    for (bool isHeld = true; isHeld;) {
        isHeld = false;
        for (const Span &span : spans) {
            const int passed = end / minutesOfDay;
            if (const std::optional<int> until = heldUntil(span, (today - 1 + passed) % 7 + 1, end % minutesOfDay)) {
                end = passed * minutesOfDay + *until;
                isHeld = true;
            }
        }
        if (end >= begin + 7 * minutesOfDay) {
            return GpuKept{true, {}}; // the week has no other hours
        }
    }
    if (end == begin) {
        return std::nullopt;
    }
    const int minute = (end - 1) % minutesOfDay + 1; // the day ends at 24:00
    const QString time = u"%1:%2"_s.arg(minute / 60, 2, 10, QLatin1Char('0')).arg(minute % 60, 2, 10, QLatin1Char('0'));
    const bool isFar = end > begin + minutesOfDay;
    return GpuKept{false, isFar ? weekdays().at((today - 1 + (end - 1) / minutesOfDay) % 7) + u' ' + time : time};
}

} // namespace

std::optional<GpuKept> gpuKept(
    const GpuRules &rules, const QString &host, int index, const QString &uuid, const QDateTime &now)
{
    for (const QString &word : rules.excluded) {
        if (isNamed(word, host, index, uuid)) {
            return GpuKept{true, {}};
        }
    }
    std::vector<Span> spans;
    for (const QString &text : rules.hours) {
        if (const std::optional<Span> span = spanOf(text); span && isNamed(span->gpu, host, index, uuid)) {
            spans.push_back(*span);
        }
    }
    return keptByHours(spans, now);
}

int gpuRank(const GpuRules &rules, const QString &host, int index, const QString &uuid)
{
    for (qsizetype i = 0; i < rules.preferred.size(); ++i) {
        if (isNamed(rules.preferred.at(i), host, index, uuid)) {
            return int(i);
        }
    }
    return INT_MAX;
}

} // namespace trainyard::core
