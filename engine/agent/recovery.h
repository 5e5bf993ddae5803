// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/keeper.h"

namespace trainyard::agent
{

// A try whose keeper was killed, or whose host went down. With a result only its container is removed.
void recover(const KeeperTask &task);

} // namespace trainyard::agent
