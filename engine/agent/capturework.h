// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/captures.h"

#include <vector>

namespace trainyard::agent
{

// The work of the process that Captures forks: looks, and writes the record of each try that has none. Takes a few
// seconds at the most while the disks answer.
void writeCaptures(const std::vector<CaptureRequest> &requests);

} // namespace trainyard::agent
