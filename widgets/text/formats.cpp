// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/formats.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard
{

namespace
{

struct Formats {
    Q_DECLARE_TR_FUNCTIONS(Formats)
};

QString twoDigits(qint64 number) { return QStringLiteral("%1").arg(number, 2, 10, QLatin1Char('0')); }

// `value` of units 1024 apart, starting with units[0]; one digit after the point below 10 unless it is whole.
QString scaled(double value, std::initializer_list<const char *> units)
{
    auto unit = units.begin();
    while (value >= 1024 && unit + 1 != units.end()) {
        value /= 1024;
        ++unit;
    }
    const bool whole = value == double(qint64(value));
    const QString number = QLocale().toString(value, 'f', whole || value >= 100 ? 0 : 1);
    return Formats::tr("%1 %2").arg(number, Formats::tr(*unit));
}

} // namespace

QString formatDuration(qint64 milliseconds)
{
    const qint64 ms = std::max<qint64>(milliseconds, 0);
    const qint64 seconds = ms / 1000;
    const qint64 minutes = seconds / 60;
    const qint64 hours = minutes / 60;
    const qint64 days = hours / 24;
    if (seconds < 10) {
        return Formats::tr("%1 s").arg(QLocale().toString(std::floor(double(ms) / 100) / 10, 'f', 1));
    }
    if (minutes == 0) {
        return Formats::tr("%1 s").arg(seconds);
    }
    if (hours == 0) {
        return Formats::tr("%1 min %2 s").arg(QString::number(minutes), twoDigits(seconds % 60));
    }
    if (days == 0) {
        return Formats::tr("%1 h %2 min").arg(QString::number(hours), twoDigits(minutes % 60));
    }
    return Formats::tr("%1 d %2 h").arg(QString::number(days), QString::number(hours % 24));
}

QString formatRoughDuration(qint64 milliseconds)
{
    const qint64 seconds = std::max<qint64>(milliseconds, 0) / 1000;
    if (seconds < 60) {
        return Formats::tr("%1 s").arg(seconds);
    }
    if (seconds < 3600 && seconds % 60 == 0) {
        return Formats::tr("%1 min").arg(seconds / 60);
    }
    if (seconds >= 3600 && seconds < 86'400 && seconds / 60 % 60 == 0) {
        return Formats::tr("%1 h").arg(seconds / 3600);
    }
    if (seconds >= 86'400 && seconds / 3600 % 24 == 0) {
        return Formats::tr("%1 d").arg(seconds / 86'400);
    }
    return formatDuration(milliseconds);
}

QString formatHours(qint64 milliseconds)
{
    constexpr double msOfHour = 3'600'000;
    return QLocale().toString(double(milliseconds) / msOfHour, 'f', 1);
}

QString formatMiB(qint64 mebibytes)
{
    return scaled(double(mebibytes),
        {QT_TRANSLATE_NOOP("Formats", "MiB"), QT_TRANSLATE_NOOP("Formats", "GiB"),
            QT_TRANSLATE_NOOP("Formats", "TiB")});
}

QString formatBytes(qint64 bytes)
{
    return scaled(double(bytes),
        {QT_TRANSLATE_NOOP("Formats", "B"), QT_TRANSLATE_NOOP("Formats", "KiB"), QT_TRANSLATE_NOOP("Formats", "MiB"),
            QT_TRANSLATE_NOOP("Formats", "GiB"), QT_TRANSLATE_NOOP("Formats", "TiB")});
}

QString formatCores(qint64 count) { return count == 1 ? Formats::tr("1 core") : Formats::tr("%1 cores").arg(count); }

QString formatTime(qint64 utcMilliseconds, qint64 now)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(utcMilliseconds);
    const QDateTime today = QDateTime::fromMSecsSinceEpoch(now);
    const QLocale locale;
    if (time.date() == today.date()) {
        return time.toString(QStringLiteral("HH:mm:ss"));
    }
    if (time.date().year() == today.date().year()) {
        return locale.toString(time, Formats::tr("d MMM HH:mm"));
    }
    return locale.toString(time, Formats::tr("d MMM yyyy HH:mm"));
}

QString isoTimeWithMs(qint64 utcMilliseconds)
{
    return QDateTime::fromMSecsSinceEpoch(utcMilliseconds, Qt::UTC).toString(Qt::ISODateWithMs);
}

} // namespace trainyard
