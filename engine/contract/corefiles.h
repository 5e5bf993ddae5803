// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::contract
{

// A crash of this process, and of what it starts, leaves no core file: it would hold the secrets of running jobs. A
// task that wants one raises its own limit again.
void leaveNoCoreFiles();

} // namespace trainyard::contract
