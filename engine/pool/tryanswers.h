// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <string>

namespace trainyard::pool
{

// Interprets an agent's answers about a try whose folder it cannot see now.
constexpr const char *notThere = "observe.away"; // the folder cannot be seen, and is perhaps not mounted
constexpr const char *unreadable = "observe.unreadable"; // nothing is known of the try
// An answer to a launch: the try was not started now, and whether it was started before cannot be seen.
constexpr const char *unseenLaunch = "launch.unseen";
// An answer about a try that was started before: its keeper is gone, and there is no room for the process that handles
// what is left.
constexpr const char *noProcess = "agent.processes";
inline bool isUnseen(const std::string &code) { return code == notThere || code == unreadable; }
constexpr auto askAgainAfter = std::chrono::seconds(5);

// Completion codes (docs/execution.md).
constexpr int codeLost = -101;
constexpr int codeNoFolder = -2010;

} // namespace trainyard::pool
