// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "engine/daemon/approvals.h"
#include "engine/daemon/jobservice.h"

namespace trainyard
{

// What Approvals needs of an engine, made of its parts, which outlive the door.
Approvals::Door approvalsDoor(
    const Settings &settings, const ActiveJobs &jobs, JobService &service, const JobQueries &queries);

} // namespace trainyard
