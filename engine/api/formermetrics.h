// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

namespace trainyard
{

// Metrics of the former runs of a document: jobs of this file, and jobs and sweeps of this name.
QStringList metricsOfRuns(const QList<JobSummary> &jobs, const QString &file, const QString &name);

} // namespace trainyard
