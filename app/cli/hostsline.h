// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commandline.h"
#include "app/cli/session.h"

#include <QStringList>

namespace trainyard::cli
{

struct HostsValues {
    QStringList words;
    QString name;
    QStringList removed; // labels
    bool json = false, force = false, all = false, clean = false, off = false;
};
const CommandLine<HostsValues> &hostsLine();

// Connects; the questions of ssh are asked here when a host is to be reached.
int connectForHosts(Session &session, bool reachesHost);

} // namespace trainyard::cli
