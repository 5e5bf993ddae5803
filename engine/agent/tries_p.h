// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/processes.h"
#include "engine/contract/taskfolder.h"

#include <cstdint>
#include <string>

// For the files of Tries alone.
namespace trainyard::agent
{

// The lock of a try: >= 0 taken by us, -1 held by its keeper, -2 could not (errno).
int tryLock(const std::string &dir, bool create);
// It began, or has a container that waits for that. With the lock free nobody is at it.
bool needsRecovery(const std::string &dir);
std::uint64_t outputBytes(const std::string &dir);
ProcessInfo processOf(const contract::ProcessIdentity &identity);

} // namespace trainyard::agent
