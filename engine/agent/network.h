// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::agent
{

// NFS, CIFS, FUSE, Lustre and their like: locks and mapped programs there are not to be trusted.
bool isOnNetwork(const char *path);
// A program that runs from such a place goes on from a copy in memory, so that a server that is gone cannot stop it.
// Returns when there is nothing to do or it could not.
void leaveNetwork(char **argv);

} // namespace trainyard::agent
