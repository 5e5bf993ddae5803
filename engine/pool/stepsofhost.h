// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pool/poolhost.h"

namespace trainyard
{

// The steps of a connection, and those of what the host offers: `info` has all the rest of it already.
QList<HostStep> hostSteps(const PoolHost &host, const HostInfo &info);

// The step for a host that has the commands of a Slurm cluster that is not a target yet.
HostStep clusterStep(const PoolHost &host);

} // namespace trainyard
