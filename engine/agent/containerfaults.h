// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/client.h"
#include "engine/contract/container.h"
#include "engine/contract/taskfolder.h"

#include <string>
#include <string_view>

// Why a task in a container could not be started, as its record says it. Functions that begin with "fail" return false,
// so that a step that fails can return what they do.
namespace trainyard::agent
{

// Checks what is to be mounted. This is done before an image is fetched for an hour, and the missing folder is named
// whatever the program would say.
bool foldersAreThere(const contract::Container &container, contract::ExitRecord &failed);
// Writes a reason into the record, with its argument.
bool failContainer(contract::ExitRecord &record, const char *code, const std::string &argument);
// Whether the program's output means that its service is away or does not admit this user; `failed` then says so.
bool isServiceAway(std::string_view said, contract::ExitRecord &failed);
// Whether the program's output means that there is no such container (any longer).
bool isContainerGone(std::string_view said);
// For a kernel that refused to start a process of Trainyard. The container is intact, and the problem is temporary.
bool failProcess(contract::ExitRecord &record, int error);
// Says in `failed` why a container program did not start the container.
bool failRun(contract::ExitRecord &failed, const contract::Container &container, const ClientResult &result);

} // namespace trainyard::agent
