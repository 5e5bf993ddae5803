// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/hostlabels.h"

#include "widgets/hosts/hostspane.h"

#include <QHash>

#include <utility>

namespace trainyard
{

QList<HostInfo> withDistinctLabels(QList<HostInfo> hosts)
{
    QHash<QString, int> bearers;
    for (const HostInfo &host : std::as_const(hosts)) {
        ++bearers[host.label];
    }
    for (HostInfo &host : hosts) {
        if (host.target.isEmpty()) {
            host.label = HostsPane::tr("This computer"); // by one name everywhere
            continue;
        }
        if (bearers.value(host.label) > 1) {
            host.label = HostsPane::tr("%1 (%2)").arg(host.label, host.id);
        }
    }
    return hosts;
}

} // namespace trainyard
