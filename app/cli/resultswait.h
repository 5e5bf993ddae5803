// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

namespace trainyard::cli
{

// Waits until the results that come to this computer by the rules of these ended jobs are here, as long as they arrive.
// Those that do not come now, because a host is away or the folder here takes no more, or that still come after Ctrl+C,
// are named on stderr.
void waitForResults(Session &session, const QList<JobSummary> &jobs);

} // namespace trainyard::cli
