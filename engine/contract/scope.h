// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace trainyard::contract
{

// Where systemd manages the user's processes: moves this process, and with it all that it starts from now on, into a
// transient scope of its own, so that it belongs to no login session and no terminal. Elsewhere, and when that is
// refused, nothing happens. Waits 2 s at most. `name` begins the scope's name. True when it was moved.
bool moveToOwnScope(const std::string &name);

} // namespace trainyard::contract
