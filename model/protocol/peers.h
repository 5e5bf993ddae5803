// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobspec.h"

namespace trainyard
{

// Whether the tasks of a job talk to each other as far as the job shows it: by the ssh plugin, InfiniBand, the
// addresses of other tasks, or a launcher of distributed programs. Such tasks must run at the same time.
bool needsPeers(const JobSpec &job);

// Whether its hosts have to reach each other before it starts: extras.trainyard.checkPeers, and without it
// needsPeers().
bool checksPeers(const JobSpec &job);

} // namespace trainyard
