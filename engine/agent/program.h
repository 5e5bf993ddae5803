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
enum class ProgramErrors { Dropped, ToOutput };
// Starts a helper of the agent (not a task) in its own session and without input. The name is looked up in PATH
// and the usual folders; `pid` is -1 when it is not found.
Program startProgram(const std::vector<std::string> &arguments, ProgramErrors errors = ProgramErrors::Dropped);

} // namespace trainyard::agent
