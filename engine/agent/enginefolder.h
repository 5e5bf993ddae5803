// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>

namespace trainyard::agent
{

// All that an engine of another computer has here lies below one folder, such as
// ~/.local/state/trainyard/remote/EPOCH, which is there as long as it has a try here. Whether that of this try is not:
// its file system is perhaps not mounted, and that nothing is seen says nothing.
bool isEngineFolderAway(const std::string &dir);
// The error (errno) of whoever has looked for files in `dir`: ESTALE in the place of ENOENT where that is so.
int lookError(const std::string &dir, int error);

// Such folders that have been made, as their engine says.
class OwnFolders
{
public:
    void add(const std::string &dir) { m_dirs.insert(dir); }
    void forget(const std::string &dir) { m_dirs.erase(dir); } // its engine has it removed
    // Whether the path is in the state folder of one that is not to be seen, so that nothing may be made there: a
    // folder at the mount point would look as if nothing had ever been begun.
    bool isAway(const std::string &path) const;

private:
    std::set<std::string> m_dirs;
};

} // namespace trainyard::agent
