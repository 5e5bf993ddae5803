// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/processes.h"
#include "engine/contract/taskfolder.h"

#include <cstdint>
#include <string>

// For the files of Tries alone.
namespace trainyard::agent
{

// Locks a try: >= 0 when this process has the lock, -1 when the keeper holds it, -2 on failure (errno).
int tryLock(const std::string &dir, bool create);
// Whether an error of tryLock() means that no try is there. Any other one says nothing of it: the file server may be
// away for a moment.
bool isNoTry(int error);
// The errno because of which it is not known now whether the try has begun and ended: its folder is there, but its
// records cannot be read. 0: it is known.
int recordsError(const std::string &dir);
// It has started, or has a container that waits for the start. When its lock is free, no process looks after it.
bool needsRecovery(const std::string &dir);
std::uint64_t outputBytes(const std::string &dir);
ProcessInfo processOf(const contract::ProcessIdentity &identity);

} // namespace trainyard::agent
