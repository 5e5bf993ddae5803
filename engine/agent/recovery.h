// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/keeper.h"
#include "engine/agent/processes.h"

#include <cstdint>
#include <string>

namespace trainyard::agent
{

// Finishes a try whose keeper was killed or whose host went down. When it has a result, only its container is removed.
// Where its records cannot be read, it ends nothing, and its agent begins again.
void recover(const KeeperTask &task);
// Kills the processes until none is found twice in a row. Returns those that are left after `patienceMs`, as text; "?"
// when they could not be looked for; nothing when they are gone.
std::string endProcesses(const TaskScope &scope, std::int64_t patienceMs);

} // namespace trainyard::agent
