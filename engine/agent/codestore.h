// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <cstdint>
#include <string>

namespace trainyard::agent
{

// The code of jobs on this host: contents and trees below the state folder, and the folders that are made of them. All
// of it may wait for a file server, so it is done in a separate process (SideProcesses).

// Makes `request.dir` from the tree, unless it exists. A folder is either complete or does not exist, and is never
// changed again, because its job works in it. Without a folder, it only returns which contents of the tree are missing.
contract::CodeReply makeCodeFolder(const std::string &stateFolder, const contract::Code &request);

// Removes trees that no job has used for `days`, and contents that no tree has. At most once a day, unless `force`.
void tidyCode(const std::string &stateFolder, std::int64_t nowMs, int days, bool force = false);

// Removes the trees that no engine but this one has used (copyusers.h), and contents that no other tree has.
void removeCode(const std::string &stateFolder, const std::string &engine);

} // namespace trainyard::agent
