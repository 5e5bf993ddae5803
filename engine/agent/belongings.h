// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <sys/types.h>

#include <string>

namespace trainyard::agent
{

// What Trainyard has on this host: folders of jobs and contents of their code below the state folder, and the helpers
// beside the one that runs as `own`. Removes first what the request wants to go. Takes as long as the file system does,
// so it is done by a process of its own (SideProcesses).
contract::Belongings belongings(const std::string &stateFolder, pid_t own, const contract::LookThrough &request);

} // namespace trainyard::agent
