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

// Removes the copies beside `program`, and what is left of some that were never whole: those of this user that were not
// used for a day, and that no allocation below ROOT, whichever engine has made it, is going to begin with or may be
// running. An allocation has ended when its lead has written so. Where it cannot be told, or `goesOn` says no, nothing
// is removed. How many were; below zero: it could not be told.
int removeOldHelpers(const std::string &program, std::int64_t nowMs, const std::function<bool()> &goesOn);

} // namespace trainyard::contract
