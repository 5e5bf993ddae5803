// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/bars.h"
#include "engine/metrics/record.h"

namespace trainyard::metrics
{

// How far a bar is, and what its description says that it counts. Adds to `record`.
void noteBar(const Bar &bar, Record &record);

} // namespace trainyard::metrics
