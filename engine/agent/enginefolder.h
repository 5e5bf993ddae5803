// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>

namespace trainyard::agent
{

// All that an engine of another computer has here lies below one folder, such as ~/.local/state/trainyard/remote/EPOCH,
// which is there as long as it has a try here. True when the folder of this try's engine is not there: its file system
// is perhaps not mounted, and then a missing file proves nothing.
bool isEngineFolderAway(const std::string &dir);
// The error (errno) of a search for files in `dir`: in that case, ESTALE instead of ENOENT.
int lookError(const std::string &dir, int error);

// Such folders that have been made, as their engine says.
class OwnFolders
{
public:
    void add(const std::string &dir) { m_dirs.insert(dir); }
    void forget(const std::string &dir) { m_dirs.erase(dir); } // its engine has it removed
    // Whether the path is in the state folder of one that cannot be seen, so that nothing may be made there: a folder
    // at the mount point would look as if nothing had ever been started.
    bool isAway(const std::string &path) const;

private:
    std::set<std::string> m_dirs;
};

} // namespace trainyard::agent
