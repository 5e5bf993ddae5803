// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QHash>

namespace trainyard
{

// The findings of the last check of each host, which are shown while it is checked again. Values only.
class LastChecks
{
public:
    void setHosts(const QList<HostInfo> &hosts); // all, as they are now
    // The present host; findings of the last check remain until newer ones replace them.
    HostInfo shown(const HostInfo &now) const;

private:
    QHash<QString, HostInfo> m_checked; // each as it was when it was not being tried
};

} // namespace trainyard
