// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/environment.h"

namespace trainyard::agent
{

// $XDG_STATE_HOME/trainyard/MACHINE, or below ~/.local/state; where no folder can be made there, since the home folder
// is missing or read-only, /var/tmp/trainyard-UID/MACHINE. The same for the life of the process.
const std::string &stateFolder(const Account &account);

// The nearest folder above that exists: the state folder may not be made yet.
std::string existingFolder(std::string path);

// Makes the folder of the jobs of an engine on another host, <state>/remote/<engine>, before the first folder below it,
// and gives it. Returns nothing when the path is not that of such a job: an engine on this host has made its own.
std::string spreadJobs(const std::string &stateFolder, const std::string &path);

} // namespace trainyard::agent
