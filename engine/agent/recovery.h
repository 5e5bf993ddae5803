// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/keeper.h"
#include "engine/agent/processes.h"

#include <cstdint>
#include <string>

namespace trainyard::agent
{

// A try whose keeper was killed, or whose host went down. With a result only its container is removed.
void recover(const KeeperTask &task);
// Kills them, and makes sure: nobody is found twice in a row. Who is still there when the patience is over; "?" when
// nobody could look for them. Empty: they are gone.
std::string endProcesses(const TaskScope &scope, std::int64_t patienceMs);

} // namespace trainyard::agent
