// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/keeper.h"
#include "engine/agent/shared.h"

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::agent
{

// Why the program could not be run; Stage::None when it could.
struct ChildFailure {
    enum Stage { None, Record, Folder, Script, Exec };
    Stage stage = None;
    int error = 0;
};

// Where the shell is to read the script of a task that runs in no container: task.sh, or what leads to one in memory.
std::string scriptPathOf(const contract::Launch &launch);

// The task's first process between fork and exec.
class TaskChild
{
public:
    TaskChild(const KeeperTask &task, const std::string &cwd);
    bool findShell(); // in the task's PATH
    // Runs the program in a separate process, with `out` and `err` as its outputs. Returns its pid, or -1 and errno.
    // This process waits until the other has called exec or failed: until then the two share their memory. The new
    // process calls `begin` before it does anything for the task; when that returns an errno the program is not run.
    pid_t start(int out, int err, const std::function<int()> &begin, ChildFailure &failure);

private:
    const contract::Launch &m_launch;
    std::string m_cwd, m_shell;
    std::vector<std::string> m_arguments;
    std::vector<char *> m_argumentPointers;
    ComposedEnvironment m_environment;
    std::string m_input; // of a container program: what its first process reads

    [[noreturn]] void run(int out, int err, const std::function<int()> &begin, ChildFailure &failure);
    int openInMemory(std::string_view head, std::string_view text) const;
    void applyLimits() const;
};

void describeChildFailure(const ChildFailure &failure, const contract::Launch &launch, contract::ExitRecord &record);

} // namespace trainyard::agent
