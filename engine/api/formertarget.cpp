// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/formertarget.h"

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr QLatin1StringView pool{"pool"}, anywhere{"any"}, thisComputer{"local"};

} // namespace

QString formerTarget(const JobDetail &detail)
{
    const QString &target = detail.summary.target;
    if (!target.isEmpty() && target != pool) {
        return target;
    }
    return detail.host.isEmpty() ? QString(anywhere) : detail.host;
}

bool isAwayTarget(const QString &target)
{
    return !target.isEmpty() && target != pool && target != anywhere && target != thisComputer;
}

} // namespace trainyard
