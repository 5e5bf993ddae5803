// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace trainyard::agent
{

// All that an engine of another computer has here lies below one folder, such as
// ~/.local/state/trainyard/remote/EPOCH, which is there as long as it has a try here. Whether that of this try is not:
// its file system is perhaps not mounted, and that nothing is seen says nothing.
bool isEngineFolderAway(const std::string &dir);

} // namespace trainyard::agent
