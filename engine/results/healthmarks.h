// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "engine/health/finding.h"

#include <vector>

namespace trainyard
{

// Findings as clients get them, without the task that they are about.
QList<HealthMark> healthMarks(const std::vector<health::Finding> &findings);

} // namespace trainyard
