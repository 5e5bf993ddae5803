// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/leadplan.h"

#include <string>
#include <string_view>

namespace trainyard::contract
{

// Whether a task is tried again, by the rules of a plan: as the engine decides it (engine/core/retry.h), which decides
// it again when it reads the records.
enum class LeadNext { Over, Again, Unsure }; // Unsure: only the engine can decide
struct LeadDecision {
    LeadNext next = LeadNext::Over;
    bool isCharged = false; // to the budget
    std::int64_t pauseMs = 0; // before it begins
    int consecutiveFreeRetries = 0; // afterwards
    friend bool operator==(const LeadDecision &, const LeadDecision &) = default;
};
struct LeadCounts {
    std::int64_t charged = 0;
    int consecutiveFreeRetries = 0;
};
// `status` as a shell reports it; `ranMs`: how long it ran; `output`: the end of what it printed.
LeadDecision decideLeadRetry(
    const LeadRetries &retries, const LeadCounts &counts, int status, std::int64_t ranMs, std::string_view output);

std::string withoutEscapes(std::string_view text); // colours and moves of a terminal

} // namespace trainyard::contract
