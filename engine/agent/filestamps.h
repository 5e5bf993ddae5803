// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/filesharing.h"

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <utility>

// When files of metrics changed, and how far the clock that stamped them is to be believed. Every call may wait for a
// file server.
namespace trainyard::agent
{

// The key of a file, and when it last changed, ms UTC. The zero key where there is no such file.
std::pair<FileKey, std::int64_t> fileKeyOf(const std::string &path);
// By how much a file at this place may be stamped earlier, or later, than by the clock here, in ms.
std::int64_t clockSlackMs(const std::string &path);
FileTimes fileTimesOf(const std::string &path, const struct stat &about); // `about` is what stat() says of it

} // namespace trainyard::agent
