// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/usage/usagerows.h"

namespace trainyard
{

QList<UsageRow> usageRows(const QList<UsageLane> &lanes, const QSet<QString> &unfolded)
{
    constexpr int shownOfHost = 8;
    QList<UsageRow> rows;
    for (qsizetype first = 0; first < lanes.size();) {
        const QString &host = lanes.at(first).host;
        qsizetype end = first + 1;
        while (end < lanes.size() && lanes.at(end).host == host) {
            ++end;
        }
        const int all = int(end - first);
        const bool isFoldable = lanes.at(first).gpu < 0 && all > shownOfHost + 1; // a fold takes a row, too
        const int hidden = isFoldable && !unfolded.contains(host) ? all - shownOfHost : 0;
        for (qsizetype lane = first; lane < end - hidden; ++lane) {
            rows.append(UsageRow{lane});
        }
        if (isFoldable) {
            rows.append(UsageRow{-1, host, all, hidden});
        }
        first = end;
    }
    return rows;
}

} // namespace trainyard
