// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace trainyard::agent
{

enum class Claim { Own, Anothers, Unwritable, Unknown };

// Which job of the cluster starts what this file stands for: the first one that asks, also when it asks again (the
// cluster has requeued it). Two that ask at the same moment get different answers, on a file server as well. `id` is
// the job's as the cluster has it; the file keeps it. Unwritable: no lead has claimed it, and that cannot be changed.
// Unknown: a lead may have, which cannot be read now.
Claim claimOf(const std::string &file, const std::string &id);

} // namespace trainyard::agent
