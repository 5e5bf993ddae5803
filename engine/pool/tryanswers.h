// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <string>

namespace trainyard::pool
{

// What an agent answers of a try whose folder it cannot see now.
constexpr const char *notThere = "observe.away"; // the folder cannot be seen, and is perhaps not mounted
constexpr const char *unreadable = "observe.unreadable"; // nothing is known of the try
// Of a launch: it was not begun now, and whether it was before cannot be seen.
constexpr const char *unseenLaunch = "launch.unseen";
// Of a try that was begun before: its keeper is gone, and there is no room for the process that looks after the rest.
constexpr const char *noProcess = "agent.processes";
inline bool isUnseen(const std::string &code) { return code == notThere || code == unreadable; }
constexpr auto askAgainAfter = std::chrono::seconds(5);

// Completion codes (docs/execution.md).
constexpr int codeLost = -101;
constexpr int codeNoFolder = -2010;

} // namespace trainyard::pool
