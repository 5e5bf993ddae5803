// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/leadplan.h"
#include "engine/contract/messages.h"
#include "engine/contract/taskfolder.h"

#include <optional>
#include <string>
#include <string_view>

namespace trainyard::agent
{

// Whether a task is tried again, by the rules of a plan: as the engine decides it (engine/core/retry.h), which decides
// it once more when it reads the records.
enum class LeadNext { Over, Again, Unsure }; // Unsure: only the engine can tell
struct LeadDecision {
    LeadNext next = LeadNext::Over;
    bool isCharged = false; // to the budget
    std::int64_t pauseMs = 0; // before it begins
    int freeInARow = 0; // afterwards
    friend bool operator==(const LeadDecision &, const LeadDecision &) = default;
};
struct LeadCounts {
    std::int64_t charged = 0;
    int freeInARow = 0;
};
// `status` as a shell reports it; `ranMs`: how long it ran; `output`: the end of what it printed.
LeadDecision decideLeadRetry(const contract::LeadRetries &retries, const LeadCounts &counts, int status,
    std::int64_t ranMs, std::string_view output);

std::string withoutEscapes(std::string_view text); // colours and moves of a terminal

// What a later try of the task is started with, made from what the first one here was started with.
contract::Launch launchOfTry(const contract::Launch &first, const contract::LeadTask &task, std::size_t again);
contract::LeadTask taskOfTry(const contract::LeadTask &task, std::size_t again);

// The tries of the one task of an allocation, in their order.
class LeadRetries
{
public:
    LeadRetries(contract::LeadRetries retries, contract::LeadTask task, contract::Launch launch);
    // Counts this end; how long to wait until the next try, or nothing: there is none here.
    std::optional<std::int64_t> pauseAfter(const contract::ExitRecord &exit);
    std::size_t count() const { return m_again; } // how often it has been tried again
    contract::LeadTask task() const { return taskOfTry(m_task, m_again); } // of the newest try
    contract::Launch launch() const { return launchOfTry(m_launch, m_task, m_again); }

private:
    contract::LeadRetries m_retries;
    contract::LeadTask m_task;
    contract::Launch m_launch; // may hold secrets: in memory only
    LeadCounts m_counts;
    std::size_t m_again = 0;
};

} // namespace trainyard::agent
