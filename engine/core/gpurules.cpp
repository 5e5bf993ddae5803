// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/gpurules.h"

#include "engine/core/weekhours.h"

#include <QRegularExpression>

#include <climits>

using namespace Qt::StringLiterals;

namespace trainyard::core
{
namespace
{

struct Span {
    QString gpu;
    WeekSpan hours;
};

std::optional<Span> spanOf(const QString &text)
{
    static const QRegularExpression shape(u"\\A\\s*(\\S+)\\s+(.+)\\z"_s);
    const QRegularExpressionMatch match = shape.match(text);
    const std::optional<WeekSpan> hours = match.hasMatch() ? weekSpan(match.captured(2)) : std::nullopt;
    return hours ? std::optional(Span{match.captured(1), *hours}) : std::nullopt;
}

bool isNamed(const QString &word, const QString &host, int index, const QString &uuid)
{
    const QString number = QString::number(index);
    return (!uuid.isEmpty() && word.compare(uuid, Qt::CaseInsensitive) == 0) || word == QString(host + u':' + number)
        || (host == "local"_L1 && word == number);
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
    WeekHours hours;
    for (const QString &text : rules.hours) {
        if (const std::optional<Span> span = spanOf(text); span && isNamed(span->gpu, host, index, uuid)) {
            hours.push_back(span->hours);
        }
    }
    // Another span may begin where one ends: users want to know when the GPU is free.
    const std::optional<HoursEnd> end = hoursEnd(hours, now);
    return end ? std::optional(GpuKept{end->never, end->until}) : std::nullopt;
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
