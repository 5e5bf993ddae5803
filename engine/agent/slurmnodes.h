// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::agent
{

// The node of each task of a component, in the order in which Slurm has dealt them: `names` are the nodes,
// SLURM_TASKS_PER_NODE says "2(x3),1". Empty when they do not fit each other.
std::vector<std::string> nodesOfTasks(const std::vector<std::string> &names, std::string_view tasksPerNode);

// The first address of `getent ahostsv4` that other nodes can reach, or empty.
std::string firstAddress(std::string_view getentSays);
// NodeAddr of `scontrol --oneliner show node`, or empty.
std::string nodeAddress(std::string_view scontrolSays);

} // namespace trainyard::agent
