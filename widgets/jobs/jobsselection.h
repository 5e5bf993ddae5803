// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

class QTreeView;

namespace trainyard
{

// The jobs whose rows are selected in a list, in its order; runs of other programs are among them. The row of a sweep
// counts as those of its jobs that the list shows.
QList<JobSummary> selectedJobs(const QTreeView *view);
// Their ids. `deletable`: only of jobs of ours that are over.
QStringList idsOfJobs(const QList<JobSummary> &jobs, bool deletable = false);

// What Delete takes of them: jobs of ours that are over, and of several no one with a star, as `trainyardctl rm` has
// it.
struct Deletion {
    QStringList uuids;
    int kept = 0; // that are over and have a star
};
Deletion deletionOf(const QList<JobSummary> &jobs);

} // namespace trainyard
