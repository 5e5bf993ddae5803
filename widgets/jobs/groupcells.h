// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/jobs/jobsweep.h"

namespace trainyard
{

/**
 * What the row of a group says in the table of all jobs: what its jobs have in common, or from what to what their
 * numbers go. `jobs` are those that the table shows of the group, at least one, in any order; `now` is ms UTC. Empty
 * where they have nothing in common.
 */
QString groupCellText(const QString &name, const QList<const JobSummary *> &jobs, const QString &key, qint64 now);

StateCounts stateCounts(const QList<const JobSummary *> &jobs);

} // namespace trainyard
