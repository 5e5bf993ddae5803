// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/linetimes.h"

#include <QDateTime>

namespace trainyard
{

// To make local time of a number takes longer than all else that is done with a line, so it is done once for a second.
QByteArray LineTimes::text(qint64 timeNs)
{
    constexpr qint64 nsOfMs = 1'000'000;
    constexpr qsizetype length = 23; // of a time
    if (timeNs <= 0) { // the log has no index
        return QByteArray(length, '-');
    }
    const qint64 ms = timeNs / nsOfMs;
    if (const qint64 second = ms / 1000; second != m_second) {
        m_second = second;
        m_text
            = QDateTime::fromMSecsSinceEpoch(second * 1000).toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss.")).toLatin1();
    }
    return m_text + QByteArray::number(1000 + ms % 1000).sliced(1);
}

} // namespace trainyard
