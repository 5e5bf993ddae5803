// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace trainyard::contract
{

// Marks the subfolders of a folder as unrelated (`chattr +T`), so that ext4 gives each of them its own region of the
// disk. Without the mark, all jobs share the inodes of one region: before an ext4 without a journal makes a file, it
// checks each inode that was deleted in the last five minutes, which costs more than the start of a task after a large
// job was removed. Has no effect on other file systems, and never fails.
void markTopOfHierarchy(const std::string &folder);

} // namespace trainyard::contract
