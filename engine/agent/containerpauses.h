// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/container.h"

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace trainyard::agent
{

// Containers that are to be stopped or to go on. One program at a time for each: of two at once the earlier might have
// the last word.
class ContainerPauses
{
public:
    void ask(const std::string &dir, const contract::ContainerRecord &container, bool on,
        const std::vector<std::string> &environment);
    void reaped(pid_t pid); // of any child of this process

private:
    struct Asked {
        contract::ContainerRecord container;
        std::vector<std::string> environment;
        pid_t client = 0;
        bool told = false; // what the client says
        bool wanted = false; // what was asked for last
    };
    std::map<std::string, Asked> m_asked; // by folder of the try

    static bool tell(const std::string &dir, Asked &asked);
};

} // namespace trainyard::agent
