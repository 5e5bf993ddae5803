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
    const bool areCompleted = m_completedLimit > 0 && m_ended >= m_completedLimit;
    const char *why = !isGood && counted.minFailed > 0 && counted.failed >= counted.minFailed ? "minFailed"
        : isGood && counted.minSucceeded > 0 && counted.succeeded >= counted.minSucceeded     ? "minSucceeded"
        : areCompleted                                                                        ? "completed"
                                                                                              : nullptr;
    if (why && !m_isDecided) { // by the task that has just ended
        m_isDecided = true;
        m_areFailed = !isGood;
    }
    return why;
}

} // namespace trainyard::agent
