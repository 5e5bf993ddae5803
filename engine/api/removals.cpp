// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/removals.h"

#include <algorithm>

namespace trainyard
{

RemovalOutlook outlookOf(const QList<PlannedRemoval> &removals)
{
    RemovalOutlook outlook;
    for (const PlannedRemoval &removal : removals) {
        outlook.from = outlook.jobs == 0 ? removal.due : std::min(outlook.from, removal.due);
        outlook.until = std::max(outlook.until, removal.due);
        ++outlook.jobs;
        outlook.bytes += removal.bytes;
        outlook.settings.append(removal.setting);
    }
    outlook.settings.sort();
    outlook.settings.removeDuplicates();
    return outlook;
}

} // namespace trainyard
