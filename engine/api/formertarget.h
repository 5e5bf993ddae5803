// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

namespace trainyard
{

// The target of a submission that runs the job again where it ran before: its host or cluster, or "any" for a job
// that any host could get.
QString formerTarget(const JobDetail &detail);

// Whether that is neither this computer nor a target that was chosen, so that the user should be informed.
bool isAwayTarget(const QString &target);

} // namespace trainyard
