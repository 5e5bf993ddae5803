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
constexpr char group = 'G'; // the task's cgroups, as new; whoever hears it has them
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
    std::string cgroup; // with the plan's limits and nobody in it; empty: there is none yet
    std::int64_t oomKillsBefore = -1;
    int lock = -1; // keeper.lock, locked; the keeper inherits the lock
    int notes = -1; // write end of the pipe to the agent
};

// Starts the keeper as a process of its own that outlives the agent. Its process id, or -1 and errno; an agent that is
// still there when it ends has to reap it.
pid_t forkKeeper(KeeperTask &task);
// The same for a try whose keeper died: ends what lives of it, verifies, writes `lost`.
pid_t forkRecovery(KeeperTask &task);

} // namespace trainyard::agent
