// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/keeper.h"

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::agent
{

// In memory shared by keeper and child: why the program could not be run. Stage 0: it could.
struct ChildFailure {
    enum Stage { None, Folder, Script, Exec };
    volatile int stage = None;
    volatile int error = 0;
};

// The task's first process between fork and exec.
class TaskChild
{
public:
    TaskChild(const KeeperTask &task, const std::string &cwd);
    bool findShell(); // in the task's PATH
    // In the child: makes everything ready, waits at the gate (closed without a word: leaves), runs the program.
    [[noreturn]] void run(int gate, int gateWriter, int out, int err, ChildFailure *failure);

private:
    const contract::Launch &m_launch;
    std::string m_cwd, m_shell, m_script;
    std::vector<std::string> m_arguments, m_environment;
    std::vector<char *> m_argumentPointers, m_environmentPointers;
    std::string m_input; // of a container program: what its first process reads

    int openInMemory(std::string_view head, std::string_view text) const;
    void applyLimits() const;
};

void describeChildFailure(const ChildFailure &failure, const contract::Launch &launch, contract::ExitRecord &record);

} // namespace trainyard::agent
