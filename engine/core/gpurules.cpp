// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/gpurules.h"

#include <QRegularExpression>

#include <climits>

using namespace Qt::StringLiterals;

namespace trainyard::core
{
namespace
{

struct Span {
    QString gpu;
    int from = 0, until = 0; // minutes of the day; until at or before from: over midnight
    int firstDay = 1, lastDay = 7; // Monday is 1; last before first: over Sunday
    QString untilText;
};

int dayOf(const QString &word)
{
    static const QStringList days{u"mon"_s, u"tue"_s, u"wed"_s, u"thu"_s, u"fri"_s, u"sat"_s, u"sun"_s};
    return int(days.indexOf(word.toLower())) + 1;
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
    if (span.from > 24 * 60 || span.until > 24 * 60) {
        return std::nullopt;
    }
    if (!match.captured(6).isEmpty()) {
        span.firstDay = dayOf(match.captured(6));
        span.lastDay = match.captured(7).isEmpty() ? span.firstDay : dayOf(match.captured(7));
        if (span.firstDay == 0 || span.lastDay == 0) {
            return std::nullopt;
        }
    }
    span.untilText
        = u"%1:%2"_s.arg(span.until / 60, 2, 10, QLatin1Char('0')).arg(span.until % 60, 2, 10, QLatin1Char('0'));
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

// A span over midnight belongs to the day on which it begins.
bool contains(const Span &span, const QDateTime &now)
{
    const int minute = now.time().hour() * 60 + now.time().minute();
    const int day = now.date().dayOfWeek();
    if (span.from < span.until) {
        return hasDay(span, day) && minute >= span.from && minute < span.until;
    }
    return (hasDay(span, day) && minute >= span.from) || (hasDay(span, day == 1 ? 7 : day - 1) && minute < span.until);
}

} // namespace

bool isGpuHours(const QString &text) { return spanOf(text).has_value(); }

std::optional<GpuKept> gpuKept(
    const GpuRules &rules, const QString &host, int index, const QString &uuid, const QDateTime &now)
{
    for (const QString &word : rules.excluded) {
        if (isNamed(word, host, index, uuid)) {
            return GpuKept{true, {}};
        }
    }
    for (const QString &text : rules.hours) {
        const std::optional<Span> span = spanOf(text);
        if (span && isNamed(span->gpu, host, index, uuid) && contains(*span, now)) {
            return GpuKept{false, span->untilText};
        }
    }
    return std::nullopt;
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
