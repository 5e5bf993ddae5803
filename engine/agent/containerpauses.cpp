// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/containerpauses.h"

#include "engine/agent/client.h"
#include "engine/contract/taskfolder.h"

#include <unistd.h>

namespace trainyard::agent
{

void ContainerPauses::ask(const std::string &dir, const contract::ContainerRecord &container, bool on,
    const std::vector<std::string> &environment)
{
    Asked &asked = m_asked[dir];
    asked.wanted = on;
    if (asked.client > 0) {
        return; // when the one before has said its word
    }
    asked.container = container;
    asked.environment = environment;
    if (!tell(dir, asked)) {
        m_asked.erase(dir);
    }
}

void ContainerPauses::reaped(pid_t pid)
{
    for (auto it = m_asked.begin(); it != m_asked.end(); ++it) {
        auto &[dir, asked] = *it;
        if (asked.client != pid) {
            continue;
        }
        if (asked.told == asked.wanted || !tell(dir, asked)) {
            m_asked.erase(it);
        }
        return;
    }
}

bool ContainerPauses::tell(const std::string &dir, Asked &asked)
{
    const ClientProcess client
        = startClient(contract::pauseCommand(asked.container, asked.wanted, dir + '/' + contract::file::pipes),
            asked.environment, false, false);
    if (client.pid <= 0) {
        return false;
    }
    ::close(client.out);
    asked.client = client.pid;
    asked.told = asked.wanted;
    return true;
}

} // namespace trainyard::agent
