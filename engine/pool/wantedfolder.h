// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

namespace trainyard
{

struct Prepared;
struct PoolHost;

// Whether the folder that a new job is to work in is there: that of its submission or text, or that of its file. A
// folder that is missing here can exist on a host only if a host was named, by the submission or for each role of the
// job; otherwise a misspelled path would send the job to an arbitrary host. The folder of the file is on this computer,
// so a job without it has nothing to work with on any host, unless it needs no copy. `onlyHere`: the job runs on this
// computer, `here`, or waits. Codes: job.work-missing {folder}, job.work-missing-here {folder}, job.file-folder-missing
// {folder}, job.work-no-folder {folder}. Looks at the disk.
Result<void> checkWantedFolder(const Prepared &prepared, const PoolHost &here, bool onlyHere);

} // namespace trainyard
