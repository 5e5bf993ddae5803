// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/sweep/sweepjobs.h"

namespace trainyard
{

// "1 GPU, 4 CPU cores, 8 GiB of memory"
QString demandText(const JobDemand &demand);
// Says what becomes of the files of a sweep's jobs that work in one folder, and what keeps them apart.
QString sharedFolderText();
// The same in short, where it is not known whether they write any.
QString perhapsSharedFolderText();

} // namespace trainyard
