// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/keeper.h"

namespace trainyard::agent
{

// Makes the calling process a keeper: own session, subreaper, deaf to HUP, INT, TERM and PIPE, no descriptor but the
// lock and the pipe to the agent (moved in `task`), current folder = the try's. False when the folder is gone.
bool detach(KeeperTask &task);
bool sendNote(int fd, char kind, std::string_view text); // false when there is no agent
int writeFile(const char *path, std::string_view bytes); // new, 0600, in the current folder; 0 or errno
void sayInRuntimeLog(const std::string &sentence); // in the current folder; a failure is no reason to stop

} // namespace trainyard::agent
