// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <cstdint>
#include <string>

namespace trainyard::agent
{

// The code of jobs on this host: contents and trees below the state folder, and the folders that are made of them. All
// of it may wait for a file server, so it is done by a process of its own (SideProcesses).

// Makes `request.dir` of the tree, unless it is there. A folder is there as a whole or not at all, and is never touched
// again: its job works in it. Without a folder it only says which contents of the tree are missing.
contract::CodeReply makeCodeFolder(const std::string &stateFolder, const contract::Code &request);

// Removes trees that no job has used for `days`, and contents that no tree has. At most once a day, unless `force`.
void tidyCode(const std::string &stateFolder, std::int64_t nowMs, int days, bool force = false);

} // namespace trainyard::agent
