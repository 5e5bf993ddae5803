// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/taskfolder.h"

#include <unistd.h>

namespace trainyard::agent
{

// Whether the end of the task has been asked for, by a file in its folder, which is the current one.
inline bool isStopRequested() { return ::access(contract::file::stop, F_OK) == 0; }

} // namespace trainyard::agent
