// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/formertarget.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

QString formerTarget(const JobDetail &detail)
{
    const QString &target = detail.summary.target;
    if (!target.isEmpty() && target != "pool"_L1) {
        return target;
    }
    return detail.host.isEmpty() ? u"any"_s : detail.host;
}

bool isAwayTarget(const QString &target)
{
    return !target.isEmpty() && target != "pool"_L1 && target != "any"_L1 && target != "local"_L1;
}

} // namespace trainyard
