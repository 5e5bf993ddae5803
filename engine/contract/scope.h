// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace trainyard::contract
{

// If systemd manages the user's processes, moves this process, and all that it starts from now on, into a transient
// scope of its own, so that it belongs to no login session and no terminal. Elsewhere, and when that is refused,
// nothing happens. Waits 2 s at most. The scope's name begins with `name`. Returns true when the process was moved.
bool moveToOwnScope(const std::string &name);

} // namespace trainyard::contract
