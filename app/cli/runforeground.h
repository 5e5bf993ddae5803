// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <functional>

namespace trainyard::cli
{

// Runs `body` with a session to an engine in this process, which has a store of its own below the state folder, so that
// the user's daemon and its jobs are not touched. Folders of old runs are removed. Returns what `body` returns, or 3.
int withForegroundEngine(const std::function<int(Session &session)> &body);

} // namespace trainyard::cli
