// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/environment.h"
#include "engine/agent/tries.h"

#include <cstdint>
#include <list>
#include <string>
#include <utility>

namespace trainyard::agent
{

// Requests about tries, on their way to them. A launch that wants the login shell's environment is held until that is
// known: the first one asks the shell. Meanwhile no client is told that there is no such try, and a stop ends the wait.
class HeldLaunches
{
public:
    HeldLaunches(LoginEnvironment &login, Tries &tries, const Account &account)
        : m_login(login), m_tries(tries), m_account(account)
    {
    }
    void launch(std::int64_t id, contract::Launch &&launch);
    void observe(std::int64_t id, const contract::Observe &request);
    void stop(std::int64_t id, const contract::Stop &request);

private:
    using Held = std::list<std::pair<std::int64_t, contract::Launch>>;
    Held takeOf(const std::string &dir);
    void goOn(std::int64_t id);
    void start(std::int64_t id, contract::Launch &&launch);

    LoginEnvironment &m_login;
    Tries &m_tries;
    const Account &m_account;
    Held m_held; // by the ids of their requests
};

} // namespace trainyard::agent
