// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/keeper.h"

#include <string>
#include <vector>

namespace trainyard::agent
{

// Fetches the image of a try that is not there: with the login that the job gives, and with words in runtime.log and to
// the agent on how far it is. Ends early when somebody asks for the end.
bool pullImage(const KeeperTask &task, const std::vector<std::string> &environment, contract::ExitRecord &failed);

} // namespace trainyard::agent
