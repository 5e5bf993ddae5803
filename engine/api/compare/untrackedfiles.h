// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/compare/comparefacts.h"

namespace trainyard
{

// The files that git did not track in the work folders of some, but not all, of the runs, sorted by name; `untracked`
// is the fact git.untracked. Outputs of jobs are left out: files with the identifier of one of the runs in their names,
// and files in folders that the commands name by their job ("runs/$TRAINYARD_JOB_ID").
QStringList differingUntracked(const CompareFact &untracked, const QList<CompareRun> &runs);

} // namespace trainyard
