// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/environment.h"
#include "engine/agent/filewriter.h"
#include "engine/agent/tries.h"

#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <utility>
#include <vector>

namespace trainyard::agent
{

// Requests about tries, on their way to them. A launch that needs the login shell's environment waits until that is
// known: the first one asks the shell. It also waits until the files that were sent before it, and that no client asks
// about, are written. Meanwhile no answer says that there is no such try, and a stop ends the wait.
class HeldLaunches
{
public:
    HeldLaunches(LoginEnvironment &login, FileWriter &writer, Tries &tries, const Account &account)
        : m_login(login), m_writer(writer), m_tries(tries), m_account(account)
    {
    }
    void launch(std::int64_t id, contract::Launch &&launch);
    void observe(std::int64_t id, const contract::Observe &request);
    void stop(std::int64_t id, const contract::Stop &request);

private:
    struct One {
        std::int64_t id = 0; // of its request
        contract::Launch launch;
        std::vector<std::pair<std::int64_t, contract::Observe>> asked; // about it, meanwhile
    };
    using Held = std::list<One>;
    Held takeIf(const std::function<bool(const One &)> &isWanted);
    void waitForFiles(std::int64_t id);
    void goOn(std::int64_t id);

    LoginEnvironment &m_login;
    FileWriter &m_writer;
    Tries &m_tries;
    const Account &m_account;
    Held m_held;
};

} // namespace trainyard::agent
