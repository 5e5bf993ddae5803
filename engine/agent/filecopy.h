// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace trainyard::agent
{

// Copies a whole file of so many bytes, by reference where the file system can do that, so that it takes no room. 0 or
// errno.
int copyBytes(int from, int to, std::uint64_t bytes);

// The folders in which `path` is, below `dir`, which must be there: its owner may be removed meanwhile. 0 or
// errno; `made` are those that were made already.
int makeParents(const std::string &dir, const std::string &path, std::set<std::string> &made);

} // namespace trainyard::agent
