// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

// Copies of data that the nodes of a cluster share (docs/adr/0029-data-and-keys-on-a-slurm-cluster.md). Jobs that need
// them may wait in a queue for days while no client is connected, and not every shared file system has locks: so a file
// for each tree and job says that it is needed. The folder of such copies has a mark, and in one without it nothing is
// written or removed. Standard library only; the functions wait for the file system.
namespace trainyard::contract
{

bool isSharedData(const std::string &dataFolder); // it has the mark
int makeSharedData(const std::string &dataFolder); // 0 or errno; EPERM: it is there, and not a folder of Trainyard
int noteDataUse(const std::string &dataFolder, const std::string &tree, const std::string &job); // 0 or errno
// It is also true when this cannot be determined.
bool isDataUsed(const std::string &dataFolder, const std::string &tree);
void dropDataUses(const std::string &dataFolder, const std::string &job); // of all trees

} // namespace trainyard::contract
