// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/timespans.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <array>
#include <cmath>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr std::array<qint64, 4> secondsOfUnits{86'400, 3600, 60, 1};
constexpr double mostSeconds = 10.0 * 365 * 86'400;

struct TimeSpans {
    Q_DECLARE_TR_FUNCTIONS(TimeSpans)
};

} // namespace

std::optional<qint64> parseSpan(const QString &text)
{
    static const QRegularExpression bare(u"\\A\\d+\\z"_s), clock(u"\\A(\\d+):([0-5]\\d):([0-5]\\d)\\z"_s),
        units(u"\\A(?:(\\d+(?:\\.\\d+)?)\\s*d(?:ays?)?)?\\s*(?:(\\d+(?:\\.\\d+)?)\\s*h(?:ours?)?)?\\s*"
              "(?:(\\d+(?:\\.\\d+)?)\\s*m(?:in(?:utes?)?)?)?\\s*(?:(\\d+(?:\\.\\d+)?)\\s*s(?:ec(?:onds?)?)?)?\\z"_s,
            QRegularExpression::CaseInsensitiveOption);
    const QString words = text.trimmed();
    double seconds = 0;
    if (words.isEmpty()) {
        return std::nullopt;
    }
    if (bare.match(words).hasMatch()) {
        seconds = words.toDouble();
    } else if (const QRegularExpressionMatch times = clock.match(words); times.hasMatch()) {
        seconds = times.captured(1).toDouble() * 3600 + times.captured(2).toInt() * 60 + times.captured(3).toInt();
    } else if (const QRegularExpressionMatch parts = units.match(words); parts.hasMatch()) {
        for (int i = 0; i < int(secondsOfUnits.size()); ++i) {
            seconds += parts.captured(i + 1).toDouble() * double(secondsOfUnits.at(std::size_t(i)));
        }
    } else {
        return std::nullopt;
    }
    if (seconds > mostSeconds || std::abs(seconds - std::round(seconds)) > 1e-6) {
        return std::nullopt;
    }
    return qint64(std::llround(seconds));
}

QString formatSpan(qint64 seconds)
{
    const std::array<QString, 4> forms{
        TimeSpans::tr("%1 d"), TimeSpans::tr("%1 h"), TimeSpans::tr("%1 min"), TimeSpans::tr("%1 s")};
    QStringList parts;
    qint64 rest = seconds;
    for (std::size_t i = 0; i < secondsOfUnits.size(); ++i) {
        if (const qint64 count = rest / secondsOfUnits.at(i); count > 0) {
            parts.append(forms.at(i).arg(count));
            rest -= count * secondsOfUnits.at(i);
        }
    }
    return parts.isEmpty() ? forms.back().arg(rest) : parts.join(u' ');
}

} // namespace trainyard
