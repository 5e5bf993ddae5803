// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::agent
{

// Raises the limit of open files: every running task takes a descriptor of the agent, and the usual limit is made for
// one program.
void raiseFileLimit();
// Restores the limit that the agent was started with; called between fork and exec. A greater limit makes some programs
// slow and breaks those that use select().
void restoreFileLimit();

} // namespace trainyard::agent
