// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/lineprefix.h"

#include <cstdlib>

namespace trainyard
{

QString spanText(qint64 ns)
{
    const qint64 ms = ns / 1'000'000;
    const qint64 away = std::abs(ms);
    return QStringLiteral("%1%2:%3:%4.%5")
        .arg(ms < 0 ? QStringLiteral("-") : QStringLiteral("+"))
        .arg(away / 3'600'000)
        .arg(away / 60'000 % 60, 2, 10, QLatin1Char('0'))
        .arg(away / 1000 % 60, 2, 10, QLatin1Char('0'))
        .arg(away % 1000, 3, 10, QLatin1Char('0'));
}

QByteArray LinePrefix::of(const LogSource::Origin &origin, qint64 startNs, qint64 beforeNs)
{
    if (origin.part >= m_parts.size()) {
        return {};
    }
    QByteArray prefix;
    switch (m_times) {
    case LogTimes::Clock:
        prefix = m_clock.text(origin.timeNs) + ' ';
        break;
    case LogTimes::SinceStart:
        prefix = spanText(origin.timeNs - startNs).toLatin1() + ' ';
        break;
    case LogTimes::SinceLast:
        prefix = spanText(origin.timeNs - beforeNs).toLatin1() + ' ';
        break;
    case LogTimes::None:
        break;
    }
    return prefix + m_parts.at(origin.part).label.toUtf8() + " | ";
}

} // namespace trainyard
