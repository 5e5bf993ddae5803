// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::agent
{

// Whether this is a network file system such as NFS, CIFS, FUSE or Lustre, where locks and mapped programs cannot be
// trusted.
bool isOnNetwork(const char *path);
// Makes a program that runs from such a file system continue from a copy in memory, so that a server that is gone
// cannot stop it. Returns when there is nothing to do or it fails.
void leaveNetwork(char **argv);

} // namespace trainyard::agent
