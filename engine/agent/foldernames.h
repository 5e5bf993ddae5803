// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

namespace trainyard::agent
{

// Empty for "/a" and for "a".
std::string folderAbove(const std::string &path);
// Calls `take` with each name in a folder that does not begin with a dot, in no order; not at all where it cannot be
// read.
void forEachName(const std::string &folder, const std::function<void(const std::string &)> &take);

} // namespace trainyard::agent
