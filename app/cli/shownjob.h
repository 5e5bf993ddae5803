// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/taskoutline.h"
#include "engine/api/values.h"

namespace trainyard::cli
{

// The head for an attempt that is not the newest: its stored data, and nothing of later attempts.
JobSummary summaryOfAttempt(const JobSummary &job, const AttemptInfo &attempt, const TaskOutline &outline);

// The text of a job with what the submission has overridden, which is not in the text that is kept.
QByteArray textAsItRan(const JobDetail &detail);

} // namespace trainyard::cli
