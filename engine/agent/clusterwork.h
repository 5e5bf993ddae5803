// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"
#include "engine/contract/swappable.h"

#include <optional>
#include <string>
#include <vector>

// The work of a login node for an engine on another computer; the nodes of the cluster share its files
// (docs/clusters.md). Each function is called in a separate process (SideProcesses).
namespace trainyard::agent
{

// Runs the program to its end, or until its time limit; `environment` is the login shell's.
contract::ProgramSaid runSlurmCommand(const contract::RunProgram &request, const std::vector<std::string> &environment);

contract::ChangedFiles readChanged(const contract::ReadChanged &request);

// Makes the folder for the copy. If another user could replace a part of its path, it returns that part instead. The
// folder is checked again once it exists, because that user may have made a missing part of it meanwhile. Whether it
// can be made is for copyHelper() to say.
std::optional<contract::SwappableFolder> makeHelperFolder(
    const std::string &path, uid_t user, const contract::LookAtPart &lookAt = contract::partOnDisk);
// A copy of the program that runs. 0 or errno.
int copyHelper(const std::string &path);

// Removes what tasks that never began would have been started with, which may hold secrets; `allocation` "*": of all
// allocations of the job. 0 or errno: EPERM when the root is not a folder of runs of a cluster.
int removeLaunches(const std::string &root, const std::string &job, const std::string &allocation);
bool isRootOfRuns(const std::string &root); // it has the mark

} // namespace trainyard::agent
