// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/heldlaunches.h"

#include <algorithm>

namespace trainyard::agent
{

void HeldLaunches::launch(std::int64_t id, contract::Launch &&launch)
{
    if (launch.cleanEnvironment || m_login.isKnown()) {
        start(id, std::move(launch));
        return;
    }
    m_held.emplace_back(id, std::move(launch));
    m_login.whenKnown(true, m_account, [this, id] { goOn(id); });
}

void HeldLaunches::observe(std::int64_t id, const contract::Observe &request)
{
    const bool isHeld = std::any_of(
        m_held.begin(), m_held.end(), [&request](const auto &each) { return each.second.dir == request.dir; });
    if (!isHeld) {
        m_tries.observe(id, request);
        return;
    }
    m_login.whenKnown(true, m_account, [this, id, request] { m_tries.observe(id, request); }); // after the launch
}

void HeldLaunches::stop(std::int64_t id, const contract::Stop &request)
{
    Held dropped = takeOf(request.dir);
    m_tries.stop(id, request);
    for (auto &[launchId, launch] : dropped) {
        m_tries.dropLaunch(launchId, std::move(launch));
    }
}

HeldLaunches::Held HeldLaunches::takeOf(const std::string &dir)
{
    Held taken;
    for (auto each = m_held.begin(); each != m_held.end();) {
        const auto next = std::next(each);
        if (each->second.dir == dir) {
            taken.splice(taken.end(), m_held, each);
        }
        each = next;
    }
    return taken;
}

void HeldLaunches::goOn(std::int64_t id)
{
    const auto held = std::find_if(m_held.begin(), m_held.end(), [id](const auto &each) { return each.first == id; });
    if (held != m_held.end()) { // else it was stopped
        contract::Launch launch = std::move(held->second);
        m_held.erase(held);
        start(id, std::move(launch));
    }
}

void HeldLaunches::start(std::int64_t id, contract::Launch &&launch)
{
    m_tries.setEnvironmentNote(m_login.note());
    m_tries.launch(id, std::move(launch), m_login.variables());
}

} // namespace trainyard::agent
