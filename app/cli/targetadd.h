// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/targetsline.h"

namespace trainyard::cli
{

// Makes a cluster a target of jobs, or changes one. Returns the exit status.
int runTargetsAdd(const TargetsValues &values);

} // namespace trainyard::cli
