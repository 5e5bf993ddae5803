// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/metricsofjob.h"

namespace trainyard::cli
{

// Prints what the tasks of a job's newest attempt used of their hosts; returns an exit status.
int printFiguresOfJob(const MetricsOfJob &wanted);

} // namespace trainyard::cli
