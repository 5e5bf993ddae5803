// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::agent
{

// Gives the memory that this process has freed back to the kernel, if it is much: for the kernel, a process that it
// forks has had at least as much as this one has then, whatever program it executes.
void trimMemory();

} // namespace trainyard::agent
