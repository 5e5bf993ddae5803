// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace trainyard::agent
{

enum class Claim { Own, Anothers, Unwritable, Unknown };

// Decides which job of the cluster starts the tasks of this file: the first one that asks, also when it asks again (the
// cluster has requeued it). Two that ask at the same moment get different answers, also on a file server. `id` is the
// cluster's id of the job, which the file keeps. Unwritable: no lead has claimed it, and that cannot be changed.
// Unknown: a lead may have, which cannot be read now.
Claim claimOf(const std::string &file, const std::string &id);

} // namespace trainyard::agent
