// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>

// Copies of the helper in the folder that the nodes of a cluster share: ROOT/cluster/trainyard-agent-DIGEST, one for
// each version. Several Trainyards may have the same folder, and allocations in a queue name the copy that they begin
// with. Standard library only; the functions wait for the file system.
namespace trainyard::contract
{

// A process is about to make an allocation that begins with this copy, or checks whether it is there.
void noteHelperUse(const std::string &program);

// Removes the copies beside `program`, and remains of incomplete ones, that belong to this user, have not been used for
// a day, and are neither needed nor possibly running in any allocation below ROOT, whichever engine made it. An
// allocation has ended when its lead has recorded its end. If this cannot be determined, or `goesOn` returns false,
// nothing is removed. Returns how many were removed; below zero: it could not be determined.
int removeOldHelpers(const std::string &program, std::int64_t nowMs, const std::function<bool()> &goesOn);

} // namespace trainyard::contract
