// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "engine/daemon/approvals.h"
#include "engine/daemon/jobservice.h"

namespace trainyard
{

// The functions that Approvals needs from an engine, made from the engine's parts, which outlive the door.
Approvals::Door approvalsDoor(
    const Settings &settings, const ActiveJobs &jobs, JobService &service, const JobQueries &queries);

} // namespace trainyard
