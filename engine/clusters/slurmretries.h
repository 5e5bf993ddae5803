// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/leadplan.h"
#include "engine/core/jobstate.h"
#include "model/runtime/exitrules.h"

// The rules by which a lead tries a task again, in the small form of its plan. Pure.
namespace trainyard::slurm
{

// `isStrict`: the first rule in the order of the table counts, as on a server.
contract::LeadRetries leadRetriesOf(
    const ExitRules &rules, const core::RolePolicy &role, const core::RetryLimits &guards, bool isStrict);

// The UUIDs of the tries that may follow the current one in its allocation.
std::vector<std::string> furtherTriesOf(const core::JobState &job, core::TaskRef task);

} // namespace trainyard::slurm
