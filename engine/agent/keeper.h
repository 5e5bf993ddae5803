// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/shared.h"
#include "engine/contract/messages.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace trainyard::agent
{

// The messages of a keeper to its agent through a pipe, as long as the agent is there: a letter, the length as u32, and
// a text.
namespace note
{
constexpr char keeper = 'K'; // KeeperRecord
constexpr char started = 'S'; // StartedRecord
constexpr char group = 'G'; // the task's cgroups, as good as new; the receiver owns them
constexpr char exit = 'X'; // ExitRecord
constexpr char diskFull = 'F'; // "1" or "0"
constexpr char pulling = 'P'; // the image that is fetched, and in a second line how far that is
} // namespace note
constexpr std::size_t noteHeader = 5;
constexpr const char *markVariable = "__ty_mark"; // passes its word to a script with steps

// Everything a keeper needs, gathered by the agent before the fork.
struct KeeperTask {
    contract::Launch launch;
    std::vector<std::string> baseEnvironment; // NAME=VALUE, already filtered
    std::shared_ptr<const SharedText> sharedEnvironment; // goes over it, or null
    std::vector<std::string> clientEnvironment; // of container programs
    std::vector<std::string> stepVariables; // of a step of a cluster: what goes into its container, NAME=VALUE
    std::vector<int> stepGpus; // of a step of a cluster: its GPUs, by their numbers on the node
    std::string environmentNote; // for people: why it is not the login shell's
    std::string leftOutNote; // for people and the engine: which variables of it are left out
    std::string host, bootId;
    std::string cgroup; // with the plan's limits and no process in it; empty: there is none yet
    bool isInStep = false; // of a cluster, which may ask all processes of the step to end
    std::int64_t oomKillsBefore = -1;
    std::string markWord; // of a script with steps
    std::int64_t moment = 0; // by fileClockNs(); what the task changes in a repository is stamped later
    int lock = -1; // keeper.lock, locked; the keeper inherits the lock
    int notes = -1; // write end of the pipe to the agent
};

// Starts the keeper as a separate process that outlives the agent. Returns its process id, or -1 and errno; an agent
// that still runs when it ends has to reap it.
pid_t forkKeeper(KeeperTask &task);
// The same for a try whose keeper died: ends what is left of it, verifies that, and writes `lost`.
pid_t forkRecovery(KeeperTask &task);

} // namespace trainyard::agent
