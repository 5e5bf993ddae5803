// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "model/sweep/sweepjobs.h"

namespace trainyard
{

// How many jobs of a sweep have room at the same time on the hosts that are online, or on the one that is the target:
// as many as their GPUs are enough for, or for jobs without GPUs their CPU cores; at least 1. What other jobs use now
// counts, because they end. 0: it is not known, because no host has said what it has; or the target is a cluster, which
// has a queue of its own.
int sweepJobsAtATime(const JobDemand &job, const QList<HostInfo> &hosts, const QString &target = {});

// Whether the jobs of a sweep work in one folder of this computer, and no command of theirs names a variable by which
// they could keep their files apart. `file` and `work` are those of the submission, and may be empty.
bool sweepSharesFolder(const JobSpec &job, const QString &file, const QString &work = {}, const QString &target = {});

} // namespace trainyard
