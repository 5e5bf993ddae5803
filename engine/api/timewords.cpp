// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/timewords.h"

#include <QDateTime>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trainyard
{

std::optional<qint64> durationOf(const QString &text)
{
    static const QRegularExpression pattern(u"\\A(\\d{1,9})([smhdw]?)\\z"_s);
    const QRegularExpressionMatch match = pattern.match(text);
    if (!match.hasMatch() || lacksUnit(text)) {
        return std::nullopt;
    }
    const QString unit = match.captured(2);
    const qint64 seconds = unit == "w"_L1 ? 604800
        : unit == "d"_L1                  ? 86400
        : unit == "h"_L1                  ? 3600
        : unit == "m"_L1                  ? 60
                                          : 1;
    return match.captured(1).toLongLong() * seconds;
}

bool lacksUnit(const QString &text)
{
    static const QRegularExpression pattern(u"\\A\\d{1,9}\\z"_s);
    return pattern.match(text).hasMatch() && text.toLongLong() != 0;
}

std::optional<qint64> timeOf(const QString &text, qint64 now)
{
    if (const std::optional<qint64> seconds = durationOf(text)) {
        return now - *seconds * 1000;
    }
    QDateTime time = QDateTime::fromString(text, Qt::ISODate);
    if (!time.isValid()) {
        time = QDateTime::fromString(QString(text).replace(u' ', u'T'), Qt::ISODate);
    }
    return time.isValid() ? std::optional(time.toMSecsSinceEpoch()) : std::nullopt;
}

} // namespace trainyard
