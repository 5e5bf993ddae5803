// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/calls.h"

#include <optional>

namespace trainyard
{

inline constexpr int jobsOfPage = 1000; // a window takes so many in between two frames

// What to ask for after this answer of ListJobs, when all jobs are wanted: the next page, or a smaller one when the
// answer had no room in one message. Nothing: these were the last ones, or the error is another one.
std::optional<api::JobPage> nextJobPage(const api::JobPage &asked, const Result<QList<JobSummary>> &answer);

} // namespace trainyard
