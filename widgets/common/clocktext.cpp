// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/clocktext.h"

#include <QCoreApplication>

#include <algorithm>

namespace trainyard
{

QString clockText(qint64 milliseconds)
{
    const qint64 seconds = std::max<qint64>(0, milliseconds) / 1000;
    const auto two = [](qint64 n) { return QStringLiteral("%1").arg(n, 2, 10, QLatin1Char('0')); };
    const qint64 hours = seconds / 3600;
    if (hours >= 24) {
        return QCoreApplication::translate("ClockText", "%1 d %2:%3")
            .arg(QString::number(hours / 24), QString::number(hours % 24), two(seconds / 60 % 60));
    }
    if (hours > 0) {
        return QStringLiteral("%1:%2:%3").arg(QString::number(hours), two(seconds / 60 % 60), two(seconds % 60));
    }
    return QStringLiteral("%1:%2").arg(QString::number(seconds / 60), two(seconds % 60));
}

} // namespace trainyard
