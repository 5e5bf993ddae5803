// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "engine/api/compare/comparefacts.h"

#include <QMap>

namespace trainyard::cli
{

// The jobs that the words mean and all of the group, each once, in this order; with their texts and what was captured
// of their surroundings. Returns 0, or the exit status after reporting what is wrong.
int comparedRuns(Session &session, const QStringList &words, const QString &group, QList<CompareRun> &runs);

// The metrics that a job has at a step: of each the value that its output names last at or before this step. Read from
// the outputs, as `metrics JOB` does; of several tasks the first one that has the metric.
QMap<QString, double> valuesAtStep(Session &session, const JobSummary &job, double step);

} // namespace trainyard::cli
