// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/compare/comparefacts.h"

namespace trainyard
{

// What git did not track in the work folder of some of the runs only, in the order of its names; `untracked` is the
// fact git.untracked. The outputs of jobs are left out: what has the identifier of one of the runs in its name, and
// what is where the commands of the runs write by the name or identifier of their job ("runs/$TRAINYARD_JOB_ID").
QStringList differingUntracked(const CompareFact &untracked, const QList<CompareRun> &runs);

} // namespace trainyard
