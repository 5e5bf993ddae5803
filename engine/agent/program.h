// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace trainyard::agent
{

struct Program {
    pid_t pid = -1;
    int out = -1; // read end of its standard output, not blocking
};
// A helper of the agent (not a task): own session, no input, errors to /dev/null. The name is looked up in PATH and the
// usual folders. pid -1 when it is not there.
Program startProgram(const std::vector<std::string> &arguments);

} // namespace trainyard::agent
