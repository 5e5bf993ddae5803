// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/processes.h"
#include "engine/contract/container.h"

#include <sys/types.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace trainyard::agent
{

// Pauses and resumes tries in helper processes, since it takes long when a process does not stop at once or there are
// many. Each try has one helper at a time: with two at once, the earlier one might act last.
class Pauses
{
public:
    using Start = std::function<pid_t(bool on)>; // starts such a process; returns its pid, or <= 0 when it fails

    void ask(const std::string &dir, bool on, Start start);
    void reaped(pid_t pid); // of any child of this process

private:
    struct Asked {
        Start start;
        pid_t worker = 0;
        bool told = false; // what the worker does
        bool wanted = false; // what was asked for last
    };
    std::map<std::string, Asked> m_asked; // by folder of the try

    static bool tell(Asked &asked);
};

Pauses::Start pauserOf(const TaskScope &scope);
Pauses::Start pauserOf(
    const std::string &dir, const contract::ContainerRecord &container, const std::vector<std::string> &environment);

} // namespace trainyard::agent
