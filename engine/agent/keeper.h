// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::agent
{

// What a keeper tells its agent through a pipe, as long as there is one: a letter, u32 length, a text.
namespace note
{
constexpr char keeper = 'K'; // KeeperRecord
constexpr char started = 'S'; // StartedRecord
constexpr char exit = 'X'; // ExitRecord
constexpr char diskFull = 'F'; // "1" or "0"
constexpr char pulling = 'P'; // the image that is fetched, and in a second line how far that is
} // namespace note
constexpr std::size_t noteHeader = 5;

// Everything a keeper needs, gathered by the agent before the fork.
struct KeeperTask {
    contract::Launch launch;
    std::vector<std::string> baseEnvironment; // NAME=VALUE, already filtered
    std::vector<std::string> clientEnvironment; // of container programs
    std::string host, bootId;
    std::int64_t oomKillsBefore = -1;
    int lock = -1; // keeper.lock, locked; the keeper inherits the lock
    int notes = -1; // write end of the pipe to the agent
};

// Starts the keeper as a process of its own that outlives the agent. The process id of the short-lived parent, which
// must be reaped, or -1 and errno.
pid_t forkKeeper(KeeperTask &task);
// The same for a try whose keeper died: ends what lives of it, verifies, writes `lost`.
pid_t forkRecovery(KeeperTask &task);

} // namespace trainyard::agent
