// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/taskoutline.h"
#include "engine/api/values.h"

namespace trainyard::cli
{

// What the head says of an attempt that is not the newest: what is kept of it, and nothing of those after it.
JobSummary summaryOfAttempt(const JobSummary &job, const AttemptInfo &attempt, const TaskOutline &outline);

// The text of a job with what the submission has overridden, which is not in the text that is kept.
QByteArray textAsItRan(const JobDetail &detail);

} // namespace trainyard::cli
