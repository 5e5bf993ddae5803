// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::agent
{

// Every task that runs takes a descriptor of the agent, and what programs are given to begin with is made for one.
void raiseFileLimit();
// Between fork and exec: programs get the limit that the agent was started with. A greater one makes some of them slow,
// and breaks those that use select().
void restoreFileLimit();

} // namespace trainyard::agent
