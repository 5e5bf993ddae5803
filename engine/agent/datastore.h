// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <map>
#include <optional>
#include <string>

namespace trainyard::agent
{

// Data of jobs on this host, below the state folder: the text of each tree, each content once, and a folder of each
// tree whose files are further names of the contents. A process that uses a tree has its text locked (shared). A tree
// that no process has locked may be removed, the one that was asked for the longest time ago first. The functions wait
// for the disk, so they are called in a process of their own (SideProcesses).

// The trees that the connection uses.
class DataHolds
{
public:
    DataHolds() = default;
    DataHolds(const DataHolds &) = delete;
    DataHolds &operator=(const DataHolds &) = delete;
    ~DataHolds();
    // Locks the tree of a request, or unlocks it. Returns the answer, or nothing when lookAtData() has to give it: what
    // that finds then stays.
    std::optional<contract::DataReply> take(const std::string &stateFolder, const contract::Data &request);

private:
    bool hold(const std::string &treePath); // true also when it is not there; false: it is just being removed
    void drop(const std::string &treePath);

    std::map<std::string, int> m_held;
};

// Locks a tree for as long as the descriptor is open; -1 when it is not there or just being removed.
int lockDataTree(const std::string &treePath);

// For a tree that is locked: makes its folder, or says what is missing for that, and makes room for it.
contract::DataReply lookAtData(const std::string &stateFolder, const contract::Data &request);

// Removes all copies that are not in use, for this engine: those that others have used stay (agent/copyusers.h).
void removeUnusedData(const std::string &stateFolder, const std::string &engine);

} // namespace trainyard::agent
