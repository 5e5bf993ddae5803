// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

namespace trainyard
{

// The name of the document that the job was made from, under which its secrets are kept: the jobs of a sweep are called
// otherwise, and so can be any other job.
QString documentNameOf(const JobDetail &detail);

} // namespace trainyard
