// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/leadrules.h"

namespace trainyard::agent
{

LeadRules::LeadRules(const contract::LeadPlan &plan) : m_completedLimit(plan.completedLimit)
{
    for (const contract::LeadRole &role : plan.roles) {
        m_roles[role.name] = {role.minFailed, role.minSucceeded, 0, 0};
    }
}

const char *LeadRules::taskEnded(const std::string &role, bool isGood)
{
    Counted &counted = m_roles[role];
    ++(isGood ? counted.succeeded : counted.failed);
    ++m_ended;
    if (counted.minFailed > 0 && counted.failed >= counted.minFailed) {
        return "minFailed";
    }
    if (counted.minSucceeded > 0 && counted.succeeded >= counted.minSucceeded) {
        return "minSucceeded";
    }
    return m_completedLimit > 0 && m_ended >= m_completedLimit ? "completed" : nullptr;
}

} // namespace trainyard::agent
