// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QHash>

namespace trainyard
{

// What the last check of each host has found, for while it is tried again. Values only.
class LastChecks
{
public:
    void setHosts(const QList<HostInfo> &hosts); // all, as they are now
    // The host as it is now; what the last check has found stands until there is something new in its place.
    HostInfo shown(const HostInfo &now) const;

private:
    QHash<QString, HostInfo> m_checked; // each as it was when it was not being tried
};

} // namespace trainyard
