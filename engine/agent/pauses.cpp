// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/pauses.h"

#include "engine/agent/client.h"
#include "engine/contract/taskfolder.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <utility>

namespace trainyard::agent
{

void Pauses::ask(const std::string &dir, bool on, Start start)
{
    Asked &asked = m_asked[dir];
    asked.wanted = on;
    if (asked.worker > 0) {
        return; // when the one before has done its work
    }
    asked.start = std::move(start);
    if (!tell(asked)) {
        m_asked.erase(dir);
    }
}

void Pauses::reaped(pid_t pid)
{
    for (auto it = m_asked.begin(); it != m_asked.end(); ++it) {
        Asked &asked = it->second;
        if (asked.worker != pid) {
            continue;
        }
        if (asked.told == asked.wanted || !tell(asked)) {
            m_asked.erase(it);
        }
        return;
    }
}

bool Pauses::tell(Asked &asked)
{
    asked.told = asked.wanted;
    asked.worker = asked.start(asked.wanted);
    return asked.worker > 0;
}

Pauses::Start pauserOf(const TaskScope &scope)
{
    return [scope](bool on) {
        const pid_t agent = ::getpid();
        const pid_t worker = ::fork();
        if (worker == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); // it holds the agent's pipes
            TaskScope meant = scope;
            meant.spared = agent;
            if (::getppid() == agent && on) {
                stopTask(meant);
            } else if (::getppid() == agent) {
                continueTask(meant);
            }
            ::_exit(0);
        }
        return worker;
    };
}

Pauses::Start pauserOf(
    const std::string &dir, const contract::ContainerRecord &container, const std::vector<std::string> &environment)
{
    return [=](bool on) {
        const contract::CommandLine line = contract::pauseCommand(container, on, dir + '/' + contract::file::pipes);
        return startClient(line, environment, {.output = false, .dies = false}).pid;
    };
}

} // namespace trainyard::agent
