// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace trainyard::agent
{

// Leads one allocation of Slurm from its batch script: decides which task is on which node, starts each of them as a
// step with a helper (`program --step`) that runs it as on any host, and ends all of them when the rules of the job say
// so, at the end of the time, or when it is asked to. It needs no engine: what it decides and what becomes of the tasks
// is in files (engine/contract/leadplan.h). Returns 0 when the job has succeeded by its rules, 1 when not, 2 when it
// could not begin.
int lead(const std::string &folder, const std::string &program);

} // namespace trainyard::agent
