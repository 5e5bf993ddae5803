// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/heldlaunches.h"

#include <algorithm>

namespace trainyard::agent
{

void HeldLaunches::launch(std::int64_t id, contract::Launch &&launch)
{
    const bool isClean = launch.cleanEnvironment;
    m_held.push_back({id, std::move(launch), {}});
    if (isClean || m_login.isKnown()) {
        waitForFiles(id);
    } else {
        m_login.whenKnown(true, m_account, [this, id] { waitForFiles(id); });
    }
}

void HeldLaunches::waitForFiles(std::int64_t id)
{
    const auto held = std::find_if(m_held.begin(), m_held.end(), [id](const One &each) { return each.id == id; });
    if (held != m_held.end()) { // else it was stopped
        m_writer.whenWritten(held->launch.dir, [this, id] { goOn(id); });
    }
}

void HeldLaunches::observe(std::int64_t id, const contract::Observe &request)
{
    const auto held = std::find_if(
        m_held.rbegin(), m_held.rend(), [&request](const One &each) { return each.launch.dir == request.dir; });
    if (held == m_held.rend()) {
        m_tries.observe(id, request);
    } else {
        held->asked.emplace_back(id, request); // after the launch
    }
}

void HeldLaunches::stop(std::int64_t id, const contract::Stop &request)
{
    Held dropped = takeIf([&request](const One &each) { return each.launch.dir == request.dir; });
    m_tries.stop(id, request);
    for (One &each : dropped) {
        m_tries.dropLaunch(each.id, std::move(each.launch));
        for (const auto &[observeId, observe] : each.asked) {
            m_tries.observe(observeId, observe);
        }
    }
}

HeldLaunches::Held HeldLaunches::takeIf(const std::function<bool(const One &)> &isWanted)
{
    Held taken;
    for (auto each = m_held.begin(); each != m_held.end();) {
        const auto next = std::next(each);
        if (isWanted(*each)) {
            taken.splice(taken.end(), m_held, each);
        }
        each = next;
    }
    return taken;
}

void HeldLaunches::goOn(std::int64_t id)
{
    for (One &each : takeIf([id](const One &one) { return one.id == id; })) {
        m_tries.setEnvironmentNote(m_login.note());
        m_tries.launch(each.id, std::move(each.launch), m_login.variables());
        for (const auto &[observeId, observe] : each.asked) {
            m_tries.observe(observeId, observe);
        }
    }
}

} // namespace trainyard::agent
