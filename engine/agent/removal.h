// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace trainyard::agent
{

// Moves a job's folder away at once and deletes it in a separate process, however many files it has. Touches only
// folders at least two levels below `root` (<state>/remote/<daemon>/<job>), and nothing that a link leads to. Returns 0
// or errno; a missing folder counts as removed.
int removeFolder(const std::string &dir, const std::string &root);

// Removes what earlier removals in this folder did not finish, and waits for that.
void removeAllGone(const std::string &parent);

// Whether a path leads where it says: no "..", no doubled slash.
bool isPlainPath(const std::string &path);

} // namespace trainyard::agent
