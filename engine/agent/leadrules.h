// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/leadplan.h"

#include <map>
#include <string>

namespace trainyard::agent
{

// Whether an allocation has ended: the completion policy of docs/protocol.md, as far as it depends only on whether a
// task has failed or has succeeded. The engine applies the same rules to the same ends, in the order of their times.
class LeadRules
{
public:
    LeadRules() = default;
    explicit LeadRules(const contract::LeadPlan &plan);
    // The word of the rule that ends all others now ("minFailed", "minSucceeded", "completed"), or null. Once for each
    // task.
    const char *taskEnded(const std::string &role, bool isGood);
    // Whether the attempt fails by the rules, once one of them has applied or all tasks have ended. Tasks that end
    // after that do not matter.
    bool areFailed() const { return m_areFailed; }

private:
    struct Counted {
        std::int64_t minFailed = 0, minSucceeded = 0, failed = 0, succeeded = 0;
    };
    std::map<std::string, Counted> m_roles;
    std::int64_t m_completedLimit = 0, m_ended = 0;
    bool m_isDecided = false, m_areFailed = false;
};

} // namespace trainyard::agent
