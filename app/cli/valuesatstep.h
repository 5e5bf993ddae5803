// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <QMap>

namespace trainyard::cli
{

// The metrics that a job has at a step: for each the last value at or before this step in its output, or otherwise in
// its files, over all of its tries; NaN if that is not a number, whatever preceded it. Of several tasks, the first one
// that has the metric counts. A value of an epoch counts at the step that the epoch had reached, as in the plots of the
// window, if the task counts steps at all.
QMap<QString, double> valuesAtStep(Session &session, const JobSummary &job, double step);

} // namespace trainyard::cli
