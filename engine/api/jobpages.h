// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/calls.h"

#include <optional>

namespace trainyard
{

inline constexpr int jobsOfPage = 1000; // a window takes so many in between two frames

// The next request after this answer of ListJobs, when all jobs are needed: for the next page, or for a smaller one if
// the answer was too large for one message. Nothing: these were the last jobs, or the error is a different one.
std::optional<api::JobPage> nextJobPage(const api::JobPage &asked, const Result<QList<JobSummary>> &answer);

} // namespace trainyard
