// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

namespace trainyard::agent
{

// The pids below a process, zombies included, itself left out, parents before their children. Costs what these are,
// not what else runs on the host. Of a subreaper that is whoever was ever started below it, and lives; a process that
// is forked or ends meanwhile may be missed, one that is stopped is not. Nothing when the kernel does not tell
// (CONFIG_PROC_CHILDREN), lets this process look no further (no descriptor, no memory), or there are too many.
std::optional<std::vector<pid_t>> descendantsOf(pid_t ancestor);

} // namespace trainyard::agent
