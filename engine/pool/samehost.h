// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

namespace trainyard
{

// Whether two agents speak for one account of one machine: they share the folder there, so that each has the processor
// and the GPUs of the other, and cleans up what belongs to the other. Copies of one system may have the same machine
// id, and containers on one computer its boot: all of it has to be the same.
inline bool areSameHost(const contract::HelloReply &a, const contract::HelloReply &b)
{
    return !a.machineId.empty() && a.machineId == b.machineId && a.bootId == b.bootId && a.host == b.host
        && a.uid == b.uid && a.user == b.user && a.stateFolder == b.stateFolder;
}

} // namespace trainyard
