// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/leadplan.h"
#include "engine/contract/leadretry.h"
#include "engine/contract/messages.h"
#include "engine/contract/taskfolder.h"

#include <optional>
#include <string>

namespace trainyard::agent
{

// Makes the launch of a later try of the task from that of the first one here.
contract::Launch launchOfTry(const contract::Launch &first, const contract::LeadTask &task, std::size_t again);
contract::LeadTask taskOfTry(const contract::LeadTask &task, std::size_t again);

// The tries of the one task of an allocation, in their order.
class LeadRetries
{
public:
    LeadRetries(contract::LeadRetries retries, contract::LeadTask task, contract::Launch launch);
    // Counts this end. Returns how long to wait until the next try, in ms; nothing: there is no further try in this
    // allocation.
    std::optional<std::int64_t> pauseAfter(const contract::ExitRecord &exit);
    std::size_t count() const { return m_again; } // how often it has been tried again
    contract::LeadTask task() const { return taskOfTry(m_task, m_again); } // of the newest try
    contract::Launch launch() const { return launchOfTry(m_launch, m_task, m_again); }

private:
    contract::LeadRetries m_retries;
    contract::LeadTask m_task;
    contract::Launch m_launch; // may hold secrets: in memory only
    contract::LeadCounts m_counts;
    std::size_t m_again = 0;
};

} // namespace trainyard::agent
