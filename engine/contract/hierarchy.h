// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace trainyard::contract
{

// Says of a folder that what its subfolders hold has nothing in common (`chattr +T`), so that ext4 gives each of them
// a region of the disk of its own. Without it all jobs there ever were share the inodes of one region: an ext4 without
// a journal then looks at each inode that was deleted in the last five minutes before it makes a file, which after the
// removal of a large job costs more than the start of a task. Does nothing on other file systems; never an error.
void markTopOfHierarchy(const std::string &folder);

} // namespace trainyard::contract
