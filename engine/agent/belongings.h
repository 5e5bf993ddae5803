// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <sys/types.h>

#include <string>

namespace trainyard::agent
{

// Lists what Trainyard has on this host: folders of jobs and contents of their code below the state folder, and the
// helpers beside the one that runs as `own`. It first removes what the request names. The file system may be slow, so
// this is done in a separate process (SideProcesses).
contract::Belongings belongings(const std::string &stateFolder, pid_t own, const contract::LookThrough &request);

} // namespace trainyard::agent
