// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <optional>

namespace trainyard::cli
{

// The table of hosts, and all that is known of one: the steps of the way to it with what was found.
void outHosts(const QList<HostInfo> &hosts);
void outHostReport(const HostInfo &host);

// Says what came of connecting to a host, and returns the exit status. Nothing: it has not answered. `more` follows
// what is wrong.
enum class ToldOfHost { All, Troubles };
int sayOutcome(const QString &id, const std::optional<HostInfo> &host, const QString &more = {},
    ToldOfHost told = ToldOfHost::All);

} // namespace trainyard::cli
