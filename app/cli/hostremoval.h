// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/hostsline.h"

namespace trainyard::cli
{

// Removes from a host what no job of the list needs there, or the host itself from the list. Each returns the exit
// status.
int runHostsClean(const HostsValues &values);
int runHostsRemove(const HostsValues &values);

} // namespace trainyard::cli
