// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/hostlabels.h"

#include "widgets/hosts/hostspane.h"

namespace trainyard
{

QList<HostInfo> withShownLabels(QList<HostInfo> hosts)
{
    for (HostInfo &host : hosts) {
        host.label = host.target.isEmpty() ? HostsPane::tr("This computer") : host.id;
    }
    return hosts;
}

QString labelAndAddress(const HostInfo &host)
{
    const bool hasOther = !host.target.isEmpty() && host.target != host.label;
    return hasOther ? host.label + u'\n' + host.target : host.label;
}

} // namespace trainyard
