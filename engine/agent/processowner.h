// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace trainyard::agent
{

std::optional<uid_t> ownerOf(pid_t pid); // nothing when it is gone, or hidden from us
// " (jun)" for a process of another user, " (user 1001)" where /etc/passwd has no name for it; else empty.
std::string otherOwner(pid_t pid);

} // namespace trainyard::agent
