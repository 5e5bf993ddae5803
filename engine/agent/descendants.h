// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

namespace trainyard::agent
{

// The pids below a process, zombies included and the process itself left out, parents before their children. The cost
// depends on their number, not on the other processes of the host. Below a subreaper these are all living processes
// that were ever started below it. A process that is forked or ends meanwhile may be missed; a stopped one is not.
// Returns nothing when the kernel does not list them (CONFIG_PROC_CHILDREN), when this process lacks descriptors or
// memory, or when there are too many.
std::optional<std::vector<pid_t>> descendantsOf(pid_t ancestor);

} // namespace trainyard::agent
