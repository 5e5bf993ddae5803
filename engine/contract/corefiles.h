// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::contract
{

// Makes sure that a crash of this process, or of a process that it starts, leaves no core file, which would contain the
// secrets of running jobs. A task that needs one raises its own limit again.
void leaveNoCoreFiles();

// Keeps also programs to which the kernel gives cores (systemd-coredump, apport), and which no limit stops, from
// getting a core of this process, and other processes of the user from reading its memory. Child processes are not
// affected. It does nothing where the system hides such processes from their own user (/proc with hidepid), since
// keepers and agents look for each other there.
void keepMemoryPrivate();

} // namespace trainyard::contract
