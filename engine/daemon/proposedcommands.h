// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/approvals.h"
#include "model/base/result.h"
#include "model/protocol/jobspec.h"

namespace trainyard
{

// What each role of a proposed job would run, for the person who decides about it: the commands with their values, with
// those of prerequisites and plugins (cmd) before and after them. Secrets are masked, and long commands are cut off.
Result<QList<api::ProposedCommands>> proposedCommands(const JobSpec &job);

} // namespace trainyard
