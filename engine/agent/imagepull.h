// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/keeper.h"

#include <string>
#include <vector>

namespace trainyard::agent
{

// Fetches the missing image of a try with the login that the job gives, and reports the progress in runtime.log and to
// the agent. Ends early when a stop is requested.
bool pullImage(const KeeperTask &task, const std::vector<std::string> &environment, contract::ExitRecord &failed);

// Removes the login that the keeper of this try has in memory for a pull, once it is gone: it may have been killed.
void forgetLogin(const std::string &dir);

} // namespace trainyard::agent
