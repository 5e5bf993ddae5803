// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <QMap>

namespace trainyard::cli
{

// The metrics that a job has at a step: of each the value that its output, or else its files, name last at or before
// this step, over all of its tries; NaN where that is not a number, whatever came before. Of several tasks the first
// one that has the metric. What stands at an epoch counts at the step that the epoch had come to, as in the plots of
// the window, where the task counts steps at all.
QMap<QString, double> valuesAtStep(Session &session, const JobSummary &job, double step);

} // namespace trainyard::cli
