// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/processowner.h"

#include "engine/agent/environment.h"
#include "engine/agent/processes.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace trainyard::agent
{

// Not by the owner of its folder in /proc: of a process that hides its memory, that is root.
std::optional<uid_t> ownerOf(pid_t pid)
{
    char text[4096];
    const std::size_t size = readProcFile(pid, "status", text, sizeof text - 1);
    text[size] = '\0';
    const char *uid = std::strstr(text, "\nUid:");
    return uid ? std::optional(static_cast<uid_t>(std::strtoull(uid + 5, nullptr, 10))) : std::nullopt;
}

std::string otherOwner(pid_t pid)
{
    const std::optional<uid_t> owner = ownerOf(pid);
    if (!owner || *owner == ::getuid()) {
        return {};
    }
    const std::string name = userName(*owner);
    return name.empty() ? " (user " + std::to_string(*owner) + ')' : " (" + name + ')';
}

} // namespace trainyard::agent
